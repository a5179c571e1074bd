//! The learner of a training with actors.

use super::{Args, LINE, Lineage, Measures, report};
use crate::cartagena::training::shards::{Folder, Learner, Plan};
use crate::cartagena::training::{Progress, Trainer};
use anyhow::Result;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant};

/// Time between two looks into the folder.
pub(in crate::commands::cartagena) const LOOK: Duration = Duration::from_millis(20);
/// Time between two checkpoints.
const SAVED: Duration = Duration::from_secs(5);
/// Time after which a missing shard is named.
const LATE: Duration = Duration::from_secs(60);

impl Args {
    /// The folder that actors and learner share.
    pub(super) fn shared_folder(&self, out: &Path) -> PathBuf {
        let beside = || out.with_extension("shards");
        self.folder.clone().unwrap_or_else(beside)
    }

    /// Learns wave after wave until the run is over.
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
        // The checkpoint comes before the announcement: from then on actors play, and the run must
        // be resumable.
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
                // Only after the checkpoint: until then a restart would need these files.
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
            eprintln!(
                "waiting for the games of shard {} in {}",
                missing.join(", "),
                folder.path().display()
            );
        }
        thread::sleep(LOOK);
    }
}
