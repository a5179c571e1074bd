//! A program with its arguments, as somebody types them.

use super::program::{Program, ProgramError};
use std::env;
use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use thiserror::Error;

/// Why a text starts no program.
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
}

impl FromStr for CommandLine {
    type Err = CommandLineError;

    /// Reads a path, or a path and arguments, quoted as a shell wants it. A folder stands for the
    /// `runme` in it. A name without a slash is looked for in the current directory, then it may be
    /// `contest`, this program itself, then in `PATH`.
    fn from_str(text: &str) -> Result<CommandLine, CommandLineError> {
        let whole = Path::new(text);
        let words = match whole.exists() {
            // Whatever blanks there are in its name.
            true => vec![text.to_owned()],
            false => shlex::split(text).unwrap_or_default(),
        };
        let Some((name, arguments)) = words.split_first() else {
            return Err(CommandLineError::Unreadable(text.to_owned()));
        };
        let program = find(name)?;
        Ok(CommandLine {
            current: match program.is_alone() {
                true => env::current_dir()?,
                false => program.folder().to_owned(),
            },
            executable: program.executable(),
            arguments: arguments.iter().map(OsString::from).collect(),
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

    /// The arguments.
    pub fn arguments(&self) -> &[OsString] {
        &self.arguments
    }

    /// The same with other arguments.
    #[must_use]
    pub fn told(self, arguments: Vec<OsString>) -> CommandLine {
        CommandLine { arguments, ..self }
    }

    /// The executable, absolute.
    pub fn executable(&self) -> &Path {
        &self.executable
    }
}

fn find(name: &str) -> Result<Program, CommandLineError> {
    let here = Program::find(Path::new(name));
    if here.is_ok() || name.contains('/') {
        return Ok(here?);
    }
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

    #[test]
    fn command_lines_are_read() {
        let line: CommandLine = "sh -c 'echo \"a b\"'".parse().unwrap();
        assert!(line.executable().is_absolute() && line.executable().ends_with("sh"));
        assert_eq!(line.arguments, ["-c", "echo \"a b\""]);
        let own: CommandLine = "contest eights serve".parse().unwrap();
        assert_eq!(
            own.executable(),
            env::current_exe().unwrap().canonicalize().unwrap()
        );
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a bot");
        std::fs::copy("/bin/sh", &path).unwrap();
        let blank: CommandLine = path.to_str().unwrap().parse().unwrap();
        assert_eq!(blank.arguments, [""; 0]);
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
