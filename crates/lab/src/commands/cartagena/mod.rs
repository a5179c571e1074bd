//! The commands `lab cartagena …`. Each file has the options of one and prints its results; `crate::cartagena` does
//! the work.

mod bench;
mod bouts;
mod calibrate;
mod exact;
mod exploit;
mod perft;
mod self_play;
mod strangers;
mod train;
mod truth;

use cartagena::evaluation::NetworkFile;
use clap::Subcommand;
use std::path::Path;

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Search a fixed set of positions: the node count is the signature of the search
    Bench(bench::Args),
    /// Compare a network's values with the outcomes of games
    Calibrate(calibrate::Args),
    /// Solve a small game exactly and print the losses of the search's choices in it
    Exact(exact::Args),
    /// Measure what an approximate best response wins against the player
    Exploit(exploit::Args),
    /// Count the action sequences of a fixed game, to check and time the rules
    Perft(perft::Args),
    /// Play the games of a training whose learner runs elsewhere
    SelfPlay(self_play::Args),
    /// Measure a player by five participants that nobody trained on
    Strangers(strangers::Args),
    /// Train a value network by self-play
    Train(train::Args),
    /// Make a set of positions with the values of their actions by long rollouts, and score by it
    Truth(truth::Args),
}

impl Command {
    pub(super) fn run(self) -> anyhow::Result<()> {
        match self {
            Command::Bench(args) => args.run(),
            Command::Calibrate(args) => args.run(),
            Command::Exact(args) => args.run(),
            Command::Exploit(args) => args.run(),
            Command::Perft(args) => args.run(),
            Command::SelfPlay(args) => args.run(),
            Command::Strangers(args) => args.run(),
            Command::Train(args) => args.run(),
            Command::Truth(args) => args.run(),
        }
    }
}

/// The network for a number of players: that of the folder if one is given, otherwise the one inside the program.
fn network(folder: Option<&Path>, players: usize) -> anyhow::Result<NetworkFile> {
    match folder {
        Some(folder) => Ok(NetworkFile::read(
            &folder.join(NetworkFile::name(players)),
            players,
        )?),
        None => NetworkFile::embedded(players).map_err(anyhow::Error::msg),
    }
}
