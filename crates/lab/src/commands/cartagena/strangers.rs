//! `lab cartagena strangers`: plays a player against the five strangers, and prints mean and worst case. With
//! `--teach` it makes the weights of a stranger that learns.

use super::bouts::{BoutArgs, PlayerCounts, counts};
use crate::cartagena::bout::Bout;
use crate::cartagena::ledger::BlockLedger;
use crate::cartagena::teach;
use anyhow::{Context, Result};
use arena::participant::Spec;
use arena::progress::Steps;
use arena::stats::Mean;
use arena::text_table::{Column, TextTable, number, percent};
use clap::{Args as ClapArgs, ValueEnum};
use seats::cartagena::players::builtin::{Recipe, Searching, recipe_of};
use seats::cartagena::players::strangers::STRANGERS;
use seats::cli::{self, Usage};
use std::sync::Arc;

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
    #[arg(long, value_name = "STRANGER", conflicts_with_all = ["nodes", "player", "players", "results"])]
    teach: Option<LearningStranger>,
    /// Rounds of --teach: generations of --games each for `linear`, games of the teacher for `distilled`
    #[arg(long, default_value_t = 30, value_name = "N", requires = "teach", value_parser = clap::value_parser!(u64).range(1..))]
    rounds: u64,
}

/// The strangers whose weights are found by a run.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum LearningStranger {
    Linear,
    Distilled,
}

/// The player that is measured.
struct Measured {
    named: String,
    recipe: Recipe,
    /// How `runme` searches, the only one of these players that has networks.
    searching: Option<Searching>,
}

impl Args {
    pub(super) fn run(self) -> Result<()> {
        if let Some(learner) = self.teach {
            return self.teach(learner);
        }
        let named = self.player.clone();
        let named = named.unwrap_or_else(|| format!("runme,nodes={}", self.bout.nodes));
        let read = |text: &str| recipe_of(text).map_err(Usage::of);
        let spec: Spec = named.parse().map_err(Usage::of)?;
        let mut player = Measured {
            recipe: read(&named)?,
            searching: None,
            named,
        };
        if spec.name == "runme" {
            let searching = Searching::new(&spec.settings)?;
            player.searching = Some(searching.clone());
            // The same networks, so that one that cannot be used is reported once.
            player.recipe = Arc::new(move |seed| Box::new(searching.player(seed)));
        }
        let strangers: Vec<Recipe> = STRANGERS
            .iter()
            .map(|name| read(name))
            .collect::<Result<_, _>>()?;
        let mut ledger = self.bout.ledger()?;
        for &players in &self.players.0 {
            line!(
                "{}, {players} players, fair {:.1} %",
                player.named,
                100.0 / players as f64
            )?;
            self.measure(&player, &strangers, players, &mut ledger)?;
        }
        Ok(())
    }

    /// Plays against each stranger with one number of players, and prints a table with the mean and the worst case.
    fn measure(
        &self,
        player: &Measured,
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
        let searching = player.searching.iter();
        let networks: Vec<u64> = searching
            .map(|searching| searching.evaluators.for_players(players).fingerprint())
            .collect();
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
        let count = tables.len() as f64;
        // Block 7 has the same boards and cards in every row: rows depend on each other, and blocks do not. So the mean is
        // taken block by block.
        let mut means = vec![0.0; blocks as usize];
        for (name, others) in tables {
            let seed = self.bout.seed;
            let bout = Bout {
                player: &player.recipe,
                others,
                players,
                seed,
            };
            let who = format!("{} against {name}", player.named);
            let key = self.bout.name(&who, players, &networks);
            let measured = ledger.measure(&key, &bout, blocks, self.bout.jobs.into(), || {
                steps.finished()
            })?;
            let won = measured.share();
            let (share, margin) = (won.mean(), won.margin_of_share());
            for (mean, share) in means.iter_mut().zip(&measured.shares) {
                *mean += share / count;
            }
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
        line!("{table}")?;
        let mean: Mean = means.into_iter().collect();
        // The least of several noisy shares is too low: with six rows of truly 60 % and standard errors of 2 %, it is 57.5 on
        // average. So their number is printed with it.
        let worst = rows
            .iter()
            .min_by(|a, b| a.1.total_cmp(&b.1))
            .context("no stranger")?;
        line!(
            "mean {:.1} ± {} %, worst of {} {:.1} ± {} % against {}\n",
            100.0 * mean.mean(),
            percent(mean.margin_of_share(), 1),
            rows.len(),
            100.0 * worst.1,
            percent(worst.2, 1),
            worst.0
        )?;
        Ok(())
    }

    /// Finds the weights of a stranger, and prints them as its source has them.
    fn teach(&self, learner: LearningStranger) -> Result<()> {
        if let (LearningStranger::Distilled, Some(games)) = (learner, self.bout.games) {
            refuse!(
                "--games {games}: --teach distilled has no bouts; --rounds is the number of the teacher's games"
            );
        }
        let threads = cli::threads(self.bout.jobs.into())?;
        let weights: Vec<f32> = threads.install(|| match learner {
            LearningStranger::Linear => {
                let told = |generation, share| {
                    engine::note!("generation {generation}: {share:.3} of a fair share")
                };
                teach::linear(
                    self.rounds,
                    (self.bout.games() / 3).max(1),
                    self.bout.seed,
                    told,
                )
                .to_vec()
            }
            LearningStranger::Distilled => {
                let (weights, agreed) = teach::distilled(self.rounds, self.bout.seed);
                engine::note!(
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
