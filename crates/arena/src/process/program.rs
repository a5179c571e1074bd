//! A participant's program: its files, its fingerprint, and how it is called in its folder or in a copy
//! (`workspace`).

use super::confinement::{Confined, Confinement};
use super::files::{Folder, MAX_BYTES, Size, at, refused, resolved, short_text};
use super::limits::Limits;
use super::manner::{self, Manner, question};
use super::place::Place;
use super::resident::Resident;
use super::run::{self, Call, Idle, Run};
use fnv::FnvHasher;
use rustix::fs::FileType;
use std::env;
use std::ffi::{OsStr, OsString};
use std::fs::{self, File};
use std::hash::Hasher;
use std::io::{self, Read};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::PermissionsExt;
use std::path::{self, Path, PathBuf};
use std::str::FromStr;
use thiserror::Error;

/// The file of a folder that is started.
pub(super) const ENTRY: &str = "runme";

/// Products of a program, which are not part of it, relative to its folder: its build, its history and its
/// caches.
pub(super) const PRODUCTS: [&str; 3] = ["target", ".git", "support/cache"];

/// The folder of Python's caches, which may lie beside any source.
const PYTHON_CACHE: &str = "__pycache__";

/// The reasons why a path names no program.
#[derive(Debug, Error)]
pub enum ProgramError {
    /// Nothing is there, or it may not be looked at.
    #[error(
        "no program at {}: {source} (expected a folder with an executable `{ENTRY}`, or an \
         executable file){}",
        path.display(), rule_of_labels(path)
    )]
    Missing {
        /// The path as given.
        path: PathBuf,
        /// The operating system's error.
        source: io::Error,
    },
    /// The folder has no file to start.
    #[error("no program in {0}: expected an executable file `{ENTRY}` in it")]
    NoEntry(PathBuf),
    /// The file cannot be started.
    #[error(
        "{0} is not executable: expected a folder with an executable `{ENTRY}`, or an executable file \
         (`chmod +x {0}` makes a program executable)"
    )]
    NotExecutable(PathBuf),
    /// Its `participant.toml` cannot be read.
    #[error("{path}: {reason}")]
    Manner {
        path: PathBuf,
        /// The error in words.
        reason: String,
    },
}

/// The rule of labels, if a text may have been meant as `LABEL=PROGRAM` and was taken for a path.
fn rule_of_labels(path: &Path) -> &'static str {
    match path.as_os_str().as_bytes().contains(&b'=') {
        true => "; a label before `=` has no `/`, `:` or `,`",
        false => "",
    }
}

/// A participant's program: a folder with an executable `runme`, or an executable file by itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Program {
    /// Without symbolic links and relative parts.
    folder: PathBuf,
    /// The folder that it was copied from: links of a copy may lead there.
    origin: PathBuf,
    /// The name of the executable in the folder.
    entry: OsString,
    /// Whether the program is the executable alone; other files of its folder are then not its own.
    alone: bool,
    /// Additions to its environment.
    variables: Vec<(OsString, OsString)>,
    /// The name in messages; `None` for its path.
    label: Option<String>,
    /// How it is started.
    manner: Manner,
}

impl Program {
    /// The program at a path: a folder with an executable `runme` (the path of that file names the
    /// folder too), or any other executable file.
    ///
    /// # Errors
    /// If nothing executable is there.
    pub fn find(path: &Path) -> Result<Program, ProgramError> {
        let missing = |source| ProgramError::Missing {
            path: path.into(),
            source,
        };
        let whole = path::absolute(path).map_err(missing)?;
        let is_folder = fs::metadata(&whole).map_err(missing)?.is_dir();
        // A folder stands for its `runme`, a file for itself.
        let (folder, entry) = match (whole.parent(), whole.file_name()) {
            (Some(parent), Some(name)) if !is_folder => (parent, name),
            _ => (&*whole, OsStr::new(ENTRY)),
        };
        if !is_executable(&folder.join(entry)) {
            return Err(match is_folder {
                true if folder.join(entry).is_file() => {
                    ProgramError::NotExecutable(path.join(entry))
                }
                true => ProgramError::NoEntry(path.into()),
                false => ProgramError::NotExecutable(path.into()),
            });
        }
        let folder = folder.canonicalize().map_err(missing)?;
        // A path to a file `runme` names its whole folder; any other file is a program by itself.
        let alone = entry != ENTRY;
        Ok(Program {
            manner: match alone {
                true => Manner::default(),
                false => manner_in(&folder)?,
            },
            origin: folder.clone(),
            folder,
            entry: entry.into(),
            alone,
            variables: Vec::new(),
            label: None,
        })
    }

