//! The lobby: which teams are connected, which games are played, and what comes next.
//!
//! `server` passes the connections' events and the time to it. The lobby begins and ends games, writes them to the
//! journal, and sends messages through the outbox of each team's connection.

mod phases;

use super::answers::Requests;
use super::clocked_game::{ClockedGame, Sent};
use super::contest::Contest;
use super::events::ContestEvent;
use super::journal::{BegunLine, Journal};
use super::link::{Input, Outgoing};
use super::matchmaking::Matchmaking;
use super::overhead::Overhead;
use super::record::GameLine;
use super::reply::{outside, reply};
use super::settings::ContestSettings;
use super::snapshot::{LiveGame, Meetings, Phase, Snapshot, StageState, TeamState};
use super::teams::{Pair, pair};
use arena::records::RecordError;
use challenge::protocol::ServerMessage;
use challenge::rules::Deck;
use engine::rng::stream;
use std::collections::BTreeMap;
use std::time::Duration;
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, WeakUnboundedSender};
use tokio::sync::oneshot;
use tokio::time::Instant;

/// Messages from the teams' connections.
pub(super) enum ConnectionEvent {
    /// A team has connected; its older connection, if any, is over.
    Joined {
        team: u64,
        outbox: UnboundedSender<Outgoing>,
    },
    /// A client sent something.
    Received {
        team: u64,
        link: WeakUnboundedSender<Outgoing>,
        input: Input,
        /// When it was read. The sender's clock stops then, however long the message waits for the lobby.
        at: Instant,
        /// The connection reads no further until this is dropped.
        dealt_with: oneshot::Sender<()>,
    },
    /// A connection is over.
    Left {
        team: u64,
        link: WeakUnboundedSender<Outgoing>,
    },
}

/// A client that sends nothing in this many games is disconnected. Its program hangs, and would lose every game.
const SILENT: u32 = 3;

/// A game under way.
struct LiveMatch {
    game: ClockedGame,
    is_final: bool,
}

/// A contest that is going on.
pub(super) struct Lobby {
    settings: ContestSettings,
    contest: Contest,
    journal: Journal,
    /// The moment from which times are counted.
    begin: Instant,
    phase: Phase,
    /// How long the contest had gone on before this server was started.
    before: Duration,
    /// Whether a restarted server, or the final, still waits for teams to reconnect, and counts nobody as absent.
    regrouping: bool,
    /// Whether the final has to wait because too few teams were connected.
    gathers: bool,
    online: BTreeMap<u64, UnboundedSender<Outgoing>>,
    /// The free teams, and how often each pair has met.
    matchmaking: Matchmaking,
    teams: Vec<u64>,
    /// When games were last begun.
    matched: Duration,
    games: BTreeMap<u64, LiveMatch>,
    /// The rest of the decks of two teams, where decks are kept.
    decks: BTreeMap<Pair, Deck>,
    /// Games that have ended since a team's client connected or last sent anything.
    silent: BTreeMap<u64, u32>,
    /// Requests of the teams' last games: answers to them may still come.
    requests: BTreeMap<u64, Requests>,
    /// The earliest times for the next games of the final's matches.
    pauses: BTreeMap<Pair, Duration>,
    next_id: u64,
    next_report: Duration,
    /// When the move arrived that is being handled; it goes into every message that follows from the
    /// move.
    cause: Option<Instant>,
    overhead: Overhead,
}

