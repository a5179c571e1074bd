//! The seat of a participant's program. A contest's [`Dialect`] writes and reads the messages of its protocol; an
//! [`External`] sends them, keeps the time, and turns failures into faults.

use super::seat::{Answer, Seat};
use arena::fault::{Fault, FaultKind};
use arena::process::{Ending, Session};
use arena::wire::{self, MOST_RECEIVED, Wire};
use engine::rng::Random;
use std::io;
use std::time::{Duration, Instant};
use tricks::{Card, Round, View};

/// The time for a program that has closed a stream to end, so that its exit status explains why.
const PATIENCE: Duration = Duration::from_millis(200);

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
}

/// A running program at its seat. Dropping this ends the program.
#[derive(Debug)]
pub struct External<D> {
    session: Session,
    /// Named pipes, for a program that is not spoken with over its standard streams.
    pipes: Option<Wire>,
    dialect: D,
    time: Duration,
}

impl<D> External<D> {
    /// Seats a program that communicates over its standard streams, or over these pipes if given. Each answer
    /// may take `time`.
    pub fn new(session: Session, pipes: Option<Wire>, dialect: D, time: Duration) -> External<D> {
        External {
            session,
            pipes,
            dialect,
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
    fn wait<R: Round>(&mut self, view: &View<R>, start: Instant) -> io::Result<Result<Card, Fault>>
    where
        D: Dialect<R>,
    {
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
                let detail = format!("no answer within {} s", self.time.as_secs_f64());
                return Ok(Err(Fault::new(FaultKind::Timeout, detail)));
            }
            let deadline = start + self.time;
            wire::wait(&mut [self.wire()], Some(deadline))?;
        }
    }

    /// Sends the bytes that the dialect appends to `out`.
    fn say<R: Round>(&mut self, write: impl FnOnce(&mut D, &mut Vec<u8>))
    where
        D: Dialect<R>,
    {
        let mut out = Vec::new();
        write(&mut self.dialect, &mut out);
        if !out.is_empty() {
            self.wire().send(&out);
        }
    }
}

impl<R: Round, D: Dialect<R>> Seat<R> for External<D> {
    fn deal(&mut self, view: &View<R>, _rng: Random) {
        self.say::<R>(|dialect, out| dialect.deal(view, out));
    }

    fn ask(&mut self, view: &View<R>) -> io::Result<Answer> {
        // Bytes that came before the request cannot be an answer to it.
        wire::wait(&mut [self.wire()], Some(Instant::now()))?;
        let early = !self.wire().received().trim_ascii().is_empty();
        // The program is paused between its turns, so it cannot think on others' time.
        self.session.go_on();
        let start = Instant::now();
        self.say::<R>(|dialect, out| dialect.ask(view, out));
        let reply = match early {
            true => Err(Fault::new(
                FaultKind::Malformed,
                "wrote something without being asked",
            )),
            false => self.wait(view, start)?,
        };
        let time = start.elapsed();
        self.session.rest();
        Ok(Answer { reply, time })
    }

    fn acted(&mut self, before: &R, card: Card) {
        self.say::<R>(|dialect, out| dialect.acted(before, card, out));
    }

    fn over(&mut self, _view: &View<R>) {
        self.say::<R>(|dialect, out| dialect.over(out));
    }

    fn errors(&self) -> String {
        self.session.errors()
    }

    fn leave(mut self: Box<Self>) -> io::Result<Option<Ending>> {
        self.say::<R>(|dialect, out| dialect.end(out));
        // A program sees from the closed pipes that no more rounds follow.
        if let Some(pipes) = &mut self.pipes {
            pipes.hang_up();
        }
        let External { session, pipes, .. } = *self;
        let ending = session.end(Duration::from_secs(1))?;
        // The pipes live until the program has ended.
        drop(pipes);
        Ok(Some(ending))
    }
}
