//! How the cards of one hypothesis can lie, given what is known of the hands.
//!
//! The slots fall into *cells*: the own hand's old slots, and for each group of seats that may
//! not hold the same symbols its old and its new slots. What lies elsewhere (free hands, the
//! pile, the own hand's new slots) follows. Cards are put into the cells symbol by symbol: a table
//! holds for each symbol and each number of slots still free in the cells the number of ways to lay
//! the remaining symbols, so that a layout can be drawn exactly uniformly by walking down it.

use super::super::rules::{Cards, MAX_PLAYERS, SYMBOLS, Symbol};
use super::binomial::choose;
use super::pools::Hypothesis;
use arrayvec::ArrayVec;
use engine::rng::{self, Random};

/// The own hand's old slots, two for each group of other seats.
pub(super) const MAX_CELLS: usize = 2 * MAX_PLAYERS - 1;

/// A number for each cell.
pub(super) type PerCell<T> = ArrayVec<T, MAX_CELLS>;

/// The layouts of one hypothesis that agree with the own hand and the symbols seats do not hold.
#[derive(Clone, Debug)]
pub(super) struct Layout {
    pub(super) old: Cards,
    pub(super) new: Cards,
    hand: Cards,
    /// For each cell after the first the symbols it may not hold, bit by index.
    forbidden: PerCell<u8>,
    sizes: PerCell<u8>,
    strides: PerCell<usize>,
    states: usize,
    /// `ways[s * states + state]`: ways to lay the cards from symbol `s` on.
    ways: Vec<f64>,
    /// The chance that cards laid at random agree.
    pub(super) chance: f64,
}

impl Layout {
    /// The layouts of `hypothesis` in which the own seat holds exactly `hand`; `groups` are the
    /// forbidden symbols and the old and new slots of each group of other seats.
    ///
    /// None if the cells have more than `max_states` states to tabulate.
    pub(super) fn new(
        hypothesis: &Hypothesis,
        hand: Cards,
        own_old: u8,
        groups: &[(u8, u8, u8)],
        max_states: usize,
    ) -> Option<Layout> {
        let (mut sizes, mut forbidden) = (PerCell::new(), PerCell::new());
        sizes.push(own_old);
        forbidden.push(0);
        for &(mask, old, new) in groups {
            sizes.extend([old, new]);
            forbidden.extend([mask; 2]);
        }
        let mut strides = PerCell::new();
        let mut states = 1;
        for &size in &sizes {
            strides.push(states);
            states *= usize::from(size) + 1;
            if states > max_states {
                return None;
            }
        }
        let mut layout = Layout {
            old: hypothesis.old,
            new: hypothesis.new,
            hand,
            forbidden,
            sizes,
            strides,
            states,
            ways: Vec::new(),
            chance: 0.0,
        };
        layout.fill();
        Some(layout)
    }

    fn fill(&mut self) {
        let mut ways = vec![0.0; (SYMBOLS + 1) * self.states];
        ways[SYMBOLS * self.states] = 1.0;
        for symbol in Symbol::ALL.into_iter().rev() {
            let (here, next) = ways[symbol.index() * self.states..].split_at_mut(self.states);
            for (state, total) in here.iter_mut().enumerate() {
                self.each_choice(symbol, state, |_, used, weight| {
                    *total += weight * next[state - used];
                });
            }
        }
        let (mut old, mut new) = (self.old.total(), self.new.total());
        let own_new = self.hand.total().saturating_sub(self.sizes[0]);
        let mut all = choose(old, self.sizes[0]) * choose(new, own_new);
        old = old.saturating_sub(self.sizes[0]);
        new = new.saturating_sub(own_new);
        for pair in self.sizes[1..].chunks_exact(2) {
            all *= choose(old, pair[0]) * choose(new, pair[1]);
            old = old.saturating_sub(pair[0]);
            new = new.saturating_sub(pair[1]);
        }
        self.ways = ways;
        let agree = self.ways[self.start()];
        self.chance = if all > 0.0 { agree / all } else { 0.0 };
    }

    /// Every slot of the cells free.
    fn start(&self) -> usize {
        self.states - 1
    }

