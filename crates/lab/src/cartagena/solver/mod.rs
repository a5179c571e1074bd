//! The exact value of small games with open hands, to measure rules, evaluation and search against.
//!
//! Two players, every hand open, and a deck small enough that all positions that can arise can be
//! listed. Chance is the draw from a pile whose cards are known but not their order; when it runs
//! out, the discards are the new pile, as in the contest's game. Retreats make the positions
//! cyclic, so their values are found by value iteration (Shapley 1953). A game that never ends
//! counts as half a win for both: iteration starts from one half everywhere.

mod loss;
mod oracle;

pub use loss::{ChoiceOptions, Loss, losses};
pub use oracle::Oracle;

use cartagena::rules::{Action, ActionList, Cards, Game, State, Track};
use std::collections::HashMap;
use thiserror::Error;

/// A game to be solved.
#[derive(Clone, Debug)]
pub struct SmallGame {
    /// Board and pirates; two players.
    pub game: Game,
    /// All cards there are.
    pub deck: Cards,
    /// Cards dealt to each player.
    pub deal: u8,
    /// Whether ending the turn early is a choice.
    pub allow_pass: bool,
}

/// Why a game is not solved.
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
pub enum SolveError {
    /// Only games of two are zero-sum.
    #[error("a game of {0} players has no value; expected 2")]
    Players(usize),
    /// The deck does not suffice for the deal.
    #[error("the deck's {0} cards do not suffice for the deal")]
    Deck(u8),
    #[error("more than {0} positions can arise")]
    TooLarge(usize),
}

/// The value of every position that can arise in a small game.
#[derive(Clone, Debug)]
pub struct Solution {
    small: SmallGame,
    states: Vec<State>,
    index: HashMap<Key, u32>,
    /// The first player's chance to win.
    values: Vec<f64>,
    sweeps: u32,
    residual: f64,
}

/// A position, without what follows from the rest: the pile is what lies nowhere else.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Key {
    places: u128,
    hands: [u64; 2],
    discards: u64,
}

impl Key {
    fn of(state: &State) -> Key {
        let mut places = u128::from(state.to_move) << 2 | u128::from(state.taken);
        for player in 0..2 {
            for &place in state.track.pirates(player) {
                places = places << 7 | u128::from(place);
            }
        }
        Key {
            places,
            hands: [state.hands[0].bits(), state.hands[1].bits()],
            discards: state.discards.bits(),
        }
    }
}

/// What can follow each position: its choices, and the outcomes of each choice.
#[derive(Default)]
struct Graph {
    /// The end of each position's choices.
    choices: Vec<u32>,
    /// The end of each choice's outcomes.
    outcomes: Vec<u32>,
    next: Vec<(u32, f64)>,
}

impl Solution {
    /// Solves a game: lists its positions, at most `limit`, and iterates until no value changes by
    /// more than 1e-13 or, with cycles that hardly lose anything, 10,000 times.
    ///
    /// # Errors
    /// If it is not a small game of two.
    pub fn of(small: SmallGame, limit: usize) -> Result<Solution, SolveError> {
        if small.game.players != 2 {
            return Err(SolveError::Players(small.game.players));
        }
        if small.deck.total() < 2 * small.deal {
            return Err(SolveError::Deck(small.deck.total()));
        }
        let mut solution = Solution {
            small,
            states: Vec::new(),
            index: HashMap::new(),
            values: Vec::new(),
            sweeps: 0,
            residual: f64::INFINITY,
        };
        let graph = solution.explore(limit)?;
        solution.iterate(&graph);
        Ok(solution)
    }

    fn explore(&mut self, limit: usize) -> Result<Graph, SolveError> {
        let SmallGame {
            game, deck, deal, ..
        } = self.small.clone();
        for (first, _) in draws(deck, Cards::NONE, deal) {
            for (second, _) in draws(deck.minus(first), Cards::NONE, deal) {
                let mut state = State {
                    track: Track::start(&game.board, 2, game.pirates),
                    ..game.start(&[first, second])
                };
                state.pile = deck.total() - 2 * deal;
                self.enter(state);
            }
        }
        let mut graph = Graph::default();
        let mut at = 0;
        while at < self.states.len() {
            let state = self.states[at];
            for action in self.actions(&state) {
                for (next, chance) in self.outcomes(&state, action) {
                    let next = self.enter(next);
                    graph.next.push((next, chance));
                }
                graph.outcomes.push(graph.next.len() as u32);
            }
            graph.choices.push(graph.outcomes.len() as u32);
            if self.states.len() > limit {
                return Err(SolveError::TooLarge(limit));
            }
            at += 1;
        }
        Ok(graph)
    }

    fn enter(&mut self, state: State) -> u32 {
        let new = self.states.len() as u32;
        let at = *self.index.entry(Key::of(&state)).or_insert(new);
        if at == new {
            self.states.push(state);
            self.values.push(match state.winner() {
                Some(winner) => f64::from(u8::from(winner == 0)),
                None => 0.5,
            });
        }
        at
    }

