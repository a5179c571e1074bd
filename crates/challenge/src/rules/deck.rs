//! Two packs of cards in some order, dealt from the top.

use super::card::{Card, Cards, HAND_SIZE, RANKS};

/// How many cards of every rank there are: four suits in two packs.
const COPIES: u8 = 8;

/// How many cards two packs have.
pub const PACKS_SIZE: usize = COPIES as usize * RANKS;

/// The two packs as a set.
pub const PACKS: Cards = Cards::of_each(COPIES);

/// Two packs in some order. Every hand uses the next ten cards, even if it is cut short.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Deck {
    order: [Card; PACKS_SIZE],
    used: usize,
}

impl Deck {
    /// The cards sorted by rank, lowest first, to be shuffled.
    pub fn sorted() -> [Card; PACKS_SIZE] {
        let mut ranks = PACKS.iter();
        std::array::from_fn(|_| ranks.next().expect("as many cards as the packs hold"))
    }

    /// A deck that was shuffled into this order.
    pub fn new(order: [Card; PACKS_SIZE]) -> Deck {
        debug_assert_eq!(order.into_iter().collect::<Cards>(), PACKS);
        Deck { order, used: 0 }
    }

    /// The next hand's cards; `None` when fewer than ten are left and all must be shuffled.
    pub fn deal(&mut self) -> Option<[Cards; 2]> {
        let cards = self.order.get(self.used..self.used + 2 * HAND_SIZE)?;
        self.used += cards.len();
        let (first, second) = cards.split_at(HAND_SIZE);
        Some([first, second].map(|five| five.iter().copied().collect()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_deck_lasts_for_ten_hands() {
        let mut deck = Deck::new(Deck::sorted());
        let hands: Vec<[Cards; 2]> = std::iter::from_fn(|| deck.deal()).collect();
        assert_eq!(hands.len(), 10);
        assert!(hands.iter().flatten().all(|hand| hand.len() == HAND_SIZE));
        let dealt = hands
            .iter()
            .flatten()
            .fold(Cards::EMPTY, |sum, &hand| sum.plus(hand));
        assert_eq!(PACKS.minus(dealt).to_string(), "13 13 13 13");
    }
}
