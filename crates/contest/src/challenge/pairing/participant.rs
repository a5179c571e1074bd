//! The participants of a match: a built-in player, or a program that connects as it would to a contest.

use arena::participant::{ParticipantError, Syntax};
use arena::process::{Program, ProgramError};
use seats::challenge::players::NamedPlayer;
use std::ffi::OsString;
use std::net::SocketAddr;
use std::str::FromStr;

/// The default arguments of a program: the address of its server.
pub const TEMPLATE: &str = "{host}:{port}";

/// A participant: a built-in player, or a program that is a client.
pub type Participant = arena::participant::Participant<NamedPlayer, Client>;

/// The syntax of a participant: the name of a built-in player needs no `builtin:`, and commands are not accepted.
const SYNTAX: Syntax = Syntax {
    names: true,
    commands: false,
};

/// A program that connects to a server.
#[derive(Clone, Debug)]
pub struct Client {
    pub program: Program,
    /// Its arguments, in which `{host}` and `{port}` stand for the server's address.
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

/// Parses a participant: `builtin:NAME`, or only the NAME, or the path of a program, with an optional
/// label as `LABEL=…`.
///
/// # Errors
/// If no such player or program exists.
pub fn participant(text: &str) -> Result<Participant, ParticipantError> {
    Participant::find(text, SYNTAX, NamedPlayer::of_spec)
}

/// The arguments of a program, with the address of its server filled in.
pub(super) fn arguments(template: &str, address: SocketAddr) -> Vec<OsString> {
    let host = address.ip().to_string();
    let port = address.port().to_string();
    let filled = |word: &str| {
        word.replace("{host}", &host)
            .replace("{port}", &port)
            .into()
    };
    // No shell reads the template: its words are split here, without quotes.
    template.split_whitespace().map(filled).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use challenge::player::SearchSettings;

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
    fn a_search_has_settings() {
        let found = participant("me=search,worlds=7,mistakes=0.5").unwrap();
        let settings = SearchSettings {
            worlds: 7,
            mistakes: 0.5,
        };
        assert_eq!(found.builtin(), Some(&NamedPlayer::Search(settings)));
        let usual = participant("search").unwrap();
        let settings = SearchSettings::default();
        assert_eq!(usual.builtin(), Some(&NamedPlayer::Search(settings)));
        for (text, expected) in [
            ("search,mistakes=2", "expected a number from 0 to 1"),
            ("search,worlds=-1", "worlds"),
            (
                "search,worlds=9000000",
                "expected a whole number from 0 to 1000000",
            ),
            ("search,depth=3", "it has worlds, mistakes"),
            ("need,worlds=3", "worlds"),
        ] {
            let error = participant(text).unwrap_err().to_string();
            assert!(error.contains(expected), "{text}: {error}");
        }
    }

    #[test]
    fn templates_are_filled() {
        let address = "127.0.0.1:4000".parse().unwrap();
        assert_eq!(arguments(TEMPLATE, address), ["127.0.0.1:4000"]);
        let own = arguments("-h {host}  -p {port} --fast", address);
        assert_eq!(own, ["-h", "127.0.0.1", "-p", "4000", "--fast"]);
    }
}
