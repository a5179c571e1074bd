//! Opens and reads files that a user names, for instance on a command line. A folder, pipe, socket or device under
//! that name is an error at once: reading it could wait for ever, or never come to an end.
//!
//! ```
//! let folder = tempfile::tempdir()?;
//! let error = arena::input::open(folder.path()).unwrap_err();
//! assert_eq!(error.to_string(), "expected a file, found a folder");
//! # Ok::<(), std::io::Error>(())
//! ```

use rustix::fs::OFlags;
use std::fs::{File, Metadata};
use std::io::{self, ErrorKind, Read};
use std::os::unix::fs::{FileTypeExt, OpenOptionsExt};
use std::path::Path;

/// Opens a file to read it. This never waits, as opening a pipe usually does until its other end is open.
///
/// # Errors
/// If it cannot be opened, or is a folder, a pipe, a socket or a device.
pub fn open(path: &Path) -> io::Result<File> {
    let expect_file = |metadata: &Metadata| match other_kind(metadata) {
        None => Ok(()),
        Some(kind) => {
            let text = format!("expected a file, found {kind}");
            Err(io::Error::new(ErrorKind::InvalidInput, text))
        }
    };
    // Checked before opening, because opening alone acts on some devices, and after, because another file may
    // lie there by then.
    expect_file(&path.metadata()?)?;
    let file = File::options()
        .read(true)
        .custom_flags(OFlags::NONBLOCK.bits() as i32)
        .open(path)?;
    expect_file(&file.metadata()?)?;
    Ok(file)
}

/// The kind of something that is not a file, in words; none for a file.
fn other_kind(metadata: &Metadata) -> Option<&'static str> {
    let kind = metadata.file_type();
    match () {
        () if kind.is_file() => None,
        () if kind.is_dir() => Some("a folder"),
        () if kind.is_fifo() => Some("a pipe"),
        () if kind.is_socket() => Some("a socket"),
        () => Some("a device"),
    }
}

/// Reads a file of at most `most` bytes.
///
/// # Errors
/// As of [`open`], and if it is larger or cannot be read.
pub fn read(path: &Path, most: u64) -> io::Result<Vec<u8>> {
    let file = open(path)?;
    let too_large = |bytes: u64| {
        let text = format!("expected at most {most} bytes, found {bytes}");
        Err(io::Error::new(ErrorKind::FileTooLarge, text))
    };
    // The size is looked at first, so that nothing is read of a file that is too large.
    let size = file.metadata()?.len();
    if size > most {
        return too_large(size);
    }
    let mut bytes = Vec::with_capacity(size as usize);
    // The file may grow meanwhile: one byte more than allowed shows that.
    file.take(most + 1).read_to_end(&mut bytes)?;
    match bytes.len() as u64 {
        more if more > most => too_large(more),
        _ => Ok(bytes),
    }
}

/// Reads a text of at most `most` bytes.
///
/// # Errors
/// As of [`read`], and if it is no UTF-8.
pub fn read_text(path: &Path, most: u64) -> io::Result<String> {
    let bytes = read(path, most)?;
    String::from_utf8(bytes)
        .map_err(|error| io::Error::new(ErrorKind::InvalidData, error.utf8_error()))
}

#[cfg(test)]
#[cfg(target_os = "linux")]
mod tests {
    use super::*;
    use rustix::fs::{CWD, FileType, Mode, mknodat};
    use std::fs;
    use std::os::unix::net::UnixListener;

    #[test]
    fn what_is_no_file_is_told_at_once() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        fs::write(path("file"), "12345").unwrap();
        assert_eq!(read(&path("file"), 5).unwrap(), b"12345");
        let told = |path: &Path| read(path, 4).unwrap_err().to_string();
        assert_eq!(told(&path("file")), "expected at most 4 bytes, found 5");
        mknodat(CWD, path("pipe"), FileType::Fifo, Mode::RUSR, 0).unwrap();
        assert_eq!(told(&path("pipe")), "expected a file, found a pipe");
        let _listener = UnixListener::bind(path("socket")).unwrap();
        assert_eq!(told(&path("socket")), "expected a file, found a socket");
        assert_eq!(
            told(Path::new("/dev/zero")),
            "expected a file, found a device"
        );
        assert_eq!(told(folder.path()), "expected a file, found a folder");
        assert!(told(&path("none")).contains("No such file"));
        fs::write(path("bytes"), b"\xff").unwrap();
        let error = read_text(&path("bytes"), 4).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::InvalidData);
    }
}
