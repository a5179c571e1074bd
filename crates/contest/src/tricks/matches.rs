//! Plays a match of a trick-taking game: sittings on many threads, with results in a fixed order. The commands
//! `match`, `ladder` and `tournament` make a [`Match`] and get an [`Outcome`] for each sitting, or a whole game.

use super::participant::Participant;
use super::record::{FaultRecord, Record, ReplayError, dealt_hands};
use super::seat::Seat;
use super::table::WholeGame;
use crate::resume::{self, OTHER_DEAL, ResumeError, same_line_up, same_value};
use arena::fault::{Fault, FaultKind};
use arena::games_won::Points;
use arena::participant::Kind;
use arena::process::Stopped;
use arena::runner;
use arena::stats::{Mean, Times};
use engine::rng::stream;
use std::collections::HashMap;
use std::io;
use std::mem;
use std::ops::ControlFlow;
use std::path::Path;
use std::time::Duration;
use tricks::{Card, Cards, Ends, MAX_PLAYERS, Round, View, random_card};

/// Deals of a sitting by default: about as many as a game of Tricky Eights has, so that players can learn
/// about each other.
pub const SITTING: u64 = 16;

/// The plan of a match. With one participant a seat, the seatings are its [`rotations`].
#[derive(Debug)]
pub struct Match<'a, C: WholeGame> {
    pub contest: &'a C,
    pub participants: &'a [Participant<C::Policy>],
    /// By seating and seat: the index of the participant. Each deal is played once in every seating.
    pub seatings: Vec<Vec<usize>>,
    /// Deals, each for as many rounds as there are seatings.
    pub deals: u64,
    /// Deals that programs play without being restarted.
    pub sitting: u64,
    /// The seed of all random numbers.
    pub seed: u64,
    /// A program's time for a card.
    pub time: Duration,
    /// Sittings played at the same time.
    pub jobs: usize,
    /// Whether rounds are recorded.
    pub record: bool,
    /// Asked before every deal whether to stop there.
    pub stops: fn() -> bool,
}

/// All rotations: every participant once on every seat, in the same cyclic order. For 3 these are 012, 120
/// and 201.
pub fn rotations(participants: usize) -> Vec<Vec<usize>> {
    let rotated = |by: usize| (0..participants).map(move |seat| (seat + by) % participants);
    (0..participants).map(|by| rotated(by).collect()).collect()
}

/// Moons in the rounds of a participant's seats, see [`games::tricks::Contest::MOON`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Moons {
    pub rounds: u64,
    /// Those in which the seat shot the moon.
    pub shot: u64,
    /// Those in which another seat did.
    pub against: u64,
}

impl Moons {
    /// A round of a seat, with the seat that shot the moon in it.
    pub fn push(&mut self, seat: usize, shooter: Option<usize>) {
        self.rounds += 1;
        self.shot += u64::from(shooter == Some(seat));
        self.against += u64::from(shooter.is_some_and(|shooter| shooter != seat));
    }

    pub fn add(&mut self, more: &Moons) {
        self.rounds += more.rounds;
        self.shot += more.shot;
        self.against += more.against;
    }

    /// The share of `count` in the rounds.
    pub fn share(&self, count: u64) -> f64 {
        count as f64 / self.rounds.max(1) as f64
    }
}

/// The faults of a participant.
#[derive(Clone, Debug, Default)]
pub struct Faults {
    pub number: u64,
    pub first: Option<FaultRecord>,
}

impl Faults {
    fn add(&mut self, number: u64, first: Option<&FaultRecord>) {
        self.number += number;
        self.first = self.first.take().or_else(|| first.cloned());
    }
}

/// The results of a sitting: some deals, each in every seating. If the sitting was stopped, only deals count that
/// all seatings had played.
#[derive(Clone, Debug, Default)]
pub struct Outcome {
    /// By deal and participant: the mean points of its seats over the seatings.
    pub points: Vec<Vec<f64>>,
    /// By deal and seating: the round's points of each participant, of all its seats together.
    pub rounds: Vec<Vec<Points>>,
    pub moons: Vec<Moons>,
    /// By participant: how long each card took.
    pub times: Vec<Vec<Duration>>,
    pub faults: Vec<Faults>,
    /// The rounds that were played now, if they are recorded.
    pub records: Vec<Record>,
}

