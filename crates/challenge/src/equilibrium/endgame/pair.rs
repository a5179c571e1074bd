//! Decisions of a player who holds two cards: which to play, or to offer a challenge.

use super::lanes::{Matrix, NOTHING, matrix, other_way};
use super::step::Pass;

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

impl PairChoice {
    /// Before the first iteration.
    pub fn new(offers: bool) -> PairChoice {
        PairChoice {
            plays: [NOTHING; 2],
            offers: offers.then(|| Box::new([NOTHING; 2])),
        }
    }

    /// How they decide.
    #[inline(always)]
    pub fn strategy(&self, pass: &Pass) -> PairStrategy {
        let source = usize::from(!pass.learns());
        let known = |from: &Matrix| matrix(|y, x| from[y][x].max(0.0));
        let plays = known(&self.plays[source]);
        let others = other_way(&plays);
        match &self.offers {
            Some(offers) => {
                let offers = known(&offers[source]);
                let scale = matrix(|y, x| {
                    let sum = plays[y][x] + others[y][x] + offers[y][x];
                    if sum > f32::MIN_POSITIVE {
                        1.0 / sum
                    } else {
                        0.0
                    }
                });
                let even = |y, x| even(y, x, 1.0, scale[y][x]);
                PairStrategy {
                    plays: matrix(|y, x| plays[y][x] * scale[y][x] + even(y, x)),
                    offers: matrix(|y, x| offers[y][x] * scale[y][x] + even(y, x)),
                }
            }
            None => PairStrategy {
                plays: matrix(|y, x| {
                    let sum = plays[y][x] + others[y][x];
                    let scale = if sum > f32::MIN_POSITIVE {
                        1.0 / sum
                    } else {
                        0.0
                    };
                    plays[y][x] * scale + even(y, x, 0.0, scale)
                }),
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
            let others = turned(plays);
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
            let learn = |[regrets, sums]: &mut [Matrix; 2], chosen: &Matrix, worth: &Matrix| {
                for y in 0..value.len() {
                    for x in 0..value[y].len() {
                        regrets[y][x] = step.regret(regrets[y][x], worth[y][x] - value[y][x]);
                        sums[y][x] += step.weight * reach[y][x] * chosen[y][x];
                    }
                }
            };
            learn(&mut self.plays, &chosen.plays, plays);
            if let Some(known) = &mut self.offers {
                learn(known, &chosen.offers, offers);
            }
        }
        value
    }
}

/// The probability of each way where nothing is known: equal cards are one way to play.
#[inline(always)]
fn even(y: usize, x: usize, offers: f32, scale: f32) -> f32 {
    let ways = if y == x { 1.0 } else { 2.0 };
    if scale > 0.0 {
        0.0
    } else {
        1.0 / (ways + offers)
    }
}

/// Rows and columns changed round.
#[inline(always)]
fn turned(from: &Matrix) -> Matrix {
    let mut turned = other_way(from);
    for (place, row) in turned.iter_mut().enumerate() {
        row[place] = from[place][place];
    }
    turned
}
