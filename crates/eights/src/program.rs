//! `eights`: the Tricky Eights player as the contest calls it.

use crate::player::{Baseline, Contestant, play};
use clap::Parser;
use std::io;
use std::process::ExitCode;
use tricks::program::{self as explain, Thinking};
use tricks::{Agent, Method};

/// Plays Tricky Eights: reads the server's lines, prints a card for each take and play.
#[derive(Debug, Parser)]
#[command(name = "eights", version, max_term_width = 100)]
struct Args {
    #[command(flatten)]
    thinking: Thinking,
}

/// Runs the `eights` program with the process's arguments.
pub fn eights() -> ExitCode {
    let args = Args::parse();
    let agent = Agent::Search(Baseline::Counter, Method::default(), args.thinking.limits());
    let mut contestant = Contestant::new(agent, args.thinking.seed);
    let (input, output) = (io::stdin().lock(), io::stdout().lock());
    let played = play(&mut contestant, input, output, |contestant, heard| {
        if let Some(trouble) = &heard.trouble {
            explain::say(format_args!("eights: {trouble}\n"));
        }
        if let (true, Some((view, decision))) = (args.thinking.explain, &heard.decision) {
            explain::show(view, contestant.player(), decision);
        }
    });
    match played {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            explain::say(format_args!("eights: {error}\n"));
            ExitCode::FAILURE
        }
    }
}
