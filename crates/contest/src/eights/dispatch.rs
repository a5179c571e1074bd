//! Links a server with four programs by their standard streams, and holds the programs to the limits.
//!
//! Every line between server and dispatcher begins with a seat's letter and a blank. If the program of
//! `n` breaks a limit, it is ended, and the server is sent `n disqualified REASON`. From then on random
//! legal cards answer for it, as a server may not know this line and go on asking.

use super::judge::SEAT_NAMES;
use arena::plain_text::printable;
use arena::process::{CommandLine, Ending, Session, Stderr, Stopped, is_ended_by_stop};
use arena::wire::{self, MOST_RECEIVED, MOST_UNSENT, Wire};
use eights::player::{Baseline, Client};
use eights::protocol::{print_card, print_seat, read_seat};
use eights::rules::SEATS;
use std::io;
use std::mem;
use std::time::{Duration, Instant};
use thiserror::Error;
use tricks::{Agent, Card};

/// The limits of a game, for the programs and the server.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Limits {
    /// For the answer to a `take` or `play`.
    pub time: Duration,
    /// Bytes that may be resident in the processes of a program, see [`Session::start`].
    pub memory: Option<u64>,
    /// The time that the server may take without asking anybody.
    pub server: Duration,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            time: Duration::from_secs(4),
            memory: Some(4 << 20),
            server: Duration::from_secs(30),
        }
    }
}

/// The most lines of a server without a request; a round has fewer than 400.
const MOST_IDLE: u64 = 10_000;

/// The most cards that a server may ask for in a game. A round has 64 requests and 25 points. After 48 rounds, with
/// 1,200 points, one of four seats has 300; ties aside, a game is over then. The limit is above 1,500 rounds.
const MOST_ASKED: u64 = 100_000;

/// Why a game could not be finished.
#[derive(Debug, Error)]
pub enum DispatchError {
    /// A program could not be started.
    #[error("{0}")]
    Start(io::Error),
    /// The server ended with an error.
    #[error("the server ended with {0}")]
    Server(std::process::ExitStatus),
    /// The server ended without an error, and without a game.
    #[error("the server has ended and asked for no card")]
    NoGame,
    /// The server does not ask any player.
    #[error("the server has asked nobody for {} s", .0.as_secs_f64())]
    Idle(Duration),
    /// The server writes a line without an end.
    #[error("the server has said more than {MOST_RECEIVED} bytes without an end of line")]
    LineTooLong,
    /// The server writes too many lines without asking a player.
    #[error("the server has said {MOST_IDLE} lines and asked nobody")]
    Flood,
    /// The server does not wait for an answer.
    #[error("the server has asked {0} again before it was answered")]
    Impatient(&'static str),
    /// The server does not come to an end.
    #[error("the server has asked for {MOST_ASKED} cards, and the game is not over")]
    Endless,
    /// The server does not read its input.
    #[error("the server does not read its input")]
    NotReading,
    /// The operating system fails.
    #[error(transparent)]
    Io(#[from] io::Error),
}

/// Starts the programs and forwards lines until the server ends; then all programs are ended. `report`
/// gets the messages for people.
///
/// # Errors
/// If a program cannot be started, or the server does not do its part. Faults of players are no errors.
pub fn dispatch(
    server: &CommandLine,
    players: &[CommandLine; SEATS],
    limits: &Limits,
    mut report: impl FnMut(&str),
) -> Result<(), DispatchError> {
    let start =
        |line, memory, errors| Session::start(line, memory, errors).map_err(DispatchError::Start);
    let mut seats = Vec::new();
    for (seat, line) in players.iter().enumerate() {
        seats.push(Seat {
            session: Some(start(line, limits.memory, Stderr::Shown)?),
            asked: None,
            // The substitute gets the same messages, so it knows the legal cards at any time.
            substitute: Client::new(Agent::Policy(Baseline::Random), seat as u64),
        });
    }
    let mut table = Table {
        server: start(server, None, Stderr::Inherit)?,
        seats,
        limits,
        progress: Instant::now(),
        asked: 0,
        idle: 0,
        report: &mut report,
    };
    table.play()?;
    table.end()
}

/// A program at its seat.
struct Seat {
    /// None once it is disqualified.
    session: Option<Session>,
    asked: Option<Asked>,
    /// Receives what the program receives, and answers for it once it is disqualified.
    substitute: Client,
}

/// An answer that is waited for.
#[derive(Clone, Copy)]
struct Asked {
    since: Instant,
    /// The card to play if the answer does not come.
    substitute: Card,
}

/// A game under way: the server, the four seats, and the server's progress.
struct Table<'a> {
    server: Session,
    seats: Vec<Seat>,
    limits: &'a Limits,
    /// When the server last asked or was answered.
    progress: Instant,
    /// The number of requests by the server.
    asked: u64,
    /// Lines of the server since it last asked.
    idle: u64,
    report: &'a mut dyn FnMut(&str),
}

impl Table<'_> {
    /// Passes lines on until the server closes its output.
    fn play(&mut self) -> Result<(), DispatchError> {
        loop {
            // All complete lines first: a request must be known before a player's answer is judged.
            while let Some(line) = self.server.wire().next_line() {
                self.forward(&line)?;
            }
            if self.server.wire().is_closed() {
                return Ok(());
            }
            self.check_server()?;
            for seat in 0..SEATS {
                self.collect_answer(seat)?;
                self.check_player(seat)?;
            }
            let deadline = self.deadline();
            let mut wires: Vec<&mut Wire> = vec![self.server.wire()];
            let players = self
                .seats
                .iter_mut()
                .filter_map(|seat| seat.session.as_mut());
            wires.extend(players.map(Session::wire));
            wire::wait(&mut wires, Some(deadline))?;
        }
    }

