//! How many of the own hand's cards can be old ones in one hypothesis.
//!
//! The own hand is known, but not which of its cards were in it at the last reshuffle. They are chosen
//! symbol by symbol: a table holds for each symbol and each number of old slots still free the number
//! of ways to choose the remaining symbols, so that a choice can be drawn exactly uniformly by walking
//! down it. What lies elsewhere follows.

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
    /// Numbers of free old slots of the own hand: one more than it has.
    states: usize,
    /// `ways[s * states + free]`: ways to choose the cards from symbol `s` on.
    ways: Vec<f64>,
    /// The chance that cards laid at random agree.
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
        let all = choose(layout.old.total(), own_old) * choose(layout.new.total(), own_new);
        if all > 0.0 {
            layout.chance = layout.ways[states - 1] / all;
        }
        layout
    }

    /// The numbers of old cards of a symbol that the hand can hold with `free` old slots, and for each the
    /// number of ways to choose the symbol's cards, old and new.
    fn choices(&self, symbol: Symbol, free: usize) -> impl Iterator<Item = (usize, f64)> + use<> {
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
            let mut rest = rng::unit(rng) * here[free];
            let mut chosen = None;
            for (j, weight) in self.choices(symbol, free) {
                let ways = weight * next[free - j];
                // Rounding may leave a little behind the last choice, which then is taken.
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
