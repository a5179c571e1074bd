//! The players that are built in, by name.

use super::{
    Baseline, Blueprint, Bully, Counter, Doge, Equilibrium, NeedTricks, Plain, Player, RandomCards,
};
use crate::challenge::equilibrium::blueprint::Book;
use crate::random::Random;
use std::fmt;
use std::str::FromStr;
use std::sync::Arc;
use thiserror::Error;

/// A built-in player.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Builtin {
    /// The smallest winner, else the lowest card; no challenges.
    Plain,
    /// Random cards, no challenges.
    Random,
    /// Random cards, every challenge.
    Bully,
    /// Thresholds on the mean rank.
    Doge,
    /// Thresholds on the tricks it needs.
    Need,
    /// Card counting.
    Counter,
    /// The blueprint alone.
    Blueprint,
    /// The blueprint, with the last two tricks solved while playing.
    Equilibrium,
}

/// There is no such player.
#[derive(Debug, Error)]
#[error("no player is called {0:?}: expected {known}", known = Builtin::names())]
pub struct UnknownPlayer(String);

impl Builtin {
    /// All of them.
    pub const ALL: [Builtin; 8] = [
        Builtin::Plain,
        Builtin::Random,
        Builtin::Bully,
        Builtin::Doge,
        Builtin::Need,
        Builtin::Counter,
        Builtin::Blueprint,
        Builtin::Equilibrium,
    ];

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Builtin::Plain => "plain",
            Builtin::Random => "random",
            Builtin::Bully => "bully",
            Builtin::Doge => "doge",
            Builtin::Need => "need",
            Builtin::Counter => "counter",
            Builtin::Blueprint => "blueprint",
            Builtin::Equilibrium => "equilibrium",
        }
    }

    fn names() -> String {
        Builtin::ALL.map(Builtin::name).join(", ")
    }

    /// Whether it plays from the tables in `support/`.
    pub fn needs_book(self) -> bool {
        matches!(self, Builtin::Blueprint | Builtin::Equilibrium)
    }

    /// The player; none if it needs tables and is given none.
    pub fn player(self, book: Option<&Arc<Book>>, random: Random) -> Option<Box<dyn Player>> {
        Some(match self {
            Builtin::Plain => Box::new(Plain),
            Builtin::Random => Box::new(Baseline::new(RandomCards, random)),
            Builtin::Bully => Box::new(Baseline::new(Bully, random)),
            Builtin::Doge => Box::new(Baseline::new(Doge, random)),
            Builtin::Need => Box::new(Baseline::new(NeedTricks, random)),
            Builtin::Counter => Box::new(Counter::new(random)),
            Builtin::Blueprint => Box::new(Blueprint::new(Arc::clone(book?), random)),
            Builtin::Equilibrium => Box::new(Equilibrium::new(Arc::clone(book?), random)),
        })
    }
}

impl FromStr for Builtin {
    type Err = UnknownPlayer;

    fn from_str(name: &str) -> Result<Builtin, UnknownPlayer> {
        Builtin::ALL
            .into_iter()
            .find(|player| player.name() == name)
            .ok_or_else(|| UnknownPlayer(name.to_owned()))
    }
}

impl fmt::Display for Builtin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
