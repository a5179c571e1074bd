//! Options of games that several commands share (`match`, `play`), and functions that read a board and positions from
//! files. `tournament` uses the functions too.

use crate::Usage;
use crate::cartagena::Options;
use crate::cartagena::deals::{self, FixedDeal};
use crate::cartagena::game::{Conduct, MAX_TURNS, Penalty};
use arena::input;
use cartagena::boards;
use cartagena::rules::Board;
use clap::Args;
use seats::cli::seed::SeedArgs;
use std::path::{Path, PathBuf};

/// How games are set up.
#[derive(Debug, Args)]
pub(super) struct GameArgs {
    /// Cards dealt to each player (3 in the contest, 6 in the printed game)
    #[arg(long, default_value_t = 3, value_name = "CARDS", value_parser = clap::value_parser!(u8).range(0..=17))]
    pub(super) deal: u8,
    #[command(flatten)]
    pub(super) seed: SeedArgs,
    /// A file with the symbols from the cell to the boat, instead of a random board
    #[arg(long, value_name = "FILE")]
    board: Option<PathBuf>,
    /// A file with boards and decks, one JSON object a line; the blocks use them in turn
    #[arg(long, value_name = "FILE", conflicts_with = "board")]
    positions: Option<PathBuf>,
    /// Pirates on the boat stay there
    #[arg(long)]
    no_boat_retreat: bool,
    /// Turns after which a game is stopped and drawn
    #[arg(long, default_value_t = MAX_TURNS, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub(super) max_turns: u32,
}

impl GameArgs {
    /// Whether all options but the seed have the contest's values.
    pub(super) fn is_usual(&self) -> bool {
        self.deal == 3
            && self.board.is_none()
            && self.positions.is_none()
            && !self.no_boat_retreat
            && self.max_turns == MAX_TURNS
    }

    /// The options of games with this seed. All line-ups get the same deals, and a fault costs the game.
    ///
    /// # Errors
    /// Wrong usage if the board or the positions cannot be read.
    pub(super) fn options(&self, seed: u64) -> anyhow::Result<Options> {
        Ok(Options {
            deal: self.deal,
            boat_retreat: !self.no_boat_retreat,
            board: self.board.as_deref().map(read_board).transpose()?,
            // The command line refuses a board together with positions, so at most one of the two is set.
            positions: match &self.positions {
                Some(path) => read_positions(path)?,
                None => Vec::new(),
            },
            seed,
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

/// The most bytes of a board that are read. The longest board has fewer than 1,000.
const MOST_BOARD: u64 = 1 << 20;

/// The most bytes of a file of boards and decks that are read.
const MOST_POSITIONS: u64 = 256 << 20;

/// Reads a board from a file.
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

/// Reads boards and decks from a file.
///
/// # Errors
/// Wrong usage if they cannot be read.
pub(super) fn read_positions(path: &Path) -> anyhow::Result<Vec<FixedDeal>> {
    let name = path.display();
    let text = input::read_text(path, MOST_POSITIONS)
        .map_err(|error| Usage::new(format!("cannot read {name}: {error}")))?;
    let positions = deals::parse(&text).map_err(|error| Usage::new(format!("{name}, {error}")))?;
    Ok(positions)
}
