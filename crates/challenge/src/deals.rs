//! Deals of the challenge card game: random decks and hands, the weight of a hand, and the cards not yet seen.
//!
//! The deck is two packs, 104 cards. Suits do not count, so each of the 13 ranks has eight equal cards, and a set of
//! cards is a count for each rank. Ten hands are dealt from a deck before it is shuffled again. So the cards of
//! earlier hands change the probabilities of later ones.

use crate::rules::{Card, Cards, Deck, HAND_SIZE, PACKS, PACKS_SIZE};
use engine::rng::{below, shuffle};
use rand::Rng;

/// Two hands of five cards from a freshly shuffled deck.
pub fn fresh(rng: &mut impl Rng) -> [Cards; 2] {
    let mut order = Deck::sorted();
    // Fisher and Yates' shuffle, ended after the ten cards that are dealt: the order of the rest does not matter.
    for i in 0..2 * HAND_SIZE {
        let drawn = i + below(rng, PACKS_SIZE - i);
        order.swap(i, drawn);
    }
    let hand = |from: usize| order[from..from + HAND_SIZE].iter().copied().collect();
    [hand(0), hand(HAND_SIZE)]
}

/// Both packs in a random order.
pub fn shuffled(rng: &mut impl Rng) -> Deck {
    let mut order = Deck::sorted();
    shuffle(rng, &mut order);
    Deck::new(order)
}

/// In how many orders the equal cards of a hand can lie: the product of the factorials of its counts. Two fives and a
/// nine have two orders. Where the ways to deal a hand count equal cards in order, they are divided by it.
pub fn orders(hand: Cards) -> f64 {
    let of_rank = |card| -> f64 { (1..=hand.count(card)).map(f64::from).product() };
    hand.ranks().map(of_rank).product()
}

/// The number of ways to pick a hand from a deck: a hand's weight in the multivariate hypergeometric distribution.
/// It is the product over the ranks of `C(cards in the deck, cards in the hand)`. From the whole deck, two fives and a
/// nine can be drawn in C(8, 2) · C(8, 1) = 28 · 8 = 224 ways.
pub fn ways(deck: Cards, hand: Cards) -> f64 {
    hand.ranks()
        .map(|card| choose(deck.count(card), hand.count(card)))
        .product()
}

/// The binomial coefficient `C(n, k)`, 0 if `k > n`.
fn choose(n: u8, k: u8) -> f64 {
    // C(n, k) is the product of (n - i) / (i + 1) for i = 0 … k - 1: C(8, 2) = 8/1 · 7/2 = 28. If k > n, the factor
    // of i = n is 0.
    (0..k)
        .map(|i| (f64::from(n) - f64::from(i)).max(0.0) / f64::from(i + 1))
        .product()
}

/// The cards of both packs that are not in `seen`. A rank with more cards in `seen` than there are has none left.
pub fn unseen(seen: Cards) -> Cards {
    PACKS.minus(seen)
}

/// The deck that a hand was dealt from, if its player has `seen` these cards of it in earlier hands, and knows that
/// `known` were dealt now: without the cards seen. If it cannot be that deck, the whole deck: it has been shuffled.
pub fn deck(seen: Cards, known: Cards) -> Cards {
    let left = unseen(seen);
    match known.is_within(left) {
        true => left,
        false => PACKS,
    }
}

/// Adds `cards` to those already seen. A rank stops at eight cards, all that the packs have: messages that contradict
/// each other may report more.
pub fn see(seen: Cards, cards: Cards) -> Cards {
    cards.iter().fold(seen, |seen, card: Card| {
        if seen.count(card) < PACKS.count(card) {
            seen.with(card)
        } else {
            seen
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::testing::cards;
    use engine::rng::stream;

    #[test]
    fn ways_count_what_enumeration_counts() {
        // A deck of 3 ranks, given as a list, and all pairs out of it.
        let deck = [1, 1, 1, 2, 2, 3];
        let count = |a: u8, b: u8| {
            let pairs = (0..6).flat_map(|i| (0..i).map(move |j| (i, j)));
            let same = |(i, j): (usize, usize)| cards(&[deck[i], deck[j]]) == cards(&[a, b]);
            pairs.filter(|&pair| same(pair)).count() as f64
        };
        for a in 1..=3 {
            for b in 1..=a {
                assert_eq!(ways(cards(&deck), cards(&[a, b])), count(a, b), "{a} {b}");
            }
        }
    }

    #[test]
    fn deals_come_from_two_packs() {
        let mut rng = stream(1, 0);
        for _ in 0..100 {
            let [first, second] = fresh(&mut rng);
            assert_eq!((first.len(), second.len()), (5, 5));
            assert!(first.plus(second).minus(PACKS).is_empty());
        }
        assert_eq!(unseen(Cards::EMPTY), PACKS);
    }
}
