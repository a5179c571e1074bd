//! Simulates tournaments of players with known strengths, and checks that the intervals of the ratings cover
//! these strengths as often as they claim to: 95 times in 100.
// Clippy allows `unwrap` in test functions only, and this file has helpers.
#![allow(clippy::unwrap_used)]

use arena::LineUp;
use arena::rating::{Games, Options, Outcome, rate};
use engine::rng::{self, Random};

/// True strengths of the five programs, in Elo points. Their mean is 0, as that of ratings is.
const TRUTH: [f64; 5] = [-190.0, -60.0, -10.0, 60.0, 200.0];

/// The luck that the games of a block share.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Luck {
    /// Nothing.
    Fresh,
    /// Half the games repeat the luck that each program has in this block, so blocks become one-sided.
    OfPrograms,
    /// The same games, but each is passed on as a block of its own, which hides that they depend on each
    /// other.
    OfProgramsBroken,
    /// Half the games repeat the luck that each seat has in this block, so blocks become balanced.
    OfSeats,
}

/// Gumbel noise. If each player's strength and noise are added and sorted, the order has the distribution of
/// the Plackett-Luce model (Yellott 1977).
fn noise(random: &mut Random) -> f64 {
    -(-(1.0 - rng::unit(random)).ln()).ln()
}

/// Plays a block. `luck` makes the games of a block depend on each other, but each game by itself still
/// follows the model exactly.
fn play(random: &mut Random, line_up: &LineUp, luck: Luck) -> Vec<Outcome> {
    let common: Vec<f64> = line_up.0.iter().map(|_| noise(random)).collect();
    let seatings = line_up.seatings().into_iter();
    seatings
        .map(|seats| {
            let repeats = luck != Luck::Fresh && rng::unit(random) < 0.5;
            let mut taken = vec![false; seats.len()];
            let scores: Vec<f64> = (0..seats.len())
                .map(|seat| {
                    let fresh = noise(random);
                    let own = match luck {
                        Luck::OfPrograms | Luck::OfProgramsBroken => (0..seats.len())
                            .find(|&i| !taken[i] && line_up.0[i] == seats[seat])
                            .unwrap(),
                        _ => seat,
                    };
                    taken[own] = true;
                    let noise = if repeats { common[own] } else { fresh };
                    TRUTH[seats[seat]] * std::f64::consts::LN_10 / 400.0 + noise
                })
                .collect();
            let ahead = |own: &f64| scores.iter().filter(|other| *other > own).count();
            let ranks = scores.iter().map(|own| ahead(own) as f64 + 1.0).collect();
            Outcome { seats, ranks }
        })
        .collect()
}

/// Line-ups of 2, 3 and 4 players, some with a program on two seats.
fn line_ups() -> Vec<LineUp> {
    let different = |l: &LineUp| l.programs().len() == l.0.len();
    let mut all = LineUp::all(5, 2);
    all.extend(LineUp::all(5, 3).into_iter().filter(different));
    all.extend(LineUp::all(5, 4).into_iter().filter(different));
    all.extend([vec![0, 1, 1], vec![2, 4, 4], vec![0, 0, 3, 3]].map(LineUp));
    all
}

/// How many of `tournaments` tournaments give each program an interval that covers its true strength. Each
/// line-up plays `blocks` blocks.
fn coverage(tournaments: u64, blocks: usize, resamples: usize, luck: Luck) -> [u64; 5] {
    let line_ups = line_ups();
    let mut covered = [0; 5];
    for tournament in 0..tournaments {
        let mut random = rng::stream(tournament, blocks as u64);
        let labels = (0..TRUTH.len()).map(|i| i.to_string()).collect();
        let mut games = Games::new(labels);
        for line_up in &line_ups {
            for _ in 0..blocks {
                let block = play(&mut random, line_up, luck);
                let size = match luck {
                    Luck::OfProgramsBroken => 1,
                    _ => block.len(),
                };
                for part in block.chunks(size) {
                    games.push(part).unwrap();
                }
            }
        }
        let options = Options {
            resamples,
            seed: tournament,
            ..Options::default()
        };
        for row in rate(&games, &options).unwrap().rows {
            let program: usize = row.label.parse().unwrap();
            let within = row.low.is_none_or(|low| low <= TRUTH[program])
                && row.high.is_none_or(|high| high >= TRUTH[program]);
            covered[program] += u64::from(within);
        }
    }
    println!("{tournaments} tournaments, {blocks} blocks a line-up, {luck:?}: {covered:?}");
    covered
}

/// About 380 of a program's 400 intervals should cover its strength, with a standard error of 4.4; the bounds
/// are three of these away. For this, blocks must stay whole: if every game counts as a block of its own, the
/// intervals are too narrow.
#[test]
fn intervals_cover_the_strength() {
    for (blocks, luck) in [(30, Luck::OfPrograms), (3, Luck::OfSeats)] {
        let covered = coverage(400, blocks, 200, luck);
        let is_near = |covered: &u64| (367..=393).contains(covered);
        assert!(covered.iter().all(is_near), "{covered:?}");
    }
    let covered = coverage(300, 8, 200, Luck::OfProgramsBroken);
    assert!(covered.iter().sum::<u64>() < 90 * 3 * 5, "{covered:?}");
}

/// Prints the figures in docs/measurements/server.md.
#[test]
#[ignore = "minutes: 1,000 tournaments of each kind with all resamples"]
fn intervals_cover_the_strength_in_all_kinds_of_tournaments() {
    for (blocks, resamples) in [(3, 1000), (30, 1000), (100, 400)] {
        for luck in [Luck::Fresh, Luck::OfPrograms, Luck::OfSeats] {
            let covered = coverage(1000, blocks, resamples, luck);
            let is_near = |covered: &u64| (930..=970).contains(covered);
            assert!(covered.iter().all(is_near), "{covered:?}");
        }
    }
}
