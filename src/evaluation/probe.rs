//! The network with its first-layer sums kept from one position to the next.
//!
//! Sums of whole numbers do not depend on their order, so the hidden layer can be kept as an
//! accumulator and only the feature deltas be added and subtracted (NNUE; Nasu 2018, "Efficiently
//! updatable neural-network-based evaluation functions"): the result has the same bits as a fresh
//! one, on every machine.

use super::features::{self, FeatureDeltas, FeatureSet, Visitor};
use super::kernel::{BLOCK, Block, LANES, MAX_HIDDEN, NetworkEvaluator, Skip};
use super::network::{self, Outputs};
use super::{Afterstate, Chances, Evaluator, Probe};
use crate::rules::{Action, Game, MAX_PLAYERS};
use engine::simd::{self, Work};

impl Evaluator for NetworkEvaluator {
    fn chances(&self, game: &Game, after: &Afterstate) -> Chances {
        NetworkProbe::new(self).chances(game, after)
    }

    fn own_chance(&self, game: &Game, after: &Afterstate) -> f32 {
        NetworkProbe::new(self).own_chance(game, after)
    }

    fn fingerprint(&self) -> u64 {
        NetworkEvaluator::fingerprint(self)
    }

    fn probe(&self) -> Box<dyn Probe + '_> {
        Box::new(NetworkProbe::new(self))
    }
}

/// A set of features, and its sums in the hidden layer and in the outputs past it.
#[derive(Clone, Debug)]
struct Accumulator {
    set: FeatureSet,
    hidden: [Block; MAX_HIDDEN / BLOCK],
    outputs: [i32; LANES],
}

impl Accumulator {
    /// No features: the biases alone.
    #[inline(always)]
    fn new(network: &NetworkEvaluator) -> Accumulator {
        let mut hidden = [Block([0; BLOCK]); MAX_HIDDEN / BLOCK];
        hidden[..network.blocks].copy_from_slice(&network.bias);
        Accumulator {
            set: FeatureSet::default(),
            hidden,
            outputs: network.output_bias,
        }
    }

    /// Moves on to another set of features. `deltas` is overwritten.
    #[inline(always)]
    fn update(&mut self, network: &NetworkEvaluator, set: &FeatureSet, deltas: &mut FeatureDeltas) {
        deltas.clear();
        let words = features::words(network.shape.players);
        deltas.words(&self.set.words()[..words], &set.words()[..words]);
        match network.blocks {
            1 => self.store(self.after::<1>(network, deltas)),
            2 => self.store(self.after::<2>(network, deltas)),
            3 => self.store(self.after::<3>(network, deltas)),
            4 => self.store(self.after::<4>(network, deltas)),
            6 => self.store(self.after::<6>(network, deltas)),
            _ => self.store(self.after::<8>(network, deltas)),
        }
        self.set = *set;
    }

    #[inline(always)]
    fn store<const BLOCKS: usize>(&mut self, (hidden, outputs): Totals<BLOCKS>) {
        self.hidden[..BLOCKS].copy_from_slice(&hidden);
        self.outputs = outputs;
    }

    /// The chances after some deltas, in turn order from the player who acted.
    #[inline(always)]
    fn chances_after(&self, network: &NetworkEvaluator, deltas: &FeatureDeltas) -> Outputs {
        let logits = match network.blocks {
            1 => logits(network, &self.after::<1>(network, deltas)),
            2 => logits(network, &self.after::<2>(network, deltas)),
            3 => logits(network, &self.after::<3>(network, deltas)),
            4 => logits(network, &self.after::<4>(network, deltas)),
            6 => logits(network, &self.after::<6>(network, deltas)),
            _ => logits(network, &self.after::<8>(network, deltas)),
        };
        network::chances(network.shape, logits)
    }

    /// The sums after some deltas. The compiler knows the number of blocks, so that the sums stay
    /// in registers.
    #[inline(always)]
    fn after<const BLOCKS: usize>(
        &self,
        network: &NetworkEvaluator,
        deltas: &FeatureDeltas,
    ) -> Totals<BLOCKS> {
        let mut hidden: [Block; BLOCKS] = std::array::from_fn(|b| self.hidden[b]);
        let mut outputs = self.outputs;
        let (rows, _) = network.first.as_chunks::<BLOCKS>();
        match &network.skip {
            Skip::One(weights) => {
                let weights = &weights[..rows.len()];
                let mut output = outputs[0];
                for &feature in deltas.added() {
                    add(&mut hidden, &rows[usize::from(feature)]);
                    output = output.wrapping_add(weights[usize::from(feature)]);
                }
                for &feature in deltas.removed() {
                    subtract(&mut hidden, &rows[usize::from(feature)]);
                    output = output.wrapping_sub(weights[usize::from(feature)]);
                }
                outputs[0] = output;
            }
            Skip::Many(weights) => {
                let weights = &weights[..rows.len()];
                for &feature in deltas.added() {
                    add(&mut hidden, &rows[usize::from(feature)]);
                    let row = &weights[usize::from(feature)];
                    for i in 0..LANES {
                        outputs[i] = outputs[i].wrapping_add(row[i]);
                    }
                }
                for &feature in deltas.removed() {
                    subtract(&mut hidden, &rows[usize::from(feature)]);
                    let row = &weights[usize::from(feature)];
                    for i in 0..LANES {
                        outputs[i] = outputs[i].wrapping_sub(row[i]);
                    }
                }
            }
        }
        (hidden, outputs)
    }
}

