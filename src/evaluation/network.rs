//! The value network in the form in which it is trained and stored: one hidden layer over sparse binary features, and
//! a linear path past it (a skip connection). For playing `kernel` rounds it to whole numbers.
//!
//! With the true features f, hidden units k and outputs o:
//!
//! ```text
//! hidden(k) = max(0, bias(k) + Σ first(f, k) over true f)
//! logit(o)  = output_bias(o) + Σ skip(f, o) over true f + Σ second(o, k) · hidden(k) over k
//! chances   = sigmoid(logit) for two players, softmax(logits) for more
//! ```
//!
//! The linear path (`skip`) represents the value of each feature by itself. Hidden units are needed only for values
//! that depend on several features at once.

use super::features::{self, FeatureSet};
use crate::rules::MAX_PLAYERS;
use engine::numerics;
use engine::rng::{self, Random};
use serde::{Deserialize, Serialize};
use std::ops::Range;

/// The sizes of a network. All its weights are in one block, and the ranges below say which is where.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Shape {
    /// The number of players in its games, 2 to 6.
    pub players: usize,
    /// The number of hidden units, one of [`Shape::HIDDEN`].
    pub hidden: usize,
}

impl Shape {
    /// The numbers of hidden units that a network may have.
    pub const HIDDEN: [usize; 6] = [32, 64, 96, 128, 192, 256];

    /// The number of features.
    pub const fn inputs(&self) -> usize {
        features::count(self.players)
    }

    /// The number of logits: one for two players, the chance of the player who acted; else one for each player, in
    /// turn order from the one who acted.
    pub const fn outputs(&self) -> usize {
        if self.players == 2 { 1 } else { self.players }
    }

    /// The number of weights.
    pub const fn parameters(&self) -> usize {
        self.output_bias().end
    }

    /// The weights of the first layer: for each feature a row with one for each hidden unit.
    pub const fn first(&self) -> Range<usize> {
        0..self.inputs() * self.hidden
    }

    /// The biases of the hidden units.
    pub const fn bias(&self) -> Range<usize> {
        let start = self.first().end;
        start..start + self.hidden
    }

    /// The weights of the second layer: for each output a row with one for each hidden unit.
    pub const fn second(&self) -> Range<usize> {
        let start = self.bias().end;
        start..start + self.outputs() * self.hidden
    }

    /// The weights past the hidden layer: for each feature a row with one for each output.
    pub const fn skip(&self) -> Range<usize> {
        let start = self.second().end;
        start..start + self.inputs() * self.outputs()
    }

    /// The biases of the outputs.
    pub const fn output_bias(&self) -> Range<usize> {
        let start = self.skip().end;
        start..start + self.outputs()
    }
}

/// A network's weights, in one block: an optimiser can treat all of them alike.
#[derive(Clone, Debug, PartialEq)]
pub struct Network {
    shape: Shape,
    weights: Vec<f32>,
}

/// Logits or chances in turn order from the player who acted; entries beyond the players are 0.
pub type Outputs = [f32; MAX_PLAYERS];

impl Network {
    /// An untrained network: small random weights in the two layers; biases and the weights past the hidden layer
    /// are 0.
    pub fn random(shape: Shape, rng: &mut Random) -> Network {
        let mut weights = vec![0.0; shape.parameters()];
        // A uniform number from -0.09 to 0.09 has the standard deviation 0.09 / √3 = 0.052. About a hundred features
        // are true, so the sum of a hidden unit has a standard deviation of about √100 · 0.052 = 0.52 at the start.
        let mut fill = |range: Range<usize>, spread: f64| {
            for weight in &mut weights[range] {
                *weight = ((2.0 * rng::unit(rng) - 1.0) * spread) as f32;
            }
        };
        fill(shape.first(), 0.09);
        fill(shape.second(), 0.12);
        Network { shape, weights }
    }

    /// A network with the given weights; none if their number is not the shape's.
    pub fn new(shape: Shape, weights: Vec<f32>) -> Option<Network> {
        (weights.len() == shape.parameters()).then_some(Network { shape, weights })
    }

    pub fn shape(&self) -> Shape {
        self.shape
    }

    /// All weights; [`Shape`] says which is which.
    pub fn weights(&self) -> &[f32] {
        &self.weights
    }

    /// All weights, to be changed.
    pub fn weights_mut(&mut self) -> &mut [f32] {
        &mut self.weights
    }

    /// Computes the logits. `hidden`, with one entry for each hidden unit, receives the hidden layer before its
    /// rectifier: training needs it for the gradient.
    #[inline(always)]
    pub fn forward(&self, set: &FeatureSet, hidden: &mut [f32]) -> Outputs {
        let shape = self.shape;
        let (width, outputs) = (shape.hidden, shape.outputs());
        let skip = &self.weights[shape.skip()];
        // Both sums begin with their biases.
        let mut logits = Outputs::default();
        logits[..outputs].copy_from_slice(&self.weights[shape.output_bias()]);
        // The copy also checks that `hidden` has the right length.
        hidden.copy_from_slice(&self.weights[shape.bias()]);
        // A feature is 0 or 1, so its product with its row of weights is nothing or the row. Only true features cost
        // time.
        for feature in set.iter() {
            let row = &self.weights[feature * width..][..width];
            for (sum, weight) in hidden.iter_mut().zip(row) {
                *sum += weight;
            }
            for (logit, weight) in logits.iter_mut().zip(&skip[feature * outputs..][..outputs]) {
                *logit += weight;
            }
        }
        // Outputs beyond the shape's have no row, and stay 0.
        let second = &self.weights[shape.second()];
        for (logit, row) in logits.iter_mut().zip(second.chunks_exact(width)) {
            *logit += dot_rectified(hidden, row);
        }
        logits
    }
}

/// The sum of the products of `row` with the positive entries of `hidden`.
#[inline(always)]
fn dot_rectified(hidden: &[f32], row: &[f32]) -> f32 {
    // Eight partial sums fill a vector. Their order is fixed here, so that the result has the same bits however the
    // compiler arranges the loop.
    let mut sums = [0.0f32; 8];
    // No remainder is lost: the number of hidden units is a multiple of 32.
    for (h, w) in hidden.chunks_exact(8).zip(row.chunks_exact(8)) {
        for i in 0..8 {
            sums[i] += h[i].max(0.0) * w[i];
        }
    }
    sums.iter().sum()
}

/// Turns logits into chances in turn order from the player who acted. They sum to 1. Players that are `gone`, a bit for
/// each in the same order, have none: without their logits the softmax shares their chances among the others in
/// proportion, as if the network had been asked who wins if none of them does.
#[inline(always)]
pub fn chances(shape: Shape, mut logits: Outputs, gone: u8) -> Outputs {
    // A softmax over two logits is the sigmoid of their difference: one logit is enough.
    if shape.players == 2 {
        let own = numerics::sigmoid(logits[0]);
        logits[0] = own;
        logits[1] = 1.0 - own;
    } else {
        if gone != 0 {
            for (turn, logit) in logits.iter_mut().enumerate() {
                if gone >> turn & 1 == 1 {
                    *logit = f32::NEG_INFINITY;
                }
            }
        }
        numerics::softmax(&mut logits, shape.players);
    }
    logits
}