impl Lobby {
    pub(super) fn new(
        settings: ContestSettings,
        teams: impl Iterator<Item = u64>,
        contest: Contest,
        journal: Journal,
        begin: Instant,
    ) -> Lobby {
        let teams: Vec<u64> = teams.collect();
        let matchmaking = Matchmaking::new(&teams, |teams| contest.met(teams));
        Lobby {
            // Skips as many numbers as there are teams, more than games can be under way. So the number of a game
            // that a stopped server did not finish is not used again.
            next_id: journal.last_id() + teams.len() as u64 + 1,
            next_report: settings.report,
            phase: Phase::Open,
            before: journal.elapsed(),
            regrouping: !settings.regroup.is_zero(),
            gathers: false,
            settings,
            contest,
            journal,
            begin,
            matchmaking,
            teams,
            matched: Duration::ZERO,
            online: BTreeMap::new(),
            games: BTreeMap::new(),
            decks: BTreeMap::new(),
            silent: BTreeMap::new(),
            requests: BTreeMap::new(),
            pauses: BTreeMap::new(),
            cause: None,
            overhead: Overhead::default(),
        }
    }

    /// Whether the final is over.
    pub(super) fn is_over(&self) -> bool {
        self.phase == Phase::Over
    }

    /// Waits until all results are on the disk.
    pub(super) fn wait_for_disk(&self) -> Result<(), RecordError> {
        self.journal.wait_for_disk()
    }

    /// The measurement that connections add to.
    pub(super) fn overhead(&self) -> Overhead {
        self.overhead.clone()
    }

    /// The next time at which something must be done even if no message arrives.
    pub(super) fn wake(&self) -> Duration {
        let clocks = self.games.values().filter_map(|live| live.game.deadline());
        let regroup = self.regrouping.then_some(self.settings.regroup);
        let playing = matches!(self.phase, Phase::Open | Phase::LastHour);
        let paused = self.pauses.values().copied();
        // A pause that ended before the last matching was considered then; waking for it again would spin.
        let paused = paused.filter(|&end| end > self.matched);
        // Patience matters only where opponents are chosen: the final's bracket fixes them.
        let impatient = self.matchmaking.wake(self.matched).filter(|_| playing);
        clocks
            .chain(impatient)
            .chain(self.phase_ends())
            .chain(regroup)
            .chain(paused)
            .fold(self.next_report, Duration::min)
    }

    /// Handles the events that wait in the inbox, then does all that is due: penalties for empty clocks, the change of
    /// the phase, the report of the standings. An answer that was read in time may have waited for a slow disk, and
    /// must count before its player's clock is looked at.
    pub(super) fn tick(
        &mut self,
        inbox: &mut UnboundedReceiver<ConnectionEvent>,
        clock: impl Fn() -> Duration,
        on_event: &mut impl FnMut(ContestEvent),
    ) -> Result<(), RecordError> {
        // No more than wait now: clients that answer at once could fill the inbox for ever.
        for _ in 0..inbox.len() {
            if let Ok(event) = inbox.try_recv() {
                self.handle(event, clock(), on_event)?;
            }
        }
        // Requests that follow from an empty clock do not follow from these messages.
        self.cause = None;
        let now = clock();
        // The numbers are collected first: penalizing a player may end its game and change the map.
        let due = |live: &LiveMatch| live.game.deadline().is_some_and(|deadline| deadline <= now);
        let late: Vec<u64> = self
            .games
            .iter()
            .filter(|(_, live)| due(live))
            .map(|(&id, _)| id)
            .collect();
        for id in late {
            // The end of a game is written to the disk, so the time goes on between two games.
            let now = clock();
            self.with_game(id, now, on_event, |game| game.tick(now))?;
        }
        let regrouped = self.regrouping && now >= self.settings.regroup;
        self.regrouping &= !regrouped;
        if regrouped {
            // The journal does not have the counts to which late teams were raised.
            let online: Vec<u64> = self.online.keys().copied().collect();
            for &team in &online {
                self.matchmaking.join(team, &online, now);
            }
        }
        self.change_phase(now, on_event);
        if regrouped && self.phase == Phase::LastHour {
            // A team that has not reconnected by now counts as absent.
            self.level_absent(now);
        }
        if self.next_report <= now {
            self.next_report = now + self.settings.report;
            let at = self.at(now);
            self.journal.note_time(at, self.settings.report)?;
            on_event(ContestEvent::Standings {
                contest: &self.contest,
            });
        }
        Ok(())
    }

