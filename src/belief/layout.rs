//! The own hand in one hypothesis: which of its cards are *old*, in the hand since the last reshuffle (see the
//! module [`belief`](super)). `sample` makes a layout of each hypothesis, to weigh it and to draw from it.
//!
//! The seat knows its hand but not which of the cards were in it at the last reshuffle. (Cards of one
//! symbol look alike, and a played card may have been old or new.) The hypothesis fixes only how many are
//! old, `own_old`. Let *h(s)* cards of symbol *s* be in the hand, *j(s)* of them old, and *O* and *N* the
//! unseen old and new cards. A choice of *j* comes about in Π C(*O(s)*, *j(s)*) · C(*N(s)*, *h(s)* - *j(s)*)
//! ways, all equally likely.
//!
//! A table counts them symbol by symbol from the last: W(*s*, *f*) is the number of ways to choose the
//! cards from symbol *s* on so that they fill exactly *f* old slots. It gives three things:
//!
//! - the chance of the hand, W(first, `own_old`) / (C(|*O*|, `own_old`) · C(|*N*|, cards - `own_old`)),
//!   which weighs the hypothesis;
//! - an exact sample, by walking down the table with each choice in proportion to its ways;
//! - the expected number of old cards of each symbol, by a pass forwards.
//!
//! The cards of the other hands and the pile are the rest.
//!
//! For example, the hand is a hat and a gun, one of them old. *O* is two hats, a gun and keys, *N* is a
//! hat, three guns and two keys. The hat is old in C(2, 1) · C(3, 1) = 6 ways, the gun in 1, of
//! C(4, 1) · C(6, 1) = 24: the hand has the chance 7/24, and its old card is the hat with 6/7.

use super::super::rules::{Cards, SYMBOLS, Symbol};
use super::binomial::choose;
use super::pools::Hypothesis;
use engine::rng::{self, Random};

/// The layouts of one hypothesis that agree with the own hand.
#[derive(Clone, Debug)]
pub(super) struct Layout {
    pub(super) old: Cards,
    pub(super) new: Cards,
    hand: Cards,
    /// The width of the table, `own_old` + 1: from 0 to all old slots of the own hand can be free.
    states: usize,
    /// `ways[s * states + free]`: ways to choose the cards from symbol `s` on so that they fill `free` old
    /// slots exactly.
    ways: Vec<f64>,
    /// The chance that the own seat gets exactly its hand if the cards are dealt at random.
    pub(super) chance: f64,
}

impl Layout {
    /// The layouts of `hypothesis` in which the own seat holds exactly `hand`, `own_old` of it old.
    pub(super) fn new(hypothesis: &Hypothesis, hand: Cards, own_old: u8) -> Layout {
        let states = usize::from(own_old) + 1;
        let mut layout = Layout {
            old: hypothesis.old,
            new: hypothesis.new,
            hand,
            states,
            ways: vec![0.0; (SYMBOLS + 1) * states],
            chance: 0.0,
        };
        // After the last symbol there is one way to go on, and only if no old slot is left free.
        layout.ways[SYMBOLS * states] = 1.0;
        for symbol in Symbol::ALL.into_iter().rev() {
            for free in 0..states {
                let choices = layout.choices(symbol, free);
                let next = &layout.ways[(symbol.index() + 1) * states..];
                let total = choices.map(|(j, weight)| weight * next[free - j]).sum();
                layout.ways[symbol.index() * states + free] = total;
            }
        }
        let own_new = hand.total().saturating_sub(own_old);
        // All ways to fill the own slots; 0 if the hypothesis has fewer cards than slots.
        let all = choose(layout.old.total(), own_old) * choose(layout.new.total(), own_new);
        if all > 0.0 {
            layout.chance = layout.ways[states - 1] / all;
        }
        layout
    }

    /// The numbers of old cards of a symbol that the hand can hold with `free` old slots, and for each the
    /// number of ways to choose the symbol's cards, old and new.
    fn choices(&self, symbol: Symbol, free: usize) -> impl Iterator<Item = (usize, f64)> + use<> {
        // At least `own - new` are old, as there are only `new` new ones. `ways` is 0 where no number fits.
        let own = self.hand.count(symbol);
        let (old, new) = (self.old.count(symbol), self.new.count(symbol));
        (own.saturating_sub(new)..=own.min(old).min(free as u8))
            .map(move |j| (usize::from(j), choose(old, j) * choose(new, own - j)))
    }

    /// Draws which of the own hand's cards are old.
    pub(super) fn sample(&self, rng: &mut Random) -> Cards {
        let mut counts = [0; SYMBOLS];
        let mut free = self.states - 1;
        if free == 0 {
            return Cards::NONE;
        }
        for symbol in Symbol::ALL {
            let (here, next) = self.ways[symbol.index() * self.states..].split_at(self.states);
            // Each choice has a part of the interval of all ways, as long as its number of ways. The choice into whose
            // part a random point falls is drawn.
            let mut rest = rng::unit(rng) * here[free];
            let mut chosen = None;
            for (j, weight) in self.choices(symbol, free) {
                let ways = weight * next[free - j];
                // Rounding may leave the point a little behind the last part; then the last choice is taken.
                if ways > 0.0 && rest >= 0.0 {
                    rest -= ways;
                    chosen = Some(j);
                }
            }
            let Some(j) = chosen else { break };
            counts[symbol.index()] = j as u8;
            free -= j;
        }
        Cards::from_counts(counts)
    }

    /// The expected number of old cards of each symbol in the own hand.
    pub(super) fn expected(&self) -> [f64; SYMBOLS] {
        let mut expected = [0.0; SYMBOLS];
        let most = self.states - 1;
        if most == 0 {
            return expected;
        }
        let mut reached = vec![0.0; self.states];
        // `reached[free]` counts the ways in which the symbols before this one leave `free` old slots. The chance of a
        // choice is its ways before, times its ways here, times its ways after, divided by all ways.
        reached[most] = 1.0;
        let all = self.ways[most];
        for symbol in Symbol::ALL {
            let next_ways = &self.ways[(symbol.index() + 1) * self.states..];
            let mut next = vec![0.0; self.states];
            for (free, &before) in reached.iter().enumerate() {
                if before == 0.0 {
                    continue;
                }
                for (j, weight) in self.choices(symbol, free) {
                    // `before * weight` ways reach the next symbol; `next_ways` completes each of them.
                    next[free - j] += before * weight;
                    let chance = before * weight * next_ways[free - j] / all;
                    expected[symbol.index()] += chance * j as f64;
                }
            }
            reached = next;
        }
        expected
    }
}
