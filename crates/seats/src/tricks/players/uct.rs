//! Perfect-information UCT on sampled worlds, as Sturtevant described it for Hearts ("An Analysis
//! of UCT in Multi-Player Games", 2008, section 5). Worlds that fit the observations are drawn, all
//! equally likely. Each has a tree for all players, in which every player maximises its own value
//! (max^n), with random playouts. The card with the most visits in all worlds together is played.

use super::tree::{Tree, Walk};
use engine::budget::{Budget, Limits};
use engine::rng::Random;
use std::collections::HashMap;
use std::time::Duration;
use tricks::{Card, PolicySet, Round as _, View, random_card};

/// The size of the search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Uct {
    /// Number of worlds drawn for a decision.
    pub worlds: u32,
    /// Simulations in all worlds together.
    pub simulations: u32,
    /// Time instead of simulations, in equal parts for the worlds.
    pub time: Option<Duration>,
}

/// Weight of the uncertainty in the bound, in points. Values are points; a round has about 25.
const EXPLORE: f64 = 8.0;

impl Uct {
    /// The card that the viewer plays. The viewer must be to act and have a legal card.
    pub(super) fn choose<P: PolicySet>(&self, view: &View<P::Round>, rng: &mut Random) -> Card {
        let legal = view.round().legal();
        let first = legal.first().unwrap_or_else(|| unreachable!());
        // If the observations contradict each other no world fits them.
        let Ok(world) = view.worlds() else {
            return random_card(legal, rng);
        };
        if legal.len() == 1 {
            return first;
        }
        let limits = match self.time {
            Some(time) => Limits {
                time: Some(time / self.worlds),
                nodes: None,
            },
            None => Limits::nodes(u64::from(self.simulations / self.worlds)),
        };
        let walk = Walk {
            explore: EXPLORE,
            plays: |_: &P::Round, legal, rng: &mut Random| random_card(legal, rng),
        };
        let mut tried: HashMap<Card, u32> = HashMap::new();
        for _ in 0..self.worlds {
            let root = world(rng);
            let budget = Budget::start(limits);
            let mut tree = Tree::default();
            loop {
                tree.simulate::<P>(root.clone(), &walk, rng);
                budget.spend(1);
                if budget.used(1.0) {
                    break;
                }
            }
            for (card, visits) in tree.visits(legal) {
                *tried.entry(card).or_default() += visits;
            }
        }
        // The first card of equals, so that the answer is the same everywhere.
        let mut best = (0, first);
        for card in legal {
            let count = tried.get(&card).copied().unwrap_or(0);
            if count > best.0 {
                best = (count, card);
            }
        }
        best.1
    }
}
