//! `contest challenge match`

use crate::arena::challenge::Duplicate;
use crate::arena::stats::{Row, Tally};
use crate::arena::{LineUp, Plan};
use crate::challenge::equilibrium::blueprint::Book;
use crate::challenge::player::Builtin;
use crate::store::support_folder;
use anyhow::{Context, Result};
use clap::Args as ClapArgs;
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::Arc;

#[derive(Debug, ClapArgs)]
pub(in crate::cli) struct Args {
    /// A built-in player
    a: Builtin,
    /// Its opponent
    b: Builtin,
    /// Games, rounded up to pairs on the same deals with sides swapped
    #[arg(long, default_value_t = 2000)]
    games: u64,
    /// Seed of the deals and of the players' own chance
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Threads; the result does not depend on it
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u8).range(1..))]
    jobs: u8,
    /// The folder of the tables [default: support beside the program]
    #[arg(long)]
    support: Option<PathBuf>,
}

impl Args {
    pub(in crate::cli) fn run(self) -> Result<()> {
        let players = vec![self.a, self.b];
        let book = if players.iter().any(|player| player.needs_book()) {
            let support = self.support.clone().unwrap_or_else(support_folder);
            let book = Book::read(&support).context("reading the tables")?;
            Some(Arc::new(book))
        } else {
            None
        };
        let table = Duplicate {
            players,
            book,
            seed: self.seed,
        };
        let line_up = LineUp(vec![0, 1]);
        let mut tally = Tally::new(&line_up);
        let plan = Plan {
            line_ups: vec![line_up],
            games: self.games,
            jobs: self.jobs.into(),
        };
        plan.run(
            &table,
            |_, _| (),
            |block| {
                tally.push(&block);
                ControlFlow::Continue(())
            },
        )?;
        let summary = tally.summary(&[self.a.to_string(), self.b.to_string()]);
        line!(
            "{} games, {} pairs of the same deals, seed {}",
            summary.games,
            summary.blocks,
            self.seed
        )?;
        for row in &summary.rows {
            print(row)?;
        }
        Ok(())
    }
}

/// Share of the games with its 95 % interval, and times.
fn print(row: &Row) -> Result<()> {
    let margin = row.margin.unwrap_or(f64::NAN);
    line!(
        "{:<12} {:6.2} % ± {:.2}   {:5.1} decisions a game, {:.3} ms each, at most {:.1}",
        row.label,
        100.0 * row.share,
        100.0 * margin,
        row.actions,
        row.mean_ms,
        row.longest_ms
    )?;
    Ok(())
}
