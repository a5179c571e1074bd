//! The organizers' side of four game-playing contests. For each game it has a referee, a format of records,
//! reports and commands. The program `contest` only calls this library.
//!
//! A match writes each game as one record on a line of its own. All later tools, such as ratings, reports and
//! replays, read these records:
//!
//! ```
//! use arena::records::Reader;
//! use arena::{ScheduledGame, Referee};
//! use contest::cartagena::game::{Conduct, Penalty};
//! use contest::cartagena::record::Record;
//! use contest::cartagena::{Participant, Match, Options};
//! use seats::cartagena::players::builtin;
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
//! let history = record.positions()?;
//! assert_eq!(history.steps.len(), record.actions.len());
//! # Ok(())
//! # }
//! ```

#[macro_use]
extern crate seats;

pub mod cartagena;
pub mod challenge;
pub mod eights;
pub mod hearts;
mod manual_pages;
mod match_error;
mod play_command;
mod records;
pub mod resume;
pub mod tournament;
pub mod tricks;

pub use arena::practice;
pub use match_error::MatchError;

use clap::{Command, CommandFactory, Parser, Subcommand};
use seats::cli::examples::{parse, with_examples};
use seats::cli::{self, Usage, complain, interrupt, isolation, shell};
use std::env;
use std::ffi::OsString;
use std::process::ExitCode;

/// Referees and tools for four game-playing contests.
#[derive(Debug, Parser)]
#[command(name = "contest", version, max_term_width = 100)]
struct Contest {
    #[command(subcommand)]
    contest: Which,
}

#[derive(Debug, Subcommand)]
enum Which {
    /// Cartagena: matches, tournaments and analysis
    #[command(subcommand)]
    Cartagena(Box<cartagena::commands::Command>),
    /// The challenge card game: contests over TCP, matches
    #[command(subcommand)]
    Challenge(challenge::commands::Command),
    /// Tricky Eights: the judge, the dispatcher, matches
    #[command(subcommand)]
    Eights(eights::commands::Command),
    /// Hearts: the server, matches
    #[command(subcommand)]
    Hearts(hearts::commands::Command),
    /// Play in a browser or a terminal, against the players, programs, friends
    Play(play_command::Args),
    /// Writes the manual pages and shell completions of all programs
    #[command(hide = true)]
    Pages(manual_pages::PagesArgs),
}

/// Commands that moved to the program `lab`. In this version `contest` still answers them with the new name.
const MOVED: [&str; 13] = [
    "cartagena bench",
    "cartagena calibrate",
    "cartagena exact",
    "cartagena perft",
    "cartagena self-play",
    "cartagena train",
    "cartagena truth",
    "challenge exploit",
    "challenge solve",
    "eights inference",
    "eights train",
    "hearts inference",
    "hearts train",
];

/// Example commands, which end the help of the commands they belong to. Each may need files that earlier ones
/// make, so their order matters.
pub const EXAMPLES: &str = include_str!("examples.txt");

/// The command line of the program `contest`, for its manual pages and for tests.
pub fn command() -> Command {
    with_examples(Contest::command(), EXAMPLES)
}

/// The arguments with the name that a command has now: `eights tournament` without a folder was what `eights knockout`
/// is.
fn named_now(mut arguments: Vec<OsString>) -> Vec<OsString> {
    let is = |at: usize, word: &str| arguments.get(at).is_some_and(|argument| argument == word);
    let of_tournament = |argument: &OsString| {
        let text = argument.to_string_lossy();
        text == "--out" || text.starts_with("--out=") || text == "--help" || text == "-h"
    };
    if is(1, "eights") && is(2, "tournament") && !arguments.iter().any(of_tournament) {
        engine::note!("contest: without --out this is \"contest eights knockout\"");
        arguments[2] = "knockout".into();
    }
    arguments
}

/// Runs the `contest` program with the process's arguments.
pub fn contest() -> ExitCode {
    cli::run("contest", || {
        // The first two words name a command.
        let words = env::args_os().skip(1).take(2);
        let words: Vec<String> = words.map(|word| word.to_string_lossy().into()).collect();
        let named = words.join(" ");
        // Before clap reads the arguments: it would only report an unknown command.
        if MOVED.contains(&&*named) {
            refuse!("this is \"lab {named}\" now");
        }
        let contest: Contest = parse(
            Contest::command(),
            EXAMPLES,
            named_now(env::args_os().collect()),
        );
        match contest.contest {
            Which::Cartagena(command) => command.run(),
            Which::Challenge(command) => command.run(),
            Which::Eights(command) => command.run(),
            Which::Hearts(command) => command.run(),
            Which::Play(args) => args.run(),
            Which::Pages(pages) => pages.run(command()),
        }
    })
}
