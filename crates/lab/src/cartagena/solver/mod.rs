//! Exact values of small games with open hands. Tests check the rules by them, and `lab cartagena exact` measures
//! evaluation and search.
//!
//! There are two players, every hand is open, and the deck is so small that all reachable positions
//! can be listed. Chance is the draw from a pile: its cards are known, their order is not. When the pile
//! runs out, the discards are the new pile, as in the contest's game.
//!
//! Retreats make the positions cyclic, so values cannot be found from the end backwards. Value
//! iteration (Shapley 1953) finds them: `V(s) = max over a of Σ_s' P(s' | s, a) V(s')` for the
//! first player, `min` for the second, repeated until nothing changes. `V` is the first player's
//! chance to win; the game is zero-sum around one half. A game that never ends counts as half a win
//! for both, so the iteration starts from one half everywhere.

mod loss;
mod oracle;

pub use loss::{ChoiceOptions, Loss, losses};
pub use oracle::Oracle;

use cartagena::rules::{Action, ActionList, Cards, Game, State, Track};
use std::collections::HashMap;
use thiserror::Error;

/// A game that is small enough to be solved.
#[derive(Clone, Debug)]
pub struct SmallGame {
    /// Board and pirates; two players.
    pub game: Game,
    /// All cards of the game.
    pub deck: Cards,
    /// Cards dealt to each player.
    pub deal: u8,
    /// Whether ending the turn early is a choice.
    pub allow_pass: bool,
}

/// Reasons why a game cannot be solved.
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

/// The value of every reachable position of a small game.
#[derive(Clone, Debug)]
pub struct Solution {
    small: SmallGame,
    states: Vec<State>,
    index: HashMap<Key, u32>,
    /// By position, the first player's chance to win.
    values: Vec<f64>,
    sweeps: u32,
    /// The largest change of a value in the last sweep.
    residual: f64,
}

/// A position as a key. The pile is left out: it holds the cards that lie nowhere else.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Key {
    places: u128,
    hands: [u64; 2],
    discards: u64,
}

impl Key {
    fn of(state: &State) -> Key {
        // Three bits for the turn, then seven for each pirate: a place is below 128, and two
        // players with six pirates need 87 of the 128 bits. The pirates of a player are sorted, so
        // equal positions have equal keys.
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

/// The successors of each position as three flat lists. The actions of position `s` are numbered from
/// `choices[s − 1]` (0 for the first) up to, not including, `choices[s]`; the outcomes of each action lie in `next`
/// between entries of `outcomes` in the same way.
#[derive(Default)]
struct Graph {
    /// For each position, the end of its actions in `outcomes`.
    choices: Vec<u32>,
    /// For each action, the end of its outcomes in `next`.
    outcomes: Vec<u32>,
    /// Positions with their probabilities.
    next: Vec<(u32, f64)>,
}

impl Solution {
    /// Solves a game. Lists its positions, at most `limit`, and iterates until no value changes by
    /// more than 1e-13, at most 10,000 times: where going round in a cycle costs hardly anything, convergence
    /// is slow.
    ///
    /// # Errors
    /// If it is not a small game of two.
    pub fn of(small: SmallGame, limit: usize) -> Result<Solution, SolveError> {
        // With more than two players a coalition can decide a game, and a position has no single
        // value.
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

    /// Lists all reachable positions, with their successors.
    fn explore(&mut self, limit: usize) -> Result<Graph, SolveError> {
        let SmallGame {
            game, deck, deal, ..
        } = self.small.clone();
        // All deals are starts; their probabilities do not matter to the values.
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
        // Breadth first: `states` is its own queue, since new positions are added at the end.
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

    /// The number of a position. A new one is added, with its value if it is won and one half otherwise.
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

    /// Value iteration in place (Gauss-Seidel): each sweep uses the values that it has just found.
    fn iterate(&mut self, graph: &Graph) {
        const SWEEPS: u32 = 10_000;
        while self.residual > 1e-13 && self.sweeps < SWEEPS {
            self.residual = 0.0;
            self.sweeps += 1;
            // Positions found late lie near the end of the game. In reverse order, values travel from the end
            // to the start in few sweeps.
            for at in (0..self.states.len()).rev() {
                // Positions and choices are stored by their ends, so each begins where the one
                // before ends.
                let start = if at == 0 { 0 } else { graph.choices[at - 1] };
                let mut best: Option<f64> = None;
                // A choice is worth the mean over its outcomes, a position the best of its choices
                // for the player to move.
                for choice in start..graph.choices[at] {
                    let choice = choice as usize;
                    let from = if choice == 0 {
                        0
                    } else {
                        graph.outcomes[choice - 1]
                    };
                    let next = &graph.next[from as usize..graph.outcomes[choice] as usize];
                    // `Σ P(s') V(s')` of one choice.
                    let value = next.iter().map(|&(s, p)| p * self.values[s as usize]).sum();
                    let first = self.states[at].to_move == 0;
                    best = Some(match best {
                        Some(best) if first => f64::max(best, value),
                        Some(best) => f64::min(best, value),
                        None => value,
                    });
                }
                // A won position has no choices and keeps its value.
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

    /// Every reachable position, finished games included.
    pub fn states(&self) -> &[State] {
        &self.states
    }

    /// The number of sweeps, and the largest change of a value in the last one.
    pub fn convergence(&self) -> (u32, f64) {
        (self.sweeps, self.residual)
    }

    /// The chance of a seat to win if both play best; none for a position that is not reachable.
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
            // A pass is always possible if nothing else is; after an action of the turn it may be a
            // choice.
            list.push(Action::Pass);
        }
        list
    }

    /// The positions after an action, with their probabilities.
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

    /// For each action of the player to move, its chance to win after it.
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

/// The sets of `count` cards that can be drawn from a pile and, when it runs out, from the discards, each with its
/// probability.
///
/// Example: two cards from a pile of two hats and a gun. Hat and gun have 2/3, two hats 1/3.
fn draws(pile: Cards, discards: Cards, count: u8) -> Vec<(Cards, f64)> {
    // One entry for each way to draw: the cards drawn so far, the pile and the discards after them (none once
    // they are the pile), and the probability.
    let mut ways = vec![(Cards::NONE, pile, discards, 1.0)];
    for _ in 0..count {
        let mut next: Vec<(Cards, Cards, Cards, f64)> = Vec::new();
        for (drawn, pile, discards, chance) in ways {
            // The discards become the pile when it is empty and a card is wanted.
            let (pile, discards) = if pile.is_empty() {
                (discards, Cards::NONE)
            } else {
                (pile, discards)
            };
            let total = f64::from(pile.total());
            for symbol in pile.symbols() {
                let share = chance * f64::from(pile.count(symbol)) / total;
                let way = (drawn.with(symbol), pile.without(symbol), discards);
                // Ways that agree in everything are merged after each card, or their number would
                // grow by a factor a card.
                match next.iter_mut().find(|w| (w.0, w.1, w.2) == way) {
                    Some(known) => known.3 += share,
                    None => next.push((way.0, way.1, way.2, share)),
                }
            }
        }
        ways = next;
    }
    // Ways that draw the same cards can leave different piles; the caller wants the cards alone.
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
