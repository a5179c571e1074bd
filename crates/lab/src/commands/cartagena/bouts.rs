//! Options of the commands that play bouts of a player and keep their results: `exploit` and `strangers`.

use crate::cartagena::ledger::BlockLedger;
use anyhow::{Context, Result};
use arena::process::Program;
use clap::Args as ClapArgs;
use std::env;
use std::path::PathBuf;

#[derive(Debug, ClapArgs)]
pub(super) struct BoutArgs {
    /// Positions an action of the package's player
    #[arg(long, default_value_t = 5000, value_name = "N")]
    pub nodes: u64,
    /// Games of each bout, rounded up to whole blocks, two at least [default: 600]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(2..=10_000_000))]
    pub games: Option<u64>,
    /// Seed of boards, decks and players
    #[arg(long, default_value_t = 1, value_name = "N")]
    pub seed: u64,
    /// Blocks at a time; the figures do not depend on it, times excepted
    #[arg(long, default_value_t = 1, value_name = "N", value_parser = clap::value_parser!(u8).range(1..))]
    pub jobs: u8,
    /// A file that keeps the results: a call that was interrupted goes on with it. Results of another network or
    /// build of this program are not used again
    #[arg(long, value_name = "FILE")]
    pub results: Option<PathBuf>,
}

impl BoutArgs {
    /// The games of each bout.
    pub(super) fn games(&self) -> u64 {
        self.games.unwrap_or(600)
    }

    /// The results that the file keeps, or none.
    pub(super) fn ledger(&self) -> Result<BlockLedger> {
        Ok(match &self.results {
            Some(path) => BlockLedger::open(path, &own_fingerprint()?)?,
            None => BlockLedger::default(),
        })
    }

    /// The name of a bout of `who` among the results, by everything that these depend on beside the program. `networks`
    /// are the fingerprints of the evaluators: the same name of a folder or player may stand for another network later.
    pub(super) fn name(&self, who: &str, players: usize, networks: &[u64]) -> String {
        let networks: String = networks
            .iter()
            .map(|one| format!(", network {one:016x}"))
            .collect();
        format!("{who}, {players} players, seed {}{networks}", self.seed)
    }

    /// The blocks of a bout: two at least, as one gives no margin.
    pub(super) fn blocks(&self, players: usize) -> u64 {
        self.games().div_ceil(players as u64).max(2)
    }
}

/// A hash of this program's own file. The games follow from all of its code: the search, the rules, the strangers, the
/// responder.
fn own_fingerprint() -> Result<String> {
    let path = env::current_exe().context("cannot find the file of this program")?;
    Ok(Program::find(&path)?.fingerprint()?)
}

/// Numbers of players, each 2 to 6.
#[derive(Clone, Debug)]
pub(super) struct PlayerCounts(pub Vec<usize>);

/// Reads numbers of players: `2`, `2,4` or `2..6`.
pub(super) fn counts(text: &str) -> Result<PlayerCounts, String> {
    let expected = || format!("expected players from 2 to 6, as 2, 2,4 or 2..6, not {text:?}");
    let one = |part: &str| part.trim().parse().map_err(|_| expected());
    let counts: Vec<usize> = match text.split_once("..") {
        Some((low, high)) => (one(low)?..=one(high)?).collect(),
        None => text.split(',').map(one).collect::<Result<_, _>>()?,
    };
    match !counts.is_empty() && counts.iter().all(|count| (2..=6).contains(count)) {
        true => Ok(PlayerCounts(counts)),
        false => Err(expected()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_players_are_read() {
        for (text, expected) in [
            ("2", vec![2]),
            ("2,4", vec![2, 4]),
            ("2..6", vec![2, 3, 4, 5, 6]),
        ] {
            assert_eq!(counts(text).unwrap().0, expected);
        }
        for text in ["1", "7", "", "6..2", "2..7", "two"] {
            assert!(counts(text).unwrap_err().contains("from 2 to 6"), "{text}");
        }
    }
}
