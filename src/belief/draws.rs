//! The distribution of the next cards drawn. The expectimax over the own turn averages over it at each retreat.

use super::super::rules::{Cards, SYMBOLS, Symbol};
use arrayvec::ArrayVec;

/// The most cards that a legal retreat draws: a full space of three pirates is no target.
const MAX_DRAW: u8 = 2;

/// The sets of cards a draw can bring, each with its chance: 6 for one card, 21 for two.
pub type Outcomes = ArrayVec<(Cards, f64), 21>;

/// The cards among which the next draw is, as one seat sees them. It is small, as a search carries it
/// along through its own draws.
///
/// Until the search itself reshuffles the pile, `counts` are all unseen cards that may lie in the pile,
/// those in other hands included. By exchangeability a card of the pile is any of them with the same
/// chance, so a draw from the pile is a draw from all of them without replacement. After a reshuffle
/// `counts` are the pile itself.
///
/// If the belief weighs several hypotheses, the counts are expected numbers and so may be fractions. The
/// chances of a single draw are exact then. Those of two cards are an approximation: the second card is
/// drawn from the expected counts less the first, while the first card in truth also says something
/// about the hypothesis.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DrawPool {
    counts: [f64; SYMBOLS],
    pile: u8,
}

impl DrawPool {
    /// A pile of `pile` cards drawn from exchangeable cards with these (expected) counts.
    pub(super) fn new(counts: [f64; SYMBOLS], pile: u8) -> DrawPool {
        DrawPool { counts, pile }
    }

    /// Cards in the draw pile.
    pub fn pile(&self) -> u8 {
        self.pile
    }

    /// The expected number of cards of each symbol among which the next card of the pile is.
    pub fn counts(&self) -> [f64; SYMBOLS] {
        self.counts
    }

    /// The chance of each set of `n` cards that may be drawn, `n` at most 2; of fewer cards if pile and
    /// discards hold fewer. Impossible sets are left out, and the chances sum to 1.
    ///
    /// If the pile runs out, the rest comes from the discards, which are known.
    pub fn outcomes(&self, discards: Cards, n: u8) -> Outcomes {
        let mut outcomes = Outcomes::new();
        match self.available(discards).min(n).min(MAX_DRAW) {
            // No card is left anywhere: the retreat is still legal and draws nothing.
            0 => outcomes.push((Cards::NONE, 1.0)),
            1 => {
                for (symbol, chance) in Symbol::ALL.into_iter().zip(shares(self.first(discards))) {
                    push(&mut outcomes, Cards::NONE.with(symbol), chance);
                }
            }
            _ => {
                // A set of two different symbols can come in two orders. Their chances differ if a reshuffle lies
                // between the two cards, or if the counts are fractions.
                let pairs = self.ordered_pairs(discards);
                for (i, first) in Symbol::ALL.into_iter().enumerate() {
                    let one = Cards::NONE.with(first);
                    push(&mut outcomes, one.with(first), pairs[i][i]);
                    for (j, second) in Symbol::ALL.into_iter().enumerate().skip(i + 1) {
                        push(&mut outcomes, one.with(second), pairs[i][j] + pairs[j][i]);
                    }
                }
            }
        }
        // The sum is 1 up to rounding, unless fractional counts leave nothing for a second card.
        let sum: f64 = outcomes.iter().map(|o| o.1).sum();
        for outcome in &mut outcomes {
            outcome.1 /= sum;
        }
        outcomes
    }

