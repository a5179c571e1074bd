//! What can be said about the games of a match or a single game.

use crate::Usage;
use crate::cartagena::Options;
use crate::cartagena::game::{Conduct, Penalty};
use arena::input;
use cartagena::boards;
use cartagena::rules::Board;
use clap::Args;
use std::path::{Path, PathBuf};

/// How games are set up.
#[derive(Debug, Args)]
pub(super) struct GameArgs {
    /// Cards dealt to each player (3 in the contest, 6 in the printed game)
    #[arg(long, default_value_t = 3, value_name = "CARDS", value_parser = clap::value_parser!(u8).range(0..=17))]
    pub(super) deal: u8,
    /// What all chance follows from
    #[arg(long, default_value_t = 1, value_name = "SEED")]
    pub(super) seed: u64,
    /// A file with the symbols from the cell to the boat, instead of a random board
    #[arg(long, value_name = "FILE")]
    board: Option<PathBuf>,
    /// Pirates on the boat stay there
    #[arg(long)]
    no_boat_retreat: bool,
    /// Turns after which a game is stopped and drawn
    #[arg(long, default_value_t = 500, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub(super) max_turns: u32,
}

impl GameArgs {
    /// Games like these, with the same deals for all line-ups; a fault costs the game.
    ///
    /// # Errors
    /// Wrong usage if the board cannot be read.
    pub(super) fn options(&self) -> anyhow::Result<Options> {
        Ok(Options {
            deal: self.deal,
            boat_retreat: !self.no_boat_retreat,
            board: self.board.as_deref().map(read_board).transpose()?,
            seed: self.seed,
            own_deals: false,
            conduct: Conduct {
                max_turns: self.max_turns,
                penalty: Penalty::Forfeit,
            },
            faultless: false,
            record: true,
        })
    }
}

/// Bytes of a board that are read; the longest has fewer than 1,000.
const MOST_BOARD: u64 = 1 << 20;

/// Reads a board.
///
/// # Errors
/// Wrong usage if it cannot be read.
pub(super) fn read_board(path: &Path) -> anyhow::Result<Board> {
    let name = path.display();
    let text = input::read_text(path, MOST_BOARD)
        .map_err(|error| Usage::new(format!("cannot read {name}: {error}")))?;
    let board = boards::parse(&text).map_err(|error| Usage::new(format!("{name}: {error}")))?;
    Ok(board)
}
