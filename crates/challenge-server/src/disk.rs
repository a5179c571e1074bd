//! The disk space of a contest: `serve` prints a forecast at the start, and runs a `Watch` that warns if little
//! is left.

use crate::snapshot::{SnapshotSource, snapshot};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// Bytes a game if none was measured: the average of a million generated games, index included.
const A_GAME: f64 = 13_800.0;
/// Games a minute in the forecast, if no rate was measured.
const SUPPOSED: f64 = 100.0;
/// Free bytes below which there is always a warning.
const LEAST: f64 = 1e9;
const DAY: f64 = 24.0 * 3600.0;
const GB: f64 = 1e9;
/// Time between two checks of the free space. A warning is given at once, and repeated after `REPEATED` checks, once an
/// hour.
const EVERY: Duration = Duration::from_secs(60);
const REPEATED: u32 = 60;

/// The space that a contest has taken so far, and the room that is left.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DiskUse {
    /// Bytes of the journal.
    pub journal: u64,
    pub games: u64,
    /// How long the contest has gone on.
    pub elapsed: Duration,
    /// Bytes that are free; none if the system does not say.
    pub free: Option<u64>,
}

impl DiskUse {
    /// Bytes a game so far, or an estimate before the first game.
    fn a_game(&self) -> f64 {
        match self.games {
            0 => A_GAME,
            games => self.journal as f64 / games as f64,
        }
    }

    /// Bytes a day at the rate so far; none before the first game.
    fn a_day(&self) -> Option<f64> {
        let seconds = self.elapsed.as_secs_f64();
        (self.games > 0 && seconds > 0.0).then(|| self.journal as f64 / seconds * DAY)
    }

    /// A sentence with the size of a game and the forecast for a day.
    pub fn forecast(&self) -> String {
        let game = format!("a game takes about {:.1} kB", self.a_game() / 1e3);
        let day = match self.a_day() {
            Some(bytes) => format!("a day at the rate so far {:.1} GB", bytes / GB),
            None => format!(
                "a day of {SUPPOSED:.0} games a minute {:.1} GB",
                SUPPOSED * 60.0 * 24.0 * self.a_game() / GB
            ),
        };
        let free = self.free.map_or(String::new(), |free| {
            format!("; {:.1} GB are free", free as f64 / GB)
        });
        format!("disk: {game}, {day}{free}")
    }

    /// A warning if there is little room left.
    pub fn warning(&self) -> Option<String> {
        let free = self.free? as f64;
        let day = self.a_day().unwrap_or(0.0);
        // Enough for another day at the rate so far, and never less than `LEAST`.
        if free >= day.max(LEAST) {
            return None;
        }
        let room = format!("warning: {:.2} GB of the disk are free", free / GB);
        Some(match day > 0.0 {
            true => format!(
                "{room}, enough for {:.1} hours at the rate so far",
                free / day * 24.0
            ),
            false => room,
        })
    }
}

/// Bytes that are free on the disk of a file.
pub fn free(path: &Path) -> Option<u64> {
    let disk = rustix::fs::statvfs(path).ok()?;
    // `f_bavail`: blocks that an ordinary process may use, without those reserved for root.
    Some(disk.f_bavail.saturating_mul(disk.f_frsize))
}

/// Lets a warning through at once, and the next one only [`REPEATED`] checks later.
#[derive(Default)]
struct WarningPace {
    /// How many more checks give no warning.
    silent: u32,
}

impl WarningPace {
    /// Whether a check may give its warning. Must be called once for every check, because it counts them.
    fn lets_through(&mut self, is_needed: bool) -> bool {
        let now = is_needed && self.silent == 0;
        self.silent = match now {
            true => REPEATED - 1,
            false => self.silent.saturating_sub(1),
        };
        now
    }
}

/// Watches the free space on the disk of a journal.
pub struct Watch {
    pub path: PathBuf,
    /// How long the contest had gone on when the server was started.
    pub before: Duration,
}

impl Watch {
    /// Calls `warn` with every warning, until the server ends.
    pub async fn run(self, source: &SnapshotSource, warn: impl Fn(String)) {
        let begin = Instant::now();
        let mut pace = WarningPace::default();
        loop {
            let Some(now) = snapshot(source).await else {
                break;
            };
            let disk = DiskUse {
                journal: std::fs::metadata(&self.path).map_or(0, |data| data.len()),
                games: now.games,
                elapsed: self.before + begin.elapsed(),
                free: free(&self.path),
            };
            let warning = disk.warning();
            if pace.lets_through(warning.is_some()) {
                warning.into_iter().for_each(&warn);
            }
            tokio::time::sleep(EVERY).await;
        }
        // Pending rather than done: in the server's `select` a finished branch would end the contest.
        std::future::pending().await
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Checks come once a minute. A warning that becomes necessary is given at the next check, and then once
    /// an hour.
    #[test]
    fn a_warning_comes_at_once_and_then_every_hour() {
        let mut pace = WarningPace::default();
        let told: Vec<u32> = (0..200)
            .filter(|&check| pace.lets_through(check >= 7))
            .collect();
        assert_eq!(told, [7, 67, 127, 187]);
    }

    const USE: DiskUse = DiskUse {
        journal: 14_000_000,
        games: 1000,
        elapsed: Duration::from_secs(600),
        free: Some(20_000_000_000),
    };

    #[test]
    fn a_day_is_told_in_advance() {
        assert_eq!(
            USE.forecast(),
            "disk: a game takes about 14.0 kB, a day at the rate so far 2.0 GB; 20.0 GB are free"
        );
        let new = DiskUse {
            journal: 0,
            games: 0,
            elapsed: Duration::ZERO,
            free: None,
        };
        assert_eq!(
            new.forecast(),
            "disk: a game takes about 13.8 kB, a day of 100 games a minute 2.0 GB"
        );
    }

    #[test]
    fn little_room_is_warned_of() {
        assert_eq!(USE.warning(), None);
        let free = |bytes| DiskUse {
            free: Some(bytes),
            ..USE
        };
        assert_eq!(free(2_100_000_000).warning(), None);
        assert_eq!(
            free(1_512_000_000).warning().unwrap(),
            "warning: 1.51 GB of the disk are free, enough for 18.0 hours at the rate so far"
        );
        let idle = DiskUse {
            games: 0,
            ..free(900_000_000)
        };
        assert_eq!(
            idle.warning().unwrap(),
            "warning: 0.90 GB of the disk are free"
        );
        assert_eq!(DiskUse { free: None, ..USE }.warning(), None);
    }

    #[test]
    fn the_room_of_a_disk_is_known() {
        let folder = tempfile::tempdir().unwrap();
        assert!(free(folder.path()).is_some());
        assert_eq!(free(&folder.path().join("nothing")), None);
    }
}
