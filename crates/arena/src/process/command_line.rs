//! A program with its arguments, read from one text. A [`Session`](super::Session) is started from it.

use super::confinement::{Confined, Confinement};
use super::program::{Program, ProgramError, hash_file};
use super::suspects::Running;
use super::tampering::Guard;
use engine::sync::lock;
use fnv::FnvHasher;
use std::env;
use std::ffi::{OsStr, OsString};
use std::hash::Hasher as _;
use std::io;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::sync::{Arc, Mutex};
use std::time::Duration;
use thiserror::Error;

/// The reasons why a text starts no program.
#[derive(Debug, Error)]
pub enum CommandLineError {
    /// There is nothing, or a quote that does not end.
    #[error("{0:?} is no command line: expected a program and its arguments")]
    Unreadable(String),
    /// Its first word is a path to no program.
    #[error(transparent)]
    Program(#[from] ProgramError),
    /// Its first word is no path, and nothing has that name.
    #[error("no program {0}: expected a path, or a name that is found here or in PATH")]
    Unknown(String),
    /// The current directory, or this program's own file, cannot be found.
    #[error(transparent)]
    Io(#[from] io::Error),
}

/// A program with its arguments.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CommandLine {
    pub(super) executable: PathBuf,
    pub(super) arguments: Vec<OsString>,
    /// The current directory it is started in.
    pub(super) current: PathBuf,
    /// Its folder, if it is more than the executable.
    folder: Option<PathBuf>,
    pub(super) confinement: Option<Confinement>,
    /// Pipes that it may open even if it is confined.
    pipes: Vec<PathBuf>,
    /// The name in messages; `None` for the path of the executable.
    pub(super) label: Option<String>,
    /// Variables of its environment, besides those that it inherits.
    pub(super) variables: Vec<(OsString, OsString)>,
    /// The time for a decision, if it has another one than others.
    time: Option<Duration>,
    /// The most bytes that may be resident in its processes, if a session sets no other limit.
    pub(super) memory: Option<u64>,
    guard: SharedGuard,
}

/// Guards the files of a program from its first start on. Copies of the command line share the guard.
#[derive(Clone, Debug, Default)]
struct SharedGuard(Arc<Mutex<Option<Guard>>>);

/// A guard is no part of the program, so two command lines are equal whatever their guards.
impl PartialEq for SharedGuard {
    fn eq(&self, _: &SharedGuard) -> bool {
        true
    }
}

impl Eq for SharedGuard {}

impl FromStr for CommandLine {
    type Err = CommandLineError;

    /// Reads a path, or a path and arguments, quoted as a shell wants it. A folder stands for the
    /// `runme` in it. A name without a slash is looked for in the current directory. If it is not
    /// there, `contest` means this program itself, and any other name is looked for in `PATH`.
    fn from_str(text: &str) -> Result<CommandLine, CommandLineError> {
        let whole = Path::new(text);
        let words = match whole.exists() {
            // A path with blanks needs no quotes.
            true => vec![text.to_owned()],
            false => shlex::split(text).unwrap_or_default(),
        };
        let Some((name, arguments)) = words.split_first() else {
            return Err(CommandLineError::Unreadable(text.to_owned()));
        };
        let program = find(name)?;
        Ok(CommandLine {
            // A folder is started in itself, as a contest would; any other program where the user is.
            current: match program.is_alone() {
                true => env::current_dir()?,
                false => program.folder().to_owned(),
            },
            executable: program.executable(),
            arguments: arguments.iter().map(OsString::from).collect(),
            folder: (!program.is_alone()).then(|| program.folder().to_owned()),
            confinement: None,
            pipes: Vec::new(),
            label: None,
            variables: Vec::new(),
            memory: None,
            time: None,
            guard: SharedGuard::default(),
        })
    }
}

impl CommandLine {
    /// The same with more arguments.
    #[must_use]
    pub fn with_arguments(mut self, more: impl IntoIterator<Item = OsString>) -> CommandLine {
        self.arguments.extend(more);
        self
    }

    pub fn arguments(&self) -> &[OsString] {
        &self.arguments
    }

