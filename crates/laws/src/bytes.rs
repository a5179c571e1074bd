//! Choices made by a fuzzer's bytes. Each choice uses up some bytes, and the same bytes give the same choices.

/// The bytes that no choice has used yet.
#[derive(Clone, Debug)]
pub struct Bytes<'a>(&'a [u8]);

impl<'a> Bytes<'a> {
    /// The choices that these bytes make.
    pub fn new(bytes: &'a [u8]) -> Bytes<'a> {
        Bytes(bytes)
    }

    /// The next byte; none at the end.
    pub fn byte(&mut self) -> Option<u8> {
        let (&first, rest) = self.0.split_first()?;
        self.0 = rest;
        Some(first)
    }

    /// A number below `bound`, which is not 0 and at most 256; none at the end.
    pub fn below(&mut self, bound: usize) -> Option<usize> {
        self.byte().map(|byte| usize::from(byte) % bound)
    }

    /// A number of two bytes, for seeds: few enough that a fuzzer meets one twice.
    pub fn seed(&mut self) -> Option<u64> {
        Some(u64::from(self.byte()?) << 8 | u64::from(self.byte()?))
    }

    /// Some bytes: the next byte is their number, and fewer are given if the input ends before. None at the end.
    pub fn some(&mut self) -> Option<&'a [u8]> {
        let count = usize::from(self.byte()?).min(self.0.len());
        let (some, rest) = self.0.split_at(count);
        self.0 = rest;
        Some(some)
    }

    /// All that are left.
    pub fn rest(&mut self) -> &'a [u8] {
        std::mem::take(&mut self.0)
    }
}