/// The sums of the hidden units and of the outputs past them.
type Totals<const BLOCKS: usize> = ([Block; BLOCKS], [i32; LANES]);

#[inline(always)]
fn add<const BLOCKS: usize>(sums: &mut [Block; BLOCKS], row: &[Block; BLOCKS]) {
    for b in 0..BLOCKS {
        for i in 0..BLOCK {
            sums[b].0[i] = sums[b].0[i].wrapping_add(row[b].0[i]);
        }
    }
}

#[inline(always)]
fn subtract<const BLOCKS: usize>(sums: &mut [Block; BLOCKS], row: &[Block; BLOCKS]) {
    for b in 0..BLOCKS {
        for i in 0..BLOCK {
            sums[b].0[i] = sums[b].0[i].wrapping_sub(row[b].0[i]);
        }
    }
}

/// The outputs before they become chances.
#[inline(always)]
fn logits<const BLOCKS: usize>(
    network: &NetworkEvaluator,
    (hidden, outputs): &Totals<BLOCKS>,
) -> Outputs {
    let mut logits = Outputs::default();
    let (rows, _) = network.second.as_chunks::<BLOCKS>();
    for ((logit, row), &output) in logits.iter_mut().zip(rows).zip(outputs) {
        let mut products = 0i32;
        for b in 0..BLOCKS {
            for i in 0..BLOCK {
                let product = i32::from(hidden[b].0[i].max(0)) * i32::from(row[b].0[i]);
                products = products.wrapping_add(product);
            }
        }
        *logit = output.wrapping_add(products) as f32 * network.unit;
    }
    logits
}

/// A [`NetworkEvaluator`] with the accumulator of the last position of each seat.
#[derive(Clone, Debug)]
pub struct NetworkProbe<'a> {
    network: &'a NetworkEvaluator,
    accumulators: [Accumulator; MAX_PLAYERS],
    /// The seat of the position valued last.
    seat: usize,
    deltas: FeatureDeltas,
}

impl<'a> NetworkProbe<'a> {
    /// A probe that has valued nothing yet.
    pub fn new(network: &'a NetworkEvaluator) -> NetworkProbe<'a> {
        NetworkProbe {
            network,
            accumulators: std::array::from_fn(|_| Accumulator::new(network)),
            seat: 0,
            deltas: FeatureDeltas::default(),
        }
    }

    /// The chances in turn order, from the player who acted.
    #[inline]
    pub fn value(&mut self, game: &Game, after: &Afterstate) -> Outputs {
        debug_assert_eq!(game.players, self.network.shape.players);
        self.seat = after.seat;
        simd::run(Value {
            network: self.network,
            accumulator: &mut self.accumulators[after.seat],
            game,
            after,
            deltas: &mut self.deltas,
        })
    }

    /// The features of the position that [`NetworkProbe::value`] valued last.
    #[inline]
    pub fn features(&self) -> &FeatureSet {
        &self.accumulators[self.seat].set
    }
}

impl Probe for NetworkProbe<'_> {
    #[inline]
    fn chances(&mut self, game: &Game, after: &Afterstate) -> Chances {
        let value = self.value(game, after);
        let mut chances = Chances::default();
        for (turn, &chance) in value[..game.players].iter().enumerate() {
            chances[(after.seat + turn) % game.players] = chance;
        }
        chances
    }

    #[inline]
    fn own_chance(&mut self, game: &Game, after: &Afterstate) -> f32 {
        self.value(game, after)[0]
    }

    fn rate(&mut self, game: &Game, before: &Afterstate, actions: &[Action], values: &mut [f32]) {
        debug_assert_eq!(game.players, self.network.shape.players);
        self.seat = before.seat;
        simd::run(Rate {
            game,
            before,
            actions,
            deltas: &mut self.deltas,
            siblings: Siblings {
                network: self.network,
                accumulator: &mut self.accumulators[before.seat],
                values: values.iter_mut(),
            },
        });
    }
}

