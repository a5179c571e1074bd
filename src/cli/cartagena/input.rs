//! `contest cartagena input FILE GAME ACTION`

use super::games::{self, Which};
use crate::cartagena::notation;
use clap::Args as ClapArgs;
use std::io::Write;
use std::path::PathBuf;

/// Prints, byte for byte, what a program got on its standard input at an action of a recorded game.
///
/// The card of every advance is told, as the referee does. The cards of the hand are in the order
/// of their names.
#[derive(Debug, ClapArgs)]
pub(in crate::cli) struct Args {
    /// The file of records, as `contest cartagena match --record` writes it
    file: PathBuf,
    /// The game: its number in the file, from 1, or its id such as `1-20-2`
    game: Which,
    /// The number of the action, from 1, as `contest cartagena replay` counts them
    action: usize,
}

impl Args {
    pub(super) fn run(self) -> anyhow::Result<()> {
        let (_, history) = games::load(&self.file, &self.game)?;
        let step = games::step(&history, self.action)?;
        let text = notation::print(&history.told(step));
        std::io::stdout().lock().write_all(text.as_bytes())?;
        Ok(())
    }
}
