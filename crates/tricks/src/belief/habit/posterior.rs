//! The weights that explain a player's choices, as a normal distribution that is updated batch by batch. A batch holds
//! the choices of one round, and [`logit`] finds the weights that explain them.
//!
//! These weights are the next w₀, and the curvature there is the next Λ: Laplace's approximation, taken online as by
//! Spiegelhalter and Lauritzen (1990). So a round of a dozen choices is used up at once, and none has to be kept.

use crate::network::{CardRow as Row, WIDTH};
use engine::logit::{self, Batch, at};

/// The most Newton steps in a batch.
const STEPS: usize = 12;

/// Entries of the lower triangle of a symmetric matrix, row by row.
const TRIANGLE: usize = at(WIDTH, 0);

/// A choice between cards, by the rows of their inputs.
pub(super) type Choice<'a> = logit::Choice<'a, WIDTH>;

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
        let (found, mut curvature) = batch.likeliest(batch.start, STEPS);
        // Without the prior the curvature is what choices have added in all.
        for row in 0..WIDTH {
            curvature[at(row, row)] -= prior;
        }
        let added = std::array::from_fn(|place| curvature[place] as f32);
        self.0 = Some(Box::new(added));
        *weights = found.map(|weight| weight as f32);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use engine::rng::{Random, stream, unit};

    fn random_row(rng: &mut Random) -> Row {
        std::array::from_fn(|_| unit(rng) as f32)
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
                options: rows,
                chosen: *chosen,
                weight: 1.0,
            })
            .collect();
        let right = |batches: usize| {
            let (mut information, mut weights) = (Information::default(), [0.0; WIDTH]);
            for batch in made.chunks(made.len() / batches) {
                information.learn(&mut weights, batch, 0.1);
            }
            let weights = weights.map(f64::from);
            let guess = |rows: &[Row]| {
                let chances = logit::chances(&weights, rows);
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
