//! The forms in which a state of Cartagena is shown: a JSON view, a text, an information state, a picture.
//!
//! Each form takes the observer's [`Eyes`] or seat and leaves out the hands that it may not see. The implementation of
//! [`Game`] in the parent module calls these functions. [`redealt`] samples hidden cards while the deal is under way.

use super::{Cartagena, State};
use crate::Event;
use crate::game::{Eyes, Game, Id};
use crate::picture::{COLOURS, Picture};
use ::cartagena::notation::print_move;
use ::cartagena::picture;
use ::cartagena::rules::{Cards, Symbol};
use ::cartagena::view::View;
use engine::rng::{Random, shuffle};
use serde_json::{Value, json};
use std::fmt::Write;

/// The names of the cards' symbols, one for each card.
fn names(cards: Cards) -> Vec<&'static str> {
    cards.iter().map(Symbol::name).collect()
}

/// The view as JSON. A hand that the observer does not see is `null`.
pub(super) fn value(game: &Cartagena, state: &State, eyes: Eyes) -> Value {
    let (open, players) = (&state.state, state.game.players);
    let sees = |player| game.options.open_hands || eyes.sees(player);
    let hands: Vec<Value> = (0..players)
        .map(|player| match sees(player) {
            true => json!(names(open.hands[player])),
            false => Value::Null,
        })
        .collect();
    let seats = 0..players;
    // While a retreat draws, its pirate has moved.
    let after = state.after_retreat();
    let (track, actions_left) = match &after {
        Some(after) => (&after.track, after.actions_left),
        None => (&open.track, open.actions_left()),
    };
    let mut value = json!({
        "game": Cartagena::NAME,
        "seat": eyes.seat(),
        "board": state.game.board.spaces().iter().map(|s| s.name()).collect::<Vec<_>>(),
        "pirates": seats.clone().map(|p| track.pirates(p).to_vec()).collect::<Vec<_>>(),
        "hands": hands,
        "hand_sizes": seats.map(|p| open.hands[p].total()).collect::<Vec<_>>(),
        "discards": names(open.discards),
        "pile": open.pile,
        "to_move": open.to_move,
        "actions_left": actions_left,
        "turns": state.turns(),
        "winner": open.winner(),
        "moves": state.moves.iter().map(print_move).collect::<Vec<_>>(),
    });
    // While a retreat draws, everybody knows the action and its number of cards. Only the player who draws sees them.
    if let Some((action, drawn, wanted)) = state.drawing() {
        let sees = sees(open.to_move.into());
        value["drawing"] = json!({
            "action": action.to_string(),
            "wanted": wanted,
            "drawn": sees.then(|| names(drawn)),
        });
    }
    // A seat that knew the cards of the pile would know those of the other hands too.
    if eyes == Eyes::All {
        value["draw_pile"] = json!(names(state.pile()));
    }
    value["stopped"] = json!(game.stopped(state));
    value
}

/// The state as text: the track, then the view of the seat. An onlooker gets only the public part.
pub(super) fn text(game: &Cartagena, state: &State, eyes: Eyes) -> String {
    let open = &state.state;
    let mut text = picture::track(&state.game.board, &open.track);
    text += &match eyes {
        Eyes::Seat(seat) => picture::view(&View::of(open, seat)),
        // All eyes get the view of the player to move, and the hands of all below it.
        Eyes::All => picture::view(&View::of(open, open.to_move.into())),
        Eyes::Onlooker => picture::open(&View::of(open, 0)),
    };
    if game.options.open_hands || eyes == Eyes::All {
        for player in 0..state.game.players {
            let _ = writeln!(
                text,
                "hand of player {}: {}",
                player + 1,
                open.hands[player]
            );
        }
    }
    if let Some((action, _, wanted)) = state.drawing() {
        let _ = writeln!(text, "the retreat {action} draws {wanted}");
    }
    text
}

/// The information state of a seat as text, the same for all states that the seat cannot tell apart. It holds the
/// board by the symbols' first letters, the own hand or all hands if they are open, all moves, and a draw that is under
/// way.
pub(super) fn information(game: &Cartagena, state: &State, seat: usize) -> String {
    let mut text = format!("cartagena {seat} ");
    for &symbol in state.game.board.spaces() {
        text.push_str(&symbol.name()[..1]);
    }
    if game.options.open_hands {
        for hand in &state.state.hands[..state.game.players] {
            let _ = write!(text, " ({hand})");
        }
        text.push(':');
    } else {
        let _ = write!(text, " {}:", state.state.hands[seat]);
    }
    for step in &state.moves {
        let _ = write!(text, " {},", print_move(step));
    }
    let _ = write!(
        text,
        " turn {} of {}, {} left",
        state.turns(),
        state.state.to_move,
        state.state.actions_left()
    );
    if let Some((action, drawn, wanted)) = state.drawing() {
        let _ = write!(text, " {action} draws {wanted}, {} there", drawn.total());
        if usize::from(state.state.to_move) == seat {
            let _ = write!(text, ": {drawn}");
        }
    }
    text
}

