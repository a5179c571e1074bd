//! Exact values of small games with open hands. Tests check the rules by them, and `lab cartagena exact` measures
//! evaluation and search.
//!
//! There are two or three players, every hand is open, and the deck is so small that all reachable positions
//! can be listed. Chance is the draw from a pile: its cards are known, their order is not. When the pile
//! runs out, the discards are the new pile, as in the contest's game.
//!
//! Retreats make the positions cyclic, so values cannot be found from the end backwards. Value
//! iteration (Shapley 1953) finds them: `V(s)`, the chance of each player to win, is the mean of `V(s')` over the
//! outcomes of the action that is best for the player to move, repeated until nothing changes. A game that never ends
//! counts as an equal share for everybody, so the iteration starts from these shares.
//!
//! A game of two is zero-sum, and has one value. With three, each player maximises its own chance and
//! nobody forms a coalition (max^n, Luckhardt and Irani 1986). The value can then depend on what a player does among
//! actions that are equal to it: here it takes each of them with the same probability. Values that go back and forth
//! between nearly equal actions may never settle; such a game is refused.

mod loss;

pub use loss::{ChoiceOptions, Loss, losses};

use cartagena::rules::{Action, ActionList, Cards, Game, State};
use std::collections::HashMap;
use thiserror::Error;

/// A game that is small enough to be solved.
#[derive(Clone, Debug)]
pub struct SmallGame {
    /// Board and pirates; two or three players.
    pub game: Game,
    /// All cards of the game.
    pub deck: Cards,
    /// Cards dealt to each player.
    pub deal: u8,
    /// Whether ending the turn early is a choice.
    pub allow_pass: bool,
}

/// Reasons why a game cannot be solved.
#[derive(Clone, Copy, Debug, Error, PartialEq)]
pub enum SolveError {
    #[error("a game of {0} players has too many positions; expected 2 or 3")]
    Players(usize),
    /// The deck does not suffice for the deal.
    #[error("the deck's {0} cards do not suffice for the deal")]
    Deck(u8),
    #[error("more than {0} positions can arise")]
    TooLarge(usize),
    /// The values do not settle, at least not soon.
    #[error("after {0} sweeps values still change by {1:.1e}: the game is not solved")]
    Unsettled(u32, f64),
}

/// The most players of a small game.
const MOST: usize = 3;
/// The change of a value in a sweep below which it counts as none.
const SETTLED: f64 = 1e-13;
/// The most sweeps: where going round in a cycle costs hardly anything, convergence is slow.
const SWEEPS: u32 = 10_000;
/// Actions whose values differ by less are equal to a player.
const EQUAL: f64 = 1e-9;

/// The chance of each player to win.
type Shares = [f64; MOST];

/// The value of every reachable position of a small game.
#[derive(Clone, Debug)]
pub struct Solution {
    small: SmallGame,
    states: Vec<State>,
    index: HashMap<Key, u32>,
    /// The chances to win, by position.
    values: Vec<Shares>,
    sweeps: u32,
    /// The largest change of a value in the last sweep.
    residual: f64,
}

/// A position as a key. The pile is left out: it holds the cards that lie nowhere else.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Key {
    turn: u8,
    places: u128,
    hands: [u64; MOST],
    discards: u64,
}

