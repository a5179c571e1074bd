//! The learner: it takes the optimiser's steps on the games of all actors. `lab cartagena train --shards` runs it.

use super::super::trainer::{Progress, Trainer};
use super::{Folder, Plan, Run, ShardError, samples};
use cartagena::evaluation::{Network, NetworkFile, TrainingRecord};
use engine::disk::{Lock, System};
use std::fs::OpenOptions;
use std::mem;
use std::time::Instant;

/// The learner of a run; a lock in the folder keeps it the only one.
#[derive(Debug)]
pub struct Learner {
    folder: Folder,
    plan: Plan,
    trainer: Trainer,
    /// When the last wave was learnt.
    since: Instant,
    /// Held as long as the learner exists.
    _lock: Lock,
}

impl Learner {
    /// Begins a run in a folder without one. Actors wait until it is
    /// [announced](Learner::announce).
    ///
    /// # Errors
    /// If the plan cannot be carried out, the folder has a run already, or it cannot be written.
    pub fn begin(folder: Folder, plan: Plan, trainer: Trainer) -> Result<Learner, ShardError> {
        plan.check()?;
        let lock = lock(&folder)?;
        // A second run in the folder would mix its games with those of the first.
        if folder.run()?.is_some() {
            return Err(ShardError::unusable(
                folder.path(),
                "it has a run already: continue it with --resume, remove the folder, or name another",
            ));
        }
        // Without a run, all waves in the folder are remains of an earlier one.
        folder.forget(u64::MAX)?;
        let learner = Learner {
            folder,
            plan,
            trainer,
            since: Instant::now(),
            _lock: lock,
        };
        // Actors play a wave while the learner learns from the one before, so the network of wave `n` is published
        // with wave `n − 2` learnt. The first two waves have the network that the run starts with.
        for wave in 0..2 {
            learner.publish(wave)?;
        }
        Ok(learner)
    }

    /// Lets the actors begin. Save a checkpoint first: an announced run must be resumable at any
    /// time.
    ///
    /// # Errors
    /// If the run cannot be written.
    pub fn announce(&self) -> Result<(), ShardError> {
        self.write_run(false)
    }

    /// Resumes the run of a folder at the point that the trainer has reached.
    ///
    /// # Errors
    /// If the folder has no run, a run with other settings, or one that does not fit the trainer's games.
    pub fn resume(folder: Folder, plan: Plan, trainer: Trainer) -> Result<Learner, ShardError> {
        plan.check()?;
        let lock = lock(&folder)?;
        let unusable = |reason: &str| ShardError::unusable(folder.path(), reason);
        // Only the same program with the same settings may resume a run: other games and steps
        // would not belong to it.
        let run = folder
            .run()?
            .ok_or_else(|| unusable("there is no run in it"))?;
        if run.version != super::PROGRAM {
            return Err(unusable(
                "its run was begun by another version of the program",
            ));
        }
        if run.plan != plan {
            return Err(unusable(
                "its run has other settings (--shards and --wave count, too): name the same, or another folder",
            ));
        }
        let learner = Learner {
            folder: folder.clone(),
            plan,
            trainer,
            since: Instant::now(),
            _lock: lock,
        };
        let wave = learner.wave();
        // A checkpoint is saved only between waves; one within a wave is from another run.
        let begins = learner.plan.games_of(wave).start == learner.trainer.games();
        if !begins && !learner.is_over() {
            return Err(unusable(
                "the checkpoint beside the network belongs to another run: remove the folder and start again",
            ));
        }
        if !learner.is_over() && !folder.network_path(wave).exists() {
            return Err(unusable(
                "the network of the next wave is not there: remove the folder and start again",
            ));
        }
        // The learner may have stopped between its last step and this file. Writing it again gives
        // the same bytes.
        learner.publish(wave + 1)?;
        learner.tidy()?;
        Ok(learner)
    }

