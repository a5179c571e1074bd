//! Choices between a few options, learnt from examples: the conditional logit model (McFadden 1974). The model knows an
//! option only by its features.
//!
//! An option with features `x` is chosen with probability `p = exp(w·x) / Σ exp(w·x')` over all options. The
//! weights `w` minimise
//!
//! ```text
//! L(w) = λ/2 |w − s|² − Σ weight · ln p(chosen)
//! ```
//!
//! where `s` are the weights at the start: with few examples `w` stays near them. `L` is convex, so Newton's method
//! finds its minimum. Its gradient is `λ (w − s) + Σ weight · (mean − chosen)`, where `mean` is the expected
//! feature vector; its second derivatives are `λ I + Σ weight · Cov`, the covariance of the features under `p`.

use arrayvec::ArrayVec;
use engine::numerics::{exp, ln};
use std::collections::VecDeque;

/// The most examples that are kept; older ones are dropped.
pub const MOST_EXAMPLES: usize = 2000;
/// How strongly the weights are held near those at the start: `λ`, in examples.
const RIDGE: f64 = 1.0;
/// The Newton steps of one fit. The next fit goes on from its weights.
const STEPS: usize = 3;

/// The features of one option.
pub type Features<const N: usize> = [f32; N];

/// The options of a choice, at most `M`.
pub type Options<const N: usize, const M: usize> = ArrayVec<Features<N>, M>;

/// A choice that was made.
#[derive(Clone, Debug)]
pub struct Example<const N: usize, const M: usize> {
    /// The options to choose from.
    pub options: Options<N, M>,
    /// The index of the chosen option.
    pub chosen: usize,
    /// The weight of the example.
    pub weight: f32,
}

/// A learnt preference among options of `N` features, at most `M` at a time.
#[derive(Clone, Debug)]
pub struct Preference<const N: usize, const M: usize> {
    start: Features<N>,
    weights: Features<N>,
    examples: VecDeque<Example<N, M>>,
    most: usize,
}

impl<const N: usize, const M: usize> Preference<N, M> {
    /// A preference with these weights and no examples.
    pub fn new(start: Features<N>) -> Preference<N, M> {
        Preference {
            start,
            weights: start,
            examples: VecDeque::new(),
            most: MOST_EXAMPLES,
        }
    }

    /// Keeps at most this many examples from now on, the latest ones.
    pub fn keep(&mut self, most: usize) {
        self.most = most;
        self.examples
            .drain(..self.examples.len().saturating_sub(most));
        self.examples.shrink_to(most);
    }

    /// The weights of the features.
    pub fn weights(&self) -> &Features<N> {
        &self.weights
    }

    /// The same weights without the examples: for choosing, not for learning.
    #[must_use]
    pub fn without_examples(&self) -> Preference<N, M> {
        Preference {
            examples: VecDeque::new(),
            ..*self
        }
    }

    /// The probability of each option.
    pub fn chances(&self, options: &Options<N, M>) -> ArrayVec<f32, M> {
        chances(&self.weights, options)
    }

    /// Adds an example; weights change with the next fit.
    pub fn add(&mut self, example: Example<N, M>) {
        if self.examples.len() == self.most {
            // The oldest example goes: an opponent may change.
            self.examples.pop_front();
        }
        self.examples.push_back(example);
    }

    /// Fits the weights to the examples by Newton's method.
    pub fn fit(&mut self) {
        // No step that raises the loss is accepted.
        let mut loss = self.loss(&self.weights);
        for _ in 0..STEPS {
            let Some(step) = self.step() else { return };
            // A step that goes too far is halved until it lowers the loss (backtracking).
            let mut part = 1.0;
            loop {
                let mut next = self.weights;
                for (weight, step) in next.iter_mut().zip(&step) {
                    *weight -= (part * step) as f32;
                }
                let there = self.loss(&next);
                if there <= loss {
                    (self.weights, loss) = (next, there);
                    break;
                }
                part /= 2.0;
                if part < 1e-3 {
                    return;
                }
            }
        }
    }

