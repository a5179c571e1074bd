//! The network over positions that resemble each other.
//!
//! Sums of whole numbers do not depend on their order, so the hidden layer can be kept from one
//! position to the next and only the features that changed be added and taken away (Nasu 2018,
//! "Efficiently updatable neural-network-based evaluation functions"): the result has the same
//! bits as a fresh one, on every machine.

use super::features::{self, Changes, FeatureSet, Visitor};
use super::kernel::{BLOCK, Block, LANES, MAX_HIDDEN, NetworkEvaluator, Skip};
use super::network::{self, Outputs};
use super::{Afterstate, Chances, Probe, Situation};
use crate::rules::{Action, Game, MAX_PLAYERS};
use engine::simd::{self, Work};

/// The sums of a set of features.
#[derive(Clone, Debug)]
struct Sums {
    hidden: [Block; MAX_HIDDEN / BLOCK],
    outputs: [i32; LANES],
}

impl Sums {
    /// Those of no features.
    #[inline(always)]
    fn new(network: &NetworkEvaluator) -> Sums {
        let mut hidden = [Block([0; BLOCK]); MAX_HIDDEN / BLOCK];
        hidden[..network.blocks].copy_from_slice(&network.bias);
        Sums {
            hidden,
            outputs: network.output_bias,
        }
    }

    /// Those after some changes.
    #[inline(always)]
    fn follow(&mut self, network: &NetworkEvaluator, changes: &Changes) {
        match network.blocks {
            1 => self.set(self.after::<1>(network, changes)),
            2 => self.set(self.after::<2>(network, changes)),
            3 => self.set(self.after::<3>(network, changes)),
            _ => self.set(self.after::<4>(network, changes)),
        }
    }

    #[inline(always)]
    fn set<const BLOCKS: usize>(&mut self, (hidden, outputs): Totals<BLOCKS>) {
        self.hidden[..BLOCKS].copy_from_slice(&hidden);
        self.outputs = outputs;
    }

    /// The chances after some changes, in turn order from the player who acted.
    #[inline(always)]
    fn chances_after(&self, network: &NetworkEvaluator, changes: &Changes) -> Outputs {
        let logits = match network.blocks {
            1 => logits(network, &self.after::<1>(network, changes)),
            2 => logits(network, &self.after::<2>(network, changes)),
            3 => logits(network, &self.after::<3>(network, changes)),
            _ => logits(network, &self.after::<4>(network, changes)),
        };
        network::chances(network.shape, logits)
    }

