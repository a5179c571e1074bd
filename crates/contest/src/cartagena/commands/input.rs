//! `contest cartagena input FILE GAME ACTION`: prints the text that a program got at an action, or at a fault, of a
//! recorded game.

use super::games;
use crate::records::Selector;
use cartagena::notation;
use cartagena::rules::MAX_PIRATES;
use clap::Args as ClapArgs;
use std::io::Write;
use std::path::PathBuf;

/// Prints, byte for byte, what a program got on its standard input at an action of a recorded game.
///
/// Every advance names its card, as in the referee's text. The cards of the hand are in the order of their
/// names.
#[derive(Debug, ClapArgs)]
pub(crate) struct Args {
    /// The file of records, or the folder of a tournament
    file: PathBuf,
    /// The game: its number in the file, from 1, or its id such as `1-20-2`
    game: Selector,
    /// The number of the action, from 1, as `contest cartagena replay` counts them
    #[arg(required_unless_present = "fault")]
    action: Option<usize>,
    /// The number of a fault, from 1, to print its input instead of that of an action
    #[arg(long, value_name = "N", conflicts_with = "action")]
    fault: Option<usize>,
}

impl Args {
    pub(super) fn run(self) -> anyhow::Result<()> {
        let (record, history) = games::load(&self.file, &self.game)?;
        if record.pirates != MAX_PIRATES {
            refuse!(
                "game {} has {} pirates a player: the contest's text knows {MAX_PIRATES} alone",
                record.id,
                record.pirates
            );
        }
        let told = match (self.fault, self.action) {
            (Some(fault), _) => {
                let faults = record.faults.len();
                if !(1..=faults).contains(&fault) {
                    refuse!("there is no fault {fault}: the game has {faults}");
                }
                history.told_at_fault(fault - 1)
            }
            (None, action) => history.told(games::step(&history, action.unwrap_or(0))?),
        };
        let text = notation::print(&told);
        seats::cli::out().write_all(text.as_bytes())?;
        Ok(())
    }
}
