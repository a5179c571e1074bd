//! Participants as they are typed: built-in players or programs.

use super::Contest;
use arena::participant::{BUILTIN, BuiltinError, ParticipantArg, ParticipantError, Spec, Syntax};
use arena::process::CommandLine;
use engine::budget::Limits;
use seats::tricks::network_of;
use seats::tricks::players::{Cheat, Uct, Yardstick};
use std::path::Path;
use std::str::FromStr;
use std::time::Duration;
use tricks::{Agent, Aim, Method, PolicySet, Search, Thinkers};

/// A participant: a built-in player, or a program that is started and spoken with.
pub type Participant<P> = arena::participant::Participant<Mind<P>, CommandLine>;

/// How a built-in player decides.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Mind<P> {
    /// A player for contests.
    Agent(Agent<P>),
    /// A yardstick, which is there only for measuring.
    Yardstick(Yardstick),
    /// A yardstick that sees all hands, allowed only in matches.
    Cheat(Cheat),
}

/// Built-in players need no `builtin:`, and a program may have arguments.
pub(super) const SYNTAX: Syntax = Syntax {
    names: true,
    commands: true,
};

/// The time of a decision of a player that searches, unless a setting says otherwise.
const SEARCH_TIME: Duration = Duration::from_millis(50);

/// The settings of `search`.
const SETTINGS: [&str; 8] = [
    "time",
    "nodes",
    "threads",
    "network",
    "blind",
    "flat",
    "points",
    "the name of a policy",
];

/// Finds `[LABEL=]PLAYER`, where the player is built in (see [`mind`]) or a program: a path, with or
/// without arguments; one that has no slash in it must be found in `PATH` and have arguments or a
/// label.
///
/// # Errors
/// If it is neither.
pub fn participant<C: Contest>(text: &str) -> Result<Participant<C::Policy>, ParticipantError> {
    Participant::find(text, SYNTAX, mind::<C>)
}

/// Why `cheat` is refused where programs are rated.
pub(crate) const SEES_ALL: &str = "it sees all hands, and plays in matches and ladders only";

/// The limit of a decision, for searching players without their own: `nodes=N` or `time=SECONDS`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Limit {
    key: &'static str,
    value: String,
}

impl FromStr for Limit {
    type Err = String;

    fn from_str(text: &str) -> Result<Limit, String> {
        let expected = || "expected nodes=N or time=SECONDS".to_owned();
        let (key, value) = text.split_once('=').ok_or_else(expected)?;
        let (key, is_good) = match key {
            "nodes" => ("nodes", value.parse().is_ok_and(|nodes: u32| nodes > 0)),
            "time" => {
                let seconds = value.parse().unwrap_or(0.0);
                let is_time = Duration::try_from_secs_f64(seconds).is_ok();
                ("time", seconds > 0.0 && is_time)
            }
            _ => return Err(expected()),
        };
        let value = value.to_owned();
        is_good.then_some(Limit { key, value }).ok_or_else(expected)
    }
}

impl Limit {
    /// The text of a participant with this limit added, if it is a built-in searching player without a limit.
    /// A node is a simulation for `uct`.
    pub fn applied_to(&self, text: &str) -> String {
        // Only texts of built-in players are changed; paths and commands are left as they are.
        let program = ParticipantArg::new(text, SYNTAX).program;
        let builtin = program.strip_prefix(BUILTIN).unwrap_or(&program);
        let is_path = builtin == program && program.contains(['/', ' ']);
        let Ok(spec) = builtin.parse::<Spec>() else {
            return text.to_owned();
        };
        let limits = ["nodes", "time", "simulations"];
        let has_own = spec.settings.iter().any(|(key, _)| limits.contains(&key));
        let key = match spec.name.as_str() {
            _ if is_path || has_own => return text.to_owned(),
            "search" | "cheat" => self.key,
            "uct" if self.key == "nodes" => "simulations",
            "uct" => self.key,
            _ => return text.to_owned(),
        };
        format!("{text},{key}={}", self.value)
    }
}

