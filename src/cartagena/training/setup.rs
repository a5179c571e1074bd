//! The boards and deals that are trained on.

use crate::cartagena::rules::{Board, Game, MAX_SPACES, SYMBOLS, Symbol};
use crate::cartagena::world::World;
use crate::random::{self, Random};

/// Segments of the standard passage; each bears every symbol once.
const SEGMENTS: usize = 6;

/// A distribution of starts of games.
#[derive(Clone, Debug, PartialEq)]
pub struct Setups {
    /// Players of every game.
    pub players: usize,
    /// Cards dealt to each player: one of these, each as likely as the others.
    pub deals: Vec<usize>,
    /// The share of games on boards of another length than the standard.
    pub other_lengths: f64,
}

impl Setups {
    /// A random start.
    pub fn draw(&self, random: &mut Random) -> (Game, World) {
        let board = if random::unit(random) < self.other_lengths {
            let spaces = 6 + random::below(random, 60);
            board(spaces, random)
        } else {
            board(SEGMENTS * SYMBOLS, random)
        };
        let game = Game::new(board, self.players);
        let deal = self.deals[random::below(random, self.deals.len())];
        let part = rand::Rng::next_u64(random);
        let world = World::deal(&game, deal, random::stream(part, 0));
        (game, world)
    }
}

/// A board of whole segments, the last one cut where the spaces end.
fn board(spaces: usize, random: &mut Random) -> Board {
    let mut symbols = Vec::with_capacity(spaces + SYMBOLS);
    while symbols.len() < spaces {
        let mut segment = Symbol::ALL;
        random::shuffle(random, &mut segment);
        symbols.extend(segment);
    }
    symbols.truncate(spaces.clamp(1, MAX_SPACES));
    Board::new(symbols).expect("the number of spaces is within the limits")
}
