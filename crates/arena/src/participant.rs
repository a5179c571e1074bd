//! Reads participants as users name them: `[LABEL=]PATH` or `[LABEL=]builtin:NAME[,KEY=VALUE…]`. A contest
//! may also accept a bare `NAME`, or a command with arguments ([`Syntax`]).
//!
//! ```
//! use arena::participant::{BuiltinError, Kind, Participant, Spec, Syntax};
//! use arena::process::Program;
//!
//! /// A game whose built-in players have a strength.
//! fn builtin(spec: &Spec) -> Result<u32, BuiltinError> {
//!     if spec.name != "strong" {
//!         return Err(spec.unknown("strong"));
//!     }
//!     spec.check(&["strength"])?;
//!     Ok(spec.settings.get("strength")?.unwrap_or(9))
//! }
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! type Entered = Participant<u32, Program>;
//! let one: Entered = Participant::find("me=builtin:strong,strength=3", Syntax::PATHS, builtin)?;
//! assert_eq!((one.label.as_str(), one.builtin()), ("me", Some(&3)));
//! let wrong = Entered::find("builtin:strong,speed=3", Syntax::PATHS, builtin).unwrap_err();
//! assert_eq!(wrong.to_string(), "strong has no setting \"speed\"; it has strength");
//! # Ok(())
//! # }
//! ```

mod record;
mod spec;

pub use record::{ParticipantRecord, ParticipantRecordError};
pub use spec::{BuiltinError, Settings, Spec};

use crate::plain_text::printable;
use crate::process::{CommandLineError, ProgramError};
use std::path::Path;
use std::str::FromStr;
use thiserror::Error;

/// The prefix of a built-in player's specification.
pub const BUILTIN: &str = "builtin:";

/// The forms that a command line accepts besides `PATH` and `builtin:NAME`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Syntax {
    /// The NAME of a built-in player without `builtin:`.
    pub names: bool,
    /// A command with arguments. Then a blank ends a program's path, a single word is a program only
    /// with a label, and a participant without a label is called by the whole text.
    pub commands: bool,
}

impl Syntax {
    /// Neither names nor commands.
    pub const PATHS: Syntax = Syntax {
        names: false,
        commands: false,
    };
}

/// A participant as it is typed, split into its label and its program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParticipantArg {
    /// The name in tables and records.
    pub label: String,
    /// `builtin:NAME…`, or a program.
    pub program: String,
}

impl ParticipantArg {
    /// Splits a text. Without a label, the last part of a path is the label, or the name of the folder if
    /// the last part is `runme`.
    pub fn new(text: &str, syntax: Syntax) -> ParticipantArg {
        // The first equals sign may belong to a setting (`builtin:a,b=3`), a path (`./a=b`), or an argument of a
        // command (`sh -c x=1`). Then one of these characters stands before it, and there is no label.
        let is_label = |label: &str| {
            let ended = label.contains(['/', ':', ',']) || (syntax.commands && label.contains(' '));
            !ended && !label.is_empty()
        };
        let labelled = text.split_once('=').filter(|(label, _)| is_label(label));
        let (label, program) = match labelled {
            Some((label, program)) => (label.to_owned(), program),
            None if syntax.commands => (text.to_owned(), text),
            None => (own_name(text), text),
        };
        let program = program.to_owned();
        // Labels are printed in many places, and a terminal must not obey one.
        let label = printable(&label).into_owned();
        ParticipantArg { label, program }
    }

    /// The part after `builtin:`; `None` if it is not built in.
    pub fn builtin(&self) -> Option<&str> {
        self.program.strip_prefix(BUILTIN)
    }
}

/// The name of a participant without a label.
fn own_name(program: &str) -> String {
    if let Some(builtin) = program.strip_prefix(BUILTIN) {
        return builtin.to_owned();
    }
    let path = Path::new(program);
    let whole = path.canonicalize().unwrap_or_else(|_| path.to_owned());
    let named = match whole.file_name() {
        // The program of a folder has the folder's name.
        Some(name) if name == "runme" => whole.parent().and_then(Path::file_name),
        name => name,
    };
    named.map_or_else(|| program.to_owned(), |n| n.to_string_lossy().into_owned())
}

/// A participant: a built-in player `B`, or a program `P`.
#[derive(Clone, Debug, PartialEq)]
pub struct Participant<B, P> {
    /// The name in tables and records.
    pub label: String,
    pub kind: Kind<B, P>,
}

/// The kind of a participant.
#[derive(Clone, Debug, PartialEq)]
pub enum Kind<B, P> {
    /// It plays inside this process.
    Builtin(B),
    Program(P),
}

