//! The value network in the form it plays in: whole numbers.

use super::features;
use super::network::{Network, Shape};
use engine::rng;
use std::sync::OnceLock;

/// Hidden units that are summed together: a cache line.
pub(super) const BLOCK: usize = 32;
/// The most hidden units a network may have.
pub const MAX_HIDDEN: usize = 256;

/// Hidden units, or a feature's weights for them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(align(64))]
pub(super) struct Block(pub [i16; BLOCK]);

/// Room for the outputs of one feature.
pub(super) const LANES: usize = 8;

/// The weights past the hidden layer, a row for each feature.
#[derive(Clone, Debug)]
pub(super) enum Skip {
    One(Vec<i32>),
    Many(Vec<[i32; LANES]>),
}

/// A network that plays.
///
/// Weights of the first layer are multiples of 1/`2^first_bits`, those of the second of
/// 1/`2^second_bits`, those past the hidden layer of the product.
#[derive(Clone, Debug)]
pub struct NetworkEvaluator {
    pub(super) shape: Shape,
    pub(super) blocks: usize,
    pub(super) first: Vec<Block>,
    pub(super) bias: Vec<Block>,
    pub(super) second: Vec<Block>,
    pub(super) skip: Skip,
    pub(super) output_bias: [i32; LANES],
    pub(super) unit: f32,
    fingerprint: OnceLock<u64>,
}

impl NetworkEvaluator {
    /// Rounds a network to whole numbers.
    ///
    /// The first layer gets the finest unit with which no sum of weights can overflow, whatever
    /// features are true together (see [`features::fields`]).
    ///
    /// # Panics
    /// If the hidden units are none of [`Shape::HIDDEN`].
    pub fn new(network: &Network) -> NetworkEvaluator {
        let shape = network.shape();
        let (width, weights) = (shape.hidden, network.weights());
        assert!(Shape::HIDDEN.contains(&width), "{width} hidden units");
        let first_bits = bits_below(largest_sum(network), 4, 10);
        let highest = weights[shape.second()]
            .iter()
            .fold(0.0f32, |highest, w| highest.max(w.abs()));
        let second_bits = bits_below(highest, 4, 13);
        let blocks = |range: std::ops::Range<usize>, bits: u32| -> Vec<Block> {
            let scale = (1u32 << bits) as f32;
            weights[range]
                .chunks_exact(BLOCK)
                .map(|chunk| Block(std::array::from_fn(|i| round(chunk[i] * scale) as i16)))
                .collect()
        };
        let product = (1u64 << (first_bits + second_bits)) as f32;
        let outputs = shape.outputs();
        let wide = |row: &[f32]| -> [i32; LANES] {
            std::array::from_fn(|i| row.get(i).map_or(0, |&w| round(w * product)))
        };
        let skip = weights[shape.skip()].chunks_exact(outputs);
        NetworkEvaluator {
            shape,
            blocks: width / BLOCK,
            first: blocks(shape.first(), first_bits),
            bias: blocks(shape.bias(), first_bits),
            second: blocks(shape.second(), second_bits),
            skip: if outputs == 1 {
                Skip::One(skip.map(|row| wide(row)[0]).collect())
            } else {
                Skip::Many(skip.map(wide).collect())
            },
            output_bias: wide(&weights[shape.output_bias()]),
            unit: 1.0 / product,
            fingerprint: OnceLock::new(),
        }
    }

    /// The sizes of the network.
    pub fn shape(&self) -> Shape {
        self.shape
    }

    /// Identifies everything an estimate depends on.
    pub(super) fn fingerprint(&self) -> u64 {
        *self.fingerprint.get_or_init(|| self.hash())
    }

    fn hash(&self) -> u64 {
        let small = [&self.first, &self.bias, &self.second]
            .into_iter()
            .flatten()
            .flat_map(|block| block.0)
            .map(|weight| weight as u64);
        let wide: Vec<i32> = match &self.skip {
            Skip::One(weights) => weights.clone(),
            Skip::Many(weights) => weights.iter().flatten().copied().collect(),
        };
        small
            .chain(wide.iter().chain(&self.output_bias).map(|&w| w as u64))
            .chain([u64::from(self.unit.to_bits()), self.shape.players as u64])
            .fold(u64::from(features::VERSION), |hash, part| {
                rng::mix(hash ^ part)
            })
    }
}