    /// The pool after the own seat drew `cards`, at most 2; `discards` are those before the draw.
    #[must_use]
    pub fn after_draw(&self, cards: Cards, discards: Cards) -> DrawPool {
        let drawn = cards.total();
        debug_assert!(drawn <= MAX_DRAW && drawn <= self.available(discards));
        // The pile suffices: the drawn cards leave the pool, and nothing else changes.
        if drawn <= self.pile {
            return DrawPool {
                counts: less(self.counts, cards),
                pile: self.pile - drawn,
            };
        }
        // The pile ran out: the new one is the discards, less the drawn cards that came from them.
        let pile = (self.pile + discards.total()).saturating_sub(drawn);
        let fresh = numbers(discards);
        let mut symbols = cards.iter();
        let (one, two) = (symbols.next(), symbols.next());
        let counts = match (self.pile, one, two) {
            (1, Some(one), Some(two)) => {
                // One of the two was the last card of the old pile, the other one a discard. P(x was the
                // old one) ∝ counts(x) · discards(other). Each symbol then loses the chance that its card
                // came from the discards.
                let chance = |old: Symbol, new: Symbol| {
                    self.counts[old.index()] * f64::from(discards.count(new))
                };
                let (a, b) = (chance(two, one), chance(one, two));
                let share = if a + b > 0.0 { a / (a + b) } else { 0.5 };
                let mut counts = fresh;
                counts[one.index()] -= share;
                counts[two.index()] -= 1.0 - share;
                counts.map(|count| count.max(0.0))
            }
            _ => less(fresh, cards),
        };
        DrawPool { counts, pile }
    }

    /// The number of cards that can be drawn at most: those of the pile and the discards.
    fn available(&self, discards: Cards) -> u8 {
        self.pile.saturating_add(discards.total())
    }

    /// The counts among which the first card is: the pool, or the discards if the pile is empty.
    fn first(&self, discards: Cards) -> [f64; SYMBOLS] {
        if self.pile > 0 {
            self.counts
        } else {
            numbers(discards)
        }
    }

    /// The chance of each pair: first the symbol of the row, then that of the column.
    fn ordered_pairs(&self, discards: Cards) -> [[f64; SYMBOLS]; SYMBOLS] {
        let first = self.first(discards);
        let mut pairs = [[0.0; SYMBOLS]; SYMBOLS];
        for (i, chance) in shares(first).into_iter().enumerate() {
            if chance == 0.0 {
                continue;
            }
            // After the last card of the pile the discards are shuffled; they do not depend on the first card.
            let second = if self.pile == 1 {
                numbers(discards)
            } else {
                less(first, Cards::NONE.with(Symbol::ALL[i]))
            };
            pairs[i] = shares(second).map(|share| chance * share);
        }
        pairs
    }
}

/// Adds an outcome if it is possible.
fn push(outcomes: &mut Outcomes, cards: Cards, chance: f64) {
    if chance > 0.0 {
        outcomes.push((cards, chance));
    }
}

fn numbers(cards: Cards) -> [f64; SYMBOLS] {
    cards.counts().map(f64::from)
}

/// The counts without these cards; none falls below 0.
fn less(mut counts: [f64; SYMBOLS], cards: Cards) -> [f64; SYMBOLS] {
    for (count, gone) in counts.iter_mut().zip(cards.counts()) {
        *count = (*count - f64::from(gone)).max(0.0);
    }
    counts
}

