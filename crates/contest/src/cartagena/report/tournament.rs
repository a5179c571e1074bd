//! The facts about a tournament that a report shows: its settings, progress and ratings.

use super::{Facts, Progress};
use crate::cartagena::tournament::{Schedule, Settings};
use crate::tournament::{Standings, told};

impl Facts {
    /// The facts about a tournament in which `played` games were played.
    pub fn of_tournament(
        title: String,
        settings: &Settings,
        standings: Standings,
        played: u64,
    ) -> Facts {
        let planned = Schedule::new(settings).games();
        // The time limit holds only for external programs.
        let timed = settings.programs.iter().any(|p| !p.is_builtin());
        let points = standings.points();
        let mut ratings = vec![standings.overall];
        ratings.extend(standings.by_players);
        Facts {
            title,
            settings: told(settings),
            progress: if played < planned {
                Progress::Unfinished { planned }
            } else {
                Progress::Complete
            },
            limit_ms: timed.then_some(1000.0 * settings.seconds),
            points,
            ratings,
        }
    }
}