    /// Applies an event of a team's connection.
    ///
    /// # Errors
    /// If the journal cannot be written.
    pub(super) fn handle(
        &mut self,
        event: ConnectionEvent,
        now: Duration,
        on_event: &mut impl FnMut(ContestEvent),
    ) -> Result<(), RecordError> {
        // Effects of this event have nothing to do with the message before it.
        self.cause = None;
        match event {
            ConnectionEvent::Joined { team, outbox } => {
                // A team that reconnects in the middle of a game gets the open request again, with the time that is
                // left.
                if let Some((id, seat)) = self.place_of(team)
                    && let Some(live) = self.games.get_mut(&id)
                    && let Some(request) = live.game.again(seat, now)
                {
                    let _ = outbox.send(request.into());
                }
                // Taken before the team itself is online: `join` compares with the others.
                let others: Vec<u64> = self.online.keys().copied().collect();
                // A mere change of connections is no new arrival for matchmaking.
                if self.online.insert(team, outbox).is_none() {
                    self.matchmaking.join(team, &others, now);
                }
                self.silent.remove(&team);
                on_event(ContestEvent::Joined { team });
            }
            ConnectionEvent::Left { team, link } => {
                // The end of an older connection, already replaced, changes nothing.
                if self.is_current(team, &link) {
                    self.online.remove(&team);
                    on_event(ContestEvent::Left { team });
                    if let Some((id, _)) = self.place_of(team) {
                        // The closure does nothing: `with_game` charges the penalty of an absent player if the
                        // settings say so.
                        self.with_game(id, now, on_event, |_| Vec::new())?;
                    }
                }
            }
            ConnectionEvent::Received {
                team,
                link,
                input,
                at,
                dealt_with: _dealt_with,
            } => {
                // A late message from a replaced connection must not play for the team.
                if !self.is_current(team, &link) {
                    return Ok(());
                }
                self.silent.remove(&team);
                if let Some((id, seat)) = self.place_of(team) {
                    self.cause = Some(at);
                    let at = at.saturating_duration_since(self.begin);
                    self.with_game(id, now, on_event, |game| reply(game, seat, input, at))?;
                } else if let (Some(link), Some(error)) = (link.upgrade(), outside(input)) {
                    let _ = link.send(error.into());
                }
            }
        }
        Ok(())
    }

    /// Whether a connection is the team's newest. A weak handle that cannot be upgraded belongs to one
    /// that was replaced.
    fn is_current(&self, team: u64, link: &WeakUnboundedSender<Outgoing>) -> bool {
        let current = self.online.get(&team);
        current.is_some_and(|outbox| link.upgrade().is_some_and(|link| link.same_channel(outbox)))
    }

    /// The game a team is in, and its seat.
    fn place_of(&self, team: u64) -> Option<(u64, usize)> {
        self.games.iter().find_map(|(&id, live)| {
            let seat = live.game.teams().iter().position(|&other| other == team)?;
            Some((id, seat))
        })
    }

    /// Begins the games that can begin.
    pub(super) fn match_up(
        &mut self,
        clock: impl Fn() -> Duration,
        on_event: &mut impl FnMut(ContestEvent),
    ) -> Result<(), RecordError> {
        let now = clock();
        self.advance_final(now, on_event)?;
        // Remembered for `wake`: everything due by now has been considered.
        self.matched = now;
        while let Some(teams) = self.next_pair(now) {
            self.begin(teams, &clock, on_event)?;
        }
        // Later messages do not follow from the move that was just handled.
        self.cause = None;
        Ok(())
    }

