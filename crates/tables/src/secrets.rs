//! Secrets that nobody can guess, and the private folder for them.

use super::setup::{Occupant, Setup};
use rand::TryRng;
use rand::rngs::SysRng;
use std::fs;
use std::path::Path;
use thiserror::Error;

/// The system gave no random numbers.
#[derive(Debug, Error)]
#[error("the system gives no random numbers: {0}")]
pub struct RandomError(String);

/// Gives all seats and the onlookers new secrets: the links of one table open no other.
pub(super) fn renew_secrets(setup: &mut Setup) -> Result<(), RandomError> {
    setup.onlookers = secret()?;
    for seat in &mut setup.seats {
        if let Occupant::Person { secret: own, .. } = seat {
            *own = secret()?;
        }
    }
    Ok(())
}

/// Makes a folder that only its owner can read: the files of tables contain their links.
pub(super) fn make_private(folder: &Path) -> std::io::Result<()> {
    let mut builder = fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(folder)
}

/// 64 random bits of the system, for seeds, ids and secrets.
pub(super) fn random() -> Result<u64, RandomError> {
    SysRng
        .try_next_u64()
        .map_err(|error| RandomError(error.to_string()))
}

/// 128 bits that nobody can guess.
pub(super) fn secret() -> Result<String, RandomError> {
    Ok(format!("{:016x}{:016x}", random()?, random()?))
}
