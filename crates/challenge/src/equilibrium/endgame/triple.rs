//! Decisions of a player who holds three cards: to play one of them, or to offer a challenge.
//!
//! The decisions are those with [two](super::pair) cards, but hands are numbered
//! ([`Multisets`](super::super::Multisets)): there are 455 of three cards and 91 of two. A way to play is a card and
//! the pair that is kept, 13 · 91 = 1183 in all; card and pair together give the hand. So one loop over all ways,
//! which adds each to the entry of its hand, gives the sums of all hands.

use super::super::HandTables;
use super::lanes::{Matrix, NOTHING};
use super::step::Pass;
use crate::rules::{Card, RANKS};

/// How many hands of three cards there are.
pub(super) const TRIPLES: usize = 455;
/// How many hands of two cards there are.
pub(super) const PAIRS: usize = 91;

/// A number for each hand of three cards.
pub(super) type Triples = Vec<f32>;

/// A number for each way to play one of three cards: by the card that is played, then by the pair that is kept.
pub(super) type Plays = Vec<[f32; PAIRS]>;

/// Tables of how hands of two and three cards are numbered.
pub(super) struct Sets {
    pub tables: HandTables,
    /// By card, then by pair: the number of the hand of three that both make.
    plus: Vec<[u16; PAIRS]>,
    /// The indices of the ranks of each pair, ascending.
    ranks: [[u8; 2]; PAIRS],
}

impl Sets {
    pub fn new() -> Sets {
        let tables = HandTables::new();
        let mut ranks = [[0; 2]; PAIRS];
        for (ranks, cards) in ranks.iter_mut().zip(tables.all(2)) {
            for (to, card) in ranks.iter_mut().zip(cards.iter()) {
                *to = card.rank() - 1;
            }
        }
        let plus = Card::all().map(|card| {
            let mut sets = [0; PAIRS];
            sets.copy_from_slice(tables.plus(2, card));
            sets
        });
        Sets {
            plus: plus.collect(),
            ranks,
            tables,
        }
    }

    /// The matrix form of numbers by pairs; see `lanes`.
    pub fn matrix(&self, pairs: &[f32; PAIRS]) -> Matrix {
        let mut matrix = NOTHING;
        for (&[low, high], &number) in self.ranks.iter().zip(pairs) {
            // A pair of two ranks stands at both of its squares.
            matrix[usize::from(low)][usize::from(high)] = number;
            matrix[usize::from(high)][usize::from(low)] = number;
        }
        matrix
    }

    /// Adds `factor` times the numbers of a matrix, one square for each pair: both squares of a pair are the same.
    pub fn add(&self, to: &mut [f32; PAIRS], factor: f32, from: &Matrix) {
        for (&[low, high], number) in self.ranks.iter().zip(to) {
            *number += factor * from[usize::from(low)][usize::from(high)];
        }
    }

    /// All ways to play a card: the card, the number of the pair that is kept, the number of the hand.
    fn each(&self) -> impl Iterator<Item = (usize, usize, usize)> {
        let plus = self.plus.iter().enumerate();
        plus.flat_map(|(card, sets)| {
            let sets = sets.iter().enumerate();
            sets.map(move |(pair, &set)| (card, pair, usize::from(set)))
        })
    }
}

/// Regrets and cumulative strategies of all hands of three cards at one public state.
#[derive(Clone, Debug)]
pub(super) struct TripleChoice {
    /// Regrets, then cumulative strategies, of the ways to play.
    plays: [Plays; 2],
    /// The same of offers; none after an accepted challenge.
    offers: Option<[Triples; 2]>,
}

/// The strategies of all hands of three cards at one public state: probabilities.
pub(super) struct TripleStrategy {
    pub plays: Plays,
    pub offers: Triples,
}

impl TripleChoice {
    /// Tables before the first iteration: all zeros, so that strategies are uniform. `offers` says whether a
    /// challenge can be offered.
    pub fn new(offers: bool) -> TripleChoice {
        let plays = || vec![[0.0; PAIRS]; RANKS];
        TripleChoice {
            plays: [plays(), plays()],
            offers: offers.then(|| [vec![0.0; TRIPLES], vec![0.0; TRIPLES]]),
        }
    }

