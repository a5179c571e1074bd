mod serve;

use super::matches::Hearts;
use crate::tricks::commands::{GamesArgs, LadderArgs, MatchArgs, ReplayArgs, ReportArgs};
use clap::Subcommand;

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Play whole games between two players and count the wins of each
    Games(GamesArgs),
    /// Play all pairs of players: points, moons, and how well choices and cards are predicted
    Ladder(LadderArgs),
    /// Play rounds between players and print the points of each
    Match(MatchArgs),
    /// Print a recorded round
    Replay(ReplayArgs),
    /// Write rounds into an HTML file: standings, times, faults, replays
    Report(ReportArgs),
    /// Serve groups of programs over named pipes
    Serve(serve::Args),
}

impl Command {
    pub(crate) fn run(self) -> anyhow::Result<()> {
        match self {
            Command::Games(args) => args.run(&Hearts),
            Command::Ladder(args) => args.run(&Hearts),
            Command::Match(args) => args.run(&Hearts),
            Command::Replay(args) => args.run(&Hearts),
            Command::Report(args) => args.run(&Hearts),
            Command::Serve(args) => args.run(),
        }
    }
}
