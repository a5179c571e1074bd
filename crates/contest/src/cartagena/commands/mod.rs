//! `contest cartagena …`

mod analyse;
mod announcement;
mod bench;
mod calibrate;
mod check;
mod exact;
mod games;
mod input;
mod legal;
mod live;
mod matches;
mod merge;
mod perft;
mod play;
mod position;
mod rate;
mod replay;
mod report;
mod self_play;
mod setting;
mod show;
mod tournament;
mod train;
mod truth;
mod warm_up;

use cartagena::evaluation::NetworkFile;
use clap::Subcommand;
use std::path::Path;

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Go through a recorded game and say what every action lost
    Analyse(analyse::Args),
    /// Search a fixed set of positions: the node count is the signature of the search
    Bench(bench::Args),
    /// Compare a network's values with the outcomes of games
    Calibrate(calibrate::Args),
    /// Say whether a program keeps to the contest's interface
    Check(check::Args),
    /// Print what a program got on its standard input at an action of a recorded game
    Input(input::Args),
    /// List the legal actions of a game read from a file or standard input
    Legal(legal::Args),
    /// Solve a small game exactly and say what the search's choices lose in it
    Exact(exact::Args),
    /// Play programs against each other and say who is better
    Match(matches::Args),
    /// Join the shards of a tournament that were played apart
    Merge(merge::Args),
    /// Count the action sequences of a fixed game, to check and time the rules
    Perft(perft::Args),
    /// Play one game and watch it, or take part
    Play(play::Args),
    /// Print the ratings of a tournament
    Rate(rate::Args),
    /// Print a recorded game, or draw its positions
    Replay(replay::Args),
    /// Write games into an HTML file: ratings, results, faults, replays
    Report(report::Args),
    /// Play the games of a training whose learner runs elsewhere
    SelfPlay(self_play::Args),
    /// Draw the position of a game read from a file or standard input
    Show(show::Args),
    /// Play a tournament between programs, and go on with one
    Tournament(tournament::Args),
    /// Train a value network by self-play
    Train(train::Args),
    /// Make a set of positions with the values of their actions by long rollouts, and score by it
    Truth(truth::Args),
}

impl Command {
    pub(crate) fn run(self) -> anyhow::Result<()> {
        match self {
            Command::Analyse(args) => args.run(),
            Command::Bench(args) => args.run(),
            Command::Calibrate(args) => args.run(),
            Command::Check(args) => args.run(),
            Command::Input(args) => args.run(),
            Command::Legal(args) => args.run(),
            Command::Exact(args) => args.run(),
            Command::Match(args) => args.run(),
            Command::Merge(args) => args.run(),
            Command::Perft(args) => args.run(),
            Command::Play(args) => args.run(),
            Command::Rate(args) => args.run(),
            Command::Replay(args) => args.run(),
            Command::Report(args) => args.run(),
            Command::SelfPlay(args) => args.run(),
            Command::Show(args) => args.run(),
            Command::Tournament(args) => args.run(),
            Command::Train(args) => args.run(),
            Command::Truth(args) => args.run(),
        }
    }
}

/// The network for a number of players in a folder, or else in the program.
fn network(folder: Option<&Path>, players: usize) -> anyhow::Result<NetworkFile> {
    match folder {
        Some(folder) => Ok(NetworkFile::read(
            &folder.join(NetworkFile::name(players)),
            players,
        )?),
        None => NetworkFile::embedded(players).map_err(anyhow::Error::msg),
    }
}

/// Names what is wrong with a network.
fn report_trouble(line: &str) {
    eprintln!("contest: {line}");
}