    /// The number of blocks is known to the compiler, so that the sums stay in registers.
    #[inline(always)]
    fn after<const BLOCKS: usize>(
        &self,
        network: &NetworkEvaluator,
        changes: &Changes,
    ) -> Totals<BLOCKS> {
        let mut hidden: [Block; BLOCKS] = std::array::from_fn(|b| self.hidden[b]);
        let mut outputs = self.outputs;
        let (rows, _) = network.first.as_chunks::<BLOCKS>();
        match &network.skip {
            Skip::One(weights) => {
                let weights = &weights[..rows.len()];
                let mut output = outputs[0];
                for &feature in changes.added() {
                    add(&mut hidden, &rows[usize::from(feature)]);
                    output = output.wrapping_add(weights[usize::from(feature)]);
                }
                for &feature in changes.removed() {
                    subtract(&mut hidden, &rows[usize::from(feature)]);
                    output = output.wrapping_sub(weights[usize::from(feature)]);
                }
                outputs[0] = output;
            }
            Skip::Many(weights) => {
                let weights = &weights[..rows.len()];
                for &feature in changes.added() {
                    add(&mut hidden, &rows[usize::from(feature)]);
                    let row = &weights[usize::from(feature)];
                    for i in 0..LANES {
                        outputs[i] = outputs[i].wrapping_add(row[i]);
                    }
                }
                for &feature in changes.removed() {
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

/// A position and its sums.
#[derive(Clone, Debug)]
struct Kept {
    set: FeatureSet,
    sums: Sums,
}

impl Kept {
    #[inline(always)]
    fn new(network: &NetworkEvaluator) -> Kept {
        Kept {
            set: FeatureSet::default(),
            sums: Sums::new(network),
        }
    }

    /// Moves on to another position.
    #[inline(always)]
    fn follow(&mut self, network: &NetworkEvaluator, set: &FeatureSet, changes: &mut Changes) {
        changes.clear();
        let words = features::words(network.shape.players);
        changes.words(&self.set.words()[..words], &set.words()[..words]);
        self.sums.follow(network, changes);
        self.set = *set;
    }
}

/// A [`NetworkEvaluator`] with the sums of the last position of each seat.
#[derive(Clone, Debug)]
pub struct NetworkProbe<'a> {
    network: &'a NetworkEvaluator,
    kept: [Kept; MAX_PLAYERS],
    /// Whose position was asked about last.
    seat: usize,
    /// Room to work in.
    changes: Changes,
}

impl<'a> NetworkProbe<'a> {
    pub(super) fn new(network: &'a NetworkEvaluator) -> NetworkProbe<'a> {
        NetworkProbe {
            network,
            kept: std::array::from_fn(|_| Kept::new(network)),
            seat: 0,
            changes: Changes::default(),
        }
    }

    /// The chances in turn order, from the player who acted.
    #[inline]
    pub fn value(&mut self, situation: &Situation) -> Outputs {
        debug_assert_eq!(situation.game.players, self.network.shape.players);
        self.seat = situation.seat;
        simd::run(Value {
            network: self.network,
            kept: &mut self.kept[situation.seat],
            situation,
            changes: &mut self.changes,
        })
    }

    /// The features of the position that [`NetworkProbe::value`] was asked about last.
    #[inline]
    pub fn features(&self) -> &FeatureSet {
        &self.kept[self.seat].set
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

    fn rate(&mut self, game: &Game, before: &Afterstate, actions: &[Action], values: &mut [f32]) {
        debug_assert_eq!(game.players, self.network.shape.players);
        self.seat = before.seat;
        simd::run(Rate {
            game,
            before,
            actions,
            changes: &mut self.changes,
            siblings: Siblings {
                network: self.network,
                kept: &mut self.kept[before.seat],
                values: values.iter_mut(),
            },
        });
    }
}

/// Values one position.
struct Value<'a> {
    network: &'a NetworkEvaluator,
    kept: &'a mut Kept,
    situation: &'a Situation<'a>,
    changes: &'a mut Changes,
}

impl Work for Value<'_> {
    type Output = Outputs;

    #[inline(always)]
    fn run(self) -> Outputs {
        let set = FeatureSet::of(self.situation);
        self.kept.follow(self.network, &set, self.changes);
        self.changes.clear();
        self.kept.sums.chances_after(self.network, self.changes)
    }
}

/// Values what the actions of one player lead to.
struct Rate<'a> {
    game: &'a Game,
    before: &'a Afterstate,
    actions: &'a [Action],
    changes: &'a mut Changes,
    siblings: Siblings<'a>,
}

impl Work for Rate<'_> {
    type Output = ();

    #[inline(always)]
    fn run(mut self) {
        let before = self.before.situation(self.game);
        features::visit(&before, self.actions, self.changes, &mut self.siblings);
    }
}

/// Positions that are compared with the one before them all, and not with each other: each has
/// then half the changes.
struct Siblings<'a> {
    network: &'a NetworkEvaluator,
    kept: &'a mut Kept,
    values: std::slice::IterMut<'a, f32>,
}

impl Visitor for Siblings<'_> {
    #[inline(always)]
    fn before(&mut self, set: &FeatureSet, room: &mut Changes) {
        self.kept.follow(self.network, set, room);
    }

    #[inline(always)]
    fn after(&mut self, changes: Option<&Changes>) {
        let value = match changes {
            Some(changes) => self.kept.sums.chances_after(self.network, changes)[0],
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
    use crate::evaluation::kernel::tests::random_network;
    use crate::evaluation::{Evaluator, testing};
    use proptest::prelude::*;

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

        /// Actions together get what each gets alone, whatever was asked before.
        #[test]
        fn together_equals_one_by_one(position in testing::positions(), hidden in 1usize..=4, earlier: u64, steps in 0usize..200) {
            let game = &position.game;
            let network = random_network(game.players, 32 * hidden, 7);
            let evaluator = NetworkEvaluator::new(&network);
            let mut probe = evaluator.session();
            let before = Afterstate::before(position.world.state());
            // Something else that this probe was asked about.
            let spaces = game.board.spaces().len();
            let other = testing::position(earlier, game.players, spaces, 3, steps);
            let mut values = vec![0.0; other.actions.len()];
            probe.rate(&other.game, &Afterstate::before(other.world.state()), &other.actions, &mut values);
            for after in other.afters().take(2) {
                probe.chances(&after.situation(&other.game));
            }
            let mut values = vec![0.0; position.actions.len()];
            for _ in 0..2 {
                probe.rate(game, &before, &position.actions, &mut values);
                for (&action, value) in position.actions.iter().zip(&values) {
                    let after = before.then(action);
                    let alone = if after.won() { 1.0 } else { evaluator.own_chance(&after.situation(game)) };
                    prop_assert_eq!(value.to_bits(), alone.to_bits(), "{}", action);
                }
            }
        }
    }
}