    fn waits_for_player(&self) -> bool {
        self.seats.iter().any(|seat| seat.asked.is_some())
    }

    /// When the time of a player, or else of the server, is over.
    fn deadline(&self) -> Instant {
        let asked = self.seats.iter().filter_map(|seat| seat.asked);
        let players = asked.map(|asked| asked.since + self.limits.time).min();
        players.unwrap_or(self.progress + self.limits.server)
    }

    /// An error if the server breaks a limit.
    fn check_server(&mut self) -> Result<(), DispatchError> {
        if self.server.wire().is_full() {
            return Err(DispatchError::LineTooLong);
        }
        if self.server.wire().is_stuck() {
            return Err(DispatchError::NotReading);
        }
        // While a player thinks, the server has nothing to say.
        if !self.waits_for_player() && self.progress.elapsed() >= self.limits.server {
            return Err(DispatchError::Idle(self.limits.server));
        }
        Ok(())
    }

    /// Forwards a line of the server to its seat. A line without a seat is a comment.
    fn forward(&mut self, line: &str) -> Result<(), DispatchError> {
        self.idle += 1;
        if self.idle > MOST_IDLE {
            return Err(DispatchError::Flood);
        }
        let line = line.trim_end_matches('\r');
        let Some((Some(seat), text)) = line.split_once(' ').map(|(s, text)| (read_seat(s), text))
        else {
            return Ok(());
        };
        // The substitute's answer shows whether this line is a request, and is the card to send if the program fails.
        let asked = self.seats[seat].substitute.receive(text).answer;
        if asked.is_some() {
            // The server must wait for the answer: two requests at once could not be told apart.
            if self.seats[seat].asked.is_some() {
                return Err(DispatchError::Impatient(SEAT_NAMES[seat]));
            }
            self.asked += 1;
            if self.asked > MOST_ASKED {
                return Err(DispatchError::Endless);
            }
            self.idle = 0;
            self.progress = Instant::now();
        }
        match (&mut self.seats[seat].session, asked) {
            (Some(session), _) => {
                // The program is stopped between its turns (see `Session::rest`).
                if asked.is_some() {
                    session.go_on();
                }
                session.wire().send(format!("{text}\n").as_bytes());
                let asked = asked.map(|substitute| Asked {
                    since: Instant::now(),
                    substitute,
                });
                self.seats[seat].asked = asked.or(self.seats[seat].asked);
            }
            // A disqualified seat is answered for at once.
            (None, Some(card)) => self.answer(seat, &print_card(card)),
            (None, None) => {}
        }
        Ok(())
    }

    /// Sends the server a line for a seat.
    fn answer(&mut self, seat: usize, text: &str) {
        let line = format!("{} {text}\n", print_seat(seat));
        self.server.wire().send(line.as_bytes());
        self.progress = Instant::now();
    }

