//! The players that are built in, by name.

use super::Player;
use super::plain::Plain;
use thiserror::Error;

/// A player that is built in.
#[derive(Clone, Copy, Debug)]
pub struct Builtin {
    /// What it is called.
    pub name: &'static str,
    /// What it does, in a line.
    pub about: &'static str,
    /// Makes one; chance comes from the seed.
    pub make: fn(seed: u64) -> Box<dyn Player>,
}

/// All of them, the strongest first.
pub const ALL: &[Builtin] = &[Builtin {
    name: "plain",
    about: "smallest winner, else lowest card; no challenges",
    make: |_| Box::new(Plain),
}];

/// No player has this name.
#[derive(Debug, Error)]
#[error("no built-in player is called {name:?}: expected one of {}", names())]
pub struct UnknownPlayer {
    /// The name that was asked for.
    pub name: String,
}

/// All names, with commas between them.
pub fn names() -> String {
    let names: Vec<&str> = ALL.iter().map(|player| player.name).collect();
    names.join(", ")
}

/// The player of a name.
pub fn by_name(name: &str) -> Result<Builtin, UnknownPlayer> {
    let found = ALL.iter().find(|player| player.name == name);
    found.copied().ok_or_else(|| UnknownPlayer {
        name: name.to_owned(),
    })
}

/// The strongest player.
pub fn strongest() -> Builtin {
    ALL[0]
}
