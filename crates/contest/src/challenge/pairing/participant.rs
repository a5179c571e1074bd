//! The participants of a match: a built-in player, or a program that connects as it would to a contest.

use arena::participant::{BuiltinError, ParticipantError, Spec, Syntax};
use arena::process::{Program, ProgramError};
use lab::challenge::players::NamedPlayer;
use std::ffi::OsString;
use std::net::SocketAddr;
use std::str::FromStr;

/// The arguments of a program by default: where to connect to.
pub const TEMPLATE: &str = "{host}:{port}";

/// A participant.
pub type Participant = arena::participant::Participant<NamedPlayer, Client>;

/// Built-in players need no `builtin:`.
const SYNTAX: Syntax = Syntax {
    names: true,
    commands: false,
};

/// A program that connects to a server.
#[derive(Clone, Debug)]
pub struct Client {
    /// The program.
    pub program: Program,
    /// Its arguments, with `{host}` and `{port}` for where it connects to.
    pub template: String,
}

impl FromStr for Client {
    type Err = ProgramError;

    fn from_str(text: &str) -> Result<Client, ProgramError> {
        Ok(Client {
            program: text.parse()?,
            template: TEMPLATE.to_owned(),
        })
    }
}

/// Finds a participant: `builtin:NAME`, or just the NAME, or the path of a program, with a label as
/// `LABEL=…`.
///
/// # Errors
/// If there is none.
pub fn participant(text: &str) -> Result<Participant, ParticipantError> {
    Participant::find(text, SYNTAX, builtin)
}

fn builtin(spec: &Spec) -> Result<NamedPlayer, BuiltinError> {
    let player: Result<NamedPlayer, _> = spec.name.parse();
    let player = player.map_err(|unknown| spec.unknown(unknown.expected))?;
    spec.check(&[])?;
    Ok(player)
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
    fn participants_are_named() {
        let label = |text: &str| participant(text).unwrap().label;
        assert_eq!(label("need"), "need");
        assert_eq!(label("builtin:need"), "need");
        assert_eq!(label("mine=doge"), "mine");
        assert!(participant("mine=doge").unwrap().builtin().is_some());
        let error = |text: &str| participant(text).unwrap_err().to_string();
        let none = "there is no built-in player \"neeed\"; there are plain,";
        assert!(error("builtin:neeed").starts_with(none));
        assert!(error("neeed").starts_with(none));
        assert!(error("neeed").contains("; no program at neeed"));
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
