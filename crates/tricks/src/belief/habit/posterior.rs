//! What choices say of the weights by which they were made: a normal distribution, renewed batch by batch.
//!
//! The likeliest weights after a batch are found by Newton's method, and the curvature there is how precisely they are known (Laplace's
//! approximation, taken online as by Spiegelhalter and Lauritzen 1990). So one round of a dozen choices is used up at once, and
//! none has to be kept.

use crate::network::{CardRow as Row, WIDTH};
use engine::numerics::{exp, ln};

/// Steps towards the likeliest weights.
const STEPS: usize = 12;
/// How often a step that leads too far is halved.
const HALVINGS: usize = 6;
/// A step that makes a batch likelier by less, in nats, is the last.
const ENOUGH: f64 = 1e-3;

/// A number for each weight.
type Vector = [f64; WIDTH];

/// The lower triangle of a symmetric matrix, by rows.
const TRIANGLE: usize = WIDTH * (WIDTH + 1) / 2;

/// The place in a triangle.
const fn at(row: usize, column: usize) -> usize {
    row * (row + 1) / 2 + column
}

/// A choice: the rows of its cards, and the number of the one that was chosen.
pub(super) struct Choice<'a> {
    pub(super) rows: &'a [Row],
    pub(super) chosen: usize,
}

/// What the choices so far say of how precisely the weights are known, beside what was known before them.
/// Nothing is kept before the first choice.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Information(Option<Box<[f32; TRIANGLE]>>);

impl Information {
    /// Moves the weights to the likeliest ones after some more choices. `prior` is how precisely each was known before the first one.
    pub(super) fn learn(&mut self, weights: &mut Row, choices: &[Choice], prior: f64) {
        let mut precision = match &self.0 {
            Some(known) => known.map(f64::from),
            None => [0.0; TRIANGLE],
        };
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
        for row in 0..WIDTH {
            curvature[at(row, row)] -= prior;
        }
        self.0 = Some(Box::new(curvature.map(|number| number as f32)));
        *weights = found.map(|weight| weight as f32);
    }
}

/// Choices, and what was known before them.
struct Batch<'a> {
    start: Vector,
    precision: &'a [f64; TRIANGLE],
    choices: &'a [Choice<'a>],
}

impl Batch<'_> {
    /// The logarithm of how likely weights are, but for a constant.
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
            .map(|choice| ln(chances(weights, choice.rows)[choice.chosen].max(1e-30)))
            .sum();
        likelihood - 0.5 * price
    }

    /// The slope of the value; `curvature` becomes minus its second derivative.
    fn slope(&self, weights: &Vector, curvature: &mut [f64; TRIANGLE]) -> Vector {
        *curvature = *self.precision;
        let away: Vector = std::array::from_fn(|place| self.start[place] - weights[place]);
        let mut slope = product(self.precision, &away);
        for choice in self.choices {
            let chances = chances(weights, choice.rows);
            let mut mean = [0.0; WIDTH];
            for (chance, row) in chances.iter().zip(choice.rows) {
                for (mean, input) in mean.iter_mut().zip(row) {
                    *mean += chance * f64::from(*input);
                }
            }
            let chosen = choice.rows[choice.chosen];
            for (slope, (input, mean)) in slope.iter_mut().zip(chosen.iter().zip(mean)) {
                *slope += f64::from(*input) - mean;
            }
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

    /// Where a step or a part of it leads to a higher value, and by how much.
    fn better(&self, weights: &Vector, value: f64, step: &Vector) -> Option<(Vector, f64)> {
        let parts = std::iter::successors(Some(1.0), |part| Some(0.5 * part));
        parts.take(HALVINGS).find_map(|part| {
            let next = std::array::from_fn(|place| weights[place] + part * step[place]);
            let gain = self.value(&next) - value;
            (gain > 0.0).then_some((next, gain))
        })
    }
}

/// The chances of some cards.
fn chances(weights: &Vector, rows: &[Row]) -> Vec<f64> {
    let score = |row: &Row| -> f64 {
        let terms = row.iter().zip(weights);
        terms
            .map(|(input, weight)| f64::from(*input) * weight)
            .sum()
    };
    let scores: Vec<f64> = rows.iter().map(score).collect();
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

/// What a symmetric positive definite matrix turns into a vector, by Cholesky's decomposition.
fn solve(matrix: &[f64; TRIANGLE], vector: &Vector) -> Vector {
    let mut lower = *matrix;
    for row in 0..WIDTH {
        for column in 0..=row {
            let mut entry = lower[at(row, column)];
            for before in 0..column {
                entry -= lower[at(row, before)] * lower[at(column, before)];
            }
            lower[at(row, column)] = match row == column {
                true => entry.max(f64::MIN_POSITIVE).sqrt(),
                false => entry / lower[at(column, column)],
            };
        }
    }
    let mut found = *vector;
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

    /// What is learnt batch by batch comes near to what is learnt at once, and foretells further choices.
    #[test]
    fn a_player_who_weighs_inputs_is_found_out() {
        let mut rng = stream(2, 0);
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