    fn iterate(&mut self, graph: &Graph) {
        const SWEEPS: u32 = 10_000;
        while self.residual > 1e-13 && self.sweeps < SWEEPS {
            self.residual = 0.0;
            self.sweeps += 1;
            // What was found late lies near the end: values travel backwards in few sweeps.
            for at in (0..self.states.len()).rev() {
                let start = if at == 0 { 0 } else { graph.choices[at - 1] };
                let mut best: Option<f64> = None;
                for choice in start..graph.choices[at] {
                    let choice = choice as usize;
                    let from = if choice == 0 {
                        0
                    } else {
                        graph.outcomes[choice - 1]
                    };
                    let next = &graph.next[from as usize..graph.outcomes[choice] as usize];
                    let value = next.iter().map(|&(s, p)| p * self.values[s as usize]).sum();
                    let first = self.states[at].to_move == 0;
                    best = Some(match best {
                        Some(best) if first => f64::max(best, value),
                        Some(best) => f64::min(best, value),
                        None => value,
                    });
                }
                if let Some(value) = best {
                    self.residual = self.residual.max((value - self.values[at]).abs());
                    self.values[at] = value;
                }
            }
        }
    }

    /// The game that was solved.
    pub fn small(&self) -> &SmallGame {
        &self.small
    }

    /// Every position that can arise, finished games included.
    pub fn states(&self) -> &[State] {
        &self.states
    }

    /// How often all values were computed, and the largest change the last time.
    pub fn convergence(&self) -> (u32, f64) {
        (self.sweeps, self.residual)
    }

    /// The chance of a seat to win with best play; none for a position that cannot arise.
    pub fn value(&self, state: &State, seat: usize) -> Option<f64> {
        let value = self.values[*self.index.get(&Key::of(state))? as usize];
        Some(if seat == 0 { value } else { 1.0 - value })
    }

    /// The choices of the player to move; none once the game is over.
    pub fn actions(&self, state: &State) -> ActionList {
        let mut list = ActionList::new();
        if state.winner().is_some() {
            return list;
        }
        self.small.game.legal_actions(state, &mut list);
        if list.is_empty() || (self.small.allow_pass && state.taken > 0) {
            list.push(Action::Pass);
        }
        list
    }

    /// What an action can lead to, and with what chance.
    pub fn outcomes(&self, state: &State, action: Action) -> Vec<(State, f64)> {
        let count = match action {
            Action::Retreat { to, .. } => state.draws(to),
            _ => 0,
        };
        let after = |(drawn, chance): &(Cards, f64)| {
            let mut next = *state;
            self.small.game.apply(&mut next, action, *drawn);
            (next, *chance)
        };
        let drawn = draws(self.pile(state), state.discards, count);
        drawn.iter().map(after).collect()
    }

    /// The chance to win of the player to move after each of its choices.
    pub fn action_values(&self, state: &State) -> Vec<(Action, f64)> {
        let seat = usize::from(state.to_move);
        let value = |action| {
            let outcomes = self.outcomes(state, action);
            let values = outcomes
                .iter()
                .filter_map(|(next, chance)| Some(chance * self.value(next, seat)?));
            (action, values.sum())
        };
        self.actions(state).into_iter().map(value).collect()
    }

    /// The cards in the draw pile.
    pub fn pile(&self, state: &State) -> Cards {
        let open = state
            .hands
            .iter()
            .fold(state.discards, |sum, &h| sum.plus(h));
        self.small.deck.minus(open)
    }
}

/// The sets of `count` cards that a draw can bring from a pile and, when that runs out, from the
/// discards, each with its chance.
fn draws(pile: Cards, discards: Cards, count: u8) -> Vec<(Cards, f64)> {
    // Drawn so far, the pile then, and whether the discards are in it.
    let mut ways = vec![(Cards::NONE, pile, discards, 1.0)];
    for _ in 0..count {
        let mut next: Vec<(Cards, Cards, Cards, f64)> = Vec::new();
        for (drawn, pile, discards, chance) in ways {
            let (pile, discards) = if pile.is_empty() {
                (discards, Cards::NONE)
            } else {
                (pile, discards)
            };
            let total = f64::from(pile.total());
            for symbol in pile.symbols() {
                let share = chance * f64::from(pile.count(symbol)) / total;
                let way = (drawn.with(symbol), pile.without(symbol), discards);
                match next.iter_mut().find(|w| (w.0, w.1, w.2) == way) {
                    Some(known) => known.3 += share,
                    None => next.push((way.0, way.1, way.2, share)),
                }
            }
        }
        ways = next;
    }
    let mut sets: Vec<(Cards, f64)> = Vec::new();
    for (drawn, _, _, chance) in ways {
        match sets.iter_mut().find(|set| set.0 == drawn) {
            Some(known) => known.1 += chance,
            None => sets.push((drawn, chance)),
        }
    }
    sets
}

#[cfg(test)]
mod tests;
