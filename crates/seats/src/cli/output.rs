//! Files that commands write for people: whole or not at all, and never over a file that the command reads.

use super::Usage;
use std::fs::{self, File, Permissions};
use std::io::{self, BufWriter, Write};
use std::os::fd::AsFd;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};

/// Refuses the value of an option for output, as `--out`, if it is one of the files that the command reads; `-` is
/// standard input.
///
/// # Errors
/// Wrong usage if it is one of them, under whatever name.
pub fn refuse_inputs(option: &str, out: &Path, inputs: &[&Path]) -> Result<(), Usage> {
    let file = |path: &Path| {
        // Standard input may be a file, too.
        let there = match path == Path::new("-") {
            true => File::from(io::stdin().as_fd().try_clone_to_owned().ok()?).metadata(),
            false => path.metadata(),
        };
        there.ok().map(|there| (there.dev(), there.ino()))
    };
    let is_out = |input: &&&Path| file(out).is_some_and(|out| file(input) == Some(out));
    match inputs.iter().find(is_out) {
        None => Ok(()),
        Some(_) => Err(Usage::new(format!(
            "{option} {}: this command reads the file, which would be lost: name another one",
            out.display()
        ))),
    }
}

/// Refuses a file for output that cannot be written, before a work of hours is done for it. Its folder is made. `option`
/// begins the error's text.
///
/// # Errors
/// Wrong usage if it cannot be written.
pub fn check_writable(option: &str, out: &Path) -> Result<(), Usage> {
    let folder = out.parent().filter(|folder| *folder != Path::new(""));
    let folder = folder.unwrap_or(Path::new("."));
    let tried = match out.is_dir() {
        true => Err(io::ErrorKind::IsADirectory.into()),
        false => fs::create_dir_all(folder)
            .and_then(|()| tempfile::tempfile_in(folder))
            .map(drop),
    };
    tried.map_err(|error: io::Error| {
        Usage::new(format!("{option}: cannot write {}: {error}", out.display()))
    })
}

/// The file that belongs to another: `NAME.extension` beside `NAME.usual`. Any other name is kept whole, since what
/// follows its last dot may be all that distinguishes two files, as in `l0.5` and `l0.9`.
pub fn beside(file: &Path, usual: &str, extension: &str) -> PathBuf {
    if file.extension().is_some_and(|own| own == usual) {
        return file.with_extension(extension);
    }
    let mut name = file.as_os_str().to_owned();
    name.push(".");
    name.push(extension);
    name.into()
}

/// Writes a file by `write`, all at once: until it is whole, and after an error, the path has the file of before.
///
/// # Errors
/// If it cannot be written.
pub fn write_file(
    path: &Path,
    write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> io::Result<()> {
    // A device or a pipe cannot be replaced, and a link to nothing has no file yet.
    if !path
        .metadata()
        .map_or(!path.is_symlink(), |there| there.is_file())
    {
        let mut out = BufWriter::new(File::create(path)?);
        write(&mut out)?;
        return out.flush();
    }
    // A link stays, and its file is replaced.
    let path = path.canonicalize().unwrap_or_else(|_| path.to_owned());
    // The temporary file is in the folder of the new one, since a file can be renamed only within a file system.
    let folder = path.parent().unwrap_or(Path::new("."));
    // A missing folder is told as such, and not by the name of a temporary file.
    if folder != Path::new("") {
        folder.metadata()?;
    }
    // Temporary files are readable by their owner only, but this one has the permissions of any new file.
    let mut temporary = tempfile::Builder::new();
    let temporary = temporary.permissions(Permissions::from_mode(0o666));
    let mut out = BufWriter::new(temporary.tempfile_in(folder)?);
    write(&mut out)?;
    out.into_inner()?.persist(path)?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use arena::process::testing::scratch;

    #[test]
    fn files_share_none_beside_them() {
        for (file, expected) in [
            ("runs/cartagena-2.net", "runs/cartagena-2.checkpoint"),
            ("l0.5", "l0.5.checkpoint"),
            ("l0.9.net", "l0.9.checkpoint"),
            ("small", "small.checkpoint"),
            ("small.checkpoint", "small.checkpoint.checkpoint"),
        ] {
            assert_eq!(
                beside(Path::new(file), "net", "checkpoint"),
                Path::new(expected)
            );
        }
    }

    #[test]
    fn a_failed_write_leaves_the_file_of_before() {
        let folder = tempfile::tempdir().unwrap();
        let (file, link) = (folder.path().join("file"), folder.path().join("link"));
        std::os::unix::fs::symlink(&file, &link).unwrap();
        write_file(&link, |out| out.write_all(b"old")).unwrap();
        let failed = write_file(&link, |out| {
            out.write_all(b"new")?;
            Err(io::ErrorKind::StorageFull.into())
        });
        assert_eq!(failed.unwrap_err().kind(), io::ErrorKind::StorageFull);
        assert_eq!(fs::read(&file).unwrap(), b"old");
        assert!(link.is_symlink());
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 2);
    }

    #[test]
    fn what_cannot_be_written_is_refused_before_the_work() {
        let (folder, path) = scratch("made/new");
        assert!(check_writable("--out", &path).is_ok());
        fs::write(&path, "").unwrap();
        for wrong in [path.join("file"), folder.path().join("made")] {
            let refused = check_writable("--out", &wrong).unwrap_err().to_string();
            assert!(refused.starts_with("--out: cannot write "), "{refused}");
        }
        assert_eq!(fs::read_dir(folder.path().join("made")).unwrap().count(), 1);
    }

    #[test]
    fn a_file_is_known_by_any_name() {
        let folder = tempfile::tempdir().unwrap();
        let (file, link) = (folder.path().join("file"), folder.path().join("link"));
        fs::write(&file, "").unwrap();
        std::os::unix::fs::symlink(&file, &link).unwrap();
        let refused = refuse_inputs("--out", &link, &[&file])
            .unwrap_err()
            .to_string();
        assert!(refused.contains("would be lost"), "{refused}");
        assert!(refuse_inputs("--out", &folder.path().join("new"), &[&file]).is_ok());
    }
}
