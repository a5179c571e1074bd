//! The process that stands between a referee and a program, and ends all that descends from the program.
//!
//! A process can join another program's process group, change into its folder and take its environment, so none of
//! these shows to which program it belongs. But it cannot change its descent. So every program has
//! a *supervisor*: it leads a session, is a *child subreaper* (prctl(2)), and starts nothing but the program. When a
//! process below it loses its parent, the system makes it a child of the supervisor, even if it has detached itself.
//! So the program has started everything that descends from the supervisor, and is over when the supervisor has no
//! child left.
//!
//! Referee and supervisor speak over a pair of connected sockets that nobody else has. The referee sends single
//! letters: with [`ORDER`] come the streams of a program and an [`Order`]; [`KILL`], [`REST`] and [`GO_ON`] are
//! about the program that runs. The supervisor answers by [`Report`]s, a line each. If the referee dies, its
//! socket closes, and the supervisor ends the program. When nothing is left of a program, its supervisor can be
//! given another.
//!
//! A supervisor is this program itself, started with other arguments ([`launch_by`]); it does nothing but [`serve`].
//! `outside` is the referee's side of it, `inside` the supervisor's.

use super::confinement::{Bounds, Confined};
use serde::{Deserialize, Serialize};
use std::env;
use std::ffi::OsString;
use std::io;
use std::path::PathBuf;
use std::sync::OnceLock;
use std::time::Duration;

mod inside;
mod outside;

pub use inside::serve;
pub(super) use outside::{End, Link, Streams, Supervisor};

/// Starts a program. Its streams come with the letter, and its [`Order`] follows.
const ORDER: u8 = b'o';
/// Ends the program and all that descends from it.
const KILL: u8 = b'k';
/// Stops all that descends from the supervisor until it is to go on.
const REST: u8 = b'r';
/// Lets all that was stopped go on.
const GO_ON: u8 = b'g';

/// An order to start a program.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Order {
    pub program: PathBuf,
    /// The arguments of its command line.
    pub arguments: Vec<OsString>,
    pub current: PathBuf,
    /// Further limits of a confined program.
    pub bounds: Bounds,
    /// The numbers of the processor cores it runs on; all if none are named.
    pub cores: Option<Vec<usize>>,
    /// The files and port that a confined program keeps; `None`: not confined.
    pub confined: Option<Confined>,
}

/// A supervisor's report to its referee.
#[derive(Debug, Serialize, Deserialize)]
enum Report {
    /// The program runs; the number of its process.
    Started(i32),
    /// It could not be started: the system's number of the error if there is one, and the error in words.
    NotStarted(Option<i32>, String),
    /// It could not be confined, and was not started.
    Unconfined(String),
    /// Its first process has ended.
    Ended {
        /// As wait(2) has it.
        status: i32,
        /// Processor time of it and of those of its children that it waited for.
        cpu: Duration,
        /// The most bytes of memory that were resident in one of them.
        peak_memory: u64,
        /// When that was, see [`now`].
        at: Duration,
        /// Whether it was ended because it went on while it was to rest.
        was_restless: bool,
    },
    /// Nothing is left of it: the processes that outlived the first one and were ended.
    Gone(usize),
}

/// The program and arguments that start a supervisor.
#[derive(Clone, Debug)]
struct Launcher {
    program: PathBuf,
    arguments: Vec<OsString>,
}

/// The launcher, once [`launch_by`] has set it.
static LAUNCHER: OnceLock<Launcher> = OnceLock::new();

/// Sets the arguments that make this program a supervisor when it is started once more: it then has to call [`serve`].
/// To be called before the first program is started.
///
/// # Errors
/// If the system does not know the path of this program.
pub fn launch_by(arguments: &[&str]) -> io::Result<()> {
    let launcher = Launcher {
        // On Linux under a name that stays right when the file is replaced.
        program: match cfg!(target_os = "linux") {
            true => "/proc/self/exe".into(),
            false => env::current_exe()?,
        },
        arguments: arguments.iter().map(OsString::from).collect(),
    };
    // A second call changes nothing.
    let _ = LAUNCHER.set(launcher);
    Ok(())
}

/// The program and arguments set by [`launch_by`]; an error if there are none.
fn launcher() -> io::Result<&'static Launcher> {
    #[cfg(any(test, feature = "testing"))]
    super::testing::launch_supervisors()?;
    let text = "no supervisor of programs: this process has not said how one is started";
    LAUNCHER.get().ok_or_else(|| io::Error::other(text))
}

/// The time of a clock that all processes share and nobody sets.
fn now() -> Duration {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::Monotonic);
    let seconds = u64::try_from(time.tv_sec).unwrap_or(0);
    Duration::new(seconds, u32::try_from(time.tv_nsec).unwrap_or(0))
}
