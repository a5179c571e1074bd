//! The value network in the form it is trained in: one hidden layer over sparse binary features,
//! and a linear path past it.

use super::features::{self, FeatureSet};
use crate::rules::MAX_PLAYERS;
use engine::numerics;
use engine::rng::{self, Random};
use serde::{Deserialize, Serialize};
use std::ops::Range;

/// The sizes of a network.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Shape {
    /// Players of the games it values, 2 to 6.
    pub players: usize,
    /// Hidden units, a multiple of 32.
    pub hidden: usize,
}

impl Shape {
    /// The numbers of hidden units a network may have.
    pub const HIDDEN: [usize; 6] = [32, 64, 96, 128, 192, 256];

    /// Features of a position.
    pub const fn inputs(&self) -> usize {
        features::count(self.players)
    }

    /// Logits: the chance of the player who acted is enough for two players, and more have one
    /// each, in turn order from the one who acted.
    pub const fn outputs(&self) -> usize {
        if self.players == 2 { 1 } else { self.players }
    }

    /// The number of weights.
    pub const fn parameters(&self) -> usize {
        self.output_bias().end
    }

    /// Where the first layer's weights stand: for each feature one for each hidden unit.
    pub const fn first(&self) -> Range<usize> {
        0..self.inputs() * self.hidden
    }

    /// Where the hidden units' biases stand.
    pub const fn bias(&self) -> Range<usize> {
        let start = self.first().end;
        start..start + self.hidden
    }

    /// Where the second layer's weights stand: for each output one for each hidden unit.
    pub const fn second(&self) -> Range<usize> {
        let start = self.bias().end;
        start..start + self.outputs() * self.hidden
    }

    /// Where the weights past the hidden layer stand: for each feature one for each output.
    pub const fn skip(&self) -> Range<usize> {
        let start = self.second().end;
        start..start + self.inputs() * self.outputs()
    }

    /// Where the outputs' biases stand.
    pub const fn output_bias(&self) -> Range<usize> {
        let start = self.skip().end;
        start..start + self.outputs()
    }
}

/// A network's weights, in one block so that an optimiser need not know what they are.
#[derive(Clone, Debug, PartialEq)]
pub struct Network {
    shape: Shape,
    weights: Vec<f32>,
}

/// Logits or chances in turn order from the player who acted; entries beyond the players are 0.
pub type Outputs = [f32; MAX_PLAYERS];

impl Network {
    /// An untrained network: small random weights in the two layers, none past them.
    pub fn random(shape: Shape, rng: &mut Random) -> Network {
        let mut weights = vec![0.0; shape.parameters()];
        // About a hundred features are true, so that hidden units start with a spread near 0.5.
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

    /// The hidden layer before its rectifier, and the logits.
    #[inline(always)]
    pub fn forward(&self, set: &FeatureSet, hidden: &mut [f32]) -> Outputs {
        let shape = self.shape;
        let (width, outputs) = (shape.hidden, shape.outputs());
        let skip = &self.weights[shape.skip()];
        let mut logits = Outputs::default();
        logits[..outputs].copy_from_slice(&self.weights[shape.output_bias()]);
        hidden.copy_from_slice(&self.weights[shape.bias()]);
        for feature in set.iter() {
            let row = &self.weights[feature * width..][..width];
            for (sum, weight) in hidden.iter_mut().zip(row) {
                *sum += weight;
            }
            for (logit, weight) in logits.iter_mut().zip(&skip[feature * outputs..][..outputs]) {
                *logit += weight;
            }
        }
        let second = &self.weights[shape.second()];
        for (logit, row) in logits.iter_mut().zip(second.chunks_exact(width)) {
            *logit += dot_rectified(hidden, row);
        }
        logits
    }
}

/// The sum of products with the positive entries, in eight interleaved partial sums.
#[inline(always)]
fn dot_rectified(hidden: &[f32], row: &[f32]) -> f32 {
    let mut sums = [0.0f32; 8];
    for (h, w) in hidden.chunks_exact(8).zip(row.chunks_exact(8)) {
        for i in 0..8 {
            sums[i] += h[i].max(0.0) * w[i];
        }
    }
    sums.iter().sum()
}

/// Turns logits into chances in turn order.
#[inline(always)]
pub fn chances(shape: Shape, mut logits: Outputs) -> Outputs {
    if shape.players == 2 {
        let own = numerics::sigmoid(logits[0]);
        logits[0] = own;
        logits[1] = 1.0 - own;
    } else {
        numerics::softmax(&mut logits, shape.players);
    }
    logits
}
