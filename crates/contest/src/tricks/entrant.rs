//! Who takes part: a built-in player or a program, as somebody types it.

use super::Contest;
use arena::process::{CommandLine, CommandLineError};
use engine::budget::Limits;
use std::time::Duration;
use thiserror::Error;
use tricks::monte_carlo::Finish;
use tricks::{Agent, Method};

/// A description of a player that cannot be read.
#[derive(Debug, Error)]
pub enum Unreadable {
    /// No such player.
    #[error("no player {name:?}: expected {expected}, or a program: a path, or LABEL=PATH")]
    Name {
        /// What was given.
        name: String,
        /// Which there are.
        expected: &'static str,
    },
    /// A setting that is none.
    #[error("{0:?} is no setting: expected time=SECONDS or nodes=N")]
    Setting(String),
    /// No such program.
    #[error(transparent)]
    Program(#[from] CommandLineError),
}

/// Somebody who takes part.
#[derive(Clone, Debug, PartialEq)]
pub struct Entrant<P> {
    /// What it is called.
    pub label: String,
    /// Who it is.
    pub kind: Kind<P>,
}

/// A built-in player or a program.
#[derive(Clone, Debug, PartialEq)]
pub enum Kind<P> {
    /// Plays inside this program.
    Inside(Agent<P>),
    /// Is started and spoken with.
    Program(CommandLine),
}

impl<P> Entrant<P> {
    /// Reads `[LABEL=]PLAYER`, where the player is built in (`NAME…` or `builtin:NAME…`, see [`agent`])
    /// or a program (a path, with or without arguments; one that has no slash in it must be found in
    /// `PATH` and have arguments or a label).
    ///
    /// # Errors
    /// If it is neither.
    pub fn read<C: Contest<Policy = P>>(contest: &C, text: &str) -> Result<Entrant<P>, Unreadable> {
        let (label, player) = match text.split_once('=') {
            // Settings have their equals signs after a comma, arguments after a blank, and paths
            // before a slash.
            Some((label, player)) if !label.contains([',', ' ', '/', ':']) => (Some(label), player),
            _ => (None, text),
        };
        let builtin = player.strip_prefix("builtin:");
        let kind = match agent(contest, builtin.unwrap_or(player)) {
            Ok(agent) => Kind::Inside(agent),
            Err(Unreadable::Name { .. })
                if builtin.is_none() && (label.is_some() || player.contains(['/', ' '])) =>
            {
                Kind::Program(player.parse()?)
            }
            Err(error) => return Err(error),
        };
        Ok(Entrant {
            label: label.unwrap_or(player).to_owned(),
            kind,
        })
    }
}

/// Reads `NAME` or `search`, with settings in any order: `time=SECONDS`, `nodes=N`, the POLICY of the
/// playouts, and a method other than the usual one: `blind`, `flat`, `paranoid`, `maxn`.
///
/// # Errors
/// If the name or a setting is unknown.
pub fn agent<C: Contest>(contest: &C, text: &str) -> Result<Agent<C::Policy>, Unreadable> {
    let unknown = |name: &str| Unreadable::Name {
        name: name.to_owned(),
        expected: contest.names(),
    };
    let mut words = text.split(',');
    let name = words.next().unwrap_or("");
    if name != "search" {
        return match words.next() {
            Some(setting) if contest.policy(name).is_ok() => {
                Err(Unreadable::Setting(setting.to_owned()))
            }
            _ => contest
                .policy(name)
                .map(Agent::Policy)
                .map_err(|_| unknown(name)),
        };
    }
    let mut limits = Limits {
        time: Some(Duration::from_millis(50)),
        nodes: None,
    };
    let mut policy = contest.playout();
    let mut method = Method::default();
    for word in words {
        let wrong = || Unreadable::Setting(word.to_owned());
        match word.split_once('=') {
            Some(("time", value)) => {
                let seconds: f64 = value.parse().map_err(|_| wrong())?;
                let time = Duration::try_from_secs_f64(seconds).map_err(|_| wrong())?;
                limits = Limits {
                    time: Some(time),
                    nodes: None,
                };
            }
            Some(("nodes", value)) => {
                limits = Limits {
                    time: None,
                    nodes: Some(value.parse().map_err(|_| wrong())?),
                };
            }
            Some(_) => return Err(wrong()),
            None => match word {
                "blind" => method = Method::Blind,
                "flat" => method = Method::Flat(Finish::Policy),
                "paranoid" => method = Method::Flat(Finish::Paranoid),
                "maxn" => method = Method::Flat(Finish::MaxN),
                _ => policy = contest.policy(word).map_err(|_| unknown(word))?,
            },
        }
    }
    Ok(Agent::Search(policy, method, limits))
}