/// The part of a round that results are computed from.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Scored {
    /// By seat, those of the whole round.
    points: Vec<u8>,
    /// For each card that a seat chose itself, the seat and the time.
    times: Vec<(usize, Duration)>,
    faults: Vec<FaultRecord>,
}

impl Scored {
    /// The same part of a recorded round.
    pub(super) fn recorded<C: WholeGame>(
        contest: &C,
        record: &Record,
    ) -> Result<Scored, ReplayError> {
        let mut times = Vec::new();
        record.replay(contest, |number, round, _| {
            let ms = record.ms.get(number).copied().flatten();
            // Times come from a file, and may be anything.
            let time = ms.and_then(|ms| Duration::try_from_secs_f64(ms / 1e3).ok());
            times.extend(round.to_act().zip(time));
        })?;
        Ok(Scored {
            points: record.points.clone(),
            times,
            faults: record.faults.clone(),
        })
    }
}

/// The rounds of an earlier run, by their ids.
pub(super) type Before = HashMap<String, Scored>;

/// The results of the participants.
#[derive(Clone, Debug)]
pub struct Tally {
    /// Points a round, over deals.
    pub points: Vec<Mean>,
    /// By how many points a round each is better than the mean of the others, over deals.
    pub leads: Vec<Mean>,
    /// All rounds as [`Outcome::rounds`] has them.
    pub rounds: Vec<Vec<Points>>,
    pub moons: Vec<Moons>,
    /// Times of a card.
    pub times: Vec<Times>,
    pub faults: Vec<Faults>,
}

impl Tally {
    pub fn new(participants: usize) -> Tally {
        Tally {
            points: vec![Mean::default(); participants],
            leads: vec![Mean::default(); participants],
            rounds: Vec::new(),
            moons: vec![Moons::default(); participants],
            times: vec![Times::default(); participants],
            faults: vec![Faults::default(); participants],
        }
    }

    /// Adds the outcome of a sitting.
    pub fn push(&mut self, outcome: &Outcome, low_is_good: bool) {
        for deal in &outcome.points {
            let sum: f64 = deal.iter().sum();
            let means = self.points.iter_mut().zip(&mut self.leads);
            for ((mean, lead), &points) in means.zip(deal) {
                mean.push(points);
                let others = (sum - points) / (deal.len() - 1) as f64;
                lead.push(match low_is_good {
                    true => others - points,
                    false => points - others,
                });
            }
        }
        self.rounds.extend(outcome.rounds.iter().cloned());
        for (times, more) in self.times.iter_mut().zip(&outcome.times) {
            more.iter()
                .for_each(|time| times.push(time.as_nanos() as u64));
        }
        for (faults, more) in self.faults.iter_mut().zip(&outcome.faults) {
            faults.add(more.number, more.first.as_ref());
        }
        for (moons, more) in self.moons.iter_mut().zip(&outcome.moons) {
            moons.add(more);
        }
    }
}

