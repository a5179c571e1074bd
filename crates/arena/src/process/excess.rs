//! Limits on processes, threads, memory and files, checked again and again while a program runs.
//!
//! Nothing here needs privileges. Each program is measured by itself, so that it is found at fault before other
//! programs suffer. Between two looks a program can exceed a limit unseen. Memory that no process maps (memfd_create(2))
//! is not counted; with a limit on memory the call is refused.

use super::files::Folder;
use super::files::Size;
use super::limits::Limits;
use super::process_tree::{Census, census, resident, unnamed_files};
use rustix::fs::statvfs;
use rustix::process::{Pid, Resource, getrlimit};
use std::fmt;
use std::fs;
use std::io::ErrorKind;
use std::os::unix::fs::MetadataExt;
use std::path::PathBuf;
use std::time::Duration;

/// The time between two looks; in a single call it grows to five times as long.
pub(super) const CENSUS: Duration = Duration::from_millis(20);

/// One program may have a quarter of the processes and threads that the system allows this user, and of the room that
/// is free for files.
const PART_OF_ALL: u64 = 4;

/// The most that a program may add to its folders. On a small disk it may add less: a quarter of the free room. The
/// limit of the size of a file, set by setrlimit(2), is as high.
const FOLDERS: Size = Size {
    files: 20_000,
    bytes: 1 << 30,
};
/// Looks at processes for each look at files: a walk through folders takes longer.
const LOOKS_A_WALK: u32 = 10;

/// A limit that a program went over, for which it was ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Excess {
    Processes,
    /// Bytes of memory that it held, and the most that it may hold.
    Memory {
        held: u64,
        most: u64,
    },
    /// Files in its folders, or removed from them and still open or mapped, or bytes of both.
    Files,
    /// A folder whose files cannot be counted.
    Hidden,
    /// Going on while others were asked.
    Restless,
}

impl fmt::Display for Excess {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let Size { files, bytes } = FOLDERS;
        match self {
            Excess::Processes => write!(f, "had too many processes at a time and was ended"),
            Excess::Memory { held, most } => write!(
                f,
                "held {} KiB of resident memory, more than {}, and was ended",
                held >> 10,
                most >> 10
            ),
            Excess::Files => write!(
                f,
                "wrote more than {files} files, {} MiB or a quarter of what was free into its folders and was ended",
                bytes >> 20
            ),
            Excess::Hidden => write!(f, "made a folder that cannot be read and was ended"),
            Excess::Restless => write!(f, "went on while it was to rest and was ended"),
        }
    }
}

/// Measures a program against its limits.
#[derive(Debug)]
pub(super) struct Overseer {
    /// The process from which all of the program's descend.
    supervisor: Pid,
    most: Census,
    memory: Option<u64>,
    folders: Vec<PathBuf>,
    /// The most that may be in these folders.
    room: Size,
    looks: u32,
    /// The most bytes of memory that the program was found to hold; 0 if they are not limited.
    pub held: u64,
}

impl Overseer {
    /// Holds a program to some limits. `folders` are those that it alone may write to; their contents before
    /// the call, `before`, are not counted.
    pub fn new(supervisor: Pid, limits: &Limits, folders: Vec<PathBuf>, before: Size) -> Overseer {
        // The system's limit for this user counts threads.
        let of_all = getrlimit(Resource::Nproc)
            .current
            .map(|all| all / PART_OF_ALL);
        let of_all = of_all.map_or(usize::MAX, |part| {
            usize::try_from(part).unwrap_or(usize::MAX)
        });
        Overseer {
            supervisor,
            most: Census {
                processes: limits.processes,
                threads: limits.threads().min(of_all.max(1)),
            },
            memory: limits.memory,
            room: room_for(&folders, before),
            folders,
            looks: 0,
            held: 0,
        }
    }

    /// Checks the limits; returns one that is exceeded.
    pub fn look(&mut self) -> Option<Excess> {
        let now = census(self.supervisor, self.most);
        if now.processes > self.most.processes || now.threads > self.most.threads {
            return Some(Excess::Processes);
        }
        if let Some(most) = self.memory {
            self.held = self.held.max(resident(self.supervisor));
            if self.held > most {
                let held = self.held;
                return Some(Excess::Memory { held, most });
            }
        }
        self.looks += 1;
        // Walking through folders takes the longest, so only every tenth look does it.
        match self.looks.is_multiple_of(LOOKS_A_WALK) {
            true => self.look_at_files(),
            false => None,
        }
    }

