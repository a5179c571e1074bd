//! `lab cartagena train`: trains a value network by self-play, in this process or with actors in others (`shared`).
//! Again and again it saves the network with a checkpoint, and plays matches that show its progress.

mod shared;

pub(in crate::commands::cartagena) use shared::LOOK;

use crate::cartagena::training::{
    Budget, Config, MOST_ACTIONS, Policy, Progress, Teacher, Trainer, checkpoint, play_match,
    widened,
};
use anyhow::Result;
use cartagena::evaluation::{Network, NetworkEvaluator, NetworkFile, Shape, TrainingRecord};
use clap::Args as ClapArgs;
use engine::rng;
use seats::cli::numbers::number;
use seats::cli::output::check_writable;
use seats::cli::{self, shell};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Time between two lines of progress.
const LINE: Duration = Duration::from_secs(10);
/// Lines between two checkpoints.
const CHECKPOINT: u64 = 6;

#[derive(Debug, ClapArgs)]
pub(crate) struct Args {
    /// Number of players, 2 to 6
    #[arg(long, default_value_t = 2, value_parser = clap::value_parser!(u8).range(2..=6))]
    players: u8,
    /// Wall-clock time to train, in minutes
    #[arg(long, default_value_t = 5.0, value_parser = number(0.001, 1e6))]
    minutes: f64,
    /// Number of games to train on instead: repeatable, whatever the machine
    #[arg(long, conflicts_with = "minutes", value_parser = clap::value_parser!(u64).range(1..))]
    games: Option<u64>,
    /// Cards dealt to each player: one number, or several that are equally likely
    #[arg(long, value_delimiter = ',', default_value = "3,6", value_parser = number(1usize, 51))]
    deal: Vec<usize>,
    /// Hidden units: 32, 64, 96, 128, 192 or 256, as many as those of --from or more [default: those of --from, else
    /// 64]
    #[arg(long)]
    hidden: Option<usize>,
    /// Seed of the games and of the first weights
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Threads; 0 for one on each core. The network does not depend on it
    #[arg(long, default_value_t = 0)]
    threads: usize,
    /// The file for the network [default: support/cartagena-PLAYERS.net]
    #[arg(long)]
    out: Option<PathBuf>,
    /// A network to start from instead of from nothing, without games of the heuristic first
    #[arg(long, value_name = "NETWORK")]
    from: Option<PathBuf>,
    /// Continue from the checkpoint beside the network
    #[arg(long)]
    resume: bool,
    /// Replace a network that is there already
    #[arg(long)]
    replace: bool,
    /// A network to play against at the end
    #[arg(long)]
    against: Option<PathBuf>,
    /// Learning rate at the start
    #[arg(long, value_parser = number(0.0f32, 1.0))]
    rate: Option<f32>,
    /// Games to a step of the optimiser
    #[arg(long, value_parser = number(1usize, 1_000_000))]
    round: Option<usize>,
    /// Share of all steps so far over which the weights are averaged
    #[arg(long, value_parser = number(0.0f32, 1.0))]
    average: Option<f32>,
    /// How far targets look ahead, 0 to 1
    #[arg(long, value_parser = number(0.0f32, 1.0))]
    lambda: Option<f32>,
    /// Share of random actions
    #[arg(long, value_name = "SHARE", value_parser = number(0.0, 1.0))]
    exploration: Option<f64>,
    /// The most random actions in a row, at one moment in two of three games, instead of single ones;
    /// nothing is learnt from the actions before them
    #[arg(long, value_name = "ACTIONS", conflicts_with = "exploration")]
    burst: Option<u8>,
    /// Actions of each position that are compared by rollouts to the end of the mover's next turn,
    /// 2 to 8: the network learns how they differ, and the best is played
    #[arg(long, value_name = "ACTIONS", value_parser = clap::value_parser!(u8).range(2..=MOST_ACTIONS as i64))]
    compare: Option<u8>,
    /// Worlds that compared actions are rolled out on
    #[arg(long, value_name = "N", default_value_t = 6, value_parser = clap::value_parser!(u16).range(1..), requires = "compare")]
    worlds: u16,
    /// Turns of the mover after the present one to whose end compared actions are rolled out
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u8).range(1..=9), requires = "compare")]
    turns: u8,
    /// The number of actors that play the games, each `lab cartagena self-play FOLDER --shard K`, here or
    /// on other machines. The network does not depend on their number
    #[arg(long, value_name = "N", requires = "games", value_parser = clap::value_parser!(u16).range(1..))]
    shards: Option<u16>,
    /// Games that all actors together play with one network: a multiple of --round. With more, actors and
    /// learner wait less for each other, but a game teaches less while the network is new
    #[arg(long, value_name = "GAMES", default_value_t = 120, requires = "shards")]
    wave: u64,
    /// The folder that actors and learner share [default: NAME.shards beside NAME.net]
    #[arg(long, requires = "shards")]
    folder: Option<PathBuf>,
    /// The weight of a difference between compared actions, relative to that of an outcome
    #[arg(long, value_name = "WEIGHT", requires = "compare", value_parser = number(0.0f32, 1e6))]
    weight: Option<f32>,
}