impl<C: WholeGame> Match<'_, C> {
    /// Plays everything and passes the outcome of each sitting to `sink`, in order. The sink may break off;
    /// sittings under way are then finished, unless the match stops. `finished` is called after every deal.
    /// The results do not depend on the number of jobs, as long as no player has a time limit.
    ///
    /// The rounds `before` were played by an earlier run. They count, and are not played again; where some of a sitting are
    /// missing it is played anew, as players learn in it, and only the missing ones count.
    ///
    /// # Errors
    /// If the operating system fails to start a program or to speak with it.
    pub(super) fn go_on(
        &self,
        before: &Before,
        finished: impl Fn() + Sync,
        mut sink: impl FnMut(Outcome) -> ControlFlow<()> + Send,
    ) -> io::Result<()> {
        let sittings = 0..self.deals.div_ceil(self.sitting.max(1));
        let play = |&number: &u64| self.sit(number, before, &finished);
        runner::run_in_order(sittings, self.jobs, play, |_, outcome| sink(outcome))
    }

    /// Reads the rounds of an earlier run from its record. Rounds of later deals are ignored.
    ///
    /// # Errors
    /// If it cannot be read, or has a round of another match.
    pub(super) fn recorded(&self, path: &Path) -> Result<Before, ResumeError> {
        resume::recorded(
            C::NAME,
            path,
            |record: &Record| record.id.clone(),
            |record| {
                let (deal, seating) = place(&record.id)?;
                (deal < self.deals).then(|| self.earlier(deal, seating, record))
            },
        )
    }

    /// The part of an earlier run's round that counts, or what is wrong with it as the round of this deal and seating.
    fn earlier(&self, deal: u64, seating: usize, record: &Record) -> Result<Scored, String> {
        let all = self.seatings.len();
        let Some(seats) = self.seatings.get(seating) else {
            let number = seating + 1;
            return Err(format!(
                "its seating is number {number}: expected at most {all}"
            ));
        };
        let labels = seats.iter().map(|&one| &self.participants[one].label);
        same_line_up(record.players.iter(), labels)?;
        same_value("seed", record.seed, self.seed)?;
        // Both are compared before any cards were passed, since a record begins after that.
        let expected = self.start(seats.len(), deal);
        let found = record
            .start(self.contest)
            .map_err(|error| error.to_string())?;
        let dealt = |round: &C::Round| {
            let hands = dealt_hands(round);
            (hands, round.pool(), round.receiver(0))
        };
        let is_passed = found.receiver(0) != 0;
        if dealt(&found) != dealt(&expected) || !is_passed && found.to_act() != expected.to_act() {
            return Err(OTHER_DEAL.to_owned());
        }
        Scored::recorded(self.contest, record).map_err(|error| error.to_string())
    }

    /// A deal as it begins. It depends on the number alone: every seating gets the same cards.
    fn start(&self, players: usize, deal: u64) -> C::Round {
        let rng = &mut stream(self.seed, deal);
        self.contest.deal(players, deal, rng)
    }

    /// Plays the sitting with this number, from 0. Rounds among those `before` are not played again, unless others of
    /// the sitting are missing; then they are played as before, and do not count a second time.
    ///
    /// # Errors
    /// If the operating system fails to start a program or to speak with it.
    pub(super) fn sit(
        &self,
        number: u64,
        before: &Before,
        finished: &impl Fn(),
    ) -> io::Result<Outcome> {
        let first = number * self.sitting;
        let deals = first..(first + self.sitting).min(self.deals);
        let mut rounds = Vec::new();
        let mut records = Vec::new();
        let seatings = self.seatings.len();
        let earlier = |place: usize, deal: u64| before.get(&id(deal, place));
        let mut all = (0..seatings).flat_map(|place| deals.clone().map(move |deal| (place, deal)));
        let is_known =
            !before.is_empty() && all.all(|(place, deal)| earlier(place, deal).is_some());
        if is_known {
            deals.clone().for_each(|_| finished());
        }
        // Seatings outside, deals inside: programs keep their seat for a sitting, so they can learn about the
        // others.
        'sitting: for (place, seating) in self.seatings.iter().enumerate() {
            if is_known {
                break;
            }
            let mut table = self.seat(seating)?;
            // Faults in rounds that an earlier run has played without them: those that follow suffer from them.
            let mut open = Vec::new();
            for (deal_place, deal) in deals.clone().enumerate() {
                if (self.stops)() {
                    leave(table)?;
                    break 'sitting;
                }
                let start = self.start(seating.len(), deal);
                let mut played = self.round(deal, place, start, &mut table, &mut |_, _| ())?;
                open.iter_mut()
                    .for_each(|fault: &mut FaultRecord| fault.action = 1);
                open.append(&mut played.faults);
                if earlier(place, deal).is_none() {
                    played.faults = mem::take(&mut open);
                    if self.record {
                        records.push((deal_place, self.record(deal, place, &played)));
                    }
                    rounds.push((place, deal_place, played.scored(seating.len())));
                }
                // A deal is complete when the last seating has played it.
                if place + 1 == seatings {
                    finished();
                }
            }
            leave(table)?;
        }
        for place in 0..seatings {
            let known = deals.clone().map(|deal| earlier(place, deal).cloned());
            let known = known
                .enumerate()
                .filter_map(|(at, one)| Some((place, at, one?)));
            rounds.extend(known);
        }
        // Means are sums, which depend on their order in the last bit.
        rounds.sort_by_key(|&(place, deal_place, _)| (place, deal_place));
        // Rounds of incomplete deals, and of all after these, are dropped, or seats would not be balanced.
        let mut played = vec![0; (deals.end - deals.start) as usize];
        rounds.iter().for_each(|&(_, at, _)| played[at] += 1);
        let whole = played
            .iter()
            .take_while(|&&number| number == seatings)
            .count();
        rounds.retain(|&(_, deal_place, _)| deal_place < whole);
        records.retain(|&(deal_place, _)| deal_place < whole);
        Ok(Outcome {
            records: records.into_iter().map(|(_, record)| record).collect(),
            ..self.outcome(whole, &rounds)
        })
    }

    /// The outcome of a sitting of `deals` deals, without records. Each round comes with its seating and with its
    /// deal's number in the sitting.
    fn outcome(&self, deals: usize, rounds: &[(usize, usize, Scored)]) -> Outcome {
        let participants = self.participants.len();
        let mut outcome = Outcome {
            points: vec![vec![0.0; participants]; deals],
            rounds: vec![vec![vec![0; participants]; self.seatings.len()]; deals],
            moons: vec![Moons::default(); participants],
            times: vec![Vec::new(); participants],
            faults: vec![Faults::default(); participants],
            records: Vec::new(),
        };
        // The number of seats of each participant over all seatings: points are means over them.
        let mut seats = vec![0.0; participants];
        for &participant in self.seatings.iter().flatten() {
            seats[participant] += 1.0;
        }
        for (place, deal_place, scored) in rounds {
            let seating = &self.seatings[*place];
            let shooter = C::MOON.and_then(|moon| moon(&scored.points));
            for (seat, &score) in scored.points.iter().enumerate() {
                let participant = seating[seat];
                outcome.points[*deal_place][participant] += f64::from(score) / seats[participant];
                outcome.rounds[*deal_place][*place][participant] += u16::from(score);
                outcome.moons[participant].push(seat, shooter);
            }
            for &(seat, time) in &scored.times {
                outcome.times[seating[seat]].push(time);
            }
            for fault in &scored.faults {
                outcome.faults[seating[fault.player]].add(1, Some(fault));
            }
        }
        outcome
    }

    /// Starts everybody in a seating. A program that fails at once has its fault in place of a player.
    fn seat(&self, seating: &[usize]) -> io::Result<Vec<Place<C>>> {
        seating
            .iter()
            .map(|&participant| match &self.participants[participant].kind {
                Kind::Builtin(mind) => Ok(Ok(Seat::builtin(mind))),
                Kind::Program(line) => {
                    let started = self.contest.seat(line, line.time(self.time))?;
                    Ok(started.map(Seat::program).map_err(Some))
                }
            })
            .collect()
    }

    /// Plays the deal with this number, which begins with `start`, in the seating with this index. `acted` hears of
    /// every card and its seat.
    fn round(
        &self,
        number: u64,
        seating: usize,
        start: C::Round,
        table: &mut [Place<C>],
        acted: &mut dyn FnMut(usize, Card),
    ) -> io::Result<Played<C::Round>> {
        let players = table.len();
        let mut views: Vec<View<C::Round>> =
            (0..players).map(|seat| View::new(&start, seat)).collect();
        // Part 0 is for the random cards of empty seats; each seat of each seating has another part. The number is
        // moved to the upper half, as 1 ^ 2 and 2 ^ 1 would be one stream for two pairs of seed and number. The seed is
        // complemented, as the cards are dealt from the streams of the seed itself.
        let part = |part: usize| stream(!self.seed ^ number.rotate_left(32), part as u64);
        let mut fallback = part(0);
        let mut played = Played {
            start: start.clone(),
            cards: Vec::new(),
            faults: Vec::new(),
            scores: [0; MAX_PLAYERS],
        };
        for (seat, place) in table.iter_mut().enumerate() {
            match place {
                // `dealt_open` matters only to the yardstick that sees all hands.
                Ok(place) => {
                    place.deal(&views[seat], part(1 + seating * players + seat));
                    place.dealt_open(&start);
                }
                // It could not even be started.
                Err(fault) => {
                    if let Some((fault, errors)) = fault.take() {
                        played.fault(seat, fault, errors);
                    }
                }
            }
        }
        let mut round = start;
        // After a fault a seat is empty, and random legal cards are played for it, so that the others' round
        // goes on.
        while let Some(seat) = round.to_act() {
            let (card, time) = ask(seat, &mut table[seat], &views[seat], &round, &mut played)?
                .map_or_else(
                    || (random_card(round.legal(), &mut fallback), None),
                    |(card, time)| (card, Some(time)),
                );
            // Everybody hears of the card before the round changes: the protocols describe it in the state before.
            for place in table.iter_mut().flatten() {
                place.acted(&round, card);
            }
            let passes = round.passing();
            round.act(card);
            views.iter_mut().for_each(|view| view.follow(card, &round));
            match passes {
                // A record begins with the hands after all cards are passed.
                true => played.start = round.clone(),
                false => played.cards.push((seat, card, time)),
            }
            acted(seat, card);
        }
        for (place, view) in table.iter_mut().zip(&views) {
            if let Ok(place) = place {
                place.over(view);
            }
        }
        played.scores = round.scores();
        Ok(played)
    }

    /// The record of a deal that was played in the seating `place`.
    fn record(&self, number: u64, place: usize, played: &Played<C::Round>) -> Record {
        let seating = self.seatings[place].iter();
        let label = |&participant: &usize| self.participants[participant].label.clone();
        let mut record = Record::dealt::<C>(&played.start);
        record.id = id(number, place);
        record.seed = self.seed;
        record.players = seating.map(label).collect();
        record.cards = played
            .cards
            .iter()
            .map(|&(_, card, _)| card.code())
            .collect();
        let ms = |time: Option<Duration>| time.map(|time| time.as_micros() as f64 / 1e3);
        record.ms = played.cards.iter().map(|&(_, _, time)| ms(time)).collect();
        record.faults.clone_from(&played.faults);
        record.points = played.scores[..record.players.len()].to_vec();
        record
    }
}

