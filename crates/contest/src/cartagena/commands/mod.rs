//! The commands `contest cartagena …`: one module each, which reads the options, calls the library and prints. Modules
//! that several commands share: `games`, `position`, `setting`.

mod analyse;
mod check;
mod games;
mod input;
mod legal;
mod matches;
mod play;
mod position;
mod replay;
mod report;
mod setting;
mod show;
mod tournament;

use super::tournament::Rules;
use crate::tournament::commands::{MergeArgs, RateArgs, TournamentArgs};
use clap::Subcommand;

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Go through a recorded game and print what every action lost
    Analyse(analyse::Args),
    /// Check whether a program keeps to the contest's interface
    Check(check::Args),
    /// Print the input that a program received at an action of a recorded game
    Input(input::Args),
    /// List the legal actions of a game read from a file or standard input
    Legal(legal::Args),
    /// Play programs against each other to find the better one
    Match(matches::Args),
    /// Join the shards of a tournament that were played apart
    Merge(MergeArgs),
    /// Play one game and watch it, or take part
    Play(play::Args),
    /// Print the ratings of a tournament
    Rate(RateArgs),
    /// Print a recorded game, or draw its positions
    Replay(replay::Args),
    /// Write games into an HTML file: ratings, results, faults, replays
    Report(report::Args),
    /// Draw the position of a game read from a file or standard input
    Show(show::Args),
    /// Play a tournament between programs, or continue one
    Tournament(TournamentArgs<tournament::Args>),
}

impl Command {
    /// Runs the command that was named.
    pub(crate) fn run(self) -> anyhow::Result<()> {
        match self {
            Command::Analyse(args) => args.run(),
            Command::Check(args) => args.run(),
            Command::Input(args) => args.run(),
            Command::Legal(args) => args.run(),
            Command::Match(args) => args.run(),
            Command::Merge(args) => args.run::<Rules>(),
            Command::Play(args) => args.run(),
            Command::Rate(args) => args.run::<Rules>(),
            Command::Replay(args) => args.run(),
            Command::Report(args) => args.run(),
            Command::Show(args) => args.run(),
            Command::Tournament(args) => args.run(),
        }
    }
}
