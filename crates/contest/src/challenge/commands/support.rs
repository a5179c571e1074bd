//! The tables that built-in players play from.

use challenge::equilibrium::blueprint::Tables;
use engine::store::support_folder;
use std::path::PathBuf;

/// The players' tables: those of a folder, or those inside the program.
pub(super) fn tables(support: Option<PathBuf>) -> Tables {
    let warn = |text: &str| eprintln!("contest: {text}");
    Tables::new(support.unwrap_or_else(support_folder), warn)
}