impl<G: WholeGame> Match<'_, G> {
    /// Plays a whole game in the first seating; `deals` and `sitting` do not count. Games with the same seed have the
    /// same deals, and in each `rotation` the players have other random numbers. The game has this number of `rounds`, or
    /// else ends at the contest's goal, and built-in players play for that end. `acted` hears of every card and its seat.
    /// `over` gets each round, and returns the points that the next one is played with ([`totals_that_count`]); none
    /// after the last round.
    ///
    /// # Errors
    /// If the operating system fails to start a program or to speak with it; [`Stopped`] if it stops before its end.
    pub(crate) fn game(
        &self,
        rotation: usize,
        rounds: Option<u64>,
        acted: &mut dyn FnMut(usize, Card),
        mut over: impl FnMut(&Record) -> Option<Vec<u32>>,
    ) -> io::Result<Vec<Record>> {
        let mut table = self.seat(&self.seatings[0])?;
        let mut totals = vec![0; table.len()];
        let mut records = Vec::new();
        loop {
            if (self.stops)() {
                leave(table)?;
                return Err(Stopped.into());
            }
            let number = records.len() as u64;
            // A round's cards depend on the seed and its number.
            let rng = &mut stream(self.seed, number);
            let dealt = self.contest.deal(table.len(), number, rng);
            let left = |all: u64| {
                Ends::AfterRounds(all.saturating_sub(number).min(u16::MAX.into()) as u16)
            };
            let start = self
                .contest
                .in_game(dealt, rounds.map_or_else(G::ends, left), &totals);
            let played = self.round(number, rotation, start, &mut table, acted)?;
            let record = self.record(number, 0, &played);
            let next = over(&record);
            records.push(record);
            match next {
                Some(next) => totals = next,
                None => break,
            }
        }
        leave(table)?;
        Ok(records)
    }
}