/// Reads the name and settings of a built-in player:
///
/// - the name of a policy,
/// - a yardstick: one of [`Yardstick::named`], or `uct` with `worlds=N` and `simulations=N` or `time=SECONDS`,
/// - `cheat`, which sees all hands, with `time=SECONDS` or `nodes=N`,
/// - `search` with settings in any order: `time=SECONDS` or `nodes=N`, `threads=N`, the
///   policy of the playouts, `blind` or `flat` for another method than the usual one, `points` to play for points
///   in every standing of the game, and `network=FILE` for another network than the program's.
///
/// # Errors
/// If the name or a setting is unknown.
pub fn mind<C: Contest>(spec: &Spec) -> Result<Mind<C::Policy>, BuiltinError> {
    // Fixed rules first: they take no settings at all.
    let mut rules = Yardstick::named(C::LOW_IS_GOOD).into_iter();
    if let Some((_, yardstick)) = rules.find(|(name, _)| *name == spec.name) {
        spec.check(&[])?;
        return Ok(Mind::Yardstick(yardstick));
    }
    if spec.name == "uct" {
        spec.check(&["worlds", "simulations", "time"])?;
        return Ok(Mind::Yardstick(Yardstick::Uct(Uct {
            worlds: spec.settings.number("worlds", 30, 1..=1_000_000)?,
            simulations: spec.settings.number("simulations", 10_000, 1..=u32::MAX)?,
            time: spec.settings.seconds("time")?,
        })));
    }
    if spec.name == "cheat" {
        spec.check(&["time", "nodes"])?;
        let limits = limits(spec)?;
        return Ok(Mind::Cheat(Cheat { limits }));
    }
    // Any other name is a policy, which takes no settings either.
    if spec.name != "search" {
        let policy = C::Policy::named(&spec.name);
        let policy = policy.ok_or_else(|| spec.unknown(seats::tricks::names::<C>()))?;
        spec.check(&[])?;
        return Ok(Mind::Agent(Agent::Policy(policy)));
    }
    // From here on `search`: the defaults, changed setting by setting.
    let limits = limits(spec)?;
    let mut policy = C::Policy::PLAYOUT;
    let mut network = None;
    let mut aim = Aim::Game;
    let mut threads = 1;
    let mut playouts = None;
    for (setting, value) in spec.settings.iter() {
        match (setting, value) {
            ("time" | "nodes", Some(_)) => {}
            ("threads", Some(_)) => {
                threads = spec.settings.number("threads", threads, 1..=1024)?;
            }
            ("network", Some(path)) => {
                let found = network_of::<C>(Path::new(path))
                    .map_err(|error| BuiltinError::Unavailable(error.to_string()))?;
                network = Some(found);
            }
            ("blind" | "flat", None) => {}
            ("points", None) => aim = Aim::Points,
            // A word without a value is the policy of the playouts.
            _ => {
                let named = C::Policy::named(setting).filter(|_| value.is_none());
                policy = named.ok_or_else(|| spec.unknown_key(setting, &SETTINGS))?;
                playouts = Some(setting);
            }
        }
    }
    let method = match (spec.settings.has("blind"), spec.settings.has("flat")) {
        (true, true) => return Err(one_of("blind", "flat")),
        (true, false) => Method::Blind,
        (false, true) => Method::Flat,
        (false, false) => Method::default(),
    };
    // With inference everybody is played out as learnt from games, where such a network is: a policy that is named would
    // change nothing.
    let by_network = matches!(C::Policy::THINKERS, Thinkers::Network);
    if let (Some(name), Method::Inference, true) = (playouts, method, by_network) {
        return Err(BuiltinError::Unavailable(format!(
            "search,{name}: this search plays rounds out by its network; add blind or flat to play them out by {name}"
        )));
    }
    Ok(Mind::Agent(Agent::Search(Search {
        policy,
        method,
        limits,
        network,
        aim,
        threads,
    })))
}

/// The limits of a search: its time or its rounds, and the usual time without either.
fn limits(spec: &Spec) -> Result<Limits, BuiltinError> {
    let nodes = spec.settings.get("nodes")?;
    let time = spec.settings.seconds("time")?;
    match (time, nodes) {
        (Some(_), Some(_)) => Err(one_of("nodes", "time")),
        (None, None) => Ok(Limits {
            time: Some(SEARCH_TIME),
            nodes,
        }),
        _ => Ok(Limits { time, nodes }),
    }
}

fn one_of(first: &str, second: &str) -> BuiltinError {
    BuiltinError::Unavailable(format!(
        "{first} and {second} exclude each other: expected one of them"
    ))
}

/// The same, without yardsticks.
///
/// # Errors
/// If the name or a setting is unknown.
pub fn agent<C: Contest>(spec: &Spec) -> Result<Agent<C::Policy>, BuiltinError> {
    // Yardsticks count as unknown here, so the message lists only the players that can be used.
    match mind::<C>(spec) {
        Ok(Mind::Agent(agent)) => Ok(agent),
        Ok(Mind::Yardstick(_) | Mind::Cheat(_)) | Err(BuiltinError::Unknown { .. }) => {
            Err(spec.unknown(seats::tricks::agents::<C>()))
        }
        Err(error) => Err(error),
    }
}