    /// The same program with these arguments instead.
    #[must_use]
    pub fn told(self, arguments: Vec<OsString>) -> CommandLine {
        CommandLine { arguments, ..self }
    }

    /// The same, kept away from all that is not its own: it reads its executable, its folder if it has
    /// one, and the files that its arguments name, and writes to a folder for temporary files.
    #[must_use]
    pub fn confined(self, confinement: Option<Confinement>) -> CommandLine {
        CommandLine {
            confinement,
            ..self
        }
    }

    /// The same, with pipes that it may open. Its messages go through them, and its standard output is thrown away.
    #[must_use]
    pub fn with_pipes(self, pipes: Vec<PathBuf>) -> CommandLine {
        CommandLine { pipes, ..self }
    }

    /// Whether its messages go through pipes that are no standard streams.
    pub(super) fn has_pipes(&self) -> bool {
        !self.pipes.is_empty()
    }

    /// The same program; messages call it by this name.
    #[must_use]
    pub fn called(self, label: impl Into<String>) -> CommandLine {
        let label = Some(label.into());
        CommandLine { label, ..self }
    }

    /// The same with a variable in its environment.
    #[must_use]
    pub fn with_variable(
        mut self,
        name: impl Into<OsString>,
        value: impl Into<OsString>,
    ) -> CommandLine {
        self.variables.push((name.into(), value.into()));
        self
    }

    /// The same with a limit of the bytes that are resident in its processes.
    #[must_use]
    pub fn with_memory(self, memory: Option<u64>) -> CommandLine {
        CommandLine { memory, ..self }
    }

    /// The same with its own time for a decision, if there is one.
    #[must_use]
    pub fn with_time(self, time: Option<Duration>) -> CommandLine {
        CommandLine { time, ..self }
    }

    /// The program's time for a decision, where others have `usual`.
    pub fn time(&self, usual: Duration) -> Duration {
        self.time.unwrap_or(usual)
    }

    /// Identifies this version of the program: by its folder if it has one, else by the files that its arguments name,
    /// else by its executable. The arguments that name no file count too. An interpreter does not count, as another
    /// machine may have another one. 16 hexadecimal digits.
    ///
    /// # Errors
    /// If a file cannot be read; the error names it.
    pub fn fingerprint(&self) -> io::Result<String> {
        let mut hasher = FnvHasher::default();
        let mut named = 0;
        for argument in &self.arguments {
            match self.file_of(argument) {
                Some((_, path)) => {
                    named += 1;
                    hash_file(&mut hasher, &path)?;
                }
                None => hasher.write(argument.as_encoded_bytes()),
            }
        }
        match &self.folder {
            Some(folder) => {
                let program = Program::find(folder).map_err(io::Error::other)?;
                hasher.write(program.fingerprint()?.as_bytes());
            }
            None if named == 0 => hash_file(&mut hasher, &self.executable)?,
            None => {}
        }
        Ok(format!("{:016x}", hasher.finish()))
    }

    /// The command line as a text that is read as the same one, in whatever folder; none if it is no text.
    pub fn text(&self) -> Option<String> {
        let program = self.folder.as_deref().unwrap_or(&self.executable);
        let mut words = vec![program.to_str()?.to_owned()];
        for argument in &self.arguments {
            let argument = argument.to_str()?;
            words.push(match self.file_of(argument.as_ref()) {
                Some((name, path)) => format!("{name}{}", path.to_str()?),
                None => argument.to_owned(),
            });
        }
        shlex::try_join(words.iter().map(String::as_str)).ok()
    }

    /// Notes that the program runs until the result is dropped.
    ///
    /// # Errors
    /// A [`Tampered`](super::Tampered) if somebody else may have changed its executable, or a file that its
    /// arguments name, since it was last started.
    pub(super) fn enter(&self) -> io::Result<Running> {
        let mut guard = lock(&self.guard.0);
        let guard = match &mut *guard {
            Some(guard) => guard,
            none => {
                let label = self.label.clone();
                let label = label.unwrap_or_else(|| self.executable.display().to_string());
                let named: Vec<PathBuf> = self.named().collect();
                // An interpreter's script is as much the program as the interpreter: files in the arguments are
                // guarded too.
                let mut files = vec![&*self.executable];
                files.extend(named.iter().map(PathBuf::as_path));
                none.insert(Guard::new(label, &files)?)
            }
        };
        guard.enter()
    }

