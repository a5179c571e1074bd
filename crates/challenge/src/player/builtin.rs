//! The built-in players, by name.

use super::{
    Baseline, BlueprintPlayer, Bully, Caution, Counter, Doge, EquilibriumPlayer,
    EquilibriumSettings, Exploiter, Memory, NeedTricks, Plain, Player, RandomCards, SearchSettings,
    Searcher,
};
use crate::equilibrium::blueprint::Tables;
use engine::rng::{Random, split};
use std::fmt;
use std::str::FromStr;
use thiserror::Error;

/// A built-in player, as command lines name it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Builtin {
    /// The smallest winner, else the lowest card; no offers.
    Plain,
    /// Random cards, no challenges.
    Random,
    /// Random cards, every challenge.
    Bully,
    /// Thresholds on the mean rank of its cards.
    Doge,
    /// Thresholds on the tricks it needs.
    Need,
    Counter,
    Blueprint,
    /// The blueprint, with the last three tricks solved while playing.
    Equilibrium,
    /// Every decision tried by playouts of the blueprint.
    Search,
}

/// There is no player of this name.
#[derive(Debug, Error)]
#[error("no player is called {name:?}: expected {expected}")]
pub struct UnknownPlayer {
    pub name: String,
    /// All names of players.
    pub expected: String,
}

impl Builtin {
    pub const ALL: [Builtin; 9] = [
        Builtin::Plain,
        Builtin::Random,
        Builtin::Bully,
        Builtin::Doge,
        Builtin::Need,
        Builtin::Counter,
        Builtin::Blueprint,
        Builtin::Equilibrium,
        Builtin::Search,
    ];

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
            Builtin::Search => "search",
        }
    }

    /// Whether it plays from tables.
    pub fn needs_tables(self) -> bool {
        matches!(
            self,
            Builtin::Blueprint | Builtin::Equilibrium | Builtin::Search
        )
    }

    /// Makes the player. The first one that plays from `tables` loads them.
    pub fn player(self, tables: &Tables, rng: Random) -> Box<dyn Player> {
        match self {
            Builtin::Plain => Box::new(Plain),
            Builtin::Random => Box::new(Baseline::new(RandomCards, rng)),
            Builtin::Bully => Box::new(Baseline::new(Bully, rng)),
            Builtin::Doge => Box::new(Baseline::new(Doge, rng)),
            Builtin::Need => Box::new(Baseline::new(NeedTricks, rng)),
            Builtin::Counter => Box::new(Counter::new(rng)),
            Builtin::Blueprint => Box::new(BlueprintPlayer::new(tables.blueprint(), rng)),
            Builtin::Equilibrium => Box::new(EquilibriumPlayer::new(
                tables.blueprint(),
                EquilibriumSettings::default(),
                rng,
            )),
            Builtin::Search => Box::new(Searcher::new(
                tables.blueprint(),
                SearchSettings::default(),
                rng,
            )),
        }
    }
}

impl Builtin {
    /// Whether it can be the base of a player that exploits its opponents.
    pub fn can_exploit(self) -> bool {
        matches!(self, Builtin::Blueprint | Builtin::Equilibrium)
    }

    /// Makes the player with learning: it deviates where that pays against the present opponent. Players that
    /// cannot deviate are made as they are.
    pub fn exploiter(self, tables: &Tables, memory: &Memory, mut rng: Random) -> Box<dyn Player> {
        let (blueprint, memory) = (|| tables.blueprint(), memory.clone());
        let own = split(&mut rng);
        let caution = Caution::default();
        // Only players whose proposals can be replaced: see `can_exploit`.
        match self {
            Builtin::Blueprint => Box::new(Exploiter::new(
                BlueprintPlayer::new(blueprint(), rng),
                blueprint(),
                memory,
                caution,
                own,
            )),
            Builtin::Equilibrium => Box::new(Exploiter::new(
                EquilibriumPlayer::new(blueprint(), EquilibriumSettings::default(), rng),
                blueprint(),
                memory,
                caution,
                own,
            )),
            _ => self.player(tables, rng),
        }
    }
}

impl FromStr for Builtin {
    type Err = UnknownPlayer;

    fn from_str(name: &str) -> Result<Builtin, UnknownPlayer> {
        let mut all = Builtin::ALL.into_iter();
        // An unknown name is answered with all names there are.
        all.find(|player| player.name() == name)
            .ok_or_else(|| UnknownPlayer {
                name: name.to_owned(),
                expected: Builtin::ALL.map(Builtin::name).join(", "),
            })
    }
}

impl fmt::Display for Builtin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
