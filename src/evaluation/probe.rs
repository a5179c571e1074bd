//! The network with its first-layer sums kept from one position to the next. Every estimate of a playing network
//! comes from here; each thread of a search has a [`NetworkProbe`].
//!
//! The first layer sums the weights of the true features: hₖ = bias + Σ w(f, k) over all true f. After an action
//! most features are as before, and
//!
//! ```text
//! h after = h before + Σ w(f) over features that became true − Σ w(f) over those that became false
//! ```
//!
//! Hence the sums are kept as an *accumulator*, and only feature deltas are added and subtracted (NNUE; Nasu 2018,
//! "Efficiently updatable neural-network-based evaluation functions"): a few rows of weights in place of about a
//! hundred. Weights are whole numbers, and sums of these do not depend on their order: an updated accumulator
//! has the same bits as a fresh one, on every machine and whatever was asked before.
//!
//! The weights past the hidden layer are summed in the same way. After the sums come the rectifier, the second
//! layer and the sigmoid or softmax; these depend on all hidden units, and are computed anew for each position.

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

/// The sums of a set of features, in the hidden layer and past it.
///
/// Invariant: `hidden` and `outputs` are the biases plus the weights of exactly the features in `set`.
#[derive(Clone, Debug)]
struct Accumulator {
    set: FeatureSet,
    /// The hidden units before the rectifier; only the network's own blocks are used.
    hidden: [Block; MAX_HIDDEN / BLOCK],
    /// The outputs without the second layer's part.
    outputs: [i32; LANES],
}

impl Accumulator {
    /// The sums of no features: the biases alone.
    #[inline(always)]
    fn new(network: &NetworkEvaluator) -> Accumulator {
        // Blocks beyond the network's are never read.
        let mut hidden = [Block([0; BLOCK]); MAX_HIDDEN / BLOCK];
        hidden[..network.blocks].copy_from_slice(&network.bias);
        Accumulator {
            set: FeatureSet::default(),
            hidden,
            outputs: network.output_bias,
        }
    }