/// The counts scaled to sum to 1, if there are any.
fn shares(counts: [f64; SYMBOLS]) -> [f64; SYMBOLS] {
    let sum: f64 = counts.iter().sum();
    if sum > 0.0 {
        counts.map(|count| count / sum)
    } else {
        [0.0; SYMBOLS]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use Symbol::{Gun, Hat, Keys};

    fn cards(symbols: &[Symbol]) -> Cards {
        symbols.iter().copied().collect()
    }

    fn pool(symbols: &[Symbol], pile: u8) -> DrawPool {
        DrawPool::new(numbers(cards(symbols)), pile)
    }

    fn chance(outcomes: &Outcomes, symbols: &[Symbol]) -> f64 {
        let wanted = cards(symbols);
        let found = outcomes.iter().find(|o| o.0 == wanted);
        found.map_or(0.0, |o| o.1)
    }

    fn close(a: f64, b: f64) {
        assert!((a - b).abs() < 1e-12, "{a} is not {b}");
    }

    #[test]
    fn draws_without_replacement() {
        let unseen = pool(&[Hat, Hat, Gun, Keys], 3);
        let one = unseen.outcomes(Cards::NONE, 1);
        assert_eq!(one.len(), 3);
        close(chance(&one, &[Hat]), 0.5);
        let two = unseen.outcomes(Cards::NONE, 2);
        close(chance(&two, &[Hat, Hat]), 1.0 / 6.0);
        close(chance(&two, &[Hat, Gun]), 2.0 / 6.0);
        close(chance(&two, &[Gun, Keys]), 1.0 / 6.0);
        assert_eq!(chance(&two, &[Gun, Gun]), 0.0);
        assert_eq!(
            unseen.after_draw(cards(&[Hat]), Cards::NONE),
            pool(&[Hat, Gun, Keys], 2)
        );
    }

    #[test]
    fn the_discards_follow_the_last_card() {
        let unseen = pool(&[Hat, Gun, Gun, Gun], 1);
        let discards = cards(&[Hat, Hat, Keys]);
        let two = unseen.outcomes(discards, 2);
        close(chance(&two, &[Hat, Hat]), 0.25 * 2.0 / 3.0);
        close(chance(&two, &[Hat, Keys]), 0.25 / 3.0);
        close(chance(&two, &[Hat, Gun]), 0.75 * 2.0 / 3.0);
        close(two.iter().map(|o| o.1).sum(), 1.0);
        let after = unseen.after_draw(cards(&[Gun, Hat]), discards);
        assert_eq!(after, pool(&[Hat, Keys], 2), "only the hat was a discard");
        // Either may have been the last of the old pile: 1 · 1 ways that it was the hat, 3 · 2 that it
        // was the gun.
        let discards = cards(&[Hat, Hat, Gun, Keys]);
        let after = unseen.after_draw(cards(&[Gun, Hat]), discards);
        assert_eq!(after.pile(), 3);
        let left = after.counts();
        close(left[Gun.index()], 1.0 - 1.0 / 7.0);
        close(left[Hat.index()], 2.0 - 6.0 / 7.0);
        close(left[Keys.index()], 1.0);
        // If neither order is possible, each card counts as half a discard.
        let after = pool(&[Gun], 1).after_draw(cards(&[Hat, Keys]), cards(&[Hat]));
        assert_eq!(after.counts()[Hat.index()], 0.5);
        let discards = cards(&[Hat, Hat, Keys]);
        let empty = pool(&[Gun], 0);
        close(chance(&empty.outcomes(discards, 2), &[Hat, Hat]), 1.0 / 3.0);
        assert_eq!(
            empty.after_draw(cards(&[Keys]), discards),
            pool(&[Hat, Hat], 2)
        );
    }

    /// With several hypotheses the counts may be fractions. The second card is drawn from the counts less the
    /// first, and no count falls below 0.
    #[test]
    fn expected_counts_may_be_fractions() {
        let mut counts = [0.0; SYMBOLS];
        (counts[Hat.index()], counts[Gun.index()]) = (0.5, 1.5);
        let two = DrawPool::new(counts, 2).outcomes(Cards::NONE, 2);
        // A hat comes first in a quarter of all cases and leaves guns only, a gun leaves half a card
        // of each.
        close(chance(&two, &[Hat, Gun]), 0.25 + 0.75 / 2.0);
        close(chance(&two, &[Gun, Gun]), 0.75 / 2.0);
        assert_eq!(chance(&two, &[Hat, Hat]), 0.0);
        assert_eq!(two.len(), 2);
    }

    #[test]
    fn nothing_to_draw() {
        let none = pool(&[Gun, Hat], 0);
        assert_eq!(none.outcomes(Cards::NONE, 2)[..], [(Cards::NONE, 1.0)]);
        let one = none.outcomes(cards(&[Keys]), 2);
        assert_eq!(one[..], [(cards(&[Keys]), 1.0)], "fewer are drawn");
    }
}
