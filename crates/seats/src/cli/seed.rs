//! Seeds that programs cannot know: from the system's random numbers, or from a file.

use super::Usage;
use anyhow::Context;
use arena::input;
use clap::Args;
use rand::TryRng;
use rand::rngs::SysRng;
use std::path::{Path, PathBuf};

/// The most bytes of a file with a seed that are read.
const MOST: u64 = 1 << 10;

/// A seed that no program can predict, from the system's random numbers.
///
/// # Errors
/// If the system has none.
pub fn secret_seed() -> anyhow::Result<u64> {
    let seed = SysRng.try_next_u64();
    seed.context("the system gives no random numbers for the seed: name one with --seed")
}

/// The seed of a match, tournament or server.
#[derive(Debug, Args)]
pub struct SeedArgs {
    /// Seed of all random numbers [default: a random one, which a tournament keeps in its folder; 1 for a match of
    /// built-in players]. Programs may see the command line: in a contest leave the seed out, or give a file
    #[arg(long, value_name = "SEED")]
    seed: Option<u64>,
    /// A file with the seed
    #[arg(long, value_name = "FILE", conflicts_with = "seed")]
    seed_file: Option<PathBuf>,
}

impl SeedArgs {
    /// The file with the seed, if one was named.
    pub fn file(&self) -> Option<&Path> {
        self.seed_file.as_deref()
    }

    /// The seed that was given, if one was.
    ///
    /// # Errors
    /// Wrong usage if the file has no seed.
    pub fn given(&self) -> anyhow::Result<Option<u64>> {
        self.seed_file
            .as_deref()
            .map_or(Ok(self.seed), |path| read_seed(path).map(Some))
    }

    /// The seed that was given, or one that nobody can predict.
    ///
    /// # Errors
    /// Wrong usage if the file has no seed; if the system has no random numbers.
    pub fn secret(&self) -> anyhow::Result<u64> {
        self.given()?.map_or_else(secret_seed, Ok)
    }

    /// The seed of games of built-in players or, if programs take part, of games whose cards nobody may compute.
    ///
    /// `record` is the file of the games. Those that it has were dealt from the old seed, so the seed must be given
    /// to go on with them; a random one is printed for that.
    ///
    /// # Errors
    /// Wrong usage if the file has no seed, or if games go on and no seed is given.
    pub fn of(&self, programs: bool, record: Option<&Path>) -> anyhow::Result<u64> {
        if let Some(seed) = self.given()? {
            return Ok(seed);
        }
        if !programs {
            return Ok(1);
        }
        let Some(record) = record else {
            return secret_seed();
        };
        if record.metadata().is_ok_and(|there| there.len() > 0) {
            refuse!(
                "{}: to go on, name the --seed that was printed at the beginning",
                record.display()
            );
        }
        let seed = secret_seed()?;
        engine::note!("seed {seed}: needed to go on with {}", record.display());
        Ok(seed)
    }
}

/// Reads a seed from a file.
///
/// # Errors
/// Wrong usage if the file has no seed.
fn read_seed(path: &Path) -> anyhow::Result<u64> {
    let name = path.display();
    let text = input::read_text(path, MOST)
        .map_err(|error| Usage::new(format!("cannot read {name}: {error}")))?;
    // Editors end a file with a new line, which is no part of the number.
    let seed = text.trim().parse();
    Ok(seed.map_err(|_| {
        Usage::new(format!(
            "{name}: expected a whole number up to {}",
            u64::MAX
        ))
    })?)
}