    /// Moves on to another set of features. `deltas` is overwritten.
    ///
    /// Consecutive positions of a search share most features. If two positions share none the update is still correct,
    /// and costs as much as two fresh sums.
    #[inline(always)]
    fn update(&mut self, network: &NetworkEvaluator, set: &FeatureSet, deltas: &mut FeatureDeltas) {
        deltas.clear();
        // Only the words of the game's players: those beyond are 0 in both sets.
        let words = features::words(network.shape.players);
        deltas.words(&self.set.words()[..words], &set.words()[..words]);
        // One compiled loop for each number of blocks in `Shape::HIDDEN`: 32 to 256 units are 1 to 8 blocks of 32.
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

    /// Replaces the sums; the caller replaces the set.
    #[inline(always)]
    fn store<const BLOCKS: usize>(&mut self, (hidden, outputs): Totals<BLOCKS>) {
        self.hidden[..BLOCKS].copy_from_slice(&hidden);
        self.outputs = outputs;
    }

    /// The chances after some deltas, in turn order from the player who acted. `gone` has a bit in the same order for
    /// each player that has left the game. The accumulator stays as it is.
    #[inline(always)]
    fn chances_after(
        &self,
        network: &NetworkEvaluator,
        deltas: &FeatureDeltas,
        gone: u8,
    ) -> Outputs {
        // As in `update`, but from the sums straight to the logits: nothing is stored.
        let logits = match network.blocks {
            1 => logits(network, &self.after::<1>(network, deltas)),
            2 => logits(network, &self.after::<2>(network, deltas)),
            3 => logits(network, &self.after::<3>(network, deltas)),
            4 => logits(network, &self.after::<4>(network, deltas)),
            6 => logits(network, &self.after::<6>(network, deltas)),
            _ => logits(network, &self.after::<8>(network, deltas)),
        };
        network::chances(network.shape, logits, gone)
    }

    /// The sums after some deltas. The number of blocks is a constant for the compiler, so that it can keep the sums in
    /// registers over all rows.
    #[inline(always)]
    fn after<const BLOCKS: usize>(
        &self,
        network: &NetworkEvaluator,
        deltas: &FeatureDeltas,
    ) -> Totals<BLOCKS> {
        // The sums are copied, as the accumulator must serve the next action of the same position, too.
        let mut hidden: [Block; BLOCKS] = std::array::from_fn(|b| self.hidden[b]);
        let mut outputs = self.outputs;
        // Row f holds the weights of feature f, for all hidden units.
        let (rows, _) = network.first.as_chunks::<BLOCKS>();
        match &network.skip {
            Skip::One(weights) => {
                // With equal lengths one check of the index serves both tables.
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
                // All eight lanes, though at most six are outputs: a whole vector costs no more.
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

/// Adds a row of weights. Wrapping arithmetic: intermediate sums may overflow, as only the final one is bounded (see
/// `NetworkEvaluator::new`), and a vector instruction adds without checks.
#[inline(always)]
fn add<const BLOCKS: usize>(sums: &mut [Block; BLOCKS], row: &[Block; BLOCKS]) {
    // Both bounds are constants, so that the compiler can make vector additions of the loops.
    for b in 0..BLOCKS {
        for i in 0..BLOCK {
            sums[b].0[i] = sums[b].0[i].wrapping_add(row[b].0[i]);
        }
    }
}

/// Subtracts a row of weights, the reverse of [`add`].
#[inline(always)]
fn subtract<const BLOCKS: usize>(sums: &mut [Block; BLOCKS], row: &[Block; BLOCKS]) {
    for b in 0..BLOCKS {
        for i in 0..BLOCK {
            sums[b].0[i] = sums[b].0[i].wrapping_sub(row[b].0[i]);
        }
    }
}

/// The outputs before they become chances: (past the hidden layer + Σ max(0, hₖ) · second layer) · unit.
#[inline(always)]
fn logits<const BLOCKS: usize>(
    network: &NetworkEvaluator,
    (hidden, outputs): &Totals<BLOCKS>,
) -> Outputs {
    let mut logits = Outputs::default();
    let (rows, _) = network.second.as_chunks::<BLOCKS>();
    // There are as many rows as outputs: further logits stay 0.
    for ((logit, row), &output) in logits.iter_mut().zip(rows).zip(outputs) {
        // The rectifier is the maximum with 0.
        let mut products = 0i32;
        for b in 0..BLOCKS {
            for i in 0..BLOCK {
                // 16-bit factors and 32-bit sums, for which x86 has an instruction (`pmaddwd`). Weights have at most
                // 10 and 13 bits after the binary point, so that a sum of 2^31 would be a logit of 256 or more.
                let product = i32::from(hidden[b].0[i].max(0)) * i32::from(row[b].0[i]);
                products = products.wrapping_add(product);
            }
        }
        *logit = output.wrapping_add(products) as f32 * network.unit;
    }
    logits
}

/// A [`NetworkEvaluator`] with an accumulator for each seat.
///
/// Features are seen from the player who acted, so that consecutive positions of the same seat resemble each other
/// far more than those of different seats.
#[derive(Clone, Debug)]
pub struct NetworkProbe<'a> {
    network: &'a NetworkEvaluator,
    /// For each seat the accumulator of its latest position.
    accumulators: [Accumulator; MAX_PLAYERS],
    /// The seat of the position valued last.
    seat: usize,
    /// Room for deltas, used again for each position.
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
        // The accumulator of this seat moves on to this position from whichever position it was at.
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
        // From turn order to seats.
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
        // One call for all actions: the choice of instructions is made once, and everything below is inlined.
        self.seat = before.seat;
        simd::run(Rate {
            game,
            before,
            actions,
            deltas: &mut self.deltas,
            siblings: Siblings {
                network: self.network,
                accumulator: &mut self.accumulators[before.seat],
                gone: gone_from(game, before.seat),
                values: values.iter_mut(),
            },
        });
    }
}

/// The players that have left the game, a bit for each in turn order from this seat.
#[inline(always)]
fn gone_from(game: &Game, seat: usize) -> u8 {
    // Of four players the seats 0 and 3 are gone, 1001. From seat 2 on the order is 2, 3, 0, 1, so 0110.
    let twice = u16::from(game.gone) | u16::from(game.gone) << game.players;
    (twice >> seat) as u8 & ((1 << game.players) - 1) as u8
}

/// Values one position, as a piece of work that is compiled for two instruction sets.
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
        // The accumulator is at the position itself: no deltas.
        self.deltas.clear();
        let gone = gone_from(self.game, self.after.seat);
        self.accumulator
            .chances_after(self.network, self.deltas, gone)
    }
}

/// Values the positions after each of several actions of one player.
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
        // `visit` hands over the features before, then the deltas of each action in order.
        features::visit(
            self.game,
            self.before,
            self.actions,
            self.deltas,
            &mut self.siblings,
        );
    }
}

