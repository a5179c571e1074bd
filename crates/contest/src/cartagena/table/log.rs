//! The actions of a game in its log, and a position for a terminal.

use super::super::game::Step;
use super::wording::place_name;
use arena::plain_text::counted;
use cartagena::picture;
use cartagena::rules::{Action, Game, State, Symbol};
use games::cartagena::word;
use serde_json::json;
use tables::Told;

/// An action that was taken; `boat` is the space of the boat. Cards that it drew are hidden unless they are `visible`.
pub(super) fn told(step: &Step, visible: bool, boat: u8) -> Told {
    let (from, to) = step.action.places().unwrap_or_default();
    let (count, place) = (step.drawn.total(), |place| place_name(place, boat));
    let words = match step.action {
        Action::Pass => "ends the turn".to_owned(),
        Action::Advance { symbol, .. } => {
            format!("plays {symbol}: {} to {}", place(from), place(to))
        }
        Action::Retreat { .. } => {
            let drawn = match (visible, count) {
                (_, 0) => "nothing".to_owned(),
                (true, _) => step.drawn.to_string(),
                (false, 1) => "a card".to_owned(),
                (false, n) => counted(n, "card"),
            };
            let (from, to) = (place(from), place(to));
            format!("goes back from {from} to {to} and draws {drawn}")
        }
    };
    let card = step.action.card().map(Symbol::letter);
    let entry = json!({
        "player": step.seat,
        "pass": step.action == Action::Pass,
        "from": from,
        "to": to,
        // The letter of the card; empty for a retreat.
        "card": card.into_iter().collect::<String>(),
        // A letter for each card.
        "drawn": match visible {
            true => word(step.drawn),
            false => "?".repeat(count.into()),
        },
    });
    Told {
        seat: Some(step.seat),
        words,
        entry,
    }
}

/// The position for a terminal, in which the hands of some seats are seen.
pub(super) fn screen(
    game: &Game,
    state: &State,
    sees: impl Fn(usize) -> bool,
    names: &[String],
) -> Vec<String> {
    let track = picture::track(&game.board, &state.track);
    let mut lines: Vec<String> = track.lines().map(str::to_owned).collect();
    let boat = game.board.boat();
    for (seat, name) in names.iter().enumerate() {
        let hand = state.hands[seat];
        let cards = match sees(seat) {
            true => hand.to_string(),
            false => counted(hand.total(), "card"),
        };
        let home = state.track.pirates(seat).iter();
        let home = home.filter(|&&place| place == boat).count();
        let (player, pirates) = (seat + 1, game.pirates);
        let place = format!("{player} {name}: {home} of {pirates} on the boat");
        match place.chars().count() + cards.chars().count() {
            // Beside a long name there is no room for a hand of many symbols.
            79.. => lines.extend([place, format!("  {cards}")]),
            _ => lines.push(format!("{place}; {cards}")),
        }
    }
    lines.push(format!(
        "draw pile {}, discards {}",
        state.pile, state.discards
    ));
    lines
}
