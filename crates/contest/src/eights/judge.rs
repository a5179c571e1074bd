//! The judge of a game: deals, asks, checks, scores. It has no clock and no streams: [`Judge::receive`] takes a
//! line in, and [`Judge::events`] gives the lines to be sent. `contest eights serve` adds the streams and the
//! clock.

use eights::deal;
use eights::protocol::{Message, parse_card, print, print_card, print_seat};
use eights::round_messages::RoundMessages;
use eights::rules::{GAME, Round, SEATS};
use engine::rng::{Random, stream};
use std::mem;
use tricks::{Round as _, View, random_card};

/// The names of the seats in messages, by their numbers.
pub const SEAT_NAMES: [&str; SEATS] = ["north", "east", "south", "west"];

/// The events of a game, in order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Event {
    /// A line was sent to a seat.
    Sent { seat: usize, line: String },
    /// A line was received from a seat.
    Received { seat: usize, line: String },
    /// A comment for readers of the log.
    Note(String),
}

/// The standing of a seat.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Standing {
    /// Its points so far.
    pub points: u32,
    /// The reason of its disqualification, if any. Random legal cards are played for it, and it has lost.
    pub disqualified: Option<String>,
}

/// A game under way.
#[derive(Clone, Debug)]
pub struct Judge {
    /// Random numbers for the deals alone.
    deals: Random,
    /// Random numbers for the cards that are played for disqualified seats.
    fallback: Random,
    /// The round's number, from 0.
    number: u64,
    round: Round,
    messages: RoundMessages,
    standings: [Standing; SEATS],
    over: bool,
    events: Vec<Event>,
}

impl Judge {
    /// A game that has begun: the first round is dealt and north is asked for a card. The deals
    /// and all random cards follow from the seed.
    pub fn new(seed: u64) -> Judge {
        let mut deals = stream(seed, 0);
        let round = deal::deal(0, &mut deals);
        let mut judge = Judge {
            deals,
            // Random stand-ins have their own stream, so that faults do not change later deals.
            fallback: stream(seed, 1),
            number: 0,
            round,
            messages: RoundMessages::default(),
            standings: Default::default(),
            over: false,
            events: vec![Event::Note(format!("game {seed}"))],
        };
        judge.deal();
        judge.go_on();
        judge
    }

    /// Takes the events since the last call.
    pub fn events(&mut self) -> Vec<Event> {
        mem::take(&mut self.events)
    }

    /// The seat whose card is waited for; none when the game is over.
    pub fn asked(&self) -> Option<usize> {
        self.round.to_act().filter(|_| !self.over)
    }

    /// The standings of the seats.
    pub fn standings(&self) -> &[Standing; SEATS] {
        &self.standings
    }

    /// Rounds played to their end.
    pub fn rounds(&self) -> u64 {
        self.number
    }

    /// The winner, when the game is over; none also if everybody is disqualified.
    pub fn winner(&self) -> Option<usize> {
        leader(&self.standings).filter(|_| self.over)
    }

    /// Receives a line of a seat. An illegal card, anything that is no card, and a line without a request
    /// disqualify the seat. Blank lines, and lines of a disqualified seat, are ignored.
    pub fn receive(&mut self, seat: usize, line: &str) {
        if self.over || self.standings[seat].disqualified.is_some() || line.trim().is_empty() {
            return;
        }
        let line = excerpt(line.trim());
        self.events.push(Event::Received {
            seat,
            line: line.clone(),
        });
        if self.asked() != Some(seat) {
            self.disqualify(seat, &format!("said {line:?} without being asked"));
            return;
        }
        let reason = match parse_card(&line) {
            Ok(card) if self.round.legal().contains(card) => {
                self.act(card);
                self.go_on();
                return;
            }
            // The reasons from specific to general, so that the message names the actual mistake.
            Ok(_) if self.round.taking() => format!("took {line}, which is not in the pool"),
            Ok(card) if self.round.hand(seat).contains(card) => {
                format!("played {line} and has a card of the suit led")
            }
            Ok(_) => format!("played {line}, which it does not hold"),
            Err(error) => error.to_string(),
        };
        self.disqualify(seat, &reason);
    }

