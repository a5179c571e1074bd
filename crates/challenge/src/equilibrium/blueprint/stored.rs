//! Tables of bytes as they are stored: deflated (RFC 1951), and inflated at their first use. What was deflated is dropped
//! then: a client holds all tables, and never both forms of one.

use engine::store::{Kind, Mismatch, StoreError, decode_table, read_table, write_table};
use engine::sync::lock;
use std::path::Path;
use std::sync::{Arc, Mutex, OnceLock};

/// The effort of compression, from 0 to 10.
const EFFORT: u8 = 8;

/// A table that consists of a fixed number of bytes.
pub trait Bytes: Sized {
    /// The kind of its files.
    const KIND: Kind;
    /// The length of the table in bytes.
    const LEN: usize;

    /// The table as `LEN` bytes.
    fn bytes(&self) -> Vec<u8>;

    /// The table made of `LEN` bytes.
    fn from_bytes(bytes: &[u8]) -> Self;

    /// Writes a file.
    ///
    /// # Errors
    /// If it cannot be written.
    fn write(&self, path: &Path) -> Result<(), StoreError> {
        write_table(path, Self::KIND, &pack(&self.bytes()))
    }
}

fn pack(bytes: &[u8]) -> Vec<u8> {
    miniz_oxide::deflate::compress_to_vec(bytes, EFFORT)
}

/// A table as it is stored. Clones share the inflated table.
#[derive(Clone, Debug)]
pub struct Stored<T> {
    /// Empty once the table is inflated.
    packed: Arc<Mutex<Vec<u8>>>,
    inflated: Arc<OnceLock<Option<Arc<T>>>>,
}

impl<T: Bytes> Stored<T> {
    fn new(packed: Vec<u8>) -> Stored<T> {
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
        read_table(path, T::KIND).map(Stored::new)
    }

    /// Reads the bytes of a file.
    ///
    /// # Errors
    /// If they do not fit.
    pub fn decode(bytes: &[u8]) -> Result<Stored<T>, Mismatch> {
        decode_table(bytes, T::KIND).map(Stored::new)
    }

    /// The table, inflated at the first call. None if it does not have this program's length.
    pub fn get(&self) -> Option<&T> {
        let inflate = || {
            let packed = std::mem::take(&mut *lock(&self.packed));
            // With a limit: a damaged file cannot inflate without end.
            let bytes = miniz_oxide::inflate::decompress_to_vec_with_limit(&packed, T::LEN);
            let bytes = bytes.ok().filter(|bytes| bytes.len() == T::LEN)?;
            Some(Arc::new(T::from_bytes(&bytes)))
        };
        self.inflated.get_or_init(inflate).as_deref()
    }
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

        fn from_bytes(bytes: &[u8]) -> Three {
            Three(bytes.to_vec())
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
            let decoded = Stored::<Three>::decode(&std::fs::read(&path).unwrap()).unwrap();
            assert_eq!(stored.get(), decoded.get());
            stored.get().map(|three| three.0.clone())
        };
        assert_eq!(read(&[1, 2, 3]), Some(vec![1, 2, 3]));
        assert_eq!(read(&[1, 2]), None);
        assert_eq!(read(&[1, 2, 3, 4]), None);
        assert_eq!(Stored::<Three>::new(vec![255; 9]).get(), None);
    }
}
