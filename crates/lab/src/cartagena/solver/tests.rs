//! Exact values of small games: they obey the recursion, agree with a second implementation and with games worked
//! out by hand, and show what a search loses.

mod oracle;

use super::*;
use cartagena::evaluation::handmade::Handmade;
use cartagena::rules::{Board, Symbol};
use cartagena::search::{Settings, Width};
use engine::budget::Limits;
use oracle::Oracle;

fn small(
    symbols: &[usize],
    pirates: usize,
    copies: [u8; 6],
    deal: u8,
    allow_pass: bool,
) -> SmallGame {
    let spaces = symbols.iter().map(|&s| Symbol::ALL[s]).collect();
    let game = Game {
        pirates,
        ..Game::new(Board::new(spaces).unwrap(), 2)
    };
    SmallGame {
        game,
        deck: Cards::from_counts(copies),
        deal,
        allow_pass,
    }
}

/// The same game with three players.
fn of_three(mut small: SmallGame) -> SmallGame {
    small.game.players = 3;
    small
}

fn games() -> [SmallGame; 5] {
    [
        small(&[0, 1, 2, 0, 2, 1], 1, [2, 2, 1, 0, 0, 0], 2, false),
        small(&[0, 1, 1, 0], 2, [2, 2, 0, 0, 0, 0], 1, false),
        small(&[0, 1, 0, 1, 0], 1, [3, 2, 0, 0, 0, 0], 2, true),
        of_three(small(&[0, 1, 0, 1], 1, [3, 3, 0, 0, 0, 0], 2, false)),
        of_three(small(&[0, 1, 2, 2, 0, 1], 1, [2, 2, 2, 0, 0, 0], 2, false)),
    ]
}

#[test]
fn every_value_is_that_of_the_best_choice() {
    for game in games() {
        let solution = Solution::of(game, 1 << 20).unwrap();
        let (_, residual) = solution.convergence();
        assert!(residual < 1e-12, "{residual}");
        for state in solution.states() {
            let seat = usize::from(state.to_move);
            let value = solution.value(state, seat).unwrap();
            assert!((0.0..=1.0 + 1e-12).contains(&value), "{value}");
            let all: f64 = (0..MOST)
                .map(|seat| solution.value(state, seat).unwrap())
                .sum();
            assert!((all - 1.0).abs() < 1e-9, "{state:?}: {all}");
            let values = solution.action_values(state);
            match state.winner() {
                Some(_) => assert_eq!(value, 1.0),
                None => {
                    let best = values.iter().map(|v| v.1).fold(0.0, f64::max);
                    assert!((best - value).abs() < 1e-12, "{state:?}: {best} {value}");
                }
            }
        }
    }
}

/// A race that can be counted by hand: one pirate, one space and one card for each player.
#[test]
fn the_second_player_wins_a_race_of_two_cards() {
    let solution = Solution::of(small(&[0], 1, [2, 0, 0, 0, 0, 0], 1, false), 1000).unwrap();
    let start = solution.states()[0];
    // The first to play a bottle blocks the space, and the other jumps over it onto the boat.
    assert_eq!(solution.value(&start, 1), Some(1.0));
    // The third player never comes to act.
    let three = of_three(small(&[0], 1, [3, 0, 0, 0, 0, 0], 1, false));
    let solution = Solution::of(three, 1000).unwrap();
    let shares = [0, 1, 2].map(|seat| solution.value(&solution.states()[0], seat).unwrap());
    assert_eq!(shares, [0.0, 1.0, 0.0]);
}

/// Among choices that are equal to it a player takes each with the same probability, whatever they mean to the others.
#[test]
fn equal_choices_are_equally_likely() {
    let mut best = BestChoices::default();
    for shares in [
        [0.2, 0.8, 0.0],
        [0.5, 0.5, 0.0],
        [0.5, 0.0, 0.5],
        [0.4, 0.6, 0.0],
    ] {
        best.consider(shares, 0);
    }
    assert_eq!(best.shares(), [0.5, 0.25, 0.25]);
}

#[test]
fn with_exact_values_at_its_leaves_the_search_loses_nothing() {
    let options = ChoiceOptions {
        limits: Limits::default(),
        settings: Settings {
            // Expectimax of the whole turn, no rollouts.
            candidates: 1,
            width: Width {
                root: 43,
                inner: 43,
                part: 1.0,
            },
            ..Settings::default()
        },
    };
    for game in games() {
        let solution = Solution::of(game, 1 << 20).unwrap();
        let positions = solution.positions(400, 1);
        assert!(positions.len() >= 100);
        let loss = losses(&solution, &positions, |state| {
            solution.choice(state, &Oracle::new(&solution, *state), &options)
        });
        assert!(loss.worst < 1e-6, "{loss:?}");
        assert!(loss.chance > 1e-3, "choices matter: {loss:?}");
    }
}

#[test]
fn a_search_with_an_estimate_loses_less_than_chance() {
    let options = ChoiceOptions {
        limits: Limits::nodes(2000),
        settings: Settings::default(),
    };
    let [_, game, ..] = games();
    let solution = Solution::of(game, 1 << 20).unwrap();
    let positions = solution.positions(200, 2);
    let handmade = Handmade::default();
    let loss = losses(&solution, &positions, |state| {
        solution.choice(state, &handmade, &options)
    });
    assert!(loss.mean < loss.chance / 2.0, "{loss:?}");
}

