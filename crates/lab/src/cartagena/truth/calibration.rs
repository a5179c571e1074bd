//! Whether a network's values come true: predicted chances against outcomes, in whole games.

use super::scores::{PHASES, phase};
use crate::cartagena::bench::step;
use crate::cartagena::players::builtin::Recipe;
use crate::cartagena::training::Setups;
use arena::stats::Mean;
use cartagena::evaluation::{Afterstate, Evaluator};
use cartagena::record::GameRecord;
use cartagena::rules::ActionList;
use engine::rng::{self, mix};
use rayon::prelude::*;

/// Actions of each player after which a game is left out.
const CAP: usize = 500;

/// Plays games between copies of a player, and returns for each phase, and for whole games at the end,
/// the mean of predicted less outcome: predicted is the chance that the evaluator, without looking ahead,
/// gives the mover after its action. A game is the unit.
pub fn calibration(
    evaluator: &dyn Evaluator,
    recipe: &Recipe,
    setups: &Setups,
    games: usize,
    seed: u64,
) -> [Mean; PHASES + 1] {
    let played: Vec<[Mean; PHASES + 1]> = (0..games as u64)
        .into_par_iter()
        .map(|number| play(evaluator, recipe, setups, mix(seed) ^ number))
        .collect();
    let mut sums = [Mean::default(); PHASES + 1];
    for game in played {
        for (sum, phase) in sums.iter_mut().zip(game) {
            if phase.count() > 0 {
                sum.push(phase.mean());
            }
        }
    }
    sums
}

fn play(
    evaluator: &dyn Evaluator,
    recipe: &Recipe,
    setups: &Setups,
    seed: u64,
) -> [Mean; PHASES + 1] {
    let (game, mut world) = setups.draw(&mut rng::stream(seed, 0));
    let players = game.players;
    let mut seats: Vec<_> = (0..players as u64).map(|s| recipe(mix(seed) ^ s)).collect();
    let mut moves = Vec::new();
    let mut legal = ActionList::new();
    // Phase, mover and predicted chance of each action.
    let mut predicted: Vec<(usize, usize, f64)> = Vec::new();
    for _ in 0..CAP * players {
        let state = *world.state();
        if state.winner().is_some() {
            break;
        }
        let seat = usize::from(state.to_move);
        let record = GameRecord::of_state(&game, &state, moves.clone());
        game.legal_actions(&state, &mut legal);
        let action = step(&game, &mut world, &record, &mut moves, &mut *seats[seat]);
        let after = Afterstate::before(&state).then(action);
        if !legal.is_empty() && !after.won() {
            let chance = f64::from(evaluator.own_chance(&game, &after));
            predicted.push((phase(&record), seat, chance));
        }
    }
    let mut means = [Mean::default(); PHASES + 1];
    if let Some(winner) = world.state().winner() {
        for (phase, seat, chance) in predicted {
            let outcome = f64::from(u8::from(seat == winner));
            means[phase].push(chance - outcome);
            means[PHASES].push(chance - outcome);
        }
    }
    means
}
