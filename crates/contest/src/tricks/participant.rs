//! Who takes part: a built-in player or a program, as it is typed.

use super::Contest;
use arena::participant::{BuiltinError, ParticipantError, Spec, Syntax};
use arena::process::CommandLine;
use engine::budget::Limits;
use std::time::Duration;
use tricks::{Agent, Method, PolicySet as _};

/// A participant: a built-in player, or a program that is started and spoken with.
pub type Participant<P> = arena::participant::Participant<Agent<P>, CommandLine>;

/// Built-in players need no `builtin:`, and a program may have arguments.
const SYNTAX: Syntax = Syntax {
    names: true,
    commands: true,
};

/// The settings of `search`.
const SETTINGS: [&str; 5] = ["time", "nodes", "blind", "flat", "the name of a policy"];

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
/// `blind`, `flat`.
///
/// # Errors
/// If the name or a setting is unknown.
pub fn agent<C: Contest>(contest: &C, spec: &Spec) -> Result<Agent<C::Policy>, BuiltinError> {
    if spec.name != "search" {
        let policy = C::Policy::named(&spec.name);
        let policy = policy.ok_or_else(|| spec.unknown(contest.names()))?;
        spec.check(&[])?;
        return Ok(Agent::Policy(policy));
    }
    let mut limits = Limits {
        time: Some(Duration::from_millis(50)),
        nodes: None,
    };
    let mut policy = C::Policy::PLAYOUT;
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
            ("flat", None) => method = Method::Flat,
            _ => {
                let named = C::Policy::named(setting).filter(|_| value.is_none());
                policy = named.ok_or_else(|| spec.unknown_key(setting, &SETTINGS))?;
            }
        }
    }
    Ok(Agent::Search(policy, method, limits))
}
