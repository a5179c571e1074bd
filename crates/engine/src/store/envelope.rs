//! The bytes of a file: a header, then the value in bincode. The store writes and reads every file in this form.
//!
//! All numbers are little-endian and of fixed size:
//!
//! | bytes | |
//! |---|---|
//! | 8 | magic |
//! | 4 | version of this header |
//! | 4 | version of the kind |
//! | 8 | hash of the kind's name |
//! | 8 | fingerprint: a hash of everything that the contents depend on besides the version |
//! | 8 | id: the cache within its kind |
//! | 8 | length of the value |
//! | 8 | checksum of everything else |

use super::Key;
use crate::rng::mix;
use bincode::config::{self, Config};
use serde::{Serialize, de::DeserializeOwned};
use thiserror::Error;

// The first bytes of every file, and the version and the length of the header.
const MAGIC: [u8; 8] = *b"contests";
const FORMAT: u32 = 1;
pub(super) const HEADER: usize = 56;
/// The checksum is the last field of the header.
const CHECKSUM_AT: usize = HEADER - 8;

/// The most bytes a stored value may take, 256 MB.
pub const MAX_PAYLOAD: usize = 256 << 20;

/// The reason why a file does not fit.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum Mismatch {
    /// It does not begin with the magic bytes of these files.
    #[error("it is not a file of this program")]
    Foreign,
    /// Its header is of another version of this program.
    #[error("its header is of version {0}, not {FORMAT}")]
    Format(u32),
    /// Its length is not the one in the header.
    #[error("it has {found} bytes where its header says {expected}")]
    Length {
        /// The bytes there are.
        found: u64,
        /// The bytes there should be.
        expected: u64,
    },
    /// Some of its bytes have changed.
    #[error("its checksum is wrong")]
    Checksum,
    /// It holds another kind of value.
    #[error("it is no {0}")]
    Kind(&'static str),
    /// Its contents are of another version.
    #[error("its contents are of version {found}, not {expected}")]
    Version {
        /// The version there is.
        found: u32,
        expected: u32,
    },
    /// It was made with another evaluator.
    #[error("it was made with another evaluator ({found:016x}, not {expected:016x})")]
    Fingerprint {
        /// The fingerprint there is.
        found: u64,
        expected: u64,
    },
    /// It belongs under another name.
    #[error("it belongs to {found:016x}, not {expected:016x}")]
    Id {
        /// The id there is.
        found: u64,
        expected: u64,
    },
    /// It is larger than such a file may be.
    #[error("its {found} bytes are over the limit of {limit}")]
    TooLarge { found: u64, limit: u64 },
    /// The value does not decode.
    #[error("its contents do not decode: {0}")]
    Contents(String),
    /// The value decodes, and is not one that its reader can use.
    #[error("{0}")]
    Value(String),
}

/// Fixed-size little-endian numbers, and a limit on the memory that a damaged length can ask for.
fn format() -> impl Config {
    config::standard()
        .with_little_endian()
        .with_fixed_int_encoding()
        .with_limit::<MAX_PAYLOAD>()
}

/// The bytes of a file that holds the value.
///
/// # Errors
/// If its type refuses to be encoded, or the bytes are over [`MAX_PAYLOAD`]; the text says which.
pub fn encode<T: Serialize>(key: &Key, value: &T) -> Result<Vec<u8>, String> {
    let payload = bincode::serde::encode_to_vec(value, format()).map_err(|e| e.to_string())?;
    if payload.len() > MAX_PAYLOAD {
        let size = payload.len();
        return Err(format!("{size} bytes are over the limit of {MAX_PAYLOAD}"));
    }
    Ok(seal(key, &payload))
}

/// The value that the bytes of a file hold.
///
/// # Errors
/// The first thing that does not fit the key or the type. No bytes make it panic.
pub fn decode<T: DeserializeOwned>(key: &Key, bytes: &[u8]) -> Result<T, Mismatch> {
    let payload = open(key, bytes)?;
    let (value, read) = bincode::serde::decode_from_slice(payload, format())
        .map_err(|e| Mismatch::Contents(e.to_string()))?;
    // A shorter value may decode from the same bytes: then the type is not the one that was stored.
    if read < payload.len() {
        let rest = payload.len() - read;
        return Err(Mismatch::Contents(format!("{rest} bytes are left over")));
    }
    Ok(value)
}

