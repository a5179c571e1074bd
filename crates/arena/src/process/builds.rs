//! The referee makes executable the files that a program builds for itself.
//!
//! A confined program may not change the rights of files, as Landlock has no rules for that. A linker does so in its last
//! step: `ld` writes a file with rights 0644 and calls `chmod`. So after a call that fails, the files that it has made and
//! that look like programs become executable, and the program is called again. A build in several steps, such as a
//! generator that is compiled and then run, takes a call for each.

use super::files::{Folder, Item};
use rustix::fs::FileType;
use std::collections::HashSet;
use std::fs::Permissions;
use std::io::{self, Read};
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;

/// The files of a program's folder before its first call.
#[derive(Debug)]
pub(super) struct Builds {
    folder: PathBuf,
    /// Numbers of devices and inodes.
    before: HashSet<(u64, u64)>,
}

impl Builds {
    /// Looks at a folder before the first call.
    ///
    /// # Errors
    /// If it cannot be read.
    pub fn from_now_on(folder: PathBuf) -> io::Result<Builds> {
        let mut before = HashSet::new();
        walk(&Folder::open(&folder)?, &mut |_, item| {
            before.insert(number(item));
            Ok(())
        })?;
        Ok(Builds { folder, before })
    }

    /// Makes new programs executable; returns whether there were any.
    ///
    /// # Errors
    /// If the folder cannot be read, or the system refuses the change.
    pub fn make_executable(&self) -> io::Result<bool> {
        let mut any = false;
        walk(&Folder::open(&self.folder)?, &mut |folder, item| {
            let is_new = !item.is_executable() && !self.before.contains(&number(item));
            // Another name of the same file may lie elsewhere.
            if is_new && item.stat.st_nlink == 1 {
                let mut file = folder.file(&item.name)?;
                if is_program(&mut file)? {
                    // Whoever may read it may execute it.
                    let rights = item.stat.st_mode | ((item.stat.st_mode & 0o444) >> 2);
                    file.set_permissions(Permissions::from_mode(rights & 0o777))?;
                    any = true;
                }
            }
            Ok(())
        })?;
        Ok(any)
    }
}

/// Calls `look` for each file in a folder and in those within it.
fn walk(
    folder: &Folder,
    look: &mut impl FnMut(&Folder, &Item) -> io::Result<()>,
) -> io::Result<()> {
    for item in folder.items()? {
        match item.kind() {
            FileType::RegularFile => look(folder, &item)?,
            FileType::Directory => walk(&folder.folder(&item.name)?, look)?,
            _ => {}
        }
    }
    Ok(())
}

fn number(item: &Item) -> (u64, u64) {
    (item.stat.st_dev, item.stat.st_ino)
}

/// Whether a file begins as a script does, or as an ELF file that is executed or loaded (elf(5), `e_type` 2 or 3; objects
/// that are to be linked have 1).
fn is_program(file: &mut impl Read) -> io::Result<bool> {
    let mut start = Vec::new();
    file.take(18).read_to_end(&mut start)?;
    let kind = start.get(16..18);
    let is_elf = start.starts_with(b"\x7fELF")
        && [2_u16, 3]
            .map(u16::to_ne_bytes)
            .iter()
            .any(|it| kind == Some(it));
    Ok(is_elf || start.starts_with(b"#!"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn what_is_new_and_a_program_becomes_executable() {
        let place = tempfile::tempdir().unwrap();
        let path = |name: &str| place.path().join(name);
        let mode = |name: &str| fs::metadata(path(name)).unwrap().permissions().mode() % 0o1000;
        let write = |name: &str, text: &[u8], rights: u32| {
            fs::write(path(name), text).unwrap();
            fs::set_permissions(path(name), Permissions::from_mode(rights)).unwrap();
        };
        write("delivered", b"#!/bin/sh\n", 0o644);
        let builds = Builds::from_now_on(place.path().to_owned()).unwrap();
        assert!(!builds.make_executable().unwrap());
        fs::create_dir(path("target")).unwrap();
        let elf = |kind: u16| {
            [
                &b"\x7fELF\x02\x01\x01\0\0\0\0\0\0\0\0\0"[..],
                &kind.to_ne_bytes(),
            ]
            .concat()
        };
        write("target/bot", &elf(3), 0o640);
        write("target/bot.o", &elf(1), 0o644);
        write("script", b"#!/bin/sh\n", 0o600);
        write("text", b"a text", 0o644);
        std::os::unix::fs::symlink("text", path("link")).unwrap();
        assert!(builds.make_executable().unwrap());
        let modes = ["target/bot", "target/bot.o", "script", "text", "delivered"].map(mode);
        assert_eq!(modes, [0o750, 0o644, 0o700, 0o644, 0o644]);
        assert!(!builds.make_executable().unwrap(), "nothing is left to do");
    }
}
