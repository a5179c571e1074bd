//! The results of a tournament in memory: the ranks of each game and the numbers of faults, without the actions.

use super::Schedule;
use arena::rating::{Games, Outcome, OutcomeError};
use arena::schedule::{GameResult, ScheduledGame};
use std::collections::BTreeMap;

/// The outcomes of games and the numbers of faults. Running tournaments and standings collect them here.
#[derive(Clone, Debug, Default)]
pub(super) struct Results {
    /// By line-up and block, then by rotation.
    blocks: BTreeMap<(usize, u64), BTreeMap<usize, Outcome>>,
    /// By program and kind.
    faults: BTreeMap<usize, BTreeMap<&'static str, u64>>,
}

impl Results {
    /// Adds a game that was played, with its faults.
    pub(super) fn push(&mut self, scheduled: &ScheduledGame, played: &GameResult) {
        let outcome = Outcome {
            seats: scheduled.seats.clone(),
            ranks: played.seats.iter().map(|seat| seat.rank).collect(),
        };
        self.add(scheduled, outcome);
        for (&program, seat) in scheduled.seats.iter().zip(&played.seats) {
            for &kind in &seat.faults {
                let of = self.faults.entry(program).or_default();
                *of.entry(kind).or_default() += 1;
            }
        }
    }

    /// Adds the outcome of a game.
    pub(super) fn add(&mut self, scheduled: &ScheduledGame, outcome: Outcome) {
        let unit = (scheduled.line_up, scheduled.block);
        let block = self.blocks.entry(unit).or_default();
        block.insert(scheduled.rotation, outcome);
    }

    /// The outcome of this game, if it is known.
    pub(super) fn outcome(&self, scheduled: &ScheduledGame) -> Option<&Outcome> {
        let block = self.blocks.get(&(scheduled.line_up, scheduled.block))?;
        block.get(&scheduled.rotation)
    }

    /// Whether the outcome of this game is known.
    pub(super) fn has(&self, scheduled: &ScheduledGame) -> bool {
        self.outcome(scheduled).is_some()
    }

    /// The number of games with a known outcome.
    pub(super) fn count(&self) -> u64 {
        self.blocks.values().map(|block| block.len() as u64).sum()
    }

    /// The numbers of faults, by program and kind.
    pub(super) fn faults(&self) -> &BTreeMap<usize, BTreeMap<&'static str, u64>> {
        &self.faults
    }

    /// The outcomes block by block, in the form that ratings are computed from. `labels` are those of the programs.
    pub(super) fn games(&self, labels: Vec<String>) -> Result<Games, OutcomeError> {
        let mut games = Games::new(labels);
        // The map's fixed order makes ratings independent of the order in which games ended.
        for block in self.blocks.values() {
            let block: Vec<Outcome> = block.values().cloned().collect();
            games.push(&block)?;
        }
        Ok(games)
    }

    /// The outcomes of a block, if all its games are known. `unit` is the line-up and the block.
    pub(super) fn whole(&self, unit: (usize, u64), schedule: &Schedule) -> Option<Vec<Outcome>> {
        let block = self.blocks.get(&unit)?;
        let whole = block.len() == schedule.seatings(unit.0).len();
        whole.then(|| block.values().cloned().collect())
    }

    /// The wins of each of two programs in a block, in parts ([`Outcome::WHOLE`]), if all its games are known.
    pub(super) fn wins(
        &self,
        unit: (usize, u64),
        schedule: &Schedule,
        pair: [usize; 2],
    ) -> Option<[u64; 2]> {
        let block = self.whole(unit, schedule)?;
        let mut sums = [0; 2];
        for outcome in &block {
            for (sum, own) in sums.iter_mut().zip(pair) {
                *sum += outcome.win_parts(own).ok()?;
            }
        }
        Some(sums)
    }
}
