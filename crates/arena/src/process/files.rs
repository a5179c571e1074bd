//! Reads the folders of programs, with errors that name the action and the path.
//!
//! The files are a participant's, and this process may read what the participant may not. A link that leads to
//! the organizer's files must not be followed, even if it is put in place while the folder is being read. So a
//! [`Folder`] is opened once. Everything in it is reached through its descriptor, one name at a time, and links
//! are not followed. Where a link may be followed, the kernel ensures that it leads nowhere else (openat2(2),
//! `RESOLVE_BENEATH`).

use rustix::fs::{AtFlags, Dir, FileType, Mode, OFlags, Stat, openat, readlinkat, statat};
use rustix::io::Errno;
use std::ffi::{OsStr, OsString};
use std::fs::{self, File};
use std::io::{self, Read};
use std::os::fd::{AsRawFd, OwnedFd};
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::{self, Component, Path, PathBuf};

/// The most folders that may be nested in a program's folder.
const MAX_DEPTH: usize = 64;
/// Files, folders and links that may lie in it, but for its build and its history.
const MAX_FILES: usize = 100_000;
/// Bytes of all these files, whether the disk holds them or they are holes.
pub(super) const MAX_BYTES: u64 = 2 << 30;

/// Adds the path to an error.
pub(super) fn at<'a>(doing: &'a str, path: &'a Path) -> impl Fn(io::Error) -> io::Error + 'a {
    move |error| {
        let path = path.display();
        io::Error::new(error.kind(), format!("cannot {doing} {path}: {error}"))
    }
}

/// The path without links. The file need not be there yet: the folders above it may be links, or the path is a link whose
/// target is missing. None if no folder above can be looked at.
pub(super) fn resolved(path: &Path) -> Option<PathBuf> {
    let mut path = path::absolute(path).ok()?;
    if let (Ok(target), false) = (fs::read_link(&path), path.exists()) {
        path = path.parent()?.join(target);
    }
    let whole = |part: &Path| {
        Some(
            part.canonicalize()
                .ok()?
                .join(path.strip_prefix(part).ok()?),
        )
    };
    path.ancestors().find_map(whole)
}

/// A folder that was opened.
#[derive(Debug)]
pub(super) struct Folder {
    fd: OwnedFd,
    /// For messages, and for links to it.
    path: PathBuf,
    /// The number of folders above it, up to the first that was opened.
    depth: usize,
}

/// An entry of a folder.
#[derive(Debug)]
pub(super) struct Item {
    pub name: OsString,
    /// The file, the folder, or the link itself.
    pub stat: Stat,
}

impl Item {
    pub fn kind(&self) -> FileType {
        FileType::from_raw_mode(self.stat.st_mode)
    }

    /// Bytes of a file.
    pub fn bytes(&self) -> u64 {
        u64::try_from(self.stat.st_size).unwrap_or(0)
    }

    /// Bytes that a file takes: its length, or what is reserved for it beyond that.
    pub fn room(&self) -> u64 {
        room(
            self.bytes(),
            u64::try_from(self.stat.st_blocks).unwrap_or(0),
        )
    }

    /// Whether it may be executed.
    pub fn is_executable(&self) -> bool {
        self.stat.st_mode & 0o111 != 0
    }
}

/// The bytes that a file takes with this length and these blocks of 512 bytes. Room can be reserved beyond the length
/// (fallocate(2), `FALLOC_FL_KEEP_SIZE`). File systems reserve some by themselves while a file grows, up to as much
/// again as it has (xfs(5), `allocsize`): that and a mebibyte are not counted.
pub(super) fn room(length: u64, blocks: u64) -> u64 {
    let reserved = blocks.saturating_mul(512);
    match reserved > length.saturating_mul(2).saturating_add(1 << 20) {
        true => reserved,
        false => length,
    }
}

/// The size of a folder's contents.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Size {
    /// Files, folders and links.
    pub files: usize,
    /// Bytes of all files.
    pub bytes: u64,
}

impl Size {
    /// More than any folder holds. Half of the largest number, so that sums do not overflow.
    pub(super) const MAX: Size = Size {
        files: usize::MAX / 2,
        bytes: u64::MAX / 2,
    };

