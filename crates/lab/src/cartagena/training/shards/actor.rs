//! The actor: it plays the games of one shard of every wave. `lab cartagena self-play` runs it.

use super::super::game::Played;
use super::super::trainer::Progress;
use super::{Folder, Plan, ShardError, samples};
use cartagena::evaluation::{NetworkEvaluator, NetworkFile};
use rayon::prelude::*;
use std::time::Instant;

/// An actor that has joined a run.
#[derive(Clone, Debug)]
pub struct Actor {
    folder: Folder,
    plan: Plan,
    shard: u16,
}

/// The next task of an actor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Next {
    /// Play the games of the actor's shard of this wave.
    Play(u64),
    /// Wait for the learner or the other actors.
    Wait,
    /// Stop: the run is over.
    Stop,
}

impl Actor {
    /// Joins the run of a folder as shard `shard`, from 1. None if the folder has no run yet.
    ///
    /// # Errors
    /// If the folder cannot be read, or the run has no such shard.
    pub fn join(folder: &Folder, shard: u16) -> Result<Option<Actor>, ShardError> {
        let Some(run) = folder.run()? else {
            return Ok(None);
        };
        let shards = run.plan.shards;
        if shard == 0 || shard > shards {
            return Err(ShardError::Plan(format!(
                "shard {shard}: the run in {} has {shards}, from 1",
                folder.path().display()
            )));
        }
        // Another version may play other games, and the network would depend on who played which
        // shard.
        if run.version != super::PROGRAM {
            return Err(ShardError::Plan(format!(
                "the run in {} is of version {} of the program, this is {}",
                folder.path().display(),
                run.version,
                super::PROGRAM
            )));
        }
        Ok(Some(Actor {
            folder: folder.clone(),
            plan: run.plan,
            shard,
        }))
    }

    /// The next task, according to the folder.
    ///
    /// # Errors
    /// If the folder cannot be read, or holds another run by now.
    pub fn next(&self) -> Result<Next, ShardError> {
        let run = self.folder.run()?;
        // The plan is read once. If it changes, this actor's games belong to no run.
        let Some(run) = run.filter(|run| run.plan == self.plan) else {
            let reason = "its run is gone, or another one";
            return Err(ShardError::unusable(self.folder.path(), reason));
        };
        if run.is_over {
            return Ok(Next::Stop);
        }
        // The earliest wave that has a network and no samples of this shard: the learner waits for
        // it first.
        let is_open = |wave: &u64| !self.folder.samples_path(*wave, self.shard).exists();
        let open = self.folder.waves()?.into_iter().find(is_open);
        Ok(open.map_or(Next::Wait, Next::Play))
    }

    /// Plays the games of a wave on all threads and writes their samples. Does nothing if the
    /// network of the wave is gone: then the learner has all samples, this shard's from another actor.
    ///
    /// # Errors
    /// If a file cannot be read or written.
    pub fn play(&self, wave: u64) -> Result<Progress, ShardError> {
        let start = Instant::now();
        let config = &self.plan.config;
        let path = self.folder.network_path(wave);
        let network = match NetworkFile::read(&path, config.setups.players) {
            // No error: the wave was learnt meanwhile.
            Err(error) if error.is_missing() => return Ok(Progress::default()),
            file => NetworkEvaluator::new(&file?.network),
        };
        let numbers: Vec<u64> = self.plan.games_of_shard(wave, self.shard).collect();
        // Collected in the order of the numbers, whichever thread was first.
        let played: Vec<Played> = numbers
            .par_iter()
            .map(|&number| config.play(&network, number))
            .collect();
        samples::write(&self.folder, &self.plan, (wave, self.shard), &played)?;
        Ok(Progress {
            games: played.len() as u64,
            actions: played.iter().map(|game| game.actions as u64).sum(),
            stopped: played.iter().map(|game| u64::from(game.stopped)).sum(),
            samples: played.iter().map(|game| game.samples.len() as u64).sum(),
            time: start.elapsed(),
            ..Progress::default()
        })
    }
}