/// Half away from zero, as a whole number.
#[inline]
fn round(x: f32) -> i32 {
    (x + if x < 0.0 { -0.5 } else { 0.5 }) as i32
}

/// The most bits, in the given range, with which `highest` times 2^bits stays below 2^15.
fn bits_below(highest: f32, least: u32, most: u32) -> u32 {
    (least..=most)
        .rev()
        .find(|&bits| highest * ((1u32 << bits) as f32) < 32_700.0)
        .unwrap_or(least)
}

/// A bound on what a hidden unit can sum up to, over all units and all sets of features.
fn largest_sum(network: &Network) -> f32 {
    let shape = network.shape();
    let width = shape.hidden;
    let first = &network.weights()[shape.first()];
    let mut bound: Vec<f32> = network.weights()[shape.bias()]
        .iter()
        .map(|w| w.abs())
        .collect();
    let mut high = vec![0.0f32; width];
    for field in features::fields(shape.players) {
        // The positive weights may all be true, or the negative ones: bounded by the largest
        // weight times how many can be true, or by the sum, whichever is less.
        let mut sum = vec![0.0f32; width];
        high.fill(0.0);
        for row in first[field.start * width..(field.start + field.len) * width].chunks_exact(width)
        {
            for ((high, sum), w) in high.iter_mut().zip(&mut sum).zip(row) {
                *high = high.max(w.abs());
                *sum += w.abs();
            }
        }
        for ((bound, high), sum) in bound.iter_mut().zip(&high).zip(&sum) {
            *bound += (high * field.most as f32).min(*sum);
        }
    }
    bound.into_iter().fold(0.0, f32::max)
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::evaluation::{Evaluator, testing};

    pub(in super::super) fn random_network(players: usize, hidden: usize, seed: u64) -> Network {
        let mut rng = rng::stream(seed, 0);
        let mut network = Network::random(Shape { players, hidden }, &mut rng);
        for weight in network.weights_mut() {
            *weight += (rng::unit(&mut rng) as f32 - 0.5) * 0.2;
        }
        network
    }

    /// With weights as large as can be the sums stay within 16 bits.
    #[test]
    fn no_sum_overflows() {
        let shape = Shape {
            players: 2,
            hidden: 32,
        };
        let network = Network::new(shape, vec![0.75; shape.parameters()]).unwrap();
        let bound = largest_sum(&network);
        let bits = bits_below(bound, 4, 10);
        assert!(bound * (1 << bits) as f32 <= 32_700.0);
        assert!(
            bound * (2 << bits) as f32 > 32_700.0,
            "as fine as it can be"
        );
        let fields = features::fields(2);
        let most: usize = fields.iter().map(|field| field.most.min(field.len)).sum();
        assert!((bound - 0.75 * (most + 1) as f32).abs() < 0.1);
    }

    #[test]
    fn the_fingerprint_tells_networks_apart() {
        let one = NetworkEvaluator::new(&random_network(2, 64, 1));
        let same = NetworkEvaluator::new(&random_network(2, 64, 1));
        let other = NetworkEvaluator::new(&random_network(2, 64, 2));
        assert_eq!(one.fingerprint(), same.fingerprint());
        assert_ne!(one.fingerprint(), other.fingerprint());
    }

    /// Estimates of a fixed network, to the last bit, on every machine.
    #[test]
    fn bits_are_pinned() {
        let mut all = 0u64;
        for players in 2..=6 {
            let evaluator = NetworkEvaluator::new(&random_network(players, 64, 3));
            for seed in 0..20 {
                let position =
                    testing::position(seed, players, 36, 3 + 3 * (seed as usize % 2), 40);
                for after in position.afters() {
                    let chances = evaluator.chances(&position.game, &after);
                    for chance in chances {
                        all = rng::mix(all ^ u64::from(chance.to_bits()));
                    }
                }
            }
        }
        assert_eq!(all, 13_171_548_746_720_641_071);
    }
}
