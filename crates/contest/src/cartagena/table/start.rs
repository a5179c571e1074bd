//! Starts of games at a table that are not a random deal: the opening of a recorded game, a position in the contest's
//! text, or one that somebody has set up.
//!
//! [`read`] makes a [`Position`] of a text. That of a recorded game has a script of its actions and draws, so that a
//! player who repeats the actions gets the same cards ([`as_drawn`]).

use crate::cartagena::record::Record;
use arena::records::Record as _;
use cartagena::rules::{Cards, Symbol};
use cartagena::world::World;
use engine::rng;
use games::cartagena::Position;
use serde::Deserialize;

/// A position as people may write it, shown to them as an example.
pub(super) const EXAMPLE: &str = concat!(
    "{\n",
    " \"board\": \"dbhskgsbkhdgghdskbbskdhgkgbhdsshgdbk\",\n",
    " \"places\": [[0, 0, 9, 9, 20, 37], [0, 5, 9, 14, 31, 37]],\n",
    " \"hands\": [\"bdg\", \"????\"],\n",
    " \"discards\": \"hhks\",\n",
    " \"to_move\": 1,\n",
    " \"taken\": 0\n",
    "}"
);

/// Reads a record, an input of the contest, or a position in JSON: the players' names and the start.
pub(super) fn read(text: &[u8]) -> Result<(Vec<String>, Position), String> {
    let text = text.trim_ascii();
    // A record and a position are JSON objects. Anything that does not begin with `{` is taken as the contest's text.
    let start = match text.first() {
        None => return Err("there is nothing to open".to_owned()),
        Some(b'{') => match Record::parse(text) {
            Ok(record) => return of_record(record),
            // A text that begins like a record gets the record's error; any other gets the position's.
            Err(_) if text.starts_with(b"{\"contest\"") => return Err(not_read::<Record>(text)),
            Err(_) => serde_json::from_slice(text)
                .map_err(|error| format!("neither a record of a game nor a position: {error}"))?,
        },
        _ => {
            // A pasted text often lacks its last line end.
            let text = [text, b"\n"].concat();
            Position::of_text(&text)?
        }
    };
    let names = (1..=start.hands.len()).map(|n| format!("Player {n}"));
    Ok((names.collect(), start))
}

/// The error of reading a `T` from this text.
fn not_read<T: for<'a> Deserialize<'a>>(text: &[u8]) -> String {
    let error = serde_json::from_slice::<T>(text).err();
    error.map_or_else(String::new, |error| error.to_string())
}

/// The opening of a recorded game, with its actions as the script.
fn of_record(record: Record) -> Result<(Vec<String>, Position), String> {
    // A table knows no forfeits, so after one the game could not be repeated.
    if let Some(fault) = record.faults.iter().find(|fault| fault.forfeit) {
        let (player, kind) = (fault.player, fault.kind);
        return Err(format!(
            "player {player} lost this game by a fault ({kind}), and a table has no faults: contest \
             cartagena report shows such games"
        ));
    }
    let start = Position::of_record(&record).map_err(|error| error.to_string())?;
    Ok((record.players, start))
}

/// The stream of a table's seed that deals and shuffles its cards; stream 0 is the board's, as in matches.
pub(super) const CARDS: u64 = 1;

/// The world after an action of `seat` that drew `drawn`, changed as if the action had drawn `told` instead. None if
/// `told` has another number of cards, or cards that were neither drawn nor are in the pile. `rng` is for later
/// reshuffles.
pub(super) fn as_drawn(
    world: &World,
    seat: usize,
    drawn: Cards,
    told: Cards,
    rng: rng::Random,
) -> Option<World> {
    if drawn.total() != told.total() {
        return None;
    }
    let mut pile: Vec<Symbol> = world.pile().to_vec();
    // Cards of `told` that were not drawn change places with cards that were drawn and are not in `told`. With drawn
    // {b, g} and told {b, s}, the pile gets the g where an s was.
    let back = drawn.saturating_minus(told);
    for (gone, came) in back.iter().zip(told.saturating_minus(drawn).iter()) {
        let place = pile.iter().position(|&card| card == came)?;
        pile[place] = gone;
    }
    let mut state = *world.state();
    state.hands[seat] = state.hands[seat].saturating_minus(drawn).plus(told);
    Some(World::new(state, pile.into_iter().collect(), rng))
}