    /// The files that its arguments name, as `FILE` or `--name=FILE`.
    fn named(&self) -> impl Iterator<Item = PathBuf> {
        let files = self.arguments.iter().map(|argument| self.file_of(argument));
        files.flatten().map(|(_, path)| path)
    }

    /// The file that an argument names, as `FILE` or `--name=FILE`, and the part before it, `--name=`.
    fn file_of<'a>(&self, argument: &'a OsStr) -> Option<(&'a str, PathBuf)> {
        let text = argument.to_str()?;
        let after = text.find('=').map(|at| text.split_at(at + 1));
        let mut parts = [Some(("", text)), after].into_iter().flatten();
        parts.find_map(|(name, path)| {
            let path = self.current.join(path);
            path.is_file().then_some((name, path))
        })
    }

    /// The files and folders of the program if it is confined, with a folder for temporary files.
    pub(super) fn own(&self, scratch: &Path) -> Confined {
        let mut readable = vec![self.executable.clone()];
        readable.extend(self.folder.clone());
        readable.extend(self.named());
        let mut writable = vec![scratch.to_owned()];
        writable.extend(self.pipes.iter().cloned());
        Confined {
            readable,
            writable,
            shared_memory: Some(scratch.to_owned()),
            port: None,
        }
    }
}

/// The program that the first word of a command line names.
fn find(name: &str) -> Result<Program, CommandLineError> {
    let here = Program::find(Path::new(name));
    // A name with a slash is a path, and its error is the one to show.
    if here.is_ok() || name.contains('/') {
        return Ok(here?);
    }
    // This program itself, wherever it lies and whatever PATH has.
    if name == "contest" {
        return Ok(Program::find(&env::current_exe()?)?);
    }
    let folders = env::var_os("PATH").unwrap_or_default();
    env::split_paths(&folders)
        .find_map(|folder| Program::find(&folder.join(name)).ok())
        .ok_or_else(|| CommandLineError::Unknown(name.to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::process::testing::scratch;

    #[test]
    fn command_lines_are_read() {
        let line: CommandLine = "sh -c 'echo \"a b\"'".parse().unwrap();
        assert!(line.executable.is_absolute() && line.executable.ends_with("sh"));
        assert_eq!(line.arguments, ["-c", "echo \"a b\""]);
        let own: CommandLine = "contest eights serve".parse().unwrap();
        assert_eq!(
            own.executable,
            env::current_exe().unwrap().canonicalize().unwrap()
        );
        let (_folder, path) = scratch("a bot");
        std::fs::copy("/bin/sh", &path).unwrap();
        let blank: CommandLine = path.to_str().unwrap().parse().unwrap();
        assert_eq!(blank.arguments, [""; 0]);
    }

    #[test]
    fn a_confined_one_has_what_its_line_names() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        for name in ["bot.py", "net"] {
            std::fs::write(path(name), "").unwrap();
        }
        let (script, net) = (path("bot.py"), path("net"));
        let text = format!(
            "sh {} --net={} {} none",
            script.display(),
            net.display(),
            folder.path().display()
        );
        let line: CommandLine = text.parse().unwrap();
        let own = line
            .clone()
            .with_pipes(vec!["/p".into()])
            .own(Path::new("/s"));
        assert_eq!(own.readable, [line.executable.clone(), script, net]);
        assert_eq!(own.writable, ["/s", "/p"].map(PathBuf::from));
    }

    #[test]
    fn what_is_none_is_told() {
        let told = |text: &str| text.parse::<CommandLine>().unwrap_err().to_string();
        assert_eq!(
            told("no-such-program-here --x"),
            "no program no-such-program-here: expected a path, or a name that is found here or in PATH"
        );
        assert_eq!(
            told("'x"),
            "\"'x\" is no command line: expected a program and its arguments"
        );
        assert!(told("/no/such --x").starts_with("no program at /no/such: "));
    }
}
