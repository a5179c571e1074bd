//! Makes and measures players: training, exact solvers, exploitability. Nothing here plays in a contest. The crate has a
//! module for each game, and the program `lab`. The players that others are measured by are in [`seats`].
//!
//! An exact value to measure a player by:
//!
//! ```
//! use cartagena::rules::{Board, Cards, Game, Symbol};
//! use lab::cartagena::solver::{SmallGame, Solution};
//!
//! // One pirate each, one space, one card each: the first to move blocks the space, and the second
//! // jumps over it onto the boat.
//! let game = Game { pirates: 1, ..Game::new(Board::new(vec![Symbol::Bottle])?, 2) };
//! let deck = Cards::from_counts([2, 0, 0, 0, 0, 0]);
//! let small = SmallGame { game, deck, deal: 1, allow_pass: false };
//! let solution = Solution::of(small, 1000)?;
//! assert_eq!(solution.value(&solution.states()[0], 1), Some(1.0));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#[macro_use]
extern crate seats;

pub mod cartagena;
pub mod challenge;
mod commands;
pub mod tricks;

use clap::{CommandFactory, Parser};
use seats::cli;
use std::process::ExitCode;

/// Makes and measures players of four games: training, exact solutions, exploitability, inference.
#[derive(Debug, Parser)]
#[command(name = "lab", version, max_term_width = 100)]
struct Lab {
    #[command(subcommand)]
    command: commands::Command,
}

/// The command line of the program `lab`.
pub fn command() -> clap::Command {
    cli::examples::with_examples(Lab::command(), EXAMPLES)
}

/// Commands that work, in an order in which each finds what it needs.
pub const EXAMPLES: &str = include_str!("examples.txt");

/// Runs the program `lab` with the process's arguments.
pub fn lab() -> ExitCode {
    cli::run("lab", || {
        let lab: Lab = cli::examples::parse(Lab::command(), EXAMPLES, std::env::args_os());
        lab.command.run()
    })
}