    /// Takes a seat out of the game, for the reason given.
    pub fn disqualify(&mut self, seat: usize, reason: &str) {
        if self.over || self.standings[seat].disqualified.is_some() {
            return;
        }
        let note = format!("{} is disqualified: {reason}", SEAT_NAMES[seat]);
        self.events.push(Event::Note(note));
        self.standings[seat].disqualified = Some(reason.to_owned());
        // If it is this seat's turn, a random card is played for it at once.
        if self.asked() == Some(seat) {
            self.go_on();
        } else if self.standings.iter().all(|s| s.disqualified.is_some()) {
            self.over = true;
        }
    }

    /// Plays for disqualified seats, and deals, until a seat is asked or the game is over.
    fn go_on(&mut self) {
        if self.standings.iter().all(|s| s.disqualified.is_some()) {
            self.over = true;
            return;
        }
        while !self.over {
            let Some(seat) = self.round.to_act() else {
                self.end_round();
                continue;
            };
            // Somebody can answer: wait for the line.
            if self.standings[seat].disqualified.is_none() {
                let request = self.messages.request(&self.round);
                self.send(seat, &request);
                return;
            }
            let card = random_card(self.round.legal(), &mut self.fallback);
            let note = format!("{} is played for {}", print_card(card), SEAT_NAMES[seat]);
            self.events.push(Event::Note(note));
            self.act(card);
        }
    }

    fn act(&mut self, card: tricks::Card) {
        let message = self.messages.act(&self.round, card);
        self.round.act(card);
        // All seats are sent complete rounds of takes and complete tricks. A request has the cards since the last one.
        if let Some(message) = message {
            self.send_all(&message);
        }
    }

    /// Sends every seat its hand and the pool of a new round.
    fn deal(&mut self) {
        let dealer = self.round.dealer();
        let note = format!("round {}, {} deals", self.number + 1, SEAT_NAMES[dealer]);
        self.events.push(Event::Note(note));
        for seat in 0..SEATS {
            let message = self.messages.deal(&View::new(&self.round, seat));
            self.send(seat, &message);
        }
    }

    /// Adds up the points, and ends the game or deals the next round.
    fn end_round(&mut self) {
        self.send_all(&Message::EndRound);
        let mut note = "points:".to_owned();
        for (seat, standing) in self.standings.iter_mut().enumerate() {
            standing.points += u32::from(self.round.points(seat));
            let (name, points) = (SEAT_NAMES[seat], self.round.points(seat));
            note.push_str(&format!(" {name} {points} ({})", standing.points));
        }
        self.events.push(Event::Note(note));
        self.number += 1;
        // The most points alone, and enough of them; otherwise another round follows.
        let enough = |leader: usize| self.standings[leader].points >= GAME;
        if let Some(winner) = leader(&self.standings).filter(|&leader| enough(leader)) {
            let note = format!("{} has won", SEAT_NAMES[winner]);
            self.events.push(Event::Note(note));
            self.over = true;
            return;
        }
        // The deal passes from seat to seat.
        let dealer = (self.number % SEATS as u64) as usize;
        self.round = deal::deal(dealer, &mut self.deals);
        self.deal();
    }

    fn send_all(&mut self, message: &Message) {
        (0..SEATS).for_each(|seat| self.send(seat, message));
    }

    fn send(&mut self, seat: usize, message: &Message) {
        if self.standings[seat].disqualified.is_none() {
            let line = print(message, seat);
            self.events.push(Event::Sent { seat, line });
        }
    }
}

/// The seat with the most points among those not disqualified; none if several share the most.
pub(super) fn leader(standings: &[Standing; SEATS]) -> Option<usize> {
    let playing = |&seat: &usize| standings[seat].disqualified.is_none();
    let points = |seat: usize| standings[seat].points;
    let most = (0..SEATS).filter(playing).map(points).max()?;
    let mut leaders = (0..SEATS)
        .filter(playing)
        .filter(|&seat| points(seat) == most);
    leaders.next().filter(|_| leaders.next().is_none())
}

/// The beginning of a line, for messages.
fn excerpt(line: &str) -> String {
    const MOST: usize = 60;
    match line.char_indices().nth(MOST) {
        Some((end, _)) => format!("{}…", &line[..end]),
        None => line.to_owned(),
    }
}

impl Event {
    /// The event as a line of a log: lines between the judge and a seat begin with the seat's letter, notes
    /// with `#`.
    pub fn log_line(&self) -> String {
        match self {
            Event::Sent { seat, line } | Event::Received { seat, line } => {
                format!("{} {line}", print_seat(*seat))
            }
            Event::Note(text) => format!("# {text}"),
        }
    }
}

#[cfg(test)]
mod tests;
