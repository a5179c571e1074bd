//! Solves the first two tricks of a hand game.

use super::accepted::Accepted;
use super::choice::Pass;
use super::place::{Place, Plays, place};
use super::sets::{Sets, dealt};
use super::tree::{Policy, Tree};
use super::trick::Walk;
use super::values::{EndgameValues, Strength, endgame, solved};
use challenge::equilibrium::Stakes;
use challenge::equilibrium::blueprint::{OPENING_TRICKS, Opening, Strategy};
use challenge::rules::{HAND_SIZE, Seat};
use engine::rng::{Random, stream};
use engine::store::{Kind, StoreError, read_table, write_table};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use std::path::Path;
use std::sync::Arc;

const _: () = assert!(OPENING_TRICKS == 2);

/// What a training does.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct OpeningSettings {
    /// Endgames that the blueprint comes to, solved before the first iteration.
    pub first: u32,
    /// Iterations of the first two tricks.
    pub iterations: u32,
    /// Endgames that are solved after each, as the averages come to them.
    pub each: u32,
    /// Iterations of an endgame.
    pub endgame: u32,
    /// The seed of the endgames.
    pub seed: u64,
}

impl Default for OpeningSettings {
    fn default() -> OpeningSettings {
        OpeningSettings {
            first: 300,
            iterations: 80,
            each: 8,
            endgame: 12,
            seed: 1,
        }
    }
}

/// The probability with which ranges are taken to stray from the averages, so that no hand is out of the question.
const STRAY: f32 = 0.003;
/// The probability of any card in the games that endgames are taken from.
const WILD: f64 = 0.15;
/// Endgames that are solved side by side.
const BATCH: u32 = 8;
/// Hands that come to a decision more seldom are left to the tables.
const LEAST: f32 = 0.02;

/// The version of checkpoints.
const CHECKPOINT: Kind = Kind::new("opening_training", 1);
/// Iterations between two of them.
const EVERY: u32 = 10;

/// A training that is under way.
#[derive(Serialize, Deserialize)]
struct Checkpoint {
    stakes: Stakes,
    settings: OpeningSettings,
    iteration: u32,
    values: EndgameValues,
    tree: Tree,
}

/// One hand game, with all that its walks need.
pub(super) struct HandGame {
    pub sets: Sets,
    pub accepted: Accepted,
    pub stakes: Stakes,
    /// The part of a deal's weight that each hand has.
    dealt: Vec<f32>,
    /// The weight of all deals.
    weight: f64,
}

impl HandGame {
    /// With the card play of a blueprint in accepted challenges.
    pub fn new(strategy: &Strategy, stakes: Stakes) -> HandGame {
        let sets = Sets::new();
        let dealt: Vec<f32> = sets
            .all(HAND_SIZE)
            .iter()
            .map(|&hand| dealt(hand))
            .collect();
        let left = Place::first().left;
        let weights = sets.weigh(&left, (HAND_SIZE, HAND_SIZE), &dealt, 1.0);
        let weight = weights
            .iter()
            .zip(&dealt)
            .map(|(a, b)| f64::from(a * b))
            .sum();
        HandGame {
            accepted: Accepted::new(strategy, &sets, &stakes),
            sets,
            stakes,
            dealt,
            weight,
        }
    }

    /// A walk about a player.
    pub fn walk<'a>(&'a self, values: &'a EndgameValues, learner: Seat, pass: Pass) -> Walk<'a> {
        Walk {
            sets: &self.sets,
            accepted: &self.accepted,
            stakes: self.stakes,
            values,
            learner,
            pass,
        }
    }

    /// How strong the hands of both players are with these ranges.
    pub fn strengths(&self, plays: &Plays, reach: &[Vec<f32>; 2]) -> [Strength; 2] {
        let (at, reach) = (place(plays), [&reach[0][..], &reach[1][..]]);
        let tables = (&self.sets, &self.accepted);
        [0, 1].map(|seat| Strength::new(tables, &at, seat, reach))
    }

    /// What a player wins in a walk, in chances to win the game more than a tie is worth.
    pub fn value(&self, tree: &mut Tree, values: &EndgameValues, learner: Seat, pass: Pass) -> f64 {
        let walk = self.walk(values, learner, pass);
        let values = tree.visit(&walk, &self.dealt);
        let both = values.iter().zip(&self.dealt);
        both.map(|(value, dealt)| f64::from(value * dealt))
            .sum::<f64>()
            / self.weight
    }

    /// A value function from so many endgames, of so many iterations each, that the averages of a tree come to. `solved` is
    /// called after every few of them with how many they were.
    pub fn values_of(
        &self,
        tree: &Tree,
        (endgames, iterations): (u32, u32),
        rng: impl Fn(u32) -> Random + Sync,
        mut solved: impl FnMut(u32),
    ) -> EndgameValues {
        let mut values = EndgameValues::new(&self.stakes);
        let mut done = 0;
        while done < endgames {
            let count = BATCH.min(endgames - done);
            self.learn(&mut values, tree, count, iterations, |number| {
                rng(done + number)
            });
            done += count;
            solved(count);
        }
        values
    }

    /// Solves endgames that the averages of a tree come to, and learns what their hands win.
    pub fn learn(
        &self,
        values: &mut EndgameValues,
        tree: &Tree,
        endgames: u32,
        iterations: u32,
        rng: impl Fn(u32) -> Random + Sync,
    ) {
        let plays = |number: u32| -> Option<Plays> {
            let pick =
                |turn: super::tree::Turn, rng: &mut Random| Some(turn.card(&self.sets, WILD, rng));
            tree.play(&mut rng(number), pick).map(|(plays, _)| plays)
        };
        let found: Vec<_> = (0..endgames)
            .into_par_iter()
            .filter_map(|number| {
                let plays = plays(number)?;
                let reach = tree.ranges(&self.sets, &plays, [STRAY; 2]);
                let strengths = self.strengths(&plays, &reach);
                let solver = solved(&endgame(&plays, &self.stakes, reach), iterations)?;
                Some((strengths, [0, 1].map(|seat| solver.mean_payoffs(seat))))
            })
            .collect();
        for (strengths, found) in found {
            for (strength, found) in strengths.iter().zip(&found) {
                values.learn(strength, found);
            }
        }
    }
}