    /// The size of a folder. `None` as soon as it is over the limit, however much follows. What is removed meanwhile
    /// is not counted.
    pub(super) fn of(folder: &Folder, limit: Size) -> io::Result<Option<Size>> {
        let mut size = Size::default();
        for item in folder.items()? {
            size.files += 1;
            match item.kind() {
                FileType::RegularFile => size.bytes += item.room(),
                FileType::Directory => {
                    // An inner folder may use the rest of the limit.
                    let left = Size {
                        files: limit.files.saturating_sub(size.files),
                        bytes: limit.bytes.saturating_sub(size.bytes),
                    };
                    let inner = folder.folder(&item.name);
                    let inner = match inner.and_then(|inner| Size::of(&inner, left)) {
                        Ok(Some(inner)) => inner,
                        Ok(None) => return Ok(None),
                        Err(error) if is_gone(&error) => continue,
                        Err(error) => return Err(error),
                    };
                    size.files += inner.files;
                    size.bytes += inner.bytes;
                }
                _ => {}
            }
            if size.files > limit.files || size.bytes > limit.bytes {
                return Ok(None);
            }
        }
        Ok(Some(size))
    }
}

/// Whether a folder was removed, or another file has its name now.
fn is_gone(error: &io::Error) -> bool {
    let gone = [io::ErrorKind::NotFound, io::ErrorKind::NotADirectory];
    gone.contains(&error.kind())
}

/// Flags to open an entry of a folder: it must not be a link, and opening it must not wait.
const HERE: OFlags = OFlags::RDONLY
    .union(OFlags::NOFOLLOW)
    .union(OFlags::CLOEXEC)
    // Opening a pipe must not wait for its other end.
    .union(OFlags::NONBLOCK);

impl Folder {
    /// Opens a folder by its path.
    ///
    /// # Errors
    /// If it cannot be read, or is a link.
    pub fn open(path: &Path) -> io::Result<Folder> {
        let fd = rustix::fs::open(path, HERE | OFlags::DIRECTORY, Mode::empty());
        Ok(Folder {
            fd: fd.map_err(|error| at("read the folder", path)(error.into()))?,
            path: path.to_owned(),
            depth: 0,
        })
    }

    /// The path by which it was opened.
    pub fn path(&self) -> &Path {
        &self.path
    }

    pub fn fd(&self) -> &OwnedFd {
        &self.fd
    }

    /// Its entries, sorted by name.
    ///
    /// # Errors
    /// If it cannot be read.
    pub fn items(&self) -> io::Result<Vec<Item>> {
        let read = || -> io::Result<Vec<Item>> {
            let mut items = Vec::new();
            for entry in Dir::read_from(&self.fd)? {
                let name = OsStr::from_bytes(entry?.file_name().to_bytes()).to_owned();
                if name == "." || name == ".." {
                    continue;
                }
                match statat(&self.fd, &name, AtFlags::SYMLINK_NOFOLLOW) {
                    Ok(stat) => items.push(Item { name, stat }),
                    // It was removed meanwhile.
                    Err(Errno::NOENT) => {}
                    Err(error) => return Err(error.into()),
                }
            }
            items.sort_by(|a, b| a.name.cmp(&b.name));
            Ok(items)
        };
        read().map_err(at("read the folder", &self.path))
    }

    /// A folder in it.
    ///
    /// # Errors
    /// If it cannot be read, is a link, or lies too deep.
    pub fn folder(&self, name: &OsStr) -> io::Result<Folder> {
        let path = self.path.join(name);
        let fd = openat(&self.fd, name, HERE | OFlags::DIRECTORY, Mode::empty());
        self.inner(
            fd.map_err(|error| at("read the folder", &path)(error.into()))?,
            path,
        )
    }

    /// The folder with this descriptor, which lies in this one; refused if it is nested too deep.
    fn inner(&self, fd: OwnedFd, path: PathBuf) -> io::Result<Folder> {
        let depth = self.depth + 1;
        match depth <= MAX_DEPTH {
            true => Ok(Folder { fd, path, depth }),
            false => Err(refused(format!(
                "{} folders are nested at {}: at most {MAX_DEPTH} are read",
                depth,
                path.display()
            ))),
        }
    }