/// The events of a deal that is under way, with other cards for all other seats.
///
/// Nobody has acted yet, so all orders of the cards that the seat has not drawn are equally likely. They are shuffled
/// and dealt anew to the other seats; the seat keeps its own cards.
pub(super) fn redealt(
    game: &Cartagena,
    start: &State,
    events: &[Event],
    seat: usize,
    rng: &mut Random,
) -> Vec<Event> {
    let mut state = start.clone();
    let mut own = Cards::NONE;
    let mut is_own = Vec::with_capacity(events.len());
    for event in events {
        // The next drawer follows from the number of cards dealt so far, so the deal is replayed.
        is_own.push(state.drawer(game.settings()) == seat);
        if is_own.last() == Some(&true) {
            own = own.with(Symbol::ALL[usize::from(event.id)]);
        }
        game.apply(&mut state, event.id);
    }
    // Whatever is not in the seat's own hand may be in another hand or in the pile.
    let mut unseen: Vec<Symbol> = Cards::deck().minus(own).iter().collect();
    shuffle(rng, &mut unseen);
    let mut unseen = unseen.into_iter();
    let other = |(event, own): (&Event, bool)| match own {
        true => *event,
        false => Event {
            id: unseen.next().map_or(event.id, |card| card as u8),
            ..*event
        },
    };
    events.iter().zip(is_own).map(other).collect()
}

/// The number of places in a row of the picture. A place is 44 pixels wide and a row 76 high, gaps included.
const ROW: usize = 19;
/// The picture is at least this many places wide, so that the lines of text below a short track fit.
const LEAST: usize = 11;

/// The upper left corner of a place's rectangle, in pixels. Every second row runs from right to left, so that
/// neighbours in the passage stay neighbours in the picture.
fn corner(place: u8) -> (usize, usize) {
    let (row, column) = (usize::from(place) / ROW, usize::from(place) % ROW);
    let column = match row % 2 {
        0 => column,
        _ => ROW - 1 - column,
    };
    (12 + column * 44, 12 + row * 76)
}

/// The position as an SVG picture, with an arrow for `action` if one is given.
pub(super) fn picture(state: &State, eyes: Eyes, action: Option<Id>) -> String {
    let open = &state.state;
    let board = &state.game.board;
    let places: Vec<u8> = (0..=board.boat()).collect();
    let rows = places.len().div_ceil(ROW);
    let players = state.game.players;
    let height = 16 + rows * 76 + 22 * players + 22;
    let width = 24 + places.len().clamp(LEAST, ROW) * 44;
    let mut out = Picture::new(width, height);
    // Each place from the cell to the boat, with its symbol, its number, and the pirates on it.
    for &place in &places {
        let (x, y) = corner(place);
        let name = match board.symbol(place) {
            Some(symbol) => symbol.name(),
            None if place == 0 => "cell",
            None => "boat",
        };
        let fill = if board.symbol(place).is_some() {
            "#f3e9d2"
        } else {
            "#c9dfe8"
        };
        out.rectangle(x, y, 40, 68, fill);
        out.text(x + 20, y + 14, 10, "middle", name);
        out.text(x + 20, y + 64, 9, "middle", &place.to_string());
        let mut drawn = 0;
        for (player, colour) in COLOURS.iter().enumerate().take(players) {
            let here = open.track.pirates(player).iter().filter(|&&p| p == place);
            let count = here.count();
            // A space holds three pirates at most, and each is drawn. Cell and boat may hold all pirates, so they show
            // a count for each player.
            if board.symbol(place).is_none() {
                if count > 0 {
                    out.circle(x + 10, y + 22 + 6 * drawn, 3, colour);
                    out.text(x + 26, y + 25 + 6 * drawn, 7, "middle", &count.to_string());
                    drawn += 1;
                }
                continue;
            }
            for _ in 0..count {
                out.circle(x + 20, y + 24 + 11 * drawn, 5, colour);
                drawn += 1;
            }
        }
    }
    if let Some((from, to)) = action.and_then(|id| super::action(state, id).places()) {
        let middle = |(x, y): (usize, usize)| (x + 20, y + 20);
        out.arrow(middle(corner(from)), middle(corner(to)));
    }
    // Below the track a line for each player, then one for the piles.
    let mut y = 16 + rows * 76 + 12;
    for (player, colour) in COLOURS.iter().enumerate().take(players) {
        out.circle(20, y - 4, 5, colour);
        let hand = open.hands[player];
        let hand = eyes.words(player, hand, hand.total().into());
        let turn = match usize::from(open.to_move) == player && open.winner().is_none() {
            true => format!(", to move, {} actions left", open.actions_left()),
            false => String::new(),
        };
        out.text(
            34,
            y,
            13,
            "start",
            &format!("player {}: {hand}{turn}", player + 1),
        );
        y += 22;
    }
    let piles = format!("draw pile {}, discarded: {}", open.pile, open.discards);
    out.text(12, y, 13, "start", &piles);
    out.end()
}
