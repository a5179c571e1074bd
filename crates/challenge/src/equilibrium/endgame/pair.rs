//! Decisions of a player who holds two cards: to play one of them, or to offer a challenge.
//!
//! All 91 hands decide at once, in matrices (see `lanes`): the way to keep `y` and play `x` is the square `[y][x]`,
//! and the offer of a hand stands at both of its squares. So a hand's actions are the square, the transposed square
//! (if the cards differ) and its offer.

use super::lanes::{Matrix, NOTHING, diagonal, matrix, other_way, share, transposed};
use super::step::{Pass, Step};

/// Regrets and cumulative strategies of all hands of two cards at one public state.
#[derive(Clone, Debug)]
pub(super) struct PairChoice {
    /// Regrets, then cumulative strategies, of the ways to play.
    plays: [Matrix; 2],
    /// The same of offers, each hand twice; none after an accepted challenge.
    offers: Option<Box<[Matrix; 2]>>,
}

/// The strategies of all hands of two cards at one public state.
pub(super) struct PairStrategy {
    /// The probability of playing the column's card and keeping the row's.
    pub plays: Matrix,
    /// The probability that a hand offers; the same at both of its squares.
    pub offers: Matrix,
}

impl PairStrategy {
    pub const NONE: PairStrategy = PairStrategy {
        plays: NOTHING,
        offers: NOTHING,
    };
}

impl PairChoice {
    /// Tables before the first iteration: all zeros, so that strategies are uniform. `offers` says whether a
    /// challenge can be offered.
    pub fn new(offers: bool) -> PairChoice {
        PairChoice {
            plays: [NOTHING; 2],
            offers: offers.then(|| Box::new([NOTHING; 2])),
        }
    }

    /// By regret matching while learning, else the average strategy: each action in proportion to its positive part.
    #[inline(always)]
    pub fn strategy(&self, pass: &Pass) -> PairStrategy {
        // Index 0 holds regrets, 1 cumulative strategies.
        let source = usize::from(!pass.learns());
        let known = |from: &Matrix| matrix(|y, x| from[y][x].max(0.0));
        let plays = known(&self.plays[source]);
        let others = other_way(&plays);
        match &self.offers {
            Some(offers) => {
                let offers = known(&offers[source]);
                // The sum over a hand's actions. `a + b` is the same as `b + a`, so both squares of a hand get the
                // same sum.
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

    /// The values of all hands, from the values of their plays and offers. `reach` is the player's own.
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
            // The better of the two ways and the offer. On the diagonal both ways are the same square, which does
            // no harm.
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
        // The strategy's value: each action's value times its probability. A pair of equal cards has one way to
        // play only, so `other_way` leaves its diagonal out.
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

/// The part of an update that all actions of a hand share.
struct Learned<'a> {
    step: &'a Step,
    value: &'a Matrix,
    reach: &'a Matrix,
}

impl Learned<'_> {
    /// Adds one iteration to `regrets` and `sums`: each action was chosen with probability `chosen` and has value
    /// `worth`.
    #[inline(always)]
    fn note(&self, [regrets, sums]: &mut [Matrix; 2], chosen: &Matrix, worth: &Matrix) {
        let Learned { step, value, reach } = self;
        // Every square of the matrix: for offers that updates both squares of a hand with the same numbers.
        for y in 0..value.len() {
            for x in 0..value[y].len() {
                regrets[y][x] = step.regret(regrets[y][x], worth[y][x] - value[y][x]);
                sums[y][x] += step.weight * reach[y][x] * chosen[y][x];
            }
        }
    }
}

/// `parts / sums`, element by element; `otherwise` where a sum is 0.
#[inline(always)]
fn shares(parts: &Matrix, sums: &Matrix, otherwise: &Matrix) -> Matrix {
    matrix(|y, x| share(parts[y][x], sums[y][x], otherwise[y][x]))
}

/// The uniform strategy without offers: 1/2 for each of two cards, 1 for a pair of equal cards, which is one way to
/// play.
const EVEN: Matrix = diagonal(1.0, 1.0 / 2.0);
/// The uniform strategy with offers: 1/3 for each of two cards and the offer, 1/2 for a pair and its offer.
const EVEN_WITH_OFFER: Matrix = diagonal(1.0 / 2.0, 1.0 / 3.0);
