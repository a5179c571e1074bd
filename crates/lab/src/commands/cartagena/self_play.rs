//! `lab cartagena self-play`: an actor of a training whose learner is another process. It plays its shard of each
//! wave of games and writes their samples into the shared folder. `cartagena::training::shards` explains the scheme.

use super::train::LOOK;
use crate::cartagena::training::Progress;
use crate::cartagena::training::shards::{Actor, Folder, Next};
use anyhow::Result;
use clap::Args as ClapArgs;
use seats::cli;
use std::path::PathBuf;
use std::thread;
use std::time::{Duration, Instant};

/// Time between two lines of progress.
const LINE: Duration = Duration::from_secs(10);

#[derive(Debug, ClapArgs)]
pub(crate) struct Args {
    /// The folder that `lab cartagena train --shards N` shares; the program waits until it exists
    folder: PathBuf,
    /// The shard to play, from 1
    #[arg(long, value_name = "K", value_parser = clap::value_parser!(u16).range(1..))]
    shard: u16,
    /// Threads; 0 for one on each core
    #[arg(long, default_value_t = 0)]
    threads: usize,
}

impl Args {
    pub(crate) fn run(self) -> Result<()> {
        let threads = cli::threads(self.threads)?;
        let folder = Folder::new(&self.folder);
        let mut told = false;
        let actor = loop {
            // Actors may be started before the learner.
            if let Some(actor) = Actor::join(&folder, self.shard)? {
                break actor;
            }
            if !told {
                engine::note!("waiting for a training in {}", folder.path().display());
                told = true;
            }
            thread::sleep(LOOK);
        };
        let mut line = Progress::default();
        let mut since = Instant::now();
        loop {
            match actor.next()? {
                Next::Play(wave) => {
                    let played = threads.install(|| actor.play(wave))?;
                    line.add(&played);
                    // The wave was learnt without this actor; the folder will soon say what is
                    // next.
                    if played.games == 0 {
                        thread::sleep(LOOK);
                    }
                }
                Next::Wait => thread::sleep(LOOK),
                Next::Stop => break,
            }
            if since.elapsed() >= LINE {
                self.report(&line, since.elapsed());
                line = Progress::default();
                since = Instant::now();
            }
        }
        self.report(&line, since.elapsed());
        Ok(())
    }

    /// Prints the games since the last line, and the share of the time that was not spent playing.
    fn report(&self, line: &Progress, time: Duration) {
        let seconds = time.as_secs_f64().max(1e-9);
        engine::note!(
            "shard {}  {:8} games  {:6.0}/s  {:3.0} % waiting",
            self.shard,
            line.games,
            line.games as f64 / seconds,
            100.0 * (1.0 - line.time.as_secs_f64() / seconds).max(0.0),
        );
    }
}