/// The points by seat as they count for the end of a game. Seats that are out of it have the worst total of the others:
/// so they neither reach the goal nor lead alone.
pub(crate) fn totals_that_count<C: WholeGame>(
    totals: &[u32],
    is_out: impl Fn(usize) -> bool,
) -> Vec<u32> {
    let left = (0..totals.len()).filter(|&seat| !is_out(seat));
    let left = left.map(|seat| totals[seat]);
    let worst = match C::LOW_IS_GOOD {
        true => left.max(),
        false => left.min(),
    };
    let counted = |(seat, &total)| match is_out(seat) {
        true => worst.unwrap_or(0),
        false => total,
    };
    totals.iter().enumerate().map(counted).collect()
}

/// The id of a round: DEAL-SEATING, both from 1.
pub(super) fn id(deal: u64, seating: usize) -> String {
    format!("{}-{}", deal + 1, seating + 1)
}

/// The deal and the seating of an id, both from 0.
pub(super) fn place(text: &str) -> Option<(u64, usize)> {
    let (deal, seating) = text.split_once('-')?;
    let deal = deal.parse::<u64>().ok()?.checked_sub(1)?;
    let seating = seating.parse::<usize>().ok()?.checked_sub(1)?;
    // `parse` also reads `07` and `+7`. An id counts only as it is written here, or a round would have several.
    (id(deal, seating) == text).then_some((deal, seating))
}

