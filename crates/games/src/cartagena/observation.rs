//! The observations of Cartagena for learners: the bytes that a seat sees, and the features of the network. The
//! implementation of `Game` in the parent module calls these functions.

use super::{Options, State};
use crate::game::ObservationField;
use ::cartagena::evaluation::Afterstate;
use ::cartagena::evaluation::features::{FeatureSet, words};
use ::cartagena::rules::{ACTIONS_A_TURN, COPIES, Cards, DECK, SYMBOLS};

/// The fields of a plain observation.
pub(super) fn fields(options: &Options) -> Vec<ObservationField> {
    let (players, spaces) = (options.players, options.spaces);
    let mut fields = vec![
        ObservationField::new("board", spaces, SYMBOLS as u8 - 1),
        ObservationField::new("pirates", players * options.pirates, spaces as u8 + 1),
        ObservationField::new("hand", SYMBOLS, COPIES),
        ObservationField::new("hand_sizes", players, DECK as u8),
        ObservationField::new("discards", SYMBOLS, COPIES),
        ObservationField::new("pile", 1, DECK as u8),
        ObservationField::new("to_move", 1, players as u8 - 1),
        ObservationField::new("actions_left", 1, ACTIONS_A_TURN),
    ];
    if options.open_hands {
        fields.push(ObservationField::new("hands", players * SYMBOLS, COPIES));
    }
    fields
}

/// The bytes of the fields after the last one with a size of its own: `pile`, `to_move` and `actions_left`.
const LAST: usize = 3;

/// Writes the fields for a seat: its own values first, then the others' in turn order.
#[inline]
pub(super) fn plain(state: &State, seat: usize, out: &mut [u8]) {
    let (open, players) = (&state.state, state.game.players);
    let (board, out) = out.split_at_mut(state.game.board.spaces().len());
    for (byte, &symbol) in board.iter_mut().zip(state.game.board.spaces()) {
        *byte = symbol as u8;
    }
    let each = state.game.pirates;
    let (pirates, out) = out.split_at_mut(players * each);
    let (hand, out) = out.split_at_mut(SYMBOLS);
    let (sizes, out) = out.split_at_mut(players);
    let (discards, out) = out.split_at_mut(SYMBOLS);
    hand.copy_from_slice(&open.hands[seat].counts());
    discards.copy_from_slice(&open.discards.counts());
    // Players in turn order from the seat on, around the table.
    let mut player = seat;
    for (places, size) in pirates.chunks_exact_mut(each).zip(sizes) {
        places.copy_from_slice(open.track.pirates(player));
        *size = open.hands[player].total();
        player += 1;
        if player == players {
            player = 0;
        }
    }
    // The player to move as a distance in turn order, (to_move − seat) mod players: 0 is the seat itself.
    let to_move = usize::from(open.to_move);
    let ahead = if to_move < seat { players } else { 0 };
    let (last, hands) = out.split_at_mut(LAST);
    // Only a game with open hands has this field.
    for (number, hand) in hands.chunks_exact_mut(SYMBOLS).enumerate() {
        hand.copy_from_slice(&open.hands[(seat + number) % players].counts());
    }
    last.copy_from_slice(&[
        open.pile,
        (to_move + ahead - seat) as u8,
        open.actions_left(),
    ]);
}

/// Writes a byte, 0 or 1, for each feature of the network, as the player to move sees the position.
pub(super) fn features(state: &State, out: &mut [u8]) {
    features_of(state, &Afterstate::before(&state.state), out);
}

/// Writes the fields for a seat after an action of the player to move, before that player has drawn.
pub(super) fn plain_after(state: &State, after: &Afterstate, seat: usize, out: &mut [u8]) {
    plain(state, seat, out);
    let (players, each) = (state.game.players, state.game.pirates);
    // The player who acts as a distance in turn order, as in `plain`.
    let ahead = (after.seat + players - seat) % players;
    // The fields lie as in `plain`; only those that an action can change are overwritten.
    let (pirates, out) = out[state.game.board.spaces().len()..].split_at_mut(players * each);
    let (hand, out) = out.split_at_mut(SYMBOLS);
    let (sizes, out) = out.split_at_mut(players);
    let (discards, out) = out.split_at_mut(SYMBOLS);
    let (out, hands) = out.split_at_mut(LAST);
    if let Some(open) = hands.chunks_exact_mut(SYMBOLS).nth(ahead) {
        open.copy_from_slice(&after.hand.counts());
    }
    pirates[ahead * each..][..each].copy_from_slice(after.track.pirates(after.seat));
    if ahead == 0 {
        hand.copy_from_slice(&after.hand.counts());
    }
    sizes[ahead] = after.hand.total() + after.draws;
    // If the pile is too small for the draw, the discards become the new pile before the last cards are drawn.
    let (discarded, pile) = match after.pile.checked_sub(after.draws) {
        Some(pile) => (after.discards, pile),
        None => {
            let all = after.pile + after.discards.total();
            (Cards::NONE, all.saturating_sub(after.draws))
        }
    };
    discards.copy_from_slice(&discarded.counts());
    let (to_move, actions_left) = match after.actions_left {
        0 => ((ahead + 1) % players, ACTIONS_A_TURN),
        left => (ahead, left),
    };
    out.copy_from_slice(&[pile, to_move as u8, actions_left]);
}

/// For each byte its eight bits, the lowest first, as a byte each. Without this table, shifting bits out one by
/// one took most of the time of a network's observation.
const SPREAD: [[u8; 8]; 256] = {
    let mut table = [[0; 8]; 256];
    let mut at = 0;
    while at < 256 * 8 {
        table[at / 8][at % 8] = ((at / 8) >> (at % 8)) as u8 & 1;
        at += 1;
    }
    table
};

/// Writes a byte, 0 or 1, for each feature of the network after an action.
pub(super) fn features_of(state: &State, after: &Afterstate, out: &mut [u8]) {
    let set = FeatureSet::of(&state.game, after);
    // A set has words for the most players; a game with fewer uses the first ones, 64 bytes of the observation
    // each.
    let used = &set.words()[..words(state.game.players)];
    for (bytes, &word) in out.chunks_exact_mut(64).zip(used) {
        for (eight, bits) in bytes.chunks_exact_mut(8).zip(word.to_le_bytes()) {
            eight.copy_from_slice(&SPREAD[usize::from(bits)]);
        }
    }
}