    /// The next two teams to play, by the rules of the phase; none if no game can begin now.
    fn next_pair(&self, now: Duration) -> Option<Pair> {
        let is_online = |team: u64| self.online.contains_key(&team);
        let next = |eligible: &[u64]| {
            let key = |teams| self.contest.preference(teams);
            self.matchmaking.next(now, eligible, is_online, key)
        };
        match self.phase {
            // In the last hour absent teams are paired too, once a restarted server has given them time to
            // reconnect. Two absent teams never meet, as that game would decide nothing; against a connected team
            // an absent one loses.
            Phase::LastHour if !self.regrouping => next(&self.teams),
            Phase::Open | Phase::LastHour => {
                let online: Vec<u64> = self.online.keys().copied().collect();
                next(&online)
            }
            Phase::Final => {
                let goes_on = |teams: &Pair| self.pauses.get(teams).is_none_or(|&end| end <= now);
                // In the final an absent team plays, and loses, except while a restarted server waits for it.
                let can_play = |team: &u64| {
                    self.matchmaking.is_free(*team) && (!self.regrouping || is_online(*team))
                };
                let mut open = self.contest.bracket()?.open();
                open.find(|teams| goes_on(teams) && teams.iter().all(can_play))
            }
            Phase::Closing | Phase::Over => None,
        }
    }

    /// Begins a game: writes its beginning to the journal, deals, and asks the first player.
    fn begin(
        &mut self,
        teams: Pair,
        clock: impl Fn() -> Duration,
        on_event: &mut impl FnMut(ContestEvent),
    ) -> Result<(), RecordError> {
        let id = self.next_id;
        self.next_id += 1;
        self.matchmaking.begin(teams);
        let seats = self.contest.seats(teams);
        // From here on a restarted server knows of the game. If the game does not end, it becomes void, and the
        // greeting of its teams says so.
        self.journal.begin(&BegunLine {
            begun: id,
            at: self.at(clock()),
            teams: seats,
        })?;
        // A fresh deck depends on the seed of the contest and the number of the game alone.
        let rng = stream(self.settings.seed, id);
        let mut game = ClockedGame::new(self.settings.conduct, id, seats, rng);
        for (seat, team) in seats.iter().enumerate() {
            let requests = self.requests.remove(team).unwrap_or_default();
            game = game.after(seat, requests);
        }
        let live = LiveMatch {
            // A kept deck is used in the next game of the same two; without one the game shuffles its own.
            game: game.with_deck(self.decks.remove(&teams)),
            is_final: self.phase == Phase::Final,
        };
        self.games.insert(id, live);
        // The first player's clock does not pay for the line above.
        let now = clock();
        self.with_game(id, now, on_event, |game| game.start(now))
    }

    /// Applies an action to a game, then its consequences: penalties of absent players, the end of the
    /// game, and the messages to both.
    fn with_game(
        &mut self,
        id: u64,
        now: Duration,
        on_event: &mut impl FnMut(ContestEvent),
        act: impl FnOnce(&mut ClockedGame) -> Vec<Sent>,
    ) -> Result<(), RecordError> {
        let Some(live) = self.games.get_mut(&id) else {
            return Ok(());
        };
        let teams = live.game.teams();
        let mut sent = act(&mut live.game);
        let is_absent = |seat: &usize| !self.online.contains_key(&teams[*seat]);
        // A loop: after a penalty the same or the other player is asked, and may be absent too. It ends with
        // the game at the latest.
        while self.settings.absent_at_once && live.game.asked().as_ref().is_some_and(is_absent) {
            sent.extend(live.game.absent(now));
        }
        let is_request = |sent: &Sent| matches!(sent.1, ServerMessage::Request(_));
        if sent.iter().any(is_request) {
            live.game.run_from(now);
        }
        // The result is in the file before any client hears of it: otherwise a crash in between would make
        // the game void for clients that know its end.
        if live.game.winner().is_some() {
            self.finish(id, now, on_event)?;
        }
        for (seat, message) in sent {
            // Messages to an absent team are dropped; it gets the open request when it returns.
            if let Some(outbox) = self.online.get(&teams[seat]) {
                let cause = self.cause;
                let _ = outbox.send(Outgoing { message, cause });
            }
        }
        Ok(())
    }

