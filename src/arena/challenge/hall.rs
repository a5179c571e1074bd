//! The hall: who is there, which games are played, and what comes next.

use super::contest::{Contest, GameLine, Pair, bracket, pair};
use super::journal::{Journal, JournalError};
use super::link::Input;
use super::server::{News, Settings, reply};
use super::table::{Sent, Table};
use crate::challenge::protocol::Server as Message;
use crate::random::stream;
use std::collections::BTreeMap;
use std::time::Duration;
use tokio::sync::mpsc::{UnboundedSender, WeakUnboundedSender};

/// What comes from the connections.
pub(super) enum Event {
    /// A team has connected; an older connection of its is over.
    Joined {
        team: u64,
        outbox: UnboundedSender<Message>,
    },
    /// A client said something.
    Said {
        team: u64,
        link: WeakUnboundedSender<Message>,
        said: Input,
    },
    /// A connection is over.
    Left {
        team: u64,
        link: WeakUnboundedSender<Message>,
    },
}

/// How far the contest is.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Phase {
    /// Teams that are connected play.
    Open,
    /// All teams play.
    LastHour,
    /// No new games; those under way are finished.
    Closing,
    /// The last ones of these seeds play; matches without a winner yet, and who is through.
    Final {
        seeds: Vec<u64>,
        matches: Vec<Pair>,
        through: Vec<u64>,
    },
    /// There is a champion.
    Over,
}

/// A game under way.
struct Live {
    table: Table,
    is_final: bool,
}

/// Everything about a contest that is going on.
pub(super) struct Hall {
    settings: Settings,
    contest: Contest,
    journal: Journal,
    phase: Phase,
    /// Connected teams.
    online: BTreeMap<u64, UnboundedSender<Message>>,
    /// Teams that are in no game, the longest waiting first.
    free: Vec<u64>,
    tables: BTreeMap<u64, Live>,
    next_id: u64,
    next_report: Duration,
}

impl Hall {
    pub(super) fn new(
        settings: Settings,
        teams: impl Iterator<Item = u64>,
        contest: Contest,
        journal: Journal,
    ) -> Hall {
        let free: Vec<u64> = teams.collect();
        Hall {
            // A number that a game had which a stopped server did not finish is not used again.
            next_id: journal.last_id() + free.len() as u64 + 1,
            next_report: settings.report,
            settings,
            contest,
            journal,
            phase: Phase::Open,
            online: BTreeMap::new(),
            free,
            tables: BTreeMap::new(),
        }
    }

    /// Whether the final is over.
    pub(super) fn is_over(&self) -> bool {
        self.phase == Phase::Over
    }

    /// When something is to be done though nobody says anything.
    pub(super) fn wake(&self) -> Duration {
        let clocks = self
            .tables
            .values()
            .filter_map(|live| live.table.deadline());
        let [closes, ends] = self.ends();
        let phase = match self.phase {
            Phase::Open => closes,
            Phase::LastHour => ends,
            _ => None,
        };
        clocks.chain(phase).fold(self.next_report, Duration::min)
    }

    /// When open play and the last hour end.
    fn ends(&self) -> [Option<Duration>; 2] {
        let open = self.settings.open_play;
        [open, open.map(|open| open + self.settings.last_hour)]
    }

    pub(super) fn tick(
        &mut self,
        now: Duration,
        news: &mut impl FnMut(News),
    ) -> Result<(), JournalError> {
        let due = |live: &Live| {
            live.table
                .deadline()
                .is_some_and(|deadline| deadline <= now)
        };
        let late: Vec<u64> = self
            .tables
            .iter()
            .filter(|(_, live)| due(live))
            .map(|(&id, _)| id)
            .collect();
        for id in late {
            self.at_table(id, news, |table| table.tick(now))?;
        }
        let [closes, ends] = self.ends();
        if self.phase == Phase::Open && closes.is_some_and(|end| end <= now) {
            self.phase = Phase::LastHour;
            news(News::LastHour);
        }
        if self.phase == Phase::LastHour && ends.is_some_and(|end| end <= now) {
            self.phase = Phase::Closing;
        }
        if self.next_report <= now {
            self.next_report = now + self.settings.report;
            news(News::Standings {
                contest: &self.contest,
            });
        }
        Ok(())
    }

    pub(super) fn handle(
        &mut self,
        event: Event,
        now: Duration,
        news: &mut impl FnMut(News),
    ) -> Result<(), JournalError> {
        match event {
            Event::Joined { team, outbox } => {
                if let Some((seat, live)) = self.seat_of(team)
                    && let Some(request) = live.table.again(seat, now)
                {
                    let _ = outbox.send(request);
                }
                self.online.insert(team, outbox);
                news(News::Joined { team });
            }
            Event::Left { team, link } => {
                if self.is_current(team, &link) {
                    self.online.remove(&team);
                    news(News::Left { team });
                }
            }
            Event::Said { team, link, said } => {
                if !self.is_current(team, &link) {
                    return Ok(());
                }
                let place = self.tables.iter().find_map(|(&id, live)| {
                    let seat = live.table.teams().iter().position(|&other| other == team)?;
                    Some((id, seat))
                });
                if let Some((id, seat)) = place {
                    self.at_table(id, news, |table| reply(table, seat, said, now))?;
                }
            }
        }
        Ok(())
    }

    /// Whether a connection is the team's newest.
    fn is_current(&self, team: u64, link: &WeakUnboundedSender<Message>) -> bool {
        let current = self.online.get(&team);
        current.is_some_and(|outbox| link.upgrade().is_some_and(|link| link.same_channel(outbox)))
    }

