//! The chance to win a game from the totals before a round: general properties, finished games, and games played
//! out.

use super::*;
use engine::rng::{Random, below, stream};
use proptest::prelude::*;

const PACE: Pace = Pace {
    mean: 6.5,
    gain: 9.0,
    spread: 8.0,
    sweep: [0.0, 26.0],
    points: 0.0,
};

fn standing(wins: Wins, ends: Ends, totals: &[u32]) -> Standing {
    Standing::new(wins, ends, totals)
}

/// The chances of all seats after a round.
fn chances(standing: &Standing, points: &[u8]) -> Vec<f32> {
    let mut all = [0.0; MAX_PLAYERS];
    for (all, &points) in all.iter_mut().zip(points) {
        *all = f32::from(points);
    }
    (0..points.len())
        .map(|seat| standing.chance(&all, seat, &PACE))
        .collect()
}

fn any_standing() -> impl Strategy<Value = (Standing, Vec<u8>)> {
    let ends = prop_oneof![
        (50_u16..400).prop_map(Ends::AtPoints),
        (1_u16..60).prop_map(Ends::AfterRounds),
    ];
    let wins = prop_oneof![Just(Wins::Most), Just(Wins::Fewest)];
    (3_usize..=6)
        .prop_flat_map(move |players| {
            (
                wins.clone(),
                ends.clone(),
                prop::collection::vec(0_u32..300, players),
                prop::collection::vec(0_u8..27, players),
            )
        })
        .prop_map(|(wins, ends, totals, points)| (standing(wins, ends, &totals), points))
}

proptest! {
    /// The chances of all seats sum to 1.
    #[test]
    fn chances_sum_to_one((standing, points) in any_standing()) {
        let all = chances(&standing, &points);
        prop_assert!(all.iter().all(|chance| (0.0..=1.0).contains(chance)), "{all:?}");
        prop_assert!((all.iter().sum::<f32>() - 1.0).abs() < 1e-4, "{all:?}");
    }

    /// Chances depend on the totals, not on the order of the seats.
    #[test]
    fn seats_do_not_matter((standing, points) in any_standing(), one in 0_usize..3, other in 0_usize..3) {
        let all = chances(&standing, &points);
        let (mut swapped, mut points) = (standing, points);
        swapped.totals.swap(one, other);
        points.swap(one, other);
        let mut expected = all;
        expected.swap(one, other);
        for (chance, expected) in chances(&swapped, &points).into_iter().zip(expected) {
            prop_assert!((chance - expected).abs() < 1e-5);
        }
    }

    /// A further point never does harm where points are good, and never helps where they are bad.
    #[test]
    fn points_do_what_they_are_for((standing, points) in any_standing(), seat in 0_usize..3) {
        let mut more = points.clone();
        more[seat] += 1;
        let (before, after) = (chances(&standing, &points)[seat], chances(&standing, &more)[seat]);
        let better = match standing.wins {
            Wins::Most => after - before,
            Wins::Fewest => before - after,
        };
        prop_assert!(better > -1e-5, "{before} {after}");
    }
}

#[test]
fn a_game_that_is_over_has_a_winner() {
    let most = |totals: &[u32], points: &[u8]| {
        chances(&standing(Wins::Most, Ends::AtPoints(300), totals), points)
    };
    assert_eq!(
        most(&[290, 280, 0, 0], &[5, 20, 0, 0]),
        [0.0, 1.0, 0.0, 0.0]
    );
    // Two players have equal totals, so the game goes on, for the third as well.
    let tied = most(&[290, 290, 270, 0], &[10, 10, 5, 0]);
    assert_eq!(tied[0], tied[1]);
    assert!(tied[0] < 0.5 && tied[2] > 0.0);
    let fewest = |totals: &[u32], points: &[u8]| {
        chances(&standing(Wins::Fewest, Ends::AtPoints(100), totals), points)
    };
    assert_eq!(fewest(&[90, 40, 50], &[13, 13, 0]), [0.0, 0.0, 1.0]);
    assert!(fewest(&[90, 40, 53], &[13, 13, 0])[1] > 0.4);
    let last = standing(Wins::Fewest, Ends::AfterRounds(1), &[7, 5, 7]);
    assert_eq!(chances(&last, &[0, 2, 20]), [0.5, 0.5, 0.0]);
}

/// A lead is worth more as the end comes nearer.
#[test]
fn leads_are_worth_more_near_the_end() {
    let first = |ends| chances(&standing(Wins::Most, ends, &[60, 50, 40, 30]), &[0; 4])[0];
    let by_points = [400, 200, 100, 70].map(|goal| first(Ends::AtPoints(goal)));
    assert!(
        by_points.is_sorted() && by_points[0] > 0.25,
        "{by_points:?}"
    );
    let by_rounds = [60, 20, 5, 2, 1].map(|rounds| first(Ends::AfterRounds(rounds)));
    assert!(
        by_rounds.is_sorted() && by_rounds[4] == 1.0,
        "{by_rounds:?}"
    );
}

/// The points of a round as in Hearts: 13 single points and one stake of 13, each to a random player.
fn round(rng: &mut Random) -> [u8; 4] {
    let mut points = [0; 4];
    points[below(rng, 4)] += 13;
    for _ in 0..13 {
        points[below(rng, 4)] += 1;
    }
    points
}

/// Games are played out with such rounds, and are won as often as the chances predict.
#[test]
fn chances_are_those_of_games_played_out() {
    let mut rng = stream(1, 0);
    let pairs = 20_000;
    let squares: f64 = (0..pairs)
        .map(|_| {
            let points = round(&mut rng);
            (f64::from(points[0]) - f64::from(points[1])).powi(2)
        })
        .sum();
    let pace = Pace {
        mean: 6.5,
        gain: 8.0,
        spread: (squares / f64::from(pairs) / 2.0).sqrt() as f32,
        sweep: [0.0, 26.0],
        points: 0.0,
    };
    // For each tenth of the chance: the number of cases, the sum of their chances, and the number of wins.
    let mut bins = [(0.0, 0.0, 0.0); 10];
    for _ in 0..4_000 {
        let mut totals = [0_u32; 4];
        let mut foretold = Vec::new();
        let winner = loop {
            let standing = standing(Wins::Fewest, Ends::AtPoints(100), &totals);
            let chances: Vec<f32> = (0..4)
                .map(|seat| standing.chance(&[0.0; MAX_PLAYERS], seat, &pace))
                .collect();
            if let Some(winner) = chances.iter().position(|&chance| chance == 1.0) {
                break winner;
            }
            foretold.push(chances);
            for (total, points) in totals.iter_mut().zip(round(&mut rng)) {
                *total += u32::from(points);
            }
        };
        for chances in foretold {
            for (seat, chance) in chances.into_iter().enumerate() {
                let bin = &mut bins[((10.0 * chance) as usize).min(9)];
                bin.0 += 1.0;
                bin.1 += f64::from(chance);
                bin.2 += f64::from(u8::from(seat == winner));
            }
        }
    }
    for (count, chance, won) in bins {
        let (chance, won) = (chance / count, won / count);
        assert!(count > 300.0, "{count}");
        assert!(
            (chance - won).abs() < 0.05,
            "foretold {chance}, won {won} of {count}"
        );
    }
}