    /// Calls `visit` for each way to lay the cards of a symbol. A state is the free slots of all
    /// cells in a mixed-radix number, so that what a choice takes is one subtraction. Arguments: cards into each cell, what that
    /// takes from the state, and the number of ways to choose those cards.
    fn each_choice(
        &self,
        symbol: Symbol,
        state: usize,
        mut visit: impl FnMut(&PerCell<u8>, usize, f64),
    ) {
        let own = self.hand.count(symbol);
        let (old, new) = (self.old.count(symbol), self.new.count(symbol));
        let free = self.free(0, state);
        for j in own.saturating_sub(new)..=own.min(old).min(free) {
            let mut choice = PerCell::new();
            choice.push(j);
            let used = usize::from(j) * self.strides[0];
            let weight = choose(old, j) * choose(new, own - j);
            let left = [old - j, new - (own - j)];
            self.each_cell(symbol, state, left, used, weight, &mut choice, &mut visit);
        }
    }

    #[allow(clippy::too_many_arguments)]
    fn each_cell(
        &self,
        symbol: Symbol,
        state: usize,
        left: [u8; 2],
        used: usize,
        weight: f64,
        choice: &mut PerCell<u8>,
        visit: &mut impl FnMut(&PerCell<u8>, usize, f64),
    ) {
        let cell = choice.len();
        if cell == self.sizes.len() {
            return visit(choice, used, weight);
        }
        // Cells after the first alternate between old and new slots.
        let pool = (cell - 1) % 2;
        let allowed = self.forbidden[cell] >> symbol.index() & 1 == 0;
        let most = if allowed {
            left[pool].min(self.free(cell, state))
        } else {
            0
        };
        for k in 0..=most {
            let mut left = left;
            let ways = choose(left[pool], k);
            left[pool] -= k;
            choice.push(k);
            let used = used + usize::from(k) * self.strides[cell];
            self.each_cell(symbol, state, left, used, weight * ways, choice, visit);
            choice.pop();
        }
    }

    /// Slots of a cell that are free in a state.
    fn free(&self, cell: usize, state: usize) -> u8 {
        (state / self.strides[cell] % (usize::from(self.sizes[cell]) + 1)) as u8
    }

    /// Draws what lies in each cell.
    pub(super) fn sample(&self, rng: &mut Random) -> PerCell<Cards> {
        let mut cells: PerCell<_> = self.sizes.iter().map(|_| Cards::NONE).collect();
        if self.states == 1 {
            return cells;
        }
        let mut counts = [[0; SYMBOLS]; MAX_CELLS];
        let mut state = self.start();
        for symbol in Symbol::ALL {
            let (here, next) = self.ways[symbol.index() * self.states..].split_at(self.states);
            let mut rest = rng::unit(rng) * here[state];
            let mut chosen = None;
            self.each_choice(symbol, state, |choice, used, weight| {
                let ways = weight * next[state - used];
                // Rounding may leave a little behind the last choice, which then is taken.
                if ways > 0.0 && rest >= 0.0 {
                    rest -= ways;
                    chosen = Some((choice.clone(), used));
                }
            });
            let Some((choice, used)) = chosen else { break };
            for (counts, &count) in counts.iter_mut().zip(&choice) {
                counts[symbol.index()] = count;
            }
            state -= used;
        }
        for (cell, counts) in cells.iter_mut().zip(counts) {
            *cell = Cards::from_counts(counts);
        }
        cells
    }

    /// The expected number of each symbol in each cell.
    pub(super) fn expected(&self) -> PerCell<[f64; SYMBOLS]> {
        let mut expected: PerCell<_> = self.sizes.iter().map(|_| [0.0; SYMBOLS]).collect();
        if self.states == 1 {
            return expected;
        }
        let mut reached = vec![0.0; self.states];
        reached[self.start()] = 1.0;
        let all = self.ways[self.start()];
        for symbol in Symbol::ALL {
            let next_ways = &self.ways[(symbol.index() + 1) * self.states..];
            let mut next = vec![0.0; self.states];
            for (state, &before) in reached.iter().enumerate() {
                if before == 0.0 {
                    continue;
                }
                self.each_choice(symbol, state, |choice, used, weight| {
                    next[state - used] += before * weight;
                    let chance = before * weight * next_ways[state - used] / all;
                    for (cell, &count) in expected.iter_mut().zip(choice) {
                        cell[symbol.index()] += chance * f64::from(count);
                    }
                });
            }
            reached = next;
        }
        expected
    }
}
