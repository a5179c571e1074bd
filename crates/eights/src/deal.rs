use crate::rules::{DEALT, POOL, Round, SEATS};
use engine::rng::Random;
use tricks::{Cards, shuffled};

/// A round of a shuffled deck: the pool, then the hands by seat.
pub fn deal(dealer: usize, rng: &mut Random) -> Round {
    let deck = shuffled(Cards::ALL, rng);
    let (pool, dealt) = deck.split_at(POOL);
    let mut hands = [Cards::EMPTY; SEATS];
    for (hand, cards) in hands.iter_mut().zip(dealt.chunks(DEALT)) {
        *hand = cards.iter().copied().collect();
    }
    Round::new(dealer, hands, pool.iter().copied().collect())
}
