//! The page with the standings of a tournament under way (`--live`): decides when it is written anew.

use crate::tournament::page;
use crate::tournament::watch::{GAMES_PAGE, PAGE};
use crate::tournament::{Finished, LiveGames, Settings, Standings, TournamentGame};
use anyhow::Context;
use arena::rating::Anchor;
use seats::cli::output::write_file;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::time::{Duration, Instant};

/// Seconds after which a browser loads the page of the games under way again.
const REFRESH_GAMES: u32 = 2;

/// The time between two versions of the page of the games under way.
const TICK: Duration = Duration::from_secs(1);

/// A page in a tournament's folder, and when it was last written.
pub(super) struct Live {
    path: PathBuf,
    /// The page is written after this many games at the earliest.
    every: u64,
    /// Games since the page was written.
    games: u64,
    /// When the page was last written, and how long that took.
    written: Option<(Instant, Duration)>,
    pub(super) anchor: Anchor,
}

/// The page is not written again before this many times the time that writing it took. Games that end while it
/// is written must wait, and rating many games takes long.
const PAUSE: u32 = 20;

impl Live {
    /// A page in a tournament's folder, written anew every `every` games.
    pub(super) fn new(folder: &Path, every: u64, anchor: Anchor) -> Live {
        let path = folder.join(PAGE);
        engine::note!("live standings: {}", path.display());
        Live {
            path,
            every,
            // So the first game already writes the page.
            games: every,
            written: None,
            anchor,
        }
    }

    /// The folder of the page.
    pub(super) fn folder(&self) -> PathBuf {
        self.path.parent().map(Path::to_owned).unwrap_or_default()
    }

    /// Counts a game, and writes the page if it is due. An error is only printed, and the tournament goes on.
    pub(super) fn update<C: TournamentGame>(&mut self, finished: &Finished<C>) {
        self.games += 1;
        // The page is due after enough games, and only if about a twentieth of the time at most goes into it.
        let rests = |(at, took): (Instant, Duration)| at.elapsed() < PAUSE * took;
        if self.games < self.every || self.written.is_some_and(rests) {
            return;
        }
        self.games = 0;
        let start = Instant::now();
        let standings = finished.standings(self.anchor.clone());
        let written = standings
            .map_err(anyhow::Error::from)
            .and_then(|standings| self.write(finished.settings(), &standings));
        if let Err(error) = written {
            engine::note!("warning: {error:#}");
        }
        self.written = Some((Instant::now(), start.elapsed()));
    }

    /// Writes the page now.
    pub(super) fn write<C: TournamentGame>(
        &self,
        settings: &Settings<C>,
        standings: &Standings,
    ) -> anyhow::Result<()> {
        let page = page::page(settings, standings);
        write_file(&self.path, |out| page.write(out))
            .with_context(|| format!("cannot write {}", self.path.display()))
    }
}

/// Keeps the page of the games under way up to date until the other end of `until` is dropped. An error is only printed,
/// and the tournament goes on.
pub(super) fn show_games<C: TournamentGame>(
    folder: &Path,
    watch: &LiveGames,
    until: &Receiver<()>,
) {
    let path = folder.join(GAMES_PAGE);
    let mut written = None;
    loop {
        let is_over = until.recv_timeout(TICK) != Err(RecvTimeoutError::Timeout);
        let version = watch.version();
        if is_over || written != Some(version) {
            let refresh = (!is_over).then_some(REFRESH_GAMES);
            let page = watch.page(C::TITLE, C::STYLES, refresh);
            if let Err(error) = write_file(&path, |out| page.write(out)) {
                engine::note!("warning: cannot write {}: {error}", path.display());
            }
        }
        written = Some(version);
        if is_over {
            return;
        }
    }
}