    /// Ends a game that has a winner: writes it to the journal, counts it, and frees its teams.
    fn finish(
        &mut self,
        id: u64,
        now: Duration,
        on_event: &mut impl FnMut(ContestEvent),
    ) -> Result<(), RecordError> {
        let Some(LiveMatch { game, is_final }) = self.games.remove(&id) else {
            return Ok(());
        };
        let (seats, Some(winner)) = (game.teams(), game.winner()) else {
            return Ok(());
        };
        let teams = pair(seats[0], seats[1]);
        // Answers to this game's last requests may arrive during the team's next game.
        for team in seats {
            self.requests.insert(team, game.requests());
        }
        if let Some(deck) = game.deck().filter(|_| self.settings.keep_decks) {
            self.decks.insert(teams, deck.clone());
        }
        // The round's score with this game. Computed before `count`, which removes a round that this game
        // decides.
        let mut round = self.contest.round(teams);
        round.win(usize::from(teams[0] != seats[winner]));
        self.journal.append(&GameLine {
            id,
            at: self.at(now),
            teams: seats,
            winner,
            is_final,
            entries: game.into_entries(Some(by_seat(seats, round.games))),
            ..GameLine::default()
        })?;
        // Counted only after the journal has it: the state never runs ahead of the file.
        let decided = self.contest.count(seats, winner, is_final);
        self.journal.settle(&self.contest);
        self.matchmaking.finish(teams, now);
        if is_final {
            self.pauses.insert(teams, now + self.settings.final_pause);
        }
        on_event(ContestEvent::Game {
            id,
            teams: seats,
            winner: seats[winner],
            is_final,
            round: by_seat(seats, round.games),
        });
        if let Some(winner) = decided {
            // The next round begins with a new deck.
            self.decks.remove(&teams);
            on_event(ContestEvent::Round {
                teams,
                winner,
                is_final,
                games: round.games,
            });
        }
        for team in seats {
            let games = self.silent.entry(team).or_default();
            *games += 1;
            // In the first of these games it may have sent something.
            if *games > SILENT && self.online.remove(&team).is_some() {
                on_event(ContestEvent::Left { team });
            }
        }
        Ok(())
    }

    /// The public state of the contest, without any card.
    pub(super) fn snapshot(&self, now: Duration) -> Snapshot {
        let standings = self.contest.standings();
        let team = |(id, standing): &(u64, _)| {
            let online = self.online.contains_key(id) && !self.is_over();
            TeamState::new(*id, online, standing)
        };
        let ends = self.phase_ends();
        let bracket = self.contest.bracket();
        Snapshot {
            phase: self.phase,
            ends_in: ends.map(|end| end.saturating_sub(now).as_secs_f64()),
            games: self.contest.games(),
            teams: standings.iter().map(team).collect(),
            live: self
                .games
                .iter()
                .map(|(&id, live)| self.live(id, live))
                .collect(),
            void: self.journal.void().to_vec(),
            stages: self.contest.stages().iter().map(StageState::from).collect(),
            champion: bracket.and_then(|stage| stage.champion()),
            placing: self.contest.placing(),
            overhead: self.overhead.delays(),
            head_to_head: self.contest.head_to_head().map(Meetings::from).collect(),
        }
    }

    /// A game under way as onlookers see it.
    fn live(&self, id: u64, live: &LiveMatch) -> LiveGame {
        let (game, teams) = (live.game.game(), live.game.teams());
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

/// Brings the games of a round from the order of the pair into the order of the seats.
fn by_seat(seats: [u64; 2], [a, b]: [u32; 2]) -> [u32; 2] {
    if seats[0] < seats[1] { [a, b] } else { [b, a] }
}

#[cfg(test)]
mod tests;