    /// The loss `L`: the distance from the start, and the negative log-likelihood of the examples.
    fn loss(&self, weights: &Features<N>) -> f64 {
        // The regularisation pulls to the start, not to 0: the start is the blueprint.
        let far = weights.iter().zip(&self.start);
        let far: f64 = far.map(|(w, s)| f64::from(w - s).powi(2)).sum();
        let examples = self.examples.iter();
        examples.fold(RIDGE / 2.0 * far, |sum, example| {
            let chance = chances(weights, &example.options)[example.chosen];
            sum - f64::from(example.weight) * ln(f64::from(chance.max(1e-9)))
        })
    }

    /// The Newton step: the inverse matrix of second derivatives times the gradient. None if the matrix is not
    /// positive definite.
    fn step(&self) -> Option<[f64; N]> {
        let mut gradient = [0.0; N];
        let mut curvature = [[0.0; N]; N];
        // The part of the regularisation.
        for i in 0..N {
            gradient[i] = RIDGE * f64::from(self.weights[i] - self.start[i]);
            curvature[i][i] = RIDGE;
        }
        for example in &self.examples {
            let chances = chances(&self.weights, &example.options);
            // If several hands were possible, each of their examples counts only as a part.
            let weight = f64::from(example.weight);
            // The expected features under the current weights.
            let mut mean = [0.0; N];
            for (option, &chance) in example.options.iter().zip(&chances) {
                // Each option in proportion to its probability.
                for (mean, &x) in mean.iter_mut().zip(option) {
                    *mean += f64::from(chance * x);
                }
            }
            let chosen = &example.options[example.chosen];
            for i in 0..N {
                gradient[i] += weight * (mean[i] - f64::from(chosen[i]));
            }
            // The covariance of the features; its lower half is enough, and many differences are 0.
            for (option, &chance) in example.options.iter().zip(&chances) {
                for i in 0..N {
                    let left = weight * f64::from(chance) * (f64::from(option[i]) - mean[i]);
                    if left != 0.0 {
                        for j in 0..=i {
                            curvature[i][j] += left * (f64::from(option[j]) - mean[j]);
                        }
                    }
                }
            }
        }
        solve(curvature, gradient)
    }
}

/// The probability of each option: the softmax of `w·x`.
fn chances<const N: usize, const M: usize>(
    weights: &Features<N>,
    options: &Options<N, M>,
) -> ArrayVec<f32, M> {
    let dot = |option: &Features<N>| option.iter().zip(weights).map(|(x, w)| x * w).sum();
    let mut chances: ArrayVec<f32, M> = options.iter().map(dot).collect();
    // Subtracting the largest exponent keeps `exp` from overflowing and changes no ratio.
    let most = chances.iter().copied().fold(f32::MIN, f32::max);
    let mut sum = 0.0;
    for chance in &mut chances {
        *chance = exp(*chance - most);
        sum += *chance;
    }
    for chance in &mut chances {
        *chance /= sum;
    }
    chances
}

/// Solves a linear system with a symmetric, positive definite matrix by its Cholesky decomposition `M = R Rᵀ`. Only
/// the lower half of the matrix is read. None if it is not positive definite.
fn solve<const N: usize>(matrix: [[f64; N]; N], right: [f64; N]) -> Option<[f64; N]> {
    let mut root = [[0.0; N]; N];
    for i in 0..N {
        for j in 0..=i {
            let known: f64 = (0..j).map(|k| root[i][k] * root[j][k]).sum();
            // The entry of `M` without the part that earlier columns of `R` explain.
            let left = matrix[i][j] - known;
            root[i][j] = match i == j {
                true if left <= 0.0 => return None,
                true => left.sqrt(),
                false => left / root[j][j],
            };
        }
    }
    // Forward substitution with `R`, then backward substitution with its transpose.
    let mut solved = right;
    for i in 0..N {
        let known: f64 = (0..i).map(|k| root[i][k] * solved[k]).sum();
        solved[i] = (solved[i] - known) / root[i][i];
    }
    for i in (0..N).rev() {
        let known: f64 = (i + 1..N).map(|k| root[k][i] * solved[k]).sum();
        solved[i] = (solved[i] - known) / root[i][i];
    }
    Some(solved)
}

