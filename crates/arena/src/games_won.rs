//! How many whole games each participant would win, from the rounds of a match.
//!
//! A game is won by totals: rounds are played until somebody has as many points as its goal, and one player leads. A
//! match plays single rounds instead, each deal in every seating, because that compares players with far fewer rounds.
//! But points a round do not say who wins games. A player that is far better in one round of ten, and a little worse in
//! the others, may have the better points and win fewer short games.
//!
//! So whole games are put together from the rounds of the match: rounds are drawn at random, with replacement (the
//! bootstrap; Efron 1979), until one player wins. That takes rounds as independent: the effect of a player that plays by
//! the totals, as at a table, does not show.
//!
//! The error comes from a second bootstrap. Deals are drawn from all, games are put together from these alone, and the
//! shares of 40 such draws have a spread. `m` deals drawn from `n` have `(n - 1) / m` times the variance of the share;
//! with `m = n` the error would come out too small (Rao and Wu 1988). At most 100 deals are drawn: with more, the chance
//! in the games of a draw would weigh against the spread.

use super::stats::{Mean, wilson};
use engine::rng::{Random, below, stream};

/// The goals, in points, for which a match says who would win.
pub const GOALS: [u32; 2] = [100, 300];

/// Games that are put together from all deals, and from each draw of deals.
const GAMES: u32 = 20_000;
const GAMES_A_DRAW: u32 = 1_000;
/// The draws, the most deals of one, and the fewest deals that are drawn from.
const DRAWS: u64 = 40;
const DEALS_A_DRAW: usize = 100;
const FEWEST: usize = 10;

/// The points of a round by participant.
pub type Points = Vec<u16>;

/// The share of games that a participant wins, 0 to 1, and its standard error; no error if there were too few deals.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Share {
    pub share: f64,
    pub error: Option<f64>,
}

/// The share of games to a goal that each side wins. `deals` has for each deal its rounds, one a seating. `sides` has the
/// side of each participant: in a match each participant is one side, in a ladder half of them play for one player.
/// Empty without deals. The result depends on the rounds alone.
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
    let (all, others) = (deals.len(), deals.len() - 1);
    let drawn = others.min(DEALS_A_DRAW);
    let mut draws = vec![Mean::default(); number];
    for draw in (1..=DRAWS).filter(|_| all >= FEWEST) {
        let rng = &mut stream(u64::from(goal), draw);
        let deals: Vec<&Vec<Points>> = (0..drawn).map(|_| &deals[below(rng, all)]).collect();
        let shares = shares(&deals, sides, (goal, low_is_good), GAMES_A_DRAW, rng);
        for (draws, share) in draws.iter_mut().zip(shares) {
            draws.push(share);
        }
    }
    let rng = &mut stream(u64::from(goal), 0);
    let shares = shares(
        &deals.iter().collect::<Vec<_>>(),
        sides,
        (goal, low_is_good),
        GAMES,
        rng,
    );
    let error = |share: f64, draws: &Mean| {
        // The error of their mean is their spread over the root of their number.
        let spread = draws.standard_error()? * (DRAWS as f64).sqrt();
        let error = spread * (drawn as f64 / others as f64).sqrt();
        // Draws that agree do not make a share certain: it is taken as one of as many games as there are deals.
        let games = share * (1.0 - share) / error.powi(2);
        let games = match games.is_finite() && games > 0.0 {
            true => games.max(all as f64),
            false => all as f64,
        };
        Some(wilson(share, games, 1.0).max(error))
    };
    let both = shares.into_iter().zip(&draws);
    both.map(|(share, draws)| Share {
        share,
        error: error(share, draws),
    })
    .collect()
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
                // All deals agree, but there are only 20 of them.
                close(share.error.unwrap(), 1.0 / 21.0);
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

    /// The errors cover the share that all deals together would give, also where they are few.
    #[test]
    fn errors_hold_with_few_deals() {
        let mut rng = stream(1, 0);
        // Two players share 26 points; the first has two of three good deals.
        let mut deal = || -> Vec<Points> {
            let good = below(&mut rng, 3) > 0;
            let points = if good { 4 } else { 20 } + below(&mut rng, 5) as u16;
            vec![vec![points, 26 - points]; 2]
        };
        let many: Vec<_> = (0..3000).map(|_| deal()).collect();
        let truth = games_won(&many, &[0, 1], 100, true)[0].share;
        let within = (0..40).filter(|_| {
            let few: Vec<_> = (0..12).map(|_| deal()).collect();
            let Share { share, error } = games_won(&few, &[0, 1], 100, true)[0];
            (share - truth).abs() <= 1.96 * error.unwrap()
        });
        let within = within.count();
        assert!(within >= 34, "{within} of 40");
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
