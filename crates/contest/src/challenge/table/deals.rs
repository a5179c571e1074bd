//! The deals of a game at a table. A deck is enough for ten hands; then a new one is shuffled from the seed.

use challenge::deals::shuffled;
use challenge::rules::{Card, Cards, Deck, HAND_SIZE, PACKS, PACKS_SIZE};
use engine::rng::{shuffle, stream};

/// Hands that a deck serves.
const HANDS_OF_DECK: u32 = (PACKS_SIZE / (2 * HAND_SIZE)) as u32;

/// The deals of a game: some that are given, then those that follow from its seed.
#[derive(Clone, Debug)]
pub(super) struct Deals {
    seed: u64,
    /// Hands that were given when the game was set up. They are dealt first.
    told: Vec<[Cards; 2]>,
    /// The number of given hands that were dealt.
    dealt: usize,
    /// Decks shuffled so far.
    decks: u64,
    deck: Deck,
    /// Whether no hand was dealt from the deck yet.
    is_fresh: bool,
}

impl Deals {
    /// The deals before the first hand, with the given hands `told`. The deck of the last given hand is dealt to its
    /// end after them.
    pub(super) fn new(seed: u64, told: Vec<[Cards; 2]>) -> Deals {
        // Given hands fill whole decks of ten; the remaining ones begin another deck.
        let block = HANDS_OF_DECK as usize;
        let (decks, rest) = (told.len() / block, told.len() % block);
        let of_deck = &told[told.len() - rest..];
        let deck = begun(seed, decks as u64, of_deck);
        Deals {
            seed,
            dealt: 0,
            decks: decks as u64 + 1,
            is_fresh: rest == 0 || deck.is_none(),
            // If the given hands fit no deck (they have a card too often), a fresh deck follows them.
            deck: deck.unwrap_or_else(|| shuffled(&mut stream(seed, decks as u64))),
            told,
        }
    }

    /// The next two hands, given ones first, and whether they are the first of their deck.
    pub(super) fn next(&mut self) -> ([Cards; 2], bool) {
        if let Some(&hands) = self.told.get(self.dealt) {
            self.dealt += 1;
            return (
                hands,
                (self.dealt - 1).is_multiple_of(HANDS_OF_DECK as usize),
            );
        }
        loop {
            if let Some(hands) = self.deck.deal() {
                return (hands, std::mem::take(&mut self.is_fresh));
            }
            self.deck = shuffled(&mut stream(self.seed, self.decks));
            self.decks += 1;
            self.is_fresh = true;
        }
    }
}

/// The deck from which these hands were dealt, with its other cards in random order; none if no deck has all these
/// cards.
fn begun(seed: u64, number: u64, hands: &[[Cards; 2]]) -> Option<Deck> {
    let cards = hands.iter().flatten();
    let cards: Vec<Card> = cards.flat_map(|hand| hand.iter()).collect();
    let mut left = PACKS;
    for &card in &cards {
        left = left.without(card)?;
    }
    let mut rest: Vec<Card> = left.iter().collect();
    shuffle(&mut stream(seed, number), &mut rest);
    let order: Vec<Card> = cards.into_iter().chain(rest).collect();
    let mut deck = Deck::new(order.try_into().ok()?);
    // The given hands are dealt off the top. They come out different if one of them does not have five cards.
    let dealt = hands.iter().all(|&hands| deck.deal() == Some(hands));
    dealt.then_some(deck)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// If the first deals of a game are known, the later ones are dealt from what is left of the same deck.
    #[test]
    fn told_hands_come_from_the_deck() {
        let mut deals = Deals::new(5, Vec::new());
        let all: Vec<[Cards; 2]> = (0..25).map(|_| deals.next().0).collect();
        for told in [0, 1, 7, 10, 13, 20] {
            let mut again = Deals::new(5, all[..told].to_vec());
            let hands: Vec<[Cards; 2]> = (0..25).map(|_| again.next().0).collect();
            assert_eq!(hands[..told], all[..told]);
            for deck in hands.chunks(HANDS_OF_DECK as usize) {
                let cards = deck.iter().flatten();
                let cards = cards.fold(Cards::EMPTY, |sum, &hand| sum.plus(hand));
                assert!(cards.minus(PACKS).is_empty(), "{told} told: {cards}");
            }
        }
        let four_kings = Card::new(13).map_or(Cards::EMPTY, |king| (0..5).map(|_| king).collect());
        let mut odd = Deals::new(5, vec![[four_kings; 2]]);
        assert_eq!(odd.next(), ([four_kings; 2], true));
        assert_eq!(odd.next(), (all[0], true), "no such deck: a new one");
        assert_eq!(odd.next(), (all[1], false));
    }
}
