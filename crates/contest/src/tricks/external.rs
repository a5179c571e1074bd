//! The seat of a participant's program. A contest's [`Dialect`] writes and reads the messages of its protocol; an
//! [`External`] sends them, keeps the time, and turns failures into faults.

use arena::fault::{Fault, FaultKind};
use arena::process::{Ending, Session};
use arena::wire::{self, MOST_RECEIVED, Wire};
use std::io;
use std::time::{Duration, Instant};
use tricks::{Card, Round, View};

/// The time for a program that has closed a stream to end, so that its exit status explains why.
const PATIENCE: Duration = Duration::from_millis(200);

/// The most characters that a message quotes if a program writes without being asked.
const QUOTED: usize = 40;

/// A seat's answer to the request for a card.
#[derive(Clone, Debug, PartialEq)]
pub struct Answer {
    /// The card, or the fault.
    pub reply: Result<Card, Fault>,
    /// The time that it took.
    pub time: Duration,
}

/// A started program, or its fault before it could take its seat, with the end of its standard error.
pub type Started<R> = Result<External<R>, (Fault, String)>;

/// A contest's protocol from the server's side. Bytes appended to `out` are sent.
pub trait Dialect<R: Round>: Send {
    /// A round has been dealt.
    fn deal(&mut self, view: &View<R>, out: &mut Vec<u8>);
    /// The seat is asked for a card.
    fn ask(&mut self, view: &View<R>, out: &mut Vec<u8>);
    /// Somebody takes or plays a card, in the round as it was before.
    fn acted(&mut self, before: &R, card: Card, out: &mut Vec<u8>);
    /// The round is over.
    fn over(&mut self, out: &mut Vec<u8>);
    /// No more rounds follow.
    fn end(&mut self, out: &mut Vec<u8>);
    /// The answer to the request once it has come in full, or the fault in it; `None` before.
    fn answer(&mut self, view: &View<R>, wire: &mut Wire) -> Option<Result<Card, String>>;
    /// Words about something that came since the request and is no answer, to follow "no answer within 4 s".
    fn ignored(&self) -> &'static str {
        ""
    }
}

/// A running program at its seat. Dropping this ends the program.
pub struct External<R> {
    session: Session,
    /// Named pipes, for a program that is not spoken with over its standard streams.
    pipes: Option<Wire>,
    dialect: Box<dyn Dialect<R>>,
    time: Duration,
}

impl<R: Round> External<R> {
    /// Seats a program that communicates over its standard streams, or over these pipes if given. Each answer
    /// may take `time`.
    pub fn new(
        session: Session,
        pipes: Option<Wire>,
        dialect: impl Dialect<R> + 'static,
        time: Duration,
    ) -> External<R> {
        External {
            session,
            pipes,
            dialect: Box::new(dialect),
            time,
        }
    }

    /// The program's named pipes if it has any, else its standard streams.
    fn wire(&mut self) -> &mut Wire {
        match &mut self.pipes {
            Some(wire) => wire,
            None => self.session.wire(),
        }
    }

    /// The reason why no answer can come any more; none if one still can.
    fn broken(&mut self) -> io::Result<Option<Fault>> {
        // The order matters: flooding or not reading is the reported fault, even if the program has ended since.
        let wire = self.wire();
        if wire.is_full() {
            let detail = format!("wrote {MOST_RECEIVED} bytes without an answer");
            return Ok(Some(Fault::new(FaultKind::Malformed, detail)));
        }
        if wire.is_stuck() {
            let detail = "does not read its input";
            return Ok(Some(Fault::new(FaultKind::Timeout, detail)));
        }
        if !(wire.is_closed() || wire.is_deaf()) {
            return Ok(None);
        }
        let detail = match self.session.exit(PATIENCE)? {
            Some(how) => format!("ended with {how}"),
            None => "closed a stream".to_owned(),
        };
        Ok(Some(Fault::new(FaultKind::Crash, detail)))
    }

    /// Waits for the answer, at most the seat's time from `start` on.
    fn wait(&mut self, view: &View<R>, start: Instant) -> io::Result<Result<Card, Fault>> {
        loop {
            // Not `self.wire()`: the dialect is borrowed at the same time.
            let wire = match &mut self.pipes {
                Some(wire) => wire,
                None => self.session.wire(),
            };
            if let Some(answer) = self.dialect.answer(view, wire) {
                let malformed = |detail| Fault::new(FaultKind::Malformed, detail);
                return Ok(answer.map_err(malformed));
            }
            // Checked after reading an answer, so a program may answer and then end.
            if let Some(fault) = self.broken()? {
                return Ok(Err(fault));
            }
            if start.elapsed() >= self.time {
                let (time, ignored) = (self.time.as_secs_f64(), self.dialect.ignored());
                let detail = format!("no answer within {time} s{ignored}");
                return Ok(Err(Fault::new(FaultKind::Timeout, detail)));
            }
            let deadline = start + self.time;
            wire::wait(&mut [self.wire()], Some(deadline))?;
        }
    }

    /// Sends the bytes that the dialect appends to `out`.
    fn say(&mut self, write: impl FnOnce(&mut dyn Dialect<R>, &mut Vec<u8>)) {
        let mut out = Vec::new();
        write(&mut *self.dialect, &mut out);
        if !out.is_empty() {
            self.wire().send(&out);
        }
    }

    /// A round has been dealt.
    pub(super) fn deal(&mut self, view: &View<R>) {
        self.say(|dialect, out| dialect.deal(view, out));
    }

    /// Asks for a card.
    ///
    /// # Errors
    /// If the operating system fails.
    pub(super) fn ask(&mut self, view: &View<R>) -> io::Result<Answer> {
        // Bytes that came before the request cannot be an answer to it.
        wire::wait(&mut [self.wire()], Some(Instant::now()))?;
        let received = self.wire().received().trim_ascii();
        let early = (!received.is_empty()).then(|| {
            // In Hearts control characters frame a text.
            let text = String::from_utf8_lossy(received);
            let text = text.trim_matches(char::is_control);
            let text: String = text.chars().take(QUOTED).collect();
            format!("said {text:?} without being asked")
        });
        // The program is paused between its turns, so it cannot think on others' time.
        self.session.go_on();
        let start = Instant::now();
        self.say(|dialect, out| dialect.ask(view, out));
        let reply = match early {
            Some(detail) => Err(Fault::new(FaultKind::Malformed, detail)),
            None => self.wait(view, start)?,
        };
        let time = start.elapsed();
        self.session.rest();
        Ok(Answer { reply, time })
    }

    /// A player takes or plays a card, in the round as it was before.
    pub(super) fn acted(&mut self, before: &R, card: Card) {
        self.say(|dialect, out| dialect.acted(before, card, out));
    }

    /// The round is over.
    pub(super) fn over(&mut self) {
        self.say(|dialect, out| dialect.over(out));
    }

    /// The last bytes that the program wrote to standard error.
    pub(super) fn errors(&self) -> String {
        self.session.errors()
    }

    /// No more rounds follow: the program is given time to end, and ended.
    ///
    /// # Errors
    /// If the operating system cannot wait for it.
    pub(super) fn leave(mut self) -> io::Result<Ending> {
        self.say(|dialect, out| dialect.end(out));
        // A program sees from the closed pipes that no more rounds follow.
        if let Some(pipes) = &mut self.pipes {
            pipes.hang_up();
        }
        let External { session, pipes, .. } = self;
        let ending = session.end(Duration::from_secs(1))?;
        // The pipes live until the program has ended.
        drop(pipes);
        Ok(ending)
    }
}
