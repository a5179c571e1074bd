//! The learner's side of `lab cartagena train` with several processes.
//!
//! Games come in *waves*; the network of a wave is fixed while its games are played. *Actors*, other processes, play
//! shards of each wave and write their samples into a shared folder. The *learner*, this process, waits for all shards
//! of a wave and takes its steps on them. `cartagena::training::shards` explains the scheme.

use super::{Args, LINE, Lineage, Measures, report};
use crate::cartagena::training::shards::{Folder, Learner, Plan};
use crate::cartagena::training::{Progress, Trainer};
use anyhow::Result;
use seats::cli::output::beside;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant};

/// The time between two looks into the folder for new shards.
pub(in crate::commands::cartagena) const LOOK: Duration = Duration::from_millis(20);
/// The shortest time between two checkpoints.
const SAVED: Duration = Duration::from_secs(5);
/// After this time of waiting, and again after each further one, the missing shards are named on standard error.
const LATE: Duration = Duration::from_secs(60);

impl Args {
    /// The folder that actors and learner share: the one given, or one beside the network's file.
    pub(super) fn shared_folder(&self, out: &Path) -> PathBuf {
        let usual = || beside(out, "net", "shards");
        self.folder.clone().unwrap_or_else(usual)
    }

    /// Learns from wave after wave until the run is over, and returns the trainer with the final network.
    ///
    /// # Errors
    /// If a file cannot be read or written, or belongs to another run.
    pub(super) fn learn(
        &self,
        trainer: Trainer,
        shards: u16,
        lineage: &Lineage,
        out: &Path,
    ) -> Result<Trainer> {
        let folder = Folder::new(&self.shared_folder(out));
        let plan = Plan {
            config: trainer.config().clone(),
            wave: self.wave,
            shards,
        };
        let mut learner = match self.resume {
            true => Learner::resume(folder.clone(), plan, trainer)?,
            false => Learner::begin(folder.clone(), plan, trainer)?,
        };
        // Actors begin to play at the announcement. From then on it must be possible to resume the run, so the first
        // checkpoint comes before.
        self.save(learner.trainer(), lineage, out)?;
        if !self.resume {
            learner.announce()?;
        }
        let mut saved = Instant::now();
        let mut line = Progress::default();
        let mut measures = Measures::default();
        while !learner.is_over() {
            wait(&learner, &folder);
            line.add(&learner.learn()?);
            if learner.is_over() || saved.elapsed() >= SAVED {
                self.save(learner.trainer(), lineage, out)?;
                // Removes the files of waves that are learnt. A restart goes on from the last checkpoint and needs all
                // files since, so they go only after a new one.
                learner.tidy()?;
                saved = Instant::now();
            }
            if learner.is_over() || line.time >= LINE {
                report(learner.trainer(), &line);
                line = Progress::default();
                if measures.are_due() && !learner.is_over() {
                    measures.take(learner.trainer());
                }
            }
        }
        measures.take(learner.trainer());
        Ok(learner.trainer().clone())
    }
}

/// Waits for all shards of the next wave, and names those that are late.
fn wait(learner: &Learner, folder: &Folder) {
    let mut told = Instant::now();
    loop {
        let missing = learner.missing();
        if missing.is_empty() {
            return;
        }
        if told.elapsed() >= LATE {
            told = Instant::now();
            let missing: Vec<String> = missing.iter().map(u16::to_string).collect();
            engine::note!(
                "waiting for the games of shard {} in {}",
                missing.join(", "),
                folder.path().display()
            );
        }
        thread::sleep(LOOK);
    }
}