impl Args {
    pub(crate) fn run(self) -> Result<()> {
        let players = usize::from(self.players);
        for &deal in &self.deal {
            if deal * players > 102 {
                refuse!("--deal {deal}: the deck has 102 cards for {players} players");
            }
        }
        let out = self
            .out
            .clone()
            .unwrap_or_else(|| PathBuf::from("support").join(NetworkFile::name(players)));
        check_writable("--out", &out)?;
        let read = |path: &PathBuf| NetworkFile::read(path, players);
        let against = self.against.as_ref().map(read).transpose()?;
        let from = self.from.as_deref().map(|path| self.source(path, &out));
        let from = from.transpose()?;
        if out.exists() && !(self.resume || self.replace) {
            refuse!(
                "{} is there already: go on with --resume, name another file with --out, or replace it with --replace",
                out.display()
            );
        }
        let hidden = self.hidden(from.as_ref())?;
        let config = self.config(players, hidden, from.is_some());
        // The record of a network says how it was made, from its first command on.
        let mut lineage = Lineage::of(self.from.as_deref(), from.as_ref());
        lineage.commands += &self.command(hidden);
        // The network was saved with the checkpoint, and has the commands up to there.
        if self.resume
            && let Ok(before) = NetworkFile::read(&out, players)
        {
            lineage.resume(&before.training.command, &self.command(hidden), &out);
        }
        let trainer = match from {
            _ if self.resume => checkpoint::read(&checkpoint::beside(&out), config)?,
            Some(file) => {
                let mut rng = rng::stream(self.seed, u64::MAX);
                // More hidden units than before: the values stay the same, and training goes on
                // from there.
                let network = match file.network.shape().hidden < hidden {
                    true => widened(&file.network, hidden, &mut rng),
                    false => file.network,
                };
                Trainer::from_network(config, network)
            }
            None => Trainer::new(config),
        };
        let threads = cli::threads(self.threads)?;
        let trainer = threads.install(|| match self.shards {
            Some(shards) => self.learn(trainer, shards, &lineage, &out),
            None => self.train(trainer, &lineage, &out),
        })?;
        engine::note!("the network is in {}", out.display());
        if let Some(against) = against {
            let ours = NetworkEvaluator::new(trainer.network());
            let against = NetworkEvaluator::new(&against.network);
            let setups = &trainer.config().setups;
            // The match compares networks without search, each deal from every seat.
            let result = threads.install(|| {
                play_match(
                    Policy::Network(&ours),
                    Policy::Network(&against),
                    setups,
                    4000 / players,
                    0xA6A1,
                )
            });
            engine::note!("against the given network: {result}");
        }
        Ok(())
    }

