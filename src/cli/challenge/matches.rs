//! `contest challenge match A B`

use crate::arena::challenge::duel::Duel;
use crate::challenge::player::builtin::{Builtin, by_name};
use clap::Args as ClapArgs;

/// Plays two built-in players against each other.
///
/// Every deal is played twice, with sides swapped; the interval covers the true share of wins with
/// a chance of 95 %.
#[derive(Debug, ClapArgs)]
pub(in crate::cli) struct Args {
    /// The player the result is told of
    #[arg(value_parser = by_name)]
    first: Builtin,
    /// Its opponent
    #[arg(value_parser = by_name)]
    second: Builtin,
    /// Games, rounded up to pairs
    #[arg(long, value_name = "N", default_value_t = 2000)]
    games: u64,
    /// Seed of deals and players
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

impl Args {
    pub(super) fn run(self) -> anyhow::Result<()> {
        let duel = Duel {
            players: [self.first, self.second],
            pairs: self.games.div_ceil(2),
            seed: self.seed,
        };
        let score = duel.run();
        let margin = score
            .share
            .margin()
            .map_or(String::new(), |margin| format!(" ± {:.2}", 100.0 * margin));
        let [won, lost] = score.won;
        let [own, theirs] = score.faults;
        line!(
            "{} : {}: {won} : {lost} games, {:.2}{margin} % won",
            self.first.name,
            self.second.name,
            100.0 * score.share.mean()
        )?;
        let games = (won + lost).max(1) as f64;
        line!(
            "faults {own} : {theirs}, {:.1} hands a game",
            score.hands as f64 / games
        )?;
        Ok(())
    }
}
