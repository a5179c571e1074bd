//! The state that follows from a journal's lines besides the contest itself: the games that began, ended or became
//! void, and the time of the contest.

use super::super::contest::Contest;
use super::super::index::IdSet;
use super::line::{Line, VoidGame};
use std::collections::BTreeMap;

/// Void games that are remembered; a page shows no more.
const REMEMBERED: usize = 100;

/// Facts that follow from the lines so far, besides the state of the contest.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Progress {
    /// The highest number of a game.
    pub last_id: u64,
    /// The contest's time at the last line, in milliseconds.
    pub elapsed: u64,
    /// The numbers of the games that were counted.
    pub ids: IdSet,
    /// Games that have begun and are not over, with their teams.
    pub under_way: BTreeMap<u64, [u64; 2]>,
    /// Games that will never end, the latest last.
    pub void: Vec<VoidGame>,
}

impl Progress {
    /// Applies a line to this and to `contest`. Returns whether it was a game that counts: a copied line is not a
    /// second game.
    pub fn take(&mut self, line: &Line, contest: &mut Contest) -> bool {
        match line {
            // A practice game is nobody's result.
            Line::Game(game) if !game.practice.is_none() => {}
            Line::Game(game) => {
                self.at(game.id, game.at);
                self.under_way.remove(&game.id);
                if !self.ids.insert(game.id) {
                    return false;
                }
                // The file may come from anywhere: `min` keeps a wrong seat within the two.
                contest.count(game.teams, game.winner.min(1), game.is_final);
                return true;
            }
            Line::Stage(stage) => {
                self.at(0, stage.at);
                contest.begin_stage(stage.seeds.clone());
            }
            Line::Begun(game) => {
                self.at(game.begun, game.at);
                self.under_way.insert(game.begun, game.teams);
            }
            Line::Void(line) => {
                self.at(0, line.at);
                self.set_void(&line.void);
            }
        }
        false
    }

    /// Raises the highest number and the time to those of a line. A line without a number has 0.
    pub fn at(&mut self, id: u64, at: u64) {
        self.last_id = self.last_id.max(id);
        self.elapsed = self.elapsed.max(at);
    }

    /// Marks games as void: they will never end.
    pub fn set_void(&mut self, games: &[VoidGame]) {
        for game in games {
            self.under_way.remove(&game.id);
        }
        self.void.extend(games);
        let forgotten = self.void.len().saturating_sub(REMEMBERED);
        self.void.drain(..forgotten);
    }
}
