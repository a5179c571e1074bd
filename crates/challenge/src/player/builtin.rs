//! The players that are built in, by name.

use super::{
    Baseline, Blueprint, Bully, Counter, Doge, Effort, Equilibrium, Model, NeedTricks, Plain,
    Player, RandomCards, Response,
};
use crate::equilibrium::blueprint::Book;
use engine::rng::Random;
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
    /// The local best response to a player that is known, for measuring it.
    Response(Known),
}

/// A player whose strategy a responder knows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Known {
    /// [`Builtin::Random`].
    Random,
    /// [`Builtin::Bully`].
    Bully,
    /// [`Builtin::Doge`].
    Doge,
    /// [`Builtin::Need`].
    Need,
    /// [`Builtin::Counter`].
    Counter,
    /// [`Builtin::Blueprint`].
    Blueprint,
}

impl Known {
    fn name(self) -> &'static str {
        match self {
            Known::Random => "lbr:random",
            Known::Bully => "lbr:bully",
            Known::Doge => "lbr:doge",
            Known::Need => "lbr:need",
            Known::Counter => "lbr:counter",
            Known::Blueprint => "lbr:blueprint",
        }
    }

    fn model(self, book: &Arc<Book>, random: &Random) -> Model {
        match self {
            Known::Random => Model::random(),
            Known::Bully => Model::bully(),
            Known::Doge => Model::doge(),
            Known::Need => Model::need(),
            Known::Counter => Model::Counter(Box::new(Counter::new(random.clone()))),
            Known::Blueprint => Model::Book(Arc::clone(book)),
        }
    }
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

    /// The responders.
    pub const RESPONSES: [Builtin; 6] = [
        Builtin::Response(Known::Random),
        Builtin::Response(Known::Bully),
        Builtin::Response(Known::Doge),
        Builtin::Response(Known::Need),
        Builtin::Response(Known::Counter),
        Builtin::Response(Known::Blueprint),
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
            Builtin::Response(known) => known.name(),
        }
    }

    fn names() -> String {
        let named = Builtin::ALL.into_iter().chain(Builtin::RESPONSES);
        named.map(Builtin::name).collect::<Vec<_>>().join(", ")
    }

    /// Who responds best to a player as far as its strategy is known: the one that solves endgames is
    /// taken for the blueprint.
    pub fn response(self) -> Option<Builtin> {
        Some(Builtin::Response(match self {
            Builtin::Random => Known::Random,
            Builtin::Bully => Known::Bully,
            Builtin::Doge => Known::Doge,
            Builtin::Need => Known::Need,
            Builtin::Counter => Known::Counter,
            Builtin::Blueprint | Builtin::Equilibrium => Known::Blueprint,
            Builtin::Plain | Builtin::Response(_) => return None,
        }))
    }

    /// Whether it plays from the tables in `support/`.
    pub fn needs_book(self) -> bool {
        matches!(
            self,
            Builtin::Blueprint | Builtin::Equilibrium | Builtin::Response(_)
        )
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
            Builtin::Equilibrium => Box::new(Equilibrium::new(
                Arc::clone(book?),
                Effort::default(),
                random,
            )),
            Builtin::Response(known) => {
                let book = Arc::clone(book?);
                Box::new(Response::new(known.model(&book, &random), book, random))
            }
        })
    }
}

impl FromStr for Builtin {
    type Err = UnknownPlayer;

    fn from_str(name: &str) -> Result<Builtin, UnknownPlayer> {
        Builtin::ALL
            .into_iter()
            .chain(Builtin::RESPONSES)
            .find(|player| player.name() == name)
            .ok_or_else(|| UnknownPlayer(name.to_owned()))
    }
}

impl fmt::Display for Builtin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
