//! Makes the weights of the two strangers that learn, `linear` and `distilled`, for
//! `lab cartagena strangers --teach`. Neither the networks nor the search of the package's player takes part.

use crate::cartagena::bout::Bout;
use cartagena::player::{Player, Question};
use cartagena::record::GameRecord;
use cartagena::rules::Action;
use engine::numerics::exp;
use engine::rng::{self, Random};
use rayon::prelude::*;
use seats::cartagena::players::builtin::Recipe;
use seats::cartagena::players::mcts::{Mcts, Options};
use seats::cartagena::players::strangers::distilled::{self, Circumstances};
use seats::cartagena::players::strangers::linear::{self, LinearPlayer};
use seats::cartagena::players::strangers::{Population, legal_or_pass};
use seats::cartagena::positions::step;
use seats::cartagena::setups::Setups;
use std::sync::Arc;

/// Sets of weights that a generation tries.
const TRIED: usize = 48;
/// The best of them, from which the next generation is drawn.
const KEPT: usize = 8;
/// The deviation that weights have at the beginning, and the least that is left to all of them later.
const SPREAD: (f32, f32) = (1.0, 0.03);

/// Weights for [`LinearPlayer`] by the cross-entropy method with noise (Szita and Lőrincz 2006, "Learning Tetris using
/// the noisy cross-entropy method").
///
/// A generation draws sets of weights from a normal distribution for each weight, plays `blocks` deals against the
/// population with each, for two, three and four players, and fits the distribution to the best. A little spread is
/// added, or the method would settle too early. `told` gets each generation's number and the share that its best won.
pub fn linear(
    generations: u64,
    blocks: u64,
    seed: u64,
    mut told: impl FnMut(u64, f64),
) -> [f32; linear::FEATURES] {
    let mut rng = rng::stream(seed, 0);
    let mut mean = [0.0; linear::FEATURES];
    let mut spread = [SPREAD.0; linear::FEATURES];
    for generation in 0..generations {
        let draw = |_| std::array::from_fn(|i| mean[i] + spread[i] * normal(&mut rng));
        let tried: Vec<[f32; linear::FEATURES]> = (0..TRIED).map(draw).collect();
        // All meet the same games, and each generation has others.
        let games = rng::mix(seed ^ rng::mix(generation));
        let share = |weights: &[f32; linear::FEATURES]| won(*weights, blocks, games);
        let mut scored: Vec<(f64, [f32; linear::FEATURES])> = tried
            .par_iter()
            .map(|weights| (share(weights), *weights))
            .collect();
        scored.sort_by(|one, other| other.0.total_cmp(&one.0));
        scored.truncate(KEPT);
        for i in 0..linear::FEATURES {
            let values = || scored.iter().map(|(_, weights)| weights[i]);
            mean[i] = values().sum::<f32>() / KEPT as f32;
            let squares: f32 = values().map(|value| (value - mean[i]).powi(2)).sum();
            spread[i] = (squares / KEPT as f32).sqrt() + SPREAD.1;
        }
        told(generation + 1, scored[0].0);
    }
    mean
}

/// The share of games that these weights win against the population, compared with a fair share.
fn won(weights: [f32; linear::FEATURES], blocks: u64, seed: u64) -> f64 {
    let player: Recipe = Arc::new(move |_| Box::new(LinearPlayer::new(weights)));
    let other: Recipe = Arc::new(|seed| Box::new(Population::new(rng::stream(seed, 0))));
    let others = [other];
    let shares = (0..blocks).map(|block| {
        let players = 2 + (block % 3) as usize;
        let bout = Bout {
            player: &player,
            others: &others,
            players,
            seed,
        };
        bout.block(block).share * players as f64
    });
    shares.sum::<f64>() / blocks as f64
}

/// Nearly a number of the standard normal distribution: the sum of twelve uniform ones less 6, with mean 0 and variance
/// 12 / 12.
fn normal(rng: &mut Random) -> f32 {
    (0..12).map(|_| rng::unit(rng)).sum::<f64>() as f32 - 6.0
}

/// A decision of the teacher: the features of all legal actions, and the number of the one it took.
struct Lesson {
    actions: Vec<[f32; distilled::FEATURES]>,
    chosen: usize,
}

