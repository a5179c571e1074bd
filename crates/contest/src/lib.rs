//! The organizers' side of four game-playing contests: for each a referee, its records, reports and
//! commands.
//!
//! What a match writes is read by everything later, a record a line:
//!
//! ```
//! use arena::records::Reader;
//! use arena::{ScheduledGame, Referee};
//! use contest::cartagena::game::{Conduct, Penalty};
//! use contest::cartagena::record::Record;
//! use contest::cartagena::{Participant, Match, Options};
//! use lab::cartagena::players::builtin;
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let player = |name: &str| builtin::recipe_of(name).map(|made| Participant::inside(name.to_owned(), made));
//! let two = Match {
//!     participants: vec![player("greedy")?, player("rearmost")?],
//!     line_ups: vec!["1".to_owned()],
//!     options: Options {
//!         deal: 3,
//!         boat_retreat: true,
//!         board: None,
//!         positions: Vec::new(),
//!         seed: 1,
//!         own_deals: false,
//!         conduct: Conduct { max_turns: 500, penalty: Penalty::Forfeit },
//!         faultless: true,
//!         record: true,
//!     },
//! };
//! let game = ScheduledGame { line_up: 0, block: 0, rotation: 0, seats: vec![0, 1] };
//! let played = two.play(&game)?;
//!
//! let mut records = Reader::<_, Record>::new("games.jsonl", &played.line[..]);
//! let record = records.next().ok_or("no game")??;
//! assert_eq!(record.players, ["greedy", "rearmost"]);
//! let history = record.history()?;
//! assert_eq!(history.steps.len(), record.actions.len());
//! # Ok(())
//! # }
//! ```

/// Prints a line on standard output; unlike `println`, it fails instead of panicking when nobody
/// reads.
macro_rules! line {
    ($($text:tt)*) => {
        std::io::Write::write_fmt(
            &mut std::io::stdout().lock(),
            format_args!("{}\n", format_args!($($text)*)),
        )
    };
}

pub mod cartagena;
pub mod challenge;
mod connections;
pub mod eights;
pub mod hearts;
mod interrupt;
mod isolation;
mod pages;
pub mod play;
pub mod practice;
mod records;
mod shell;
mod tables;
pub mod tricks;

use arena::plain_text::printable_lines;
use clap::{CommandFactory, Parser, Subcommand};
use std::env;
use std::io::{self, ErrorKind};
use std::process::ExitCode;
use thiserror::Error;

/// Referees and tools for four game-playing contests.
#[derive(Debug, Parser)]
#[command(name = "contest", version, max_term_width = 100)]
struct Contest {
    #[command(subcommand)]
    contest: Which,
}

#[derive(Debug, Subcommand)]
enum Which {
    /// Cartagena: matches, tournaments, training and analysis
    #[command(subcommand)]
    Cartagena(Box<cartagena::commands::Command>),
    /// The challenge card game: contests over TCP, matches and the tables of its player
    #[command(subcommand)]
    Challenge(challenge::commands::Command),
    /// Tricky Eights: the judge, the dispatcher, matches
    #[command(subcommand)]
    Eights(eights::commands::Command),
    /// Hearts: the server, matches
    #[command(subcommand)]
    Hearts(hearts::commands::Command),
    /// Play in a browser, against the players, friends, or both
    Play(tables::Args),
    /// Writes the manual pages and shell completions of all programs
    #[command(hide = true)]
    Pages(pages::PagesArgs),
}

/// With this word as its first argument the program is the supervisor of another.
const SUPERVISE: &str = "supervise";

/// Wrong usage that only shows after the arguments are read; exit status 2.
#[derive(Debug, Error)]
#[error("{0}")]
struct Usage(String);

impl Usage {
    fn new(text: impl Into<String>) -> Usage {
        Usage(text.into())
    }

    /// An error that the user can mend.
    fn of(error: impl std::fmt::Display) -> Usage {
        Usage(error.to_string())
    }
}

/// Runs the `contest` program with the process's arguments.
pub fn contest() -> ExitCode {
    // Before anything else: it is done for every call of a program.
    if env::args_os().nth(1).is_some_and(|word| word == SUPERVISE) {
        return match arena::process::supervise() {
            Ok(()) => ExitCode::SUCCESS,
            Err(error) => {
                eprintln!("contest: cannot supervise a program: {error}");
                ExitCode::FAILURE
            }
        };
    }
    if let Err(error) = arena::process::launch_by(&[SUPERVISE]) {
        eprintln!("contest: cannot find this program: {error}");
    }
    let outcome = match Contest::parse().contest {
        Which::Cartagena(command) => command.run(),
        Which::Challenge(command) => command.run(),
        Which::Eights(command) => command.run(),
        Which::Hearts(command) => command.run(),
        Which::Play(args) => args.run(),
        Which::Pages(pages) => pages.run(Contest::command()),
    };
    match outcome {
        // What was played is told, and is not all that was to be played.
        Ok(()) if interrupt::has_been_requested() => interrupt::Interrupted.into(),
        Ok(()) => ExitCode::SUCCESS,
        // The reader of our output has read enough.
        Err(error) if is_broken_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            // It may quote whatever a program has written.
            eprintln!("contest: {}", printable_lines(&format!("{error:#}")));
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
