mod serve;

use super::matches::Hearts;
use crate::tournament::commands::{MergeArgs, RateArgs, TournamentArgs};
use crate::tricks::commands::{
    GamesArgs, LadderArgs, MatchArgs, ReplayArgs, ReportArgs, RulesArgs,
};
use crate::tricks::tournament::RoundRules;
use clap::{Args, Subcommand};

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Play whole games between two players and count the wins of each
    Games(WithPassing<GamesArgs>),
    /// Play all pairs of players: points, moons, and how well choices and cards are predicted
    Ladder(LadderArgs),
    /// Play rounds between players and print the points of each
    Match(WithPassing<MatchArgs>),
    /// Join the shards of a tournament that were played apart
    Merge(MergeArgs),
    /// Print the ratings of a tournament
    Rate(RateArgs),
    /// Print a recorded round
    Replay(ReplayArgs),
    /// Write rounds into an HTML file: standings, times, faults, replays
    Report(ReportArgs),
    /// Serve groups of programs over named pipes
    Serve(serve::Args),
    /// Play a tournament of whole games between programs, or continue one
    Tournament(Box<TournamentArgs<RulesArgs<Hearts>>>),
}

/// A command with the rule that the contest does not have.
#[derive(Debug, Args)]
pub(crate) struct WithPassing<A: Args> {
    /// Before a round everybody passes three cards: to the next player, to the one before, across if the number of players
    /// is even, and in the last round of the cycle not at all. Only built-in players know this rule
    #[arg(long)]
    passing: bool,
    #[command(flatten)]
    args: A,
}

impl Command {
    pub(crate) fn run(self) -> anyhow::Result<()> {
        match self {
            Command::Games(WithPassing { passing, args }) => args.run(&Hearts { passing }),
            Command::Ladder(args) => args.run(&Hearts::default()),
            Command::Match(WithPassing { passing, args }) => args.run(&Hearts { passing }),
            Command::Merge(args) => args.run::<RoundRules<Hearts>>(),
            Command::Rate(args) => args.run::<RoundRules<Hearts>>(),
            Command::Replay(args) => args.run(&Hearts::default()),
            Command::Report(args) => args.run(&Hearts::default()),
            Command::Serve(args) => args.run(),
            Command::Tournament(args) => args.run(),
        }
    }
}
