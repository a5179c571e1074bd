//! The value network in the form in which it plays: quantised to whole numbers. [`NetworkEvaluator::new`] rounds a trained
//! network; `probe` computes with the result.
//!
//! A trained network has weights w. Its playing form has q = round(w · 2^b) as 16-bit numbers for the two layers. All
//! sums are then exact, independent of their order, and fast: a vector of 256 bits adds 16 hidden units at once.
//! With b₁ bits for the first layer and b₂ for the second, the products of both have b₁ + b₂ bits after the binary
//! point, and so do the weights past the hidden layer and the outputs' biases, as 32-bit numbers.
//!
//! For example, with b₁ = 10 a weight of 0.0503 becomes 52, which stands for 52 / 1024 = 0.0508.

use super::features::{self, Field};
use super::network::{Network, Shape};
use engine::rng;
use std::ops::RangeInclusive;
use std::sync::OnceLock;

/// Hidden units that are summed together: 32 of 16 bits are a cache line of 64 bytes.
pub(super) const BLOCK: usize = 32;
/// The most hidden units that a network may have.
pub const MAX_HIDDEN: usize = 256;

/// A block of hidden units, or of one feature's weights for them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(align(64))]
pub(super) struct Block(pub [i16; BLOCK]);

/// Room for the outputs of one feature: at most six are used, and eight of 32 bits fill a vector of 256.
pub(super) const LANES: usize = 8;

/// The weights past the hidden layer, a row for each feature: one number with two players, else one an output.
#[derive(Clone, Debug)]
pub(super) enum Skip {
    One(Vec<i32>),
    Many(Vec<[i32; LANES]>),
}

/// A network that plays.
///
/// Weights of the first layer are multiples of 1/`2^first_bits`, those of the second layer of
/// 1/`2^second_bits`, and those past the hidden layer of the product of both units.
#[derive(Clone, Debug)]
pub struct NetworkEvaluator {
    pub(super) shape: Shape,
    /// Blocks of hidden units.
    pub(super) blocks: usize,
    /// For each feature its weights for the hidden units, `blocks` blocks each.
    pub(super) first: Vec<Block>,
    /// The biases of the hidden units.
    pub(super) bias: Vec<Block>,
    /// For each output its weights for the hidden units, `blocks` blocks each.
    pub(super) second: Vec<Block>,
    /// The weights past the hidden layer.
    pub(super) skip: Skip,
    pub(super) output_bias: [i32; LANES],
    /// The value of 1 in an output's sum: 1/`2^(first_bits + second_bits)`.
    pub(super) unit: f32,
    fingerprint: OnceLock<u64>,
}

