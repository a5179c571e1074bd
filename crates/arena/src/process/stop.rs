//! Signals that ask the referee to stop, and reach its programs as well.
//!
//! A shell, a service manager or a closed terminal may signal every process it knows, the programs among them.
//! A program that ends so is not to blame: its call is made again, or its answer is left open. This rests on two
//! things:
//!
//! - A program is not in its referee's session, so no terminal signals it; a supervisor that dies of a signal before
//!   it leads the program's session is replaced by another.
//! - After the referee was asked to stop, no end by such a signal counts.

use super::run::Run;
use engine::sync::lock;
use rustix::process::Signal;
use std::io;
use std::os::unix::process::ExitStatusExt;
use std::process::ExitStatus;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use thiserror::Error;

/// The signals that ask a process to stop.
const ASKING: [Signal; 3] = [Signal::INT, Signal::TERM, Signal::HUP];

/// The longest wait for [`asked_to_stop`] after a program has died of the same signal. Only a program that ends
/// so without such a request costs this time.
const DELAY: Duration = Duration::from_secs(2);

/// How often a call is repeated at most.
const AGAIN: usize = 3;

/// A program ended by the signal that asked this process to stop; its answer is left open.
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
#[error("a program ended by the signal that asked its referee to stop")]
pub struct Stopped;

impl Stopped {
    /// Whether an error is a `Stopped`.
    pub fn is(error: &io::Error) -> bool {
        error.get_ref().is_some_and(|inner| inner.is::<Stopped>())
    }
}

impl From<Stopped> for io::Error {
    fn from(stopped: Stopped) -> io::Error {
        io::Error::other(stopped)
    }
}

/// The knowledge of a request to stop. It only grows, in the order of these states.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum State {
    #[default]
    Unknown,
    /// The process handles the signals, and will call [`asked_to_stop`].
    Expected,
    Asked,
    /// All programs were ended.
    GivenUp,
}

/// Whether this process was asked to stop.
#[derive(Debug, Default)]
pub(super) struct Stop {
    state: Mutex<State>,
    changed: Condvar,
}

/// Whether this process was asked to stop, for all calls of programs.
pub(super) static STOP: Stop = Stop {
    state: Mutex::new(State::Unknown),
    changed: Condvar::new(),
};

impl Stop {
    fn state(&self) -> MutexGuard<'_, State> {
        lock(&self.state)
    }

    /// Goes on to this state, unless a later one is reached.
    fn become_at_least(&self, next: State) {
        let mut state = self.state();
        // Several threads may report; knowledge never shrinks.
        if (*state as u8) < next as u8 {
            *state = next;
        }
        self.changed.notify_all();
    }

    /// All programs are about to be ended: however they end from now on is not their doing.
    pub(super) fn give_up(&self) {
        self.become_at_least(State::GivenUp);
    }

    /// Whether a program that ended with this status, or by this signal, did so because its referee was asked
    /// to stop. A shell, or another program that has handled the signal, may report its number by a status above
    /// 128.
    pub(super) fn explains(&self, code: Option<i32>, signal: Option<i32>) -> bool {
        // Shells report a child's death by signal n as status 128 + n: 130 is SIGINT, 2.
        let number = signal.or(code.map(|code| code - 128));
        let is_asking = ASKING.iter().any(|signal| Some(signal.as_raw()) == number);
        let mut state = self.state();
        if is_asking {
            // The program may die of the signal before the referee's own handler runs.
            let heard = self
                .changed
                .wait_timeout_while(state, DELAY, |state| *state == State::Expected);
            state = heard.unwrap_or_else(PoisonError::into_inner).0;
        }
        // Before any request an end by a signal is the program's own. After all programs were ended, no end by
        // a signal is.
        match *state {
            State::Unknown | State::Expected => false,
            State::Asked => is_asking,
            State::GivenUp => is_asking || signal.is_some(),
        }
    }

    /// Makes a call, and makes it again if it was ended by the signal that asked the referee to stop.
    ///
    /// # Errors
    /// Those of the call; [`Stopped`] if it ends so again and again.
    pub(super) fn made_again(&self, mut call: impl FnMut() -> io::Result<Run>) -> io::Result<Run> {
        for _ in 0..=AGAIN {
            let run = call()?;
            if !self.explains(run.status.code(), run.status.signal()) {
                return Ok(run);
            }
        }
        Err(Stopped.into())
    }
}

