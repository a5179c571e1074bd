//! The network inside a program. The compiler reads the numbers from the file into the program's constant data. They
//! are used there without a copy, because a contest may allow a program only 4 MB of memory.

use super::{LAYOUT_VERSION, Linear, Network};
use std::borrow::Cow;
use std::sync::OnceLock;

/// The weights of a network's file.
#[derive(Debug)]
pub struct Embedded {
    weights: [f32; Network::WEIGHTS],
    linear: Linear,
}

/// The place of the contents' version in a file's header, see `engine::store`.
const VERSION_AT: usize = 12;
/// The number of bytes of a list's length.
const LENGTH: usize = 8;
const FLOAT: usize = size_of::<f32>();

impl Embedded {
    /// Reads a network's file. Its last two lists are the weights and the distilled scorer. None if the contents are of
    /// another version or size. Neither the checksum nor the game is checked: every embedded file has a test that
    /// compares it with [`NetworkFile::read`](super::NetworkFile::read).
    pub const fn read(file: &[u8]) -> Option<Embedded> {
        // Counted from the end, because texts of any length stand before the lists: the likeness last, before
        // it its length, and before that the weights.
        let linear_at = file.len().checked_sub(FLOAT * Linear::WEIGHTS);
        let Some(linear_at) = linear_at else {
            return None;
        };
        let Some(weights_at) = linear_at.checked_sub(FLOAT * Network::WEIGHTS + LENGTH) else {
            return None;
        };
        // The beginning must hold the version, and each list's length must be the expected one.
        if weights_at < VERSION_AT + 4 + LENGTH
            || word(file, VERSION_AT) != LAYOUT_VERSION
            || word(file, weights_at - LENGTH) as usize != Network::WEIGHTS
            || word(file, linear_at - LENGTH) as usize != Linear::WEIGHTS
        {
            return None;
        }
        Some(Embedded {
            weights: floats(file, weights_at),
            linear: Linear::of_all(floats(file, linear_at)),
        })
    }
}

impl Network {
    /// The network of these weights, or one that gives all cards the same chance if there are none. So a program still
    /// plays if its network was made for another version of the inputs, as while the inputs are being changed.
    pub const fn embedded(weights: &'static Option<Embedded>) -> Network {
        // Borrowed weights must live as long as the program.
        static EVEN: [f32; Network::WEIGHTS] = [0.0; Network::WEIGHTS];
        let (weights, linear): (&'static [f32], Linear) = match weights {
            Some(embedded) => (&embedded.weights, embedded.linear),
            None => (&EVEN, Linear::even()),
        };
        Network {
            weights: Cow::Borrowed(weights),
            linear,
            tabulated: OnceLock::new(),
        }
    }
}

/// The four bytes from `at` on, as a number.
const fn word(file: &[u8], at: usize) -> u32 {
    u32::from_le_bytes([file[at], file[at + 1], file[at + 2], file[at + 3]])
}

/// `N` floats, from the byte `at` on.
const fn floats<const N: usize>(file: &[u8], at: usize) -> [f32; N] {
    let mut found = [0.0; N];
    let mut number = 0;
    // Constant functions allow no `for`.
    while number < N {
        found[number] = f32::from_bits(word(file, at + FLOAT * number));
        number += 1;
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::network::{NetworkFile, TrainingRecord};
    use engine::rng::stream;

    /// A file is read as it was written, with any text before the weights.
    #[test]
    fn a_file_is_read_as_it_was_written() {
        let folder = tempfile::tempdir().unwrap();
        for command in ["", "x", "a training with a long command"] {
            let mut network = Network::random(&mut stream(7, 0));
            network.linear_mut().weights_mut()[3] = 0.25;
            let training = TrainingRecord {
                command: command.into(),
                ..TrainingRecord::default()
            };
            let path = folder.path().join("a.policy");
            let file = NetworkFile { network, training };
            file.write(&path, "a game").unwrap();
            let bytes = std::fs::read(&path).unwrap();
            let read: &'static Option<Embedded> = Box::leak(Box::new(Embedded::read(&bytes)));
            assert_eq!(Network::embedded(read), file.network);
            assert!(Embedded::read(&bytes[..bytes.len() - 1]).is_none());
            assert!(Embedded::read(&bytes[bytes.len() - 700..]).is_none());
            let mut other = bytes;
            other[VERSION_AT] += 1;
            assert!(Embedded::read(&other).is_none());
        }
    }

    #[test]
    fn without_weights_all_cards_are_equally_likely() {
        static NONE: Option<Embedded> = Embedded::read(&[]);
        assert_eq!(Network::embedded(&NONE), Network::even());
    }
}
