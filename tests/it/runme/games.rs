//! Whatever game it is asked about, the program answers with one legal action.

use super::positions::{Position, moment, plain_board, play};
use super::{pure, run};
use cartagena::boards;
use cartagena::rules::{Board, Symbol};
use engine::rng::{self, below};

/// Enough to search a little, and little enough for thousands of processes.
const NODES: u64 = 60;

/// 500 random moments of games, dealt 3 and 6, with optional cards named or not.
fn check(players: usize) {
    let mut reshuffled = 0;
    for i in 0..500 {
        let seed = 1000 * players as u64 + i;
        let deal = if i % 2 == 0 { 3 } else { 6 };
        let position = moment(seed, players, deal);
        let input = position.input_with_some_cards(&mut rng::stream(seed, 3));
        let run = run(&mut pure(NODES), &input);
        position.answer(&run);
        assert_eq!(run.stderr, "", "a legal game is consistent:\n{input}");
        reshuffled += usize::from(position.reshuffled);
    }
    assert!(reshuffled >= 50, "only {reshuffled} after a reshuffle");
}

#[test]
fn two_players() {
    check(2);
}

#[test]
fn three_players() {
    check(3);
}

#[test]
fn four_players() {
    check(4);
}

#[test]
fn five_players() {
    check(5);
}

#[test]
fn six_players() {
    check(6);
}

/// Boards as short and as long as there can be, six players, six cards each.
#[test]
fn boards_of_every_length() {
    let mut asked = 0;
    for (i, spaces) in [1, 1, 2, 5, 62, 63, 64, 126, 126].into_iter().enumerate() {
        let seed = i as u64;
        let mut rng = rng::stream(seed, 4);
        let symbols = (0..spaces).map(|_| Symbol::ALL[below(&mut rng, 6)]);
        let board = Board::new(symbols.collect()).unwrap();
        let start = Position::start(board, 6, 6, seed);
        play(start, &["random", "hoarder"], seed, 300, |position| {
            if !position.legal().is_empty() && below(&mut rng, 12) == 0 {
                position.answer(&run(&mut pure(NODES), position.input()));
                asked += 1;
            }
            true
        });
    }
    assert!(asked > 50, "only {asked}");
}

/// A board of one symbol, where a card of another leads from the cell to the boat.
#[test]
fn a_board_of_one_symbol() {
    for spaces in [1, 20] {
        let board = plain_board(Symbol::Hat, spaces);
        let start = Position::start(board, 2, 3, 7);
        play(start, &["random"], 7, 60, |position| {
            if !position.legal().is_empty() {
                position.answer(&run(&mut pure(NODES), position.input()));
            }
            true
        });
    }
}

/// Hands of twenty cards and more, as hoarders have before they sprint.
#[test]
fn large_hands() {
    let mut asked = 0;
    for seed in 0..32 {
        let board = boards::standard(&mut rng::stream(seed, 5));
        let start = Position::start(board, 2, 3, seed);
        let hoarder = "hoarder,card=60,enough=34";
        play(start, &[hoarder], seed, 400, |position| {
            let mover = usize::from(position.state().to_move);
            if position.state().hands[mover].total() < 20 {
                return true;
            }
            position.answer(&run(&mut pure(2000), position.input()));
            asked += 1;
            asked % 4 != 0
        });
    }
    assert!(asked >= 16, "only {asked}");
}
