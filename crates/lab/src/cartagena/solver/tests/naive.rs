//! Small games by brute force, as a second implementation for the tests: lists instead of masks, one card drawn at
//! a time, no value iteration.

use super::super::{SmallGame, Solution};
use cartagena::rules::{Cards, State};
use std::collections::HashMap;

/// A position, with everything in sorted lists.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Position {
    pirates: [Vec<usize>; 2],
    hands: [Vec<usize>; 2],
    pile: Vec<usize>,
    discards: Vec<usize>,
    player: usize,
    taken: u8,
}

fn list(cards: Cards) -> Vec<usize> {
    cards.iter().map(|symbol| symbol.index()).collect()
}

impl Position {
    pub fn of(solution: &Solution, state: &State) -> Position {
        let places = |player| {
            let pirates: &[u8] = state.track.pirates(player);
            pirates.iter().map(|&p| usize::from(p)).collect()
        };
        Position {
            pirates: [places(0), places(1)],
            hands: [list(state.hands[0]), list(state.hands[1])],
            pile: list(solution.pile(state)),
            discards: list(state.discards),
            player: usize::from(state.to_move),
            taken: state.taken,
        }
    }

    fn on(&self, place: usize) -> usize {
        self.pirates
            .iter()
            .flatten()
            .filter(|&&p| p == place)
            .count()
    }

    fn step(&mut self, from: usize, to: usize) {
        let pirates = &mut self.pirates[self.player];
        let i = pirates.iter().position(|&p| p == from).unwrap();
        pirates[i] = to;
        pirates.sort();
    }

    fn end_action(mut self, turn: u8) -> Position {
        self.taken += 1;
        if self.taken >= turn {
            self.taken = 0;
            self.player = 1 - self.player;
        }
        self
    }

    /// All results of drawing one card, with their chances. The position stays as it is if there is no card.
    fn draw(&self) -> Vec<(Position, f64)> {
        let mut next = self.clone();
        if next.pile.is_empty() {
            next.pile = std::mem::take(&mut next.discards);
        }
        if next.pile.is_empty() {
            return vec![(next, 1.0)];
        }
        let chance = 1.0 / next.pile.len() as f64;
        let after = |i| {
            let mut next = next.clone();
            let card = next.pile.remove(i);
            next.hands[self.player].push(card);
            next.hands[self.player].sort();
            (next, chance)
        };
        (0..next.pile.len()).map(after).collect()
    }
}

/// Bounds of the first player's chance to win, kept by position and by the number of actions that are looked ahead.
pub struct Search {
    symbols: Vec<usize>,
    allow_pass: bool,
    known: HashMap<(Position, u32), (f64, f64)>,
}

impl Search {
    pub fn new(small: &SmallGame) -> Search {
        let spaces = small.game.board.spaces().iter();
        Search {
            symbols: spaces.map(|symbol| symbol.index()).collect(),
            allow_pass: small.allow_pass,
            known: HashMap::new(),
        }
    }

    pub fn bounds(&mut self, position: &Position, depth: u32) -> (f64, f64) {
        let boat = self.symbols.len() + 1;
        for player in 0..2 {
            if position.pirates[player].iter().all(|&p| p == boat) {
                let value = if player == 0 { 1.0 } else { 0.0 };
                return (value, value);
            }
        }
        if depth == 0 {
            // Beyond the depth nothing is known: the game may be lost or won.
            return (0.0, 1.0);
        }
        let key = (position.clone(), depth);
        if let Some(&known) = self.known.get(&key) {
            return known;
        }
        let mut best: Option<(f64, f64)> = None;
        for outcomes in self.choices(position) {
            let (mut low, mut high) = (0.0, 0.0);
            for (next, chance) in outcomes {
                let bounds = self.bounds(&next, depth - 1);
                low += chance * bounds.0;
                high += chance * bounds.1;
            }
            best = Some(match best {
                // Player 0 maximises both bounds, player 1 minimises them.
                None => (low, high),
                Some(best) if position.player == 0 => (best.0.max(low), best.1.max(high)),
                Some(best) => (best.0.min(low), best.1.min(high)),
            });
        }
        let best = best.unwrap();
        self.known.insert(key, best);
        best
    }

    fn choices(&self, position: &Position) -> Vec<Vec<(Position, f64)>> {
        let boat = self.symbols.len() + 1;
        let player = position.player;
        let mut choices = Vec::new();
        for &from in &position.pirates[player] {
            for &card in &position.hands[player] {
                // Pirates on the boat do not advance, but they may retreat from it.
                if from == boat {
                    continue;
                }
                let open = |to: &usize| self.symbols[to - 1] == card && position.on(*to) == 0;
                let to = (from + 1..boat).find(open).unwrap_or(boat);
                let mut next = position.clone();
                let i = next.hands[player].iter().position(|&c| c == card).unwrap();
                next.hands[player].remove(i);
                next.discards.push(card);
                next.discards.sort();
                next.step(from, to);
                choices.push(vec![(next.end_action(3), 1.0)]);
            }
            let fits = |to: &usize| (1..=2).contains(&position.on(*to));
            if let Some(to) = (1..from).rev().find(fits) {
                // The cards are drawn before the pirate moves, one for each pirate that stands there.
                let mut outcomes = vec![(position.clone(), 1.0)];
                for _ in 0..position.on(to) {
                    let drawn = outcomes.iter().flat_map(|(p, chance)| {
                        let drawn = p.draw().into_iter();
                        drawn.map(move |(next, share)| (next, chance * share))
                    });
                    outcomes = drawn.collect();
                }
                let moved = outcomes.into_iter().map(|(mut next, chance)| {
                    next.step(from, to);
                    (next.end_action(3), chance)
                });
                choices.push(moved.collect());
            }
        }
        if choices.is_empty() || (self.allow_pass && position.taken > 0) {
            choices.push(vec![(position.clone().end_action(0), 1.0)]);
        }
        choices
    }
}
