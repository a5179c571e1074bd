//! `hearts`: the Hearts Server player as the contest calls it.

use super::{Thinking, explain};
use crate::hearts::player::{Baseline, Contestant};
use crate::hearts::protocol::{Frames, Message, frame, parse, print_reply};
use crate::tricks::{Agent, Method};
use anyhow::Context;
use clap::Parser;
use rustix::fs::{CWD, FileType, Mode, mknodat};
use rustix::io::Errno;
use std::fs::{File, OpenOptions};
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Plays Hearts over two named pipes, which it makes if they are missing.
#[derive(Debug, Parser)]
#[command(name = "hearts", version, max_term_width = 100)]
struct Args {
    /// The name told to the server; 15 ASCII characters of it are used
    #[arg(long, default_value = "contestants")]
    name: String,
    /// The pipe to read [default: /tmp/<NAME>In]
    #[arg(long = "in", value_name = "PIPE")]
    input: Option<PathBuf>,
    /// The pipe to write [default: /tmp/<NAME>Out]
    #[arg(long = "out", value_name = "PIPE")]
    output: Option<PathBuf>,
    #[command(flatten)]
    thinking: Thinking,
}

/// Runs the `hearts` program with the process's arguments.
pub fn hearts() -> ExitCode {
    let args = Args::parse();
    match connect(&args).and_then(|(input, output)| play(&args, input, output)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            explain::say(format_args!("hearts: {error:#}\n"));
            ExitCode::FAILURE
        }
    }
}

/// Opens both pipes, the one that is read first.
fn connect(args: &Args) -> anyhow::Result<(File, File)> {
    let default = |end: &str| PathBuf::from(format!("/tmp/{}{end}", args.name.replace('/', "_")));
    let input = args.input.clone().unwrap_or_else(|| default("In"));
    let output = args.output.clone().unwrap_or_else(|| default("Out"));
    make_pipe(&input)?;
    make_pipe(&output)?;
    let reading = File::open(&input).with_context(|| format!("cannot read {}", input.display()))?;
    let writing = OpenOptions::new()
        .write(true)
        .open(&output)
        .with_context(|| format!("cannot write {}", output.display()))?;
    Ok((reading, writing))
}

fn make_pipe(path: &Path) -> anyhow::Result<()> {
    let mode = Mode::RUSR | Mode::WUSR | Mode::RGRP | Mode::WGRP | Mode::ROTH | Mode::WOTH;
    match mknodat(CWD, path, FileType::Fifo, mode, 0) {
        Ok(()) | Err(Errno::EXIST) => Ok(()),
        Err(error) => {
            Err(error).with_context(|| format!("cannot make the pipe {}", path.display()))
        }
    }
}

fn play(args: &Args, mut input: impl Read, mut output: impl Write) -> anyhow::Result<()> {
    let agent = Agent::Search(Baseline::Careful, Method::default(), args.thinking.limits());
    let mut contestant = Contestant::new(&args.name, agent, args.thinking.seed);
    let mut frames = Frames::default();
    let mut buffer = [0; 4096];
    loop {
        while let Some(text) = frames.next_text()? {
            let message = match parse(&text) {
                Ok(Message::Stop) => return Ok(()),
                Ok(message) => message,
                Err(error) => {
                    explain::say(format_args!("hearts: {error}\n"));
                    continue;
                }
            };
            let heard = contestant.hear(message);
            if let Some(reply) = &heard.answer {
                output.write_all(&frame(&print_reply(reply)))?;
                output.flush()?;
            }
            if let Some(trouble) = &heard.trouble {
                explain::say(format_args!("hearts: {trouble}\n"));
            }
            if let (true, Some((view, decision))) = (args.thinking.explain, &heard.decision) {
                explain::show(view, contestant.player(), decision);
            }
        }
        let count = input.read(&mut buffer)?;
        if count == 0 {
            return Ok(());
        }
        frames.push(&buffer[..count]);
    }
}