    /// The same program; messages call it by this name.
    #[must_use]
    pub fn called(mut self, label: impl Into<String>) -> Self {
        self.label = Some(label.into());
        self
    }

    /// The name in messages: one that it was given, or its path.
    pub fn label(&self) -> String {
        match &self.label {
            Some(label) => label.clone(),
            None if self.alone => self.origin.join(&self.entry).display().to_string(),
            None => self.origin.display().to_string(),
        }
    }

    /// The same program with a variable of its environment set; all others are inherited.
    #[must_use]
    pub fn with_variable(mut self, name: impl Into<OsString>, value: impl Into<OsString>) -> Self {
        self.variables.push((name.into(), value.into()));
        self
    }

    /// The same program in another folder.
    pub(super) fn moved_to(&self, folder: &Path) -> Program {
        Program {
            folder: folder.to_owned(),
            ..self.clone()
        }
    }

    /// The folder that the executable is in, absolute and without symbolic links.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    pub fn executable(&self) -> PathBuf {
        self.folder.join(&self.entry)
    }

    /// Whether the program is an executable alone, rather than a folder with a `runme`.
    pub fn is_alone(&self) -> bool {
        self.alone
    }

    /// The shell's command that calls the program where it is, with a file for its input.
    pub fn shell_command(&self, input: &Path) -> String {
        let quoted = |text: &OsStr| {
            let text = text.to_string_lossy();
            shlex::try_quote(&text).map_or_else(|_| text.clone().into_owned(), Into::into)
        };
        let mut command = format!("cd {} && ", quoted(self.folder.as_os_str()));
        for (name, value) in &self.variables {
            command += &format!("{}={} ", name.to_string_lossy(), quoted(value));
        }
        let entry = Path::new(".").join(&self.entry);
        command += &format!(
            "{} < {}",
            quoted(entry.as_os_str()),
            quoted(input.as_os_str())
        );
        command
    }

    /// Whether it is started once and asked many times. Then an input ends with an empty line, and an answer is
    /// one line.
    pub fn stays(&self) -> bool {
        self.manner.stays
    }

    /// These limits, or its own where they are lower.
    pub(super) fn within(&self, limits: &Limits) -> Limits {
        self.manner.within(limits)
    }

    /// The name of the executable in its folder.
    pub(super) fn entry(&self) -> &OsStr {
        &self.entry
    }

    /// Calls the program where it is. Confined, it may write to the folder that it is in.
    pub(super) fn run_in_place(&self, input: &[u8], limits: &Limits) -> io::Result<Run> {
        let place = Place::new(&env::temp_dir())?;
        let scratch = place.folder()?;
        place.hide()?;
        let room = Room {
            copy: &self.folder,
            own: [self.folder.clone(), scratch],
            // An earlier build may be large, and is not counted against the program. Folders too large to be
            // read are refused elsewhere.
            before: Folder::open(&self.folder)
                .and_then(|folder| Size::of(&folder, Size::MAX))
                .ok()
                .flatten()
                .unwrap_or_default(),
        };
        self.run_in(&room, input, limits, &Idle::default())
    }

    /// Calls the program in a copy of its folder. A program that stays is asked one question, and then its
    /// input ends.
    pub(super) fn run_in(
        &self,
        room: &Room,
        input: &[u8],
        limits: &Limits,
        idle: &Idle,
    ) -> io::Result<Run> {
        let input = match self.stays() {
            true => &question(input),
            false => input,
        };
        let run = |call: Call, limits: &Limits| run::run(call, input, limits, idle);
        self.prepared(room, limits, run)
    }

    /// Prepares a call in a copy of its folder, and makes it.
    pub(super) fn prepared<T>(
        &self,
        room: &Room,
        limits: &Limits,
        start: impl FnOnce(Call, &Limits) -> io::Result<T>,
    ) -> io::Result<T> {
        let variables = self.variables_in(room, limits.confinement.is_some());
        start(
            self.call(room, Vec::new(), limits.confinement.as_ref(), &variables),
            limits,
        )
    }

    /// Starts the program in a copy of its folder, and does not wait for it.
    pub(super) fn start_in(
        &self,
        room: &Room,
        arguments: &[OsString],
        confinement: Option<&Confinement>,
    ) -> io::Result<Resident> {
        let variables = self.variables_in(room, confinement.is_some());
        Resident::start(Call {
            mute: true,
            ..self.call(room, arguments.to_vec(), confinement, &variables)
        })
    }

    /// Makes the call of the program in a copy of its folder.
    fn call<'a>(
        &self,
        room: &Room,
        arguments: Vec<OsString>,
        confinement: Option<&Confinement>,
        variables: &'a [(OsString, OsString)],
    ) -> Call<'a> {
        // `participant.toml` may name another command than `runme`, and arguments for it.
        let command = self.manner.command_in(room.copy);
        // The system's error names no file.
        let label = match &command {
            Some((tried, _)) => {
                let tried = tried.strip_prefix(room.copy).unwrap_or(tried).display();
                let (label, file) = (self.label(), manner::FILE);
                Some(format!("{label} by the command {tried} of {file}"))
            }
            None => self.label.clone(),
        };
        let (program, own) = command.unwrap_or_else(|| (room.copy.join(&self.entry), Vec::new()));
        let origin = match self.alone {
            true => self.origin.join(&self.entry),
            false => self.origin.clone(),
        };
        // It may read its copy and its original, to which links of the copy lead; it may write to its own
        // folders only.
        let confined = confinement.map(|confinement| {
            confinement.of(Confined {
                readable: vec![room.copy.to_owned(), origin],
                writable: room.own.to_vec(),
                shared_memory: Some(room.own[1].clone()),
                port: None,
            })
        });
        Call {
            program,
            label,
            arguments: own.into_iter().chain(arguments).collect(),
            current: room.copy.into(),
            own: confined
                .as_ref()
                .map_or_else(Vec::new, |_| room.own.to_vec()),
            before: room.before,
            confined,
            variables,
            errors_shown: false,
            mute: false,
        }
    }

    /// The variables that it does not inherit: those set for it, and for a confined program the folder for
    /// temporary files.
    fn variables_in(&self, room: &Room, is_confined: bool) -> Vec<(OsString, OsString)> {
        // Many programs write to these two places, and a confined one may write only to its own folders.
        let homes = ["TMPDIR", "HOME"].map(|name| (name.into(), room.own[1].clone().into()));
        let homes = homes.into_iter().filter(|_| is_confined);
        homes.chain(self.variables.iter().cloned()).collect()
    }

    /// Fails if the referee cannot read the program safely: a link leads out of its folder, or the folder holds
    /// too much.
    ///
    /// # Errors
    /// If that is so; the error names the program and the place.
    pub fn examine(&self) -> io::Result<()> {
        match self.alone {
            true => Ok(()),
            false => self.examined().map(drop),
        }
    }

    /// Whether its fingerprint depends on what is at this path, even if there is nothing yet.
    pub fn includes(&self, path: &Path) -> bool {
        let whole = resolved(path);
        let inner = whole
            .as_deref()
            .and_then(|whole| whole.strip_prefix(&self.folder).ok());
        let is_product = |inner: &Path| PRODUCTS.iter().any(|made| inner.starts_with(made));
        !self.alone && inner.is_some_and(|inner| !is_product(inner))
    }

    /// Opens its folder after checking that no link leads out of it.
    ///
    /// # Errors
    /// If a link does, or the folder holds more than a referee reads; the error names the program and the place.
    pub(super) fn examined(&self) -> io::Result<Folder> {
        let folder = Folder::open(&self.folder)?;
        let told = folder.examine(&self.origin, &PRODUCTS[..2]);
        told.map_err(|error| io::Error::new(error.kind(), format!("{}: {error}", self.label())))?;
        Ok(folder)
    }

    /// A hash of the program, the same on every machine: the names, contents and executable bits of all files
    /// in its folder, without its build (`target`), its history (`.git`), its caches (`support/cache`) and
    /// those of Python; of an executable alone, its contents. 16 hexadecimal digits of FNV-1a, which
    /// distinguishes versions and does not protect against forgery.
    ///
    /// # Errors
    /// If a file cannot be read; the error names it.
    pub fn fingerprint(&self) -> io::Result<String> {
        let mut hasher = FnvHasher::default();
        if self.alone {
            hash_file(&mut hasher, &self.executable())?;
        } else {
            let folder = self.examined()?;
            hash_folder(&mut hasher, &folder, &folder, Path::new(""))?;
        }
        Ok(format!("{:016x}", hasher.finish()))
    }
}

