//! A policy network: how likely a player who thinks is to choose each of its legal cards.
//!
//! With s for the inputs that all cards of a choice share and x for a card's own inputs ([`Inputs`]), there are
//! 16 units
//!
//! h = b + S s + X x,
//!
//! and the card's score is h₁₅ + Σ over u < 15 of vᵤ max(0, hᵤ): a linear function of the card's inputs, plus
//! one hidden layer of rectified units that also see what all cards share. The chances of the cards are the
//! softmax of their scores. For example, two cards whose scores differ by ln 3 have the chances 3/4 and 1/4.
//!
//! The network is small so that a choice costs about a microsecond. It weighs the others' hands
//! ([`crate::belief`]), as in policy-based inference (Rebstock, Solinas and Buro 2019), and says which of the
//! viewer's cards the search tree tries first. Playouts use its *distilled scorer*: a linear scorer that was trained to
//! give nearly the same chances ([`Linear`]; knowledge distillation, Hinton, Vinyals and Dean 2015).
//!
//! Arithmetic is 32-bit with a pinned order of sums, so that every machine finds the same chances.
//!
//! The network is trained on choices of the search (`lab::tricks::training`; `lab eights train`, `lab
//! hearts train`). The distilled scorer is fast enough for playouts. `Tabulated` computes the same chances
//! in three fifths of the time, since it looks up the parts that depend only on card counts.

mod embedded;
mod file;
mod inputs;
mod linear;
mod rows;
mod tabulated;

pub use embedded::Embedded;
pub use file::{NetworkFile, TrainingRecord};
pub(crate) use inputs::OF_GAME;
pub use inputs::{Inputs, LAYOUT_VERSION};
pub use linear::Linear;
pub(crate) use linear::{draw, score_all};
pub(crate) use rows::{Row as CardRow, WIDTH, rows, widened};
pub use tabulated::{Counted, GameWeights, Tabulated};

use crate::{Cards, PolicySet, Round};
use engine::numerics::{ln, softmax};
use engine::rng::{Random, unit};
use engine::simd::{self, Work};
use std::array::from_ref;
use std::borrow::Cow;
use std::sync::OnceLock;

/// Room for the cards of a choice. Hands have at most 17 cards, at a table of three.
pub const MAX_CHOICES: usize = 18;
/// The number of inputs of a card.
pub const CARD_INPUTS: usize = 40;
/// The number of inputs that all cards of a choice share.
pub const SHARED_INPUTS: usize = 16;
/// The number of units: 15 rectified ones, and a last one that stays linear.
const UNITS: usize = 16;
/// The number of cards whose units are summed side by side.
const ABREAST: usize = 3;
/// The number of situations, each with its own weights: see [`Situation`].
pub(crate) const SITUATIONS: usize = Situation::ALL.len();
/// The number of weights of a situation: a row for each input, one for the biases, one for the output, each
/// with a weight for each unit.
const SIZE: usize = (SHARED_INPUTS + CARD_INPUTS + 2) * UNITS;

/// The kind of action that a player is about to take.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Situation {
    /// Lead to a trick.
    #[default]
    Lead,
    /// Follow the suit that was led.
    Follow,
    /// Throw a card of another suit.
    Throw,
    /// Take a card from the pool.
    Take,
}

impl Situation {
    /// All situations, in the order of their numbers.
    pub(crate) const ALL: [Situation; 4] = [
        Situation::Lead,
        Situation::Follow,
        Situation::Throw,
        Situation::Take,
    ];

    /// The situation of the player to act, whose legal cards these are.
    #[inline(always)]
    pub(crate) fn of(round: &impl Round, legal: Cards) -> Situation {
        match round.trick().led() {
            // Takes come first: the trick counts them, but no suit is led.
            _ if round.taking() => Situation::Take,
            None => Situation::Lead,
            Some(led) if (legal & Cards::suit(led)).is_empty() => Situation::Throw,
            Some(_) => Situation::Follow,
        }
    }
}

/// The chances of the cards of a choice, in the order of the cards. Entries beyond the last card mean nothing.
pub type Chances = [f32; MAX_CHOICES];

/// The policy network of a game, with its distilled scorer.
#[derive(Clone, Debug)]
pub struct Network {
    /// By situation 58 rows of 16: those of the shared inputs, of the card's inputs, the biases, the output
    /// weights.
    weights: Cow<'static, [f32]>,
    /// The linear scorer that comes nearest to the network, for playouts.
    linear: Linear,
    /// The linear scorer as tables, made when it is first asked for.
    tabulated: OnceLock<Tabulated>,
}

impl PartialEq for Network {
    fn eq(&self, other: &Network) -> bool {
        // The tables follow from the linear scorer.
        self.weights == other.weights && self.linear == other.linear
    }
}

/// A number for each unit, such as the weights of one input.
type Row = [f32; UNITS];

