//! Who takes part: a built-in player or a program, as it is typed.

use super::Contest;
use arena::participant::{BuiltinError, ParticipantError, Spec, Syntax};
use arena::process::CommandLine;
use engine::budget::Limits;
use std::time::Duration;
use tricks::monte_carlo::Finish;
use tricks::{Agent, Method};

/// A participant: a built-in player, or a program that is started and spoken with.
pub type Participant<P> = arena::participant::Participant<Agent<P>, CommandLine>;

/// Built-in players need no `builtin:`, and a program may have arguments.
const SYNTAX: Syntax = Syntax {
    names: true,
    commands: true,
};

/// The settings of `search`.
const SETTINGS: [&str; 7] = [
    "time",
    "nodes",
    "blind",
    "flat",
    "paranoid",
    "maxn",
    "the name of a policy",
];

/// Finds `[LABEL=]PLAYER`, where the player is built in (see [`agent`]) or a program: a path, with or
/// without arguments; one that has no slash in it must be found in `PATH` and have arguments or a
/// label.
///
/// # Errors
/// If it is neither.
pub fn participant<C: Contest>(
    contest: &C,
    text: &str,
) -> Result<Participant<C::Policy>, ParticipantError> {
    Participant::find(text, SYNTAX, |spec| agent(contest, spec))
}

/// The policy with a NAME, or `search` with settings in any order: `time=SECONDS` or `nodes=N`, of
/// which the last one counts, the POLICY of the playouts, and a method other than the usual one:
/// `blind`, `flat`, `paranoid`, `maxn`.
///
/// # Errors
/// If the name or a setting is unknown.
pub fn agent<C: Contest>(contest: &C, spec: &Spec) -> Result<Agent<C::Policy>, BuiltinError> {
    if spec.name != "search" {
        let policy = contest.policy(&spec.name);
        let policy = policy.map_err(|_| spec.unknown(contest.names()))?;
        spec.check(&[])?;
        return Ok(Agent::Policy(policy));
    }
    let mut limits = Limits {
        time: Some(Duration::from_millis(50)),
        nodes: None,
    };
    let mut policy = contest.playout();
    let mut method = Method::default();
    for (setting, value) in spec.settings.iter() {
        match (setting, value) {
            ("time", Some(_)) => {
                limits = Limits {
                    time: spec.settings.seconds("time")?,
                    nodes: None,
                };
            }
            ("nodes", Some(_)) => {
                limits = Limits {
                    time: None,
                    nodes: spec.settings.get("nodes")?,
                };
            }
            ("blind", None) => method = Method::Blind,
            ("flat", None) => method = Method::Flat(Finish::Policy),
            ("paranoid", None) => method = Method::Flat(Finish::Paranoid),
            ("maxn", None) => method = Method::Flat(Finish::MaxN),
            _ => {
                let named = contest.policy(setting).ok().filter(|_| value.is_none());
                policy = named.ok_or_else(|| spec.unknown_key(setting, &SETTINGS))?;
            }
        }
    }
    Ok(Agent::Search(policy, method, limits))
}
