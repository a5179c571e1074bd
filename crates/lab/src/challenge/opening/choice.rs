//! The decisions of all sets of cards at one public state: regrets, average strategies, and best
//! responses. [`Trick`](super::trick::Trick) holds one [`Choice`] or [`Answer`] for each of its decisions.
//!
//! Regret matching: a hand takes each decision with a probability in proportion to its positive
//! regret, or all with equal probability if there is none. The regret of a decision grows by its
//! counterfactual value less that of the hand: `R ← max(0, keep · R + v(decision) − v(hand))`.
//! Regrets never fall below 0 (CFR+, Tammelin 2014) and are discounted by
//! `keep = t^1.5 / (t^1.5 + 1)` (Brown and Sandholm 2019). The average strategy of a hand is
//! `Σ weight · reach · probability` over iterations, normalised, with the square of the iteration
//! as its weight. The averages approach an equilibrium; the strategies of single iterations do not.
//!
//! Example: regrets 3 for a card, 1 for another, 0 for an offer. The hand plays them with 3/4, 1/4
//! and 0.

use super::sets::{Sets, product, rank};
use challenge::rules::{Cards, RANKS};
use serde::{Deserialize, Serialize};

/// The task of a walk where its learner decides: to learn, or to respond.
#[derive(Clone, Copy, Debug)]
pub(super) enum Pass {
    /// Both play by regrets; the learner updates regrets and sums with the factors of an iteration.
    Learn {
        /// Factor of the regrets from before.
        keep: f32,
        /// Weight of this iteration in the average.
        weight: f32,
    },
    /// The learner plays the best against the other's average strategy.
    Respond,
}

impl Pass {
    fn learns(&self) -> bool {
        matches!(self, Pass::Learn { .. })
    }
}

/// For some decisions, the regrets and the sums that the average strategy is in proportion to.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Known {
    regrets: Vec<f32>,
    sums: Vec<f32>,
}

impl Known {
    fn new(len: usize) -> Known {
        Known {
            regrets: vec![0.0; len],
            sums: vec![0.0; len],
        }
    }

    /// The numbers that strategies are in proportion to: regrets while learning, sums of the
    /// average for a response.
    fn source(&self, pass: &Pass) -> &[f32] {
        match pass.learns() {
            true => &self.regrets,
            false => &self.sums,
        }
    }

    /// Adds one iteration for decision `at`: its gain over the hand's value, and `part`, the hand's
    /// own reach times the probability of the decision.
    fn learn(&mut self, at: usize, gain: f32, part: f32, pass: &Pass) {
        if let Pass::Learn { keep, weight } = pass {
            // Discount, add, floor at 0: a decision that starts to pay comes back at once.
            let regret = &mut self.regrets[at];
            *regret = (*regret * keep + gain).max(0.0);
            self.sums[at] += weight * part;
        }
    }
}

/// The choice of a player that may play one of its cards or offer a challenge, for all its hands.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Choice {
    /// The number of cards of the hands that decide.
    size: usize,
    /// By the card's rank and the number of the set that is kept: `rank * sets + kept`. The hand
    /// that decides is the kept set with the card.
    plays: Known,
    /// By the number of the set.
    offers: Known,
    /// By the number of the set, the rank that was best in the last walk that responded, or
    /// [`OFFER`].
    #[serde(skip)]
    best: Vec<u8>,
}

/// Stands for an offer where a rank is expected.
pub(super) const OFFER: u8 = u8::MAX;

/// The probabilities of all sets' choices at one public state.
pub(super) struct Chosen {
    /// By the card's rank and the number of the kept set.
    pub plays: Vec<f32>,
    /// By the number of the set.
    pub offers: Vec<f32>,
}

impl Choice {
    /// All regrets and sums are 0.
    pub fn new(sets: &Sets, size: usize) -> Choice {
        Choice {
            size,
            plays: Known::new(RANKS * sets.all(size - 1).len()),
            offers: Known::new(sets.all(size).len()),
            best: Vec::new(),
        }
    }

