//! Observations, views, texts and pictures of the challenge card game, for a seat, an onlooker or all eyes. The
//! implementation of [`Game`] in the parent module calls these functions.

use super::{Challenge, State};
use crate::game::{Eyes, Game, Id, Turn};
use crate::picture::{COLOURS, Picture};
use ::challenge::rules::{
    Card, Cards, Challenge as Offer, Decision, HAND_SIZE, PublicState, RANKS, Seat, other,
};
use serde_json::{Value, json};
use std::fmt::Write;

/// The number of cards of each rank.
fn counts(cards: Cards) -> [u8; RANKS] {
    std::array::from_fn(|rank| Card::new(rank as u8 + 1).map_or(0, |card| cards.count(card)))
}

/// The card on the table, if this seat played it. Only the leader's card lies there: the answer ends the trick.
fn on_table(public: &PublicState, seat: Seat) -> Option<Card> {
    public.table.filter(|_| public.lead == seat)
}

/// The cards of a seat in the hand that is played, or the ones dealt so far of the next.
fn held(state: &State, seat: Seat) -> Cards {
    let hand = state.game.hand().map(|hand| hand.cards(seat));
    hand.unwrap_or(state.dealing[seat])
}

/// The part of a hand that both players see. Between hands there is nothing: that of a hand not yet begun stands in.
fn public(state: &State) -> PublicState {
    let hand = state.game.hand().map(|hand| *hand.public());
    hand.unwrap_or_else(|| PublicState::new(state.lead))
}

/// The challenge as a byte: 0 none, 1 the seat's own offer is open, 2 the other's, 3 a challenge was accepted.
fn challenge(public: &PublicState, seat: Seat) -> u8 {
    match public.challenge {
        Offer::None | Offer::Rejected(_) => 0,
        Offer::Offered(by) if by == seat => 1,
        Offer::Offered(_) => 2,
        Offer::Accepted(_) => 3,
    }
}

/// Writes a seat's plain observation, in the order of `Challenge::fields`.
pub(super) fn observe(game: &Challenge, state: &State, seat: usize, out: &mut [u8]) {
    let public = &public(state);
    let them = other(seat);
    let points = state.game.points();
    let rank = |card: Option<Card>| card.map_or(0, Card::rank);
    let (hand, out) = out.split_at_mut(RANKS);
    let (own, out) = out.split_at_mut(RANKS);
    let (their, out) = out.split_at_mut(RANKS);
    hand.copy_from_slice(&counts(held(state, seat)));
    own.copy_from_slice(&counts(public.played[seat]));
    their.copy_from_slice(&counts(public.played[them]));
    // A small hand begins with tricks that nobody played; they are not shown.
    let skipped = (HAND_SIZE - game.settings().cards) as u8;
    let to_move = match game.turn(state) {
        Turn::Seat(mover) => u8::from(mover != seat),
        _ => 2,
    };
    // The order is that of `Challenge::fields`: own values before the other's.
    out.copy_from_slice(&[
        rank(on_table(public, seat)),
        rank(on_table(public, them)),
        public.tricks[seat],
        public.tricks[them],
        public.total_tricks.saturating_sub(skipped),
        points[seat],
        points[them],
        u8::from(public.lead == seat),
        challenge(public, seat),
        to_move,
    ]);
}

/// The rank of each card.
fn ranks(cards: Cards) -> Vec<u8> {
    cards.iter().map(Card::rank).collect()
}

