//! `contest cartagena train`

use crate::cartagena::evaluation::{Network, NetworkEvaluator, NetworkFile, Shape, TrainingRecord};
use crate::cartagena::training::{
    Budget, Config, Contestant, Progress, Trainer, checkpoint, play_match,
};
use anyhow::{Context, Result, ensure};
use clap::Args as ClapArgs;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Time between two lines of progress.
const LINE: Duration = Duration::from_secs(10);
/// Lines between two checkpoints.
const CHECKPOINT: u64 = 6;

#[derive(Debug, ClapArgs)]
pub(in crate::cli) struct Args {
    /// Number of players, 2 to 6
    #[arg(long, default_value_t = 2, value_parser = clap::value_parser!(u8).range(2..=6))]
    players: u8,
    /// Wall-clock time to train, in minutes
    #[arg(long, default_value_t = 5.0)]
    minutes: f64,
    /// Number of games to train on instead: repeatable, whatever the machine
    #[arg(long, conflicts_with = "minutes")]
    games: Option<u64>,
    /// Cards dealt to each player: one or several numbers, each as likely
    #[arg(long, value_delimiter = ',', default_value = "3,6")]
    deal: Vec<usize>,
    /// Hidden units: 32, 64, 96 or 128
    #[arg(long, default_value_t = 64)]
    hidden: usize,
    /// Seed of the games and of the first weights
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Threads; 0 for one on each core. The network does not depend on it
    #[arg(long, default_value_t = 0)]
    threads: usize,
    /// Where the network goes [default: support/cartagena-PLAYERS.net]
    #[arg(long)]
    out: Option<PathBuf>,
    /// Go on where the checkpoint beside the network stands
    #[arg(long)]
    resume: bool,
    /// A network to play against at the end
    #[arg(long)]
    against: Option<PathBuf>,
    /// Learning rate at the start
    #[arg(long)]
    rate: Option<f32>,
    /// Games to a step of the optimiser
    #[arg(long)]
    round: Option<usize>,
    /// Share of all steps so far over which the weights are averaged
    #[arg(long)]
    average: Option<f32>,
    /// How far targets look ahead, 0 to 1
    #[arg(long)]
    lambda: Option<f32>,
}

impl Args {
    pub(in crate::cli) fn run(self) -> Result<()> {
        let players = usize::from(self.players);
        ensure!(
            Shape::HIDDEN.contains(&self.hidden),
            "--hidden is one of {:?}, not {}",
            Shape::HIDDEN,
            self.hidden
        );
        for &deal in &self.deal {
            ensure!(
                deal * players <= 102,
                "--deal {deal}: the deck has 102 cards"
            );
        }
        let out = self
            .out
            .clone()
            .unwrap_or_else(|| PathBuf::from("support").join(NetworkFile::name(players)));
        let against = match &self.against {
            Some(path) => Some(NetworkEvaluator::new(
                &NetworkFile::read(path, players)?.network,
            )),
            None => None,
        };
        let config = self.config(players);
        let mut trainer = if self.resume {
            checkpoint::read(&checkpoint::beside(&out), config)?
        } else {
            Trainer::new(config)
        };
        rayon::ThreadPoolBuilder::new()
            .num_threads(self.threads)
            .build()
            .context("starting threads")?
            .install(|| self.train(&mut trainer, &out))?;
        if let Some(against) = against {
            let ours = NetworkEvaluator::new(trainer.network());
            let result = play_match(
                Contestant::Network(&ours),
                Contestant::Network(&against),
                &trainer.config().setups,
                4000 / players,
                0xA6A1,
            );
            eprintln!("against the given network: {result}");
        }
        Ok(())
    }

    fn config(&self, players: usize) -> Config {
        let budget = match self.games {
            Some(games) => Budget::Games(games),
            None => Budget::Time(Duration::from_secs_f64(self.minutes.max(0.0) * 60.0)),
        };
        let mut config = Config::new(players, budget);
        config.setups.deals = self.deal.clone();
        config.hidden = self.hidden;
        config.seed = self.seed;
        if let Some(rate) = self.rate {
            config.rate = rate;
        }
        if let Some(round) = self.round {
            config.round = round.max(1);
        }
        if let Some(average) = self.average {
            config.average = average;
        }
        if let Some(lambda) = self.lambda {
            config.behaviour.lambda = lambda;
        }
        config
    }

    fn train(&self, trainer: &mut Trainer, out: &Path) -> Result<()> {
        let mut previous: Option<Network> = None;
        let mut lines = 0;
        while trainer.done() < 1.0 {
            let progress = trainer.train(LINE);
            report(trainer, &progress);
            lines += 1;
            if lines % CHECKPOINT == 0 && trainer.done() < 1.0 {
                self.save(trainer, out)?;
                measure(trainer, previous.as_ref());
                previous = Some(trainer.network().clone());
            }
        }
        self.save(trainer, out)?;
        measure(trainer, previous.as_ref());
        Ok(())
    }

    fn save(&self, trainer: &Trainer, out: &Path) -> Result<()> {
        let file = NetworkFile {
            network: trainer.network().clone(),
            training: TrainingRecord {
                command: self.command(),
                seed: self.seed,
                games: trainer.games(),
                seconds: trainer.time().as_secs_f64(),
            },
        };
        file.write(out)?;
        checkpoint::write(&checkpoint::beside(out), trainer)?;
        Ok(())
    }

    fn command(&self) -> String {
        let deal: Vec<String> = self.deal.iter().map(usize::to_string).collect();
        let budget = match self.games {
            Some(games) => format!("--games {games}"),
            None => format!("--minutes {}", self.minutes),
        };
        let mut command = format!(
            "contest cartagena train --players {} {budget} --deal {} --hidden {} --seed {}",
            self.players,
            deal.join(","),
            self.hidden,
            self.seed
        );
        let mut option = |name: &str, value: Option<String>| {
            if let Some(value) = value {
                command += &format!(" --{name} {value}");
            }
        };
        option("rate", self.rate.map(|rate| rate.to_string()));
        option("round", self.round.map(|round| round.to_string()));
        option("average", self.average.map(|share| share.to_string()));
        option("lambda", self.lambda.map(|lambda| lambda.to_string()));
        command
    }
}

fn report(trainer: &Trainer, progress: &Progress) {
    let games = progress.games.max(1) as f64;
    eprintln!(
        "{:5.0} s  {:8} games  {:6.0}/s  loss {:.4}  {:4.0} actions  {:4.1} % stopped  rate {:.1e}",
        trainer.time().as_secs_f64(),
        trainer.games(),
        games / progress.time.as_secs_f64(),
        progress.mean_loss(),
        progress.actions as f64 / games,
        100.0 * progress.stopped as f64 / games,
        trainer.rate(),
    );
}

fn measure(trainer: &Trainer, previous: Option<&Network>) {
    let setups = &trainer.config().setups;
    let deals = 1000 / setups.players;
    let ours = NetworkEvaluator::new(trainer.network());
    let ours = Contestant::Network(&ours);
    let result = play_match(ours, Contestant::Heuristic, setups, deals, trainer.games());
    eprintln!("         against hoard-then-sprint: {result}");
    if let Some(previous) = previous {
        let previous = NetworkEvaluator::new(previous);
        let previous = Contestant::Network(&previous);
        let result = play_match(ours, previous, setups, deals, trainer.games());
        eprintln!("         against the last checkpoint: {result}");
    }
}
