//! Who plays in a match: a built-in player, or a program that connects as it would to a contest.

use arena::naming::{BUILTIN, Named};
use arena::process::{Program, ProgramError};
use challenge::player::UnknownPlayer;
use lab::challenge::players::NamedPlayer;
use std::ffi::OsString;
use std::net::SocketAddr;
use std::path::Path;
use thiserror::Error;

/// How a program is told where to connect to.
pub const TEMPLATE: &str = "{host}:{port}";

/// A contestant.
#[derive(Clone, Debug)]
pub struct Contestant {
    /// What it is called in tables and records.
    pub label: String,
    /// What it is.
    pub kind: Kind,
}

/// What a contestant is.
#[derive(Clone, Debug)]
pub enum Kind {
    /// A player of this program.
    Builtin(NamedPlayer),
    /// A program of its own.
    External {
        /// The program.
        program: Program,
        /// Its arguments, with `{host}` and `{port}` for where it connects to.
        template: String,
    },
}

/// Why there is no such contestant.
#[derive(Debug, Error)]
pub enum ContestantError {
    /// No such built-in player.
    #[error(transparent)]
    Builtin(#[from] UnknownPlayer),
    /// Neither a built-in player nor a program.
    #[error("{0}; {1}")]
    Neither(UnknownPlayer, ProgramError),
    /// No such program.
    #[error(transparent)]
    Program(#[from] ProgramError),
}

impl Contestant {
    /// Finds a contestant: `builtin:NAME`, or just the NAME, or the path of a program, with a label as
    /// `LABEL=…`.
    ///
    /// # Errors
    /// If there is none.
    pub fn find(text: &str) -> Result<Contestant, ContestantError> {
        let Named { label, program } = match text.parse() {
            Ok(named) => named,
            Err(never) => match never {},
        };
        let named = program.strip_prefix(BUILTIN);
        let kind = match named.unwrap_or(&program).parse::<NamedPlayer>() {
            Ok(player) => Kind::Builtin(player),
            Err(unknown) if named.is_some() => return Err(unknown.into()),
            Err(unknown) => Kind::External {
                program: Program::find(Path::new(&program)).map_err(|error| {
                    match program.contains('/') {
                        true => error.into(),
                        // A bare word may have been meant for a player of this program.
                        false => ContestantError::Neither(unknown, error),
                    }
                })?,
                template: TEMPLATE.to_owned(),
            },
        };
        Ok(Contestant { label, kind })
    }

    /// Whether it is part of this program.
    pub fn builtin(&self) -> Option<NamedPlayer> {
        match self.kind {
            Kind::Builtin(player) => Some(player),
            Kind::External { .. } => None,
        }
    }
}

/// The arguments that tell a program where to connect to.
pub(super) fn arguments(template: &str, address: SocketAddr) -> Vec<OsString> {
    let host = address.ip().to_string();
    let port = address.port().to_string();
    let filled = |word: &str| {
        word.replace("{host}", &host)
            .replace("{port}", &port)
            .into()
    };
    template.split_whitespace().map(filled).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn contestants_are_named() {
        let label = |text: &str| Contestant::find(text).unwrap().label;
        assert_eq!(label("need"), "need");
        assert_eq!(label("builtin:need"), "need");
        assert_eq!(label("mine=doge"), "mine");
        assert!(Contestant::find("mine=doge").unwrap().builtin().is_some());
        let error = |text: &str| Contestant::find(text).unwrap_err().to_string();
        assert!(error("builtin:nobody").starts_with("no player is called \"nobody\""));
        assert!(error("neeed").starts_with("no player is called \"neeed\": expected plain,"));
        assert!(error("neeed").contains("no program at neeed"));
        assert!(error("x=/no/where").starts_with("no program at /no/where"));
    }

    #[test]
    fn templates_are_filled() {
        let address = "127.0.0.1:4000".parse().unwrap();
        assert_eq!(arguments(TEMPLATE, address), ["127.0.0.1:4000"]);
        let own = arguments("-h {host}  -p {port} --fast", address);
        assert_eq!(own, ["-h", "127.0.0.1", "-p", "4000", "--fast"]);
    }
}
