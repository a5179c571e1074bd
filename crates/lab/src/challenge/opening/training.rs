//! Solves the first two tricks of a hand game: one hand whose results have fixed values, the stakes.
//! `lab challenge solve --openings` runs [`OpeningTrainer`] and stores its [`Opening`] for the player.
//!
//! The method is counterfactual regret minimisation with alternating updates, on all hands at once,
//! with a value function at the ends as in DeepStack (Moravčík et al. 2017). After each iteration a
//! few endgames that the average strategies reach are solved, and the value function learns from them.
//! So it is accurate where the strategies play.

use super::accepted::Accepted;
use super::choice::Pass;
use super::place::{Place, Plays, place};
use super::sets::{Sets, dealt};
use super::tree::{Policy, Tree};
use super::trick::Walk;
use super::values::{EndgameValues, Strength, endgame, solved};
use challenge::equilibrium::Stakes;
use challenge::equilibrium::blueprint::{OPENING_TRICKS, Opening, Strategy};
use challenge::rules::{Cards, HAND_SIZE, Seat};
use engine::rng::{Random, stream};
use engine::store::{Kind, StoreError, read_table, write_table};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use std::path::Path;
use std::sync::Arc;

// `Tree` and `Plays` are made for two tricks; the player's openings must have as many.
const _: () = assert!(OPENING_TRICKS == 2);

/// The settings of a training of one hand game.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct OpeningSettings {
    /// Number of endgames that are solved before the first iteration, sampled by play of the blueprint.
    pub first: u32,
    /// Number of iterations of the first two tricks.
    pub iterations: u32,
    /// Number of endgames that are solved after each iteration, sampled by play of the averages.
    pub each: u32,
    /// Number of iterations of an endgame.
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

/// In the ranges of endgames, the probability that a player has deviated from the averages. It keeps every
/// hand possible.
const STRAY: f32 = 0.003;
/// The probability of a random card in the games that lead to endgames, so that the value function
/// sees unusual ones too.
const WILD: f64 = 0.15;
/// Endgames that are solved in parallel.
const BATCH: u32 = 8;
/// Where a hand has collected a smaller share of the greatest possible weight, its averages are not stored. The player
/// takes the blueprint's cards and offers there, and rejects offers.
const LEAST: f32 = 0.02;

/// The version of checkpoints.
const CHECKPOINT: Kind = Kind::new("opening_training", 1);
/// Number of iterations between two checkpoints.
const EVERY: u32 = 10;

/// The state of a training.
#[derive(Serialize, Deserialize)]
struct Checkpoint {
    stakes: Stakes,
    settings: OpeningSettings,
    iteration: u32,
    values: EndgameValues,
    tree: Tree,
}

/// A hand game, with the tables that all its walks share.
pub(super) struct HandGame {
    pub sets: Sets,
    pub accepted: Accepted,
    pub stakes: Stakes,
    /// By hand of five cards, its reach at the deal; see [`dealt`].
    dealt: Vec<f32>,
    /// The sum of the weights of all deals, which scales values to one deal.
    weight: f64,
}

impl HandGame {
    /// Accepted challenges are played by the blueprint `strategy`.
    pub fn new(strategy: &Strategy, stakes: Stakes) -> HandGame {
        HandGame::dealing(strategy, stakes, |_| true)
    }

    /// The hand game in which only some hands are dealt: those for which `is_dealt` holds, as it then does for every
    /// part of them.
    pub fn dealing(
        strategy: &Strategy,
        stakes: Stakes,
        is_dealt: impl Fn(Cards) -> bool,
    ) -> HandGame {
        let sets = Sets::new();
        // The payoffs of all pairs of hands, which all walks of the hand game share.
        let accepted = Accepted::new(strategy, &sets, &stakes, &is_dealt);
        let reach = |&hand: &Cards| match is_dealt(hand) {
            true => dealt(hand),
            false => 0.0,
        };
        let dealt: Vec<f32> = sets.all(HAND_SIZE).iter().map(reach).collect();
        let left = Place::first().left;
        // Each own hand with the weight of all hands of the other that can be dealt beside it;
        // summed over the own hands this is the weight of all deals.
        let weights = sets.weigh(&left, (HAND_SIZE, HAND_SIZE), &dealt, 1.0);
        let both = weights.iter().zip(&dealt);
        HandGame {
            weight: both.map(|(a, b)| f64::from(a * b)).sum(),
            accepted,
            sets,
            stakes,
            dealt,
        }
    }

