//! Actions, places and cards in words, for tables in browsers and terminals. A `Text` is not in a language yet; the
//! crate `tables` translates it.

use cartagena::rules::Action;
use tables::Text;

/// An action in words, without the number of cards it draws. `boat` is the place of the boat.
pub(super) fn way(action: Action, boat: u8) -> Text {
    match action {
        Action::Advance { from, to, symbol } => {
            between("cartagena-advance", from, to, boat).with("symbol", symbol.letter().to_string())
        }
        Action::Retreat { from, to } => between("cartagena-back", from, to, boat),
        Action::Pass => Text::of("cartagena-pass"),
    }
}

/// The text `id` with the two places of an action.
pub(super) fn between(id: &'static str, from: u8, to: u8, boat: u8) -> Text {
    let place = |place| match place {
        0 => Text::of("cartagena-the-cell"),
        place if place == boat => Text::of("cartagena-the-boat"),
        place => Text::plain(place.to_string()),
    };
    Text::of(id).with("from", place(from)).with("to", place(to))
}

/// A place in English, for lists of events, which are not translated.
pub(super) fn place_name(place: u8, boat: u8) -> String {
    match place {
        0 => "the cell".to_owned(),
        place if place == boat => "the boat".to_owned(),
        place => place.to_string(),
    }
}
