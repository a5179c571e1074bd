//! Actions, places and cards in words, for the page.

use cartagena::rules::{Action, Cards, Symbol};
use tables::Text;

/// An action in words, without what it draws.
pub(super) fn way(action: Action, boat: u8) -> Text {
    match action {
        Action::Advance { from, to, symbol } => {
            between("cartagena-advance", from, to, boat).with("symbol", symbol.letter().to_string())
        }
        Action::Retreat { from, to } => between("cartagena-back", from, to, boat),
        Action::Pass => Text::of("cartagena-pass"),
    }
}

/// An action between two places, in words.
pub(super) fn between(id: &'static str, from: u8, to: u8, boat: u8) -> Text {
    let place = |place| match place {
        0 => Text::of("cartagena-the-cell"),
        place if place == boat => Text::of("cartagena-the-boat"),
        place => Text::plain(place.to_string()),
    };
    Text::of(id).with("from", place(from)).with("to", place(to))
}

/// A place in English, as games in words have it.
pub(super) fn place_name(place: u8, boat: u8) -> String {
    match place {
        0 => "the cell".to_owned(),
        place if place == boat => "the boat".to_owned(),
        place => place.to_string(),
    }
}

/// The letters of some cards.
pub(super) fn word(cards: Cards) -> String {
    cards.iter().map(Symbol::letter).collect()
}
