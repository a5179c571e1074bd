//! Appends records to a file as whole lines. Where nobody else appends, a failed write is taken back, and a torn line
//! that an earlier process left is removed or refused, as its [`Opening`] says.

use super::LONGEST;
use super::error::RecordError;
use super::sync::Syncer;
use crate::input::is_compressed;
use engine::disk::{Disk, System, try_lock};
use serde::Serialize;
use std::fs::File;
use std::io::{self, ErrorKind, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::thread;
use std::time::Duration;

/// The attempts at the lock of a file. A process that is killed while it starts a program leaves a child that holds
/// a copy of the file, locked, until the child runs that program. Whoever goes on with the file at once must
/// outlast this child: on a busy machine it may wait some tenths of a second for a core.
const TRIES: u32 = 100;

/// The pause between two attempts.
const STEP: Duration = Duration::from_millis(20);

/// How a file is opened to append records.
#[derive(Clone, Copy, Debug)]
pub enum Opening {
    /// Several processes may append. A file with a torn last line is refused: another process may be writing it, so
    /// nobody may remove it.
    Shared,
    /// Nobody else may append meanwhile: the file is locked, and must not be a device or a pipe.
    Exclusive {
        /// Whether the first append may remove a torn last line, if it is the beginning of a record. A file that ends
        /// with anything else is refused. The function is also given the empty rest of a file without a torn line,
        /// and has to accept it.
        is_ours: fn(&[u8]) -> bool,
        /// Whether lines are synchronized to the disk soon after they are written. What was synchronized survives a
        /// failure of the machine. A failed synchronization is an error of the next append.
        durable: bool,
    },
}

/// Synchronizes the folder of a file: only then does the name of a new file survive a failure of the machine. Where
/// folders cannot be synchronized, nothing is done.
///
/// # Errors
/// If the disk fails.
pub fn sync_folder_of(path: &Path) -> io::Result<()> {
    let folder = path.parent().filter(|folder| *folder != Path::new(""));
    let synced = File::open(folder.unwrap_or(Path::new("."))).and_then(|folder| folder.sync_all());
    match synced.as_ref().map_err(io::Error::kind) {
        Err(ErrorKind::PermissionDenied | ErrorKind::InvalidInput | ErrorKind::Unsupported) => {
            Ok(())
        }
        _ => synced,
    }
}

/// A file that whole lines are appended to.
#[derive(Debug)]
pub struct Appender<D: Disk = System> {
    disk: D,
    file: File,
    path: PathBuf,
    /// The end of the last whole line; none if others append too.
    end: Option<u64>,
    /// Whether bytes of a torn line follow the last whole line.
    is_torn: bool,
    /// Synchronizes the file, if its lines are to be durable.
    syncer: Option<Syncer>,
}

impl Appender {
    /// Opens a file, or makes it. Nothing in it changes before the first append.
    ///
    /// # Errors
    /// If it cannot be opened, is in use, or ends with a torn line that may not be removed.
    pub fn open(path: &Path, opening: Opening) -> Result<Appender, RecordError> {
        Appender::on(System, path, opening)
    }

    /// Makes a file, or opens one that is empty, for records that belong together. Nobody else appends
    /// meanwhile. A device or a pipe, which keeps nothing, is accepted without a lock.
    ///
    /// # Errors
    /// If it cannot be opened, is in use, or holds something already.
    pub fn create(path: &Path) -> Result<Appender, RecordError> {
        let opening = match path.metadata() {
            Ok(metadata) if !metadata.is_file() => Opening::Shared,
            _ => Opening::Exclusive {
                is_ours: |_| true,
                durable: false,
            },
        };
        let file = Appender::open(path, opening)?;
        match file.end {
            Some(end) if end > 0 || file.is_torn => Err(RecordError::Occupied(path.to_owned())),
            _ => Ok(file),
        }
    }
}

impl<D: Disk> Appender<D> {
    /// As [`open`](Appender::open), on any disk.
    ///
    /// # Errors
    /// As there.
    pub fn on(disk: D, path: &Path, opening: Opening) -> Result<Appender<D>, RecordError> {
        let failed = RecordError::io("write", path);
        let mut options = File::options();
        options.create(true).read(true).append(true);
        let mut file = disk.call(|| options.open(path)).map_err(&failed)?;
        // Only regular files have an end to look at.
        let metadata = disk.call(|| file.metadata()).map_err(&failed)?;
        let is_regular = metadata.is_file();
        // Locked before its end is looked for: another process could still move it.
        if let Opening::Exclusive { .. } = opening {
            if !is_regular {
                return Err(RecordError::NotAFile(path.to_owned()));
            }
            let is_free = (0..TRIES).try_fold(false, |is_free, attempt| {
                if is_free {
                    return Ok(true);
                }
                // Not before the first attempt: most files are free.
                if attempt > 0 {
                    thread::sleep(STEP);
                }
                try_lock(&disk, &file)
            });
            if !is_free.map_err(&failed)? {
                return Err(RecordError::InUse(path.to_owned()));
            }
        }
        let mut start = [0; 4];
        let length = match is_regular {
            true => disk.call(|| file.read(&mut start)).map_err(&failed)?,
            false => 0,
        };
        if is_compressed(&start[..length]) {
            return Err(RecordError::Compressed(path.to_owned()));
        }
        let (end, tail) = match is_regular {
            true => last_line(&disk, &mut file)
                .map_err(&failed)?
                .ok_or_else(|| RecordError::Foreign(path.to_owned()))?,
            false => (0, Vec::new()),
        };
        let durable = match opening {
            Opening::Shared if !tail.is_empty() => {
                return Err(RecordError::TornEnd(path.to_owned()));
            }
            // After a failure of the machine a file may end in zeros, which nobody wrote.
            Opening::Exclusive { is_ours, .. }
                if !is_ours(&tail) && tail.iter().any(|&byte| byte != 0) =>
            {
                return Err(RecordError::Foreign(path.to_owned()));
            }
            Opening::Shared => false,
            Opening::Exclusive { durable, .. } => durable,
        };
        let start = || {
            if end == 0 {
                disk.call(|| sync_folder_of(path))?;
            }
            Syncer::new(disk.clone(), &file)
        };
        let syncer = durable.then(start).transpose();
        Ok(Appender {
            syncer: syncer.map_err(&failed)?,
            disk,
            file,
            path: path.to_owned(),
            end: matches!(opening, Opening::Exclusive { .. }).then_some(end),
            is_torn: !tail.is_empty(),
        })
    }

    /// Whether the file has no whole line.
    pub fn is_empty(&self) -> bool {
        self.end == Some(0)
    }

    /// The end of the last whole line, in bytes; none if others append too.
    pub fn end(&self) -> Option<u64> {
        self.end
    }

    /// Waits until all lines are on the disk, if they are to be durable.
    ///
    /// # Errors
    /// If they did not reach it.
    pub fn settle(&self) -> Result<(), RecordError> {
        let settled = self.syncer.as_ref().map_or(Ok(()), Syncer::settle);
        settled.map_err(RecordError::io("write", &self.path))
    }

    /// Removes a torn last line now, for others who read the file.
    ///
    /// # Errors
    /// If the file cannot be changed.
    pub fn remove_torn_line(&mut self) -> Result<(), RecordError> {
        self.cut().map_err(RecordError::io("write", &self.path))
    }

    /// Removes a torn last line, if there is one and nobody else appends.
    fn cut(&mut self) -> io::Result<()> {
        if self.is_torn
            && let Some(end) = self.end
        {
            self.disk.call(|| self.file.set_len(end))?;
            self.is_torn = false;
        }
        Ok(())
    }

    /// Appends lines with their ends, with one write. If that fails and nobody else appends, nothing
    /// of them is left in the file.
    ///
    /// # Errors
    /// If they cannot be written, or what was written before did not reach the disk.
    pub fn append(&mut self, lines: &[u8]) -> Result<(), RecordError> {
        debug_assert!(lines.is_empty() || lines.ends_with(b"\n"));
        let written = self.write(lines);
        written.map_err(RecordError::io("write", &self.path))
    }

    /// Appends a record as a line.
    ///
    /// # Errors
    /// As of [`append`](Appender::append), or if it has no form in JSON.
    pub fn append_record(&mut self, record: &impl Serialize) -> Result<(), RecordError> {
        self.append_records([record])
    }

    /// Appends records, a line each, with one write.
    ///
    /// # Errors
    /// As of [`append`](Appender::append), or if one has no form in JSON.
    pub fn append_records<T: Serialize>(
        &mut self,
        records: impl IntoIterator<Item = T>,
    ) -> Result<(), RecordError> {
        let lines: serde_json::Result<Vec<_>> = records.into_iter().map(|r| line_of(&r)).collect();
        let lines = lines.map_err(io::Error::from);
        let written = lines.and_then(|lines| self.write(&lines.concat()));
        written.map_err(RecordError::io("write", &self.path))
    }

    /// Appends lines with one write, and takes back what a failed one has left.
    fn write(&mut self, lines: &[u8]) -> io::Result<()> {
        // A line that did not reach the disk must not be followed by others as if it had.
        if let Some(syncer) = &self.syncer {
            syncer.failure()?;
        }
        self.cut()?;
        let written = self.disk.write_all(&mut self.file, lines);
        if let Some(end) = &mut self.end {
            match written {
                Ok(()) => *end += lines.len() as u64,
                // If this fails as well, it is tried again before the next append. If there is none, the next
                // process that opens the file finds a torn line.
                Err(_) => self.is_torn = self.disk.call(|| self.file.set_len(*end)).is_err(),
            }
        }
        if let Some(syncer) = &self.syncer {
            syncer.request();
        }
        written
    }
}

/// Waits for the disk, and unlocks the file. Closing it would not be enough: a child that another thread is just starting
/// has a copy of the file until it runs its program, and the lock would last as long.
impl<D: Disk> Drop for Appender<D> {
    fn drop(&mut self) {
        // Nobody asks for the last failure after an interrupt.
        if let Err(error) = self.settle() {
            engine::note!("the last lines may be lost: {error}");
        }
        if self.end.is_some() {
            let _ = self.file.unlock();
        }
    }
}

/// A record as a line with its end.
///
/// # Errors
/// If it has no form in JSON, for instance a map whose keys are no strings.
pub fn line_of(record: &impl Serialize) -> serde_json::Result<Vec<u8>> {
    let mut line = serde_json::to_vec(record)?;
    line.push(b'\n');
    Ok(line)
}

/// The end of the last whole line, and what follows it; none if that is more than a line can have.
fn last_line(disk: &impl Disk, file: &mut File) -> io::Result<Option<(u64, Vec<u8>)>> {
    let length = disk.call(|| file.seek(SeekFrom::End(0)))?;
    let mut end = length;
    let mut block = [0; 4096];
    // Backwards in blocks of 4 KiB, so that a file of any size opens at once.
    while end > 0 {
        if length - end > LONGEST {
            return Ok(None);
        }
        let start = end.saturating_sub(block.len() as u64);
        let part = &mut block[..(end - start) as usize];
        disk.call(|| file.seek(SeekFrom::Start(start)))?;
        disk.call(|| file.read_exact(part))?;
        if let Some(i) = part.iter().rposition(|&byte| byte == b'\n') {
            end = start + i as u64 + 1;
            break;
        }
        end = start;
    }
    let mut tail = Vec::new();
    disk.call(|| file.seek(SeekFrom::Start(end)))?;
    disk.call(|| file.take(length - end).read_to_end(&mut tail))?;
    Ok(Some((end, tail)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::process::testing::scratch;
    use engine::disk::{Faulty, Lock, Then};
    use std::fs;
    use std::io::Write;
    use std::sync::atomic::{AtomicU32, Ordering};
    use std::sync::{Arc, Mutex};

    /// Whether a rest is the beginning of a record of these tests.
    fn is_ours(rest: &[u8]) -> bool {
        b"12".starts_with(rest) || rest.starts_with(b"12")
    }

    const OWN: Opening = Opening::Exclusive {
        is_ours,
        durable: true,
    };

    fn shared_end(path: &Path) -> Option<u64> {
        Appender::open(path, Opening::Shared).unwrap().end()
    }

    #[test]
    fn a_torn_line_goes_with_the_first_append() {
        let (_folder, path) = scratch("lines");
        let long = format!("whole\n12{}", "3".repeat(9000));
        fs::write(&path, &long).unwrap();
        let shared = Appender::open(&path, Opening::Shared).unwrap_err();
        assert!(matches!(shared, RecordError::TornEnd(_)), "{shared}");
        let mut file = Appender::open(&path, OWN).unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), long);
        file.append(b"next\n").unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "whole\nnext\n");
        assert_eq!(file.end(), Some(11));
        assert_eq!(shared_end(&path), None);
        drop(file);
        fs::write(&path, "whole\nof another kind").unwrap();
        let other = Appender::open(&path, OWN).unwrap_err();
        assert!(matches!(other, RecordError::Foreign(_)), "{other}");
    }

    #[test]
    fn one_process_at_a_time() {
        let (_folder, path) = scratch("lines");
        let first = Appender::open(&path, OWN).unwrap();
        assert!(first.is_empty());
        let second = Appender::open(&path, OWN).unwrap_err();
        assert!(matches!(second, RecordError::InUse(_)), "{second}");
        let inherited = first.file.try_clone().unwrap();
        drop(first);
        assert!(Appender::open(&path, OWN).is_ok());
        drop(inherited);
        let device = Appender::open(Path::new("/dev/full"), OWN);
        assert!(matches!(device, Err(RecordError::NotAFile(_))));
    }

    /// A disk that lets go of a lock after some calls.
    #[derive(Clone, Debug)]
    struct Releasing {
        left: Arc<AtomicU32>,
        held: Arc<Mutex<Option<Lock>>>,
    }

    impl Disk for Releasing {
        fn call<T>(&self, call: impl FnOnce() -> io::Result<T>) -> io::Result<T> {
            let result = call();
            if self.left.fetch_sub(1, Ordering::Relaxed) == 1 {
                self.held.lock().unwrap().take();
            }
            result
        }

        fn write_all(&self, file: &mut impl Write, bytes: &[u8]) -> io::Result<()> {
            file.write_all(bytes)
        }
    }

    /// A failure of the machine can leave zeros at the end of a file. They are nobody's text.
    #[test]
    fn zeros_at_the_end_are_removed() {
        let (_folder, path) = scratch("lines");
        fs::write(&path, [b"{\"id\":1}\n".to_vec(), vec![0; 5000]].concat()).unwrap();
        let opening = Opening::Exclusive {
            is_ours: |tail| tail.is_empty(),
            durable: false,
        };
        let mut file = Appender::open(&path, opening).unwrap();
        file.append(b"next\n").unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "{\"id\":1}\nnext\n");
    }

    /// The child of a killed process holds a lock until it runs its program.
    #[test]
    fn a_lock_that_is_given_up_soon_is_waited_for() {
        let (_folder, path) = scratch("lines");
        let held = Lock::take(&System, File::create(&path).unwrap()).unwrap();
        assert!(held.is_some());
        // The file is opened and looked at, and the lock is tried for three times in vain.
        let disk = Releasing {
            left: Arc::new(AtomicU32::new(5)),
            held: Arc::new(Mutex::new(held)),
        };
        let mut file = Appender::on(disk, &path, OWN).unwrap();
        file.append(b"next\n").unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "next\n");
    }

    /// A file made by `create` has nothing but the records of one process: it refuses files that have
    /// contents or are in use.
    #[test]
    fn a_new_file_has_nothing_in_it() {
        let (_folder, path) = scratch("lines");
        let mut first = Appender::create(&path).unwrap();
        let second = Appender::create(&path).unwrap_err();
        assert!(matches!(second, RecordError::InUse(_)), "{second}");
        first.append(b"123\n").unwrap();
        drop(first);
        for text in ["123\n", "12", "\n"] {
            fs::write(&path, text).unwrap();
            let again = Appender::create(&path).unwrap_err();
            assert!(
                matches!(again, RecordError::Occupied(_)),
                "{text:?}: {again}"
            );
            assert_eq!(fs::read_to_string(&path).unwrap(), text);
        }
        fs::write(&path, "").unwrap();
        assert!(Appender::create(&path).is_ok());
        assert!(Appender::create(Path::new("/dev/null")).is_ok());
    }

    /// A large file without records is refused, without a search through all of it for the end of a line.
    #[test]
    fn a_large_foreign_file_is_refused() {
        let (_folder, path) = scratch("lines");
        File::create(&path).unwrap().set_len(1 << 40).unwrap();
        let error = Appender::open(&path, OWN).unwrap_err();
        assert!(matches!(error, RecordError::Foreign(_)), "{error}");
    }

    /// The complete lines that a reader finds now.
    fn lines(path: &Path) -> Vec<String> {
        let text = fs::read_to_string(path).unwrap_or_default();
        let whole = text
            .split_inclusive('\n')
            .filter(|line| line.ends_with('\n'));
        whole.map(|line| line.trim_end().to_owned()).collect()
    }

    const OLD: [&str; 2] = ["121", "122"];
    const NEW: [&str; 4] = ["121", "122", "123", "124"];

    /// Makes each call of the disk fail in turn. Lines appended together are all in the file or none is, a
    /// line torn earlier does not count, and the next process that opens the file can go on.
    #[test]
    fn lines_are_appended_or_not_whatever_fails() {
        for opening in [
            OWN,
            Opening::Exclusive {
                is_ours,
                durable: false,
            },
        ] {
            for then in [Then::Works, Then::Fails] {
                let mut refused = 0;
                let tried = Faulty::each(then, |disk| {
                    let (_folder, path) = scratch("lines");
                    fs::write(&path, "121\n122\n12tor").unwrap();
                    let appended = Appender::on(disk.clone(), &path, opening)
                        .and_then(|mut file| file.append(b"123\n124\n"));
                    let found = lines(&path);
                    match appended {
                        Ok(()) => assert_eq!(found, NEW),
                        Err(error) => {
                            refused += 1;
                            // If the disk works no more, the first of two lines cannot be taken back.
                            let is_part = then == Then::Fails && found == NEW[..3];
                            assert!(found == OLD || is_part, "{error}: {found:?}");
                        }
                    }
                    let mut file = Appender::open(&path, OWN).unwrap();
                    file.append(b"125\n").unwrap();
                    let mut expected = found;
                    expected.push("125".to_owned());
                    assert_eq!(lines(&path), expected);
                    assert_eq!(
                        fs::read_to_string(&path).unwrap().lines().count(),
                        expected.len()
                    );
                });
                assert!(refused >= 9 && tried > refused, "{refused} of {tried}");
            }
        }
    }

    /// The same for a file that several processes append to. Nothing is ever taken back there, but a line
    /// whose append succeeded is in the file.
    #[test]
    fn a_shared_file_keeps_what_was_written() {
        let tried = Faulty::each(Then::Works, |disk| {
            let (_folder, path) = scratch("lines");
            fs::write(&path, "121\n").unwrap();
            let appended = Appender::on(disk.clone(), &path, Opening::Shared)
                .and_then(|mut file| file.append(b"122\n"));
            let expected: &[&str] = match appended {
                Ok(()) => &["121", "122"],
                Err(_) => &["121"],
            };
            assert_eq!(lines(&path), expected);
        });
        assert_eq!(
            tried, 10,
            "open, its kind, its start, its end in five calls, the line"
        );
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_full_disk_is_told() {
        let mut file = Appender::open(Path::new("/dev/full"), Opening::Shared).unwrap();
        let error = file.append(b"line\n").unwrap_err().to_string();
        assert!(error.starts_with("cannot write /dev/full: "), "{error}");
    }
}
