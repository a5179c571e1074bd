use super::game::{self, Behaviour, Played};
use super::optimiser::{Adam, Contrast, Sample, add_contrasts, loss_and_gradient};
use super::setup::Setups;
use cartagena::evaluation::{Network, NetworkEvaluator, Shape};
use engine::rng;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use std::time::{Duration, Instant};

/// How long to train; the learning rate falls towards the end of it.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub enum Budget {
    /// Wall-clock time. How many games that makes depends on the machine.
    Time(Duration),
    /// A number of games: the same network on every machine.
    Games(u64),
}

/// Everything that shapes a training run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Config {
    pub setups: Setups,
    pub hidden: usize,
    pub budget: Budget,
    /// Seed of the games and of the first weights.
    pub seed: u64,
    /// Games to an optimiser step.
    pub round: usize,
    /// Games of the heuristic that come first.
    pub warm_up: u64,
    /// How the network plays.
    pub behaviour: Behaviour,
    /// Learning rate at the start.
    pub rate: f32,
    /// Share of the learning rate that is left at the end.
    pub last_rate: f32,
    /// Share of all steps so far over which the weights are averaged.
    pub average: f32,
    /// How much an action's difference from others counts, against an outcome.
    pub comparison: f32,
}

impl Config {
    /// The settings that measured best, for a number of players.
    pub fn new(players: usize, budget: Budget) -> Config {
        Config {
            setups: Setups {
                players,
                deals: vec![3, 6],
                other_lengths: 0.06,
            },
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

    /// Plays the game of that number: with the same network the same on every machine.
    pub fn play(&self, evaluator: &NetworkEvaluator, number: u64) -> Played {
        let mut rng = rng::stream(self.seed, number);
        let (game, world) = self.setups.draw(&mut rng);
        let mut behaviour = self.behaviour;
        if number < self.warm_up {
            behaviour.heuristic = true;
            behaviour.lambda = 1.0;
            behaviour.exploration = 0.1;
            behaviour.burst = 0;
        }
        game::play(evaluator, &behaviour, &game, world, &mut rng)
    }
}

/// What happened since the last report.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Progress {
    pub games: u64,
    pub actions: u64,
    /// Games that were stopped.
    pub stopped: u64,
    pub samples: u64,
    /// Their summed cross-entropy, in nats.
    pub loss: f64,
    pub time: Duration,
}

impl Progress {
    /// Counts what happened afterwards too.
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
/// What plays, gives the values that are learnt from, and is kept in the end is a running average
/// of the weights (Polyak and Juditsky 1992): it has far less of the noise of the single steps.
#[derive(Clone, Debug)]
pub struct Trainer {
    config: Config,
    /// Where the optimiser is.
    current: Network,
    /// The average of where it has been.
    network: Network,
    adam: Adam,
    games: u64,
    time: Duration,
    gradients: [Vec<f32>; 2],
}

impl Trainer {
    pub fn new(config: Config) -> Trainer {
        let shape = Shape {
            players: config.setups.players,
            hidden: config.hidden,
        };
        let network = Network::random(shape, &mut rng::stream(config.seed, u64::MAX));
        Trainer::resume(
            config,
            [network.clone(), network],
            Adam::new(shape.parameters()),
            0,
            Duration::ZERO,
        )
    }

    /// Starts from a network that was trained before, of the players and hidden units that the
    /// settings say.
    ///
    /// # Panics
    /// If it is of another shape.
    pub fn from_network(config: Config, network: Network) -> Trainer {
        let shape = network.shape();
        assert_eq!(
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

    /// Goes on after some games and some time with what they taught: where the optimiser is, the
    /// average and the optimiser's memory.
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

    /// The network as it is now: the average.
    pub fn network(&self) -> &Network {
        &self.network
    }

    /// Where the optimiser is.
    pub fn current(&self) -> &Network {
        &self.current
    }

    pub fn adam(&self) -> &Adam {
        &self.adam
    }

    pub fn games(&self) -> u64 {
        self.games
    }

    /// Counts time that was spent on learning elsewhere than in [`train`](Trainer::train).
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

    /// The share of the budget that is used up.
    pub fn done(&self) -> f64 {
        match self.config.budget {
            Budget::Time(budget) => self.time.as_secs_f64() / budget.as_secs_f64().max(1e-9),
            Budget::Games(games) => self.games as f64 / games.max(1) as f64,
        }
    }

    /// The learning rate now: half a cosine from the first to the last.
    pub fn rate(&self) -> f32 {
        let fall = 0.5 * (1.0 + (std::f64::consts::PI * self.done().min(1.0)).cos()) as f32;
        self.config.rate * (self.config.last_rate + (1.0 - self.config.last_rate) * fall)
    }

    /// Trains for some time or to the end of the budget, whichever comes first.
    pub fn train(&mut self, slice: Duration) -> Progress {
        let start = Instant::now();
        let before = self.time;
        let mut progress = Progress::default();
        while self.done() < 1.0 && start.elapsed() < slice {
            self.round(&mut progress);
            self.time = before + start.elapsed();
        }
        progress.time = start.elapsed();
        progress
    }

    /// Plays a round of games and takes one step.
    pub fn round(&mut self, progress: &mut Progress) {
        let evaluator = NetworkEvaluator::new(&self.network);
        let first = self.games;
        let played: Vec<Played> = (first..first + self.config.round as u64)
            .into_par_iter()
            .map(|number| self.config.play(&evaluator, number))
            .collect();
        self.learn(played, progress);
    }

    /// Takes one step on what a round of games showed.
    pub fn learn(&mut self, round: Vec<Played>, progress: &mut Progress) {
        self.games += round.len() as u64;
        let mut samples: Vec<Sample> = Vec::new();
        let mut contrasts: Vec<Contrast> = Vec::new();
        for game in round {
            progress.games += 1;
            progress.actions += game.actions as u64;
            progress.stopped += u64::from(game.stopped);
            samples.extend(game.samples);
            contrasts.extend(game.contrasts);
        }
        if samples.is_empty() {
            return;
        }
        let (one, two) = samples.split_at(samples.len() / 2);
        let [first, second] = &mut self.gradients;
        let network = &self.current;
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
        let scale = 1.0 / samples.len() as f32;
        self.adam
            .step(self.current.weights_mut(), &mut self.gradients, scale, rate);
        let span = (self.config.average * self.adam.steps as f32).max(1.0);
        let average = self.network.weights_mut();
        for (average, weight) in average.iter_mut().zip(self.current.weights()) {
            *average += (weight - *average) / span;
        }
    }
}

#[cfg(test)]
mod tests;
