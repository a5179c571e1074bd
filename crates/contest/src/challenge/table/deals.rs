//! The deals of a table: every ten hands a deck of their own.

use challenge::deals::shuffled;
use challenge::rules::{Cards, Deck, HAND_SIZE, PACKS_SIZE};
use engine::rng::stream;

/// Hands that a deck serves.
pub(super) const HANDS_OF_DECK: u32 = (PACKS_SIZE / (2 * HAND_SIZE)) as u32;

/// The deals of a game, which follow from its seed.
#[derive(Clone, Debug)]
pub(super) struct Deals {
    seed: u64,
    /// Decks shuffled so far.
    decks: u64,
    deck: Deck,
}

impl Deals {
    /// Before the first hand.
    pub(super) fn new(seed: u64) -> Deals {
        Deals {
            seed,
            decks: 1,
            deck: shuffled(&mut stream(seed, 0)),
        }
    }

    /// The next hand.
    pub(super) fn next(&mut self) -> [Cards; 2] {
        loop {
            if let Some(hands) = self.deck.deal() {
                return hands;
            }
            self.deck = shuffled(&mut stream(self.seed, self.decks));
            self.decks += 1;
        }
    }
}