    /// A walk that learns or responds for `learner`.
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

    /// The strengths of both players' hands after `plays` with these ranges.
    pub fn strengths(&self, plays: &Plays, reach: &[Vec<f32>; 2]) -> [Strength; 2] {
        let (at, reach) = (place(plays), [&reach[0][..], &reach[1][..]]);
        let tables = (&self.sets, &self.accepted);
        [0, 1].map(|seat| Strength::new(tables, &at, seat, reach))
    }

    /// The value of a walk for the learner, in chances to win the game above those of a tie.
    pub fn value(&self, tree: &mut Tree, values: &EndgameValues, learner: Seat, pass: Pass) -> f64 {
        let walk = self.walk(values, learner, pass);
        // Counterfactual values leave out the own reach at the deal; multiply by it, sum, and
        // divide by the weight of all deals.
        let values = tree.visit(&walk, &self.dealt);
        let both = values.iter().zip(&self.dealt);
        both.map(|(value, dealt)| f64::from(value * dealt))
            .sum::<f64>()
            / self.weight
    }

    /// Makes a value function from `endgames` endgames that play by the averages of a tree reaches, each
    /// solved with `iterations`. Calls `solved` after every few with their number.
    pub fn values_of(
        &self,
        tree: &Tree,
        (endgames, iterations): (u32, u32),
        rng: impl Fn(u32) -> Random + Sync,
        mut solved: impl FnMut(u32),
    ) -> EndgameValues {
        // Before the first example, a hand's strength alone gives its payoff.
        let mut values = EndgameValues::new(&self.stakes);
        let mut done = 0;
        while done < endgames {
            // In batches, so that learning keeps a fixed order while a batch is solved on all
            // threads.
            let count = BATCH.min(endgames - done);
            self.learn(&mut values, tree, count, iterations, |number| {
                rng(done + number)
            });
            done += count;
            solved(count);
        }
        values
    }

    /// Solves endgames that play by the averages of a tree reaches, and learns the payoffs of their hands.
    pub fn learn(
        &self,
        values: &mut EndgameValues,
        tree: &Tree,
        endgames: u32,
        iterations: u32,
        rng: impl Fn(u32) -> Random + Sync,
    ) {
        // Only the public cards of the sampled game matter: the endgame is solved for all hands
        // that are possible then.
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
                // The inputs of the value function come from the same ranges that the endgame is
                // solved with.
                let strengths = self.strengths(&plays, &reach);
                let solver = solved(&endgame(&plays, &self.stakes, reach), iterations)?;
                // Every hand of both players gives an example.
                Some((strengths, [0, 1].map(|seat| solver.mean_payoffs(seat))))
            })
            .collect();
        // In the order of the numbers: sums do not depend on the threads.
        for (strengths, found) in found {
            for (strength, found) in strengths.iter().zip(&found) {
                values.learn(strength, found);
            }
        }
    }
}

/// A training of the first two tricks of one hand game: counterfactual regret minimisation on their
/// public tree with all hands, and a value function for the endgames after it.
pub struct OpeningTrainer {
    game: Arc<HandGame>,
    settings: OpeningSettings,
    values: EndgameValues,
    pub(super) tree: Tree,
    iteration: u32,
}

impl OpeningTrainer {
    /// Prepares a training: the value function learns from endgames of the blueprint. Calls
    /// `solved` after every few with their number.
    pub fn new(
        strategy: &Strategy,
        stakes: Stakes,
        settings: OpeningSettings,
        solved: impl FnMut(u32),
    ) -> OpeningTrainer {
        let game = Arc::new(HandGame::new(strategy, stakes));
        OpeningTrainer::of(game, strategy, settings, solved)
    }

