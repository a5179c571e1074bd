//! The value network in the form it plays in: whole numbers.
//!
//! Sums of whole numbers do not depend on their order, so the hidden layer can be kept from one
//! position to the next and only the features that changed be added and taken away: the result
//! has the same bits as a fresh one, on every machine.

use super::features::{self, Bits, FeatureSet};
use super::network::{self, Network, Outputs, Shape};
use super::{Chances, Evaluator, Probe, Situation};
use crate::random;
use std::sync::OnceLock;

/// Hidden units that are summed together: a cache line.
const BLOCK: usize = 32;
/// Changed features that are summed together.
const CHANGES: usize = 192;
/// The most hidden units a network may have.
pub const MAX_HIDDEN: usize = 128;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(align(64))]
struct Block([i16; BLOCK]);

/// Room for the outputs of one feature.
const LANES: usize = 8;

/// The weights past the hidden layer, a row for each feature.
#[derive(Clone, Debug)]
enum Skip {
    One(Vec<i32>),
    Many(Vec<[i32; LANES]>),
}

/// A network that plays.
///
/// Weights of the first layer are multiples of 1/`2^first_bits`, those of the second of
/// 1/`2^second_bits`, those past the hidden layer of the product.
#[derive(Clone, Debug)]
pub struct NetworkEvaluator {
    shape: Shape,
    blocks: usize,
    first: Vec<Block>,
    bias: Vec<Block>,
    second: Vec<Block>,
    skip: Skip,
    output_bias: [i32; LANES],
    unit: f32,
    fingerprint: OnceLock<u64>,
}

impl NetworkEvaluator {
    /// Rounds a network to whole numbers.
    ///
    /// The first layer gets the finest unit with which no sum of weights can overflow, whatever
    /// features are true together (see [`features::fields`]).
    ///
    /// # Panics
    /// If the hidden units are no multiple of 32 or more than 128.
    pub fn new(network: &Network) -> NetworkEvaluator {
        let shape = network.shape();
        let (width, weights) = (shape.hidden, network.weights());
        assert!(
            width.is_multiple_of(BLOCK) && width <= MAX_HIDDEN && width > 0,
            "{width} hidden units"
        );
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

    /// A digest of everything an estimate depends on.
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
                random::mix(hash ^ part)
            })
    }

    /// An evaluation for one thread that keeps the hidden layer from one position to the next.
    pub fn session(&self) -> NetworkProbe<'_> {
        let mut hidden = [Block([0; BLOCK]); MAX_HIDDEN / BLOCK];
        hidden[..self.blocks].copy_from_slice(&self.bias);
        NetworkProbe {
            network: self,
            sets: [FeatureSet::default(); 2],
            turn: 0,
            hidden,
            skip: self.output_bias,
        }
    }
}

impl Evaluator for NetworkEvaluator {
    fn chances(&self, situation: &Situation) -> Chances {
        self.session().chances(situation)
    }

    fn own_chance(&self, situation: &Situation) -> f32 {
        self.session().own_chance(situation)
    }

    fn fingerprint(&self) -> u64 {
        *self.fingerprint.get_or_init(|| self.hash())
    }

    fn probe(&self) -> Box<dyn Probe + '_> {
        Box::new(self.session())
    }
}

/// A [`NetworkEvaluator`] with the sums of the last position.
#[derive(Clone, Debug)]
pub struct NetworkProbe<'a> {
    network: &'a NetworkEvaluator,
    /// The position that the sums stand for, and room for the next.
    sets: [FeatureSet; 2],
    /// Which of the two is which.
    turn: usize,
    hidden: [Block; MAX_HIDDEN / BLOCK],
    skip: [i32; LANES],
}