/// Values *siblings*, the positions after different actions from one position, by their deltas from that position and
/// not from each other. A sibling differs from it by one action, and from another sibling by two, which is about twice
/// the deltas.
struct Siblings<'a> {
    network: &'a NetworkEvaluator,
    accumulator: &'a mut Accumulator,
    gone: u8,
    values: std::slice::IterMut<'a, f32>,
}

impl Visitor for Siblings<'_> {
    #[inline(always)]
    fn before(&mut self, set: &FeatureSet, scratch: &mut FeatureDeltas) {
        // The accumulator moves to the position before the actions and stays there for all of them.
        self.accumulator.update(self.network, set, scratch);
    }

    #[inline(always)]
    fn after(&mut self, deltas: Option<&FeatureDeltas>) {
        let value = match deltas {
            // The first chance is that of the player who acted.
            Some(deltas) => self
                .accumulator
                .chances_after(self.network, deltas, self.gone)[0],
            // The action wins.
            None => 1.0,
        };
        // One value for each action, in the order of the actions.
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

        /// Players that have left have no chance, and the others keep their proportions, in every way of asking.
        #[test]
        fn the_gone_have_no_chance(position in testing::positions(), gone in 1_u8..63) {
            let players = position.game.players;
            let evaluator = NetworkEvaluator::new(&random_network(players, 32, 7));
            for after in position.afters() {
                let gone = gone & !(1 << after.seat) & ((1 << players) - 1);
                let game = Game { gone, ..position.game.clone() };
                let all = evaluator.chances(&position.game, &after);
                let left = evaluator.chances(&game, &after);
                prop_assert_eq!(left[after.seat].to_bits(), evaluator.own_chance(&game, &after).to_bits());
                if players == 2 {
                    prop_assert_eq!(left, all);
                    continue;
                }
                let stay: f32 = (0..players).filter(|&seat| !game.is_gone(seat)).map(|seat| all[seat]).sum();
                for seat in 0..players {
                    let expected = if game.is_gone(seat) { 0.0 } else { all[seat] / stay };
                    prop_assert!((left[seat] - expected).abs() < 1e-4, "{left:?} of {all:?}, gone {gone:b}");
                }
            }
        }

        /// Earlier questions change no bit of an answer, and rounding to whole numbers changes it little.
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
                let exact = network::chances(network.shape(), logits, 0);
                prop_assert!((exact[0] - fresh[after.seat]).abs() < 0.03, "{} {}", exact[0], fresh[after.seat]);
            }
        }

        /// Actions that are valued together get the same bits as each by itself, whatever was asked before.
        #[test]
        fn together_equals_one_by_one(position in testing::positions(), hidden in 0..Shape::HIDDEN.len(), earlier: u64, steps in 0usize..200) {
            let game = &position.game;
            let network = random_network(game.players, Shape::HIDDEN[hidden], 7);
            let evaluator = NetworkEvaluator::new(&network);
            let mut probe = NetworkProbe::new(&evaluator);
            let before = Afterstate::before(position.world.state());
            // Other positions first, so that the accumulators are not fresh.
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
