//! Decisions of a player who holds three cards: which to play, or to offer a challenge. The same as with
//! [two](super::pair), by the numbers of sets of cards.

use super::super::HandTables;
use super::lanes::{Matrix, NOTHING};
use super::step::Pass;
use crate::rules::{Card, RANKS};

/// Sets of three cards.
pub(super) const TRIPLES: usize = 455;
/// Sets of two cards.
pub(super) const PAIRS: usize = 91;

/// A number for each set of three cards.
pub(super) type Triples = Vec<f32>;

/// A number for each way to play one of three cards: for each card that is played one for each set of two that
/// is kept.
pub(super) type Plays = Vec<[f32; PAIRS]>;

/// Numbers of sets of cards.
pub(super) struct Sets {
    pub tables: HandTables,
    /// For each card and each set of two the set of three.
    plus: Vec<[u16; PAIRS]>,
    /// The ranks of each set of two, ascending.
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

    /// Numbers by sets of two cards as a matrix.
    pub fn matrix(&self, pairs: &[f32; PAIRS]) -> Matrix {
        let mut matrix = NOTHING;
        for (&[low, high], &number) in self.ranks.iter().zip(pairs) {
            matrix[usize::from(low)][usize::from(high)] = number;
            matrix[usize::from(high)][usize::from(low)] = number;
        }
        matrix
    }

    /// Adds the numbers of a matrix times a factor.
    pub fn add(&self, to: &mut [f32; PAIRS], factor: f32, from: &Matrix) {
        for (&[low, high], number) in self.ranks.iter().zip(to) {
            *number += factor * from[usize::from(low)][usize::from(high)];
        }
    }

    /// For each way to play a card the number of the set of three.
    fn each(&self) -> impl Iterator<Item = (usize, usize, usize)> {
        let plus = self.plus.iter().enumerate();
        plus.flat_map(|(card, sets)| {
            let sets = sets.iter().enumerate();
            sets.map(move |(pair, &set)| (card, pair, usize::from(set)))
        })
    }
}

/// What is known of the decisions of all sets of three cards in one place.
#[derive(Clone, Debug)]
pub(super) struct TripleChoice {
    plays: [Plays; 2],
    /// None where a challenge was accepted.
    offers: Option<[Triples; 2]>,
}

/// How all sets of three cards decide in one place.
pub(super) struct TripleStrategy {
    pub plays: Plays,
    pub offers: Triples,
}

impl TripleChoice {
    /// Before the first iteration.
    pub fn new(offers: bool) -> TripleChoice {
        let plays = || vec![[0.0; PAIRS]; RANKS];
        TripleChoice {
            plays: [plays(), plays()],
            offers: offers.then(|| [vec![0.0; TRIPLES], vec![0.0; TRIPLES]]),
        }
    }

    pub fn strategy(&self, sets: &Sets, pass: &Pass) -> TripleStrategy {
        let source = usize::from(!pass.learns());
        let plays = &self.plays[source];
        let (mut sums, mut ways) = (vec![0.0; TRIPLES], vec![0.0; TRIPLES]);
        for (card, pair, set) in sets.each() {
            sums[set] += plays[card][pair].max(0.0);
            ways[set] += 1.0;
        }
        let mut offers = vec![0.0; TRIPLES];
        if let Some(known) = &self.offers {
            for (set, known) in known[source].iter().enumerate() {
                offers[set] = known.max(0.0);
                sums[set] += offers[set];
                ways[set] += 1.0;
            }
        }
        let known = |sum: f32| sum > f32::MIN_POSITIVE;
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

    /// The values of all sets whose plays and offers are worth so much, where the player comes with `reach`.
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
            values = match self.offers {
                Some(_) => offers.clone(),
                None => vec![f32::MIN; TRIPLES],
            };
            for (card, pair, set) in sets.each() {
                values[set] = values[set].max(plays[card][pair]);
            }
            return values;
        }
        values = vec![0.0; TRIPLES];
        for (card, pair, set) in sets.each() {
            values[set] += chosen.plays[card][pair] * plays[card][pair];
        }
        if self.offers.is_some() {
            for (set, value) in values.iter_mut().enumerate() {
                *value += chosen.offers[set] * offers[set];
            }
        }
        let Pass::Learn(step) = pass else {
            return values;
        };
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
    /// The reach of what is kept after each card, from that of all sets.
    pub fn played(&self, sets: &Sets, reach: &Triples) -> Plays {
        let mut kept = self.plays.clone();
        for (card, pair, set) in sets.each() {
            kept[card][pair] *= reach[set];
        }
        kept
    }

    /// The reach of sets that offer.
    pub fn offering(&self, reach: &Triples) -> Triples {
        let both = self.offers.iter().zip(reach);
        both.map(|(offer, reach)| offer * reach).collect()
    }
}
