//! Frames: a length in groups of seven bits, the lowest first, then a text that ends with a NUL.

use thiserror::Error;

/// The longest frame that is read, in bytes. The longest message of the protocol has fewer than a hundred.
pub const MAX_FRAME: usize = 1 << 16;

/// The error for a frame that claims to be longer than any message.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("a frame of more than {MAX_FRAME} bytes: this is not the server's protocol")]
pub struct TooLong;

/// The frame of a text: its exact length, the text, and the NUL, which the length counts.
pub fn frame(text: &str) -> Vec<u8> {
    let mut length = text.len() + 1;
    let mut bytes = Vec::with_capacity(length + 2);
    // Seven bits a byte; the high bit says that another byte follows. For example, 300 = 2 × 128 + 44 becomes
    // ac 02.
    while length > 0x7f {
        bytes.push(length as u8 | 0x80);
        length >>= 7;
    }
    bytes.push(length as u8);
    bytes.extend(text.as_bytes());
    bytes.push(0);
    bytes
}

/// Puts frames together from bytes that arrive in pieces of any size.
#[derive(Clone, Debug, Default)]
pub struct Frames {
    /// The bytes that have arrived and belong to no text yet.
    bytes: Vec<u8>,
}

impl Frames {
    /// Adds bytes that have arrived.
    pub fn push(&mut self, bytes: &[u8]) {
        self.bytes.extend(bytes);
    }

    /// Whether all bytes that arrived have been read as texts.
    pub fn is_empty(&self) -> bool {
        self.bytes.is_empty()
    }

    /// The next text, if its frame has arrived in full. The text ends before the first NUL, and has `?` for bytes that
    /// are not ASCII.
    ///
    /// # Errors
    /// If the bytes are no frame. Then the beginning of the next frame cannot be found either.
    pub fn next_text(&mut self) -> Result<Option<String>, TooLong> {
        let Some((head, length)) = length(&self.bytes)? else {
            return Ok(None);
        };
        if self.bytes.len() < head + length {
            return Ok(None);
        }
        let content = &self.bytes[head..head + length];
        // A frame may go on after the NUL; the rest is ignored.
        let text = content.split(|&byte| byte == 0).next().unwrap_or(content);
        let text = text
            .iter()
            .map(|&byte| if byte.is_ascii() { byte as char } else { '?' })
            .collect();
        self.bytes.drain(..head + length);
        Ok(Some(text))
    }
}

/// The number of bytes that hold the length, and the length; none if bytes of it are missing.
fn length(bytes: &[u8]) -> Result<Option<(usize, usize)>, TooLong> {
    let mut length = 0;
    for (place, &byte) in bytes.iter().enumerate() {
        // Four bytes hold any length that is read, even one that is written with a byte more than it needs.
        if place > 3 {
            return Err(TooLong);
        }
        length |= usize::from(byte & 0x7f) << (7 * place);
        if length > MAX_FRAME {
            return Err(TooLong);
        }
        if byte & 0x80 == 0 {
            return Ok(Some((place + 1, length)));
        }
    }
    Ok(None)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn lengths_count_the_nul() {
        assert_eq!(frame("1"), b"\x021\0");
        assert_eq!(frame(&"x".repeat(126))[..2], [0x7f, b'x']);
        assert_eq!(frame(&"x".repeat(129))[..3], [0x82, 0x01, b'x']);
        assert_eq!(frame(&"x".repeat(299))[..3], [0xac, 0x02, b'x']);
    }

    /// Only the text up to the first NUL counts, and a length may have unnecessary bytes.
    #[test]
    fn what_follows_the_nul_is_ignored() {
        let mut frames = Frames::default();
        frames.push(b"\x0523,34\x0723,34\0x\x00\x85\x00");
        assert_eq!(frames.next_text(), Ok(Some("23,34".into())));
        assert_eq!(frames.next_text(), Ok(Some("23,34".into())));
        assert_eq!(frames.next_text(), Ok(Some(String::new())));
        // A length in two bytes where one would do; its frame is not complete.
        assert_eq!(frames.next_text(), Ok(None));
        frames.push(b"34,1\0");
        assert_eq!(frames.next_text(), Ok(Some("34,1".into())));
        frames.push(b"\xff\xff\xff\xff");
        assert_eq!(frames.next_text(), Err(TooLong));
    }

    proptest! {
        #[test]
        fn frames_survive_any_cuts(
            texts in prop::collection::vec("[ -~]{0,200}", 0..6),
            sizes in prop::collection::vec(1..40_usize, 1..20),
        ) {
            let bytes: Vec<u8> = texts.iter().flat_map(|text| frame(text)).collect();
            let mut frames = Frames::default();
            let mut found = Vec::new();
            let (mut rest, mut sizes) = (bytes.as_slice(), sizes.iter().cycle());
            while !rest.is_empty() {
                let size = sizes.next().copied().unwrap_or(1).min(rest.len());
                frames.push(&rest[..size]);
                rest = &rest[size..];
                while let Some(text) = frames.next_text().unwrap() {
                    found.push(text);
                }
            }
            prop_assert_eq!(found, texts);
        }

        #[test]
        fn no_bytes_panic(bytes: Vec<u8>) {
            let mut frames = Frames::default();
            frames.push(&bytes);
            while let Ok(Some(text)) = frames.next_text() {
                prop_assert!(text.len() <= bytes.len());
            }
        }
    }
}
