//! Tables of bytes as they are stored: deflated (RFC 1951), and inflated at their first use. The deflated bytes are
//! dropped then, so that a client holds no table in both forms. A table is inflated piece by piece, so that its plain
//! bytes are never in memory as a whole.

use super::own_file;
use engine::store::{Kind, StoreError, read_table, write_table};
use engine::sync::lock;
use flate2::Compression;
use flate2::read::{DeflateDecoder, DeflateEncoder};
use std::io::{self, Read};
use std::path::Path;
use std::sync::{Arc, Mutex, OnceLock};

/// The effort of compression, from 0 to 10.
const EFFORT: u32 = 8;
/// Where the deflated bytes begin in a file: after the store's header and the length of the list.
const PACKED_AT: usize = 64;

/// A table that consists of a fixed number of bytes.
pub trait Bytes: Sized {
    /// The kind of its files.
    const KIND: Kind;
    /// The length of the table in bytes.
    const LEN: usize;

    /// The table as `LEN` bytes.
    fn bytes(&self) -> Vec<u8>;

    /// The table made of the next `LEN` bytes of `from`.
    ///
    /// # Errors
    /// If there are fewer, or they cannot be read.
    fn from_bytes(from: &mut impl Read) -> io::Result<Self>;

    /// Writes a file.
    ///
    /// # Errors
    /// If it cannot be written.
    fn write(&self, path: &Path) -> Result<(), StoreError> {
        write_table(path, Self::KIND, &pack(&self.bytes()))
    }
}

fn pack(bytes: &[u8]) -> Vec<u8> {
    let mut packed = Vec::new();
    let mut encoder = DeflateEncoder::new(bytes, Compression::new(EFFORT));
    encoder
        .read_to_end(&mut packed)
        .expect("bytes in memory can be read");
    packed
}

/// Where the deflated bytes of a table are.
#[derive(Debug)]
enum Packed {
    Read(Vec<u8>),
    /// A part of the program.
    Embedded(&'static [u8]),
    Inflated,
}

/// A table as it is stored. Clones share the inflated table.
#[derive(Clone, Debug)]
pub struct Stored<T> {
    packed: Arc<Mutex<Packed>>,
    inflated: Arc<OnceLock<Option<Arc<T>>>>,
}

impl<T: Bytes> Stored<T> {
    fn new(packed: Packed) -> Stored<T> {
        Stored {
            packed: Arc::new(Mutex::new(packed)),
            inflated: Arc::default(),
        }
    }

    /// Reads a file.
    ///
    /// # Errors
    /// If it is missing or does not fit.
    pub fn read(path: &Path) -> Result<Stored<T>, StoreError> {
        let packed = read_table(path, T::KIND)?;
        Ok(Stored::new(Packed::Read(packed)))
    }

    /// The table in the bytes of a file that is a part of the program. They are not checked.
    pub fn embedded(file: &'static [u8]) -> Stored<T> {
        Stored::new(Packed::Embedded(file.get(PACKED_AT..).unwrap_or_default()))
    }

    /// The table, inflated at the first call. None if it does not have this program's length.
    pub fn get(&self) -> Option<&T> {
        let inflate = || {
            let packed = std::mem::replace(&mut *lock(&self.packed), Packed::Inflated);
            let table = match packed {
                Packed::Read(bytes) => inflated(bytes.as_slice()),
                // The memory serves if the file cannot be read.
                Packed::Embedded(bytes) => {
                    inflated(own_file::reader(bytes)).or_else(|| inflated(bytes))
                }
                Packed::Inflated => None,
            };
            table.map(Arc::new)
        };
        self.inflated.get_or_init(inflate).as_deref()
    }
}

/// The table made of deflated bytes. None if it has another length: a damaged file cannot inflate without end.
fn inflated<T: Bytes>(packed: impl Read) -> Option<T> {
    let mut plain = DeflateDecoder::new(packed);
    let table = T::from_bytes(&mut plain).ok()?;
    matches!(plain.read(&mut [0]), Ok(0)).then_some(table)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Debug, PartialEq)]
    struct Three(Vec<u8>);

    impl Bytes for Three {
        const KIND: Kind = Kind::new("three", 1);
        const LEN: usize = 3;

        fn bytes(&self) -> Vec<u8> {
            self.0.clone()
        }

        fn from_bytes(from: &mut impl Read) -> io::Result<Three> {
            let mut bytes = vec![0; Three::LEN];
            from.read_exact(&mut bytes)?;
            Ok(Three(bytes))
        }
    }

    /// A table is read as it was written; bytes of another length are refused.
    #[test]
    fn tables_are_read_as_they_were_written() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("three");
        let read = |bytes: &[u8]| {
            Three(bytes.to_vec()).write(&path).unwrap();
            let stored = Stored::<Three>::read(&path).unwrap();
            let embedded = Stored::<Three>::embedded(std::fs::read(&path).unwrap().leak());
            assert_eq!(stored.get(), embedded.get());
            stored.get().map(|three| three.0.clone())
        };
        assert_eq!(read(&[1, 2, 3]), Some(vec![1, 2, 3]));
        assert_eq!(read(&[1, 2]), None);
        assert_eq!(read(&[1, 2, 3, 4]), None);
        assert_eq!(inflated::<Three>([255; 9].as_slice()), None);
    }
}