/// The player of a seat. After a fault there is none; the fault of a program that did not take its seat stays here,
/// with the end of its standard error, until it is recorded in a round.
type Place<C> = Result<Seat<C>, Option<(Fault, String)>>;

/// Ends all programs at a table.
fn leave<C: WholeGame>(table: Vec<Place<C>>) -> io::Result<()> {
    for seat in table.into_iter().flatten() {
        seat.leave()?;
    }
    Ok(())
}

/// A round that was played.
struct Played<R> {
    /// The round before its first card was taken or played.
    start: R,
    /// Seats, cards and the times they took; no time for a random stand-in.
    cards: Vec<(usize, Card, Option<Duration>)>,
    faults: Vec<FaultRecord>,
    scores: [u8; MAX_PLAYERS],
}

impl<R> Played<R> {
    /// The part that results of `players` players are computed from.
    fn scored(&self, players: usize) -> Scored {
        let times = self.cards.iter();
        Scored {
            points: self.scores[..players].to_vec(),
            times: times
                .filter_map(|&(seat, _, time)| Some((seat, time?)))
                .collect(),
            faults: self.faults.clone(),
        }
    }

    fn fault(&mut self, seat: usize, fault: Fault, errors: String) {
        self.faults.push(FaultRecord {
            action: self.cards.len() + 1,
            player: seat,
            kind: fault.kind,
            detail: fault.detail,
            errors,
        });
    }
}

/// The card of a reply, which must be legal.
pub(super) fn checked(reply: Result<Card, Fault>, legal: Cards) -> Result<Card, Fault> {
    let card = reply?;
    match legal.contains(card) {
        true => Ok(card),
        false => {
            let detail = format!("{card}, but legal are: {legal}");
            Err(Fault::new(FaultKind::Illegal, detail))
        }
    }
}

/// Asks a seat for a legal card. None if the seat is empty, or becomes empty by a fault.
fn ask<C: WholeGame>(
    seat: usize,
    place: &mut Place<C>,
    view: &View<C::Round>,
    round: &C::Round,
    played: &mut Played<C::Round>,
) -> io::Result<Option<(Card, Duration)>> {
    let Ok(player) = place else {
        return Ok(None);
    };
    let answer = player.ask(view)?;
    let fault = match checked(answer.reply, round.legal()) {
        Ok(card) => return Ok(Some((card, answer.time))),
        Err(fault) => fault,
    };
    played.fault(seat, fault, player.errors());
    // The seat is empty from here on: random cards are played for it.
    *place = Err(None);
    Ok(None)
}