    /// A file in it.
    ///
    /// # Errors
    /// If it cannot be read, or is something else.
    pub fn file(&self, name: &OsStr) -> io::Result<File> {
        let path = self.path.join(name);
        let fd = openat(&self.fd, name, HERE, Mode::empty());
        only_file(fd.map_err(|error| at("read", &path)(error.into()))?, &path)
    }

    /// The target of a link in it.
    ///
    /// # Errors
    /// If it is none.
    pub fn link(&self, name: &OsStr) -> io::Result<PathBuf> {
        let told = readlinkat(&self.fd, name, Vec::new());
        let told =
            told.map_err(|error| at("read the link", &self.path.join(name))(error.into()))?;
        Ok(OsString::from_vec(told.into_bytes()).into())
    }

    /// The folder at a relative path, which may lead through links as long as it never leaves this folder.
    ///
    /// # Errors
    /// If it cannot be read, or lies elsewhere.
    pub fn folder_beneath(&self, inner: &Path) -> io::Result<Folder> {
        let path = self.path.join(inner);
        let fd = beneath(self, inner, OFlags::RDONLY | OFlags::DIRECTORY);
        self.inner(fd.map_err(at("read the folder", &path))?, path)
    }

    /// The file at a relative path, which may lead through links as long as it never leaves this folder.
    ///
    /// # Errors
    /// If it cannot be read, is something else, or lies elsewhere.
    pub fn file_beneath(&self, inner: &Path) -> io::Result<File> {
        let path = self.path.join(inner);
        let fd = beneath(self, inner, OFlags::RDONLY | OFlags::NONBLOCK);
        only_file(fd.map_err(at("read", &path))?, &path)
    }

    /// Looks at everything in a program's folder but the relative paths `without`. A link must lead to something
    /// in the folder, or in `origin`, from which the folder was copied. What links lead to below the left-out paths
    /// counts with the rest: files are read by way of the link, and the folder of a link `support` is copied.
    ///
    /// # Errors
    /// If a link leads elsewhere, there is more than the referee reads of a program, or something cannot be read;
    /// the error says where.
    pub fn examine(&self, origin: &Path, without: &[&str]) -> io::Result<()> {
        let (mut files, mut bytes, mut linked) = (0, 0_u64, 0_u64);
        let mut waiting = vec![PathBuf::new()];
        while let Some(inner) = waiting.pop() {
            // Only one folder is open at a time: a program could nest more of them than this process may open.
            let folder = match inner.as_os_str().is_empty() {
                true => None,
                false => Some(self.walk_to(&inner)?),
            };
            let folder = folder.as_ref().unwrap_or(self);
            for item in folder.items()? {
                files += 1;
                if files > MAX_FILES {
                    return Err(refused(format!(
                        "{} holds more than {MAX_FILES} files and folders",
                        self.path.display()
                    )));
                }
                let path = inner.join(&item.name);
                // The stated size counts, holes included: whoever reads the file reads the holes.
                match item.kind() {
                    FileType::RegularFile => bytes = bytes.saturating_add(item.room()),
                    FileType::Symlink => {
                        if let Some(target) = self.inside(folder, &item.name, &path, origin)? {
                            let size = self.linked_bytes(&target, &path)?;
                            linked = linked.saturating_add(size);
                            if self.is_below(&target, origin, without) {
                                bytes = bytes.saturating_add(size);
                            }
                        }
                    }
                    _ => {}
                }
                // A file is read once more for every link to it.
                if linked > 4 * MAX_BYTES {
                    return Err(refused(format!(
                        "the links in {} lead to more than {} MiB",
                        self.path.display(),
                        (4 * MAX_BYTES) >> 20
                    )));
                }
                if bytes > MAX_BYTES {
                    return Err(refused(format!(
                        "the files in {} have more than {} MiB",
                        self.path.display(),
                        MAX_BYTES >> 20
                    )));
                }
                let is_left_out = || without.iter().any(|made| path == Path::new(made));
                if item.kind() == FileType::Directory && !is_left_out() {
                    waiting.push(path);
                }
            }
        }
        Ok(())
    }

