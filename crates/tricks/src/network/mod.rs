//! A policy network: how likely a player who thinks is to choose each of its legal cards.
//!
//! Each card has a score that follows from what can be counted about it ([`Inputs`]); the chances are the softmax of the
//! scores. A score is a linear function of a card's inputs plus one hidden layer of rectified units, which also see what
//! is the same for all cards. It is small so that a choice costs about a microsecond: it stands for the others
//! in worlds ([`crate::belief`]) and in playouts, as in policy-based inference (Rebstock, Solinas and Buro 2019).
//!
//! Arithmetic is 32-bit with a pinned order of sums, so that every machine finds the same chances.

mod embedded;
mod file;
mod inputs;
mod linear;
mod rows;
mod tabulated;

pub use embedded::Embedded;
pub use file::{NetworkError, NetworkFile, TrainingRecord};
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

/// Most cards that a choice is among: a hand at a table of three.
pub const MAX_CHOICES: usize = 18;
/// Inputs of a card.
pub const CARD_INPUTS: usize = 40;
/// Inputs that are the same for all cards of a choice.
pub const SHARED_INPUTS: usize = 16;
/// Rectified units and one that stays linear, the last.
const UNITS: usize = 16;
/// Cards whose units are summed side by side.
const ABREAST: usize = 3;
/// Situations that have weights of their own, see [`Situation`].
pub(crate) const SITUATIONS: usize = Situation::ALL.len();
/// Weights of a situation: those of the inputs, the biases, and the output's.
const SIZE: usize = (SHARED_INPUTS + CARD_INPUTS + 2) * UNITS;

/// What a player is about to do. Each situation has its own weights.
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
    /// All of them, in the order of their numbers.
    pub(crate) const ALL: [Situation; 4] = [
        Situation::Lead,
        Situation::Follow,
        Situation::Throw,
        Situation::Take,
    ];

    /// That of the player to act, whose cards `legal` are.
    #[inline(always)]
    pub(crate) fn of(round: &impl Round, legal: Cards) -> Situation {
        match round.trick().led() {
            _ if round.taking() => Situation::Take,
            None => Situation::Lead,
            Some(led) if (legal & Cards::suit(led)).is_empty() => Situation::Throw,
            Some(_) => Situation::Follow,
        }
    }
}

/// The chances of the cards of a choice, in the order of the cards.
pub type Chances = [f32; MAX_CHOICES];

#[derive(Clone, Debug)]
pub struct Network {
    /// By situation: rows of the shared inputs, rows of the card's inputs, biases, output weights; a row has a weight for each unit.
    weights: Cow<'static, [f32]>,
    /// What comes nearest to it, for playouts.
    linear: Linear,
    /// The same in a form that is quick to use, once it was asked for.
    tabulated: OnceLock<Tabulated>,
}

impl PartialEq for Network {
    fn eq(&self, other: &Network) -> bool {
        self.weights == other.weights && self.linear == other.linear
    }
}

type Row = [f32; UNITS];

impl Network {
    /// The number of weights of a network.
    pub const WEIGHTS: usize = SITUATIONS * SIZE;

    /// A network of these weights and its linear likeness; none if the weights are not as many as they should be.
    pub fn new(weights: Vec<f32>, linear: Linear) -> Option<Network> {
        let fits = weights.len() == Network::WEIGHTS;
        fits.then_some(Network {
            weights: weights.into(),
            linear,
            tabulated: OnceLock::new(),
        })
    }

    /// A network for which all cards are equally likely.
    pub fn even() -> Network {
        Network {
            weights: vec![0.0; Network::WEIGHTS].into(),
            linear: Linear::default(),
            tabulated: OnceLock::new(),
        }
    }