    /// Whether its folders hold too much. Files that were removed from them and are still open or mapped count as well.
    fn look_at_files(&self) -> Option<Excess> {
        let left = match self.room_left() {
            Ok(left) => left,
            Err(excess) => return Some(excess),
        };
        let device = |folder| Some(fs::metadata(folder).ok()?.dev());
        let devices = self.folders.iter().filter_map(device).collect();
        let unnamed = unnamed_files(self.supervisor, &devices, left.files);
        (unnamed.files > left.files || unnamed.bytes > left.bytes).then_some(Excess::Files)
    }

    /// Whether there are too many files, or too large ones, in its folders.
    pub fn look_at_folders(&self) -> Option<Excess> {
        self.room_left().err()
    }

    /// The files and bytes that its folders still have room for.
    fn room_left(&self) -> Result<Size, Excess> {
        let mut left = self.room;
        for folder in &self.folders {
            match Folder::open(folder).and_then(|folder| Size::of(&folder, left)) {
                Ok(Some(size)) => {
                    left.files -= size.files;
                    left.bytes -= size.bytes;
                }
                // Folders that lie too deep in each other are reported as invalid data.
                Ok(None) => return Err(Excess::Files),
                Err(error) if error.kind() == ErrorKind::InvalidData => {
                    return Err(Excess::Files);
                }
                Err(error) if error.kind() == ErrorKind::PermissionDenied => {
                    return Err(Excess::Hidden);
                }
                // A program may remove its folders.
                Err(_) => {}
            }
        }
        Ok(left)
    }
}

/// The most that may be in these folders, which hold `before` already. A small file system must have room for the others'
/// files, too.
fn room_for(folders: &[PathBuf], before: Size) -> Size {
    let free = folders.iter().filter_map(|folder| statvfs(folder).ok());
    let part = free.fold(FOLDERS, |part, free| {
        // A file system that does not count its files has none.
        let files = match free.f_files {
            0 => usize::MAX,
            _ => usize::try_from(free.f_favail / PART_OF_ALL).unwrap_or(usize::MAX),
        };
        let bytes = free.f_bavail.saturating_mul(free.f_frsize) / PART_OF_ALL;
        // On a disk that is full already nobody is at fault for a small file.
        Size {
            files: part.files.min(files.max(100)),
            bytes: part.bytes.min(bytes.max(1 << 20)),
        }
    });
    Size {
        files: before.files.saturating_add(part.files),
        bytes: before.bytes.saturating_add(part.bytes),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs::File;

    #[test]
    fn too_much_in_folders_is_seen() {
        let place = tempfile::tempdir().unwrap();
        let folders = ["a", "b"].map(|name| place.path().join(name));
        folders
            .iter()
            .for_each(|folder| fs::create_dir(folder).unwrap());
        let limited = |before| {
            let limits = Limits::default();
            Overseer::new(Pid::INIT, &limits, folders.to_vec(), before)
        };
        let overseer = limited(Size::default());
        assert_eq!(overseer.look_at_folders(), None);
        let large = File::create(folders[0].join("large")).unwrap();
        large.set_len(FOLDERS.bytes).unwrap();
        assert_eq!(overseer.look_at_folders(), None);
        fs::write(folders[1].join("more"), "x").unwrap();
        assert_eq!(overseer.look_at_folders(), Some(Excess::Files));
        // A build that existed before the call does not count as written by the program.
        let before = Size { files: 1, bytes: 1 };
        assert_eq!(limited(before).look_at_folders(), None);
        large.set_len(0).unwrap();
        assert_eq!(overseer.look_at_folders(), None);
        for number in 0..FOLDERS.files {
            File::create(folders[1].join(number.to_string())).unwrap();
        }
        assert_eq!(overseer.look_at_folders(), Some(Excess::Files));
        fs::remove_dir_all(&folders[1]).unwrap();
        assert_eq!(overseer.look_at_folders(), None);
    }
}
