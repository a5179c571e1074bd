//! The distribution of boards and deals that games of training, matches and calibration are drawn from.

use cartagena::boards;
use cartagena::rules::Game;
use cartagena::world::World;
use engine::rng::{self, Random};
use serde::{Deserialize, Serialize};

/// A distribution of starts of games.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Setups {
    /// Players of every game.
    pub players: usize,
    /// Cards dealt to each player: one of these numbers, all equally likely.
    pub deals: Vec<usize>,
    /// The share of games on boards of a random length, instead of the standard board.
    pub other_lengths: f64,
}

impl Setups {
    /// Setups for this number of players, with these deals, and this share of games on boards of other lengths.
    pub fn new(players: usize, deals: &[usize], other_lengths: f64) -> Setups {
        Setups {
            players,
            deals: deals.to_vec(),
            other_lengths,
        }
    }

    /// A game at its beginning: the board and the players, and the hidden cards.
    pub fn draw(&self, rng: &mut Random) -> (Game, World) {
        let board = if rng::unit(rng) < self.other_lengths {
            // 6 to 65 spaces; the standard board has 36.
            let spaces = 6 + rng::below(rng, 60);
            boards::of_length(spaces, rng)
        } else {
            boards::standard(rng)
        };
        let game = Game::new(board, self.players);
        let deal = self.deals[rng::below(rng, self.deals.len())];
        // The world keeps a generator for the whole game: it shuffles the deck, and later the discards.
        let part = rand::Rng::next_u64(rng);
        let world = World::deal(&game, deal, rng::stream(part, 0));
        (game, world)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use cartagena::rules::{SYMBOLS, Symbol};

    #[test]
    fn standard_boards_have_every_symbol_in_every_segment() {
        let setups = Setups::new(4, &[3, 6], 0.5);
        let mut rng = rng::stream(1, 0);
        let (mut standard, mut threes) = (0, 0);
        for _ in 0..200 {
            let (game, world) = setups.draw(&mut rng);
            let spaces = game.board.spaces();
            standard += usize::from(spaces.len() == 36);
            for segment in spaces.chunks_exact(SYMBOLS) {
                let mut sorted = segment.to_vec();
                sorted.sort_unstable();
                assert_eq!(sorted, Symbol::ALL);
            }
            let hand = world.state().hands[3].total();
            assert!(hand == 3 || hand == 6);
            threes += usize::from(hand == 3);
        }
        assert!((70..130).contains(&standard) && (70..130).contains(&threes));
    }
}
