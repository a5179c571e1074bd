//! Certain wins are played, and positions with one or no legal action are answered without a search.

use super::positions::{Position, plain_board, play};
use super::{Run, program, pure, run};
use cartagena::boards;
use cartagena::rules::{Action, ActionList, CELL, Cards, Game, MAX_PLAYERS, State, Symbol};
use cartagena::world::World;
use engine::rng;

/// The fewest cards of the own hand that win within `actions` actions of this turn; none if the hand alone cannot.
fn win_in(game: &Game, state: &State, actions: u8) -> Option<u8> {
    if actions == 0 || game.pirates - state.track.home(usize::from(state.to_move)) > actions.into()
    {
        return None;
    }
    let mut list = ActionList::new();
    game.legal_actions(state, &mut list);
    let mut fewest = None;
    for action in list {
        if action.card().is_none() {
            continue;
        }
        let mut next = *state;
        game.apply(&mut next, action, Cards::NONE);
        let more = match next.winner() {
            Some(_) => Some(0),
            None => win_in(game, &next, actions - 1),
        };
        fewest = [fewest, more.map(|n| n + 1)].into_iter().flatten().min();
    }
    fewest
}

/// Collects `wanted` positions in which the hand alone wins in this turn, with exactly `actions` cards.
fn certain_wins(actions: u8, wanted: usize) -> Vec<Position> {
    let mut found = Vec::new();
    let mut seed = 0;
    while found.len() < wanted {
        seed += 1;
        let players = 2 + seed as usize % 5;
        let board = boards::standard(&mut rng::stream(seed, 0));
        let start = Position::start(board, players, 3, seed);
        let bots = ["hoarder", "rearmost", "greedy"];
        play(start, &bots, seed, 400, |position| {
            let state = position.state();
            let wins = win_in(&position.game, state, state.actions_left()) == Some(actions);
            if wins {
                found.push(position.clone());
            }
            !wins
        });
    }
    found
}

/// The turn is played by the program, a process an action, and is won.
fn check(actions: u8) {
    for mut position in certain_wins(actions, 24) {
        let seat = usize::from(position.state().to_move);
        let first = position.input();
        while position.state().winner().is_none() {
            let answer = position.answer(&run(&mut pure(1), position.input()));
            position.take(answer);
            let state = position.state();
            let mine = usize::from(state.to_move) == seat;
            assert!(mine, "a win in {actions} missed with {answer}:\n{first}");
        }
        assert_eq!(position.state().winner(), Some(seat));
    }
}

#[test]
fn a_win_in_one() {
    check(1);
}

#[test]
fn a_win_in_two() {
    check(2);
}

#[test]
fn a_win_in_three() {
    check(3);
}

#[test]
fn an_only_move_is_answered_without_a_search() {
    let mut position = Position::start(plain_board(Symbol::Gun, 9), 2, 3, 1);
    let mut state = *position.state();
    let hand: Cards = [Symbol::Gun; 3].into_iter().collect();
    let rest = Cards::deck().minus(hand).minus(hand);
    state.hands = [Cards::NONE; MAX_PLAYERS];
    state.hands[..2].fill(hand);
    position.world = World::new(state, rest.iter().collect(), rng::stream(1, 0));
    assert_eq!(position.legal().len(), 1);
    let run = run(program().args(["--support", "none"]), position.input());
    let action = position.answer(&run);
    let symbol = Symbol::Gun;
    assert_eq!(
        action,
        Action::Advance {
            from: CELL,
            to: 1,
            symbol
        }
    );
    assert_eq!(run.stderr, "");
}

/// If the hand alone wins, the explanation says in how many actions, and that this is certain.
#[test]
fn explanations_tell_how_soon_the_player_is_home() {
    for (actions, text) in [(1, "1 action"), (2, "2 actions"), (3, "3 actions")] {
        for position in certain_wins(actions, 2) {
            let run = run(pure(60).arg("--explain"), position.input());
            let finish = format!("can finish in {text} with this hand (turns: 1)");
            assert!(run.complaints().contains(&&*finish), "{run:?}");
            let home = "home within 1 turn, if nobody else moved: 100.0%";
            assert!(run.complaints().contains(&home), "{run:?}");
        }
    }
    let reshuffled = include_str!("../../data/cartagena/reshuffled-5-players.txt");
    let run = run(pure(60).arg("--explain"), reshuffled);
    let lines = run.complaints();
    assert!(
        lines.contains(&"cannot finish with this hand alone"),
        "{run:?}"
    );
    let home = "home within 1, 2, 3 turns, if nobody else moved: 0.0%, 0.0%, 62.1%";
    assert!(lines.contains(&home), "{run:?}");
}

/// Standard output is empty, and standard error says why.
fn silent(run: &Run, why: &str) {
    assert_eq!((run.code, run.stdout.as_str()), (Some(0), ""), "{run:?}");
    assert!(run.stderr.contains(why), "{run:?}");
    assert_eq!(run.complaints().len(), 1, "{run:?}");
}

#[test]
fn no_legal_action_is_no_answer() {
    // No player has a card, and there is no retreat from the cell.
    let input = "2\ncell\nhat\ngun\nboat\n1\n";
    silent(&run(&mut pure(60), input), "no action is legal");
    // The only pirate that is out has no pirates behind it, and the only card has been played.
    let input = "2\ncell\nhat\ngun\nboat\n1 0 2\n1\n";
    silent(&run(&mut pure(60), input), "no action is legal");
}

#[test]
fn a_finished_game_is_not_answered() {
    let mut last = None;
    let board = boards::standard(&mut rng::stream(3, 0));
    let start = Position::start(board, 3, 3, 3);
    play(start, &["rearmost", "hoarder"], 3, 1000, |position| {
        last = Some(position.clone());
        true
    });
    let mut position = last.unwrap();
    let state = position.state();
    assert_eq!(win_in(&position.game, state, 1), Some(1), "the last action");
    let winner = usize::from(state.to_move);
    let wins = |action: &Action| {
        let mut next = position.clone();
        next.take(*action);
        next.state().winner().is_some()
    };
    let action = position.legal().into_iter().find(wins).unwrap();
    position.take(action);
    let mut record = position.record();
    for to_move in 0..record.players {
        record.to_move = to_move;
        record.hand = position.state().hands[to_move].iter().collect();
        let input = cartagena::notation::print(&record);
        let why = format!("the game is over: player {} has won", winner + 1);
        silent(&run(&mut pure(60), input), &why);
    }
}