    /// A folder some folders below this one, none of them a link.
    fn walk_to(&self, inner: &Path) -> io::Result<Folder> {
        let mut parts = inner.iter();
        let first = self.folder(parts.next().unwrap_or_default())?;
        parts.try_fold(first, |folder, name| folder.folder(name))
    }

    /// The bytes that are read by way of a link at the path `inner`. Fails if they are more than is read of a program.
    fn linked_bytes(&self, target: &OwnedFd, inner: &Path) -> io::Result<u64> {
        let stat = rustix::fs::fstat(target)?;
        match FileType::from_raw_mode(stat.st_mode) {
            FileType::RegularFile => Ok(u64::try_from(stat.st_size).unwrap_or(0)),
            FileType::Directory if inner == Path::new("support") => {
                let most = Size {
                    files: MAX_FILES,
                    bytes: MAX_BYTES,
                };
                let size = Size::of(&self.folder_beneath(inner)?, most)?;
                let size = size.ok_or_else(|| {
                    refused(format!(
                        "{} leads to more than {MAX_FILES} files or {} MiB",
                        self.path.join(inner).display(),
                        MAX_BYTES >> 20
                    ))
                })?;
                Ok(size.bytes)
            }
            _ => Ok(0),
        }
    }

    /// Whether something that is open lies below one of some paths in this folder or in its original. True where the
    /// system does not say where it lies.
    fn is_below(&self, target: &OwnedFd, origin: &Path, paths: &[&str]) -> bool {
        let link = format!("/proc/self/fd/{}", target.as_raw_fd());
        let homes = [self.path(), origin];
        std::fs::read_link(link).map_or(true, |place| {
            let mut all = homes
                .iter()
                .flat_map(|home| paths.iter().map(|path| home.join(path)));
            all.any(|path| place.starts_with(path))
        })
    }

    /// The place in this folder to which a link leads; none if it is missing, which is allowed unless the text of the
    /// link leads out.
    fn inside(
        &self,
        folder: &Folder,
        name: &OsStr,
        inner: &Path,
        origin: &Path,
    ) -> io::Result<Option<OwnedFd>> {
        let told = folder.link(name)?;
        let leads_out = || {
            refused(format!(
                "{} is a link to {}, which lies outside of its folder: a program may link only to \
                 what lies in its own",
                self.path.join(inner).display(),
                told.display()
            ))
        };
        // Links to the folder's own absolute path are read as relative to it; every other absolute link leads
        // out.
        let place = match own_part(&told, &[&self.path, origin]) {
            Some(part) => part,
            None if told.is_absolute() => return Err(leads_out()),
            None => inner.parent().unwrap_or(Path::new("")).join(&told),
        };
        if climbs_out(&place) {
            return Err(leads_out());
        }
        let is_copy = origin != self.path;
        let in_original = || beneath(&Folder::open(origin)?, &place, OFlags::PATH);
        let found = match is_copy && told.starts_with(origin) {
            true => in_original(),
            false => beneath(self, &place, OFlags::PATH),
        };
        // Large files of a copy are links to the original: so a link to one of them must stay in that. The link in
        // between is looked at by itself.
        let found = match found {
            Err(error) if is_copy && is_outside(&error) => in_original(),
            found => found,
        };
        match found {
            Ok(target) => Ok(Some(target)),
            Err(error) if is_outside(&error) => Err(leads_out()),
            Err(_) => Ok(None),
        }
    }
}

/// The part of a path that lies in one of some folders, relative to it.
pub(super) fn own_part(path: &Path, folders: &[&Path]) -> Option<PathBuf> {
    let parts = folders
        .iter()
        .filter_map(|folder| path.strip_prefix(folder).ok());
    parts.map(Path::to_owned).next()
}

/// Whether a relative path, taken by its text alone, ever leads above where it starts.
fn climbs_out(path: &Path) -> bool {
    let mut depth = 0;
    path.components().any(|part| {
        match part {
            Component::ParentDir => depth -= 1,
            Component::Normal(_) => depth += 1,
            _ => {}
        }
        depth < 0
    })
}

