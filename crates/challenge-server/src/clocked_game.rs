//! One game between two clients: requests, clocks and penalties, without network or system clock.
//!
//! The lobby, the test port and matches with programs drive a [`ClockedGame`]. They pass in answers and the time,
//! and send the messages that it returns.

use super::answers::Requests;
use super::record::{Entry, Recorded};
use challenge::deals;
use challenge::protocol::{Request, ResultMessage, Served, ServerMessage, WireEvent};
use challenge::rules::{Decision, Deck, Event, Events, Game, GameOptions, Seat, other};
use challenge::view::{self, View};
use engine::rng::Random;
use std::time::Duration;

/// The reason given to a player whose clock is empty.
pub const LATE: &str = "the clock has run out";

/// The reason given to a player whose answer is to no open request.
pub(super) fn not_open(request_id: i64) -> String {
    format!("found an answer to request {request_id}, which is not open")
}

/// How a referee conducts a game.
#[derive(Clone, Copy, Debug)]
pub struct Conduct {
    /// Details that the rules leave open.
    pub options: GameOptions,
    /// How hands are shown.
    pub served: Served,
    /// Whether a trick lost by a fault is reported, without a card.
    pub report_lost_tricks: bool,
    /// Time on each player's clock at the start.
    pub clock: Duration,
    /// Time that a legal move adds.
    pub bonus: Duration,
    /// Moves of a player that add the bonus; later ones add nothing.
    pub bonus_moves: u32,
}

impl Default for Conduct {
    fn default() -> Conduct {
        Conduct {
            options: GameOptions::default(),
            served: Served::default(),
            report_lost_tricks: false,
            clock: Duration::from_secs(2),
            bonus: Duration::from_millis(50),
            bonus_moves: 100,
        }
    }
}

/// A player's clock: the time left, and its moves that have added the bonus.
#[derive(Clone, Copy, Debug)]
struct Clock {
    left: Duration,
    moves: u32,
}

/// A request that has no answer yet.
#[derive(Clone, Copy, Debug)]
struct Pending {
    seat: Seat,
    id: i64,
    since: Duration,
}

/// A message and the player it is for.
pub type Sent = (Seat, ServerMessage);

/// A game between two clients. Times are counted from any fixed moment.
#[derive(Debug)]
pub struct ClockedGame {
    conduct: Conduct,
    game_id: u64,
    /// The teams, by seat.
    teams: [u64; 2],
    game: Recorded,
    deck: Option<Deck>,
    rng: Random,
    clocks: [Clock; 2],
    pending: Option<Pending>,
    requests: Requests,
    /// By seat, the requests of the player's previous game: answers to them may arrive late.
    earlier: [Requests; 2],
}

impl ClockedGame {
    /// A game that has not begun. Its cards come from `rng`.
    pub fn new(conduct: Conduct, game_id: u64, teams: [u64; 2], rng: Random) -> ClockedGame {
        let clock = Clock {
            left: conduct.clock,
            moves: 0,
        };
        ClockedGame {
            conduct,
            game_id,
            teams,
            game: Recorded::new(conduct.options),
            deck: None,
            rng,
            clocks: [clock; 2],
            pending: None,
            requests: Requests::of_game(game_id),
            earlier: Default::default(),
        }
    }

    /// The same game, but its first hands come from the rest of another game's deck.
    #[must_use]
    pub fn with_deck(self, deck: Option<Deck>) -> ClockedGame {
        ClockedGame { deck, ..self }
    }

    /// The same game, with the requests of a player's previous game: answers to them may still come.
    #[must_use]
    pub fn after(mut self, seat: Seat, requests: Requests) -> ClockedGame {
        self.earlier[seat] = requests;
        self
    }

    /// The requests so far.
    pub fn requests(&self) -> Requests {
        self.requests
    }

    /// The teams, by seat.
    pub fn teams(&self) -> [u64; 2] {
        self.teams
    }

    pub fn game(&self) -> &Game {
        self.game.game()
    }

    /// The rest of the deck; none before the first deal.
    pub fn deck(&self) -> Option<&Deck> {
        self.deck.as_ref()
    }

    /// The seat that has an open request.
    pub fn asked(&self) -> Option<Seat> {
        self.pending.map(|pending| pending.seat)
    }