    /// The network in training.
    pub fn trainer(&self) -> &Trainer {
        &self.trainer
    }

    /// The next wave to learn from.
    pub fn wave(&self) -> u64 {
        self.trainer.games() / self.plan.wave
    }

    /// Whether all waves are learnt.
    pub fn is_over(&self) -> bool {
        self.trainer.games() >= self.plan.games()
    }

    /// The shards of the next wave whose samples are missing.
    pub fn missing(&self) -> Vec<u16> {
        let wave = self.wave();
        let is_missing = |shard: &u16| !self.folder.samples_path(wave, *shard).exists();
        (1..=self.plan.shards).filter(is_missing).collect()
    }

    /// Takes the steps of wave `n`, the next to learn from, and publishes the network that plays wave `n + 2`. The
    /// samples of all shards must be there. The progress has the time since the wave before, waiting included.
    ///
    /// # Errors
    /// If a shard is missing or does not fit, or the network cannot be written.
    pub fn learn(&mut self) -> Result<Progress, ShardError> {
        let wave = self.wave();
        let mut games = Vec::new();
        for shard in 1..=self.plan.shards {
            games.extend(samples::read(&self.folder, &self.plan, (wave, shard))?);
        }
        // In the order of the games, which no number of shards changes.
        games.sort_unstable_by_key(|(number, _)| *number);
        let mut progress = Progress::default();
        let mut round = Vec::with_capacity(self.plan.config.round);
        // A step for each round of games, as a training in one process does it.
        for (_, played) in games {
            round.push(played);
            if round.len() == self.plan.config.round {
                self.trainer.learn(mem::take(&mut round), &mut progress);
            }
        }
        progress.time = self.since.elapsed();
        self.since = Instant::now();
        self.trainer.add_time(progress.time);
        // `wave + 1` is being played by the network before these steps; the new one plays the wave
        // after it.
        self.publish(wave + 2)?;
        Ok(progress)
    }

    /// Removes the files of learnt waves; after the last wave, also writes for the actors that the run is over.
    /// Save a checkpoint first: a restart goes on from it, and could not read removed waves again.
    ///
    /// # Errors
    /// If a file cannot be removed.
    pub fn tidy(&self) -> Result<(), ShardError> {
        if !self.is_over() {
            return self.folder.forget(self.wave());
        }
        self.write_run(true)?;
        self.folder.forget(u64::MAX)
    }

    /// Writes the present network as the one that plays `wave`, if the run has this wave.
    fn publish(&self, wave: u64) -> Result<(), ShardError> {
        if wave >= self.plan.waves() {
            return Ok(());
        }
        let network: &Network = self.trainer.network();
        let file = NetworkFile {
            network: network.clone(),
            training: TrainingRecord {
                games: self.trainer.games(),
                seed: self.plan.config.seed,
                ..TrainingRecord::default()
            },
        };
        Ok(file.write(&self.folder.network_path(wave))?)
    }

    /// Writes the file from which actors learn the plan, and whether to stop.
    fn write_run(&self, is_over: bool) -> Result<(), ShardError> {
        self.folder.write_run(&Run {
            version: super::PROGRAM.to_owned(),
            plan: self.plan.clone(),
            is_over,
        })
    }
}

/// Creates the folder and locks it, so that nobody else learns there.
fn lock(folder: &Folder) -> Result<Lock, ShardError> {
    std::fs::create_dir_all(folder.path()).map_err(|error| folder.error("create", error))?;
    let path = folder.lock_path();
    // The file stays when the lock is released; only the lock counts. The system releases it also
    // if the process is killed.
    let opened = OpenOptions::new()
        .create(true)
        .truncate(false)
        .write(true)
        .open(&path);
    let file = opened.map_err(|error| folder.error("write in", error))?;
    let lock = Lock::take(&System, file).map_err(|error| folder.error("lock", error))?;
    lock.ok_or_else(|| ShardError::unusable(folder.path(), "another learner is at work in it"))
}