impl NetworkProbe<'_> {
    /// Moves the sums on to another position.
    #[inline]
    fn update(&mut self, situation: &Situation) {
        debug_assert_eq!(situation.game.players, self.network.shape.players);
        let (now, last) = (self.turn, 1 - self.turn);
        self.sets[last].fill(situation);
        let words = features::words(self.network.shape.players);
        let (mut added, mut removed) = ([0u16; CHANGES], [0u16; CHANGES]);
        let (mut adds, mut removes) = (0, 0);
        for word in 0..words {
            if adds.max(removes) > CHANGES - 64 {
                self.add(&added[..adds], &removed[..removes]);
                (adds, removes) = (0, 0);
            }
            let new = self.sets[last].words()[word];
            for bit in Bits(new ^ self.sets[now].words()[word]) {
                // Written to both lists, counted in one: no branch to be mispredicted.
                let feature = (64 * word + bit) as u16;
                let is_new = (new >> bit & 1) as usize;
                added[adds] = feature;
                removed[removes] = feature;
                adds += is_new;
                removes += 1 - is_new;
            }
        }
        self.add(&added[..adds], &removed[..removes]);
        self.turn = last;
    }

    #[inline]
    fn add(&mut self, added: &[u16], removed: &[u16]) {
        let network = self.network;
        let blocks = network.blocks;
        for (b, sum) in self.hidden[..blocks].iter_mut().enumerate() {
            let mut total = sum.0;
            for &feature in added {
                let row = &network.first[feature as usize * blocks + b].0;
                for i in 0..BLOCK {
                    total[i] = total[i].wrapping_add(row[i]);
                }
            }
            for &feature in removed {
                let row = &network.first[feature as usize * blocks + b].0;
                for i in 0..BLOCK {
                    total[i] = total[i].wrapping_sub(row[i]);
                }
            }
            sum.0 = total;
        }
        match &network.skip {
            Skip::One(weights) => {
                let sum = |list: &[u16]| {
                    list.iter().fold(0i32, |sum, &feature| {
                        sum.wrapping_add(weights[feature as usize])
                    })
                };
                let change = sum(added).wrapping_sub(sum(removed));
                self.skip[0] = self.skip[0].wrapping_add(change);
            }
            Skip::Many(weights) => {
                let mut total = self.skip;
                for &feature in added {
                    let row = &weights[feature as usize];
                    for i in 0..LANES {
                        total[i] = total[i].wrapping_add(row[i]);
                    }
                }
                for &feature in removed {
                    let row = &weights[feature as usize];
                    for i in 0..LANES {
                        total[i] = total[i].wrapping_sub(row[i]);
                    }
                }
                self.skip = total;
            }
        }
    }

    /// The logits of the position that the sums stand for.
    #[inline]
    fn logits(&self) -> Outputs {
        let network = self.network;
        let mut logits = Outputs::default();
        let rows = network.second.chunks_exact(network.blocks);
        for ((logit, row), &skip) in logits.iter_mut().zip(rows).zip(&self.skip) {
            let mut sum = skip;
            for (h, w) in self.hidden.iter().zip(row) {
                let mut products = 0i32;
                for i in 0..BLOCK {
                    let product = i32::from(h.0[i].max(0)) * i32::from(w.0[i]);
                    products = products.wrapping_add(product);
                }
                sum = sum.wrapping_add(products);
            }
            *logit = sum as f32 * network.unit;
        }
        logits
    }

    /// The chances in turn order, from the player who acted.
    #[inline]
    pub fn value(&mut self, situation: &Situation) -> Outputs {
        self.update(situation);
        network::chances(self.network.shape, self.logits())
    }

    /// The features of the position asked about last.
    #[inline]
    pub fn features(&self) -> &FeatureSet {
        &self.sets[self.turn]
    }
}

impl Probe for NetworkProbe<'_> {
    #[inline]
    fn chances(&mut self, situation: &Situation) -> Chances {
        let value = self.value(situation);
        let players = situation.game.players;
        let mut chances = Chances::default();
        for (turn, &chance) in value[..players].iter().enumerate() {
            chances[(situation.seat + turn) % players] = chance;
        }
        chances
    }

    #[inline]
    fn own_chance(&mut self, situation: &Situation) -> f32 {
        self.value(situation)[0]
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
mod tests {
    use super::*;
    use crate::cartagena::evaluation::testing;
    use proptest::prelude::*;

    fn random_network(players: usize, hidden: usize, seed: u64) -> Network {
        let mut chance = random::stream(seed, 0);
        let mut network = Network::random(Shape { players, hidden }, &mut chance);
        for weight in network.weights_mut() {
            *weight += (random::unit(&mut chance) as f32 - 0.5) * 0.2;
        }
        network
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]

        /// What was asked before changes no bit of an answer, and rounding changes little.
        #[test]
        fn one_after_the_other_equals_afresh(position in testing::positions(), hidden in 1usize..=4) {
            let players = position.game.players;
            let network = random_network(players, 32 * hidden, 7);
            let evaluator = NetworkEvaluator::new(&network);
            let mut probe = evaluator.session();
            let mut sums = vec![0.0; 32 * hidden];
            for after in position.afters() {
                let situation = after.situation(&position.game);
                let kept = probe.chances(&situation).map(f32::to_bits);
                let fresh = evaluator.chances(&situation);
                prop_assert_eq!(kept, fresh.map(f32::to_bits));
                prop_assert_eq!(fresh[situation.seat].to_bits(), evaluator.own_chance(&situation).to_bits());
                prop_assert!((fresh.iter().sum::<f32>() - 1.0).abs() < 1e-5);
                prop_assert!(fresh[players..].iter().all(|&chance| chance == 0.0));

                let logits = network.forward(&FeatureSet::of(&situation), &mut sums);
                let exact = network::chances(network.shape(), logits);
                prop_assert!((exact[0] - fresh[situation.seat]).abs() < 0.03, "{} {}", exact[0], fresh[situation.seat]);
            }
        }
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
                    let chances = evaluator.chances(&after.situation(&position.game));
                    for chance in chances {
                        all = random::mix(all ^ u64::from(chance.to_bits()));
                    }
                }
            }
        }
        assert_eq!(all, 13_171_548_746_720_641_071);
    }
}
