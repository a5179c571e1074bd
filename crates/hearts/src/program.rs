//! The program `hearts`, the Hearts Server player: it opens two named pipes and plays over them.

use crate::pipe::{PipeError, is_same_path, make_pipe};
use crate::player::{Client, play};
use anyhow::Context;
use clap::{CommandFactory, Parser};
use engine::arguments;
use std::fs::{self, File, OpenOptions};
use std::io::{self, IsTerminal, Read, Write};
use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::thread::available_parallelism;
use tricks::program::{Thinking, warn};
use tricks::{Agent, Ends, Search};

/// Plays Hearts over two named pipes, which it makes if they are missing.
#[derive(Debug, Parser)]
#[command(name = "hearts", version, max_term_width = 100, after_help = EXAMPLES)]
struct Args {
    /// The name sent to the server; 15 ASCII characters of it are used
    #[arg(long, default_value = "contestants", value_parser = name)]
    name: String,
    /// The pipe to read [default: /tmp/<NAME>In]
    #[arg(long = "in", value_name = "PIPE")]
    input: Option<PathBuf>,
    /// The pipe to write [default: /tmp/<NAME>Out]
    #[arg(long = "out", value_name = "PIPE")]
    output: Option<PathBuf>,
    /// Points of any player that end a game, if the game has such a limit; the player with the fewest wins
    #[arg(long, value_name = "POINTS", conflicts_with = "rounds", value_parser = clap::value_parser!(u16).range(1..))]
    goal: Option<u16>,
    /// Rounds after which a game ends, if the number is known
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    rounds: Option<u16>,
    /// Threads that think at the same time; one if a number of rounds to play out is given [default: one a
    /// core]
    #[arg(long, value_name = "N", conflicts_with = "nodes")]
    threads: Option<NonZero<usize>>,
    #[command(flatten)]
    thinking: Thinking,
}

/// A name with a character that the protocol can send.
fn name(text: &str) -> Result<String, &'static str> {
    match text.contains(|c| matches!(c, '!'..='~')) {
        true => Ok(text.to_owned()),
        false => Err("expected a printable ASCII character in the name"),
    }
}

/// The exit status for wrong usage, as clap's.
const WRONG_USAGE: u8 = 2;

const EXAMPLES: &str = "Examples:\n  hearts --name me --in /tmp/meIn --out /tmp/meOut";

/// The program's command line, for its manual and for shells.
pub fn command() -> clap::Command {
    Args::command()
}

impl Args {
    /// The pipe to read and the pipe to write.
    fn pipes(&self) -> (PathBuf, PathBuf) {
        // A slash in a name would be a folder.
        let name = self.name.replace('/', "_");
        let default = |end: &str| PathBuf::from(format!("/tmp/{name}{end}"));
        (
            self.input.clone().unwrap_or_else(|| default("In")),
            self.output.clone().unwrap_or_else(|| default("Out")),
        )
    }
}

/// Runs the `hearts` program with the process's arguments.
pub fn hearts() -> ExitCode {
    let args: Args = arguments::parse();
    let (input, output) = args.pipes();
    if is_same_path(&input, &output) {
        let pipe = input.display();
        warn(
            "hearts",
            format_args!("{pipe} is both --in and --out, expected two pipes"),
        );
        return ExitCode::from(WRONG_USAGE);
    }
    let mut made = MadePipes::default();
    let connected = connect(&args, &input, &output, &mut made);
    match connected.and_then(|(input, output)| converse(&args, input, output)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            warn("hearts", format_args!("{error:#}"));
            ExitCode::FAILURE
        }
    }
}

/// The pipes that this program has made, which it removes at its end. Pipes of others stay.
#[derive(Default)]
struct MadePipes(Vec<PathBuf>);

impl MadePipes {
    fn pipe(&mut self, path: &Path) -> Result<(), PipeError> {
        if make_pipe(path)? {
            self.0.push(path.to_owned());
        }
        Ok(())
    }
}

impl Drop for MadePipes {
    fn drop(&mut self) {
        for pipe in &self.0 {
            // Somebody else may have removed it.
            let _ = fs::remove_file(pipe);
        }
    }
}

/// Opens both pipes, first the one that is read.
fn connect(
    args: &Args,
    input: &Path,
    output: &Path,
    made: &mut MadePipes,
) -> anyhow::Result<(File, File)> {
    // A plain file in a pipe's place would never bring more than it holds, or would be overwritten. `make_pipe`
    // reports it as an error.
    for pipe in [input, output] {
        if !pipe.exists() || pipe.is_file() {
            made.pipe(pipe)?;
        }
    }
    // Opening waits until somebody opens the other end. A person is told for what; the pipes' names may differ from the
    // player's.
    if io::stderr().is_terminal() || args.name.contains('/') {
        let (input, output) = (input.display(), output.display());
        warn(
            "hearts",
            format_args!("waiting for a server at {input} and {output}"),
        );
    }
    let reading = File::open(input).with_context(|| format!("cannot read {}", input.display()))?;
    let writing = OpenOptions::new()
        .write(true)
        .open(output)
        .with_context(|| format!("cannot write {}", output.display()))?;
    Ok((reading, writing))
}

/// Makes the client that the arguments ask for, and lets it play over the pipes.
fn converse(args: &Args, input: impl Read, output: impl Write) -> anyhow::Result<()> {
    let thinking = &args.thinking;
    // A search with a limit of nodes uses one thread whatever this says, so that answers repeat.
    let threads = args.threads.or_else(|| available_parallelism().ok());
    let agent = match thinking.agent() {
        Agent::Search(search) => Agent::Search(Search {
            threads: threads.map_or(1, NonZero::get),
            ..search
        }),
        policy @ Agent::Policy(_) => policy,
    };
    let mut client = Client::new(&args.name, agent, thinking.seed);
    let points = args.goal.map(Ends::AtPoints);
    if let Some(ends) = points.or(args.rounds.map(Ends::AfterRounds)) {
        client = client.playing_until(ends);
    }
    play(&mut client, input, output, |client, response| {
        thinking.report("hearts", client.player(), response);
    })?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_pipes_that_were_made_are_removed() {
        let folder = tempfile::tempdir().unwrap();
        let [old, new] = ["old", "new"].map(|name| folder.path().join(name));
        make_pipe(&old).unwrap();
        let mut made = MadePipes::default();
        made.pipe(&old).unwrap();
        made.pipe(&new).unwrap();
        assert!(old.exists() && new.exists());
        drop(made);
        assert!(old.exists() && !new.exists());
    }
}
