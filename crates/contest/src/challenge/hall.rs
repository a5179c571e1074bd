//! The hall: who is there, which games are played, and what comes next.

mod phases;

use super::contest::{Contest, GameLine, Pair, pair};
use super::journal::Journal;
use super::link::{Input, Outgoing};
use super::overhead::Overhead;
use super::server::{News, Settings, reply};
use super::snapshot::{LiveGame, Phase, Snapshot, TeamState};
use super::table::{Sent, Table};
use arena::records::RecordError;
use challenge::rules::Deck;
use engine::rng::stream;
use std::collections::BTreeMap;
use std::time::{Duration, Instant};
use tokio::sync::mpsc::{UnboundedSender, WeakUnboundedSender};

/// What comes from the connections.
pub(super) enum Event {
    /// A team has connected; an older connection of its is over.
    Joined {
        team: u64,
        outbox: UnboundedSender<Outgoing>,
    },
    /// A client said something.
    Said {
        team: u64,
        link: WeakUnboundedSender<Outgoing>,
        said: Input,
        at: Instant,
    },
    /// A connection is over.
    Left {
        team: u64,
        link: WeakUnboundedSender<Outgoing>,
    },
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
    /// How long the contest had gone on before this server was started.
    before: Duration,
    /// Whether teams are given time to come back to a server that was started again.
    gathering: bool,
    /// Connected teams.
    online: BTreeMap<u64, UnboundedSender<Outgoing>>,
    /// Teams that are in no game, the longest waiting first.
    free: Vec<u64>,
    tables: BTreeMap<u64, Live>,
    /// What is left of the decks of two teams, where decks are kept.
    decks: BTreeMap<Pair, Deck>,
    next_id: u64,
    next_report: Duration,
    /// When the move arrived that is being dealt with.
    cause: Option<Instant>,
    overhead: Overhead,
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
            phase: Phase::Open,
            before: journal.elapsed(),
            gathering: !settings.regroup.is_zero(),
            settings,
            contest,
            journal,
            online: BTreeMap::new(),
            free,
            tables: BTreeMap::new(),
            decks: BTreeMap::new(),
            cause: None,
            overhead: Overhead::default(),
        }
    }

    /// Whether the final is over.
    pub(super) fn is_over(&self) -> bool {
        self.phase == Phase::Over
    }

    /// The measurement that connections add to.
    pub(super) fn overhead(&self) -> Overhead {
        self.overhead.clone()
    }

    /// When something is to be done though nobody says anything.
    pub(super) fn wake(&self) -> Duration {
        let clocks = self
            .tables
            .values()
            .filter_map(|live| live.table.deadline());
        let regroup = self.gathering.then_some(self.settings.regroup);
        clocks
            .chain(self.phase_ends())
            .chain(regroup)
            .fold(self.next_report, Duration::min)
    }

    pub(super) fn tick(
        &mut self,
        now: Duration,
        news: &mut impl FnMut(News),
    ) -> Result<(), RecordError> {
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
            self.at_table(id, now, news, |table| table.tick(now))?;
        }
        self.gathering &= now < self.settings.regroup;
        self.change_phase(now, news);
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
    ) -> Result<(), RecordError> {
        match event {
            Event::Joined { team, outbox } => {
                if let Some((id, seat)) = self.place_of(team)
                    && let Some(request) = self.tables[&id].table.again(seat, now)
                {
                    let _ = outbox.send(request.into());
                }
                self.online.insert(team, outbox);
                news(News::Joined { team });
            }
            Event::Left { team, link } => {
                if self.is_current(team, &link) {
                    self.online.remove(&team);
                    news(News::Left { team });
                    if let Some((id, _)) = self.place_of(team) {
                        self.at_table(id, now, news, |_| Vec::new())?;
                    }
                }
            }
            Event::Said {
                team,
                link,
                said,
                at,
            } => {
                if !self.is_current(team, &link) {
                    return Ok(());
                }
                if let Some((id, seat)) = self.place_of(team) {
                    self.cause = Some(at);
                    self.at_table(id, now, news, |table| reply(table, seat, said, now))?;
                }
            }
        }
        Ok(())
    }

    /// Whether a connection is the team's newest.
    fn is_current(&self, team: u64, link: &WeakUnboundedSender<Outgoing>) -> bool {
        let current = self.online.get(&team);
        current.is_some_and(|outbox| link.upgrade().is_some_and(|link| link.same_channel(outbox)))
    }

    /// The game a team is in, and its seat.
    fn place_of(&self, team: u64) -> Option<(u64, usize)> {
        self.tables.iter().find_map(|(&id, live)| {
            let seat = live.table.teams().iter().position(|&other| other == team)?;
            Some((id, seat))
        })
    }

    /// Begins the games that can begin.
    pub(super) fn match_up(
        &mut self,
        now: Duration,
        news: &mut impl FnMut(News),
    ) -> Result<(), RecordError> {
        self.advance_final(now, news)?;
        while let Some(teams) = self.next_pair() {
            self.begin(teams, now, news)?;
        }
        self.cause = None;
        Ok(())
    }

    fn next_pair(&self) -> Option<Pair> {
        let is_online = |team: &u64| self.online.contains_key(team);
        match self.phase {
            Phase::LastHour if !self.gathering => {
                // A game of two that are not there would say nothing.
                let first = self.free.iter().copied().find(is_online)?;
                let others = self.free.iter().copied().filter(|&team| team != first);
                let waiting: Vec<u64> = std::iter::once(first).chain(others).collect();
                self.contest.next_pair(&waiting)
            }
            Phase::Open | Phase::LastHour => {
                let waiting: Vec<u64> = self.free.iter().copied().filter(is_online).collect();
                self.contest.next_pair(&waiting)
            }
            Phase::Final => {
                let can_play =
                    |team: &u64| self.free.contains(team) && (!self.gathering || is_online(team));
                let mut open = self.contest.knockout()?.open().iter().copied();
                open.find(|teams| teams.iter().all(can_play))
            }
            Phase::Closing | Phase::Over => None,
        }
    }

    fn begin(
        &mut self,
        teams: Pair,
        now: Duration,
        news: &mut impl FnMut(News),
    ) -> Result<(), RecordError> {
        let id = self.next_id;
        self.next_id += 1;
        self.free.retain(|team| !teams.contains(team));
        let seats = self.contest.seats(teams);
        let random = stream(self.settings.seed, id);
        let table = Table::new(self.settings.conduct, id, seats, random);
        let live = Live {
            table: table.with_deck(self.decks.remove(&teams)),
            is_final: self.phase == Phase::Final,
        };
        self.tables.insert(id, live);
        self.at_table(id, now, news, |table| table.start(now))
    }

    /// Does something at a table, and what follows.
    fn at_table(
        &mut self,
        id: u64,
        now: Duration,
        news: &mut impl FnMut(News),
        act: impl FnOnce(&mut Table) -> Vec<Sent>,
    ) -> Result<(), RecordError> {
        let Some(live) = self.tables.get_mut(&id) else {
            return Ok(());
        };
        let teams = live.table.teams();
        let mut sent = act(&mut live.table);
        let is_absent = |seat: &usize| !self.online.contains_key(&teams[*seat]);
        while self.settings.absent_at_once && live.table.asked().as_ref().is_some_and(is_absent) {
            sent.extend(live.table.absent(now));
        }
        for (seat, message) in sent {
            if let Some(outbox) = self.online.get(&teams[seat]) {
                let cause = self.cause;
                let _ = outbox.send(Outgoing { message, cause });
            }
        }
        if live.table.winner().is_some() {
            self.finish(id, now, news)?;
        }
        Ok(())
    }

    fn finish(
        &mut self,
        id: u64,
        now: Duration,
        news: &mut impl FnMut(News),
    ) -> Result<(), RecordError> {
        let Some(Live { table, is_final }) = self.tables.remove(&id) else {
            return Ok(());
        };
        let (seats, Some(winner)) = (table.teams(), table.winner()) else {
            return Ok(());
        };
        let teams = pair(seats[0], seats[1]);
        if let Some(deck) = table.deck().filter(|_| self.settings.keep_decks) {
            self.decks.insert(teams, deck.clone());
        }
        let mut round = self.contest.round(teams);
        round.win(usize::from(teams[0] != seats[winner]));
        self.journal.append(&GameLine {
            id,
            at: self.at(now),
            teams: seats,
            winner,
            is_final,
            entries: table.into_entries(Some(by_seat(seats, round.games))),
            ..GameLine::default()
        })?;
        let decided = self.contest.count(seats, winner, is_final);
        self.free.extend(seats);
        news(News::Game {
            id,
            teams: seats,
            winner: seats[winner],
        });
        if let Some(winner) = decided {
            self.decks.remove(&teams);
            news(News::Round {
                teams,
                winner,
                is_final,
            });
        }
        Ok(())
    }

    /// What can be told of the contest.
    pub(super) fn snapshot(&self, now: Duration) -> Snapshot {
        let standings = self.contest.standings();
        let team = |(id, standing): &(u64, _)| {
            let online = self.online.contains_key(id) && !self.is_over();
            TeamState::new(*id, online, standing)
        };
        let ends = self.phase_ends();
        let knockout = self.contest.knockout();
        Snapshot {
            phase: self.phase,
            ends_in: ends.map(|end| end.saturating_sub(now).as_secs_f64()),
            games: self.contest.games(),
            teams: standings.iter().map(team).collect(),
            live: self
                .tables
                .iter()
                .map(|(&id, live)| self.live(id, live))
                .collect(),
            seeds: knockout.map_or_else(Vec::new, |stage| stage.seeds().to_vec()),
            matches: knockout.map_or_else(Vec::new, |stage| stage.open().to_vec()),
            champion: knockout.and_then(|stage| stage.champion()),
            overhead: self.overhead.delays(),
        }
    }

    fn live(&self, id: u64, live: &Live) -> LiveGame {
        let (game, teams) = (live.table.game(), live.table.teams());
        let round = self.contest.round(pair(teams[0], teams[1]));
        LiveGame {
            id,
            teams,
            round: by_seat(teams, round.games),
            points: game.points(),
            tricks: game.hand().map_or([0, 0], |hand| hand.public().tricks),
            hand: game.hand_id(),
            in_challenge: game.hand().is_some_and(|hand| hand.public().in_challenge()),
            is_final: live.is_final,
        }
    }
}

/// Games of a round, which are in the order of the pair, in the order of the seats.
fn by_seat(seats: [u64; 2], [a, b]: [u32; 2]) -> [u32; 2] {
    if seats[0] < seats[1] { [a, b] } else { [b, a] }
}

#[cfg(test)]
mod tests;
