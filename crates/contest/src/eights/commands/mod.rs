mod dispatch;
mod knockout;
mod serve;

use super::matches::Eights;
use crate::tournament::commands::{MergeArgs, RateArgs, TournamentArgs};
use crate::tricks::commands::{
    GamesArgs, LadderArgs, MatchArgs, ReplayArgs, ReportArgs, RulesArgs,
};
use crate::tricks::tournament::RoundRules;
use clap::Subcommand;

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Link a server and four programs by their standard streams, and play a game
    Dispatch(dispatch::Args),
    /// Play whole games between two players and count the wins of each
    Games(GamesArgs),
    /// Play a single-elimination tournament at tables of four
    Knockout(knockout::Args),
    /// Play all pairs of players: points, and how well choices and cards are predicted
    Ladder(LadderArgs),
    /// Play rounds between players and print the points of each
    Match(MatchArgs),
    /// Join the shards of a tournament that were played apart
    Merge(MergeArgs),
    /// Print the ratings of a tournament
    Rate(RateArgs),
    /// Print a recorded round
    Replay(ReplayArgs),
    /// Write rounds into an HTML file: standings, times, faults, replays
    Report(ReportArgs),
    /// Judge a game on standard input and output: deal, referee, score, log
    Serve(serve::Args),
    /// Play a tournament of whole games between programs, or continue one
    Tournament(Box<TournamentArgs<RulesArgs<Eights>>>),
}

impl Command {
    pub(crate) fn run(self) -> anyhow::Result<()> {
        match self {
            Command::Dispatch(args) => args.run(),
            Command::Games(args) => args.run(&Eights),
            Command::Knockout(args) => args.run(),
            Command::Ladder(args) => args.run(&Eights),
            Command::Match(args) => args.run(&Eights),
            Command::Merge(args) => args.run::<RoundRules<Eights>>(),
            Command::Rate(args) => args.run::<RoundRules<Eights>>(),
            Command::Replay(args) => args.run(&Eights),
            Command::Report(args) => args.run(&Eights),
            Command::Serve(args) => args.run(),
            Command::Tournament(args) => args.run(),
        }
    }
}
