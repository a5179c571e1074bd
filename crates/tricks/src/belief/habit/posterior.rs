//! The weights that explain a player's choices, as a normal distribution that is updated batch by batch. A batch holds
//! the choices of one round.
//!
//! *The model.* A card with inputs x has the score w·x, and cards are chosen by the softmax of their scores
//! (conditional logit). Before a batch the weights w are normally distributed around w₀ with the precision
//! matrix Λ. So the logarithm of the posterior is, but for a constant,
//!
//! value(w) = Σ over choices of ln P(chosen card | w) - ½ (w - w₀)ᵀ Λ (w - w₀).
//!
//! *The update.* Newton's method finds the maximum: w ← w + H⁻¹ g, with the slope and the curvature (minus the
//! second derivative)
//!
//! - g = Λ (w₀ - w) + Σ over choices of (x of the chosen card - m), m = Σ over cards of P(card) x,
//! - H = Λ + Σ over choices and cards of P(card) (x - m)(x - m)ᵀ.
//!
//! The maximum is the next w₀ and H the next Λ: Laplace's approximation, taken online as by Spiegelhalter and
//! Lauritzen (1990). So a round of a dozen choices is used up at once, and none has to be kept. The value is
//! concave, so there is one maximum.

use crate::network::{CardRow as Row, WIDTH};
use engine::numerics::{exp, ln};

/// The most Newton steps in a batch.
const STEPS: usize = 12;
/// The most lengths tried for a step: 1, ½, … 1/32 of it.
const HALVINGS: usize = 6;
/// A step that gains less than this, in nats, is the last.
const ENOUGH: f64 = 1e-3;

/// A number for each weight.
type Vector = [f64; WIDTH];

/// Entries of the lower triangle of a symmetric matrix, row by row.
const TRIANGLE: usize = WIDTH * (WIDTH + 1) / 2;

/// The place of an entry in a triangle, `column` not above `row`: (0, 0) is 0, (1, 0) is 1, (1, 1) is 2, (2, 0)
/// is 3.
const fn at(row: usize, column: usize) -> usize {
    row * (row + 1) / 2 + column
}

/// A choice: the rows of its cards, and the place of the card chosen.
pub(super) struct Choice<'a> {
    pub(super) rows: &'a [Row],
    pub(super) chosen: usize,
}

/// The precision that choices so far have added to the prior's, or nothing before the first choice. Numbers of
/// 32 bits: 1,596 of them take 6.4 kB for each situation.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Information(Option<Box<[f32; TRIANGLE]>>);

impl Information {
    /// Moves the weights to the likeliest ones after these choices. `prior` is the precision of each weight
    /// before the first choice.
    pub(super) fn learn(&mut self, weights: &mut Row, choices: &[Choice], prior: f64) {
        let mut precision = match &self.0 {
            Some(known) => known.map(f64::from),
            None => [0.0; TRIANGLE],
        };
        // Λ is the prior on the diagonal plus what earlier choices have added.
        for row in 0..WIDTH {
            precision[at(row, row)] += prior;
        }
        let batch = Batch {
            start: weights.map(f64::from),
            precision: &precision,
            choices,
        };
        let mut found = batch.start;
        let mut value = batch.value(&found);
        let mut curvature = precision;
        // Newton's method, each step shortened until it gains something.
        for _ in 0..STEPS {
            let slope = batch.slope(&found, &mut curvature);
            let step = solve(&curvature, &slope);
            let Some((better, gain)) = batch.better(&found, value, &step) else {
                break;
            };
            found = better;
            value += gain;
            if gain < ENOUGH {
                break;
            }
        }
        // The curvature was taken where the last step began, hardly away from the maximum. Without the prior it
        // is what choices have added in all.
        for row in 0..WIDTH {
            curvature[at(row, row)] -= prior;
        }
        self.0 = Some(Box::new(curvature.map(|number| number as f32)));
        *weights = found.map(|weight| weight as f32);
    }
}

/// The choices of a batch, and the distribution of the weights before them.
struct Batch<'a> {
    /// w₀, the likeliest weights before the batch.
    start: Vector,
    /// Λ, how precisely each was known then.
    precision: &'a [f64; TRIANGLE],
    choices: &'a [Choice<'a>],
}

