//! Open play, the last hour, the final: when one ends and the next begins.

use super::super::journal::StageLine;
use super::super::server::News;
use super::super::snapshot::Phase;
use super::Hall;
use arena::records::RecordError;
use std::time::Duration;

impl Hall {
    /// When the phase ends, counted from the start of the server, where that is fixed.
    pub(super) fn phase_ends(&self) -> Option<Duration> {
        let open = self.settings.open_play?;
        let end = match self.phase {
            Phase::Open => open,
            Phase::LastHour => open + self.settings.last_hour,
            Phase::Closing | Phase::Final | Phase::Over => return None,
        };
        Some(end.saturating_sub(self.before))
    }

    /// Milliseconds of the contest.
    pub(super) fn at(&self, now: Duration) -> u64 {
        (self.before + now).as_millis() as u64
    }

    /// Ends open play and the last hour when it is time.
    pub(super) fn change_phase(&mut self, now: Duration, news: &mut impl FnMut(News)) {
        let is_due = |hall: &Hall| hall.phase_ends().is_some_and(|end| end <= now);
        if self.phase == Phase::Open && is_due(self) {
            self.phase = Phase::LastHour;
            if !is_due(self) {
                news(News::LastHour);
            }
        }
        if self.phase == Phase::LastHour && is_due(self) {
            self.phase = Phase::Closing;
        }
    }

    /// Begins the final, or its next stage, when everything before it is played; or goes on with the
    /// one that a stopped server has left.
    pub(super) fn advance_final(
        &mut self,
        now: Duration,
        news: &mut impl FnMut(News),
    ) -> Result<(), RecordError> {
        match self.contest.knockout() {
            None if self.phase == Phase::Closing && self.tables.is_empty() && !self.gathering => {
                let ids = self.contest.standings().into_iter().map(|(team, _)| team);
                let seeds = ids.filter(|team| self.online.contains_key(team)).collect();
                self.begin_stage(seeds, now, news)
            }
            None => Ok(()),
            Some(stage) => match stage.next() {
                Some(seeds) => self.begin_stage(seeds, now, news),
                None => {
                    self.phase = if stage.is_over() {
                        Phase::Over
                    } else {
                        Phase::Final
                    };
                    Ok(())
                }
            },
        }
    }

    /// Begins a stage of the final between these teams; with less than two it is over.
    fn begin_stage(
        &mut self,
        seeds: Vec<u64>,
        now: Duration,
        news: &mut impl FnMut(News),
    ) -> Result<(), RecordError> {
        self.journal.append_stage(&StageLine {
            seeds: seeds.clone(),
            at: self.at(now),
        })?;
        self.contest.begin_stage(seeds.clone());
        if seeds.len() > 1 {
            self.phase = Phase::Final;
            news(News::Final { seeds: &seeds });
            return Ok(());
        }
        self.phase = Phase::Over;
        news(News::Standings {
            contest: &self.contest,
        });
        seeds.iter().for_each(|&team| news(News::Champion { team }));
        Ok(())
    }
}
