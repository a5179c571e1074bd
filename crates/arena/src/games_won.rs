//! How many whole games each participant would win, from the rounds of a match.
//!
//! A game is won by totals: rounds are played until somebody has as many points as its goal, and one player leads. A
//! match plays single rounds instead, each deal in every seating, because that compares players with far fewer rounds.
//! But points a round do not say who wins games. A player that is far better in one round of ten, and a little worse in
//! the others, may have the better points and win fewer short games.
//!
//! So whole games are put together from the rounds of the match: rounds are drawn at random, with replacement (the
//! bootstrap; Efron 1979), until one player wins. That takes rounds as independent: a player that looks at the totals,
//! as at a table, is not seen doing so.
//!
//! The error comes from batches. The deals are divided into up to 20 batches, games are put together from each batch
//! alone, and the shares of the batches give a standard error. For example, 4,000 rounds of four players are 1,000
//! deals in batches of 50, each with 200 rounds to draw from.

use super::stats::Mean;
use engine::rng::{Random, below, stream};

/// The goals, in points, for which a match says who would win.
pub const GOALS: [u32; 2] = [100, 300];

/// Games that are put together from all deals, and from each batch.
const GAMES: u32 = 20_000;
const GAMES_A_BATCH: u32 = 2_000;
/// The most batches, and the fewest deals of one.
const BATCHES: usize = 20;
const DEALS_A_BATCH: usize = 5;

/// The points of a round by participant.
pub type Points = Vec<u16>;

/// The share of games that a participant wins, 0 to 1, and its standard error; no error if there were too few deals.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Share {
    pub share: f64,
    pub error: Option<f64>,
}

/// The share of games to a goal that each side wins. `deals` has for each deal its rounds, one a seating, and `sides` the
/// side of each participant: in a match each is a side of its own, in a ladder half of them are one player's. Empty
/// without deals. The result depends on the rounds alone.
pub fn games_won(
    deals: &[Vec<Points>],
    sides: &[usize],
    goal: u32,
    low_is_good: bool,
) -> Vec<Share> {
    if deals.is_empty() {
        return Vec::new();
    }
    let number = sides.iter().max().map_or(0, |last| last + 1);
    // Equal numbers of deals, but for those that are left over: deals k, k + batches, …
    let batches = (deals.len() / DEALS_A_BATCH).min(BATCHES);
    let mut by_batch = vec![Mean::default(); number];
    for batch in 0..batches {
        let deals: Vec<&Vec<Points>> = deals.iter().skip(batch).step_by(batches).collect();
        let rng = &mut stream(u64::from(goal), 1 + batch as u64);
        let shares = shares(&deals, sides, (goal, low_is_good), GAMES_A_BATCH, rng);
        for (mean, share) in by_batch.iter_mut().zip(shares) {
            mean.push(share);
        }
    }
    let all: Vec<&Vec<Points>> = deals.iter().collect();
    let rng = &mut stream(u64::from(goal), 0);
    let shares = shares(&all, sides, (goal, low_is_good), GAMES, rng);
    let errors = by_batch.iter().map(Mean::standard_error);
    let both = shares.into_iter().zip(errors);
    both.map(|(share, error)| Share { share, error }).collect()
}

/// The shares in some games whose rounds are drawn from these deals.
fn shares(
    deals: &[&Vec<Points>],
    sides: &[usize],
    (goal, low_is_good): (u32, bool),
    games: u32,
    rng: &mut Random,
) -> Vec<f64> {
    let mut won = vec![0.0; sides.iter().max().map_or(0, |last| last + 1)];
    for _ in 0..games {
        for (&side, share) in sides.iter().zip(game(deals, (goal, low_is_good), rng)) {
            won[side] += share;
        }
    }
    won.into_iter().map(|won| won / f64::from(games)).collect()
}

/// One game: what each participant wins of it. It is over when somebody has reached the goal and one player leads.
fn game(deals: &[&Vec<Points>], (goal, low_is_good): (u32, bool), rng: &mut Random) -> Vec<f64> {
    let mut totals = vec![0; deals[0][0].len()];
    // Rounds in which nobody makes a point would never end: after as many as any game of the contests could have, the
    // leaders share the game.
    for round in 1..=10 * goal {
        let seatings = deals[below(rng, deals.len())];
        let points = &seatings[below(rng, seatings.len())];
        for (total, &points) in totals.iter_mut().zip(points) {
            *total += u32::from(points);
        }
        let best = match low_is_good {
            true => totals.iter().min(),
            false => totals.iter().max(),
        };
        let leads = |total: &u32| Some(total) == best;
        let leaders = totals.iter().filter(|total| leads(total)).count();
        let is_over = leaders == 1 && totals.iter().any(|&total| total >= goal);
        if is_over || round == 10 * goal {
            let share = 1.0 / leaders as f64;
            return totals
                .iter()
                .map(|total| f64::from(u8::from(leads(total))) * share)
                .collect();
        }
    }
    unreachable!("the last round ends the game")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn deals(rounds: &[[u16; 2]], count: usize) -> Vec<Vec<Points>> {
        let deal: Vec<Points> = rounds.iter().map(|round| round.to_vec()).collect();
        vec![deal; count]
    }

    fn close(share: f64, expected: f64) {
        assert!((share - expected).abs() < 0.02, "{share} {expected}");
    }

    #[test]
    fn better_points_win_every_game_if_they_never_vary() {
        let deals = deals(&[[5, 6]], 20);
        for (low_is_good, won) in [(true, [1.0, 0.0]), (false, [0.0, 1.0])] {
            let shares = games_won(&deals, &[0, 1], 100, low_is_good);
            for (share, won) in shares.iter().zip(won) {
                close(share.share, won);
                assert_eq!(share.error, Some(0.0));
            }
        }
    }

    /// The first player has fewer points in a round, 9 against 10, but loses most short games: in three of four rounds it
    /// has 12 against 10. One round decides a game to 10 points.
    #[test]
    fn points_are_not_games() {
        let deals = deals(&[[12, 10], [12, 10], [12, 10], [0, 10]], 20);
        let shares = games_won(&deals, &[0, 1], 10, true);
        close(shares[0].share, 0.25);
        close(shares[1].share, 0.75);
        // A long game goes to the better points.
        assert!(games_won(&deals, &[0, 1], 3000, true)[0].share > 0.9);
    }

    #[test]
    fn games_that_nobody_can_win_are_shared() {
        for share in games_won(&deals(&[[0, 0]], 4), &[0, 1], 100, true) {
            close(share.share, 0.5);
            assert_eq!(share.error, None);
        }
        assert!(games_won(&[], &[0, 1], 100, true).is_empty());
    }

    /// Two of three players are one side: it wins what either of them wins.
    #[test]
    fn a_side_wins_what_its_players_win() {
        let rounds = [vec![4, 5, 6], vec![6, 5, 4]];
        let deals = vec![rounds.to_vec(); 20];
        let alone = games_won(&deals, &[0, 1, 2], 100, false);
        let sides = games_won(&deals, &[0, 1, 0], 100, false);
        assert_eq!(sides.len(), 2);
        close(sides[0].share, alone[0].share + alone[2].share);
        assert_eq!(sides[1], alone[1]);
    }
}