/// Reads how the program of a folder wants to be started.
fn manner_in(folder: &Path) -> Result<Manner, ProgramError> {
    let path = folder.join(manner::FILE);
    let read = || short_text(Folder::open(folder)?.file_beneath(manner::FILE.as_ref())?);
    let told = match read() {
        Ok(text) => Manner::parse(&text),
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Manner::default()),
        Err(error) => Err(error.to_string()),
    };
    told.map_err(|reason| ProgramError::Manner { path, reason })
}

/// The folders of one call.
pub(super) struct Room<'a> {
    /// The folder of the program, or a copy of it.
    pub copy: &'a Path,
    /// The folders that a confined program may write to: its own, and one for temporary files.
    pub own: [PathBuf; 2],
    /// The size of these folders before the call.
    pub before: Size,
}

impl FromStr for Program {
    type Err = ProgramError;

    fn from_str(path: &str) -> Result<Program, ProgramError> {
        Program::find(Path::new(path))
    }
}

fn is_executable(path: &Path) -> bool {
    fs::metadata(path).is_ok_and(|file| file.is_file() && file.permissions().mode() & 0o111 != 0)
}

/// Hashes names, kinds and contents, sorted by name. Lengths and end marks make the bytes unambiguous: names
/// "ab" and "c" give other bytes than "a" and "bc".
fn hash_folder(
    hasher: &mut FnvHasher,
    home: &Folder,
    folder: &Folder,
    inner: &Path,
) -> io::Result<()> {
    for item in folder.items()? {
        let relative = inner.join(&item.name);
        let is_product = PRODUCTS.iter().any(|made| relative == Path::new(made));
        if is_product || item.name == PYTHON_CACHE {
            continue;
        }
        hash_bytes(hasher, relative.as_os_str().as_bytes());
        // A link to a file counts as the file. A linked folder is not followed, as it could lead in circles:
        // the text of the link counts.
        let linked = match item.kind() {
            FileType::Symlink => home.file_beneath(&relative).ok(),
            _ => None,
        };
        match item.kind() {
            FileType::RegularFile => {
                hasher.write(&[b'f', u8::from(item.is_executable())]);
                let path = folder.path().join(&item.name);
                hash_open_file(hasher, &mut folder.file(&item.name)?).map_err(at("read", &path))?;
            }
            FileType::Directory => {
                hasher.write(b"d");
                hash_folder(hasher, home, &folder.folder(&item.name)?, &relative)?;
            }
            FileType::Symlink => match linked {
                Some(mut file) => {
                    let path = folder.path().join(&item.name);
                    let mode = file.metadata().map_err(at("look at", &path))?.permissions();
                    hasher.write(&[b'f', u8::from(mode.mode() & 0o111 != 0)]);
                    hash_open_file(hasher, &mut file).map_err(at("read", &path))?;
                }
                None => {
                    hasher.write(b"l");
                    hash_bytes(hasher, folder.link(&item.name)?.as_os_str().as_bytes());
                }
            },
            // A pipe, socket or device counts with its name alone.
            _ => hasher.write(b"o"),
        }
    }
    // The end of a folder: what follows lies in the one above.
    hasher.write(b".");
    Ok(())
}

/// Hashes the number of bytes, then the bytes.
pub(super) fn hash_bytes(hasher: &mut FnvHasher, bytes: &[u8]) {
    hasher.write(&(bytes.len() as u64).to_le_bytes());
    hasher.write(bytes);
}

pub(super) fn hash_file(hasher: &mut FnvHasher, path: &Path) -> io::Result<()> {
    let error = at("read", path);
    let mut file = File::open(path).map_err(&error)?;
    hash_open_file(hasher, &mut file).map_err(&error)
}

/// Hashes the contents of a file, and then their length.
pub(super) fn hash_open_file(hasher: &mut FnvHasher, file: &mut File) -> io::Result<()> {
    let mut buffer = vec![0; 64 << 10];
    let mut length = 0;
    // A file that grows while it is read would be read for ever.
    while length <= MAX_BYTES {
        match file.read(&mut buffer)? {
            0 => break,
            count => {
                hasher.write(&buffer[..count]);
                length += count as u64;
            }
        }
    }
    if length > MAX_BYTES {
        return Err(refused(format!("it has more than {} MiB", MAX_BYTES >> 20)));
    }
    hasher.write(&length.to_le_bytes());
    Ok(())
}