    /// The winner, when the game is over.
    pub fn winner(&self) -> Option<Seat> {
        self.game.game().winner()
    }

    /// Every step of the game, when it is over.
    pub fn into_entries(self, round: Option<[u32; 2]>) -> Vec<Entry> {
        self.game.into_entries(round)
    }

    /// Deals, and asks the first player.
    pub fn start(&mut self, now: Duration) -> Vec<Sent> {
        let mut sent = Vec::new();
        self.advance(now, &mut sent);
        sent
    }

    /// The moment when the player to act runs out of time.
    pub fn deadline(&self) -> Option<Duration> {
        self.pending
            .map(|pending| pending.since + self.clocks[pending.seat].left)
    }

    /// Penalizes a player whose time has run out.
    pub fn tick(&mut self, now: Duration) -> Vec<Sent> {
        let mut sent = Vec::new();
        if self.deadline().is_some_and(|deadline| deadline <= now) {
            self.fault(LATE, now, &mut sent);
        }
        sent
    }

    /// Penalizes the player to act at once, because it is not connected.
    pub fn absent(&mut self, now: Duration) -> Vec<Sent> {
        let mut sent = Vec::new();
        if self.pending.is_some() {
            self.fault("the client is not connected", now, &mut sent);
        }
        sent
    }

    /// Handles an answer. There are three cases. An answer to the open request is a decision. An answer to
    /// an earlier request (of this game or the player's previous one), or from a player that is not asked, is
    /// a copy or late: its sender gets an error and loses nothing, and the open request stays open. Any other
    /// number is a fault of the player that is asked.
    pub fn answer(
        &mut self,
        seat: Seat,
        request_id: i64,
        decision: Result<Decision, String>,
        now: Duration,
    ) -> Vec<Sent> {
        // An answer that arrives after the deadline is late, even if no timer has fired yet. The tick applies
        // the penalty and may open another request. The answer then belongs to an earlier request.
        let mut sent = self.tick(now);
        let asked = self.pending.filter(|pending| pending.seat == seat);
        let decision = match asked {
            Some(pending) if pending.id == request_id => decision,
            Some(Pending { id, .. }) if !self.was_asked(seat, request_id) => Err(format!(
                "expected an answer to request {id}, found one to request {request_id}"
            )),
            _ => {
                sent.extend(self.refusal(seat, not_open(request_id)));
                return sent;
            }
        };
        // From here on an illegal decision and a wrong number cost the same: a fault.
        let outcome = decision.and_then(|decision| {
            self.game
                .decide(decision)
                .map_err(|error| error.to_string())
        });
        match outcome {
            Ok(events) => {
                // The clock pays for the thinking time first; then the legal move earns its bonus.
                self.charge(now);
                let clock = &mut self.clocks[seat];
                if clock.moves < self.conduct.bonus_moves {
                    clock.moves += 1;
                    clock.left += self.conduct.bonus;
                }
                self.report(seat, &events, "", &mut sent);
                self.advance(now, &mut sent);
            }
            Err(reason) => self.fault(&reason, now, &mut sent),
        }
        sent
    }

    /// Whether a request of this number was made in this game, or in the player's game before.
    fn was_asked(&self, seat: Seat, request_id: i64) -> bool {
        self.requests.contains(request_id) || self.earlier[seat].contains(request_id)
    }

    /// Handles input that is not an answer. It is a fault of the player that is asked. The other player only gets
    /// an error.
    pub fn nonsense(&mut self, seat: Seat, reason: &str, now: Duration) -> Vec<Sent> {
        match self.pending {
            Some(pending) if pending.seat == seat => {
                self.answer(seat, pending.id, Err(reason.to_owned()), now)
            }
            _ => self.refusal(seat, reason.to_owned()).into_iter().collect(),
        }
    }

    /// An error message that costs its player nothing; none when the game is over.
    fn refusal(&self, seat: Seat, reason: String) -> Option<Sent> {
        let report = ResultMessage {
            result: WireEvent::Error { reason },
            your_player_num: seat as u8,
        };
        // Nothing is sent after the end of a game.
        let goes_on = self.winner().is_none();
        goes_on.then_some((seat, ServerMessage::Result(report)))
    }

