//! The options of `contest cartagena tournament` that are Cartagena's own.

use super::setting::{read_board, read_positions};
use crate::cartagena::tournament::{AskedRules, Rules};
use crate::tournament::commands::RulesArgs;
use clap::Args as ClapArgs;
use std::path::PathBuf;

/// The rules of the games.
#[derive(Debug, ClapArgs)]
pub(crate) struct Args {
    /// Cards dealt to each player, 3 in the contest, 6 in the printed game [default: 3]
    #[arg(long, value_name = "CARDS", value_parser = clap::value_parser!(u8).range(0..=17))]
    deal: Option<u8>,
    /// A file with the symbols from the cell to the boat, instead of a random board a block
    #[arg(long, value_name = "FILE")]
    board: Option<PathBuf>,
    /// A file with boards and decks, one JSON object a line; the blocks use them in turn
    #[arg(long, value_name = "FILE", conflicts_with = "board")]
    positions: Option<PathBuf>,
    /// Pirates on the boat stay there
    #[arg(long)]
    no_boat_retreat: bool,
    /// Turns after which a game is stopped and drawn [default: 500]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    max_turns: Option<u32>,
}

impl RulesArgs for Args {
    type Rules = Rules;

    fn asked(&self) -> anyhow::Result<AskedRules> {
        Ok(AskedRules {
            deal: self.deal,
            // `None` keeps the folder's setting, so an option that was not given must not become a value.
            boat_retreat: self.no_boat_retreat.then_some(false),
            board: self.board.as_deref().map(read_board).transpose()?,
            positions: match &self.positions {
                Some(path) => read_positions(path)?,
                None => Vec::new(),
            },
            max_turns: self.max_turns,
        })
    }
}
