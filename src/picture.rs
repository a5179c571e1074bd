//! A position as text for a person, as `runme --explain` and the commands of the contest show it.

use super::rules::{Board, Place, Track};
use super::view::View;
use std::fmt::Write;

/// Places in one row of the picture.
const ROW: usize = 10;
/// The width of a column, in letters.
const COLUMN: usize = 8;

/// The track from the cell to the boat in rows of three lines: the places, their symbols, and the pirates
/// there, each as the number of its player from 1.
pub fn track(board: &Board, track: &Track) -> String {
    let places: Vec<Place> = (0..=board.boat()).collect();
    let mut text = String::new();
    for row in places.chunks(ROW) {
        line(&mut text, row, |place| place.to_string());
        line(&mut text, row, |place| match board.symbol(place) {
            Some(symbol) => symbol.to_string(),
            None if place == board.boat() => "BOAT".into(),
            None => "CELL".into(),
        });
        line(&mut text, row, |place| match pirates(track, place) {
            pirates if pirates.is_empty() => ".".into(),
            // The cell and the boat hold too many pirates for a column, so it has their number.
            pirates if board.symbol(place).is_none() => format!("({})", pirates.len()),
            pirates => pirates,
        });
        text.push('\n');
    }
    text
}

/// Adds a line with a column for each place of a row.
fn line(text: &mut String, row: &[Place], cell: impl Fn(Place) -> String) {
    // Writing to a string cannot fail, here and below.
    let mut written = String::new();
    for &place in row {
        let _ = write!(written, "{:<COLUMN$}", cell(place));
    }
    text.push_str("  ");
    text.push_str(written.trim_end());
    text.push('\n');
}

/// The pirates on a place, each as the digit of its player.
fn pirates(track: &Track, place: Place) -> String {
    (0..track.players())
        .flat_map(|player| {
            let here = track.pirates(player).iter().filter(move |&&p| p == place);
            here.map(move |_| digit(player))
        })
        .collect()
}

/// The number of a player, from 1, as a digit.
fn digit(player: usize) -> char {
    char::from_digit(player as u32 + 1, 10).unwrap_or('?')
}

/// Everything that a seat sees besides the track: turn, hands, piles and unseen cards.
pub fn view(view: &View) -> String {
    let unseen = view.unseen();
    let mut text = lines(view, Some(view.seat));
    let _ = writeln!(text, "unseen: {unseen} ({})", cards(unseen.total()));
    text
}

/// Everything that all players see besides the track.
pub fn open(view: &View) -> String {
    lines(view, None)
}

/// A number of cards in words.
fn cards(number: u8) -> String {
    match number {
        1 => "1 card".to_owned(),
        number => format!("{number} cards"),
    }
}

/// The turn, each player's pirates and number of cards, and the piles; for `own` also its hand.
fn lines(view: &View, own: Option<usize>) -> String {
    let mut text = String::new();
    let _ = writeln!(
        text,
        "player {} to move, {} of the turn's actions left",
        view.to_move + 1,
        view.actions_left()
    );
    for player in 0..view.track.players() {
        // Every pirate is named, also those that share a place.
        let places: Vec<String> = view
            .track
            .pirates(player)
            .iter()
            .map(Place::to_string)
            .collect();
        let _ = write!(
            text,
            "player {}: pirates on {} ({} home, {} places to go), {}",
            player + 1,
            places.join(" "),
            view.track.home(player),
            view.track.pips(player),
            cards(view.hand_sizes[player]),
        );
        if own == Some(player) {
            let _ = write!(text, ", own hand: {}", view.hand);
        }
        text.push('\n');
    }
    let _ = writeln!(
        text,
        "draw pile {}, discarded: {}",
        view.pile, view.discards
    );
    text
}