    /// By regret matching while learning, else the average strategy.
    pub fn strategy(&self, sets: &Sets, pass: &Pass) -> TripleStrategy {
        // Index 0 holds regrets, 1 cumulative strategies.
        let source = usize::from(!pass.learns());
        let plays = &self.plays[source];
        // For each hand, the sum of the positive parts of its actions, and how many actions it has. Equal cards are
        // one action: they leave the same pair.
        let (mut sums, mut ways) = (vec![0.0; TRIPLES], vec![0.0; TRIPLES]);
        // A hand of three different cards has three ways to play, one of three equal cards a single one.
        for (card, pair, set) in sets.each() {
            sums[set] += plays[card][pair].max(0.0);
            ways[set] += 1.0;
        }
        let mut offers = vec![0.0; TRIPLES];
        // The offer is one more action of each hand.
        if let Some(known) = &self.offers {
            for (set, known) in known[source].iter().enumerate() {
                offers[set] = known.max(0.0);
                sums[set] += offers[set];
                ways[set] += 1.0;
            }
        }
        // The same limit as in `lanes::share`: a sum below it counts as 0.
        let known = |sum: f32| sum > f32::MIN_POSITIVE;
        // Each action in proportion to its positive part; all equally likely where none is positive.
        let mut chosen = plays.clone();
        for (card, pair, set) in sets.each() {
            let part = &mut chosen[card][pair];
            *part = match known(sums[set]) {
                true => part.max(0.0) / sums[set],
                false => 1.0 / ways[set],
            };
        }
        if self.offers.is_some() {
            for (set, part) in offers.iter_mut().enumerate() {
                *part = match known(sums[set]) {
                    true => *part / sums[set],
                    false => 1.0 / ways[set],
                };
            }
        }
        TripleStrategy {
            plays: chosen,
            offers,
        }
    }

    /// The values of all hands, from the values of their plays and offers. `reach` is the player's own.
    pub fn decide(
        &mut self,
        sets: &Sets,
        chosen: &TripleStrategy,
        (plays, offers): (&Plays, &Triples),
        reach: &Triples,
        pass: &Pass,
    ) -> Triples {
        let mut values;
        if let Pass::Respond = pass {
            // A best response takes the best action. Without an offer the maximum starts below every play.
            values = match self.offers {
                Some(_) => offers.clone(),
                None => vec![f32::MIN; TRIPLES],
            };
            for (card, pair, set) in sets.each() {
                values[set] = values[set].max(plays[card][pair]);
            }
            return values;
        }
        // The strategy's value: each action's value times its probability.
        values = vec![0.0; TRIPLES];
        for (card, pair, set) in sets.each() {
            values[set] += chosen.plays[card][pair] * plays[card][pair];
        }
        if self.offers.is_some() {
            // The offer's part of the value.
            for (set, value) in values.iter_mut().enumerate() {
                *value += chosen.offers[set] * offers[set];
            }
        }
        let Pass::Learn(step) = pass else {
            return values;
        };
        // Regrets grow by an action's value minus the strategy's. The average weighs the strategy by the reach of the
        // player who decides.
        let [regrets, sums] = &mut self.plays;
        for (card, pair, set) in sets.each() {
            let regret = &mut regrets[card][pair];
            *regret = step.regret(*regret, plays[card][pair] - values[set]);
            sums[card][pair] += step.weight * reach[set] * chosen.plays[card][pair];
        }
        if let Some([regrets, sums]) = &mut self.offers {
            for set in 0..TRIPLES {
                regrets[set] = step.regret(regrets[set], offers[set] - values[set]);
                sums[set] += step.weight * reach[set] * chosen.offers[set];
            }
        }
        values
    }
}

impl TripleStrategy {
    /// The reach with each pair that is kept after each card, from the reach of all hands.
    pub fn played(&self, sets: &Sets, reach: &Triples) -> Plays {
        // A play leads to the pair that is kept, and its reach is that of the hand times the play's probability.
        let mut kept = self.plays.clone();
        for (card, pair, set) in sets.each() {
            kept[card][pair] *= reach[set];
        }
        kept
    }

    /// The reach of the hands that offer.
    pub fn offering(&self, reach: &Triples) -> Triples {
        let both = self.offers.iter().zip(reach);
        both.map(|(offer, reach)| offer * reach).collect()
    }
}
