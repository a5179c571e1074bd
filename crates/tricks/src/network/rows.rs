//! What a linear scorer may go by: the network's inputs, and what deterministic programs look at beside them.
//!
//! A program that takes the first of equals prefers a suit, and one that plays high to win and low otherwise does two things with one
//! input. The network, which knows players who think, needs neither; a linear scorer has no other way to say so.

use super::{CARD_INPUTS, Inputs, MAX_CHOICES, OF_GAME};
use crate::{Cards, Suit};
use arrayvec::ArrayVec;

/// Numbers for a card.
pub(crate) const WIDTH: usize = PRODUCTS_FROM + PRODUCTS;
/// The first product of inputs among them; before it stands the suit.
const PRODUCTS_FROM: usize = CARD_INPUTS + Suit::ALL.len();
/// Products of inputs.
const PRODUCTS: usize = 12;

/// What is known of a card that may be chosen, or what each of it is worth.
pub(crate) type Row = [f32; WIDTH];

/// Products of a card's inputs, or what they are worth. *Rank* is of 12, *length* that of the own suit in quarters, *middle* how far
/// from the middle a rank is; *last* is whether nobody plays to the trick any more, *left* how much of the hand is.
#[derive(Clone, Copy, Debug)]
pub(super) struct Products {
    pub rank_wins: f32,
    pub rank_last: f32,
    pub wins_last: f32,
    pub rank_wins_last: f32,
    pub middle_middle: f32,
    pub rank_boss: f32,
    pub rank_length: f32,
    pub length_length: f32,
    pub rank_certain: f32,
    pub rank_left: f32,
    pub wins_length: f32,
    /// The rank times the first input that the game defines.
    pub rank_game: f32,
}

impl Products {
    /// Those of a row.
    #[inline(always)]
    pub fn of(row: &Row) -> Products {
        let [
            rank_wins,
            rank_last,
            wins_last,
            rank_wins_last,
            middle_middle,
            rank_boss,
            rank_length,
            length_length,
            rank_certain,
            rank_left,
            wins_length,
            rank_game,
        ] = *row.last_chunk().unwrap_or_else(|| unreachable!());
        Products {
            rank_wins,
            rank_last,
            wins_last,
            rank_wins_last,
            middle_middle,
            rank_boss,
            rank_length,
            length_length,
            rank_certain,
            rank_left,
            wins_length,
            rank_game,
        }
    }

    /// In the order in which they stand in a row.
    #[inline(always)]
    fn in_order(self) -> [f32; PRODUCTS] {
        [
            self.rank_wins,
            self.rank_last,
            self.wins_last,
            self.rank_wins_last,
            self.middle_middle,
            self.rank_boss,
            self.rank_length,
            self.length_length,
            self.rank_certain,
            self.rank_left,
            self.wins_length,
            self.rank_game,
        ]
    }
}

/// The rows of the cards of a choice, in their order.
#[inline(always)]
pub(crate) fn rows(inputs: &Inputs, legal: Cards) -> ArrayVec<Row, MAX_CHOICES> {
    let last = f32::from(u8::from(inputs.shared[2] == 0.0));
    let left = inputs.shared[0];
    let cards = inputs.cards().iter().zip(legal);
    let rows = cards.map(|(card, legal)| {
        let mut row = [0.0; WIDTH];
        let (known, more) = row.split_at_mut(CARD_INPUTS);
        known.copy_from_slice(card);
        let (suit, products) = more.split_at_mut(Suit::ALL.len());
        suit[legal.suit() as usize] = 1.0;
        let [rank, length] = [card[0], card[1]];
        let [boss, wins, certain] = [card[9], card[11], card[12]];
        let middle = 2.0 * rank - 1.0;
        let known = Products {
            rank_wins: rank * wins,
            rank_last: rank * last,
            wins_last: wins * last,
            rank_wins_last: rank * wins * last,
            middle_middle: middle * middle,
            rank_boss: rank * boss,
            rank_length: rank * length,
            length_length: length * length,
            rank_certain: rank * certain,
            rank_left: rank * left,
            wins_length: wins * length,
            rank_game: rank * card[OF_GAME],
        };
        products.copy_from_slice(&known.in_order());
        row
    });
    rows.collect()
}

/// The weights of a scorer that knows the inputs alone.
pub(crate) fn widened(inputs: &[f32; CARD_INPUTS]) -> Row {
    let mut row = [0.0; WIDTH];
    row[..CARD_INPUTS].copy_from_slice(inputs);
    row
}
