//! Reads and writes truth sets as files: whole numbers, deflated to about 50 bytes a position.

use super::{Case, Plan, TruthSet, Valued};
use cartagena::record::{GameRecord, Move};
use cartagena::rules::{Action, Board, Symbol};
use engine::store::{
    Key, Kind, MAX_PAYLOAD, Mismatch, StoreError, decode, encode, read_table, write_table,
};
use serde::{Deserialize, Serialize};
use std::path::Path;

const KIND: Kind = Kind::new("truth", 2);
/// The key of the deflated contents.
const CONTENTS: Key = Key {
    kind: KIND,
    fingerprint: 0,
    id: 0,
};
/// Effort of the compression, of 10. Neighbouring positions share most of their moves, which
/// compresses well.
const EFFORT: u8 = 9;
/// Stands for no card; symbols are 0 to 5.
const NO_CARD: u8 = 6;

/// A [`TruthSet`] as it is stored.
#[derive(Serialize, Deserialize)]
struct Stored {
    plan: Plan,
    taken: usize,
    cases: Vec<StoredCase>,
}

/// A [`Case`] as it is stored, with symbols as numbers from 0.
#[derive(Serialize, Deserialize)]
struct StoredCase {
    board: Vec<u8>,
    to_move: u8,
    hand: Vec<u8>,
    /// Player, from, to, card.
    moves: Vec<[u8; 4]>,
    /// From, to, card, and the wins of both halves.
    actions: Vec<([u8; 3], [u32; 2])>,
}

impl TruthSet {
    /// Reads a set.
    ///
    /// # Errors
    /// If it is missing, damaged, or holds something that is no position.
    pub fn read(path: &Path) -> Result<TruthSet, StoreError> {
        // First the outer file with its checksum, then the deflated contents.
        let packed: Vec<u8> = read_table(path, KIND)?;
        let stored = inflated(&packed).map_err(|reason| StoreError::Unusable {
            path: path.to_owned(),
            reason,
        })?;
        let plan = stored.plan;
        // A file with the right checksum can still hold numbers that are no position. Each position is checked,
        // and an error names it by its number.
        let cases = stored.cases.into_iter().enumerate();
        let cases = cases.map(|(i, case)| {
            case.unpacked(plan.players).map_err(|reason| {
                StoreError::unusable(path, format!("{reason} in position {}", i + 1))
            })
        });
        Ok(TruthSet {
            plan,
            taken: stored.taken,
            // The first position that does not fit makes the set unusable: its statistics would be
            // of other positions.
            cases: cases.collect::<Result<_, _>>()?,
        })
    }

    /// Writes the set: a reader finds either the old or the new one.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn write(&self, path: &Path) -> Result<(), StoreError> {
        let stored = Stored {
            plan: self.plan,
            taken: self.taken,
            cases: self.cases.iter().map(StoredCase::packed).collect(),
        };
        // Encoded, deflated, and stored as one block of bytes: the outer file has the checksum.
        let bytes = encode(&CONTENTS, &stored).map_err(|reason| StoreError::Unstorable {
            path: path.to_owned(),
            reason,
        })?;
        let packed = miniz_oxide::deflate::compress_to_vec(&bytes, EFFORT);
        write_table(path, KIND, &packed)
    }
}

/// Inflates and decodes the contents; the limit keeps a damaged file from filling the memory.
fn inflated(packed: &[u8]) -> Result<Stored, Mismatch> {
    let bytes = miniz_oxide::inflate::decompress_to_vec_with_limit(packed, MAX_PAYLOAD)
        .map_err(|error| Mismatch::Contents(error.to_string()))?;
    decode(&CONTENTS, &bytes)
}

impl StoredCase {
    fn packed(case: &Case) -> StoredCase {
        let record = &case.record;
        // Symbols as numbers from 0, and every move as four bytes: the compression does the rest.
        let index = |symbols: &[Symbol]| symbols.iter().map(|s| s.index() as u8).collect();
        StoredCase {
            board: index(record.board.spaces()),
            to_move: record.to_move as u8,
            hand: index(&record.hand),
            moves: record
                .moves
                .iter()
                .map(|step| [step.player as u8, step.from, step.to, packed(step.card)])
                .collect(),
            actions: case
                .actions
                .iter()
                .map(|valued| {
                    let (from, to) = valued.action.places().unwrap_or_default();
                    ([from, to, packed(valued.action.card())], valued.wins)
                })
                .collect(),
        }
    }

    /// The case again, for a game of `players`. The error names the part that does not fit.
    fn unpacked(self, players: usize) -> Result<Case, &'static str> {
        let symbols = |indices: &[u8]| -> Option<Vec<Symbol>> {
            indices.iter().map(|&i| symbol(i)).collect()
        };
        // A case compares actions.
        if self.actions.len() < 2 {
            return Err("fewer than two actions");
        }
        // Every number is checked before it becomes an index or a symbol.
        let board = symbols(&self.board).and_then(|spaces| Board::new(spaces).ok());
        let moves = self.moves.iter().map(|&[player, from, to, card]| Move {
            player: player.into(),
            from,
            to,
            card: symbol(card),
        });
        let moves: Vec<Move> = moves.collect();
        // Board and hand fail below if a symbol is out of range.
        let to_move = usize::from(self.to_move);
        // Players are used as indices, so a damaged file must not name one that the game does not
        // have.
        if to_move >= players || moves.iter().any(|step| step.player >= players) {
            return Err("a player that does not exist");
        }
        let actions = self.actions.iter().map(|&([from, to, card], wins)| Valued {
            // An advance has a card, a retreat has none.
            action: match symbol(card) {
                Some(symbol) => Action::Advance { from, to, symbol },
                None => Action::Retreat { from, to },
            },
            wins,
        });
        Ok(Case {
            record: GameRecord {
                players,
                board: board.ok_or("no board")?,
                moves,
                to_move,
                hand: symbols(&self.hand).ok_or("no hand")?,
            },
            actions: actions.collect(),
        })
    }
}

/// The number of a card, [`NO_CARD`] for none.
fn packed(card: Option<Symbol>) -> u8 {
    card.map_or(NO_CARD, |symbol| symbol.index() as u8)
}

/// The symbol with this number; none for [`NO_CARD`] and larger numbers.
fn symbol(index: u8) -> Option<Symbol> {
    Symbol::ALL.get(usize::from(index)).copied()
}