/// The reasons why a text names no participant.
#[derive(Debug, Error)]
pub enum ParticipantError {
    /// No such built-in player.
    #[error(transparent)]
    Builtin(#[from] BuiltinError),
    /// No built-in player, and no path.
    #[error("{0}, or a program: a path, or LABEL=PATH")]
    NotAPath(BuiltinError),
    /// Neither a built-in player nor a program.
    #[error("{0}; {1}")]
    Neither(BuiltinError, Box<ParticipantError>),
    #[error(transparent)]
    Program(#[from] ProgramError),
    #[error(transparent)]
    Command(#[from] CommandLineError),
}

impl<B, P> Participant<B, P> {
    /// Finds a participant. `builtin` makes a built-in player, or returns
    /// [`BuiltinError::Unknown`] if there is none of that name.
    ///
    /// # Errors
    /// If there is neither such a player nor such a program.
    pub fn find(
        text: &str,
        syntax: Syntax,
        builtin: impl FnOnce(&Spec) -> Result<B, BuiltinError>,
    ) -> Result<Participant<B, P>, ParticipantError>
    where
        P: FromStr<Err: Into<ParticipantError>>,
    {
        let arg = ParticipantArg::new(text, syntax);
        let is_labelled = arg.program.len() < text.len();
        let kind = match arg.builtin() {
            Some(spec) => Kind::Builtin(spec.parse().and_then(|spec| builtin(&spec))?),
            // Names are not accepted, or this is a path or a command with arguments.
            None if !syntax.names || arg.program.contains(['/', ' ']) => {
                Kind::Program(arg.program.parse().map_err(P::Err::into)?)
            }
            // A single word: a built-in player if there is one of that name, a program otherwise.
            None => match arg.program.parse().and_then(|spec| builtin(&spec)) {
                Ok(player) => Kind::Builtin(player),
                Err(unknown @ BuiltinError::Unknown { .. }) if syntax.commands && !is_labelled => {
                    return Err(ParticipantError::NotAPath(unknown));
                }
                Err(unknown @ BuiltinError::Unknown { .. }) => match arg.program.parse::<P>() {
                    Ok(program) => Kind::Program(program),
                    // A single word may have been meant for either.
                    Err(error) => {
                        return Err(ParticipantError::Neither(unknown, Box::new(error.into())));
                    }
                },
                Err(error) => return Err(error.into()),
            },
        };
        Ok(Participant {
            label: arg.label,
            kind,
        })
    }

    /// The built-in player; none if it is a program.
    pub fn builtin(&self) -> Option<&B> {
        match &self.kind {
            Kind::Builtin(player) => Some(player),
            Kind::Program(_) => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::process::{CommandLine, Program};

    const NAMES: Syntax = Syntax {
        names: true,
        commands: false,
    };
    const COMMANDS: Syntax = Syntax {
        names: true,
        commands: true,
    };

    #[test]
    fn labels() {
        let pair = |text, syntax| {
            let ParticipantArg { label, program } = ParticipantArg::new(text, syntax);
            (label, program)
        };
        let paths = |text| pair(text, Syntax::PATHS);
        let own = |label: &str, program: &str| (label.to_owned(), program.to_owned());
        assert_eq!(paths("builtin:a,b=3"), own("a,b=3", "builtin:a,b=3"));
        assert_eq!(paths("h=builtin:a,b=3"), own("h", "builtin:a,b=3"));
        assert_eq!(paths("me=../bots/a"), own("me", "../bots/a"));
        assert_eq!(paths("my own=../bots/a"), own("my own", "../bots/a"));
        assert_eq!(paths("/no/where/bot"), own("bot", "/no/where/bot"));
        assert_eq!(paths("/no/where/bot/runme").0, "bot");
        assert_eq!(paths("./a=b"), own("a=b", "./a=b"));
        let commands = |text| pair(text, COMMANDS);
        assert_eq!(commands("sh -c x=1"), own("sh -c x=1", "sh -c x=1"));
        assert_eq!(commands("me=sh -c x=1"), own("me", "sh -c x=1"));
        assert_eq!(commands("builtin:a"), own("builtin:a", "builtin:a"));
    }

    fn only_a(spec: &Spec) -> Result<(), BuiltinError> {
        match &*spec.name {
            "a" => spec.check(&[]),
            _ => Err(spec.unknown("a")),
        }
    }

    #[test]
    fn a_name_is_looked_for_before_a_path() {
        let is_builtin = |text| {
            let found = Participant::<(), Program>::find(text, NAMES, only_a);
            found.unwrap().builtin().is_some()
        };
        assert!(is_builtin("a") && is_builtin("me=a") && is_builtin("builtin:a"));
        assert!(!is_builtin("/bin/sh") && !is_builtin("a=/bin/sh"));
        let error = |text| {
            let found = Participant::<(), Program>::find(text, NAMES, only_a);
            found.unwrap_err().to_string()
        };
        assert_eq!(
            error("builtin:b"),
            "there is no built-in player \"b\"; there are a"
        );
        assert!(
            error("b").starts_with("there is no built-in player \"b\"; there are a; no program")
        );
        assert!(error("x=/no/where").starts_with("no program at /no/where"));
        assert!(error("x,y=builtin:a").ends_with("; a label before `=` has no `/`, `:` or `,`"));
        let paths = Participant::<(), Program>::find("a", Syntax::PATHS, only_a);
        assert!(
            paths
                .unwrap_err()
                .to_string()
                .starts_with("no program at a")
        );
    }

    #[test]
    fn a_command_has_arguments_or_a_label() {
        let find = |text| Participant::<(), CommandLine>::find(text, COMMANDS, only_a);
        let is_program = |text| find(text).unwrap().builtin().is_none();
        assert!(is_program("/bin/sh") && is_program("me=sh") && is_program("sh -c x=1"));
        assert!(!is_program("me=a"));
        assert_eq!(
            find("sh").unwrap_err().to_string(),
            "there is no built-in player \"sh\"; there are a, or a program: a path, or LABEL=PATH"
        );
        for text in ["builtin:sh", "me=builtin:sh", "/no/such", "me=no-such"] {
            assert!(find(text).is_err(), "{text}");
        }
    }
}
