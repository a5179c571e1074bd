//! `contest eights dispatch SERVER P1 P2 P3 P4 SEED`: reads the command lines and limits for
//! `crate::eights::dispatch`.

use crate::eights::SEAT_NAMES;
use crate::eights::dispatch::{Limits, dispatch};
use crate::isolation::IsolationArgs;
use crate::{Usage, interrupt};
use anyhow::Context;
use arena::process::CommandLine;
use clap::Args as ClapArgs;
use seats::cli::numbers::seconds_above_none;
use std::str::FromStr;
use std::time::Duration;

/// Links a server and four programs by their standard streams, and plays one game.
///
/// Each is a path or a name, with arguments if they are quoted as one word, such as "contest eights serve",
/// which is the judge of this package, or "eights --time 0.5". The programs sit north, east, south and
/// west. A program that is late, too large, or ends is disqualified, and random legal cards are played for
/// it. The server has your own rights; the programs are confined.
#[derive(Debug, ClapArgs)]
pub(crate) struct Args {
    /// The server; the seed becomes its last argument
    server: String,
    /// The four programs: north, east, south and west
    #[arg(required = true, num_args = 4, value_name = "PLAYER")]
    players: Vec<String>,
    /// Seed of the deals
    seed: u64,
    /// Time for a card
    #[arg(long, default_value = "4", value_name = "SECONDS", value_parser = seconds_above_none)]
    time: Duration,
    /// Memory that a program may hold, in MiB, or `none`: the resident memory (`VmHWM` of Linux) of all its
    /// processes together, including code and libraries
    #[arg(long, default_value = "4", value_name = "MIB")]
    memory: Memory,
    #[command(flatten)]
    isolation: IsolationArgs,
}

/// Memory that a program may hold, in MiB, if it is limited.
#[derive(Clone, Copy, Debug)]
pub(super) struct Memory(Option<u64>);

/// More memory than any machine has, in MiB.
const MOST_MEMORY: u64 = 1 << 40;

impl FromStr for Memory {
    type Err = String;

    fn from_str(text: &str) -> Result<Memory, String> {
        if text == "none" {
            return Ok(Memory(None));
        }
        let mib = text.parse().ok();
        match mib.filter(|mib| (1..=MOST_MEMORY).contains(mib)) {
            Some(mib) => Ok(Memory(Some(mib))),
            None => Err("expected a whole number of MiB, from 1, or none".to_owned()),
        }
    }
}

impl Memory {
    /// The same in bytes.
    pub(super) fn bytes(self) -> Option<u64> {
        self.0.map(|mib| mib << 20)
    }
}

impl Args {
    pub(super) fn run(self) -> anyhow::Result<()> {
        let line = |text: &String| text.parse::<CommandLine>().map_err(Usage::of);
        // The seed becomes the last argument of the server.
        let server = line(&self.server)?.with_arguments([self.seed.to_string().into()]);
        // The server is the organizer's own program, so only the players are confined.
        let confinement = self.isolation.confinement(true, &[])?;
        let players = self.players.iter().zip(SEAT_NAMES).map(|(text, seat)| {
            let line = line(text)?.called(seat);
            anyhow::Ok(line.confined(confinement.clone()))
        });
        let players: Vec<CommandLine> = players.collect::<Result<_, _>>()?;
        let players = players
            .try_into()
            .map_err(|_| Usage::new("expected four players"))?;
        let limits = Limits {
            time: self.time,
            memory: self.memory.bytes(),
            ..Limits::default()
        };
        // A signal ends everything at once: an unfinished game has no result.
        interrupt::ends_all();
        // A judge that only cannot write its log has named the winner, and ends with an error.
        dispatch(&server, &players, &limits, |text| {
            engine::note!("contest: {text}")
        })
        .context("the game is not finished, unless its winner is named above")
    }
}
