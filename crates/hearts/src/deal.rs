//! Deals a round at random, for referees, training and tests.

use crate::rules::{FIRST_LEAD, Options, Round, deck};
use engine::rng::Random;
use tricks::{Hands, shuffled};

/// A round with a shuffled deck; the player with the two of clubs leads.
pub fn deal(players: usize, options: Options, rng: &mut Random) -> Round {
    let deck = shuffled(deck(players), rng);
    let mut hands = Hands::default();
    for (hand, cards) in hands.iter_mut().zip(deck.chunks(deck.len() / players)) {
        *hand = cards.iter().copied().collect();
    }
    let leader = hands.iter().position(|hand| hand.contains(FIRST_LEAD));
    Round::new(players, leader.unwrap_or(0), hands, options)
}