    /// A network that has learnt nothing: small random weights, and chances that are nearly equal.
    pub fn random(rng: &mut Random) -> Network {
        let mut weights = vec![0.0; Network::WEIGHTS];
        for situation in weights.chunks_exact_mut(SIZE) {
            let (inputs, rest) = situation.split_at_mut((SHARED_INPUTS + CARD_INPUTS) * UNITS);
            for (number, weight) in inputs.iter_mut().enumerate() {
                // The linear unit starts at nothing.
                if number % UNITS != UNITS - 1 {
                    *weight = (0.4 * (unit(rng) - 0.5)) as f32;
                }
            }
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

    /// The weights, to be changed.
    pub fn weights_mut(&mut self) -> &mut [f32] {
        self.weights.to_mut()
    }

    /// Its linear likeness: the linear scorer whose chances come nearest to its own.
    pub fn linear(&self) -> &Linear {
        &self.linear
    }

    /// The same, to be changed.
    pub fn linear_mut(&mut self) -> &mut Linear {
        self.tabulated = OnceLock::new();
        &mut self.linear
    }

    /// Its linear likeness in a form that is quick to use.
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
        let shared = weights.shared(inputs);
        let (abreast, rest) = inputs.cards().as_chunks::<ABREAST>();
        let (scores, last) = chances.split_at_mut(ABREAST * abreast.len());
        for (scores, cards) in scores.chunks_exact_mut(ABREAST).zip(abreast) {
            for (score, units) in scores.iter_mut().zip(weights.units(&shared, cards)) {
                *score = weights.score(&units);
            }
        }
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

    #[inline(always)]
    fn of(&self, situation: Situation) -> Weights<'_> {
        let start = situation as usize * SIZE;
        Weights(self.weights[start..start + SIZE].as_chunks::<UNITS>().0)
    }

    /// Adds to `gradient`, which is as long as the weights, the gradient of minus the logarithm of the chance of the card with
    /// the number `chosen`, and returns that logarithm, negated.
    ///
    /// # Panics
    /// If there are not that many cards, or the gradient is of another length.
    pub fn learn(&self, inputs: &Inputs, chosen: usize, gradient: &mut [f32]) -> f32 {
        assert!(chosen < inputs.len() && gradient.len() == Network::WEIGHTS);
        let weights = self.of(inputs.situation);
        let shared = weights.shared(inputs);
        let mut units = [[0.0; UNITS]; MAX_CHOICES];
        let mut chances = [0.0; MAX_CHOICES];
        for (place, card) in inputs.cards().iter().enumerate() {
            [units[place]] = weights.units(&shared, from_ref(card));
            chances[place] = weights.score(&units[place]);
        }
        softmax(&mut chances, inputs.len());
        let start = inputs.situation as usize * SIZE;
        let gradient = gradient[start..start + SIZE].as_chunks_mut::<UNITS>().0;
        let output = weights.0[SHARED_INPUTS + CARD_INPUTS + 1];
        let mut all = [0.0; UNITS];
        for (place, card) in inputs.cards().iter().enumerate() {
            let error = chances[place] - f32::from(u8::from(place == chosen));
            let mut back = [0.0; UNITS];
            for unit in 0..UNITS - 1 {
                let found = units[place][unit];
                gradient[SHARED_INPUTS + CARD_INPUTS + 1][unit] += error * found.max(0.0);
                back[unit] = if found > 0.0 {
                    error * output[unit]
                } else {
                    0.0
                };
            }
            back[UNITS - 1] = error;
            for (row, &input) in gradient[SHARED_INPUTS..].iter_mut().zip(card) {
                add(row, input, &back);
            }
            add(&mut all, 1.0, &back);
        }
        // What all cards share changes no score of the linear unit against another.
        all[UNITS - 1] = 0.0;
        for (row, &input) in gradient.iter_mut().zip(&inputs.shared) {
            add(row, input, &all);
        }
        add(&mut gradient[SHARED_INPUTS + CARD_INPUTS], 1.0, &all);
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

/// Turns the scores of so many cards into chances. Few cards are most of the cases, and quicker.
#[inline(always)]
fn soften(scores: &mut Chances, count: usize) {
    match scores.first_chunk_mut::<8>() {
        Some(few) if count <= 8 => softmax(few, count),
        _ => softmax(scores, count),
    }
}

/// The weights of a situation by row.
struct Weights<'a>(&'a [Row]);

impl Weights<'_> {
    #[inline(always)]
    fn shared(&self, inputs: &Inputs) -> Row {
        let mut sum = self.0[SHARED_INPUTS + CARD_INPUTS];
        for (row, &input) in self.0.iter().zip(&inputs.shared) {
            add(&mut sum, input, row);
        }
        sum
    }

    /// The units of some cards at once: each sum waits for its last addition, and those of other cards fill the wait.
    #[inline(always)]
    fn units<const N: usize>(&self, shared: &Row, cards: &[[f32; CARD_INPUTS]; N]) -> [Row; N] {
        let mut sums = [*shared; N];
        for (number, row) in self.0[SHARED_INPUTS..][..CARD_INPUTS].iter().enumerate() {
            for (sum, card) in sums.iter_mut().zip(cards) {
                add(sum, card[number], row);
            }
        }
        sums
    }

    #[inline(always)]
    fn score(&self, units: &Row) -> f32 {
        let output = &self.0[SHARED_INPUTS + CARD_INPUTS + 1];
        let mut terms: Row = std::array::from_fn(|unit| units[unit].max(0.0) * output[unit]);
        terms[UNITS - 1] = units[UNITS - 1];
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

#[inline(always)]
fn add(sum: &mut Row, factor: f32, row: &Row) {
    for (sum, weight) in sum.iter_mut().zip(row) {
        *sum += factor * weight;
    }
}

#[cfg(test)]
mod tests;
