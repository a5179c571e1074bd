//! Observations, views, texts and pictures of the trick-taking games, for a seat, an onlooker or all eyes. The
//! implementation of [`Game`] in the parent module calls these functions.

use super::{CARDS, Contest, Rounds, State, card, id_of};
use crate::game::{Eyes, Game, Id, Turn};
use crate::picture::{COLOURS, Picture};
use ::tricks::{Card, Cards, Round};
use serde_json::{Value, json};
use std::fmt::Write;

/// All seats in turn order from `seat` on, as pairs of the distance from it and the seat.
fn from_seat(seat: usize, players: usize) -> impl Iterator<Item = (usize, usize)> {
    (0..players).map(move |place| (place, (seat + place) % players))
}

/// The cards on the table with the seats that played them; none while cards of the pool are taken.
fn table<R: Round>(round: &R) -> Vec<(usize, Card)> {
    if round.taking() {
        return Vec::new();
    }
    let (trick, players) = (round.trick(), round.players());
    let seats = (0..players).map(|place| (trick.leader() + place) % players);
    seats.zip(trick.in_order()).collect()
}

/// The cards that a seat has got from another; none before all have chosen.
fn received_by<R: Round>(round: &R, seat: usize) -> Cards {
    match round.passing() {
        true => Cards::EMPTY,
        false => round.passed(round.giver(seat)),
    }
}

/// Writes a seat's plain observation, in the order of the game's fields.
pub(super) fn observe<C: Contest>(
    game: &Rounds<C>,
    state: &State<C::Round>,
    seat: usize,
    out: &mut [u8],
) {
    let players = game.players();
    out.fill(0);
    // The order is that of `fields`: four times a byte for each card, then bytes for each player.
    let (hand, out) = out.split_at_mut(CARDS);
    let (pool, out) = out.split_at_mut(CARDS);
    let (taken, out) = out.split_at_mut(CARDS);
    let (played, out) = out.split_at_mut(CARDS);
    let (trick, out) = out.split_at_mut(players);
    let (points, out) = out.split_at_mut(players);
    let (out, passing) = out.split_at_mut(2);
    for card in state.hand(seat) {
        hand[usize::from(id_of(card))] = 1;
    }
    for card in state.pool() {
        pool[usize::from(id_of(card))] = 1;
    }
    // Seats as distances in turn order plus 1: 1 is the seat itself, and 0 stays for nobody.
    let from_here = |by: u8| ((usize::from(by) + players - seat) % players) as u8 + 1;
    for id in 0..CARDS {
        // A card that was taken and played since is shown as played.
        match (state.taken[id], state.played[id]) {
            (_, Some(by)) => played[id] = from_here(by),
            (Some(by), None) => taken[id] = from_here(by),
            (None, None) => {}
        }
    }
    // During the deal nobody moves, which the number of players stands for.
    let Some(round) = &state.round else {
        out[1] = players as u8;
        return;
    };
    for (by, card) in table(round) {
        trick[usize::from(from_here(by as u8)) - 1] = id_of(card) + 1;
    }
    for (place, other) in from_seat(seat, players) {
        points[place] = round.points(other);
    }
    if game.passes() {
        let (passed, received) = passing.split_at_mut(CARDS);
        for card in round.passed(seat) {
            passed[usize::from(id_of(card))] = 1;
        }
        for card in received_by(round, seat) {
            received[usize::from(id_of(card))] = 1;
        }
    }
    // While cards are passed nobody leads, and the field is 0.
    if !round.passing() {
        out[0] = from_here(round.trick().leader() as u8) - 1;
    }
    out[1] = match round.to_act() {
        Some(mover) => from_here(mover as u8) - 1,
        None => players as u8,
    };
}

/// The codes of cards, such as `d9`.
fn codes(cards: Cards) -> Vec<String> {
    cards.into_iter().map(Card::code).collect()
}

/// For each seat, the codes of the cards that `of` gives to it.
fn by_seat(of: &[Option<u8>; CARDS], players: usize) -> Vec<Vec<String>> {
    let mut all = vec![Vec::new(); players];
    for (id, by) in of.iter().enumerate() {
        if let Some(by) = by {
            all[usize::from(*by)].push(card(id as Id).code());
        }
    }
    all
}

