//! The actions of a batch's present games, from which stored games are replayed.

use crate::game::Id;
use engine::rng::Random;
use serde::{Deserialize, Serialize};

/// The actions that are needed to store the games: one row for each step since the oldest present game began, with
/// the id of each game's action. All rows are one list: with a list for each game, every step would have to fetch one
/// more line of memory for each game.
pub(super) struct ActionLog {
    ids: Vec<Id>,
    /// Number of ids in a row.
    games: usize,
    /// The number of the first row's step.
    first: u64,
    /// With at least this number of rows, the next step first removes rows that are not needed any more.
    limit: usize,
}

impl ActionLog {
    /// The least limit: so few rows are kept even if they are not needed.
    const LEAST: usize = 64;

    /// An empty log, whose next step has the number `first`.
    pub(super) fn new(games: usize, first: u64) -> ActionLog {
        ActionLog {
            ids: Vec::new(),
            games,
            first,
            limit: ActionLog::LEAST,
        }
    }

    /// The log of stored games, which all end with the same step. The longest began with step 0.
    pub(super) fn of_stored(games: &[SavedGame]) -> ActionLog {
        let steps = games.iter().map(|game| game.actions.len()).max();
        let steps = steps.unwrap_or(0);
        let mut log = ActionLog::new(games.len(), 0);
        log.ids.resize(steps * games.len(), 0);
        for (number, game) in games.iter().enumerate() {
            let from = steps - game.actions.len();
            for (step, &id) in game.actions.iter().enumerate() {
                log.ids[(from + step) * games.len() + number] = id;
            }
        }
        log
    }

    fn rows(&self) -> usize {
        self.ids.len() / self.games.max(1)
    }

    /// The number of the next step.
    pub(super) fn next(&self) -> u64 {
        self.first + self.rows() as u64
    }

    /// Adds a step. `oldest` gives the first step that is still needed.
    pub(super) fn push(&mut self, actions: &[i64], oldest: impl FnOnce() -> u64) {
        if self.rows() >= self.limit {
            let old = (oldest() - self.first) as usize;
            self.ids.drain(..old * self.games);
            self.first += old as u64;
            // Twice the rows that are left: at least as many rows are added as were moved, so each row is moved
            // about once.
            self.limit = ActionLog::LEAST.max(2 * self.rows());
        }
        self.ids.extend(actions.iter().map(|&id| id as Id));
    }

    /// A game's actions from a step on.
    pub(super) fn of(&self, game: usize, since: u64) -> Vec<Id> {
        let from = (since - self.first) as usize;
        let own = self.ids.iter().skip(from * self.games + game);
        own.step_by(self.games).copied().collect()
    }
}

/// A batch as it is stored.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SavedBatch {
    /// The generator of random actions.
    pub(super) rng: Random,
    pub(super) games: Vec<SavedGame>,
}

/// A game of a batch as it is stored: its generator at the start, and the actions since.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct SavedGame {
    pub(super) began: Random,
    pub(super) actions: Vec<Id>,
}