/// The bytes of a file: a header, then a value that is encoded already.
pub fn seal(key: &Key, payload: &[u8]) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(HEADER + payload.len());
    bytes.extend(MAGIC);
    bytes.extend(FORMAT.to_le_bytes());
    bytes.extend(key.kind.version.to_le_bytes());
    bytes.extend(hash(&[key.kind.name.as_bytes()]).to_le_bytes());
    bytes.extend(key.fingerprint.to_le_bytes());
    bytes.extend(key.id.to_le_bytes());
    bytes.extend((payload.len() as u64).to_le_bytes());
    // The checksum comes last and covers the header before it, so that a damaged key is noticed as well.
    bytes.extend(hash(&[&bytes, payload]).to_le_bytes());
    bytes.extend(payload);
    bytes
}

/// The reverse of [`seal`]: the encoded value in the bytes of a file, if the header and the checksum fit.
fn open<'a>(key: &Key, bytes: &'a [u8]) -> Result<&'a [u8], Mismatch> {
    check_head(key, bytes, bytes.len() as u64)?;
    let (header, payload) = bytes.split_at(HEADER);
    if hash(&[&header[..CHECKSUM_AT], payload]) != u64_at(header, CHECKSUM_AT) {
        return Err(Mismatch::Checksum);
    }
    Ok(payload)
}

/// Checks the header of a file of `size` bytes against the key, without the value and so without the
/// checksum. A large file of another program is refused before it is read.
///
/// # Errors
/// The first thing that does not fit.
pub(super) fn check_head(key: &Key, beginning: &[u8], size: u64) -> Result<(), Mismatch> {
    if !beginning.starts_with(&MAGIC) {
        return Err(Mismatch::Foreign);
    }
    // From here on each check relies on those before, so the first error names the cause: an unknown format may
    // have other fields, and a field means nothing in a file of another kind.
    let header = beginning.get(..HEADER).ok_or(Mismatch::Length {
        found: size,
        expected: HEADER as u64,
    })?;
    let format = u32_at(header, 8);
    if format != FORMAT {
        return Err(Mismatch::Format(format));
    }
    let expected = u64_at(header, 40).saturating_add(HEADER as u64);
    if size != expected {
        let found = size;
        return Err(Mismatch::Length { found, expected });
    }
    if u64_at(header, 16) != hash(&[key.kind.name.as_bytes()]) {
        return Err(Mismatch::Kind(key.kind.name));
    }
    let (found, expected) = (u32_at(header, 12), key.kind.version);
    if found != expected {
        return Err(Mismatch::Version { found, expected });
    }
    let (found, expected) = (u64_at(header, 24), key.fingerprint);
    if found != expected {
        return Err(Mismatch::Fingerprint { found, expected });
    }
    let (found, expected) = (u64_at(header, 32), key.id);
    if found != expected {
        return Err(Mismatch::Id { found, expected });
    }
    Ok(())
}

/// A checksum against damage, not against malice. It takes in eight bytes at a time, sum = mix(sum ^ word).
/// As `mix` is a bijection, two different words lead from one sum to two different sums, and equal words after
/// them keep these apart. So every change within a single word is noticed.
fn hash(parts: &[&[u8]]) -> u64 {
    parts.iter().fold(0, |sum, part| {
        let words = part.chunks(8).map(|chunk| {
            let mut word = [0; 8];
            word[..chunk.len()].copy_from_slice(chunk);
            u64::from_le_bytes(word)
        });
        // The length goes in first. The last word is filled up with zeros, and without the length a part that really
        // ends in zeros would have the same sum.
        words.fold(mix(sum ^ part.len() as u64), |sum, word| mix(sum ^ word))
    })
}

/// The number in the eight bytes from `at` on.
fn u64_at(header: &[u8], at: usize) -> u64 {
    let mut word = [0; 8];
    word.copy_from_slice(&header[at..at + 8]);
    u64::from_le_bytes(word)
}

/// The number in the four bytes from `at` on.
fn u32_at(header: &[u8], at: usize) -> u32 {
    let mut word = [0; 4];
    word.copy_from_slice(&header[at..at + 4]);
    u32::from_le_bytes(word)
}
