//! The width of the intervals to expect, before any game is played: an organizer sees from it whether a plan has
//! enough games.

use super::ELO;

/// The 97.5 % quantile of the normal distribution.
const Z: f64 = 1.959_964;

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
    let mut matrix = vec![vec![1.0; programs]; programs];
    for (seats, games) in line_ups {
        let n = seats.len() as f64;
        let pair: f64 = (2..=seats.len())
            .map(|left| (left as f64 - 1.0) / (left as f64 * n * (n - 1.0)))
            .sum();
        for (i, &a) in seats.iter().enumerate() {
            // Two seats of one program say nothing about its strength.
            for &b in seats[..i].iter().filter(|&&b| b != a) {
                let weight = pair * games as f64;
                matrix[a][a] += weight;
                matrix[b][b] += weight;
                matrix[a][b] -= weight;
                matrix[b][a] -= weight;
            }
        }
    }
    // If the games do not connect all programs, the matrix stays singular: each part can be shifted by itself.
    let Some(inverse) = inverted(matrix) else {
        return vec![None; programs];
    };
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

/// The inverse by Gauss-Jordan elimination with partial pivoting; none if the matrix is singular.
fn inverted(mut matrix: Vec<Vec<f64>>) -> Option<Vec<Vec<f64>>> {
    let n = matrix.len();
    let mut inverse: Vec<Vec<f64>> = (0..n)
        .map(|i| (0..n).map(|j| f64::from(u8::from(i == j))).collect())
        .collect();
    // Step by step each column becomes a unit vector; the same steps turn the unit matrix into the inverse.
    for column in 0..n {
        // The largest pivot loses the fewest digits.
        let largest = |&a: &usize, &b: &usize| {
            let (a, b): (f64, f64) = (matrix[a][column], matrix[b][column]);
            a.abs().total_cmp(&b.abs())
        };
        let pivot = (column..n).max_by(largest)?;
        if matrix[pivot][column].abs() < 1e-9 {
            return None;
        }
        matrix.swap(column, pivot);
        inverse.swap(column, pivot);
        let scale = matrix[column][column];
        for value in matrix[column].iter_mut().chain(&mut inverse[column]) {
            *value /= scale;
        }
        let (row, other) = (matrix[column].clone(), inverse[column].clone());
        for i in (0..n).filter(|&i| i != column) {
            let factor = matrix[i][column];
            for j in 0..n {
                matrix[i][j] -= factor * row[j];
                inverse[i][j] -= factor * other[j];
            }
        }
    }
    Some(inverse)
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