struct Value<'a> {
    network: &'a NetworkEvaluator,
    accumulator: &'a mut Accumulator,
    game: &'a Game,
    after: &'a Afterstate,
    deltas: &'a mut FeatureDeltas,
}

impl Work for Value<'_> {
    type Output = Outputs;

    #[inline(always)]
    fn run(self) -> Outputs {
        let set = FeatureSet::of(self.game, self.after);
        self.accumulator.update(self.network, &set, self.deltas);
        self.deltas.clear();
        self.accumulator.chances_after(self.network, self.deltas)
    }
}

/// Values the positions that the actions of one player lead to.
struct Rate<'a> {
    game: &'a Game,
    before: &'a Afterstate,
    actions: &'a [Action],
    deltas: &'a mut FeatureDeltas,
    siblings: Siblings<'a>,
}

impl Work for Rate<'_> {
    type Output = ();

    #[inline(always)]
    fn run(mut self) {
        features::visit(
            self.game,
            self.before,
            self.actions,
            self.deltas,
            &mut self.siblings,
        );
    }
}

/// Values siblings by their deltas to the position before them all, and not to each other: each
/// then has half as many.
struct Siblings<'a> {
    network: &'a NetworkEvaluator,
    accumulator: &'a mut Accumulator,
    values: std::slice::IterMut<'a, f32>,
}

impl Visitor for Siblings<'_> {
    #[inline(always)]
    fn before(&mut self, set: &FeatureSet, scratch: &mut FeatureDeltas) {
        self.accumulator.update(self.network, set, scratch);
    }

    #[inline(always)]
    fn after(&mut self, deltas: Option<&FeatureDeltas>) {
        let value = match deltas {
            Some(deltas) => self.accumulator.chances_after(self.network, deltas)[0],
            None => 1.0,
        };
        if let Some(place) = self.values.next() {
            *place = value;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evaluation::Shape;
    use crate::evaluation::kernel::tests::random_network;
    use crate::evaluation::testing;
    use proptest::prelude::*;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]

        /// What was asked before changes no bit of an answer, and rounding changes little.
        #[test]
        fn one_after_the_other_equals_afresh(position in testing::positions(), hidden in 0..Shape::HIDDEN.len()) {
            let players = position.game.players;
            let network = random_network(players, Shape::HIDDEN[hidden], 7);
            let evaluator = NetworkEvaluator::new(&network);
            let mut probe = NetworkProbe::new(&evaluator);
            let mut sums = vec![0.0; Shape::HIDDEN[hidden]];
            for after in position.afters() {
                let kept = probe.chances(&position.game, &after).map(f32::to_bits);
                let fresh = evaluator.chances(&position.game, &after);
                prop_assert_eq!(kept, fresh.map(f32::to_bits));
                prop_assert_eq!(fresh[after.seat].to_bits(), evaluator.own_chance(&position.game, &after).to_bits());
                prop_assert!((fresh.iter().sum::<f32>() - 1.0).abs() < 1e-5);
                prop_assert!(fresh[players..].iter().all(|&chance| chance == 0.0));

                let logits = network.forward(&FeatureSet::of(&position.game, &after), &mut sums);
                let exact = network::chances(network.shape(), logits);
                prop_assert!((exact[0] - fresh[after.seat]).abs() < 0.03, "{} {}", exact[0], fresh[after.seat]);
            }
        }

        /// Actions together get what each gets alone, whatever was asked before.
        #[test]
        fn together_equals_one_by_one(position in testing::positions(), hidden in 0..Shape::HIDDEN.len(), earlier: u64, steps in 0usize..200) {
            let game = &position.game;
            let network = random_network(game.players, Shape::HIDDEN[hidden], 7);
            let evaluator = NetworkEvaluator::new(&network);
            let mut probe = NetworkProbe::new(&evaluator);
            let before = Afterstate::before(position.world.state());
            // Something else that this probe was asked about.
            let spaces = game.board.spaces().len();
            let other = testing::position(earlier, game.players, spaces, 3, steps);
            let mut values = vec![0.0; other.actions.len()];
            probe.rate(&other.game, &Afterstate::before(other.world.state()), &other.actions, &mut values);
            for after in other.afters().take(2) {
                probe.chances(&other.game, &after);
            }
            let mut values = vec![0.0; position.actions.len()];
            for _ in 0..2 {
                probe.rate(game, &before, &position.actions, &mut values);
                for (&action, value) in position.actions.iter().zip(&values) {
                    let after = before.then(action);
                    let alone = if after.won() { 1.0 } else { evaluator.own_chance(game, &after) };
                    prop_assert_eq!(value.to_bits(), alone.to_bits(), "{}", action);
                }
            }
        }
    }
}
