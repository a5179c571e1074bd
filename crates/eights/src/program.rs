//! The program `eights`, the Tricky Eights player: it reads the server's lines on standard input and answers on
//! standard output.

use crate::player::{Client, play};
use clap::{CommandFactory, Parser};
use engine::arguments;
use std::io;
use std::process::ExitCode;
use tricks::program::{Thinking, warn};

/// Plays Tricky Eights: reads the server's lines, prints a card for each take and play.
#[derive(Debug, Parser)]
#[command(name = "eights", version, max_term_width = 100, after_help = EXAMPLES)]
struct Args {
    #[command(flatten)]
    thinking: Thinking,
}

const EXAMPLES: &str = "Examples:\n  eights --time 0.5 < lines.txt";

/// The program's command line, for its manual and for shells.
pub fn command() -> clap::Command {
    Args::command()
}

/// Runs the `eights` program with the process's arguments.
pub fn eights() -> ExitCode {
    let Args { thinking } = arguments::parse();
    let mut client = Client::new(thinking.agent(), thinking.seed);
    let (input, output) = (io::stdin().lock(), io::stdout().lock());
    let played = play(&mut client, input, output, |client, response| {
        thinking.report("eights", client.player(), response);
    });
    match played {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            warn("eights", error);
            ExitCode::FAILURE
        }
    }
}
