//! Calibration: an evaluator's predicted chances compared with the outcomes of whole games, for
//! `lab cartagena calibrate`.

use super::scores::{PHASES, phase};
use crate::cartagena::bout::play_out;
use arena::stats::Blocks;
use cartagena::evaluation::{Afterstate, Evaluator};
use cartagena::record::GameRecord;
use cartagena::rules::ActionList;
use engine::rng::{self, mix};
use rayon::prelude::*;
use seats::cartagena::players::builtin::Recipe;
use seats::cartagena::positions::step;
use seats::cartagena::setups::Setups;

/// The actions of one game in one phase: their number, and the sum of predicted chance less
/// outcome.
#[derive(Clone, Copy, Debug, Default)]
struct Sum {
    actions: f64,
    errors: f64,
}

/// Plays games between copies of a player and compares the predictions of an evaluator with the
/// outcomes, by phase, with the whole game last. The prediction is the chance that the evaluator,
/// without looking ahead, gives the mover after its action. The means are of predicted chance less outcome over
/// all actions; a block is a game.
pub fn calibration(
    evaluator: &dyn Evaluator,
    recipe: &Recipe,
    setups: &Setups,
    games: usize,
    seed: u64,
) -> [Blocks; PHASES + 1] {
    let played: Vec<[Sum; PHASES + 1]> = (0..games as u64)
        .into_par_iter()
        .map(|number| play(evaluator, recipe, setups, mix(seed) ^ number))
        .collect();
    // A game counts in a phase only if it had an action there.
    std::array::from_fn(|phase| {
        let mut games = Blocks::default();
        for sums in &played {
            games.push(sums[phase].errors, sums[phase].actions);
        }
        games
    })
}

/// Plays one game, and sums the errors of its predictions by phase, last over the whole game.
fn play(
    evaluator: &dyn Evaluator,
    recipe: &Recipe,
    setups: &Setups,
    seed: u64,
) -> [Sum; PHASES + 1] {
    let (game, mut world) = setups.draw(&mut rng::stream(seed, 0));
    // Copies of the player, each with its own random numbers.
    let mut seats: Vec<_> = (0..game.players as u64)
        .map(|s| recipe(mix(seed) ^ s))
        .collect();
    let mut moves = Vec::new();
    let mut legal = ActionList::new();
    // For each action: phase, mover and predicted chance.
    let mut predicted: Vec<(usize, usize, f64)> = Vec::new();
    let winner = play_out(&game, &mut world, |world| {
        let state = *world.state();
        let seat = usize::from(state.to_move);
        // The evaluator is asked about the action that the player took, not about the one it would
        // take itself.
        let record = GameRecord::of_state(&game, &state, moves.clone());
        game.legal_actions(&state, &mut legal);
        let action = step(&game, world, &record, &mut moves, &mut *seats[seat]);
        let after = Afterstate::before(&state).then(action);
        // A forced pass predicts nothing, and a won position needs no prediction.
        if !legal.is_empty() && !after.won() {
            let chance = f64::from(evaluator.own_chance(&game, &after));
            predicted.push((phase(&record), seat, chance));
        }
    });
    let mut sums = [Sum::default(); PHASES + 1];
    // A game that was broken off has no outcome and adds nothing.
    if let Some(winner) = winner {
        for (phase, seat, chance) in predicted {
            let error = chance - f64::from(u8::from(seat == winner));
            // The last entry is the whole game.
            for sum in [phase, PHASES] {
                sums[sum].actions += 1.0;
                sums[sum].errors += error;
            }
        }
    }
    sums
}
