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
use crate::cartagena::rules::{Action, Game, MAX_PLAYERS};
use crate::vectorised::{self, Work};

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
    fn after(&self, network: &NetworkEvaluator, changes: &Changes) -> Sums {
        let (added, removed) = (changes.added(), changes.removed());
        let mut sums = Sums {
            hidden: [Block([0; BLOCK]); MAX_HIDDEN / BLOCK],
            outputs: self.outputs,
        };
        let blocks = network.blocks;
        for (b, (sum, before)) in sums
            .hidden
            .iter_mut()
            .zip(&self.hidden)
            .take(blocks)
            .enumerate()
        {
            let mut total = before.0;
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
                sums.outputs[0] = sums.outputs[0].wrapping_add(change);
            }
            Skip::Many(weights) => {
                let mut total = self.outputs;
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
                sums.outputs = total;
            }
        }
        sums
    }

    /// The chances in turn order, from the player who acted.
    #[inline(always)]
    fn chances(&self, network: &NetworkEvaluator) -> Outputs {
        let mut logits = Outputs::default();
        let rows = network.second.chunks_exact(network.blocks);
        for ((logit, row), &output) in logits.iter_mut().zip(rows).zip(&self.outputs) {
            let mut sum = output;
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
        network::chances(network.shape, logits)
    }
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
        let pairs = self.set.words().iter().zip(set.words()).take(words);
        for (word, (&before, &now)) in pairs.enumerate() {
            changes.word(word, before, now);
        }
        self.sums = self.sums.after(network, changes);
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
        vectorised::run(Value {
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
        vectorised::run(Rate {
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
        self.kept.sums.chances(self.network)
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
            Some(changes) => {
                let sums = self.kept.sums.after(self.network, changes);
                sums.chances(self.network)[0]
            }
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
    use crate::cartagena::evaluation::kernel::tests::random_network;
    use crate::cartagena::evaluation::{Evaluator, testing};
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
