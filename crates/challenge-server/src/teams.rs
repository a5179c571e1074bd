//! The teams of a contest, and the file that names them.

use arena::plain_text::clean;
use challenge::protocol::Token;
use serde::de::Error as _;
use serde::{Deserialize, Deserializer};
use std::net::IpAddr;
use thiserror::Error;

/// A team as the contest's file names it.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Team {
    /// Its number for the whole contest.
    pub id: u64,
    pub name: String,
    /// The address that it connects from. If the team has a port too, a client must match both.
    #[serde(default, deserialize_with = "host")]
    pub host: Option<IpAddr>,
    /// Its own port. Without a `host`, a client at this port is this team from any address.
    pub port: Option<u16>,
    /// Its secret, which the team must send first. Without `host` and `port` the token alone identifies
    /// the team.
    #[serde(default, deserialize_with = "token")]
    pub token: Option<Token>,
}

/// Reads the address in `host`.
fn host<'de, D: Deserializer<'de>>(source: D) -> Result<Option<IpAddr>, D::Error> {
    let text = String::deserialize(source)?;
    let expected = "expected an IP address, such as 192.0.2.7";
    // An IPv4 address may be written as IPv6; connections are compared by the short form.
    let address: Result<IpAddr, _> = text.parse();
    address
        .map(|address| Some(address.to_canonical()))
        .map_err(|_| D::Error::custom(format!("host {text:?}: {expected}")))
}

/// Reads a token. Error messages never contain the text, which may be a real token with a mistake.
fn token<'de, D: Deserializer<'de>>(source: D) -> Result<Option<Token>, D::Error> {
    let text = match toml::Value::deserialize(source)? {
        toml::Value::String(text) => text,
        _ => return Err(D::Error::custom("expected `token` as text in quotes")),
    };
    Token::new(&text).map(Some).map_err(D::Error::custom)
}

impl Team {
    /// Whether the team is identified by its token alone.
    pub(super) fn is_known_by_token(&self) -> bool {
        self.host.is_none() && self.port.is_none()
    }

    /// Whether a client at this team's own port may be this team, judged by its address.
    pub(super) fn comes_from(&self, host: IpAddr) -> bool {
        self.host.is_none_or(|own| own == host)
    }

    /// The name of a field that is the same in both teams although it must distinguish them; none if all differ.
    fn common(&self, other: &Team) -> Option<&'static str> {
        if self.id == other.id {
            Some("id")
        } else if self.port.is_some() && self.port == other.port {
            Some("port")
        } else if self.token.is_some() && self.token == other.token {
            Some("token")
        } else if self.name == other.name {
            Some("name")
        // Two teams behind one address are fine if a port distinguishes one of them.
        } else if self.host.is_some()
            && self.host == other.host
            && (self.port.is_none() && other.port.is_none())
        {
            Some("host")
        } else {
            None
        }
    }
}

/// The contents of the teams' file.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct TeamsFile {
    #[serde(default)]
    team: Vec<Team>,
}

/// Why the teams' file cannot be used.
#[derive(Debug, Error)]
pub enum TeamsError {
    /// It is not a file of teams.
    #[error("line {line}: {message}")]
    Toml {
        /// The line, from 1.
        line: usize,
        /// The mistake. The line itself may hold a token.
        message: String,
    },
    /// A team could never connect.
    #[error(
        "team {id} ({name}): expected `host`, the address it connects from, `port`, or `token`"
    )]
    Unreachable { id: u64, name: String },
    /// A team has the number 0, a name without letters, or a port that does not exist.
    #[error("team {id} ({name}): expected {expected}")]
    Wrong {
        id: u64,
        name: String,
        expected: &'static str,
    },
    /// It names no team.
    #[error("there is no team in it: expected a `[[team]]` for each")]
    Empty,
    /// Two teams cannot be distinguished.
    #[error("teams {} ({}) and {} ({}) have the same {what}", .teams[0].0, .teams[0].1, .teams[1].0, .teams[1].1)]
    Twice {
        /// The teams' numbers and names.
        teams: [(u64, String); 2],
        /// The field that is the same.
        what: &'static str,
    },
}

