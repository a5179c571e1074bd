//! The results of a tournament: outcomes and faults, in little memory.

use super::Schedule;
use arena::ranking::shares;
use arena::rating::{Games, Outcome, OutcomeError};
use arena::schedule::{GameResult, ScheduledGame};
use std::collections::BTreeMap;

/// Outcomes by line-up and block, inside a block by rotation; and faults by program and kind.
#[derive(Clone, Debug, Default)]
pub(super) struct Results {
    blocks: BTreeMap<(usize, u64), BTreeMap<usize, Outcome>>,
    faults: BTreeMap<usize, BTreeMap<&'static str, u64>>,
}

impl Results {
    pub(super) fn push(&mut self, scheduled: &ScheduledGame, played: &GameResult) {
        let outcome = Outcome {
            seats: scheduled.seats.clone(),
            ranks: played.seats.iter().map(|seat| seat.rank).collect(),
        };
        self.add(scheduled, outcome);
        for (&program, seat) in scheduled.seats.iter().zip(&played.seats) {
            for &kind in &seat.faults {
                self.add_fault(program, kind);
            }
        }
    }

    pub(super) fn add(&mut self, scheduled: &ScheduledGame, outcome: Outcome) {
        let unit = (scheduled.line_up, scheduled.block);
        let block = self.blocks.entry(unit).or_default();
        block.insert(scheduled.rotation, outcome);
    }

    pub(super) fn add_fault(&mut self, program: usize, kind: &'static str) {
        *self
            .faults
            .entry(program)
            .or_default()
            .entry(kind)
            .or_default() += 1;
    }

    pub(super) fn has(&self, scheduled: &ScheduledGame) -> bool {
        let block = self.blocks.get(&(scheduled.line_up, scheduled.block));
        block.is_some_and(|block| block.contains_key(&scheduled.rotation))
    }

    pub(super) fn count(&self) -> u64 {
        self.blocks.values().map(|block| block.len() as u64).sum()
    }

    pub(super) fn faults(&self) -> &BTreeMap<usize, BTreeMap<&'static str, u64>> {
        &self.faults
    }

    pub(super) fn games(&self, labels: Vec<String>) -> Result<Games, OutcomeError> {
        let mut games = Games::new(labels);
        // In the order of the map, so ratings do not depend on the order in which games ended.
        for block in self.blocks.values() {
            let block: Vec<Outcome> = block.values().cloned().collect();
            games.push(&block)?;
        }
        Ok(games)
    }

    /// The outcomes of a block, if all its games are there.
    pub(super) fn whole(&self, unit: (usize, u64), schedule: &Schedule) -> Option<Vec<Outcome>> {
        let block = self.blocks.get(&unit)?;
        let whole = block.len() == schedule.seatings(unit.0).len();
        whole.then(|| block.values().cloned().collect())
    }

    /// The shares of the wins that two programs had in a block, if all its games are there.
    pub(super) fn shares(
        &self,
        unit: (usize, u64),
        schedule: &Schedule,
        pair: [usize; 2],
    ) -> Option<[f64; 2]> {
        let block = self.whole(unit, schedule)?;
        let mut sums = [0.0; 2];
        for outcome in &block {
            // A program may sit on several seats; its shares add up.
            for (&program, share) in outcome.seats.iter().zip(shares(&outcome.ranks)) {
                for (sum, own) in sums.iter_mut().zip(pair) {
                    *sum += if own == program { share } else { 0.0 };
                }
            }
        }
        Some(sums)
    }
}