/// The opened file, if it is a regular one.
fn only_file(fd: OwnedFd, path: &Path) -> io::Result<File> {
    let file = File::from(fd);
    match file.metadata().map_err(at("look at", path))?.is_file() {
        true => Ok(file),
        false => Err(refused(format!("{} is no file", path.display()))),
    }
}

/// Reads a file that says something about a program, at most 64 KiB.
///
/// # Errors
/// If it cannot be read, is longer, or is no text.
pub(super) fn short_text(file: File) -> io::Result<String> {
    const MOST: u64 = 64 << 10;
    let text = io::read_to_string(file.take(MOST + 1))?;
    match text.len() as u64 <= MOST {
        true => Ok(text),
        false => Err(refused(format!("it has more than {} KiB", MOST >> 10))),
    }
}

/// An error about a participant's files, of the kind that makes it the program's fault.
pub(super) fn refused(text: String) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, text)
}

/// Whether the system's error means that a path left its folder or went in circles.
fn is_outside(error: &io::Error) -> bool {
    let errors = [Errno::XDEV, Errno::LOOP].map(|error| Some(error.raw_os_error()));
    errors.contains(&error.raw_os_error())
}

/// Opens what a relative path leads to, through whatever links, as long as it never leaves the folder.
#[cfg(target_os = "linux")]
fn beneath(folder: &Folder, inner: &Path, flags: OFlags) -> io::Result<OwnedFd> {
    use rustix::fs::{ResolveFlags, openat2};
    // An absolute link, which `BENEATH` refuses, was made relative or refused before.
    let resolve = ResolveFlags::BENEATH | ResolveFlags::NO_MAGICLINKS;
    let inner = match inner.as_os_str().is_empty() {
        true => Path::new("."),
        false => inner,
    };
    match openat2(
        &folder.fd,
        inner,
        flags | OFlags::CLOEXEC,
        Mode::empty(),
        resolve,
    ) {
        // Kernels before 5.6, and sandboxes that do not know it.
        Err(Errno::NOSYS | Errno::PERM) => beneath_by_path(folder, inner, flags),
        opened => Ok(opened?),
    }
}

#[cfg(not(target_os = "linux"))]
use beneath_by_path as beneath;

/// The same where the kernel cannot ensure it: the path is resolved first and must lie in the folder. A link
/// that is changed in between is not noticed.
fn beneath_by_path(folder: &Folder, inner: &Path, flags: OFlags) -> io::Result<OwnedFd> {
    let path = folder.path.join(inner).canonicalize()?;
    if !path.starts_with(&folder.path) {
        return Err(Errno::XDEV.into());
    }
    let flags = flags | OFlags::CLOEXEC | OFlags::NOFOLLOW;
    Ok(rustix::fs::open(&path, flags, Mode::empty())?)
}

