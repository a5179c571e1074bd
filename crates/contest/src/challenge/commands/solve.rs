//! `contest challenge solve`

use anyhow::{Context, Result};
use challenge::equilibrium::blueprint::{Blueprint, HandGames};
use challenge::equilibrium::{Stakes, Values};
use clap::Args as ClapArgs;
use engine::rng::stream;
use lab::challenge::training::{Sweep, Trainer, centres, write_games, write_strategy};
use std::io::ErrorKind;
use std::path::PathBuf;
use std::time::Instant;

/// Blocks of linear weighting that a hand game's deals are played in.
const BLOCKS: u64 = 100;

/// As many hand games as scores.
const MOST_GAMES: u8 = 100;

#[derive(Debug, ClapArgs)]
pub(crate) struct Args {
    /// Hand games that stand for the 100 scores
    #[arg(long, default_value_t = 8, value_parser = clap::value_parser!(u8).range(1..=i64::from(MOST_GAMES)))]
    games: u8,
    /// Deals a score to find the values of all scores
    #[arg(long, default_value_t = 100_000)]
    sweep: u64,
    /// Deals a hand game to find its strategy
    #[arg(long, default_value_t = 20_000_000)]
    deals: u64,
    /// Seed of the deals
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Where the tables go
    #[arg(long, default_value = "support")]
    out: PathBuf,
    /// Keep the tables that the same command has left: the values, and every hand game that was
    /// finished
    #[arg(long)]
    resume: bool,
}

impl Args {
    pub(crate) fn run(self) -> Result<()> {
        let started = Instant::now();
        let games = self.values(started)?;
        for (number, &centre) in games.centres.iter().enumerate() {
            let done = Blueprint::path(&self.out, number);
            if self.resume && Blueprint::read_strategy(&self.out, number).is_ok() {
                eprintln!("{} is there already", done.display());
                continue;
            }
            self.solve(number, centre, started)?;
        }
        Ok(())
    }

    /// The values of all scores, computed or as they were stored.
    fn values(&self, started: Instant) -> Result<HandGames> {
        if self.resume
            && let Ok(games) = HandGames::read(&self.out)
            && games.command == self.command()
        {
            return Ok(games);
        }
        let values = Sweep::new(self.sweep, self.seed).run(|own, theirs, value| {
            let seconds = started.elapsed().as_secs_f64();
            eprintln!("{seconds:7.1} s  {own} : {theirs}  the opener wins {value:.4}");
        });
        let games = HandGames {
            command: self.command(),
            centres: centres(&values, self.games.into()),
            values,
        };
        self.remove_strategies()?;
        write_games(&self.out, &games).context("storing the values")?;
        print_values(&games.values)?;
        Ok(games)
    }

    /// Removes the hand games that belong to other values, which a later `--resume` would keep.
    fn remove_strategies(&self) -> Result<()> {
        for number in 0..MOST_GAMES {
            let path = Blueprint::path(&self.out, number.into());
            match std::fs::remove_file(&path) {
                Err(error) if error.kind() != ErrorKind::NotFound => {
                    return Err(error).with_context(|| format!("removing {}", path.display()));
                }
                _ => {}
            }
        }
        Ok(())
    }

    fn solve(&self, number: usize, centre: Stakes, started: Instant) -> Result<()> {
        let mut trainer = Trainer::new(centre, stream(self.seed, 1 + number as u64));
        let mut value = 0.0;
        for block in 1..=BLOCKS {
            value = trainer.block(self.deals / BLOCKS, block);
        }
        let strategy = trainer.strategy();
        write_strategy(&self.out, number, &strategy).context("storing a strategy")?;
        eprintln!(
            "{:7.1} s  hand game {number}: won {:.3}, lost {:.3}, tied {:.3}; value {value:.4} over {} deals",
            started.elapsed().as_secs_f64(),
            centre.won,
            centre.lost,
            centre.tied,
            trainer.deals(),
        );
        Ok(())
    }

    fn command(&self) -> String {
        format!(
            "contest challenge solve --games {} --sweep {} --deals {} --seed {}",
            self.games, self.sweep, self.deals, self.seed
        )
    }
}

/// The opener's chance to win by its points (rows) and the other's (columns).
fn print_values(values: &Values) -> Result<()> {
    for own in 0..10 {
        let row: Vec<String> = (0..10)
            .map(|theirs| format!("{:.3}", values.get(own, theirs)))
            .collect();
        line!("{}", row.join(" "))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hand_games_of_other_values_are_not_kept() {
        let folder = tempfile::tempdir().unwrap();
        let args = Args {
            games: 1,
            sweep: 1,
            deals: BLOCKS,
            seed: 1,
            out: folder.path().to_owned(),
            resume: true,
        };
        std::fs::write(Blueprint::path(&args.out, 0), "of other values").unwrap();
        std::fs::write(Blueprint::path(&args.out, 7), "of other values").unwrap();
        let games = args.values(Instant::now()).unwrap();
        assert!(!Blueprint::path(&args.out, 0).exists());
        assert!(!Blueprint::path(&args.out, 7).exists());
        std::fs::write(Blueprint::path(&args.out, 0), "of these values").unwrap();
        assert_eq!(args.values(Instant::now()).unwrap(), games);
        assert!(Blueprint::path(&args.out, 0).exists());
    }
}
