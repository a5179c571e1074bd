//! A player that sees all hands: its results show how much could be won by knowing the cards.

use super::tree::{Tree, Walk};
use engine::budget::{Budget, Limits};
use engine::rng::Random;
use tricks::belief::OpponentType;
use tricks::{Card, Cards, Policy as _, PolicySet, Round as _};

/// A search of the round with all hands open. It grows a tree of all players' decisions, in which each player
/// maximises its own value (max^n), with playouts by the game's policy. It needs cards that no
/// player may see, so only a referee that shows them can ask it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cheat {
    /// Time and nodes of a decision. A node is a round that is played out.
    pub limits: Limits,
}

/// Weight of the uncertainty in the upper confidence bound, in points.
const EXPLORE: f64 = 8.0;
/// Share of random cards in playouts. Without them everybody beyond the tree would make the same
/// mistakes in all playouts.
const NOISE: f64 = 0.1;

impl Cheat {
    /// The card of the player to act in a round with all hands open. None if nothing is legal.
    pub fn choose<P: PolicySet>(&self, round: &P::Round, rng: &mut Random) -> Option<Card> {
        let legal = round.legal();
        let first = legal.first()?;
        if legal.len() == 1 {
            return Some(first);
        }
        let by_rule = OpponentType::new(P::PLAYOUT, NOISE);
        let walk = Walk {
            explore: EXPLORE,
            plays: |round: &P::Round, legal: Cards, rng: &mut Random| match legal.len() {
                1 => legal.first().unwrap_or(first),
                _ => by_rule.choose(round, legal, rng),
            },
        };
        let budget = Budget::start(self.limits);
        let mut tree = Tree::default();
        loop {
            tree.simulate::<P>(round.clone(), &walk, rng);
            budget.spend(1);
            if budget.used(1.0) {
                break;
            }
        }
        // The most visits, as the most robust choice; of equals the first.
        let most = |best: (Card, u32), next: (Card, u32)| if next.1 > best.1 { next } else { best };
        Some(tree.visits(legal).fold((first, 0), most).0)
    }
}
