//! Referees: whatever programs answer, a game ends by the rules or goes on, only those who broke a rule
//! are at fault, and the record of a game replays.

mod cartagena;
mod challenge;
mod tricks;

use crate::bytes::Bytes;

/// The referees of all games, with players that do as the bytes say.
///
/// # Panics
/// If a law is broken.
pub fn referees(input: &[u8]) {
    let mut bytes = Bytes::new(input);
    let (Some(game), Some(seed)) = (bytes.below(4), bytes.seed()) else {
        return;
    };
    match game {
        0 => tricks::eights(bytes, seed),
        1 => tricks::hearts(bytes, seed),
        2 => cartagena::game(bytes, seed),
        _ => challenge::game(bytes, seed),
    }
}