/// The view as JSON. A hand that the observer does not see is `null`.
pub(super) fn value(game: &Challenge, state: &State, eyes: Eyes) -> Value {
    let public = &public(state);
    let both = |of: &dyn Fn(Seat) -> Value| [of(0), of(1)];
    let offer = match public.challenge {
        Offer::None => Value::Null,
        Offer::Offered(by) => json!({"by": by, "answer": null}),
        Offer::Accepted(by) => json!({"by": by, "answer": "accept"}),
        Offer::Rejected(by) => json!({"by": by, "answer": "reject"}),
    };
    let to_move = match game.turn(state) {
        Turn::Seat(mover) => json!(mover),
        _ => Value::Null,
    };
    let ids = state.log.iter().map(|&decision| super::id_of(decision));
    let log: Vec<String> = ids.map(|id: Id| game.action_text(state, id)).collect();
    json!({
        "game": Challenge::NAME,
        "seat": eyes.seat(),
        "hand_number": state.hands,
        "hands": both(&|player| eyes.value(player, ranks(held(state, player)))),
        "hand_sizes": both(&|player| json!(held(state, player).len())),
        "opener": public.opener,
        "lead": public.lead,
        "table": public.table.map(Card::rank),
        "played": both(&|player| json!(ranks(public.played[player]))),
        "tricks": public.tricks,
        "points": state.game.points(),
        "challenge": offer,
        "to_move": to_move,
        "winner": state.game.winner(),
        "stopped": game.stopped(state),
        "decisions": log,
    })
}

/// The state as text: the score, a line for each player, the challenge, and the winner.
pub(super) fn text(game: &Challenge, state: &State, eyes: Eyes) -> String {
    let public = &public(state);
    let points = state.game.points();
    let mut text = format!(
        "hand {}, points {} : {}\n",
        state.hands, points[0], points[1]
    );
    for player in 0..2 {
        let card = on_table(public, player);
        let table = card.map_or(String::new(), |card| format!(", on the table {card}"));
        let turn = game.turn(state).note(player);
        let cards = held(state, player);
        let _ = writeln!(
            text,
            "player {}: {}; played {}; {} tricks{table}{turn}",
            player + 1,
            eyes.words(player, cards, cards.len()),
            public.played[player],
            public.tricks[player],
        );
    }
    match public.challenge {
        Offer::Offered(by) => {
            let _ = writeln!(text, "player {} offers a challenge", by + 1);
        }
        Offer::Accepted(by) => {
            let _ = writeln!(text, "player {}'s challenge decides the game", by + 1);
        }
        Offer::None | Offer::Rejected(_) => {}
    }
    if let Some(winner) = state.game.winner() {
        let _ = writeln!(text, "player {} has won", winner + 1);
    }
    text
}

/// The state as an SVG picture, with `action` marked if one is given.
pub(super) fn picture(game: &Challenge, state: &State, eyes: Eyes, action: Option<Id>) -> String {
    let public = &public(state);
    let mut out = Picture::new(420, 180);
    for (player, colour) in COLOURS.iter().enumerate().take(2) {
        let y = 24 + 80 * player;
        out.circle(16, y - 4, 5, colour);
        // The action belongs to the player to move, so no other row shows it.
        let acts = game.turn(state) == Turn::Seat(player);
        let action = action.filter(|_| acts);
        let turn = match action.map(super::decision) {
            Some(Decision::Offer) => ", offers a challenge".to_owned(),
            Some(Decision::Accept) => ", accepts".to_owned(),
            Some(Decision::Reject) => ", rejects".to_owned(),
            _ if acts => ", to move".to_owned(),
            _ => String::new(),
        };
        let words = format!(
            "player {}: {} points, {} tricks{turn}",
            player + 1,
            state.game.points()[player],
            public.tricks[player]
        );
        out.text(28, y, 13, "start", &words);
        let cards = held(state, player);
        let shown = eyes.sees(player);
        let mut wanted = action.and_then(|id| Card::new(id + 1));
        for (place, card) in cards.iter().enumerate() {
            out.card(28 + 36 * place, y + 10, &eyes.name(player, card));
            // Only one of several equal cards is played: the first is marked.
            if shown && wanted == Some(card) {
                out.mark(28 + 36 * place, y + 10);
                wanted = None;
            }
        }
        if let Some(card) = on_table(public, player) {
            out.card(300, y + 10, &card.to_string());
        }
    }
    out.end()
}