impl Batch<'_> {
    /// The logarithm of the posterior density of some weights, but for a constant.
    fn value(&self, weights: &Vector) -> f64 {
        let away: Vector = std::array::from_fn(|place| weights[place] - self.start[place]);
        let pulled = product(self.precision, &away);
        let price: f64 = away
            .iter()
            .zip(pulled)
            .map(|(away, pull)| away * pull)
            .sum();
        let made = self.choices.iter();
        let likelihood: f64 = made
            // The lower bound keeps the logarithm finite where a chance underflows.
            .map(|choice| ln(chances(weights, choice.rows)[choice.chosen].max(1e-30)))
            .sum();
        likelihood - 0.5 * price
    }

    /// The slope g of the value; `curvature` becomes H.
    fn slope(&self, weights: &Vector, curvature: &mut [f64; TRIANGLE]) -> Vector {
        // The prior's parts of both.
        *curvature = *self.precision;
        let away: Vector = std::array::from_fn(|place| self.start[place] - weights[place]);
        let mut slope = product(self.precision, &away);
        for choice in self.choices {
            let chances = chances(weights, choice.rows);
            // m, the inputs that the weights expect of the card chosen.
            let mut mean = [0.0; WIDTH];
            for (chance, row) in chances.iter().zip(choice.rows) {
                for (mean, input) in mean.iter_mut().zip(row) {
                    *mean += chance * f64::from(*input);
                }
            }
            // Weights rise where the chosen card has more of an input than was expected.
            let chosen = choice.rows[choice.chosen];
            for (slope, (input, mean)) in slope.iter_mut().zip(chosen.iter().zip(mean)) {
                *slope += f64::from(*input) - mean;
            }
            // The covariance of the inputs under the chances: where all cards look alike, a choice says nothing
            // about a weight.
            for (chance, row) in chances.iter().zip(choice.rows) {
                let off: Vector = std::array::from_fn(|place| f64::from(row[place]) - mean[place]);
                for number in 0..WIDTH {
                    let scaled = chance * off[number];
                    let line = &mut curvature[at(number, 0)..=at(number, number)];
                    for (entry, off) in line.iter_mut().zip(off) {
                        *entry += scaled * off;
                    }
                }
            }
        }
        slope
    }

    /// The weights after a step, or after the longest tried part of it that raises the value, and the gain;
    /// none if no part does.
    fn better(&self, weights: &Vector, value: f64, step: &Vector) -> Option<(Vector, f64)> {
        let parts = std::iter::successors(Some(1.0), |part| Some(0.5 * part));
        parts.take(HALVINGS).find_map(|part| {
            let next = std::array::from_fn(|place| weights[place] + part * step[place]);
            let gain = self.value(&next) - value;
            (gain > 0.0).then_some((next, gain))
        })
    }
}

/// The chances of some cards: the softmax of their scores.
fn chances(weights: &Vector, rows: &[Row]) -> Vec<f64> {
    let score = |row: &Row| -> f64 {
        let terms = row.iter().zip(weights);
        terms
            .map(|(input, weight)| f64::from(*input) * weight)
            .sum()
    };
    let scores: Vec<f64> = rows.iter().map(score).collect();
    // The highest score is subtracted first, so that no exponential overflows.
    let most = scores.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let powers = scores
        .iter()
        .map(|score| f64::from(exp((score - most) as f32)));
    let powers: Vec<f64> = powers.collect();
    let sum: f64 = powers.iter().sum();
    powers.into_iter().map(|power| power / sum).collect()
}

/// A symmetric matrix times a vector.
fn product(matrix: &[f64; TRIANGLE], vector: &Vector) -> Vector {
    let mut result = [0.0; WIDTH];
    // An entry off the diagonal is stored once and counts twice, on both sides of the diagonal.
    for row in 0..WIDTH {
        for column in 0..row {
            let entry = matrix[at(row, column)];
            result[row] += entry * vector[column];
            result[column] += entry * vector[row];
        }
        result[row] += matrix[at(row, row)] * vector[row];
    }
    result
}