impl Key {
    fn of(state: &State) -> Key {
        // Seven bits for each pirate: a place is below 128, and three players with six pirates need 126 of the 128
        // bits. The pirates of a player are sorted, so equal positions have equal keys.
        let mut places = 0;
        for player in 0..state.track.players() {
            for &place in state.track.pirates(player) {
                places = places << 7 | u128::from(place);
            }
        }
        Key {
            turn: state.to_move << 2 | state.taken,
            places,
            hands: std::array::from_fn(|player| state.hands[player].bits()),
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
    /// Solves a game: lists its positions, at most `limit`, and iterates until no value changes by more than 1e-13.
    ///
    /// # Errors
    /// If it is not a small game, or its values do not settle.
    pub fn of(small: SmallGame, limit: usize) -> Result<Solution, SolveError> {
        Solution::within(small, limit, SWEEPS)
    }

    /// Solves a game in at most this many sweeps.
    fn within(small: SmallGame, limit: usize, sweeps: u32) -> Result<Solution, SolveError> {
        if !(2..=MOST).contains(&small.game.players) {
            return Err(SolveError::Players(small.game.players));
        }
        if small.deck.total() < small.dealt() {
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
        solution.iterate(&graph, sweeps);
        match solution.residual <= SETTLED {
            true => Ok(solution),
            false => Err(SolveError::Unsettled(solution.sweeps, solution.residual)),
        }
    }

    /// Lists all reachable positions, with their successors.
    fn explore(&mut self, limit: usize) -> Result<Graph, SolveError> {
        // All deals are starts; their probabilities do not matter to the values.
        self.deal_all(&mut Vec::new(), limit)?;
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

    /// Adds the starts in which the first players have these hands.
    fn deal_all(&mut self, hands: &mut Vec<Cards>, limit: usize) -> Result<(), SolveError> {
        if hands.len() == self.small.game.players {
            let start = self.small.start(hands);
            self.enter(start);
            return match self.states.len() > limit {
                true => Err(SolveError::TooLarge(limit)),
                false => Ok(()),
            };
        }
        let left = hands
            .iter()
            .fold(self.small.deck, |left, &hand| left.minus(hand));
        for (hand, _) in draws(left, Cards::NONE, self.small.deal) {
            hands.push(hand);
            self.deal_all(hands, limit)?;
            hands.pop();
        }
        Ok(())
    }

    /// The number of a position. A new one is added, with its value if it is won and equal shares otherwise.
    fn enter(&mut self, state: State) -> u32 {
        let new = self.states.len() as u32;
        let at = *self.index.entry(Key::of(&state)).or_insert(new);
        if at == new {
            self.states.push(state);
            let players = self.small.game.players;
            let mut shares = [0.0; MOST];
            match state.winner() {
                Some(winner) => shares[winner] = 1.0,
                None => shares[..players].fill(1.0 / players as f64),
            }
            self.values.push(shares);
        }
        at
    }

    /// Value iteration in place (Gauss-Seidel): each sweep uses the values that it has just found.
    fn iterate(&mut self, graph: &Graph, sweeps: u32) {
        while self.residual > SETTLED && self.sweeps < sweeps {
            self.residual = 0.0;
            self.sweeps += 1;
            // Positions found late lie near the end of the game. In reverse order, values travel from the end
            // to the start in few sweeps.
            for at in (0..self.states.len()).rev() {
                // Positions and choices are stored by their ends, so each begins where the one
                // before ends.
                let start = if at == 0 { 0 } else { graph.choices[at - 1] };
                let seat = usize::from(self.states[at].to_move);
                let mut best = BestChoices::default();
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
                    best.consider(self.mean(next), seat);
                }
                // A won position has no choices and keeps its value.
                if best.equal > 0 {
                    let shares = best.shares();
                    for (value, new) in self.values[at].iter_mut().zip(shares) {
                        self.residual = self.residual.max((new - *value).abs());
                        *value = new;
                    }
                }
            }
        }
    }

    /// `Σ P(s') V(s')` of one choice.
    fn mean(&self, next: &[(u32, f64)]) -> Shares {
        let mut mean = [0.0; MOST];
        for &(state, chance) in next {
            for (sum, share) in mean.iter_mut().zip(self.values[state as usize]) {
                *sum += chance * share;
            }
        }
        mean
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

    /// The chance of a seat to win if all play best; none for a position that is not reachable.
    pub fn value(&self, state: &State, seat: usize) -> Option<f64> {
        Some(self.values[*self.index.get(&Key::of(state))? as usize][seat])
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

impl SmallGame {
    /// The number of cards dealt to all players; no deck has as many as the largest number.
    fn dealt(&self) -> u8 {
        self.deal.saturating_mul(self.game.players as u8)
    }

    /// The start of the game with these hands.
    fn start(&self, hands: &[Cards]) -> State {
        State {
            pile: self.deck.total() - self.dealt(),
            ..self.game.start(hands)
        }
    }
}

/// The best choices of a player among those considered.
#[derive(Default)]
struct BestChoices {
    /// The best value for the player.
    own: f64,
    /// The sum of the shares of all choices of this value, and their number.
    sum: Shares,
    equal: u32,
}

impl BestChoices {
    /// Considers a choice after which the shares are these.
    fn consider(&mut self, shares: Shares, seat: usize) {
        let own = shares[seat];
        if self.equal > 0 && own < self.own - EQUAL {
            return;
        }
        if self.equal == 0 || own > self.own + EQUAL {
            *self = BestChoices::default();
        }
        self.own = self.own.max(own);
        self.equal += 1;
        for (sum, share) in self.sum.iter_mut().zip(shares) {
            *sum += share;
        }
    }

    /// The mean of these choices' shares.
    fn shares(&self) -> Shares {
        self.sum.map(|sum| sum / f64::from(self.equal))
    }
}

/// The sets of `count` cards that can be drawn from a pile and, when it runs out, from the discards, each with its
/// probability.
///
/// Example: two cards from a pile of two hats and a gun. Hat and gun have 2/3, two hats 1/3.
pub fn draws(pile: Cards, discards: Cards, count: u8) -> Vec<(Cards, f64)> {
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