    /// The open request, to be sent again to a player that has reconnected; none if this player is not asked.
    pub fn again(&self, seat: Seat, now: Duration) -> Option<ServerMessage> {
        let pending = self.pending.filter(|pending| pending.seat == seat);
        self.request(pending?, now)
    }

    /// The clock of a request that was just opened runs from `now` on, when the request is sent. That can be later
    /// than the time of the answer that has led to it.
    pub fn run_from(&mut self, now: Duration) {
        if let Some(pending) = &mut self.pending {
            pending.since = pending.since.max(now);
        }
    }

    /// Takes the time since the request off the clock, and closes the request.
    fn charge(&mut self, now: Duration) {
        if let Some(pending) = self.pending.take() {
            let left = &mut self.clocks[pending.seat].left;
            // Both saturate: the clock never drops below 0, and times never run backwards.
            *left = left.saturating_sub(now.saturating_sub(pending.since));
        }
    }

    /// Ends the open request with a fault: charges the clock, applies the penalty, and goes on with the game.
    fn fault(&mut self, reason: &str, now: Duration, sent: &mut Vec<Sent>) {
        self.charge(now);
        self.penalize(reason, sent);
        self.advance(now, sent);
    }

    /// Applies the rules' penalty to the player to act, and reports it.
    fn penalize(&mut self, reason: &str, sent: &mut Vec<Sent>) {
        let offender = self.game.game().to_act();
        if let (Some(offender), Ok(events)) = (offender, self.game.fault(reason)) {
            self.report(offender, &events, reason, sent);
        }
    }

    /// Goes on to the next request. Deals where necessary, and penalizes players whose clock is empty
    /// without asking them: otherwise each of their moves would cost a round trip for no answer in time.
    fn advance(&mut self, now: Duration, sent: &mut Vec<Sent>) {
        while self.winner().is_none() {
            if self.game.game().needs_deal() {
                let cards = self.cards();
                self.game.deal(cards);
            }
            let Some(seat) = self.game.game().to_act() else {
                return;
            };
            if self.clocks[seat].left.is_zero() {
                self.penalize(LATE, sent);
                continue;
            }
            let pending = Pending {
                seat,
                id: self.requests.next(),
                since: now,
            };
            self.pending = Some(pending);
            sent.extend(self.request(pending, now).map(|request| (seat, request)));
            return;
        }
    }

    /// Deals the next two hands from the deck.
    fn cards(&mut self) -> [challenge::rules::Cards; 2] {
        // When too few cards for two hands are left, a freshly shuffled deck replaces the old one.
        loop {
            if let Some(cards) = self.deck.as_mut().and_then(Deck::deal) {
                return cards;
            }
            self.deck = Some(deals::shuffled(&mut self.rng));
        }
    }

    /// The message of a request, with the time that its player has left at `now`.
    fn request(&self, pending: Pending, now: Duration) -> Option<ServerMessage> {
        // A repeated request shows the time that is left now, not the time of its first copy.
        let used = now.saturating_sub(pending.since);
        let context = view::ViewContext {
            game_id: self.game_id,
            opponent_id: self.teams[other(pending.seat)],
            remaining: self.clocks[pending.seat].left.saturating_sub(used),
        };
        let view = View::of(self.game.game(), &context)?;
        Some(ServerMessage::Request(Request::of(
            &view,
            pending.id,
            self.conduct.served,
        )))
    }

    /// Adds the messages about `events`, which follow from a decision or fault of `mover`.
    fn report(&self, mover: Seat, events: &Events, reason: &str, sent: &mut Vec<Sent>) {
        for &event in events {
            // A trick lost by a fault, recognized by the missing card, is reported only if the option says so.
            if matches!(event, Event::TrickWon { card: None, .. })
                && !self.conduct.report_lost_tricks
            {
                continue;
            }
            // Some events are for the mover alone, such as the acknowledgement of its answer.
            let receivers = (0..2).filter(|&seat| !event.is_private() || seat == mover);
            sent.extend(receivers.map(|seat| {
                let report = ResultMessage {
                    result: WireEvent::of(event, reason),
                    your_player_num: seat as u8,
                };
                (seat, ServerMessage::Result(report))
            }));
        }
    }
}

#[cfg(test)]
mod tests;