/// A training of one hand game's first two tricks: counterfactual regret minimisation on their public tree, with all
/// hands, and a value function for what comes after.
pub struct OpeningTrainer {
    game: Arc<HandGame>,
    settings: OpeningSettings,
    values: EndgameValues,
    tree: Tree,
    iteration: u32,
}

impl OpeningTrainer {
    /// Learns the value function from endgames of the blueprint first. `solved` is called after every few of them with
    /// how many they were.
    pub fn new(
        strategy: &Strategy,
        stakes: Stakes,
        settings: OpeningSettings,
        solved: impl FnMut(u32),
    ) -> OpeningTrainer {
        let game = Arc::new(HandGame::new(strategy, stakes));
        OpeningTrainer::of(game, strategy, settings, solved)
    }

    /// All iterations, from a checkpoint on if there is one of the same hand game and settings; it is renewed after every
    /// tenth. `done` is called with how many endgames before the first iteration, and then iterations, are done
    /// since it was called last.
    ///
    /// # Errors
    /// If the checkpoint cannot be written.
    pub fn train(
        strategy: &Strategy,
        stakes: Stakes,
        settings: OpeningSettings,
        checkpoint: &Path,
        done: impl FnMut(u32),
    ) -> Result<OpeningTrainer, StoreError> {
        let game = Arc::new(HandGame::new(strategy, stakes));
        OpeningTrainer::run(game, strategy, settings, (checkpoint, EVERY), done)
    }

    /// The same with a hand game that is laid out already; the checkpoint comes with how many iterations lie
    /// between two of them.
    pub(super) fn run(
        game: Arc<HandGame>,
        strategy: &Strategy,
        settings: OpeningSettings,
        (checkpoint, every): (&Path, u32),
        mut done: impl FnMut(u32),
    ) -> Result<OpeningTrainer, StoreError> {
        let found = read_table::<Checkpoint>(checkpoint, CHECKPOINT).ok();
        let mut trainer = match found {
            Some(found) if found.stakes == game.stakes && found.settings == settings => {
                done(settings.first + found.iteration);
                OpeningTrainer {
                    game,
                    settings,
                    values: found.values,
                    tree: found.tree,
                    iteration: found.iteration,
                }
            }
            _ => OpeningTrainer::of(game, strategy, settings, &mut done),
        };
        while trainer.iteration < settings.iterations {
            trainer.step();
            if trainer.iteration.is_multiple_of(every) && trainer.iteration < settings.iterations {
                trainer = trainer.store(checkpoint)?;
            }
            done(1);
        }
        Ok(trainer)
    }

    fn store(self, path: &Path) -> Result<OpeningTrainer, StoreError> {
        let game = self.game;
        let checkpoint = Checkpoint {
            stakes: game.stakes,
            settings: self.settings,
            iteration: self.iteration,
            values: self.values,
            tree: self.tree,
        };
        write_table(path, CHECKPOINT, &checkpoint)?;
        Ok(OpeningTrainer {
            game,
            settings: checkpoint.settings,
            values: checkpoint.values,
            tree: checkpoint.tree,
            iteration: checkpoint.iteration,
        })
    }

    pub(super) fn of(
        game: Arc<HandGame>,
        strategy: &Strategy,
        settings: OpeningSettings,
        solved: impl FnMut(u32),
    ) -> OpeningTrainer {
        let policy: Policy = &|public, own| strategy.distribution(public, own);
        let blueprint = Tree::of(&game.sets, policy);
        let rng = |number: u32| stream(settings.seed, u64::from(number));
        let endgames = (settings.first, settings.endgame);
        let values = game.values_of(&blueprint, endgames, rng, solved);
        OpeningTrainer {
            tree: Tree::new(&game.sets),
            game,
            settings,
            values,
            iteration: 0,
        }
    }

    /// One iteration: both players learn in turn, and then the value function does.
    pub fn step(&mut self) {
        self.iteration += 1;
        let before = (self.iteration - 1) as f32;
        let power = before * before.sqrt();
        let pass = Pass::Learn {
            keep: power / (power + 1.0),
            weight: weight(self.iteration),
        };
        for learner in 0..2 {
            self.game.value(&mut self.tree, &self.values, learner, pass);
        }
        let OpeningSettings {
            seed,
            each,
            endgame,
            ..
        } = self.settings;
        let block = u64::from(self.iteration) << 32;
        let rng = |number: u32| stream(seed, block | u64::from(number));
        self.game
            .learn(&mut self.values, &self.tree, each, endgame, rng);
    }

    /// What best responses in the first two tricks win more than the averages, by the value function: on average over
    /// both players, in points.
    pub fn exploitability(&mut self) -> f64 {
        let best = [0, 1].map(|seat| {
            self.game
                .value(&mut self.tree, &self.values, seat, Pass::Respond)
        });
        (best[0] + best[1]) / 2.0 / f64::from(self.game.stakes.point())
    }

    pub fn opening(&self) -> Opening {
        let weights = (1..=self.iteration).map(weight);
        self.tree
            .opening(&self.game.sets, LEAST * weights.sum::<f32>())
    }
}

/// The weight of an iteration in the averages.
fn weight(iteration: u32) -> f32 {
    (iteration * iteration) as f32
}
