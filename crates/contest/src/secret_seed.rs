//! Seeds that programs cannot know: from the system's random numbers, or from a file.

use crate::Usage;
use anyhow::Context;
use arena::input;
use rand::TryRng;
use rand::rngs::SysRng;
use std::path::Path;

/// The most bytes of a file with a seed that are read.
const MOST: u64 = 1 << 10;

/// A seed that no program can predict, from the system's random numbers.
///
/// # Errors
/// If the system has none.
pub(crate) fn secret_seed() -> anyhow::Result<u64> {
    let seed = SysRng.try_next_u64();
    seed.context("the system gives no random numbers for the seed: name one with --seed")
}

/// Reads a seed from a file.
///
/// # Errors
/// Wrong usage if the file has no seed.
pub(crate) fn read_seed(path: &Path) -> anyhow::Result<u64> {
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
