//! Rules of thumb from beginners' books, written from their descriptions and tuned on nothing.

use tricks::{Card, Cards, Round, best_card};

/// A simple rule. It plays the legal card with the highest value, a weighted sum of a few criteria.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RuleOfThumb {
    /// Plays the lowest card. If tricks are wanted, the last player to a trick takes it with the lowest card that
    /// wins.
    LowFirst,
    /// Empties the shortest suit, its highest card first if tricks are to be avoided.
    VoidFirst,
    /// Counts the cards of a suit that others still hold. If tricks are to be avoided, it plays high while everybody
    /// can probably follow suit, and low after that. If they are wanted, it plays cards that nobody can beat, and low
    /// otherwise.
    SuitCounting,
}

/// The value of a card by its rank alone.
fn rank(card: Card) -> i32 {
    i32::from(card.rank())
}

impl RuleOfThumb {
    /// The best legal card by the rule; at least one card must be legal. Points are avoided if `low_is_good`.
    pub fn choose(self, round: &impl Round, legal: Cards, low_is_good: bool) -> Card {
        if round.taking() || round.passing() {
            return best_card(legal, rank);
        }
        let own = round.hand(round.to_act().unwrap_or(0));
        let others = round.other_hands();
        let suit = |card: Card| (own & Cards::suit(card.suit())).len() as i32;
        let best = round.trick().best(round.players());
        let last = round.trick().len() + 1 == round.players();
        let wins = |card: Card| best.is_none_or(|best| Cards::above(best).contains(card));
        // No card of the suit that wins so far: nothing can win the trick.
        let throws = best.is_some_and(|best| legal.first_of(best.suit()).is_none());
        match self {
            RuleOfThumb::LowFirst if throws && low_is_good => best_card(legal, rank),
            RuleOfThumb::LowFirst if last && !low_is_good && !throws => best_card(legal, |card| {
                if wins(card) {
                    100 - rank(card)
                } else {
                    -rank(card)
                }
            }),
            RuleOfThumb::LowFirst => best_card(legal, |card| -rank(card)),
            RuleOfThumb::VoidFirst if low_is_good => best_card(legal, |card| {
                let safe = i32::from(best.is_some() && !wins(card));
                100 * safe - 10 * suit(card)
                    + if safe == 1 || throws {
                        rank(card)
                    } else {
                        -rank(card)
                    }
            }),
            RuleOfThumb::VoidFirst => best_card(legal, |card| {
                let takes = i32::from(!throws && wins(card));
                let value = if takes == 1 { rank(card) } else { -rank(card) };
                20 * takes - 10 * suit(card) + value
            }),
            RuleOfThumb::SuitCounting => best_card(legal, |card| {
                let out = (others & Cards::suit(card.suit())).len() as i32;
                let boss = (others & Cards::above(card)).is_empty();
                // Others still have at least two cards of the suit each on average.
                let many = out >= 2 * (round.players() as i32 - 1);
                match low_is_good {
                    true if best.is_some() && !throws && !wins(card) => 100 + rank(card),
                    true if throws => 3 * rank(card) - out,
                    true if many => rank(card),
                    true => -rank(card) - if boss { 20 } else { 0 },
                    false if boss && !throws && wins(card) => 100 + out - rank(card),
                    false => -rank(card),
                }
            }),
        }
    }
}