    /// Runs all iterations. It starts from the checkpoint if there is one of the same hand game and
    /// settings, and renews it after every tenth iteration. `done` is called with the number of
    /// endgames before the first iteration, and then of iterations, done since its last call.
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

    /// As [`train`](OpeningTrainer::train), with a hand game that exists already; `every` is the
    /// number of iterations between two checkpoints.
    pub(super) fn run(
        game: Arc<HandGame>,
        strategy: &Strategy,
        settings: OpeningSettings,
        (checkpoint, every): (&Path, u32),
        mut done: impl FnMut(u32),
    ) -> Result<OpeningTrainer, StoreError> {
        // A checkpoint that is missing, damaged or of other settings means a fresh start.
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
            // An iteration changes regrets, averages and the value function; a checkpoint has all
            // three.
            trainer.step();
            if trainer.iteration.is_multiple_of(every) && trainer.iteration < settings.iterations {
                trainer = trainer.store(checkpoint)?;
            }
            done(1);
        }
        Ok(trainer)
    }

    /// Writes a checkpoint. The tables are moved into it and back, since a copy would double the
    /// memory.
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

    /// As [`new`](OpeningTrainer::new), with a hand game that exists already.
    pub(super) fn of(
        game: Arc<HandGame>,
        strategy: &Strategy,
        settings: OpeningSettings,
        solved: impl FnMut(u32),
    ) -> OpeningTrainer {
        let values = match settings.first {
            0 => EndgameValues::new(&game.stakes),
            first => {
                // Before there are averages, the blueprint shows which endgames are likely.
                let policy: Policy = &|public, own| strategy.distribution(public, own);
                let blueprint = Tree::of(&game.sets, policy);
                let rng = |number: u32| stream(settings.seed, u64::from(number));
                game.values_of(&blueprint, (first, settings.endgame), rng, solved)
            }
        };
        OpeningTrainer {
            tree: Tree::new(&game.sets),
            game,
            settings,
            values,
            iteration: 0,
        }
    }

    /// One iteration: both players learn in turn, then the value function does.
    pub fn step(&mut self) {
        self.iteration += 1;
        let before = (self.iteration - 1) as f32;
        // Regrets from before are multiplied by `t^1.5 / (t^1.5 + 1)`, with `t` the iterations
        // done: 0 at first, 1/2 after one, 0.97 after ten. Early regrets come from poor strategies.
        let power = before * before.sqrt();
        let pass = Pass::Learn {
            keep: power / (power + 1.0),
            weight: weight(self.iteration),
        };
        // Alternating updates: player 1 answers to what player 0 has just learnt.
        for learner in 0..2 {
            self.game.value(&mut self.tree, &self.values, learner, pass);
        }
        let OpeningSettings {
            seed,
            each,
            endgame,
            ..
        } = self.settings;
        // The iteration in the upper 32 bits, the endgame in the lower: every endgame of a run has its own stream,
        // also after a restart.
        let block = u64::from(self.iteration) << 32;
        let rng = |number: u32| stream(seed, block | u64::from(number));
        self.game
            .learn(&mut self.values, &self.tree, each, endgame, rng);
    }

    /// The gain of best responses in the first two tricks over the averages, by the value function:
    /// the mean over both players, in points.
    pub fn exploitability(&mut self) -> f64 {
        // The averages against each other win `v` and `−v`, so the sum of the two best responses is
        // the sum of their gains.
        let best = [0, 1].map(|seat| {
            self.game
                .value(&mut self.tree, &self.values, seat, Pass::Respond)
        });
        (best[0] + best[1]) / 2.0 / f64::from(self.game.stakes.point())
    }

    /// The averages in the form that a player loads.
    pub fn opening(&self) -> Opening {
        // The sum of all iterations' weights is the most that a hand of reach 1 can have collected.
        let weights = (1..=self.iteration).map(weight);
        self.tree
            .opening(&self.game.sets, LEAST * weights.sum::<f32>())
    }
}

/// The weight of an iteration in the averages, its square: late strategies are better.
fn weight(iteration: u32) -> f32 {
    (iteration * iteration) as f32
}
