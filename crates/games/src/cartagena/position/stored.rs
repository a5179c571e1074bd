//! Positions as games are stored: with the moves that led there, and a retreat whose cards are being drawn.

use super::super::state::State;
use super::super::{Cartagena, board_word, word};
use super::{Position, cards};
use ::cartagena::record::Move;
use ::cartagena::rules::{Action, Cards, DECK, Place, Symbol};
use engine::rng::Random;
use serde::{Deserialize, Serialize};
use serde_json::{Value, from_value, json};

/// The part of a stored game that a position does not show.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Past {
    /// Turns that are over.
    turns: u32,
    /// The moves so far: the player from 0, the spaces, and the card of an advance.
    moves: Vec<(u8, Place, Place, Option<char>)>,
    /// A retreat whose cards are being drawn.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    drawing: Option<Drawing>,
}

/// A retreat whose cards are being drawn.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Drawing {
    from: Place,
    to: Place,
    wanted: u8,
    drawn: String,
}

impl Past {
    pub(super) fn is_none(&self) -> bool {
        *self == Past::default()
    }
}

impl Position {
    /// The stored form of a state. The draw pile is left out, as it has no order yet.
    pub(in super::super) fn of(state: &State) -> Position {
        let (game, open) = (state.game(), state.open());
        let players = 0..game.players;
        let moves = state.moves.iter();
        let moves = moves.map(|m| (m.player as u8, m.from, m.to, m.card.map(Symbol::letter)));
        let drawing = state.drawing().and_then(|(action, drawn, wanted)| {
            let (from, to) = action.places()?;
            Some(Drawing {
                from,
                to,
                wanted,
                drawn: word(drawn),
            })
        });
        Position {
            board: board_word(&game.board),
            hands: players.clone().map(|p| word(open.hands[p])).collect(),
            places: players.map(|p| open.track.pirates(p).to_vec()).collect(),
            discards: word(open.discards),
            pile: None,
            to_move: usize::from(open.to_move) + 1,
            taken: open.taken,
            no_boat_retreat: !game.boat_retreat,
            script: Vec::new(),
            past: Past {
                turns: state.turns(),
                moves: moves.collect(),
                drawing,
            },
        }
    }

    /// Reads a stored position, also one of a version that counted players from 0 and cards of the pile.
    pub(in super::super) fn of_stored(mut stored: Value) -> Result<Position, String> {
        if let Some(fields) = stored.as_object_mut()
            && let Some(places) = fields.remove("pirates")
        {
            let to_move = fields.get("to_move").and_then(Value::as_u64);
            fields.insert("places".to_owned(), places);
            fields.insert(
                "to_move".to_owned(),
                json!(to_move.map(|seat| seat.saturating_add(1))),
            );
            // The size of the pile follows from the other cards.
            fields.remove("pile");
            let past = ["turns", "moves", "drawing"].map(|name| (name, fields.remove(name)));
            let past = past
                .into_iter()
                .filter_map(|(name, value)| Some((name, value?)));
            fields.insert("past".to_owned(), past.collect());
        }
        from_value(stored).map_err(|error| error.to_string())
    }