impl NetworkEvaluator {
    /// Rounds a network to whole numbers.
    ///
    /// The first layer gets the finest unit, from 1/1024 to 1/16, with which no sum of weights can overflow 16
    /// bits, whichever features are true together (see [`features::fields`]). If even 1/16 is too fine, it is
    /// taken all the same, and sums may wrap; no trained network comes near. The second layer gets the finest unit,
    /// from 1/8192 to 1/16, with which each weight fits 16 bits. Weights too large for 1/16 become the largest number of
    /// 16 bits.
    ///
    /// # Panics
    /// If the hidden units are none of [`Shape::HIDDEN`].
    pub fn new(network: &Network) -> NetworkEvaluator {
        let shape = network.shape();
        let (width, weights) = (shape.hidden, network.weights());
        assert!(Shape::HIDDEN.contains(&width), "{width} hidden units");
        // In the first layer the sum over all true features must fit, in the second each weight: its products are
        // summed in 32 bits.
        let fields = features::fields(shape.players);
        // The bias, and the most features that can be true together.
        let terms = 1 + fields
            .iter()
            .map(|field| field.most.min(field.len))
            .sum::<usize>();
        let first_bits = bits_below(largest_sum(network, &fields), terms, 4..=10);
        let highest = weights[shape.second()]
            .iter()
            .fold(0.0f32, |highest, w| highest.max(w.abs()));
        let second_bits = bits_below(highest, 1, 4..=13);
        // Rows follow each other without gaps: their length, the number of hidden units, is a multiple of a block's.
        let blocks = |range: std::ops::Range<usize>, bits: u32| -> Vec<Block> {
            let scale = (1u32 << bits) as f32;
            weights[range]
                .chunks_exact(BLOCK)
                .map(|chunk| Block(std::array::from_fn(|i| small(chunk[i] * scale))))
                .collect()
        };
        // Numbers that are added to products of both layers have the unit of the product.
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
            // One number a feature in place of eight: the table of a network for two players is an eighth in size.
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

    /// A hash of everything on which an estimate depends.
    pub(super) fn fingerprint(&self) -> u64 {
        // Only caches need the hash, and it reads all weights. So it is computed when it is first asked for.
        *self.fingerprint.get_or_init(|| self.hash())
    }

    /// Hashes the rounded weights and not the trained ones: networks that round to the same numbers play the same.
    fn hash(&self) -> u64 {
        // Casting an `i16` to `u64` extends its sign, so that different weights stay different.
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

/// The nearest whole number; halves are rounded away from zero. The cast cuts off the fraction.
#[inline]
fn round(x: f32) -> i32 {
    // Written out, as a player calls no mathematical function of the platform: `f32::round` can be one, where the
    // processor has no instruction for it.
    (x + if x < 0.0 { -0.5 } else { 0.5 }) as i32
}

/// The nearest whole number of 16 bits.
fn small(x: f32) -> i16 {
    round(x).clamp(i16::MIN.into(), i16::MAX.into()) as i16
}

/// The most bits of a range with which a sum fits 16 bits; the fewest if none do. The sum has `terms` numbers, which
/// are rounded, and its absolute value is at most `highest`.
///
/// Rounding moves each number by half a unit at most, so 240 of them need 120 units of room. For example, sums of up to
/// 20 with 240 terms fit with 10 bits: 20 · 1,024 + 120 = 20,600 is below 32,767. Sums of up to 35 fit with 9 bits.
fn bits_below(highest: f32, terms: usize, bits: RangeInclusive<u32>) -> u32 {
    let room = f32::from(i16::MAX) - terms as f32 / 2.0;
    let least = *bits.start();
    let mut fitting = bits.rev();
    fitting
        .find(|&bits| highest * ((1u32 << bits) as f32) <= room)
        .unwrap_or(least)
}

/// A bound on the absolute sum of any hidden unit over all sets of features that a position can have.
///
/// It is the largest |bias| + Σ over groups of min(largest |weight| · most, Σ |weights|) of all hidden units, where
/// `most` features of a group can be true together. In a one-hot group of 38 buckets only the largest weight counts;
/// without the groups all 38 would, and the unit would be coarser.
fn largest_sum(network: &Network, fields: &[Field]) -> f32 {
    let shape = network.shape();
    let width = shape.hidden;
    let first = &network.weights()[shape.first()];
    let mut bound: Vec<f32> = network.weights()[shape.bias()]
        .iter()
        .map(|w| w.abs())
        .collect();
    let mut high = vec![0.0f32; width];
    for field in fields {
        // A row has one feature's weights for all hidden units, so that the bounds of all units grow side by side.
        // `high`: the largest weight of the group, `sum`: the sum of all of them; absolute values.
        let mut sum = vec![0.0f32; width];
        high.fill(0.0);
        // Weights of features that are in no group stay out: these features are never true.
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
    // One unit for all hidden units, as they are added in one vector: the largest bound decides.
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

    /// With equal weights everywhere the largest sum stays within 16 bits, and one bit more would not fit.
    #[test]
    fn no_sum_overflows() {
        let shape = Shape {
            players: 2,
            hidden: 32,
        };
        let network = Network::new(shape, vec![0.75; shape.parameters()]).unwrap();
        let fields = features::fields(2);
        let most: usize = fields.iter().map(|field| field.most.min(field.len)).sum();
        let bound = largest_sum(&network, &fields);
        assert!((bound - 0.75 * (most + 1) as f32).abs() < 0.1);
        let bits = bits_below(bound, most + 1, 4..=10);
        // Every weight is a half more than a whole number at worst.
        let rounded = |bits: u32| bound * (1 << bits) as f32 + (most + 1) as f32 / 2.0;
        assert!(rounded(bits) <= 32_767.0);
        assert!(rounded(bits + 1) > 32_767.0, "as fine as it can be");
        assert_eq!((small(1e9), small(-1e9)), (i16::MAX, i16::MIN));
    }

    #[test]
    fn the_fingerprint_tells_networks_apart() {
        let one = NetworkEvaluator::new(&random_network(2, 64, 1));
        let same = NetworkEvaluator::new(&random_network(2, 64, 1));
        let other = NetworkEvaluator::new(&random_network(2, 64, 2));
        assert_eq!(one.fingerprint(), same.fingerprint());
        assert_ne!(one.fingerprint(), other.fingerprint());
    }

    /// The estimates of fixed networks have the same bits on every machine.
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
