//! `contest eights dispatch SERVER P1 P2 P3 P4 SEED`

use crate::eights::SEAT_NAMES;
use crate::eights::dispatch::{Limits, dispatch};
use crate::isolation::IsolationArgs;
use crate::tricks::commands::seconds_above_none;
use crate::{Usage, interrupt};
use anyhow::Context;
use arena::process::CommandLine;
use clap::Args as ClapArgs;
use std::time::Duration;

/// Links a server and four programs by their standard streams, and plays one game.
///
/// Each is a path, a name, or either with arguments in one word, such as "contest eights serve", which
/// is the judge of this package, or "eights --time 0.5". The programs sit north, east, south and
/// west. A program that is late, too large, or ends is disqualified, and random legal cards are
/// played for it. The server is yours: it may do what you may; the programs are kept apart.
#[derive(Debug, ClapArgs)]
pub(crate) struct Args {
    /// The server; the seed becomes its last argument
    server: String,
    /// The four programs
    #[arg(required = true, num_args = 4, value_name = "PLAYER")]
    players: Vec<String>,
    /// What the deals follow from
    seed: u64,
    /// Time for a card
    #[arg(long, default_value = "4", value_name = "SECONDS", value_parser = seconds_above_none)]
    time: Duration,
    /// Memory that a program may write to, its own code and libraries left out, in MiB
    #[arg(long, value_name = "MIB", value_parser = clap::value_parser!(u64).range(1..=1 << 20))]
    memory: Option<u64>,
    #[command(flatten)]
    isolation: IsolationArgs,
}

impl Args {
    pub(super) fn run(self) -> anyhow::Result<()> {
        let line = |text: &String| {
            text.parse::<CommandLine>()
                .map_err(|error| Usage::new(error.to_string()))
        };
        let server = line(&self.server)?.with_arguments([self.seed.to_string().into()]);
        // The server is the organizer's own.
        let confinement = self.isolation.confinement(true)?;
        let players = self.players.iter().zip(SEAT_NAMES).map(|(text, seat)| {
            let line = line(text)?.called(seat);
            anyhow::Ok(line.confined(confinement.clone()))
        });
        let players: Vec<CommandLine> = players.collect::<Result<_, _>>()?;
        let players = players
            .try_into()
            .map_err(|_| Usage::new("four players are expected"))?;
        let limits = Limits {
            time: self.time,
            memory: self.memory.map(|mib| mib << 20),
            ..Limits::default()
        };
        interrupt::ends_all();
        dispatch(&server, &players, &limits, |text| {
            eprintln!("contest: {text}")
        })
        .context("the game is not finished")
    }
}