/// To be called by a process that handles the signals that ask it to stop, and then calls [`asked_to_stop`].
pub fn expect_stop() {
    STOP.become_at_least(State::Expected);
}

/// To be called when this process was asked to stop: from now on no program is blamed for an end by such a signal.
pub fn asked_to_stop() {
    STOP.become_at_least(State::Asked);
}

/// Whether a program that ended with this status did so because this process was asked to stop.
pub fn is_ended_by_stop(status: ExitStatus) -> bool {
    STOP.explains(status.code(), status.signal())
}

#[cfg(target_os = "linux")]
#[cfg(test)]
mod tests {
    use super::super::testing::answered;
    use super::*;
    use std::thread;

    fn after(states: &[State]) -> Stop {
        let stop = Stop::default();
        states.iter().for_each(|&state| stop.become_at_least(state));
        stop
    }

    /// A run that ended with this status as wait(2) has it.
    fn ended(raw: i32) -> Run {
        Run {
            status: ExitStatus::from_raw(raw),
            ..answered("")
        }
    }

    fn explains(stop: &Stop, raw: i32) -> bool {
        let status = ExitStatus::from_raw(raw);
        stop.explains(status.code(), status.signal())
    }

    const TERM: i32 = 15;
    const KILL: i32 = 9;

    #[test]
    fn ends_by_the_referees_signal_are_told_from_others() {
        let unknown = after(&[]);
        let asked = after(&[State::Expected, State::Asked]);
        let over = after(&[State::Expected, State::Asked, State::GivenUp]);
        for (signal, is_asking) in [
            (1, true),
            (2, true),
            (TERM, true),
            (KILL, false),
            (11, false),
        ] {
            assert!(!explains(&unknown, signal));
            assert_eq!(explains(&asked, signal), is_asking, "signal {signal}");
            assert!(explains(&over, signal), "signal {signal}");
            // As a shell tells of it.
            let code = (128 + signal) << 8;
            assert!(!explains(&unknown, code));
            assert_eq!(explains(&asked, code), is_asking, "signal {signal}");
        }
        for stop in [&unknown, &asked, &over] {
            for code in [0, 1, 7, 15, 128] {
                assert!(!explains(stop, code << 8), "status {code}");
            }
        }
    }

    #[test]
    fn what_was_asked_stays_so() {
        let stop = after(&[State::Asked, State::Expected]);
        assert_eq!(*stop.state(), State::Asked);
    }

    /// A program dies of SIGTERM after the referee has heard of it: the call is made again, with what it answers then.
    #[test]
    fn a_call_that_the_signal_ended_is_made_again() {
        let stop = after(&[State::Asked]);
        let mut runs = [ended(TERM), ended((128 + TERM) << 8), answered("an answer")].into_iter();
        let run = stop.made_again(|| Ok(runs.next().unwrap())).unwrap();
        assert_eq!(run.stdout, b"an answer");
        let mut calls = 0;
        let run = stop.made_again(|| {
            calls += 1;
            Ok(ended(KILL))
        });
        assert_eq!((run.unwrap().status.signal(), calls), (Some(KILL), 1));
    }

    #[test]
    fn what_always_ends_so_is_left_open() {
        let stop = after(&[State::Asked]);
        let error = stop.made_again(|| Ok(ended(TERM))).unwrap_err();
        assert!(Stopped::is(&error), "{error}");
        assert!(!Stopped::is(&io::Error::other("else")));
    }

    /// The program has died, and the referee hears of the signal only then.
    #[test]
    fn the_request_may_come_after_the_death() {
        let stop = after(&[State::Expected]);
        thread::scope(|scope| {
            let dead = scope.spawn(|| explains(&stop, TERM));
            stop.become_at_least(State::Asked);
            assert!(dead.join().unwrap());
        });
    }

    /// Where nobody asked the referee to stop, who dies of a signal has done so by itself.
    #[test]
    fn without_a_request_it_is_the_programs_doing() {
        let run = after(&[]).made_again(|| Ok(ended(TERM))).unwrap();
        assert_eq!(run.status.signal(), Some(TERM));
    }
}