    /// The network to start from.
    fn source(&self, path: &Path, out: &Path) -> Result<NetworkFile> {
        // If both were one file, the run would overwrite its own start: a resumed run reads the
        // record again, and nobody could repeat it.
        let same = match (path.canonicalize(), out.canonicalize()) {
            (Ok(path), Ok(out)) => path == out,
            _ => false,
        };
        if same {
            refuse!(
                "--from and --out name the same file, {}: the run would overwrite what it starts from",
                path.display()
            );
        }
        Ok(NetworkFile::read(path, usize::from(self.players))?)
    }

    /// Hidden units: those of the network to start from, if there is one.
    fn hidden(&self, from: Option<&NetworkFile>) -> Result<usize> {
        let given = from.map(|file| file.network.shape().hidden);
        let hidden = self.hidden.or(given).unwrap_or(64);
        if !Shape::HIDDEN.contains(&hidden) {
            refuse!(
                "--hidden: expected one of {:?}, not {hidden}",
                Shape::HIDDEN
            );
        }
        if let Some(given) = given.filter(|&given| given > hidden) {
            refuse!(
                "--hidden {hidden}: the network to start from has {given}, and no unit can be taken away"
            );
        }
        Ok(hidden)
    }

    /// The trainer's configuration: its defaults, replaced where an option is given. `from` is whether the training
    /// starts from a network.
    fn config(&self, players: usize, hidden: usize, from: bool) -> Config {
        let budget = match self.games {
            Some(games) => Budget::Games(games),
            None => Budget::Time(Duration::from_secs_f64(self.minutes * 60.0)),
        };
        let mut config = Config::new(players, budget);
        config.setups.deals = self.deal.clone();
        config.hidden = hidden;
        config.seed = self.seed;
        // A trained network needs no games of the heuristic.
        if from {
            config.warm_up = 0;
        }
        config.rate = self.rate.unwrap_or(config.rate);
        config.round = self.round.unwrap_or(config.round);
        config.average = self.average.unwrap_or(config.average);
        config.comparison = self.weight.unwrap_or(config.comparison);
        let behaviour = &mut config.behaviour;
        behaviour.lambda = self.lambda.unwrap_or(behaviour.lambda);
        behaviour.exploration = self.exploration.unwrap_or(behaviour.exploration);
        if let Some(actions) = self.burst.filter(|&actions| actions > 0) {
            behaviour.burst = usize::from(actions);
            // Bursts take the place of single random actions.
            behaviour.exploration = 0.0;
        }
        behaviour.teacher = self.compare.map(|actions| Teacher {
            actions: actions.into(),
            worlds: self.worlds.into(),
            turns: self.turns.into(),
        });
        config
    }

    /// Trains in this process until the budget is used up.
    fn train(&self, mut trainer: Trainer, lineage: &Lineage, out: &Path) -> Result<Trainer> {
        let mut measures = Measures::default();
        while trainer.done() < 1.0 {
            let progress = trainer.train(LINE);
            report(&trainer, &progress);
            if measures.are_due() && trainer.done() < 1.0 {
                self.save(&trainer, lineage, out)?;
                measures.take(&trainer);
            }
        }
        self.save(&trainer, lineage, out)?;
        measures.take(&trainer);
        Ok(trainer)
    }

    /// Writes the network with the record of its making, and the checkpoint beside it.
    fn save(&self, trainer: &Trainer, lineage: &Lineage, out: &Path) -> Result<()> {
        let file = NetworkFile {
            network: trainer.network().clone(),
            training: TrainingRecord {
                command: lineage.commands.clone(),
                seed: self.seed,
                games: lineage.games + trainer.games(),
                seconds: lineage.seconds + trainer.time().as_secs_f64(),
            },
        };
        file.write(out)?;
        checkpoint::write(&checkpoint::beside(out), trainer)?;
        Ok(())
    }