    /// The strategies of all sets, by regret matching or by the averages.
    pub fn chosen(&self, sets: &Sets, pass: &Pass) -> Chosen {
        // Lists by rank, then by kept set.
        let kept = sets.all(self.size - 1).len();
        let (plays, offers) = (self.plays.source(pass), self.offers.source(pass));
        // For each hand, the sum of what is positive. Loops run over the kept sets of one rank,
        // which lie side by side; `plus` leads to the hand.
        let mut sums: Vec<f32> = offers.iter().map(|offer| offer.max(0.0)).collect();
        for rank in 0..RANKS {
            let plays = &plays[rank * kept..][..kept];
            for (&play, &set) in plays.iter().zip(sets.plus(self.size - 1, rank)) {
                sums[usize::from(set)] += play.max(0.0);
            }
        }
        // `1 / sum`, or 0 where nothing is positive: divide once for each hand, not for each
        // decision.
        let scales: Vec<f32> = sums
            .iter()
            .map(|&sum| {
                // The inverse of a denormal number overflows; such sums count as 0.
                if sum > f32::MIN_POSITIVE {
                    1.0 / sum
                } else {
                    0.0
                }
            })
            .collect();
        // Without positive numbers all decisions are equally likely: each different card and the
        // offer.
        let even: Vec<f32> = sets
            .all(self.size)
            .iter()
            .zip(&scales)
            .map(|(cards, &scale)| match scale > 0.0 {
                true => 0.0,
                false => 1.0 / (cards.ranks().count() + 1) as f32,
            })
            .collect();
        let mut chosen = vec![0.0; RANKS * kept];
        for rank in 0..RANKS {
            let plays = &plays[rank * kept..][..kept];
            let to = &mut chosen[rank * kept..][..kept];
            for ((to, &play), &set) in to.iter_mut().zip(plays).zip(sets.plus(self.size - 1, rank))
            {
                let set = usize::from(set);
                // One of the two terms is 0.
                *to = play.max(0.0) * scales[set] + even[set];
            }
        }
        let offers = offers.iter().enumerate();
        Chosen {
            plays: chosen,
            offers: offers
                .map(|(set, offer)| offer.max(0.0) * scales[set] + even[set])
                .collect(),
        }
    }

    /// The values of all sets, from the values of their plays and offers and the own `reach`. It also updates
    /// regrets and sums, or remembers each set's best decision, as `pass` says.
    pub fn decide(
        &mut self,
        sets: &Sets,
        chosen: &Chosen,
        (plays, offers): (&[f32], &[f32]),
        reach: &[f32],
        pass: &Pass,
    ) -> Vec<f32> {
        let kept = sets.all(self.size - 1).len();
        if let Pass::Respond = pass {
            // Response: the maximum over the decisions, by hand.
            let mut values = offers.to_vec();
            // The offer is the first candidate; a card replaces it only if its value is greater.
            self.best = vec![OFFER; values.len()];
            for rank in 0..RANKS {
                let plays = &plays[rank * kept..][..kept];
                for (&play, &set) in plays.iter().zip(sets.plus(self.size - 1, rank)) {
                    let value = &mut values[usize::from(set)];
                    if play > *value {
                        *value = play;
                        self.best[usize::from(set)] = rank as u8;
                    }
                }
            }
            return values;
        }
        // Learning: the value of a hand is the mean of its decisions' values by its strategy.
        let mut values = product(offers, &chosen.offers);
        for rank in 0..RANKS {
            let range = rank * kept..(rank + 1) * kept;
            // A rank and a kept set are one decision of one hand, so the loop meets each decision
            // once.
            let both = plays[range.clone()].iter().zip(&chosen.plays[range]);
            for ((play, part), &set) in both.zip(sets.plus(self.size - 1, rank)) {
                values[usize::from(set)] += play * part;
            }
        }
        for rank in 0..RANKS {
            // Regrets need the value of the hand, so they follow in a second pass.
            for (hand, &set) in sets.plus(self.size - 1, rank).iter().enumerate() {
                let (at, set) = (rank * kept + hand, usize::from(set));
                self.plays.learn(
                    at,
                    plays[at] - values[set],
                    reach[set] * chosen.plays[at],
                    pass,
                );
            }
        }
        // The offer learns like a card.
        for set in 0..values.len() {
            self.offers.learn(
                set,
                offers[set] - values[set],
                reach[set] * chosen.offers[set],
                pass,
            );
        }
        values
    }

    /// The best decision of a set in the last walk that responded: a rank, or [`OFFER`].
    pub fn best(&self, own: Cards) -> u8 {
        self.best[Sets::number(own)]
    }

