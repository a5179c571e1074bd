//! The lab's part of the trick-taking games, Tricky Eights and Hearts: training of policy networks, weights of playouts,
//! and the measure of how well hidden cards are inferred.

pub mod inference;
pub mod training;
pub mod weights;

pub use games::tricks::{Contest, Eights, Hearts, Moon, record};

use tricks::Round;

/// The hands that were dealt in a round, in an order that does not depend on who sat where: the rounds of a match in
/// which the players change seats have the same ones.
pub fn deal_of<R: Round>(start: &R) -> String {
    let hands = record::dealt_hands(start).into_iter();
    let mut hands: Vec<String> = hands.map(record::words).collect();
    hands.sort();
    hands.join(", ")
}