#[test]
fn draws_come_from_the_pile_first() {
    let pile = Cards::from_counts([1, 0, 0, 0, 0, 0]);
    let discards = Cards::from_counts([1, 1, 0, 0, 0, 0]);
    let sets = draws(pile, discards, 2);
    let both = Cards::from_counts([2, 0, 0, 0, 0, 0]);
    let mixed = Cards::from_counts([1, 1, 0, 0, 0, 0]);
    assert_eq!(sets, vec![(both, 0.5), (mixed, 0.5)]);
}

#[test]
fn what_is_no_small_game_is_refused() {
    let mut game = small(&[0, 1, 1, 0], 2, [2, 2, 0, 0, 0, 0], 1, false);
    assert_eq!(
        Solution::of(game.clone(), 100).err(),
        Some(SolveError::TooLarge(100))
    );
    game.deal = 86;
    game.game.players = 3;
    assert_eq!(
        Solution::of(game.clone(), 100).err(),
        Some(SolveError::Deck(4))
    );
    game.game.players = 2;
    game.deal = 3;
    assert_eq!(
        Solution::of(game.clone(), 100).err(),
        Some(SolveError::Deck(4))
    );
    game.game.players = 4;
    assert_eq!(Solution::of(game, 100).err(), Some(SolveError::Players(4)));
}

/// This game takes 90 sweeps.
#[test]
fn values_that_have_not_settled_are_refused() {
    let [_, game, ..] = games();
    match Solution::within(game, 1 << 20, 20) {
        Err(SolveError::Unsettled(20, change)) => assert!(change > SETTLED, "{change}"),
        other => panic!("{:?}", other.map(|solution| solution.convergence())),
    }
}

#[test]
fn losses_of_several_games_are_pooled() {
    let one = Loss {
        positions: 1,
        blocks: 2,
        mean: 0.5,
        margin: Some(0.2),
        worst: 0.5,
        right: 0.0,
        chance: 0.25,
    };
    let three = Loss {
        positions: 3,
        blocks: 3,
        right: 1.0,
        ..Loss::default()
    };
    let all = Loss::pool(&[one, three]);
    assert_eq!((all.positions, all.mean, all.right), (4, 0.125, 0.75));
    assert_eq!((all.worst, all.chance), (0.5, 0.0625));
    assert!((all.margin.unwrap() - 0.05).abs() < 1e-12, "{all:?}");
    // Three positions of a single game: nobody knows how much others would differ.
    let alone = Loss { blocks: 1, ..three };
    assert_eq!(Loss::pool(&[one, alone]).margin, None);
}

mod naive;

/// The second implementation has its own rules and stops at a depth. Its bounds enclose the exact values: an
/// unfinished game counts as lost for one bound, as won for the other.
#[test]
fn values_lie_between_those_of_a_naive_search_of_limited_depth() {
    let games = [
        small(&[0, 1, 2, 0, 2, 1], 1, [1, 1, 1, 0, 0, 0], 1, false),
        small(&[0, 1, 0, 1], 1, [2, 1, 0, 0, 0, 0], 1, true),
        small(&[1, 0, 1, 0, 0], 1, [2, 2, 0, 0, 0, 0], 2, false),
        small(&[0, 1, 1], 2, [2, 1, 0, 0, 0, 0], 1, false),
    ];
    let mut close = [0; 4];
    for (number, game) in games.into_iter().enumerate() {
        let solution = Solution::of(game, 1 << 20).unwrap();
        let mut search = naive::Search::new(solution.small());
        for state in solution.positions(40, 3).concat() {
            let value = solution.value(&state, 0).unwrap();
            let start = naive::Position::of(&solution, &state);
            let (low, high) = search.bounds(&start, 12);
            let room = 1e-9;
            assert!(
                low - room <= value && value <= high + room,
                "game {number}, {state:?}: {value} is not in {low} to {high}"
            );
            close[number] += u32::from(high - low < 0.05);
        }
    }
    // In other positions the players can go round in circles, so that the bounds stay apart.
    assert!(close.iter().sum::<u32>() >= 40, "{close:?}");
}

/// Positions met in play can arise, leave a choice, and are the same for the same seed.
#[test]
fn positions_met_in_play() {
    for game in games() {
        let solution = Solution::of(game, 1 << 20).unwrap();
        let met = solution.met(300, 5);
        assert_eq!(met, solution.met(300, 5));
        assert_eq!(met.concat().len(), 300);
        assert!((2..=300).contains(&met.len()), "blocks are games");
        for state in &met.concat() {
            assert!(solution.value(state, 0).is_some());
            assert!(solution.actions(state).len() > 1);
        }
        let loss = losses(&solution, &met, |state| {
            let values = solution.action_values(state);
            let best = values.iter().max_by(|a, b| a.1.total_cmp(&b.1)).unwrap();
            best.0
        });
        assert_eq!((loss.mean, loss.margin, loss.right), (0.0, None, 1.0));
    }
}
