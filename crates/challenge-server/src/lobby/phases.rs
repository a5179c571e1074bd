//! The phases of a contest: open play, the last hour, the final. These methods of the lobby end one phase and
//! begin the next.

use super::super::bracket::Bracket;
use super::super::events::ContestEvent;
use super::super::journal::StageLine;
use super::super::snapshot::Phase;
use super::super::teams::Pair;
use super::Lobby;
use arena::records::RecordError;
use std::time::Duration;

/// How long the final waits for further teams after it had to wait for the first two.
const GATHERING: Duration = Duration::from_secs(15);

impl Lobby {
    /// When the phase ends, counted from the start of the server; none if that depends on games.
    pub(super) fn phase_ends(&self) -> Option<Duration> {
        let open = self.settings.open_play?;
        let end = match self.phase {
            Phase::Open => open,
            Phase::LastHour => open + self.settings.last_hour,
            Phase::Closing | Phase::Final | Phase::Over => return None,
        };
        // The settings count from the beginning of the contest; `before` is the part under earlier servers.
        Some(end.saturating_sub(self.before))
    }

    /// The time of the contest in milliseconds.
    pub(super) fn at(&self, now: Duration) -> u64 {
        (self.before + now).as_millis() as u64
    }

    /// Ends open play and the last hour when it is time.
    pub(super) fn change_phase(&mut self, now: Duration, on_event: &mut impl FnMut(ContestEvent)) {
        // Computed anew after each change of the phase, because every phase has a different end.
        let is_due = |lobby: &Lobby| lobby.phase_ends().is_some_and(|end| end <= now);
        if self.phase == Phase::Open && is_due(self) {
            self.phase = Phase::LastHour;
            self.level_absent(now);
            // A server that restarts after the last hour passes through it silently.
            if !is_due(self) {
                on_event(ContestEvent::LastHour);
            }
        }
        if self.phase == Phase::LastHour && is_due(self) {
            self.phase = Phase::Closing;
        }
    }

    /// Raises the counts of games of absent teams to those of the connected ones, because from the last hour on
    /// absent teams are paired too. Otherwise they would first have to play all games that they have missed.
    pub(super) fn level_absent(&mut self, now: Duration) {
        let online: Vec<u64> = self.online.keys().copied().collect();
        let absent = self.teams.iter().filter(|team| !online.contains(team));
        for &team in absent {
            self.matchmaking.join(team, &online, now);
        }
    }

    /// Begins the final, or its next stage, when all games before it are over; or goes on with the stage
    /// that a stopped server has left.
    pub(super) fn advance_final(
        &mut self,
        now: Duration,
        on_event: &mut impl FnMut(ContestEvent),
    ) -> Result<(), RecordError> {
        self.forfeit(on_event);
        match self.contest.bracket() {
            // Three conditions: the last hour is over, its games too, and a restarted server has given the teams
            // time to return, as only connected teams enter the final.
            None if self.phase == Phase::Closing && self.games.is_empty() && !self.regrouping => {
                let ids = self.contest.standings().into_iter().map(|(team, _)| team);
                let seeds: Vec<u64> = ids.filter(|team| self.online.contains_key(team)).collect();
                if seeds.len() < self.teams.len().min(2) {
                    // If the network has failed, the teams come back one after the other, and all are to take part.
                    self.regrouping = true;
                    self.settings.regroup = now + GATHERING;
                    if !std::mem::replace(&mut self.gathers, true) {
                        on_event(ContestEvent::TooFew);
                    }
                    return Ok(());
                }
                self.begin_stage(seeds, now, on_event)
            }
            None => Ok(()),
            // The bracket comes from the journal after a restart, so the phase follows from it.
            Some(stage) => match stage.next() {
                Some(seeds) => self.begin_stage(seeds, now, on_event),
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

    /// Decides the matches of teams that were removed from the teams' file during the final: they cannot be played.
    /// The journal does not have it, because every restart with the same teams decides them in the same way.
    fn forfeit(&mut self, on_event: &mut impl FnMut(ContestEvent)) {
        let is_missing = |team: &u64| !self.teams.contains(team);
        let open = self.contest.bracket().into_iter().flat_map(Bracket::open);
        let forfeits: Vec<Pair> = open.filter(|teams| teams.iter().any(is_missing)).collect();
        for teams in forfeits {
            let [team, winner] = match is_missing(&teams[0]) {
                true => teams,
                false => [teams[1], teams[0]],
            };
            self.contest.forfeit(teams, winner);
            on_event(ContestEvent::Forfeit { team, winner });
        }
    }

    /// Begins a stage of the final between these teams. With fewer than two the final is over.
    fn begin_stage(
        &mut self,
        seeds: Vec<u64>,
        now: Duration,
        on_event: &mut impl FnMut(ContestEvent),
    ) -> Result<(), RecordError> {
        // The journal comes first: a restarted server must find every stage that has begun.
        self.journal.append_stage(&StageLine {
            seeds: seeds.clone(),
            at: self.at(now),
        })?;
        self.contest.begin_stage(seeds.clone());
        // The final has its own rounds, so no deck of an undecided round of open play goes on in it.
        self.decks.clear();
        let contest = &self.contest;
        let stages = contest.stages();
        if stages.len() == 1 {
            // The seeds of the final follow from them.
            on_event(ContestEvent::Standings { contest });
        }
        if let Some(stage) = stages.last().filter(|stage| !stage.is_over()) {
            let end = now + self.settings.final_pause;
            // Every match of the stage waits for the pause; old entries are dropped.
            self.pauses = stage.open().map(|teams| (teams, end)).collect();
            self.phase = Phase::Final;
            on_event(ContestEvent::Final { stages });
            return Ok(());
        }
        self.phase = Phase::Over;
        // One team at most is left; none if nobody was connected.
        seeds
            .iter()
            .for_each(|&team| on_event(ContestEvent::Champion { team, contest }));
        Ok(())
    }
}