#[cfg(target_os = "linux")]
#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;
    use std::os::unix::fs::symlink;

    fn told(links: &[(&str, &str)]) -> String {
        let home = tempfile::tempdir().unwrap();
        let home = home.path().canonicalize().unwrap();
        let entry = home.join("entry");
        fs::create_dir_all(entry.join("data/deep")).unwrap();
        fs::write(entry.join("data/x"), "x").unwrap();
        fs::write(home.join("secret"), "secret").unwrap();
        let fill = |text: &str| text.replace("HOME", home.to_str().unwrap());
        for (name, target) in links {
            symlink(fill(target), entry.join(name)).unwrap();
        }
        let folder = Folder::open(&entry).unwrap();
        let told = folder.examine(&entry, &["target"]);
        let error = told.map_or_else(|error| error.to_string(), |()| String::new());
        error.replace(home.to_str().unwrap(), "…")
    }

    #[test]
    fn links_in_the_folder_are_fine() {
        for link in [
            ("a", "data/x"),
            ("data/up", ".."),
            ("data/deep/x", "../../data/x"),
            ("a", "HOME/entry/data/x"),
            ("a", "nowhere"),
            ("a", "data/../data/../nowhere"),
        ] {
            assert_eq!(told(&[link]), "", "{link:?}");
        }
        assert_eq!(told(&[("a", "data"), ("b", "a/x"), ("c", "b")]), "");
    }

    #[test]
    fn reserved_room_counts() {
        assert_eq!(room(5000, 16), 5000);
        assert_eq!(room(0, 2048), 0);
        assert_eq!(room(0, 4096), 2 << 20);
        assert_eq!(room(1 << 30, 8), 1 << 30);
        assert_eq!(room(1 << 30, 4 << 20), 1 << 30);
        assert_eq!(room(1 << 20, 8192), 4 << 20);
    }

    #[test]
    fn holes_are_bytes_too() {
        let home = tempfile::tempdir().unwrap();
        let sparse = |place: &Path| {
            let sparse = File::create(place.join("sparse")).unwrap();
            sparse.set_len(MAX_BYTES).unwrap();
        };
        sparse(home.path());
        let examine = || Folder::open(home.path()).unwrap().examine(home.path(), &[]);
        examine().unwrap();
        // Nobody counts what lies in a build, but what a link to it leads to is read.
        fs::create_dir(home.path().join("target")).unwrap();
        fs::rename(
            home.path().join("sparse"),
            home.path().join("target/sparse"),
        )
        .unwrap();
        let examine = || {
            let folder = Folder::open(home.path()).unwrap();
            folder.examine(home.path(), &["target"])
        };
        examine().unwrap();
        for (link, to) in [("data", "target/sparse"), ("support", "target")] {
            let link = home.path().join(link);
            symlink(to, &link).unwrap();
            fs::write(home.path().join("more"), "x").unwrap();
            let told = examine().unwrap_err().to_string();
            assert!(told.contains("2048 MiB"), "{told}");
            fs::remove_file(link).unwrap();
        }
        fs::remove_dir_all(home.path().join("target")).unwrap();
        sparse(home.path());
        assert!(
            examine()
                .unwrap_err()
                .to_string()
                .contains("more than 2048 MiB")
        );
    }

    #[test]
    fn links_out_of_the_folder_are_named() {
        for link in [
            ("a", "../secret"),
            ("a", "HOME/secret"),
            ("a", "/proc/self/cwd"),
            ("data/a", "../../entry/data/x"),
            ("a", "../nowhere"),
            ("a", "a"),
            ("target", "/etc"),
        ] {
            let told = told(&[link]);
            let start = format!("…/entry/{} is a link to ", link.0);
            assert!(told.starts_with(&start), "{link:?}: {told}");
        }
        // Each step looks harmless.
        let chain = [("data/deep/up", "../.."), ("a", "data/deep/up/../secret")];
        assert!(told(&chain).contains("/a is a link to"), "{}", told(&chain));
    }

    #[test]
    fn what_is_too_much_is_named() {
        let home = tempfile::tempdir().unwrap();
        let mut path = home.path().to_owned();
        for _ in 0..=MAX_DEPTH {
            path.push("d");
        }
        fs::create_dir_all(&path).unwrap();
        let folder = Folder::open(home.path()).unwrap();
        let error = folder.examine(home.path(), &[]).unwrap_err().to_string();
        assert!(error.starts_with("65 folders are nested"), "{error}");
    }

    /// Whatever lies there under the name of a file.
    #[test]
    fn only_files_are_read() {
        let home = tempfile::tempdir().unwrap();
        fs::write(home.path().join("x"), "x").unwrap();
        symlink("x", home.path().join("link")).unwrap();
        rustix::fs::mkfifoat(rustix::fs::CWD, home.path().join("pipe"), Mode::RWXU).unwrap();
        let folder = Folder::open(home.path()).unwrap();
        assert!(folder.file("x".as_ref()).is_ok());
        assert!(folder.file_beneath("link".as_ref()).is_ok());
        for name in ["link", "pipe", "none"] {
            assert!(folder.file(name.as_ref()).is_err(), "{name}");
        }
        assert!(folder.file_beneath("pipe".as_ref()).is_err());
    }
}