/// Reads the teams' file: `[[team]]` with `id`, `name`, and `host`, `port` or `token`.
pub fn read_teams(text: &str) -> Result<Vec<Team>, TeamsError> {
    // The error's own display quotes the line, which may hold a token. So only its place and its message are
    // kept.
    let read = toml::from_str::<TeamsFile>(text).map_err(|error| {
        let start = error.span().map_or(0, |span| span.start.min(text.len()));
        TeamsError::Toml {
            line: 1 + text.as_bytes()[..start]
                .iter()
                .filter(|&&byte| byte == b'\n')
                .count(),
            message: error.message().to_owned(),
        }
    });
    let mut teams = read?.team;
    // Names are printed to terminals and pages.
    teams.iter_mut().for_each(|team| clean(&mut team.name));
    if teams.is_empty() {
        return Err(TeamsError::Empty);
    }
    for (i, team) in teams.iter().enumerate() {
        let (id, name) = (team.id, team.name.clone());
        if team.host.is_none() && team.port.is_none() && team.token.is_none() {
            return Err(TeamsError::Unreachable { id, name });
        }
        for (is_wrong, expected) in [
            // 0 is the opponent at the test port, and a tester whose team nobody knows.
            (id == 0, "an `id` of 1 or more"),
            (name.trim().is_empty(), "a `name`"),
            (team.port == Some(0), "a `port` from 1 to 65535"),
        ] {
            if is_wrong {
                return Err(TeamsError::Wrong { id, name, expected });
            }
        }
        // Compared with earlier teams only, so every pair is checked once.
        let twice = |other: &Team| {
            other.common(team).map(|what| TeamsError::Twice {
                teams: [other, team].map(|one| (one.id, one.name.clone())),
                what,
            })
        };
        if let Some(error) = teams[..i].iter().find_map(twice) {
            return Err(error);
        }
    }
    Ok(teams)
}

/// Two teams, the lower number first.
pub type Pair = [u64; 2];

/// The pair of two teams, given in any order.
pub fn pair(a: u64, b: u64) -> Pair {
    [a.min(b), a.max(b)]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn teams_are_read_and_checked() {
        let text = "[[team]]\nid = 1\nname = \"a\"\nhost = \"10.0.0.1\"\n[[team]]\nid = 2\nname = \"b\"\nport = 10002\n";
        let teams = read_teams(text).unwrap();
        assert_eq!(teams.len(), 2);
        assert_eq!(teams[1].port, Some(10002));
        let nought = text.replace("id = 1", "id = 0");
        assert_eq!(
            read_teams(&nought).unwrap_err().to_string(),
            "team 0 (a): expected an `id` of 1 or more"
        );
        let twice = text.replace("port = 10002", "host = \"10.0.0.1\"");
        assert_eq!(
            read_teams(&twice).unwrap_err().to_string(),
            "teams 1 (a) and 2 (b) have the same host"
        );
        let neighbours = text.replace("port = 10002", "port = 10002\nhost = \"10.0.0.1\"");
        assert_eq!(
            read_teams(&neighbours).unwrap().len(),
            2,
            "one has a port of its own"
        );
        assert!(matches!(read_teams(""), Err(TeamsError::Empty)));
        let nowhere = text.replace("port = 10002", "");
        assert_eq!(
            read_teams(&nowhere).unwrap_err().to_string(),
            "team 2 (b): expected `host`, the address it connects from, `port`, or `token`"
        );
    }

    #[test]
    fn names_differ_and_ports_exist() {
        let teams = |name, port| {
            let first = "[[team]]\nid = 1\nname = \"a\"\nport = 10001\n";
            let second = format!("[[team]]\nid = 2\nname = \"{name}\"\nport = {port}\n");
            read_teams(&(first.to_owned() + &second)).map_err(|error| error.to_string())
        };
        assert_eq!(teams("b", 1).map(|teams| teams.len()), Ok(2));
        for (name, port, expected) in [
            ("a", 1, "teams 1 (a) and 2 (a) have the same name"),
            (" ", 1, "team 2 ( ): expected a `name`"),
            ("b", 0, "team 2 (b): expected a `port` from 1 to 65535"),
        ] {
            assert_eq!(teams(name, port).unwrap_err(), expected);
        }
    }

    #[test]
    fn a_host_is_an_address() {
        let team = |host| format!("[[team]]\nid = 1\nname = \"x\"\nhost = {host}\n");
        let host = "192.0.2.7".parse().ok();
        assert_eq!(read_teams(&team("\"192.0.2.7\"")).unwrap()[0].host, host);
        let error = read_teams(&team("\"example\"")).unwrap_err().to_string();
        let expected = "line 4: host \"example\": expected an IP address, such as 192.0.2.7";
        assert_eq!(error, expected);
    }

    #[test]
    fn a_token_is_not_printed() {
        let team = |id, token| format!("[[team]]\nid = {id}\nname = \"{id}\"\ntoken = {token}\n");
        let teams = read_teams(&(team(1, "\"sesame\"") + &team(2, "\"mellon\""))).unwrap();
        assert_eq!(teams[0].token, Some(Token::new("sesame").unwrap()));
        assert!(!format!("{teams:?}").contains("sesame"));
        let error = |text: &str| read_teams(text).unwrap_err().to_string();
        assert_eq!(
            error(&(team(1, "\"sesame\"") + &team(2, "\"sesame\""))),
            "teams 1 (1) and 2 (2) have the same token"
        );
        for (wrong, expected) in [
            ("5150", "line 4: expected `token` as text in quotes"),
            ("\"\"", "line 4: expected a token of 1 to 200 characters"),
            ("5150x", "line 4: "),
        ] {
            let error = error(&team(1, wrong));
            assert!(error.starts_with(expected), "{error}");
            assert!(!error.contains("5150"), "{error}");
        }
    }
}