    /// The average weight of each rank and of an offer for one set.
    pub fn weights(&self, sets: &Sets, own: Cards) -> ([f32; RANKS], f32) {
        let kept = sets.count(self.size - 1);
        let mut plays = [0.0; RANKS];
        for card in own.ranks() {
            let rest = Sets::number(own.without(card).unwrap_or_default());
            plays[rank(card)] = self.plays.sums[rank(card) * kept + rest];
        }
        (plays, self.offers.sums[Sets::number(own)])
    }

    /// The average probability of each rank and of an offer for one set; all equal if the set was
    /// never reached.
    pub fn average(&self, sets: &Sets, own: Cards) -> ([f32; RANKS], f32) {
        // A hand that was never reached has no weights and plays uniformly.
        let (mut plays, offer) = self.weights(sets, own);
        let sum: f32 = plays.iter().sum::<f32>() + offer;
        if sum > f32::MIN_POSITIVE {
            return (plays.map(|play| play / sum), offer / sum);
        }
        let even = 1.0 / (own.ranks().count() + 1) as f32;
        for card in own.ranks() {
            plays[rank(card)] = even;
        }
        (plays, even)
    }

    /// Sets the average of one set.
    pub fn set_average(&mut self, sets: &Sets, own: Cards, plays: &[f32; RANKS], offer: f32) {
        let kept = sets.count(self.size - 1);
        for card in own.ranks() {
            let rest = Sets::number(own.without(card).unwrap_or_default());
            self.plays.sums[rank(card) * kept + rest] = plays[rank(card)];
        }
        self.offers.sums[Sets::number(own)] = offer;
    }
}

/// The answers to an offer, by the number of the set.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Answer {
    accept: Known,
    reject: Known,
}

impl Answer {
    /// All regrets and sums are 0.
    pub fn new(sets: &Sets, size: usize) -> Answer {
        let len = sets.all(size).len();
        Answer {
            accept: Known::new(len),
            reject: Known::new(len),
        }
    }

    /// The probability of accepting.
    pub fn chosen(&self, pass: &Pass) -> Vec<f32> {
        let both = self
            .accept
            .source(pass)
            .iter()
            .zip(self.reject.source(pass));
        both.map(|(&accept, &reject)| share(accept, reject))
            .collect()
    }

    /// The values of all sets, from the values of accepting and rejecting and the own `reach`. It also updates
    /// regrets and sums if `pass` learns.
    pub fn decide(
        &mut self,
        chosen: &[f32],
        [accepted, rejected]: [&[f32]; 2],
        reach: &[f32],
        pass: &Pass,
    ) -> Vec<f32> {
        let both = accepted.iter().zip(rejected);
        if let Pass::Respond = pass {
            // Response: the better answer for each hand.
            return both.map(|(a, b)| a.max(*b)).collect();
        }
        let values: Vec<f32> = both
            .zip(chosen)
            // `p a + (1 − p) r`.
            .map(|((a, r), p)| r + p * (a - r))
            .collect();
        for set in 0..values.len() {
            // The gains over the mean are `(1 − p)(a − r)` for accepting and `−p (a − r)` for
            // rejecting.
            let p = chosen[set];
            self.accept
                .learn(set, accepted[set] - values[set], reach[set] * p, pass);
            self.reject.learn(
                set,
                rejected[set] - values[set],
                reach[set] * (1.0 - p),
                pass,
            );
        }
        values
    }

    /// The average weights of accepting and rejecting for one set.
    pub fn weights(&self, own: Cards) -> [f32; 2] {
        let set = Sets::number(own);
        [self.accept.sums[set], self.reject.sums[set]]
    }

    /// Sets the average probability of accepting of one set.
    pub fn set_average(&mut self, own: Cards, accept: f32) {
        let set = Sets::number(own);
        (self.accept.sums[set], self.reject.sums[set]) = (accept, 1.0 - accept);
    }
}

/// `first / (first + second)`, negatives taken as 0; 1/2 if both are 0.
fn share(first: f32, second: f32) -> f32 {
    let (first, second) = (first.max(0.0), second.max(0.0));
    let sum = first + second;
    if sum > f32::MIN_POSITIVE {
        first / sum
    } else {
        0.5
    }
}