/// Weights for [`seats::cartagena::players::strangers::Distilled`], and the share of the teacher's choices for which the
/// chosen action is the likeliest by these weights.
///
/// The teacher is `mcts` with its own settings. It decides in `games` games for two to six players, in which every
/// third action is a random one that nobody learns from, so that positions differ. The log-likelihood is climbed by
/// stochastic gradient ascent: for one decision its gradient is f(chosen) − Σ P(a) f(a).
pub fn distilled(games: u64, seed: u64) -> ([f32; distilled::FEATURES], f64) {
    let played: Vec<Vec<Lesson>> = (0..games)
        .into_par_iter()
        .map(|game| lessons(2 + (game % 5) as usize, rng::stream(seed, game)))
        .collect();
    let lessons: Vec<Lesson> = played.into_iter().flatten().collect();
    let mut weights = [0.0f32; distilled::FEATURES];
    // Steps become shorter, so that the weights settle.
    for pass in 0..PASSES {
        let rate = RATE / (1.0 + pass as f32);
        for lesson in &lessons {
            let chances = lesson.chances(&weights);
            for (i, weight) in weights.iter_mut().enumerate() {
                let expected = lesson.actions.iter().zip(&chances).map(|(f, p)| f[i] * p);
                *weight += rate * (lesson.actions[lesson.chosen][i] - expected.sum::<f32>());
            }
        }
    }
    let agrees = |lesson: &&Lesson| {
        let chances = lesson.chances(&weights);
        chances
            .iter()
            .all(|&chance| chance <= chances[lesson.chosen])
    };
    let agreed = lessons.iter().filter(agrees).count();
    (weights, agreed as f64 / lessons.len().max(1) as f64)
}

/// Passes over the lessons.
const PASSES: usize = 20;
/// The first pass's steps, as a factor of the gradient.
const RATE: f32 = 0.05;

impl Lesson {
    /// The chances of the actions under these weights.
    fn chances(&self, weights: &[f32; distilled::FEATURES]) -> Vec<f32> {
        let logit =
            |f: &[f32; distilled::FEATURES]| f.iter().zip(weights).map(|(f, w)| f * w).sum();
        let logits: Vec<f32> = self.actions.iter().map(logit).collect();
        let highest = logits.iter().copied().fold(f32::NEG_INFINITY, f32::max);
        let powers: Vec<f32> = logits.iter().map(|&logit| exp(logit - highest)).collect();
        let sum: f32 = powers.iter().sum();
        powers.iter().map(|power| power / sum).collect()
    }
}

/// The teacher as a player of all seats of a game, with the decisions that are learnt from.
struct Teaching {
    teacher: Mcts,
    rng: Random,
    lessons: Vec<Lesson>,
}

impl Player for Teaching {
    fn choose(&mut self, question: &Question) -> Action {
        let list = legal_or_pass(question);
        if list.len() > 1 && rng::below(&mut self.rng, 3) == 0 {
            return list[rng::below(&mut self.rng, list.len())];
        }
        let action = self.teacher.choose(question);
        let before = Circumstances::of(question);
        if list.len() > 1 {
            self.lessons.push(Lesson {
                actions: list
                    .iter()
                    .map(|&a| before.features(question.game, a))
                    .collect(),
                chosen: list.iter().position(|&a| a == action).unwrap_or(0),
            });
        }
        action
    }
}

/// Plays a game, and returns the teacher's decisions.
fn lessons(players: usize, mut rng: Random) -> Vec<Lesson> {
    let setups = Setups::new(players, &[3, 6], 0.0);
    let (game, mut world) = setups.draw(&mut rng);
    let seed = rand::Rng::next_u64(&mut rng);
    let mut teaching = Teaching {
        teacher: Mcts::new(Options::default(), rng::stream(seed, 0)),
        rng,
        lessons: Vec::new(),
    };
    let mut moves = Vec::new();
    crate::cartagena::bout::play_out(&game, &mut world, |world| {
        let record = GameRecord::of_state(&game, world.state(), moves.clone());
        step(&game, world, &record, &mut moves, &mut teaching);
    });
    teaching.lessons
}