/// Solves A x = v for a symmetric positive definite matrix A and a vector v, by Cholesky's decomposition A = L
/// Lᵀ.
fn solve(matrix: &[f64; TRIANGLE], vector: &Vector) -> Vector {
    let mut lower = *matrix;
    // Row by row: L[i][j] = (A[i][j] - Σ over k < j of L[i][k] L[j][k]) / L[j][j], on the diagonal the square
    // root.
    for row in 0..WIDTH {
        for column in 0..=row {
            let mut entry = lower[at(row, column)];
            for before in 0..column {
                entry -= lower[at(row, before)] * lower[at(column, before)];
            }
            lower[at(row, column)] = match row == column {
                // Rounding could make the entry negative; the true one is not.
                true => entry.max(f64::MIN_POSITIVE).sqrt(),
                false => entry / lower[at(column, column)],
            };
        }
    }
    let mut found = *vector;
    // L y = v from the top, then Lᵀ x = y from the bottom.
    for row in 0..WIDTH {
        for before in 0..row {
            found[row] -= lower[at(row, before)] * found[before];
        }
        found[row] /= lower[at(row, row)];
    }
    for row in (0..WIDTH).rev() {
        for later in row + 1..WIDTH {
            found[row] -= lower[at(later, row)] * found[later];
        }
        found[row] /= lower[at(row, row)];
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use engine::rng::{Random, stream, unit};

    fn random_row(rng: &mut Random) -> Row {
        std::array::from_fn(|_| unit(rng) as f32)
    }

    #[test]
    fn equations_are_solved() {
        let mut rng = stream(1, 0);
        let mut matrix = [0.0; TRIANGLE];
        for row in 0..WIDTH {
            matrix[at(row, row)] = 0.1;
        }
        for _ in 0..3 {
            let row = random_row(&mut rng).map(f64::from);
            for i in 0..WIDTH {
                for j in 0..=i {
                    matrix[at(i, j)] += row[i] * row[j];
                }
            }
        }
        let wanted = random_row(&mut rng).map(f64::from);
        let found = solve(&matrix, &product(&matrix, &wanted));
        for (found, wanted) in found.iter().zip(wanted) {
            assert!((found - wanted).abs() < 1e-9, "{found} {wanted}");
        }
    }

    /// Learning in batches comes near to learning all at once, and the result predicts further choices.
    #[test]
    fn a_player_who_weighs_inputs_is_found_out() {
        let mut rng = stream(2, 0);
        // This player always chooses the card with the greatest weighted sum of inputs.
        let true_weights: Row = random_row(&mut rng).map(|weight| 20.0 * weight - 10.0);
        let mut choose = |count: usize| {
            let rows: Vec<Row> = (0..count).map(|_| random_row(&mut rng)).collect();
            let score =
                |row: &Row| -> f32 { row.iter().zip(true_weights).map(|(x, w)| x * w).sum() };
            let best = (0..count).max_by(|&a, &b| score(&rows[a]).total_cmp(&score(&rows[b])));
            (rows, best.unwrap())
        };
        let made: Vec<_> = (0..600).map(|number| choose(2 + number % 8)).collect();
        let later: Vec<_> = (0..200).map(|_| choose(6)).collect();
        let made: Vec<Choice> = made
            .iter()
            .map(|(rows, chosen)| Choice {
                rows,
                chosen: *chosen,
            })
            .collect();
        let right = |batches: usize| {
            let (mut information, mut weights) = (Information::default(), [0.0; WIDTH]);
            for batch in made.chunks(made.len() / batches) {
                information.learn(&mut weights, batch, 0.1);
            }
            let weights = weights.map(f64::from);
            let guess = |rows: &[Row]| {
                let chances = chances(&weights, rows);
                (0..rows.len()).max_by(|&a, &b| chances[a].total_cmp(&chances[b]))
            };
            later
                .iter()
                .filter(|(rows, chosen)| guess(rows) == Some(*chosen))
                .count()
        };
        let [at_once, in_batches] = [right(1), right(50)];
        assert!(
            at_once > 140 && in_batches > 140,
            "{at_once} {in_batches} of 200"
        );
    }
}
