//! Deals a round at random, for referees, training and tests.

use crate::rules::{DEALT, POOL, Round, SEATS};
use engine::rng::Random;
use tricks::{Cards, shuffled};

/// A round with a shuffled deck: the first cards are the pool, the rest the hands by seat.
pub fn deal(dealer: usize, rng: &mut Random) -> Round {
    let deck = shuffled(Cards::ALL, rng);
    let (pool, dealt) = deck.split_at(POOL);
    let mut hands = [Cards::EMPTY; SEATS];
    for (hand, cards) in hands.iter_mut().zip(dealt.chunks(DEALT)) {
        *hand = cards.iter().copied().collect();
    }
    Round::new(dealer, hands, pool.iter().copied().collect())
}
