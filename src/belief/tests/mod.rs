//! Tests of the belief as a whole: whole games, records that break the rules, small cases counted
//! out by hand.

mod counted;
mod games;
mod inconsistent;

use super::super::perft;
use super::super::record::{GameRecord, Move};
use super::super::rules::{Board, Place, Symbol};

/// The board of the interface's example.
fn example_board() -> Board {
    perft::example().0.board
}

/// A record of (player from 1, from, to, card) on the example's board.
fn record(
    players: usize,
    moves: &[(usize, Place, Place, Option<Symbol>)],
    to_move: usize,
    hand: &[Symbol],
) -> GameRecord {
    let step = |&(player, from, to, card): &(usize, Place, Place, Option<Symbol>)| Move {
        player: player - 1,
        from,
        to,
        card,
    };
    GameRecord {
        players,
        board: example_board(),
        moves: moves.iter().map(step).collect(),
        to_move: to_move - 1,
        hand: hand.to_vec(),
    }
}

/// The interface's example.
fn example() -> GameRecord {
    use Symbol::{Bottle, Hat, Keys, Skull};
    let moves = [
        (1, 0, 4, None),
        (1, 0, 3, Some(Keys)),
        (1, 4, 3, None),
        (2, 0, 4, None),
        (2, 4, 3, None),
        (2, 0, 2, None),
        (3, 0, 5, None),
        (3, 5, 2, None),
        (3, 0, 4, None),
        (1, 0, 5, Some(Bottle)),
    ];
    record(3, &moves, 2, &[Hat, Skull, Hat])
}
