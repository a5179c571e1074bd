//! A training run: its settings, its games and its steps. `lab cartagena train` repeats [`Trainer::train`] until the
//! budget is used up; with shards, actors call [`Config::play`] and the learner [`Trainer::learn`].

use super::game::{self, Behaviour, Played};
use super::optimiser::{Adam, Contrast, Sample, add_contrasts, loss_and_gradient};
use cartagena::evaluation::{Network, NetworkEvaluator, Shape};
use engine::rng;
use rayon::prelude::*;
use seats::cartagena::setups::Setups;
use serde::{Deserialize, Serialize};
use std::time::{Duration, Instant};

/// The length of a training run. The learning rate falls towards its end.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub enum Budget {
    /// Wall-clock time. The number of games then depends on the machine.
    Time(Duration),
    /// A number of games: the same network with any number of threads, on every machine with the same mathematics
    /// library.
    Games(u64),
}

/// The settings of a training run. Runs with equal settings give the same network, unless the budget is a time.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Config {
    pub setups: Setups,
    /// Number of hidden units of the network.
    pub hidden: usize,
    pub budget: Budget,
    /// Seed of the games and of the first weights.
    pub seed: u64,
    /// Games to each step of the optimiser.
    pub round: usize,
    /// Number of games that the heuristic plays before the network does.
    pub warm_up: u64,
    /// The play of the network in its games.
    pub behaviour: Behaviour,
    /// Learning rate at the start.
    pub rate: f32,
    /// The last learning rate as a share of the first.
    pub last_rate: f32,
    /// Length of the running average of the weights, as a share of all steps so far.
    pub average: f32,
    /// Weight of the differences between actions, where an outcome has the weight 1.
    pub comparison: f32,
}

impl Config {
    /// The settings that measured best, for a number of players.
    pub fn new(players: usize, budget: Budget) -> Config {
        Config {
            setups: Setups::new(players, &[3, 6], 0.06),
            hidden: 64,
            budget,
            seed: 1,
            round: 6,
            warm_up: 2000,
            behaviour: Behaviour {
                heuristic: false,
                exploration: 0.02,
                burst: 0,
                teacher: None,
                lambda: 0.5,
                cap: 200,
            },
            rate: 2e-3,
            last_rate: 0.02,
            average: 0.1,
            comparison: 8.0,
        }
    }

    /// Plays the game with this number. With the same network it is the same on every machine.
    pub fn play(&self, evaluator: &NetworkEvaluator, number: u64) -> Played {
        // Each game has its own stream, so any machine can play any game.
        let mut rng = rng::stream(self.seed, number);
        let (game, world) = self.setups.draw(&mut rng);
        let mut behaviour = self.behaviour;
        // The values of an untrained network teach nothing. The first games are played by the
        // heuristic, which has no values at all: only outcomes teach (λ = 1), and more random
        // actions bring variety.
        if number < self.warm_up {
            behaviour.heuristic = true;
            behaviour.lambda = 1.0;
            behaviour.exploration = 0.1;
            behaviour.burst = 0;
        }
        game::play(evaluator, &behaviour, &game, world, &mut rng)
    }
}

/// Counts since the last report.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Progress {
    pub games: u64,
    pub actions: u64,
    /// Games that reached the limit of actions.
    pub stopped: u64,
    pub samples: u64,
    /// The summed cross-entropy of these samples, in nats.
    pub loss: f64,
    pub time: Duration,
}

impl Progress {
    /// Adds the counts of a later interval.
    pub fn add(&mut self, more: &Progress) {
        self.games += more.games;
        self.actions += more.actions;
        self.stopped += more.stopped;
        self.samples += more.samples;
        self.loss += more.loss;
        self.time += more.time;
    }

    /// The mean cross-entropy of a sample, in nats.
    pub fn mean_loss(&self) -> f64 {
        self.loss / self.samples.max(1) as f64
    }
}

/// A network in training.
///
/// The result of a training is a running average of the weights (Polyak and Juditsky 1992), which has far
/// less noise than the weights after single steps. The average also plays the games and gives the values that
/// targets are made of.
#[derive(Clone, Debug)]
pub struct Trainer {
    config: Config,
    /// The weights that the optimiser moves.
    current: Network,
    /// The running average of these weights.
    network: Network,
    adam: Adam,
    games: u64,
    time: Duration,
    gradients: [Vec<f32>; 2],
}

impl Trainer {
    /// Starts from a network with random weights.
    pub fn new(config: Config) -> Trainer {
        let shape = Shape {
            players: config.setups.players,
            hidden: config.hidden,
        };
        // The stream of the weights has a number that no game reaches.
        let network = Network::random(shape, &mut rng::stream(config.seed, u64::MAX));
        Trainer::from_network(config, network)
    }

    /// Starts from a trained network. It must have the settings' number of players and hidden units.
    ///
    /// # Panics
    /// If it is of another shape.
    pub fn from_network(config: Config, network: Network) -> Trainer {
        let shape = network.shape();
        assert_eq!(
            // Weights of another shape would be read at wrong places.
            (shape.players, shape.hidden),
            (config.setups.players, config.hidden),
            "the network's shape"
        );
        Trainer::resume(
            config,
            [network.clone(), network],
            Adam::new(shape.parameters()),
            0,
            Duration::ZERO,
        )
    }