/// The view as JSON. A hand that the observer does not see is `null`.
pub(super) fn value<C: Contest>(game: &Rounds<C>, state: &State<C::Round>, eyes: Eyes) -> Value {
    let players = game.players();
    let hand = |player: usize| eyes.value(player, codes(state.hand(player)));
    let round = state.round.as_ref();
    let mut view = json!({
        "game": C::NAME,
        "seat": eyes.seat(),
        "hands": (0..players).map(hand).collect::<Vec<_>>(),
        "hand_sizes": (0..players).map(|p| state.hand(p).len()).collect::<Vec<_>>(),
        "pool": codes(state.pool()),
        "taken": by_seat(&state.taken, players),
        "played": by_seat(&state.played, players),
        "trick": round.map_or(Vec::new(), |round| {
            table(round).into_iter().map(|(by, card)| json!([by, card.code()])).collect()
        }),
        "leader": round.filter(|round| !round.passing()).map(|round| round.trick().leader()),
        "points": game.scores(state)[..players].to_vec(),
        "to_move": round.and_then(Round::to_act),
        "over": game.turn(state) == Turn::Over,
    });
    // A game without passing has no such fields.
    if game.passes() {
        let of = |cards: &dyn Fn(usize) -> Cards| -> Vec<Value> {
            (0..players)
                .map(|player| eyes.value(player, codes(cards(player))))
                .collect()
        };
        let none = Cards::EMPTY;
        let passed = |player| round.map_or(none, |round| round.passed(player));
        let received = |player| round.map_or(none, |round| received_by(round, player));
        view["passing"] = json!(round.is_some_and(Round::passing));
        view["passed"] = json!(of(&passed));
        view["received"] = json!(of(&received));
    }
    view
}

/// The cards that a player has passed and received, in words, as far as the observer sees them.
fn passing_text<R: Round>(round: Option<&R>, eyes: Eyes, player: usize) -> String {
    let mut text = String::new();
    let Some(round) = round.filter(|_| eyes.sees(player)) else {
        return text;
    };
    let both = [
        ("passes", round.passed(player)),
        ("got", received_by(round, player)),
    ];
    for (verb, cards) in both {
        if !cards.is_empty() {
            let _ = write!(text, ", {verb} {cards}");
        }
    }
    text
}

/// The state as text: the pool, then a line for each player.
pub(super) fn text<C: Contest>(game: &Rounds<C>, state: &State<C::Round>, eyes: Eyes) -> String {
    let mut text = String::new();
    if !state.pool().is_empty() {
        let _ = writeln!(text, "pool: {}", state.pool());
    }
    let on_table = state.round.as_ref().map_or_else(Vec::new, table);
    let scores = game.scores(state);
    for (player, points) in scores.iter().enumerate().take(game.players()) {
        let card = on_table.iter().find(|(by, _)| *by == player);
        let card = card.map_or(String::new(), |(_, card)| format!(", on the table {card}"));
        let turn = game.turn(state).note(player);
        let hand = state.hand(player);
        let hand = eyes.words(player, hand, hand.len());
        let passing = passing_text(state.round.as_ref(), eyes, player);
        let _ = writeln!(
            text,
            "player {}: {hand}; {points} points{card}{passing}{turn}",
            player + 1
        );
    }
    text
}

/// The state as an SVG picture, with the card of `action` marked if one is given.
pub(super) fn picture<C: Contest>(
    game: &Rounds<C>,
    state: &State<C::Round>,
    eyes: Eyes,
    action: Option<Card>,
) -> String {
    let players = game.players();
    let rows = players + usize::from(!state.pool().is_empty());
    let mut out = Picture::new(700, 70 * rows + 20);
    let on_table = state.round.as_ref().map_or_else(Vec::new, table);
    let scores = game.scores(state);
    for (player, colour) in COLOURS.iter().enumerate().take(players) {
        // A row for each player: name and points, below them the hand, at the right the card on the table.
        let y = 20 + 70 * player;
        out.circle(16, y - 4, 5, colour);
        let turn = game.turn(state).note(player);
        let words = format!("player {}: {} points{turn}", player + 1, scores[player]);
        out.text(28, y, 13, "start", &words);
        let shown = eyes.sees(player);
        for (place, card) in state.hand(player).into_iter().enumerate() {
            out.card(28 + 33 * place, y + 8, &eyes.name(player, card));
            if shown && action == Some(card) && !turn.is_empty() {
                out.mark(28 + 33 * place, y + 8);
            }
        }
        if let Some((_, card)) = on_table.iter().find(|(by, _)| *by == player) {
            out.card(650, y + 8, &card.to_string());
        }
    }
    // Below the players is a row for the pool while it has cards. An action that takes a card marks it there.
    for (place, card) in state.pool().into_iter().enumerate() {
        let (x, y) = (28 + 33 * place, 20 + 70 * players);
        out.card(x, y, &card.to_string());
        if action == Some(card) {
            out.mark(x, y);
        }
    }
    out.end()
}