    fn seat_of(&self, team: u64) -> Option<(usize, &Live)> {
        self.tables.values().find_map(|live| {
            let seat = live.table.teams().iter().position(|&other| other == team)?;
            Some((seat, live))
        })
    }

    /// Begins the games that can begin.
    pub(super) fn match_up(
        &mut self,
        now: Duration,
        news: &mut impl FnMut(News),
    ) -> Result<(), JournalError> {
        if self.phase == Phase::Closing && self.tables.is_empty() {
            self.begin_final(news);
        }
        while let Some(teams) = self.next_pair() {
            self.begin(teams, now, news)?;
        }
        Ok(())
    }

    fn next_pair(&self) -> Option<Pair> {
        let is_online = |team: &u64| self.online.contains_key(team);
        match &self.phase {
            Phase::Open => {
                let waiting: Vec<u64> = self.free.iter().copied().filter(is_online).collect();
                self.contest.next_pair(&waiting)
            }
            Phase::LastHour => {
                // A game of two that are not there would say nothing.
                let first = self.free.iter().copied().find(is_online)?;
                let others = self.free.iter().copied().filter(|&team| team != first);
                let waiting: Vec<u64> = std::iter::once(first).chain(others).collect();
                self.contest.next_pair(&waiting)
            }
            Phase::Final { matches, .. } => matches
                .iter()
                .copied()
                .find(|teams| teams.iter().all(|team| self.free.contains(team))),
            Phase::Closing | Phase::Over => None,
        }
    }

    fn begin(
        &mut self,
        teams: Pair,
        now: Duration,
        news: &mut impl FnMut(News),
    ) -> Result<(), JournalError> {
        let id = self.next_id;
        self.next_id += 1;
        self.free.retain(|team| !teams.contains(team));
        let seats = self.contest.seats(teams);
        let random = stream(self.settings.seed, id);
        let live = Live {
            table: Table::new(self.settings.conduct, id, seats, random),
            is_final: matches!(self.phase, Phase::Final { .. }),
        };
        self.tables.insert(id, live);
        self.at_table(id, news, |table| table.start(now))
    }

    /// Does something at a table, and what follows.
    fn at_table(
        &mut self,
        id: u64,
        news: &mut impl FnMut(News),
        act: impl FnOnce(&mut Table) -> Vec<Sent>,
    ) -> Result<(), JournalError> {
        let Some(live) = self.tables.get_mut(&id) else {
            return Ok(());
        };
        let sent = act(&mut live.table);
        let teams = live.table.teams();
        let over = live.table.winner().is_some();
        for (seat, message) in sent {
            if let Some(outbox) = self.online.get(&teams[seat]) {
                let _ = outbox.send(message);
            }
        }
        if over { self.finish(id, news) } else { Ok(()) }
    }

    fn finish(&mut self, id: u64, news: &mut impl FnMut(News)) -> Result<(), JournalError> {
        let Some(Live { table, is_final }) = self.tables.remove(&id) else {
            return Ok(());
        };
        let (seats, Some(winner)) = (table.teams(), table.winner()) else {
            return Ok(());
        };
        let teams = pair(seats[0], seats[1]);
        let mut round = self.contest.round(teams);
        round.win(usize::from(teams[0] != seats[winner]));
        let [a, b] = round.games;
        let score = if teams == seats { [a, b] } else { [b, a] };
        self.journal.append(&GameLine {
            id,
            teams: seats,
            winner,
            is_final,
            entries: table.into_entries(Some(score)),
        })?;
        let decided = self.contest.count(seats, winner, is_final);
        self.free.extend(seats);
        news(News::Game {
            id,
            teams: seats,
            winner: seats[winner],
        });
        if let Some(winner) = decided {
            news(News::Round {
                teams,
                winner,
                is_final,
            });
            self.through(teams, winner, news);
        }
        Ok(())
    }

    /// Begins the final with the teams that are connected, in the order of the standings.
    fn begin_final(&mut self, news: &mut impl FnMut(News)) {
        let ids = self.contest.standings().into_iter().map(|(team, _)| team);
        let seeds: Vec<u64> = ids.filter(|team| self.online.contains_key(team)).collect();
        self.contest.begin_final();
        self.next_stage(seeds, news);
    }

    /// Takes a match of the final as decided, if it is one.
    fn through(&mut self, teams: Pair, winner: u64, news: &mut impl FnMut(News)) {
        let Phase::Final {
            seeds,
            matches,
            through,
        } = &mut self.phase
        else {
            return;
        };
        matches.retain(|&other| other != teams);
        through.push(winner);
        if matches.is_empty() {
            let left = seeds
                .iter()
                .copied()
                .filter(|team| through.contains(team))
                .collect();
            self.next_stage(left, news);
        }
    }

    fn next_stage(&mut self, seeds: Vec<u64>, news: &mut impl FnMut(News)) {
        if let [] | [_] = seeds[..] {
            self.phase = Phase::Over;
            news(News::Standings {
                contest: &self.contest,
            });
            return seeds.iter().for_each(|&team| news(News::Champion { team }));
        }
        news(News::Final { seeds: &seeds });
        let (bye, matches) = bracket(&seeds);
        self.phase = Phase::Final {
            matches: matches.into_iter().map(|[a, b]| pair(a, b)).collect(),
            through: bye.into_iter().collect(),
            seeds,
        };
    }
}

#[cfg(test)]
mod tests;
