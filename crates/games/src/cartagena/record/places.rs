//! The places of a game's players, those who forfeited it included.

use ::cartagena::rules::{Game, State};
use arena::ranking::places;

/// The seats that have forfeited, the first to do so first.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Forfeits(Vec<usize>);

impl Forfeits {
    /// Adds a seat that resigns or forfeits.
    pub fn push(&mut self, seat: usize) {
        self.0.push(seat);
    }

    /// Adds a seat that forfeits, and takes it out of the game.
    pub fn leave(&mut self, game: &mut Game, seat: usize) {
        self.push(seat);
        game.gone |= 1 << seat;
    }

    /// Whether a seat has forfeited.
    pub fn contains(&self, seat: usize) -> bool {
        self.0.contains(&seat)
    }

    /// The only one of `players` seats that has not forfeited; none while there are several.
    pub fn survivor(&self, players: usize) -> Option<usize> {
        let mut left = (0..players).filter(|&seat| !self.contains(seat));
        left.next().filter(|_| left.next().is_none())
    }

    /// The position of a seat among the forfeits: 0 for the first one; none if it has not forfeited.
    fn order(&self, seat: usize) -> Option<usize> {
        self.0.iter().position(|&s| s == seat)
    }
}

/// The rank of each player, from 1. The winner is first. The others follow by the number of pirates on the boat,
/// then by the number of places that their pirates still have to go (fewer is better). Players who forfeited come
/// last; among them, the earlier one is behind. Equal players share the mean of their places. Without a winner all
/// who did not forfeit are equal: of three players, one of whom forfeited, the ranks are 1.5, 1.5 and 3.
pub fn ranks(game: &Game, state: &State, winner: Option<usize>, forfeits: &Forfeits) -> Vec<f64> {
    let standing: Vec<_> = (0..game.players)
        // A greater tuple ranks higher. Tuples compare from left to right: first whether the player stayed, then its
        // progress, or for a forfeit the order (later is better).
        .map(|seat| {
            let progress = match winner {
                Some(_) => (state.track.home(seat), -i64::from(state.track.pips(seat))),
                None => (0, 0),
            };
            match forfeits.order(seat) {
                Some(order) => (false, (order, 0)),
                None => (true, progress),
            }
        })
        .collect();
    places(&standing)
}