    /// The state of a stored game. The error says which field does not fit the game's numbers of players, pirates,
    /// spaces or cards.
    pub(in super::super) fn state(
        &self,
        game: &Cartagena,
        rng: &mut Random,
    ) -> Result<State, String> {
        let options = game.settings();
        let (mut rules, open, _) = self.open(rng)?;
        let (players, boat) = (rules.players, rules.board.boat());
        if (players, rules.pirates) != (options.players, options.pirates) {
            return Err(format!(
                "places: expected {} players with {} pirates each",
                options.players, options.pirates
            ));
        }
        rules.boat_retreat = options.boat_retreat;
        let track = open.track;
        // Moves are checked in form only. If they do not lead to this position, the belief is made without them.
        let mut moves = Vec::with_capacity(self.past.moves.len());
        for &(player, from, to, card) in &self.past.moves {
            let card = card.map(|letter| Symbol::of_letter(letter).ok_or("a card of no symbol"));
            if usize::from(player) >= players || from.max(to) > boat {
                return Err(format!("move {player} {from} {to}"));
            }
            moves.push(Move {
                player: player.into(),
                from,
                to,
                card: card.transpose()?,
            });
        }
        let (mover, discards) = (usize::from(open.to_move), open.discards);
        let mut state = State::under_way(rules, open, moves).at_turn(self.past.turns);
        if let Some(Drawing {
            from,
            to,
            wanted,
            drawn,
        }) = &self.past.drawing
        {
            let (from, to, wanted) = (*from, *to, *wanted);
            // A retreat under way must be one that the player can make, that draws this many cards, and that
            // lacks at least one of them; the cards drawn must come from outside of the hands.
            let drawn: Cards = cards("drawn", drawn)?.into_iter().take(DECK).collect();
            let own = track.pirates(mover).contains(&from);
            let right = own && track.retreat(from) == Some(to) && state.open().draws(to) == wanted;
            let is_there = state.pile().plus(discards).contains(drawn);
            if !right || drawn.total() >= wanted || !is_there {
                return Err(format!("a retreat {from} {to} that draws {wanted}"));
            }
            state.set_drawing(Action::Retreat { from, to }, drawn, wanted);
        }
        Ok(state)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Game as _;
    use crate::cartagena::Options;
    use engine::rng::stream;

    fn game() -> Cartagena {
        Cartagena::with(Options {
            pirates: 2,
            ..Options::default()
        })
        .unwrap()
    }

    /// A position as versions up to 0.2 stored it.
    fn earlier() -> Value {
        json!({
            "board": "bdghks", "pirates": [[0, 3], [6, 7]], "hands": ["bd", "kks"], "discards": "hh", "pile": 95,
            "to_move": 1, "taken": 1, "turns": 4, "moves": [[0, 0, 3, "g"], [1, 7, 6, null]],
            "drawing": { "from": 6, "to": 3, "wanted": 1, "drawn": "" },
        })
    }

    #[test]
    fn positions_of_earlier_versions_are_read() {
        let state = game().of_position(earlier(), &mut stream(1, 0)).unwrap();
        let view = game().view(&state, crate::Eyes::All);
        assert_eq!((state.open().to_move, state.turns()), (1, 4));
        assert_eq!((state.moves.len(), state.open().pile), (2, 95));
        assert!(state.drawing().is_some());
        // Written again it has today's format, and is the same position.
        let stored = game().position(&state).unwrap();
        assert_eq!(
            (&stored["to_move"], &stored["pirates"]),
            (&json!(2), &Value::Null)
        );
        let again = game().of_position(stored, &mut stream(2, 0)).unwrap();
        assert_eq!(game().view(&again, crate::Eyes::All), view);
    }

    #[test]
    fn chance_chooses_the_cards_that_a_position_leaves_open() {
        let mut position = earlier();
        position["hands"] = json!(["b?", "???"]);
        let hands = |seed| {
            let state = game()
                .of_position(position.clone(), &mut stream(seed, 0))
                .unwrap();
            let [first, second, ..] = state.open().hands;
            assert_eq!((first.total(), second.total()), (2, 3));
            assert!(first.count(Symbol::of_letter('b').unwrap()) > 0);
            (word(first), word(second))
        };
        assert_eq!(hands(3), hands(3));
        assert!((0..20).any(|seed| hands(seed) != hands(3)));
    }

    #[test]
    fn what_does_not_fit_the_game_is_refused() {
        for (field, value, expected) in [
            (
                "pirates",
                json!([[0, 3], [6, 8]]),
                "places: expected 0 to 7",
            ),
            (
                "pirates",
                json!([[0, 3, 4], [6, 7, 7]]),
                "places: expected 2 players with 2 pirates each",
            ),
            ("hands", json!(["x", ""]), "hand 1: expected b, d"),
            ("moves", json!([[2, 0, 3, "g"]]), "move 2 0 3"),
            (
                "drawing",
                json!({ "from": 6, "to": 2, "wanted": 1, "drawn": "" }),
                "a retreat 6 2",
            ),
            ("to_move", json!("1"), "to_move"),
        ] {
            let mut position = earlier();
            position[field] = value;
            let refused = game().of_position(position, &mut stream(1, 0)).err();
            let told = refused.unwrap_or_default();
            assert!(
                told.contains(expected) || field == "to_move" && !told.is_empty(),
                "{field}: {told}"
            );
        }
    }
}
