//! The record of a game: one line of JSON, which matches and tournaments write and all later tools read.
//!
//! Players and seats count from 1, as in the contest's interface.
//! Cards are written as the first letters of their symbols (`b d g h k s`), so a hand or a board is a short
//! word. Each action is recorded with the cards that it drew, so a line replays without random numbers.

mod conversion;
mod places;
mod positions;
mod replay;

pub use places::{Forfeits, ranks};
pub use positions::{Past, Positions};
pub use replay::{ReplayError, StepError};

pub(super) use conversion::{from_record, record};

use super::{board_word, word};
use ::cartagena::rules::{Action, Cards, Game, MAX_PLAYERS, Place, Symbol};
use ::cartagena::world::World;
use arena::fault::FaultKind;
use arena::plain_text::{clean, clean_lines};
use arena::practice::Practice;
use arena::records;
use serde::{Deserialize, Serialize};

/// The version of the format that this module writes. Version 1, which had no faults, is read as well.
pub const VERSION: u32 = 2;

/// The record of a game, with all that is needed to replay and check it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Record {
    pub contest: String,
    pub version: u32,
    /// The game in its match: line-up, block and rotation, from 1, such as `1-20-2`.
    pub id: String,
    /// The seed of the block.
    pub seed: u64,
    /// The players' labels, by seat.
    pub players: Vec<String>,
    /// The kind of practice, if it is a practice game.
    #[serde(default, skip_serializing_if = "Practice::is_none")]
    pub practice: Practice,
    /// The fingerprints of the players' programs, by seat; empty for a built-in player.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub programs: Vec<String>,
    /// The spaces from the cell to the boat, a letter each.
    pub board: String,
    pub pirates: usize,
    /// Whether pirates may leave the boat again.
    pub boat_retreat: bool,
    /// Whether a turn may be ended after its first action.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub early_pass: bool,
    /// The hands dealt, by seat.
    pub hands: Vec<String>,
    /// The draw pile after the deal, the first card to be drawn first.
    pub pile: String,
    /// The actions in order.
    pub actions: Vec<StepRecord>,
    /// The faults in order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub faults: Vec<FaultRecord>,
    /// The player, from 1, whose resignation ended a game of two at a table.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub resigned: Option<usize>,
    pub result: ResultRecord,
}

/// An action of a record.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct StepRecord {
    /// The player, from 1.
    pub player: usize,
    /// The pirate's place before; none for a pass.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub from: Option<Place>,
    /// The pirate's place after; none for a pass.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub to: Option<Place>,
    /// The card an advance played.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub card: Option<char>,
    /// The cards a retreat drew, in the order of their letters.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub drawn: String,
    /// How long the player thought, in milliseconds.
    pub ms: f64,
    /// Processor time of a program, in milliseconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cpu_ms: Option<f64>,
    /// The most memory a program held at a time, in KiB.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub peak_kb: Option<u64>,
}

/// A fault of a record.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct FaultRecord {
    /// The number, from 1, of the action that the player was asked for. After a forfeit another player takes
    /// the action with this number; otherwise it is the random action.
    pub action: usize,
    /// The player, from 1.
    pub player: usize,
    pub kind: FaultKind,
    /// The fault in words: the answer that was found, and the expected one.
    pub detail: String,
    /// Whether the player forfeited the game by it.
    pub forfeit: bool,
    /// How long the player thought, in milliseconds.
    pub ms: f64,
    /// The beginning of its standard output.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub output: String,
    /// The end of its standard error.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub errors: String,
}

/// The result of a game, as it stands in its record.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ResultRecord {
    /// The winner, from 1: the player who brought all pirates home or was the only one left. None if the game
    /// was stopped and drawn.
    pub winner: Option<usize>,
    /// The place of each player, from 1; equals share the mean of their places.
    pub ranks: Vec<f64>,
    /// Turns, the last one included.
    pub turns: u32,
    pub actions: usize,
}

/// The hands and the draw pile as dealt. It must be taken before the first action.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Opening {
    hands: [Cards; MAX_PLAYERS],
    pile: String,
}

impl Opening {
    /// The deal of a game in which nobody has acted yet.
    pub fn of(world: &World) -> Opening {
        Opening {
            hands: world.state().hands,
            pile: world
                // A pile is a stack with the next card last; the record has the next card first.
                .pile()
                .iter()
                .rev()
                .copied()
                .map(Symbol::letter)
                .collect(),
        }
    }
}

/// The symbols of some letters. The error is the first letter that is no symbol's.
fn symbols(word: &str) -> Result<Vec<Symbol>, char> {
    word.chars()
        .map(|c| Symbol::of_letter(c).ok_or(c))
        .collect()
}

impl Record {
    /// The record of a game before its first action.
    pub fn new(seed: u64, players: Vec<String>, game: &Game, opening: Opening) -> Record {
        Record {
            contest: "cartagena".to_owned(),
            version: VERSION,
            id: String::new(),
            seed,
            players,
            practice: Practice::default(),
            programs: Vec::new(),
            board: board_word(&game.board),
            pirates: game.pirates,
            boat_retreat: game.boat_retreat,
            early_pass: false,
            hands: opening.hands[..game.players]
                .iter()
                .copied()
                .map(word)
                .collect(),
            pile: opening.pile,
            actions: Vec::new(),
            faults: Vec::new(),
            resigned: None,
            result: ResultRecord::default(),
        }
    }

    /// The same game as a practice game.
    pub fn for_practice(self, practice: Practice) -> Record {
        Record { practice, ..self }
    }

    /// The same game, played by programs with the given fingerprints, by seat.
    pub fn by_programs(self, programs: Vec<String>) -> Record {
        Record { programs, ..self }
    }

    /// Whether the game started with this board, these hands and this pile.
    pub fn opens(&self, game: &Game, opening: &Opening) -> bool {
        let hands = &opening.hands[..game.players];
        self.board == board_word(&game.board)
            && self.pile == opening.pile
            // Compared first: `zip` would ignore the hands that one side lacks.
            && self.hands.len() == hands.len()
            && self
                .hands
                .iter()
                .zip(hands)
                .all(|(told, &hand)| *told == word(hand))
    }

    /// The record as a line of JSON, with its line end.
    pub fn to_line(&self) -> Vec<u8> {
        records::line_of(self).expect("a record has only string keys")
    }
}

impl records::Record for Record {
    const NOUN: &'static str = "game";

    /// Reads a line. Labels and messages may come from programs of strangers, so control characters are removed from
    /// them: a terminal would obey them.
    fn parse(line: &[u8]) -> serde_json::Result<Record> {
        let mut record: Record = serde_json::from_slice(line)?;
        // Ids and labels are printed within a line, so line ends are removed from them too.
        for text in [&mut record.id].into_iter().chain(&mut record.players) {
            clean(text);
        }
        for fault in &mut record.faults {
            // A fault is described in one line; a program's two output streams may have several.
            clean(&mut fault.detail);
            clean_lines(&mut fault.output);
            clean_lines(&mut fault.errors);
        }
        Ok(record)
    }
}

impl StepRecord {
    /// An action of a seat, from 0, with the cards that it drew and without a time.
    pub fn of(seat: usize, action: Action, drawn: Cards) -> StepRecord {
        let places = action.places();
        StepRecord {
            player: seat + 1,
            from: places.map(|p| p.0),
            to: places.map(|p| p.1),
            card: action.card().map(Symbol::letter),
            drawn: word(drawn),
            ms: 0.0,
            cpu_ms: None,
            peak_kb: None,
        }
    }
}
