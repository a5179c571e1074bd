//! The strategy of one hand game on the abstraction, as it is stored: a weight of four bits for each action.

use super::abstraction::{SIZE, information_set, information_sets};
use super::nibbles::Nibbles;
use super::stored::Bytes;
use crate::rules::{Cards, Decision, PublicState};
use arrayvec::ArrayVec;
use engine::rng::pick;
use engine::store::Kind;
use std::io::{self, Read};

/// The strategy in every information set: a weight from 0 to 15 for each action, two to a byte. Only the ratios
/// within an information set count: the largest weight there is 15. If all are 0 the information set was never
/// trained.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Strategy(Nibbles);

/// Decisions with a smaller probability are not played, see [`Strategy::played`].
const LEAST: f32 = 0.1;

/// Decisions with their probabilities, which sum to 1. At most five cards and an offer.
pub type Distribution = ArrayVec<(Decision, f32), 6>;

impl Strategy {
    /// Rounds the average strategy of a trainer, given by the cumulative strategy of each slot.
    pub fn from_cumulative(cumulative: impl Fn(usize) -> f32) -> Strategy {
        let mut packed = vec![0; Strategy::LEN];
        for (offset, len) in information_sets() {
            // Scaled by the largest, so that all four bits are used however often the information set was visited.
            let most = (offset..offset + len).map(&cumulative).fold(0.0, f32::max);
            for place in (offset..offset + len).filter(|_| most > 0.0) {
                // 30, 10 and 1 become 15, 5 and 1 (0.5 rounded up). Below a thirtieth of the largest it becomes 0.
                let weight = (15.0 * cumulative(place) / most).round() as u8;
                packed[place / 2] |= weight << (4 * (place % 2));
            }
        }
        Strategy(Nibbles::of(&packed))
    }

    /// The weight in a slot, from 0 to 15.
    fn weight(&self, place: usize) -> u8 {
        self.0.get(place)
    }

    /// The strategy of the player to act with the cards `own`, in the order of the abstraction. All decisions are
    /// equally likely in an information set that was never trained.
    pub fn distribution(&self, public: &PublicState, own: Cards) -> Distribution {
        // Slots of decisions that are impossible here, such as an offer after a challenge, are not among
        // `decisions` and do not count in the sum.
        let set = information_set(public, own);
        let weight = |slot: usize| f32::from(self.weight(set.offset + slot));
        let sum: f32 = set.decisions.iter().map(|&(slot, _)| weight(slot)).sum();
        let even = 1.0 / set.decisions.len() as f32;
        let probability = |slot| if sum > 0.0 { weight(slot) / sum } else { even };
        let decisions = set.decisions.iter();
        decisions
            .map(|&(slot, decision)| (decision, probability(slot)))
            .collect()
    }

    /// The strategy that is played: probabilities below a tenth are remains of the first, untrained iterations and
    /// are left out.
    pub fn played(&self, public: &PublicState, own: Cards) -> Distribution {
        let mut chosen = self.distribution(public, own);
        let kept = |probability: f32| match probability < LEAST {
            true => 0.0,
            false => probability,
        };
        // Never 0: the likeliest of at most six decisions has at least 1/6.
        let sum: f32 = chosen.iter().map(|&(_, p)| kept(p)).sum();
        for (_, probability) in &mut chosen {
            *probability = kept(*probability) / sum;
        }
        chosen
    }
}

impl Bytes for Strategy {
    const KIND: Kind = Kind::new("hand", 1);
    const LEN: usize = SIZE.div_ceil(2);

    fn bytes(&self) -> Vec<u8> {
        self.0.bytes()
    }

    fn from_bytes(from: &mut impl Read) -> io::Result<Strategy> {
        Nibbles::read(from, Strategy::LEN).map(Strategy)
    }
}

/// The probability of one decision in a distribution that may name it more than once.
pub fn probability_of(distribution: &[(Decision, f32)], decision: Decision) -> f32 {
    let same = distribution.iter().filter(|(other, _)| *other == decision);
    same.map(|&(_, probability)| probability).sum()
}

/// The decision on which a uniform number from 0 to 1 falls. None if the list is empty or has no probability above
/// 0.
pub fn sample(distribution: &[(Decision, f32)], uniform: f32) -> Option<Decision> {
    let number = pick(distribution.iter().map(|entry| entry.1), uniform);
    // If rounding leaves a rest, the last decision with a probability above 0.
    let number = number.or_else(|| distribution.iter().rposition(|entry| entry.1 > 0.0));
    number.map(|number| distribution[number].0)
}
