//! `lab cartagena strangers`: plays a player against the five strangers, and prints mean and worst case. With
//! `--teach` it makes the weights of a stranger that learns.

use crate::cartagena::bout::Bout;
use crate::cartagena::ledger::BlockLedger;
use crate::cartagena::players::builtin::{Recipe, recipe_of};
use crate::cartagena::players::strangers::{STRANGERS, teach};
use crate::cli::Usage;
use anyhow::{Context, Result};
use arena::progress::Steps;
use arena::text_table::{Column, TextTable, number, percent};
use clap::{Args as ClapArgs, ValueEnum};
use std::path::PathBuf;

#[derive(Debug, ClapArgs)]
pub(crate) struct Args {
    /// Positions an action of the package's player
    #[arg(long, default_value_t = 5000, value_name = "N")]
    nodes: u64,
    /// Another player to measure (`NAME[,key=value…]`)
    #[arg(long, value_name = "PLAYER", conflicts_with = "nodes")]
    player: Option<String>,
    /// Numbers of players: one, several as `2,4`, or a range as `2..6`
    #[arg(long, default_value = "2..6", value_name = "N", value_parser = counts)]
    players: PlayerCounts,
    /// Games against each stranger with each number of players, rounded up to whole blocks
    #[arg(long, default_value_t = 600, value_name = "N", value_parser = clap::value_parser!(u64).range(2..))]
    games: u64,
    /// Seed of boards, decks and players
    #[arg(long, default_value_t = 1, value_name = "N")]
    seed: u64,
    /// Blocks at a time; the figures do not depend on it, times excepted
    #[arg(long, default_value_t = 1, value_name = "N", value_parser = clap::value_parser!(u8).range(1..))]
    jobs: u8,
    /// A file that keeps the results: a call that was interrupted goes on with it
    #[arg(long, value_name = "FILE")]
    results: Option<PathBuf>,
    /// Instead find the weights of a stranger that learns, and print them
    #[arg(long, value_name = "STRANGER", conflicts_with_all = ["player", "results"])]
    teach: Option<LearningStranger>,
    /// Rounds of --teach: generations, or games of the teacher
    #[arg(long, default_value_t = 30, value_name = "N", requires = "teach")]
    rounds: u64,
}

/// The strangers whose weights are found by a run.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum LearningStranger {
    Linear,
    Distilled,
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

/// The results that a file keeps, or none.
pub(super) fn ledger(path: Option<&PathBuf>) -> Result<BlockLedger> {
    Ok(match path {
        Some(path) => BlockLedger::open(path)?,
        None => BlockLedger::default(),
    })
}

impl Args {
    pub(super) fn run(self) -> Result<()> {
        if let Some(learner) = self.teach {
            return self.teach(learner);
        }
        let named = self.player.clone();
        let named = named.unwrap_or_else(|| format!("runme,nodes={}", self.nodes));
        let read = |text: &str| recipe_of(text).map_err(|error| Usage::new(error.to_string()));
        let player = read(&named)?;
        let strangers: Vec<Recipe> = STRANGERS
            .iter()
            .map(|name| read(name))
            .collect::<Result<_, _>>()?;
        let mut ledger = ledger(self.results.as_ref())?;
        for &players in &self.players.0 {
            line!(
                "{named}, {players} players, fair {:.1} %",
                100.0 / players as f64
            )?;
            self.measure(&named, &player, &strangers, players, &mut ledger)?;
        }
        Ok(())
    }

    /// Plays against each stranger with one number of players, and prints a table with the mean and the worst case.
    fn measure(
        &self,
        named: &str,
        player: &Recipe,
        strangers: &[Recipe],
        players: usize,
        ledger: &mut BlockLedger,
    ) -> Result<()> {
        // With more than two players there is also a table at which all sit together.
        let mut tables: Vec<(&str, &[Recipe])> =
            STRANGERS.into_iter().zip(strangers.chunks(1)).collect();
        if players > 2 {
            tables.push(("mixed", strangers));
        }
        let blocks = self.games.div_ceil(players as u64).max(2);
        let steps = Steps::new(blocks * tables.len() as u64, "blocks");
        let mut table = TextTable::new([
            Column::left("against", 12),
            Column::right("games", 0),
            Column::right("wins, %", 0),
            Column::right("± 95 %", 0),
            Column::right("ms", 0),
            Column::right("theirs", 0),
        ]);
        let mut rows: Vec<(&str, f64, Option<f64>)> = Vec::new();
        for (name, others) in tables {
            let seed = self.seed;
            let bout = Bout {
                player,
                others,
                players,
                seed,
            };
            let key = format!("{named} against {name}, {players} players, seed {seed}");
            let told = || steps.finished();
            let measured = ledger.measure(&key, &bout, blocks, self.jobs.into(), told)?;
            let (share, margin) = (measured.share.mean(), measured.share.margin_of_share());
            let [own, theirs] = measured.millis();
            table.push([
                name.to_owned(),
                (blocks * players as u64).to_string(),
                percent(Some(share), 1),
                percent(margin, 1),
                number(Some(own), 1),
                number(Some(theirs), 2),
            ]);
            rows.push((name, share, margin));
        }
        steps.clear();
        for text in table.lines() {
            line!("{text}")?;
        }
        // The rows are independent, so the variance of their mean is the sum of theirs over n².
        let count = rows.len() as f64;
        let mean = rows.iter().map(|row| row.1).sum::<f64>() / count;
        let squares = rows.iter().map(|row| row.2.map(|margin| margin * margin));
        let margin = squares.sum::<Option<f64>>().map(|sum| sum.sqrt() / count);
        let worst = rows
            .iter()
            .min_by(|a, b| a.1.total_cmp(&b.1))
            .context("no stranger")?;
        line!(
            "mean {:.1} ± {} %, worst {:.1} ± {} % against {}\n",
            100.0 * mean,
            percent(margin, 1),
            100.0 * worst.1,
            percent(worst.2, 1),
            worst.0
        )?;
        Ok(())
    }

    /// Finds the weights of a stranger, and prints them as its source has them.
    fn teach(&self, learner: LearningStranger) -> Result<()> {
        let threads = rayon::ThreadPoolBuilder::new().num_threads(self.jobs.into());
        let threads = threads.build().context("starting threads")?;
        let weights: Vec<f32> = threads.install(|| match learner {
            LearningStranger::Linear => {
                let told = |generation, share| {
                    eprintln!("generation {generation}: {share:.3} of a fair share")
                };
                teach::linear(self.rounds, self.games / 3, self.seed, told).to_vec()
            }
            LearningStranger::Distilled => {
                let (weights, agreed) = teach::distilled(self.rounds, self.seed);
                eprintln!(
                    "the likeliest action is the teacher's in {:.1} %",
                    100.0 * agreed
                );
                weights.to_vec()
            }
        });
        let texts: Vec<String> = weights
            .iter()
            .map(|weight| format!("{weight:.4}"))
            .collect();
        line!("[{}]", texts.join(", "))?;
        Ok(())
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
