//! Choices between options, each known only by its features, and the weights that explain them: the conditional logit
//! model (McFadden 1974). Players of cards learn the habits of others by it.
//!
//! *The model.* An option with features x has the score w·x, and options are chosen by the softmax of their scores,
//! `P = exp(w·x) / Σ exp(w·x')`. Before a batch of choices the weights w are normally distributed around w₀ with the
//! precision matrix Λ. So the logarithm of the posterior is, but for a constant,
//!
//! value(w) = Σ over choices of ln P(chosen option | w) - ½ (w - w₀)ᵀ Λ (w - w₀).
//!
//! *The update.* Newton's method finds the maximum: w ← w + H⁻¹ g, with the gradient g and the curvature H (minus the
//! Hessian)
//!
//! - g = Λ (w₀ - w) + Σ over choices of (x of the chosen option - m), m = Σ over options of P(option) x,
//! - H = Λ + Σ over choices and options of P(option) (x - m)(x - m)ᵀ.
//!
//! The value is concave, so there is one maximum. A choice of weight ½ counts half in all sums over choices.
//!
//! *Example.* One choice between options with the features 1 and 0, w₀ = 0, Λ = 1; the first is chosen. At w = 0 both
//! have the probability ½, so g = ½ and H = 1 + ¼: the first step leads to w = 0.4. The maximum is at 0.401.

use crate::numerics::{exp, ln};

/// The most lengths tried for a step: 1, ½, … 1/32 of it.
const HALVINGS: usize = 6;
/// A step that gains less than this, in nats, is the last.
const ENOUGH: f64 = 1e-3;

/// The place of an entry in the lower triangle of a symmetric matrix, row by row, `column` not above `row`: (0, 0) is 0,
/// (1, 0) is 1, (1, 1) is 2, (2, 0) is 3.
pub const fn at(row: usize, column: usize) -> usize {
    row * (row + 1) / 2 + column
}

/// A choice that was made.
pub struct Choice<'a, const N: usize> {
    /// The features of each option.
    pub options: &'a [[f32; N]],
    /// The place of the chosen option.
    pub chosen: usize,
    /// How much the choice counts: 1, or less if it is one of several possible ones.
    pub weight: f64,
}

/// The choices of a batch, and the distribution of the weights before them.
pub struct Batch<'a, const N: usize> {
    /// w₀, the likeliest weights before the batch.
    pub start: [f64; N],
    /// Λ, how precisely each was known then: the lower triangle of the matrix.
    pub precision: &'a [f64],
    pub choices: &'a [Choice<'a, N>],
}

impl<const N: usize> Batch<'_, N> {
    /// The likeliest weights after the choices, found from some others by at most `steps` steps, and the curvature H
    /// at the point where the last step began, which is close to the maximum.
    pub fn likeliest(&self, from: [f64; N], steps: usize) -> ([f64; N], Vec<f64>) {
        let (mut found, mut value) = (from, self.value(&from));
        let mut curvature = self.precision.to_vec();
        // Newton's method, each step shortened until it gains something.
        for _ in 0..steps {
            let slope = self.slope(&found, &mut curvature);
            let step = solve(&curvature, &slope);
            let Some((better, gain)) = self.better(&found, value, &step) else {
                break;
            };
            found = better;
            value += gain;
            if gain < ENOUGH {
                break;
            }
        }
        (found, curvature)
    }

    /// The logarithm of the posterior density of some weights, but for a constant.
    fn value(&self, weights: &[f64; N]) -> f64 {
        let away: [f64; N] = std::array::from_fn(|place| weights[place] - self.start[place]);
        let pulled = product(self.precision, &away);
        let price: f64 = away
            .iter()
            .zip(pulled)
            .map(|(away, pull)| away * pull)
            .sum();
        let made = self.choices.iter();
        let likelihood: f64 = made
            // The lower bound keeps the logarithm finite where a chance underflows.
            .map(|choice| {
                let chance = chances(weights, choice.options)[choice.chosen];
                choice.weight * ln(chance.max(1e-30))
            })
            .sum();
        likelihood - 0.5 * price
    }

    /// The slope g of the value; `curvature` becomes H.
    fn slope(&self, weights: &[f64; N], curvature: &mut [f64]) -> [f64; N] {
        // The prior's parts of both.
        curvature.copy_from_slice(self.precision);
        let away: [f64; N] = std::array::from_fn(|place| self.start[place] - weights[place]);
        let mut slope = product(self.precision, &away);
        for choice in self.choices {
            let chances = chances(weights, choice.options);
            // m, the features that the weights expect of the option chosen.
            let mut mean = [0.0; N];
            for (chance, row) in chances.iter().zip(choice.options) {
                for (mean, input) in mean.iter_mut().zip(row) {
                    *mean += chance * f64::from(*input);
                }
            }
            // Weights rise where the chosen option has more of a feature than was expected.
            let chosen = choice.options[choice.chosen];
            for (slope, (input, mean)) in slope.iter_mut().zip(chosen.iter().zip(mean)) {
                *slope += choice.weight * (f64::from(*input) - mean);
            }
            // The covariance of the features under the chances: where all options look alike, a choice says nothing
            // about a weight.
            for (chance, row) in chances.iter().zip(choice.options) {
                let off: [f64; N] =
                    std::array::from_fn(|place| f64::from(row[place]) - mean[place]);
                for number in 0..N {
                    let scaled = choice.weight * chance * off[number];
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
    fn better(&self, weights: &[f64; N], value: f64, step: &[f64; N]) -> Option<([f64; N], f64)> {
        let parts = std::iter::successors(Some(1.0), |part| Some(0.5 * part));
        parts.take(HALVINGS).find_map(|part| {
            let next = std::array::from_fn(|place| weights[place] + part * step[place]);
            let gain = self.value(&next) - value;
            (gain > 0.0).then_some((next, gain))
        })
    }
}

/// The chances of some options: the softmax of their scores.
pub fn chances<const N: usize>(weights: &[f64; N], options: &[[f32; N]]) -> Vec<f64> {
    let score = |option: &[f32; N]| -> f64 {
        let terms = option.iter().zip(weights);
        terms
            .map(|(input, weight)| f64::from(*input) * weight)
            .sum()
    };
    let scores: Vec<f64> = options.iter().map(score).collect();
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
fn product<const N: usize>(matrix: &[f64], vector: &[f64; N]) -> [f64; N] {
    let mut result = [0.0; N];
    // An entry off the diagonal is stored once and counts twice, on both sides of the diagonal.
    for row in 0..N {
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
fn solve<const N: usize>(matrix: &[f64], vector: &[f64; N]) -> [f64; N] {
    let mut lower = matrix.to_vec();
    // Row by row: L[i][j] = (A[i][j] - Σ over k < j of L[i][k] L[j][k]) / L[j][j], on the diagonal the square
    // root.
    for row in 0..N {
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
    for row in 0..N {
        for before in 0..row {
            found[row] -= lower[at(row, before)] * found[before];
        }
        found[row] /= lower[at(row, row)];
    }
    for row in (0..N).rev() {
        for later in row + 1..N {
            found[row] -= lower[at(later, row)] * found[later];
        }
        found[row] /= lower[at(row, row)];
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::{Random, stream, unit};

    const WIDTH: usize = 9;

    fn random_row(rng: &mut Random) -> [f32; WIDTH] {
        std::array::from_fn(|_| unit(rng) as f32)
    }

    #[test]
    fn equations_are_solved() {
        let mut rng = stream(1, 0);
        let mut matrix = [0.0; at(WIDTH, 0)];
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
}