    /// Forwards the line of a player that was asked. The server checks the card.
    fn collect_answer(&mut self, seat: usize) -> io::Result<()> {
        while let Some(session) = &mut self.seats[seat].session
            && let Some(line) = session.wire().next_line()
        {
            // The server may log the line, so control characters are removed.
            let line = printable(line.trim());
            if line.is_empty() {
                continue;
            }
            // It stops at once, so memory is measured in a state that does not change.
            session.rest();
            if self.limits.memory.is_some() {
                session.weigh();
            }
            if let Some(reason) = self.too_large(seat) {
                return self.disqualify(seat, &reason);
            }
            // `take` also closes the request.
            if self.seats[seat].asked.take().is_none() {
                return self.disqualify(seat, "wrote a line without being asked");
            }
            self.answer(seat, &line);
        }
        Ok(())
    }

    /// The reason to end a program that holds, or has held, too much memory.
    fn too_large(&self, seat: usize) -> Option<String> {
        let most = self.limits.memory?;
        let held = self.seats[seat].session.as_ref()?.held();
        (held > most).then(|| {
            let [held, most] = [held, most].map(|bytes| bytes.div_ceil(1024));
            format!("held {held} KiB of resident memory, more than {most}")
        })
    }

    /// Disqualifies a program that breaks a limit.
    fn check_player(&mut self, seat: usize) -> io::Result<()> {
        let time = self.limits.time;
        if let Some(reason) = self.too_large(seat) {
            return self.disqualify(seat, &reason);
        }
        // Checked before the wire, but reported last: a program that has ended is no slow one.
        let late = (self.seats[seat].asked).is_some_and(|asked| asked.since.elapsed() >= time);
        let Some(session) = &mut self.seats[seat].session else {
            return Ok(());
        };
        let wire = session.wire();
        if wire.is_full() {
            let reason = format!("wrote more than {MOST_RECEIVED} bytes without an end of line");
            return self.disqualify(seat, &reason);
        }
        if wire.is_closed() {
            return self.disqualify(seat, "closed its standard output");
        }
        if wire.is_stuck() {
            return self.disqualify(seat, &format!("has not read {MOST_UNSENT} bytes"));
        }
        if late {
            let reason = format!("no answer within {} s", time.as_secs_f64());
            return self.disqualify(seat, &reason);
        }
        Ok(())
    }

    /// Ends a program and plays for it from now on.
    fn disqualify(&mut self, seat: usize, reason: &str) -> io::Result<()> {
        let place = &mut self.seats[seat];
        let Some(session) = place.session.take() else {
            return Ok(());
        };
        let asked = place.asked.take();
        // A program that has closed its output may be about to end with a status that explains why.
        let closed = reason.starts_with("closed");
        let patience = Duration::from_millis(if closed { 200 } else { 0 });
        let reason = match session.end(patience)? {
            // A signal for this process reached the program too: not its fault.
            ending if is_ended_by_stop(ending.status) => return Err(Stopped.into()),
            Ending {
                status,
                forced: false,
                ..
            } if closed => {
                format!("ended with {status}")
            }
            _ => reason.to_owned(),
        };
        (self.report)(&format!("{} is disqualified: {reason}", SEAT_NAMES[seat]));
        // First the message, then a card: a server that does not know the message still gets its answer.
        self.answer(seat, &format!("disqualified {reason}"));
        if let Some(asked) = asked {
            self.answer(seat, &print_card(asked.substitute));
        }
        Ok(())
    }

    /// Ends all programs. Players that do not end by themselves are reported.
    fn end(mut self) -> Result<(), DispatchError> {
        let mut sessions: Vec<(usize, Session)> = Vec::new();
        for (seat, place) in self.seats.iter_mut().enumerate() {
            if let Some(mut session) = mem::take(&mut place.session) {
                // All programs see at once from their closed inputs that the game is over, and end at the same time:
                // they rest since their last answers.
                session.wire().hang_up();
                session.go_on();
                sessions.push((seat, session));
            }
        }
        let server = self.server.end(Duration::from_secs(2))?;
        for (seat, session) in sessions {
            let ending = session.end(Duration::from_secs(1))?;
            let name = SEAT_NAMES[seat];
            if ending.forced {
                (self.report)(&format!("{name} did not end with its input and was ended"));
            } else if !ending.status.success() {
                (self.report)(&format!("{name} ended with {}", ending.status));
            }
        }
        match server.status.success() && !server.forced {
            true if self.asked == 0 => Err(DispatchError::NoGame),
            true => Ok(()),
            false => Err(DispatchError::Server(server.status)),
        }
    }
}