impl Network {
    /// The number of weights of a network.
    pub const WEIGHTS: usize = SITUATIONS * SIZE;

    /// A network of these weights and its distilled scorer; none if the number of weights is wrong.
    pub fn new(weights: Vec<f32>, linear: Linear) -> Option<Network> {
        let fits = weights.len() == Network::WEIGHTS;
        fits.then_some(Network {
            weights: weights.into(),
            linear,
            tabulated: OnceLock::new(),
        })
    }

    /// A network that gives all cards of a choice the same chance.
    pub fn even() -> Network {
        Network {
            weights: vec![0.0; Network::WEIGHTS].into(),
            linear: Linear::default(),
            tabulated: OnceLock::new(),
        }
    }

    /// An untrained network: small random weights, and chances that are nearly equal.
    pub fn random(rng: &mut Random) -> Network {
        let mut weights = vec![0.0; Network::WEIGHTS];
        for situation in weights.chunks_exact_mut(SIZE) {
            let (inputs, rest) = situation.split_at_mut((SHARED_INPUTS + CARD_INPUTS) * UNITS);
            for (number, weight) in inputs.iter_mut().enumerate() {
                // The linear unit starts at 0. Rectified units start apart from each other, or all would learn
                // the same.
                if number % UNITS != UNITS - 1 {
                    *weight = (0.4 * (unit(rng) - 0.5)) as f32;
                }
            }
            // The biases stay 0, the output weights are random.
            for weight in &mut rest[UNITS..] {
                *weight = (0.4 * (unit(rng) - 0.5)) as f32;
            }
        }
        Network {
            weights: weights.into(),
            ..Network::even()
        }
    }

    pub fn weights(&self) -> &[f32] {
        &self.weights
    }

    /// The weights, to be changed in training.
    pub fn weights_mut(&mut self) -> &mut [f32] {
        self.weights.to_mut()
    }

    /// The distilled scorer: the linear scorer trained to give the network's own chances.
    pub fn linear(&self) -> &Linear {
        &self.linear
    }

    /// The distilled scorer, to be changed.
    pub fn linear_mut(&mut self) -> &mut Linear {
        // Tables made before belong to the old weights.
        self.tabulated = OnceLock::new();
        &mut self.linear
    }

    /// The distilled scorer as tables, for playouts.
    pub fn tabulated(&self) -> &Tabulated {
        self.tabulated.get_or_init(|| {
            let rows = Situation::ALL.map(|situation| widened(self.linear.of(situation)));
            Tabulated::new(|situation| &rows[situation as usize])
        })
    }

    /// The chances of the cards of a choice.
    #[inline(always)]
    pub fn chances(&self, inputs: &Inputs) -> Chances {
        let mut chances = [0.0; MAX_CHOICES];
        let weights = self.of(inputs.situation);
        // The shared inputs are summed once for all cards.
        let shared = weights.shared(inputs);
        let (abreast, rest) = inputs.cards().as_chunks::<ABREAST>();
        let (scores, last) = chances.split_at_mut(ABREAST * abreast.len());
        for (scores, cards) in scores.chunks_exact_mut(ABREAST).zip(abreast) {
            for (score, units) in scores.iter_mut().zip(weights.units(&shared, cards)) {
                *score = weights.score(&units);
            }
        }
        // One or two cards may be left over.
        for (score, card) in last.iter_mut().zip(rest) {
            let [units] = weights.units(&shared, from_ref(card));
            *score = weights.score(&units);
        }
        soften(&mut chances, inputs.len());
        chances
    }

    /// The chances of the legal cards for the player to act, in the cards' order.
    pub(crate) fn chances_of<P: PolicySet>(&self, round: &P::Round, legal: Cards) -> Chances {
        simd::run(ChancesOf::<P> {
            network: self,
            round,
            legal,
        })
    }

