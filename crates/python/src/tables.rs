//! The tables of the challenge game's players. They are most of what a program consists of, so the extension is linked
//! without them, and reads them from a folder that the package names.

use arena::participant::{BuiltinError, Spec};
use challenge::equilibrium::blueprint::Tables;
use pyo3::prelude::*;
use seats::challenge::players::NamedPlayer;
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};

/// The tables for a player.
///
/// # Errors
/// If the player needs tables, and there are none or they cannot be read.
pub(crate) fn of(named: NamedPlayer, spec: &Spec) -> Result<Tables, BuiltinError> {
    if !named.needs_tables() {
        return Ok(Tables::none());
    }
    let unavailable = |told: String| BuiltinError::Unavailable(format!("{}: {told}", spec.name));
    let Some(folder) = folder().map_err(|error| unavailable(error.to_string()))? else {
        return Err(unavailable(
            "it plays from tables, which are a package of their own, contestants-tables: install \
             `contestants[challenge]`, or name a folder that has them, such as `support` in a checkout, in the \
             variable CONTESTANTS_TABLES"
                .to_owned(),
        ));
    };
    // All players share the tables that were read last: a program uses one folder.
    static LAST: Mutex<Option<(PathBuf, Tables)>> = Mutex::new(None);
    let mut last = LAST.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some((_, tables)) = last.as_ref().filter(|(read, _)| *read == folder) {
        return Ok(tables.clone());
    }
    let tables = Tables::read(&folder).map_err(|error| unavailable(error.to_string()))?;
    *last = Some((folder, tables.clone()));
    Ok(tables)
}

/// The folder that the package names; none if there is none.
fn folder() -> PyResult<Option<PathBuf>> {
    Python::attach(|py| {
        let found = py.import("contestants")?.getattr("_tables")?.call0()?;
        found.extract()
    })
}
