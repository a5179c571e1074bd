//! The common parts of the programs `lab` and `contest`: [`run`], their exit statuses, stop requests, and options
//! that several commands share.

/// Prints a line on standard output. Unlike `println` it fails instead of panicking when nobody
/// reads.
#[macro_export]
macro_rules! line {
    ($($text:tt)*) => {
        std::io::Write::write_fmt(
            &mut $crate::cli::out(),
            format_args!("{}\n", format_args!($($text)*)),
        )
    };
}

/// Returns [`Usage`] with a formatted text from a function with a result.
#[macro_export]
macro_rules! refuse {
    ($($text:tt)*) => {
        return Err($crate::cli::Usage::new(format!($($text)*)).into())
    };
}

pub mod examples;
pub mod interrupt;
pub mod isolation;
pub mod numbers;
mod once;
pub mod output;
pub mod programs;
pub mod seed;
pub mod shell;

pub use once::{Once, Repeated};

use anyhow::Context as _;
use arena::plain_text::printable_lines;
use challenge::equilibrium::blueprint::Tables;
use engine::store::support_folder;
use rayon::{ThreadPool, ThreadPoolBuilder};
use std::env;
use std::io::{self, ErrorKind, Write};
use std::path::Path;
use std::process::ExitCode;
use std::sync::OnceLock;
use thiserror::Error;

/// Standard output, with errors that name it.
#[derive(Debug)]
pub struct Out(io::StdoutLock<'static>);

/// Standard output for commands.
pub fn out() -> Out {
    Out(io::stdout().lock())
}

impl Write for Out {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.write(bytes).map_err(unwritten)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush().map_err(unwritten)
    }
}

fn unwritten(error: io::Error) -> io::Error {
    let text = format!("cannot write to standard output: {error}");
    io::Error::new(error.kind(), text)
}

/// With this word as its first argument, the program supervises another one: it confines and ends a participant's
/// program for `arena::process`.
const SUPERVISE: &str = "supervise";

/// The name of this program.
static NAME: OnceLock<&str> = OnceLock::new();

/// Wrong usage that is found only after the arguments are read; exit status 2.
#[derive(Debug, Error)]
#[error("{0}")]
pub struct Usage(String);

impl Usage {
    pub fn new(text: impl Into<String>) -> Usage {
        Usage(text.into())
    }

    /// Wraps an error that the user can correct.
    pub fn of(error: impl std::fmt::Display) -> Usage {
        Usage(error.to_string())
    }
}

/// Writes a line on standard error that begins with this program's name.
pub fn complain(text: &str) {
    engine::note!("{}: {text}", NAME.get().unwrap_or(&"lab"));
}

/// Runs the program `name`. `command` reads the arguments and does the work.
pub fn run(name: &'static str, command: impl FnOnce() -> anyhow::Result<()>) -> ExitCode {
    NAME.get_or_init(|| name);
    // Before anything else: every call of a participant's program pays for the time until here.
    if env::args_os().nth(1).is_some_and(|word| word == SUPERVISE) {
        return match arena::process::supervise() {
            Ok(()) => ExitCode::SUCCESS,
            Err(error) => {
                complain(&format!("cannot supervise a program: {error}"));
                ExitCode::FAILURE
            }
        };
    }
    if let Err(error) = arena::process::launch_by(&[SUPERVISE]) {
        complain(&format!("cannot find this program: {error}"));
    }
    if let Err(error) = interrupt::outlive_large_writes() {
        complain(&format!(
            "a file of the largest size will end this program: {error}"
        ));
    }
    match command() {
        // The results so far are printed, but they are not all that was asked for.
        Ok(()) if interrupt::has_been_requested() => interrupt::Interrupted.into(),
        Ok(()) => ExitCode::SUCCESS,
        // The reader of our output has read enough.
        Err(error) if is_broken_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            // The message may quote the output of a participant's program, with any bytes in it.
            complain(&printable_lines(&told(&error)));
            if error.is::<Usage>() {
                ExitCode::from(2)
            } else if error.is::<interrupt::Interrupted>() {
                interrupt::Interrupted.into()
            } else {
                ExitCode::FAILURE
            }
        }
    }
}

/// An error and its causes. A cause is left out if the text before it ends with it.
fn told(error: &anyhow::Error) -> String {
    let causes = error.chain().map(ToString::to_string);
    causes.fold(String::new(), |text, cause| match () {
        () if text.is_empty() => cause,
        () if text.ends_with(&cause) => text,
        () => format!("{text}: {cause}"),
    })
}

/// Whether the error comes from output that nobody reads any more, as after `lab … | head`.
fn is_broken_pipe(error: &anyhow::Error) -> bool {
    error.chain().any(|cause| {
        cause
            .downcast_ref::<io::Error>()
            .is_some_and(|error| error.kind() == ErrorKind::BrokenPipe)
            || cause
                .downcast_ref::<serde_json::Error>()
                .is_some_and(|error| error.io_error_kind() == Some(ErrorKind::BrokenPipe))
    })
}

/// A pool of this number of threads; 0 stands for one a core.
///
/// # Errors
/// If they cannot be started.
pub fn threads(number: usize) -> anyhow::Result<ThreadPool> {
    let pool = ThreadPoolBuilder::new().num_threads(number).build();
    pool.context("starting threads")
}

/// The tables of the challenge game's players: those of the folder that an option names, or those of the support
/// folder or the program. `option` begins an error's text.
///
/// # Errors
/// Wrong usage if the named folder has no tables that can be used: others in their place would measure the wrong thing.
pub fn tables(option: &str, named: Option<&Path>) -> Result<Tables, Usage> {
    match named {
        Some(folder) => {
            Tables::read(folder).map_err(|error| Usage::new(format!("{option}: {error}")))
        }
        None => Ok(Tables::new(support_folder(), complain)),
    }
}