    /// The weights of a situation.
    #[inline(always)]
    fn of(&self, situation: Situation) -> Weights<'_> {
        let start = situation as usize * SIZE;
        Weights(self.weights[start..start + SIZE].as_chunks::<UNITS>().0)
    }

    /// Adds the gradient of the loss of one choice to `gradient`, which is as long as the weights. The loss is -ln P of
    /// the card with the number `chosen`; it is returned.
    ///
    /// # Panics
    /// If there is no card with that number, or the gradient is of another length.
    pub fn learn(&self, inputs: &Inputs, chosen: usize, gradient: &mut [f32]) -> f32 {
        assert!(chosen < inputs.len() && gradient.len() == Network::WEIGHTS);
        let weights = self.of(inputs.situation);
        let shared = weights.shared(inputs);
        // Forward: the units and the chances, as in `chances`.
        let mut units = [[0.0; UNITS]; MAX_CHOICES];
        let mut chances = [0.0; MAX_CHOICES];
        for (place, card) in inputs.cards().iter().enumerate() {
            [units[place]] = weights.units(&shared, from_ref(card));
            chances[place] = weights.score(&units[place]);
        }
        softmax(&mut chances, inputs.len());
        let start = inputs.situation as usize * SIZE;
        let gradient = gradient[start..start + SIZE].as_chunks_mut::<UNITS>().0;
        // Backward. The loss's slope by a card's score is its chance, minus 1 for the card chosen. From there
        // the chain rule leads to the units and to each row of weights.
        let output = weights.0[SHARED_INPUTS + CARD_INPUTS + 1];
        let mut all = [0.0; UNITS];
        for (place, card) in inputs.cards().iter().enumerate() {
            let error = chances[place] - f32::from(u8::from(place == chosen));
            let mut back = [0.0; UNITS];
            // A rectified unit passes the slope on only where it is positive.
            for unit in 0..UNITS - 1 {
                let found = units[place][unit];
                gradient[SHARED_INPUTS + CARD_INPUTS + 1][unit] += error * found.max(0.0);
                back[unit] = if found > 0.0 {
                    error * output[unit]
                } else {
                    0.0
                };
            }
            // The linear unit has no output weight: it is the score's own summand.
            back[UNITS - 1] = error;
            // The slope by a weight is its input times the slope by its unit.
            for (row, &input) in gradient[SHARED_INPUTS..].iter_mut().zip(card) {
                add(row, input, &back);
            }
            add(&mut all, 1.0, &back);
        }
        // The slopes of the linear unit sum to 0 over the cards: what all cards share shifts every score alike.
        // Rounding would leave a rest.
        all[UNITS - 1] = 0.0;
        for (row, &input) in gradient.iter_mut().zip(&inputs.shared) {
            add(row, input, &all);
        }
        add(&mut gradient[SHARED_INPUTS + CARD_INPUTS], 1.0, &all);
        // The lower bound keeps the loss finite where a chance underflows.
        -ln(f64::from(chances[chosen].max(1e-12))) as f32
    }
}

/// The work of [`Network::chances_of`].
struct ChancesOf<'a, P: PolicySet> {
    network: &'a Network,
    round: &'a P::Round,
    legal: Cards,
}

impl<P: PolicySet> Work for ChancesOf<'_, P> {
    type Output = Chances;

    #[inline(always)]
    fn run(self) -> Chances {
        let inputs = Inputs::of::<P>(self.round, self.legal);
        self.network.chances(&inputs)
    }
}

/// Turns the first `count` scores into chances. Most choices are among eight cards or fewer, and a softmax over
/// eight places is quicker.
#[inline(always)]
fn soften(scores: &mut Chances, count: usize) {
    match scores.first_chunk_mut::<8>() {
        Some(few) if count <= 8 => softmax(few, count),
        _ => softmax(scores, count),
    }
}

/// The weights of a situation by row: shared inputs, card inputs, biases, output.
struct Weights<'a>(&'a [Row]);

impl Weights<'_> {
    /// The part of all units that the cards of a choice share: b + S s.
    #[inline(always)]
    fn shared(&self, inputs: &Inputs) -> Row {
        let mut sum = self.0[SHARED_INPUTS + CARD_INPUTS];
        for (row, &input) in self.0.iter().zip(&inputs.shared) {
            add(&mut sum, input, row);
        }
        sum
    }

    /// The units of some cards, side by side. An addition to a sum has to wait for the one before it; the sums
    /// of other cards fill the wait.
    #[inline(always)]
    fn units<const N: usize>(&self, shared: &Row, cards: &[[f32; CARD_INPUTS]; N]) -> [Row; N] {
        let mut sums = [*shared; N];
        // Row by row, so that each row of weights is used for all cards at once.
        for (number, row) in self.0[SHARED_INPUTS..][..CARD_INPUTS].iter().enumerate() {
            for (sum, card) in sums.iter_mut().zip(cards) {
                add(sum, card[number], row);
            }
        }
        sums
    }

    /// The score that a card's units give.
    #[inline(always)]
    fn score(&self, units: &Row) -> f32 {
        let output = &self.0[SHARED_INPUTS + CARD_INPUTS + 1];
        let mut terms: Row = std::array::from_fn(|unit| units[unit].max(0.0) * output[unit]);
        // The last place is the linear unit's, which has no rectifier and no output weight.
        terms[UNITS - 1] = units[UNITS - 1];
        // Halves are added pairwise, 16 to 8 to 4 to 2 to 1. The order is part of the result: every machine
        // must round alike.
        let mut width = UNITS / 2;
        while width > 0 {
            for unit in 0..width {
                terms[unit] += terms[unit + width];
            }
            width /= 2;
        }
        terms[0]
    }
}

/// Adds `factor` times a row of weights.
#[inline(always)]
fn add(sum: &mut Row, factor: f32, row: &Row) {
    for (sum, weight) in sum.iter_mut().zip(row) {
        *sum += factor * weight;
    }
}

#[cfg(test)]
mod tests;
