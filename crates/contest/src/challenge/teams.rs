//! The teams of a contest, and the file that names them.

use arena::plain_text::clean;
use serde::Deserialize;
use std::net::IpAddr;
use thiserror::Error;

/// A team as the contest's file names it.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Team {
    /// Its number for the whole contest.
    pub id: u64,
    /// Its name.
    pub name: String,
    /// The address it connects from. With a port of its own both must be right.
    pub host: Option<IpAddr>,
    /// A port of its own, where it is known whatever its address, if none is given.
    pub port: Option<u16>,
}

impl Team {
    /// The field that two teams must not share, and these do.
    fn common(&self, other: &Team) -> Option<&'static str> {
        if self.id == other.id {
            Some("id")
        } else if self.port.is_some() && self.port == other.port {
            Some("port")
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
    #[error("{0}")]
    Toml(#[from] toml::de::Error),
    /// A team could never connect.
    #[error("team {id} ({name}): expected `host`, the address it connects from, or `port`")]
    Unreachable {
        /// The team's number.
        id: u64,
        /// Its name.
        name: String,
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

/// Reads the teams' file: `[[team]]` with `id`, `name`, and `host` or `port`.
pub fn read_teams(text: &str) -> Result<Vec<Team>, TeamsError> {
    let mut teams = toml::from_str::<TeamsFile>(text)?.team;
    teams.iter_mut().for_each(|team| clean(&mut team.name));
    if teams.is_empty() {
        return Err(TeamsError::Empty);
    }
    for (i, team) in teams.iter().enumerate() {
        if team.host.is_none() && team.port.is_none() {
            return Err(TeamsError::Unreachable {
                id: team.id,
                name: team.name.clone(),
            });
        }
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

/// Two teams in the order of a pair.
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
            "team 2 (b): expected `host`, the address it connects from, or `port`"
        );
    }
}
