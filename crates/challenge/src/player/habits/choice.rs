//! Choices between a few options, learnt from examples by [`logit`]. The model knows an option only by its features.
//!
//! The weights of the features are taken to be near those at the start, each with the precision `RIDGE`: with few
//! examples they stay there.

use arrayvec::ArrayVec;
use engine::logit::{self, Batch, at};
use engine::numerics::exp;
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

    /// Fits the weights to the examples.
    pub fn fit(&mut self) {
        // The lower triangle of the matrix with λ on its diagonal.
        let mut precision = vec![0.0; at(N, 0)];
        for row in 0..N {
            precision[at(row, row)] = RIDGE;
        }
        let choices: Vec<logit::Choice<N>> = self
            .examples
            .iter()
            .map(|example| logit::Choice {
                options: &example.options,
                chosen: example.chosen,
                weight: example.weight.into(),
            })
            .collect();
        let batch = Batch {
            // The regularisation pulls to the start, not to 0: the start is the blueprint.
            start: self.start.map(f64::from),
            precision: &precision,
            choices: &choices,
        };
        let (found, _) = batch.likeliest(self.weights.map(f64::from), STEPS);
        self.weights = found.map(|weight| weight as f32);
    }
}

/// The probability of each option: the softmax of `w·x`. Playouts ask this a thousand times a decision, so it is in single
/// precision and without allocation, unlike [`logit::chances`].
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

#[cfg(test)]
mod tests {
    use super::*;
    use engine::rng::{stream, unit};

    const MOST: usize = 5;

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
