//! Decisions of a player who holds two cards: which to play, or to offer a challenge.

use super::lanes::{Matrix, NOTHING, diagonal, matrix, other_way, share, transposed};
use super::step::{Pass, Step};

/// What is known of the decisions of all sets of two cards in one place.
#[derive(Clone, Debug)]
pub(super) struct PairChoice {
    plays: [Matrix; 2],
    /// Regrets and sums of offers, each set twice; none where a challenge was accepted.
    offers: Option<Box<[Matrix; 2]>>,
}

/// How all sets of two cards decide in one place.
pub(super) struct PairStrategy {
    /// The probability of playing the column's card and keeping the row's.
    pub plays: Matrix,
    /// The probability of an offer with these two cards.
    pub offers: Matrix,
}

impl PairStrategy {
    pub const NONE: PairStrategy = PairStrategy {
        plays: NOTHING,
        offers: NOTHING,
    };
}

impl PairChoice {
    /// Before the first iteration.
    pub fn new(offers: bool) -> PairChoice {
        PairChoice {
            plays: [NOTHING; 2],
            offers: offers.then(|| Box::new([NOTHING; 2])),
        }
    }

    #[inline(always)]
    pub fn strategy(&self, pass: &Pass) -> PairStrategy {
        let source = usize::from(!pass.learns());
        let known = |from: &Matrix| matrix(|y, x| from[y][x].max(0.0));
        let plays = known(&self.plays[source]);
        let others = other_way(&plays);
        match &self.offers {
            Some(offers) => {
                let offers = known(&offers[source]);
                let sums = matrix(|y, x| plays[y][x] + others[y][x] + offers[y][x]);
                PairStrategy {
                    plays: shares(&plays, &sums, &EVEN_WITH_OFFER),
                    offers: shares(&offers, &sums, &EVEN_WITH_OFFER),
                }
            }
            None => PairStrategy {
                plays: shares(&plays, &matrix(|y, x| plays[y][x] + others[y][x]), &EVEN),
                offers: NOTHING,
            },
        }
    }

    /// The values of all sets whose plays and offers are worth so much, where the player comes with `reach`.
    #[inline(always)]
    pub fn decide(
        &mut self,
        chosen: &PairStrategy,
        (plays, offers): (&Matrix, &Matrix),
        reach: &Matrix,
        pass: &Pass,
    ) -> Matrix {
        let may_offer = self.offers.is_some();
        if let Pass::Respond = pass {
            let others = transposed(plays);
            return matrix(|y, x| {
                let best = plays[y][x].max(others[y][x]);
                if may_offer {
                    best.max(offers[y][x])
                } else {
                    best
                }
            });
        }
        let parts = matrix(|y, x| chosen.plays[y][x] * plays[y][x]);
        let others = other_way(&parts);
        let value = matrix(|y, x| parts[y][x] + others[y][x] + chosen.offers[y][x] * offers[y][x]);
        if let Pass::Learn(step) = pass {
            let learned = Learned {
                step,
                value: &value,
                reach,
            };
            learned.note(&mut self.plays, &chosen.plays, plays);
            if let Some(known) = &mut self.offers {
                learned.note(known, &chosen.offers, offers);
            }
        }
        value
    }
}

/// What an iteration has to say of decisions.
struct Learned<'a> {
    step: &'a Step,
    value: &'a Matrix,
    reach: &'a Matrix,
}

impl Learned<'_> {
    /// Adds it to the regrets and sums of some ways to decide that were chosen with these probabilities, and are worth so
    /// much.
    #[inline(always)]
    fn note(&self, [regrets, sums]: &mut [Matrix; 2], chosen: &Matrix, worth: &Matrix) {
        let Learned { step, value, reach } = self;
        for y in 0..value.len() {
            for x in 0..value[y].len() {
                regrets[y][x] = step.regret(regrets[y][x], worth[y][x] - value[y][x]);
                sums[y][x] += step.weight * reach[y][x] * chosen[y][x];
            }
        }
    }
}

/// The parts of sums, or others where there is nothing to be parted.
#[inline(always)]
fn shares(parts: &Matrix, sums: &Matrix, otherwise: &Matrix) -> Matrix {
    matrix(|y, x| share(parts[y][x], sums[y][x], otherwise[y][x]))
}

/// The probability of each way where nothing is known: equal cards are one way to play.
const EVEN: Matrix = diagonal(1.0, 1.0 / 2.0);
/// The same where a challenge can be offered, which is as likely.
const EVEN_WITH_OFFER: Matrix = diagonal(1.0 / 2.0, 1.0 / 3.0);
