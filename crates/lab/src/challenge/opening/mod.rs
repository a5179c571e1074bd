//! The first two tricks of a hand, solved without abstraction. `lab challenge solve --openings` trains them, and
//! `lab challenge exploit --exact` checks the player that uses them.
//!
//! The public tree of two tricks has 28,561 ends (13⁴ ways to play four cards). Every hand of both
//! players has its own strategy in it. Where the third trick begins, a function of both ranges
//! gives the values. It is learnt from solved endgames, as a [`challenge`] player will solve them
//! at the table.
//!
//! The method is CFR on the public tree of two tricks, all hands at once. `EndgameValues` values the ends of the tree, as
//! a function of both ranges in the way of DeepStack (Moravčík et al. 2017). It looks at the strength of a hand against
//! the other's range and at the strength of the own range, and takes the mean of the values that solved endgames had
//! there. Then it shifts both players' values so that they sum to 0. It goes on learning from endgames that the average
//! strategies reach.
//!
//! In accepted challenges both play by the blueprint; `Accepted` has the chances of all pairs of hands, by induction.
//! Tests check that both players' values sum to 0, that further iterations leave less to win, and that no two decisions
//! share a slot.
//!
//! The decisions of a player that solves endgames depend on more than the public state and its cards, so no
//! exact best response can be computed. [`OpeningCheck`] samples how much a best response that was found with
//! a value function wins over a whole hand.

mod accepted;
mod check;
mod choice;
mod place;
mod sets;
mod training;
mod tree;
mod trick;
mod values;

#[cfg(test)]
mod tests;

pub use check::OpeningCheck;
pub use training::{OpeningSettings, OpeningTrainer};