    /// Resumes a run after `games` games and a training time of `time`, from the optimiser's
    /// weights, their average and the optimiser's memory.
    ///
    /// # Panics
    /// If the optimiser's memory is not of the network's size.
    pub fn resume(
        config: Config,
        [current, network]: [Network; 2],
        adam: Adam,
        games: u64,
        time: Duration,
    ) -> Trainer {
        let parameters = network.weights().len();
        assert_eq!(adam.mean.len(), parameters, "the optimiser's memory");
        Trainer {
            config,
            current,
            network,
            adam,
            games,
            time,
            gradients: [vec![0.0; parameters], vec![0.0; parameters]],
        }
    }

    /// The network as it is now, the running average.
    pub fn network(&self) -> &Network {
        &self.network
    }

    /// The weights that the optimiser moves.
    pub fn current(&self) -> &Network {
        &self.current
    }

    /// The optimiser's memory: its running means, and the number of its steps.
    pub fn adam(&self) -> &Adam {
        &self.adam
    }

    /// Number of games learnt from so far.
    pub fn games(&self) -> u64 {
        self.games
    }

    /// Adds time that was spent on learning outside [`train`](Trainer::train).
    pub fn add_time(&mut self, time: Duration) {
        self.time += time;
    }

    /// Time spent training so far.
    pub fn time(&self) -> Duration {
        self.time
    }

    pub fn config(&self) -> &Config {
        &self.config
    }

    /// The share of the budget that is used up; above 1 if it is exceeded.
    pub fn done(&self) -> f64 {
        match self.config.budget {
            Budget::Time(budget) => self.time.as_secs_f64() / budget.as_secs_f64().max(1e-9),
            Budget::Games(games) => self.games as f64 / games.max(1) as f64,
        }
    }

    /// The learning rate now. It falls from the first to the last along half a cosine: slowly at
    /// first, fastest in the middle, slowly at the end.
    pub fn rate(&self) -> f32 {
        // `fall` goes from 1 to 0 as the budget is used up, and the rate from `rate` to
        // `last_rate · rate`. Small last steps let the weights settle.
        let fall = 0.5 * (1.0 + (std::f64::consts::PI * self.done().min(1.0)).cos()) as f32;
        self.config.rate * (self.config.last_rate + (1.0 - self.config.last_rate) * fall)
    }

    /// Trains for the time `slice` or to the end of the budget, whichever comes first. A round that
    /// has begun is finished.
    pub fn train(&mut self, slice: Duration) -> Progress {
        let start = Instant::now();
        let before = self.time;
        let mut progress = Progress::default();
        // A round is the smallest unit. The clock is read between rounds, so that `rate` and `done`
        // see the time of this slice as well.
        while self.done() < 1.0 && start.elapsed() < slice {
            self.round(&mut progress);
            self.time = before + start.elapsed();
        }
        progress.time = start.elapsed();
        progress
    }

    /// Plays a round of games and takes one step.
    pub fn round(&mut self, progress: &mut Progress) {
        // The network is frozen for a round, so its games can be played in any order.
        let evaluator = NetworkEvaluator::new(&self.network);
        // Numbers go on from round to round: every game of a run has its own stream, and no two
        // rounds repeat a game.
        let first = self.games;
        let played: Vec<Played> = (first..first + self.config.round as u64)
            .into_par_iter()
            .map(|number| self.config.play(&evaluator, number))
            .collect();
        self.learn(played, progress);
    }

    /// Takes one step on the samples of a round of games.
    pub fn learn(&mut self, round: Vec<Played>, progress: &mut Progress) {
        self.games += round.len() as u64;
        let mut samples: Vec<Sample> = Vec::new();
        let mut contrasts: Vec<Contrast> = Vec::new();
        // In the order of the games, whichever thread was first: sums of floats depend on their
        // order.
        for game in round {
            progress.games += 1;
            progress.actions += game.actions as u64;
            progress.stopped += u64::from(game.stopped);
            samples.extend(game.samples);
            contrasts.extend(game.contrasts);
        }
        // All games of the round may have ended within a burst. Dividing by no samples would spoil
        // the weights.
        if samples.is_empty() {
            return;
        }
        // Two halves on two threads, each into its own gradient: the halves do not depend on the
        // number of threads, and so neither do the sums.
        let (one, two) = samples.split_at(samples.len() / 2);
        let [first, second] = &mut self.gradients;
        let network = &self.current;
        // Outcomes are noisy. Differences are measured on common cards and say more about the
        // choice, so they may count more.
        let weight = self.config.comparison;
        let (three, four) = contrasts.split_at(contrasts.len() / 2);
        let losses = rayon::join(
            || {
                add_contrasts(network, three, weight, first);
                loss_and_gradient(network, one, first)
            },
            || {
                add_contrasts(network, four, weight, second);
                loss_and_gradient(network, two, second)
            },
        );
        progress.loss += losses.0 + losses.1;
        progress.samples += samples.len() as u64;
        let rate = self.rate();
        // The gradients are sums; a step follows their mean over the samples.
        let scale = 1.0 / samples.len() as f32;
        self.adam
            .step(self.current.weights_mut(), &mut self.gradients, scale, rate);
        // `average += (w − average) / span` is an exponential average over about `span` steps. The
        // span grows with the run, so early in a run the average still forgets the first weights. With
        // 0.1 it covers the last 100 of 1,000 steps.
        let span = (self.config.average * self.adam.steps as f32).max(1.0);
        let average = self.network.weights_mut();
        for (average, weight) in average.iter_mut().zip(self.current.weights()) {
            *average += (weight - *average) / span;
        }
    }
}

#[cfg(test)]
mod tests;
