//! The width of the intervals to expect, before any game is played: an organizer sees from it whether a plan has
//! enough games.

use super::ELO;
use super::comparable::close;
use super::fit::Cholesky;
use crate::stats::Z;

/// The margins to expect, half the widths of the 95 % intervals, in Elo points, by program.
/// `line_ups` has the seats of each line-up and its number of games. All programs are assumed to be
/// equally strong. Fixed is the rating of `anchor`, which has no margin then, or the mean of all. None for all programs
/// if some of them are not connected by games.
///
/// The covariance is the inverse of the Fisher information of the model's choices at equal
/// strengths. A choice among the `r` seats that are left has the information `p_i p_j = 1 / r²`
/// about each pair of them. In a game of `n`, a given pair is left with probability
/// `r (r - 1) / (n (n - 1))`. The product is `(r - 1) / (r n (n - 1))`, summed over `r` from 2 to
/// `n`; for two players it is 1/4 a game. Real intervals are somewhat narrower, since the games of
/// a block share their deal.
pub fn expected_margins<'a>(
    programs: usize,
    line_ups: impl IntoIterator<Item = (&'a [usize], u64)>,
    anchor: Option<usize>,
) -> Vec<Option<f64>> {
    // The information matrix is the Laplacian of the graph of programs. It is singular, since a
    // constant added to all strengths changes nothing; a matrix of ones makes it invertible without
    // changing differences.
    let mut matrix = vec![1.0; programs * programs];
    let mut linked = vec![vec![false; programs]; programs];
    for (seats, games) in line_ups {
        let n = seats.len() as f64;
        let pair: f64 = (2..=seats.len())
            .map(|left| (left as f64 - 1.0) / (left as f64 * n * (n - 1.0)))
            .sum();
        for (i, &a) in seats.iter().enumerate() {
            // Two seats of one program say nothing about its strength.
            for &b in seats[..i].iter().filter(|&&b| b != a && games > 0) {
                let weight = pair * games as f64;
                for (row, column, change) in [(a, a, 1.0), (b, b, 1.0), (a, b, -1.0), (b, a, -1.0)]
                {
                    matrix[row * programs + column] += change * weight;
                    linked[row][column] = true;
                }
            }
        }
    }
    // If the games do not connect all programs, the matrix stays singular: each part can be shifted by itself.
    close(&mut linked);
    if linked.iter().flatten().any(|&is_linked| !is_linked) {
        return vec![None; programs];
    }
    let information = Cholesky::new(matrix, programs);
    let inverse: Vec<Vec<f64>> = (0..programs)
        .map(|column| {
            let mut unit = vec![0.0; programs];
            unit[column] = 1.0;
            information.solve(&unit)
        })
        .collect();
    // The inverse of Laplacian plus ones is the pseudo-inverse plus `1 / programs²`.
    let mean = 1.0 / (programs * programs) as f64;
    let margin = |i: usize| {
        let variance: f64 = match anchor {
            // Of a difference: the sum of the variances less twice the covariance.
            Some(a) => inverse[i][i] + inverse[a][a] - 2.0 * inverse[i][a],
            None => inverse[i][i] - mean,
        };
        Some(Z * ELO * variance.max(0.0).sqrt())
    };
    (0..programs).map(margin).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rating::{Games, Options, Outcome, rate};
    use engine::rng;

    #[test]
    fn two_programs() {
        // A game has the information p (1 - p) = 1/4, and each rating is half the difference between the two.
        let margins = expected_margins(2, [(&[0, 1][..], 400)], None);
        let expected = Z * ELO / 2.0 * (4.0f64 / 400.0).sqrt();
        assert!((margins[0].unwrap() - expected).abs() < 1e-9, "{margins:?}");
        assert_eq!(expected_margins(3, [(&[0, 1][..], 400)], None), [None; 3]);
        // Two parts that never meet have no margins, however many games they play.
        let parts = [
            (&[0, 1, 2][..], 10_000_000),
            (&[3, 4, 5, 6][..], 23_000_000),
        ];
        assert_eq!(expected_margins(7, parts, None), [None; 7]);
        // Against an anchor it is the whole difference.
        let anchored = expected_margins(2, [(&[0, 1][..], 400)], Some(0));
        assert!(anchored[0].unwrap() < 1e-6, "{anchored:?}");
        assert!(
            (anchored[1].unwrap() - 2.0 * expected).abs() < 1e-9,
            "{anchored:?}"
        );
    }

    /// Games of three that are decided by chance get about the intervals that were predicted.
    #[test]
    fn games_by_chance_get_what_was_expected() {
        let mut random = rng::stream(1, 0);
        let labels = ["a", "b", "c"].map(str::to_owned);
        let mut games = Games::new(labels.into());
        for _ in 0..600 {
            let mut ranks = [1.0, 2.0, 3.0];
            rng::shuffle(&mut random, &mut ranks);
            let outcome = Outcome {
                seats: vec![0, 1, 2],
                ranks: ranks.into(),
            };
            games.push(&[outcome]).unwrap();
        }
        let table = rate(&games, &Options::default()).unwrap();
        let expected = expected_margins(3, [(&[0, 1, 2][..], 600)], None)[0].unwrap();
        for row in &table.rows {
            let ratio = row.margin().unwrap() / expected;
            assert!((0.85..1.15).contains(&ratio), "{ratio}");
        }
    }
}
