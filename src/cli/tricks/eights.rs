//! `eights`: the Tricky Eights player as the contest calls it.

use super::{Thinking, explain};
use crate::eights::player::{Baseline, Contestant};
use crate::eights::protocol::print_card;
use crate::tricks::{Agent, Method};
use clap::Parser;
use std::io::{self, BufRead, Write};
use std::process::ExitCode;

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
    match play(&args, io::stdin().lock(), io::stdout().lock()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            explain::say(format_args!("eights: {error:#}\n"));
            ExitCode::FAILURE
        }
    }
}

fn play(args: &Args, mut input: impl BufRead, mut output: impl Write) -> anyhow::Result<()> {
    let agent = Agent::Search(Baseline::Counter, Method::default(), args.thinking.limits());
    let mut contestant = Contestant::new(agent, args.thinking.seed);
    let mut bytes = Vec::new();
    loop {
        bytes.clear();
        if input.read_until(b'\n', &mut bytes)? == 0 {
            return Ok(());
        }
        let heard = contestant.hear(&String::from_utf8_lossy(&bytes));
        if let Some(card) = heard.answer {
            writeln!(output, "{}", print_card(card))?;
            output.flush()?;
        }
        if let Some(trouble) = heard.trouble {
            explain::say(format_args!("eights: {trouble}\n"));
        }
        if let (true, Some((view, decision))) = (args.thinking.explain, &heard.decision) {
            explain::show(view, contestant.player(), decision);
        }
    }
}