#[cfg(test)]
mod tests {
    use super::*;
    use engine::rng::{stream, unit};

    const MOST: usize = 5;

    #[test]
    fn a_system_is_solved() {
        let matrix = [[4.0, 0.0, 0.0], [2.0, 3.0, 0.0], [0.5, 1.0, 2.0]];
        let x = solve(matrix, [1.0, -2.0, 3.0]).unwrap();
        let rows = [[4.0, 2.0, 0.5], [2.0, 3.0, 1.0], [0.5, 1.0, 2.0]];
        for (row, right) in rows.iter().zip([1.0, -2.0, 3.0]) {
            let left: f64 = row.iter().zip(&x).map(|(a, x)| a * x).sum();
            assert!((left - right).abs() < 1e-12);
        }
        assert_eq!(solve([[0.0]], [1.0]), None);
    }

    /// Learning finds the weights by which choices were made, wherever it starts.
    #[test]
    fn the_weights_behind_choices_are_found() {
        let truth = Preference::<3, MOST>::new([1.5, -2.0, 0.5]);
        let mut learner = Preference::new([0.0, 0.0, 0.0]);
        let mut rng = stream(1, 0);
        for number in 0..MOST_EXAMPLES {
            let count = 2 + number % (MOST - 1);
            let mut options = Options::<3, MOST>::new();
            for _ in 0..count {
                options.push([(); 3].map(|()| (2.0 * unit(&mut rng) - 1.0) as f32));
            }
            let mut left = unit(&mut rng) as f32;
            let chances = truth.chances(&options);
            let chosen = chances.iter().position(|chance| {
                left -= chance;
                left < 0.0
            });
            learner.add(Example {
                chosen: chosen.unwrap_or(count - 1),
                options,
                weight: 1.0,
            });
        }
        for _ in 0..3 {
            learner.fit();
        }
        for (learnt, true_weight) in learner.weights().iter().zip(truth.weights()) {
            assert!(
                (learnt - true_weight).abs() < 0.25,
                "{:?}",
                learner.weights()
            );
        }
    }

    /// The latest examples stay.
    #[test]
    fn examples_are_limited() {
        let mut learner = Preference::<1, 2>::new([0.0]);
        let add = |learner: &mut Preference<1, 2>, numbers: std::ops::Range<u8>| {
            for number in numbers {
                learner.add(Example {
                    options: [[0.0], [f32::from(number)]].into_iter().collect(),
                    chosen: 1,
                    weight: 1.0,
                });
            }
            let kept = learner.examples.iter().map(|example| example.options[1][0]);
            kept.collect::<Vec<f32>>()
        };
        assert_eq!(add(&mut learner, 0..9).len(), 9);
        learner.keep(4);
        assert_eq!(add(&mut learner, 0..0), [5.0, 6.0, 7.0, 8.0]);
        assert_eq!(add(&mut learner, 9..11), [7.0, 8.0, 9.0, 10.0]);
        assert_eq!(learner.examples.capacity(), 4);
    }

    /// The weights stay finite without examples, and if the same option is always chosen.
    #[test]
    fn the_start_holds_the_weights() {
        let mut learner = Preference::<2, 2>::new([1.0, -1.0]);
        learner.fit();
        assert_eq!(learner.weights(), &[1.0, -1.0]);
        for _ in 0..MOST_EXAMPLES + 10 {
            learner.add(Example {
                options: [[0.0, 0.0], [1.0, 1.0]].into_iter().collect(),
                chosen: 1,
                weight: 1.0,
            });
        }
        assert_eq!(learner.examples.len(), MOST_EXAMPLES);
        for _ in 0..10 {
            learner.fit();
        }
        let [one, two] = *learner.weights();
        assert!(one + two > 2.0 && one + two < 30.0, "{one} {two}");
    }
}
