//! Reads bytes that are a part of the program from the program's file.
//!
//! The system loads a page of a program when it is first touched, and counts it as the program's memory from then on.
//! The deflated tables are 38 MB, and are needed only once. Read from the file, they pass through a small buffer.

use std::fs::{self, File};
use std::io::{Read, Seek, SeekFrom};

/// A reader of these bytes: of the program's file if the system shows it, else of the memory.
pub(super) fn reader(bytes: &'static [u8]) -> Box<dyn Read> {
    match in_file(bytes) {
        Some(file) => Box::new(file.take(bytes.len() as u64)),
        None => Box::new(bytes),
    }
}

/// The program's file, at the place of these bytes. None for bytes of a library, or made by the program.
fn in_file(bytes: &[u8]) -> Option<File> {
    const OWN: &str = "/proc/self/exe";
    let maps = fs::read_to_string("/proc/self/maps").ok()?;
    let path = fs::read_link(OWN).ok()?;
    let address = bytes.as_ptr().addr() as u64;
    let offset = maps
        .lines()
        .find_map(|line| offset(line, path.to_str()?, address))?;
    let mut file = File::open(OWN).ok()?;
    file.seek(SeekFrom::Start(offset)).ok()?;
    Some(file)
}

/// The place of an address in a file, if a line of `/proc/self/maps` is about this file and the address
/// (proc_pid_maps(5)): `55d0c6a00000-55d0c8ee7000 r--p 00001000 fe:00 5408278 /bin/challenge`.
fn offset(line: &str, path: &str, address: u64) -> Option<u64> {
    let line = line.strip_suffix(path)?.strip_suffix(' ')?;
    let mut fields = line.split_ascii_whitespace();
    let (start, end) = fields.next()?.split_once('-')?;
    let number = |text| u64::from_str_radix(text, 16).ok();
    let (start, end, offset) = (number(start)?, number(end)?, number(fields.nth(1)?)?);
    (start..end)
        .contains(&address)
        .then(|| offset + (address - start))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Bytes of the program are found in its file; others are read from memory.
    #[test]
    fn own_bytes_are_read_from_the_file() {
        static OWN: &[u8] = include_bytes!("own_file.rs");
        let leaked: &'static [u8] = OWN.to_vec().leak();
        for (bytes, is_own) in [(OWN, true), (leaked, false)] {
            let mut read = Vec::new();
            reader(bytes).read_to_end(&mut read).unwrap();
            assert!(read == OWN);
            let found = in_file(bytes).is_some();
            assert_eq!(found, is_own && cfg!(target_os = "linux"));
        }
    }

    #[test]
    fn a_place_in_the_file_is_found_by_the_address() {
        let line = "55d0c6a00000-55d0c8ee7000 r--p 00001000 fe:00 5408278    /bin/challenge";
        let inside = 0x55d0_c6a0_0010;
        assert_eq!(offset(line, "/bin/challenge", inside), Some(0x1010));
        for (line, path, address) in [
            (line, "/bin/challenge", 0x55d0_c8ee_7000),
            (line, "/challenge", inside),
            ("1-2 r--p 0 0 0 /x", "/y", 1),
            ("1-2 r--p /x", "/x", 1),
        ] {
            assert_eq!(offset(line, path, address), None);
        }
    }
}
