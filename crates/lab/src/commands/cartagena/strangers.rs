//! `lab cartagena strangers`: plays a player against the five strangers, and prints mean and worst case. With
//! `--teach` it makes the weights of a stranger that learns.

use super::bouts::{BoutArgs, PlayerCounts, counts};
use crate::cartagena::bout::Bout;
use crate::cartagena::ledger::BlockLedger;
use crate::cartagena::teach;
use anyhow::{Context, Result};
use arena::progress::Steps;
use arena::text_table::{Column, TextTable, number, percent};
use clap::{Args as ClapArgs, ValueEnum};
use seats::cartagena::players::builtin::{Recipe, recipe_of};
use seats::cartagena::players::strangers::STRANGERS;
use seats::cli::Usage;

#[derive(Debug, ClapArgs)]
pub(crate) struct Args {
    #[command(flatten)]
    bout: BoutArgs,
    /// Another player to measure (`NAME[,key=value…]`)
    #[arg(long, value_name = "PLAYER", conflicts_with = "nodes")]
    player: Option<String>,
    /// Numbers of players: one, several as `2,4`, or a range as `2..6`
    #[arg(long, default_value = "2..6", value_name = "N", value_parser = counts)]
    players: PlayerCounts,
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

impl Args {
    pub(super) fn run(self) -> Result<()> {
        if let Some(learner) = self.teach {
            return self.teach(learner);
        }
        let named = self.player.clone();
        let named = named.unwrap_or_else(|| format!("runme,nodes={}", self.bout.nodes));
        let read = |text: &str| recipe_of(text).map_err(|error| Usage::new(error.to_string()));
        let player = read(&named)?;
        let strangers: Vec<Recipe> = STRANGERS
            .iter()
            .map(|name| read(name))
            .collect::<Result<_, _>>()?;
        let mut ledger = self.bout.ledger()?;
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
        let blocks = self.bout.blocks(players);
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
            let seed = self.bout.seed;
            let bout = Bout {
                player,
                others,
                players,
                seed,
            };
            let key = format!("{named} against {name}, {players} players, seed {seed}");
            let measured = ledger.measure(&key, &bout, blocks, self.bout.jobs.into(), || {
                steps.finished()
            })?;
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
        // The rows are taken as independent, though they share boards and decks: so the variance of their mean is the sum of theirs over n².
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
        let threads = rayon::ThreadPoolBuilder::new().num_threads(self.bout.jobs.into());
        let threads = threads.build().context("starting threads")?;
        let weights: Vec<f32> = threads.install(|| match learner {
            LearningStranger::Linear => {
                let told = |generation, share| {
                    eprintln!("generation {generation}: {share:.3} of a fair share")
                };
                teach::linear(
                    self.rounds,
                    (self.bout.games / 3).max(1),
                    self.bout.seed,
                    told,
                )
                .to_vec()
            }
            LearningStranger::Distilled => {
                let (weights, agreed) = teach::distilled(self.rounds, self.bout.seed);
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
