//! Games of one participant against others in duplicate blocks, for measurements inside this program: the strangers
//! and the best responses. All games of a block have the same board and cards, and the participant has every seat in
//! turn. The referee of matches, with programs, clocks and records, is in `contest`.

use cartagena::player::Player;
use cartagena::record::GameRecord;
use cartagena::rules::Game;
use cartagena::world::World;
use engine::rng::{self, mix};
use seats::cartagena::players::builtin::Recipe;
use seats::cartagena::positions::step;
use seats::cartagena::setups::Setups;
use serde::{Deserialize, Serialize};
use std::time::Instant;

/// Actions of each player after which a game counts as drawn.
const CAP: usize = 500;

/// Lets the player to move act until a game is won or has as many actions as it may have. Returns its winner.
pub fn play_out(game: &Game, world: &mut World, mut act: impl FnMut(&mut World)) -> Option<usize> {
    for _ in 0..CAP * game.players {
        if world.state().winner().is_some() {
            break;
        }
        act(world);
    }
    world.state().winner()
}

/// One participant against others.
#[derive(Clone, Copy)]
pub struct Bout<'a> {
    pub player: &'a Recipe,
    /// The others, who take the remaining seats in turn; with fewer than seats some sit there several times.
    pub others: &'a [Recipe],
    pub players: usize,
    /// Fixes all boards, cards and players' random numbers.
    pub seed: u64,
}

/// The result of a block.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct BoutBlock {
    /// The share of its games that the participant won. A drawn game counts as a fair share.
    pub share: f64,
    /// Actions and seconds: of the participant, and of the others.
    pub cost: [(u64, f64); 2],
}

impl Bout<'_> {
    /// Plays a block: as many games as there are seats. It depends on its number alone, times excepted.
    pub fn block(&self, number: u64) -> BoutBlock {
        let mut block = BoutBlock::default();
        for seat in 0..self.players {
            block.share += self.game(number, seat, &mut block.cost) / self.players as f64;
        }
        block
    }

    /// Plays the game of a block in which the participant has `seat`, and returns its share of the win.
    fn game(&self, number: u64, seat: usize, cost: &mut [(u64, f64); 2]) -> f64 {
        let setups = Setups::new(self.players, &[3, 6], 0.0);
        let deal = mix(self.seed ^ mix(number + 1));
        let (game, mut world) = setups.draw(&mut rng::stream(deal, 0));
        let mut seats: Vec<Box<dyn Player>> = (0..self.players)
            .map(|one| {
                // The first seat after the participant's begins with another participant in every block, so each
                // of several ones plays after it equally often.
                let after = (one + self.players - seat) % self.players;
                let recipe = match after {
                    0 => self.player,
                    _ => &self.others[(after - 1 + number as usize) % self.others.len()],
                };
                recipe(mix(deal ^ mix((1 + seat * self.players + one) as u64)))
            })
            .collect();
        let mut moves = Vec::new();
        let winner = play_out(&game, &mut world, |world| {
            let mover = usize::from(world.state().to_move);
            let record = GameRecord::of_state(&game, world.state(), moves.clone());
            let start = Instant::now();
            step(&game, world, &record, &mut moves, &mut *seats[mover]);
            let (actions, seconds) = &mut cost[usize::from(mover != seat)];
            *actions += 1;
            *seconds += start.elapsed().as_secs_f64();
        });
        match winner {
            Some(winner) => f64::from(u8::from(winner == seat)),
            None => 1.0 / self.players as f64,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use seats::cartagena::players::builtin::recipe_of;

    /// Equal players without random numbers share every block, whoever has which seat, and a better one wins more.
    #[test]
    fn seats_take_turns_on_the_same_cards() {
        let recipe = |text: &str| recipe_of(text).unwrap();
        let (hoarder, random) = (recipe("hoarder"), recipe("random"));
        for players in 2..=4 {
            let bout = |player, others| Bout {
                player,
                others,
                players,
                seed: 5,
            };
            let same = [recipe("hoarder")];
            for number in 0..4 {
                let block = bout(&hoarder, &same).block(number);
                assert!((block.share - 1.0 / players as f64).abs() < 1e-9);
                assert_eq!(
                    block.cost[1].0.div_ceil(block.cost[0].0),
                    players as u64 - 1
                );
            }
            let weak = [random.clone()];
            let against: f64 = (0..4)
                .map(|number| bout(&hoarder, &weak).block(number).share)
                .sum();
            assert!(against > 3.0, "{players}: {against}");
        }
    }
}
