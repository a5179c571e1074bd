use super::*;
use crate::rules::Board;
use crate::view::View;
use engine::rng::{self, Random};
use proptest::prelude::*;

/// A random position of two players on a small board; the first is to move.
fn position(seed: u64, spaces: usize, pirates: usize, cards: usize) -> (Game, View) {
    let mut rng = rng::stream(seed, 0);
    let symbols = (0..spaces).map(|_| Symbol::ALL[rng::below(&mut rng, 3)]);
    let board = Board::new(symbols.collect()).unwrap();
    let game = Game {
        pirates,
        ..Game::new(board, 2)
    };
    let hand = |rng: &mut Random, cards: usize| -> Cards {
        (0..cards)
            .map(|_| Symbol::ALL[rng::below(rng, 3)])
            .collect()
    };
    let hands = [hand(&mut rng, cards), hand(&mut rng, 2)];
    let mut state = game.start(&hands);
    for player in 0..2 {
        for _ in 0..pirates {
            let to = rng::below(&mut rng, spaces + 2) as u8;
            if state.track.pirates_on(to) < 3 && state.track.pirates(player)[0] == 0 {
                state.track.relocate(player, 0, to);
            }
        }
    }
    state.taken = rng::below(&mut rng, 3) as u8;
    (game, View::of(&state, 0))
}

/// The least number of cards, by trying everything.
fn brute(game: &Game, track: &Track, hand: Cards) -> Option<u8> {
    if track.is_home(0) {
        return Some(0);
    }
    let mut list = ActionList::new();
    game.actions(track, 0, hand, &mut list);
    let play = |action: &Action| {
        let (from, to) = action.places()?;
        let hand = hand.without(action.card()?);
        let mut next = *track;
        next.step(0, from, to);
        Some(1 + brute(game, &next, hand)?)
    };
    list.iter().filter_map(play).min()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn the_shortest_way_is_found(seed: u64, spaces in 1usize..=10, pirates in 1usize..=3, cards in 0usize..=6) {
        let (game, view) = position(seed, spaces, pirates, cards);
        let expected = brute(&game, &view.track, view.hand);
        let found = sprint(&game, &view.track, 0, view.hand, u32::MAX);
        prop_assert!(found.is_exact(view.hand), "{:?}", found);
        prop_assert_eq!(found.line.as_ref().map(|l| l.len() as u8), expected);
        // The line can be played.
        let mut track = view.track;
        let mut hand = view.hand;
        for action in found.line.iter().flatten() {
            let mut list = ActionList::new();
            game.actions(&track, 0, hand, &mut list);
            prop_assert!(list.contains(action));
            let (from, to) = action.places().unwrap();
            hand = hand.without(action.card().unwrap());
            track.step(0, from, to);
        }
        prop_assert!(found.line.is_none() || track.is_home(0));
        // With too few nodes the answer is a bracket around it.
        let short = sprint(&game, &view.track, 0, view.hand, 2);
        let expected = expected.unwrap_or(view.hand.total() + 1);
        prop_assert!(short.least <= expected);
        prop_assert!(short.line.is_none_or(|l| l.len() as u8 >= expected));
    }
}

#[test]
fn turns_count_this_one() {
    let action = Action::Pass;
    let of = |n| Sprint {
        least: 0,
        line: Some(vec![action; n]),
    };
    assert_eq!(of(1).turns(1), Some(1));
    assert_eq!(of(2).turns(1), Some(2));
    assert_eq!(of(5).turns(1), Some(3));
    assert_eq!(of(3).turns(3), Some(1));
}
