//! Opens and reads files that a user names, for instance on a command line. A folder, pipe, socket or device under
//! that name is an error at once: reading it could wait for ever, or never come to an end.
//!
//! ```
//! let folder = tempfile::tempdir()?;
//! let error = arena::input::open(folder.path()).unwrap_err();
//! assert_eq!(error.to_string(), "expected a file, found a folder");
//! # Ok::<(), std::io::Error>(())
//! ```

use flate2::bufread::MultiGzDecoder;
use rustix::fs::OFlags;
use ruzstd::decoding::{FrameDecoder, StreamingDecoder};
use std::fs::{File, Metadata};
use std::io::{self, BufRead, BufReader, Cursor, ErrorKind, Read};
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

/// The name that stands for standard input.
pub const STDIN: &str = "-";

/// Opens a file of lines to read it from its beginning: a plain one, or one that gzip or Zstandard has compressed, which
/// its first bytes show, whatever its name is. `-` is standard input; `./-` is a file of that name.
///
/// # Errors
/// As of [`open`]. Errors in compressed data come while the file is read.
pub fn lines(path: &Path) -> io::Result<Box<dyn BufRead + Send>> {
    match path.as_os_str() == STDIN {
        true => plain(BufReader::new(io::stdin())),
        false => plain(BufReader::new(open(path)?)),
    }
}

/// A text without the byte order mark that some programs write at its beginning. Every reader of JSON asks this.
pub fn unmarked(text: &[u8]) -> &[u8] {
    text.strip_prefix(b"\xef\xbb\xbf").unwrap_or(text)
}

/// The beginnings of compressed files.
const GZIP: &[u8] = &[0x1f, 0x8b];
const ZSTANDARD: &[u8] = &[0x28, 0xb5, 0x2f, 0xfd];

/// Whether a file that begins with these bytes is compressed.
pub(crate) fn is_compressed(start: &[u8]) -> bool {
    [GZIP, ZSTANDARD].iter().any(|mark| start.starts_with(mark))
}

/// The text of an input that may be compressed.
fn plain(mut input: impl BufRead + Send + 'static) -> io::Result<Box<dyn BufRead + Send>> {
    // The first bytes may come one by one. They are put in front of the input again.
    let mut start = Vec::new();
    (&mut input).take(4).read_to_end(&mut start)?;
    let is = |mark: &[u8]| start.starts_with(mark);
    let (gzip, zstandard) = (is(GZIP), is(ZSTANDARD));
    let whole = Cursor::new(start).chain(input);
    let text: Box<dyn Read + Send> = match (gzip, zstandard) {
        // Several compressed parts in a row are one text, as `cat` makes of several files.
        (true, _) => Box::new(MultiGzDecoder::new(whole)),
        (_, true) => Box::new(ZstandardFrames {
            input: Some(whole),
            frame: None,
        }),
        _ => return Ok(Box::new(whole)),
    };
    Ok(Box::new(BufReader::new(text)))
}

/// The text of Zstandard frames, one after the other.
struct ZstandardFrames<R: BufRead> {
    /// The input between two frames.
    input: Option<R>,
    frame: Option<StreamingDecoder<R, FrameDecoder>>,
}

impl<R: BufRead> Read for ZstandardFrames<R> {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        loop {
            if let Some(mut frame) = self.frame.take() {
                match frame.read(bytes)? {
                    0 if !bytes.is_empty() => self.input = Some(frame.into_inner()),
                    read => {
                        self.frame = Some(frame);
                        return Ok(read);
                    }
                }
            }
            let Some(mut input) = self.input.take() else {
                return Ok(0);
            };
            if input.fill_buf()?.is_empty() {
                return Ok(0);
            }
            let frame = StreamingDecoder::new(input);
            self.frame = Some(
                frame.map_err(|error| io::Error::new(ErrorKind::InvalidData, error.to_string()))?,
            );
        }
    }
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

/// Reads a file of at most `most` bytes, without its byte order mark.
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
        _ => Ok(unmarked(&bytes).to_vec()),
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

#[cfg(target_os = "linux")]
#[cfg(test)]
mod tests {
    use super::*;
    use rustix::fs::{CWD, FileType, Mode, mknodat};
    use std::fs;
    use std::io::Write as _;
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
        fs::write(path("marked"), b"\xef\xbb\xbf{}").unwrap();
        assert_eq!(read_text(&path("marked"), 5).unwrap(), "{}");
        fs::write(path("bytes"), b"\xff").unwrap();
        let error = read_text(&path("bytes"), 4).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::InvalidData);
    }

    /// Whatever an input is packed in, its lines are the same.
    #[test]
    fn packed_lines_are_read() {
        let text = b"{\"a\":1}\n{\"a\":2}\n".repeat(3000);
        let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        gzip.write_all(&text).unwrap();
        let gzip = gzip.finish().unwrap();
        let level = ruzstd::encoding::CompressionLevel::Fastest;
        let zstandard = ruzstd::encoding::compress_to_vec(&text[..], level);
        let twice = text.repeat(2);
        let read = |bytes: &[u8]| {
            // As from a pipe that gives few bytes at a time.
            let slow = BufReader::with_capacity(3, Cursor::new(bytes.to_vec()));
            let mut text = Vec::new();
            plain(slow)
                .and_then(|mut input| input.read_to_end(&mut text))
                .map(|_| text)
        };
        for (packed, expected) in [
            (&text, &text),
            (&gzip, &text),
            (&gzip.repeat(2), &twice),
            (&zstandard, &text),
            (&zstandard.repeat(2), &twice),
            (&Vec::new(), &Vec::new()),
        ] {
            assert!(read(packed).unwrap() == *expected, "{} bytes", packed.len());
        }
        // A packed file that was cut off is an error, not a shorter text.
        for cut in [&gzip[..gzip.len() / 2], &zstandard[..zstandard.len() / 2]] {
            assert!(read(cut).is_err());
        }
    }
}