    /// The command that repeats this run, for the record of the network.
    fn command(&self, hidden: usize) -> String {
        let deal: Vec<String> = self.deal.iter().map(usize::to_string).collect();
        let budget = match self.games {
            Some(games) => format!("--games {games}"),
            None => format!("--minutes {}", self.minutes),
        };
        let mut command = format!(
            "lab cartagena train --players {} {budget} --deal {} --hidden {hidden} --seed {}",
            self.players,
            deal.join(","),
            self.seed
        );
        fn given<T: ToString>(value: &Option<T>) -> Option<String> {
            value.as_ref().map(T::to_string)
        }
        let from = self.from.as_deref().map(file_name);
        for (name, value) in [
            ("rate", given(&self.rate)),
            ("round", given(&self.round)),
            ("average", given(&self.average)),
            ("lambda", given(&self.lambda)),
            ("exploration", given(&self.exploration)),
            ("burst", given(&self.burst)),
            ("compare", given(&self.compare)),
            // Only options that had an effect, so that the command repeats the run.
            ("worlds", self.compare.map(|_| self.worlds.to_string())),
            ("turns", self.compare.map(|_| self.turns.to_string())),
            ("weight", given(&self.weight)),
            ("shards", given(&self.shards)),
            ("wave", self.shards.map(|_| self.wave.to_string())),
            ("from", from.map(|name| shell::argument(Path::new(&name)))),
        ] {
            if let Some(value) = value {
                command += &format!(" --{name} {value}");
            }
        }
        command
    }
}

/// How a network was made: for its record.
#[derive(Debug, Default)]
struct Lineage {
    /// The commands that made the network that the run starts from, each followed by ` && `; then those of the run.
    commands: String,
    /// Games that the run's first network was trained on, and the seconds that it took.
    games: u64,
    seconds: f64,
}

impl Lineage {
    /// The lineage of the network in `file`, read from `path`; empty without one.
    fn of(path: Option<&Path>, file: Option<&NetworkFile>) -> Lineage {
        match (path, file) {
            (Some(path), Some(NetworkFile { training, .. })) => Lineage {
                commands: format!("{} --out {} && ", training.command, file_name(path)),
                games: training.games,
                seconds: training.seconds,
            },
            _ => Lineage::default(),
        }
    }

    /// A run that was begun by the command at the end of `before`, and goes on with `own`. If that is another one, the
    /// record has both, as neither made the network alone.
    fn resume(&mut self, before: &str, own: &str, out: &Path) {
        let resumed = format!("{own} --resume");
        if before == self.commands {
            return;
        }
        self.commands = match before.ends_with(&format!(" && {resumed}")) {
            true => before.to_owned(),
            false => format!("{before} --out {} && {resumed}", file_name(out)),
        };
    }
}

/// The name of a network's file for its record, without the folder, which means nothing on another machine.
fn file_name(path: &Path) -> String {
    let name = path.file_name().unwrap_or(path.as_os_str());
    name.to_string_lossy().into_owned()
}

/// Prints a line about the progress since the last one.
fn report(trainer: &Trainer, progress: &Progress) {
    let games = progress.games.max(1) as f64;
    engine::note!(
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

/// Matches that show the progress: against the heuristic and against the network of the match before, every few
/// lines.
#[derive(Debug, Default)]
struct Measures {
    lines: u64,
    previous: Option<Network>,
}

impl Measures {
    /// Counts a line of progress; whether measurements are due.
    fn are_due(&mut self) -> bool {
        self.lines += 1;
        self.lines.is_multiple_of(CHECKPOINT)
    }

    /// Plays the matches now and prints their results.
    fn take(&mut self, trainer: &Trainer) {
        let setups = &trainer.config().setups;
        let deals = 1000 / setups.players;
        let ours = NetworkEvaluator::new(trainer.network());
        let ours = Policy::Network(&ours);
        let result = play_match(ours, Policy::Heuristic, setups, deals, trainer.games());
        engine::note!("         against hoard-then-sprint: {result}");
        if let Some(previous) = self.previous.replace(trainer.network().clone()) {
            let previous = NetworkEvaluator::new(&previous);
            let previous = Policy::Network(&previous);
            let result = play_match(ours, previous, setups, deals, trainer.games());
            engine::note!("         against the last checkpoint: {result}");
        }
    }
}

#[cfg(test)]
mod tests;
