//! The last two tricks after an accepted challenge: which card to lead, and with which to follow. The last
//! trick leaves no choice.

use super::lanes::{
    IDENTITY, Matrix, NOTHING, Row, WIDE, add, column, is_nothing, row, sum, times,
};
use super::pair::{PairChoice, PairStrategy};
use super::removal::{two_against_two, without};
use super::step::Pass;
use super::terms::{Payoffs, by_tricks, seen_by};
use crate::rules::{RANKS, Seat};
use engine::simd::{self, Work};

/// What a walk needs to know everywhere.
#[derive(Clone, Copy)]
pub(super) struct Walk<'a> {
    pub payoffs: &'a Payoffs,
    /// The player it is about.
    pub learner: Seat,
    pub pass: Pass,
    /// Whether it is to be given up.
    pub stop: Option<&'a Stop<'a>>,
}

/// Says whether something is to be given up.
pub(super) type Stop<'a> = dyn Fn() -> bool + Sync + 'a;

impl Walk<'_> {
    /// Whether it is to be given up; asked every two milliseconds or so.
    pub fn is_stopped(&self) -> bool {
        self.stop.is_some_and(|stop| stop())
    }
}

/// Where two tricks are left and one is about to be led.
#[derive(Clone, Copy, Debug)]
pub(super) struct Situation {
    /// Cards of each rank that nobody has played.
    pub left: Row,
    /// Tricks player 0 is ahead.
    pub ahead: i8,
    pub lead: Seat,
}

impl Situation {
    fn leader_ahead(&self) -> i8 {
        seen_by(self.lead, self.ahead)
    }
}

/// What is known of the decisions there.
#[derive(Clone, Debug)]
pub(super) struct Accepted {
    pub lead: PairChoice,
    /// By the card that was led.
    pub follow: Vec<PairChoice>,
}

/// What is known of the decisions of two tricks.
pub(super) trait TwoCards: Sized {
    /// The values of the learner's hands. `reach` is by player.
    fn visit(&mut self, walk: &Walk, at: &Situation, reach: [&Matrix; 2]) -> Matrix {
        simd::run(Visit {
            tables: self,
            walk,
            at,
            reach,
        })
    }

    /// The same, where it is a part of such a walk.
    fn values(&mut self, walk: &Walk, at: &Situation, reach: [&Matrix; 2]) -> Matrix;
}

/// A walk over two tricks.
struct Visit<'a, T> {
    tables: &'a mut T,
    walk: &'a Walk<'a>,
    at: &'a Situation,
    reach: [&'a Matrix; 2],
}

impl<T: TwoCards> Work for Visit<'_, T> {
    type Output = Matrix;

    #[inline(always)]
    fn run(self) -> Matrix {
        self.tables.values(self.walk, self.at, self.reach)
    }
}

impl Accepted {
    /// Before the first iteration.
    pub fn new() -> Accepted {
        Accepted {
            lead: PairChoice::new(false),
            follow: vec![PairChoice::new(false); RANKS],
        }
    }
}

impl TwoCards for Accepted {
    #[inline(always)]
    fn values(&mut self, walk: &Walk, at: &Situation, reach: [&Matrix; 2]) -> Matrix {
        if reach.iter().all(|reach| is_nothing(reach)) {
            return NOTHING;
        }
        let lead = at.lead;
        if at.leader_ahead().abs() > 2 {
            let payoffs = &walk.payoffs.of(walk.learner).challenged;
            let payoff = by_tricks(payoffs, seen_by(walk.learner, at.ahead));
            return two_against_two(&at.left, reach[1 - walk.learner], payoff);
        }
        let chosen = self.lead.strategy(&walk.pass);
        let led = times(&chosen.plays, reach[lead]);
        let mut values = NOTHING;
        for card in 0..RANKS {
            let left = at.left[card];
            let one = column(&led, card);
            let followed = Followed {
                at,
                card,
                leader: &one,
                follower: reach[1 - lead],
            };
            let of_card = followed.values(&mut self.follow[card], walk);
            add(&mut values, left, &of_card);
        }
        if walk.learner != lead {
            return values;
        }
        self.lead
            .decide(&chosen, (&values, &NOTHING), reach[lead], &walk.pass)
    }
}

/// A card that was led in an accepted challenge, with the reach of what both hold.
pub(super) struct Followed<'a> {
    /// Before the card was led.
    pub at: &'a Situation,
    pub card: usize,
    /// By the leader's other card.
    pub leader: &'a Row,
    pub follower: &'a Matrix,
}

impl Followed<'_> {
    /// The values without the weight of the card that was led: if the learner leads, those of the cards it kept, in
    /// the column of the card; else those of its sets of two cards.
    #[inline(always)]
    pub fn values(&self, follow: &mut PairChoice, walk: &Walk) -> Matrix {
        let left = without(&self.at.left, self.card);
        let chosen = follow.strategy(&walk.pass);
        if walk.learner == self.at.lead {
            let mut plays = NOTHING;
            let values = self.leader_values(walk, &left, &chosen);
            for (to, value) in plays.iter_mut().zip(values) {
                to[self.card] = value;
            }
            return plays;
        }
        let plays = self.follower_values(walk, &left);
        follow.decide(&chosen, (&plays, &NOTHING), self.follower, &walk.pass)
    }

    /// The leader's payoffs by what is followed with, where its other card loses, ties and wins.
    #[inline(always)]
    fn payoffs(&self, walk: &Walk, seat: Seat) -> [Row; 3] {
        let terms = walk.payoffs.of(seat);
        let mut payoffs = [[0.0; WIDE]; 3];
        for (last, payoffs) in (-1..).zip(&mut payoffs) {
            let of = |result: i8| {
                let ahead = self.at.leader_ahead() + result + last;
                let ahead = if seat == self.at.lead { ahead } else { -ahead };
                by_tricks(&terms.challenged, ahead)
            };
            let (lower, equal, higher) = (of(-1), of(0), of(1));
            let (beaten, same) = (&BEATEN[self.card], &IDENTITY[self.card]);
            for (x, payoff) in payoffs.iter_mut().enumerate() {
                // One of the three is 1, the others are 0.
                let loses = 1.0 - beaten[x] - same[x];
                *payoff = lower * loses + equal * same[x] + higher * beaten[x];
            }
        }
        payoffs
    }

    #[inline(always)]
    fn leader_values(&self, walk: &Walk, left: &Row, chosen: &PairStrategy) -> Row {
        let [lower, equal, higher] = self.payoffs(walk, self.at.lead);
        let weighted = |kept: usize| -> Row {
            let (reach, chosen) = (&self.follower[kept], &chosen.plays[kept]);
            row(|x| reach[x] * chosen[x] * left[x])
        };
        let mut all = [0.0; WIDE];
        for kept in 0..RANKS {
            let weights = weighted(kept);
            for (x, all) in all.iter_mut().enumerate() {
                *all += weights[x] * others(left, kept, x);
            }
        }
        let mut below: Row = [0.0; WIDE];
        let mut values: Row = [0.0; WIDE];
        for (own, value) in values.iter_mut().enumerate().take(RANKS) {
            let weights = weighted(own);
            let mut parts: Row = [0.0; WIDE];
            for x in 0..WIDE {
                let count = others(left, own, x);
                let here = weights[x] * count;
                let same = weights[x] * (count - 1.0).max(0.0);
                let above = all[x] - below[x] - here;
                parts[x] = count * (higher[x] * below[x] + equal[x] * same + lower[x] * above);
                below[x] += here;
            }
            *value = sum(&parts);
        }
        values
    }

    #[inline(always)]
    fn follower_values(&self, walk: &Walk, left: &Row) -> Matrix {
        // From the leader's side, so that a higher card of its own is a loss.
        let [lower, equal, higher] = self.payoffs(walk, 1 - self.at.lead);
        let mut all: Row = [0.0; WIDE];
        for (own, &reach) in self.leader.iter().enumerate().take(RANKS) {
            for (x, all) in all.iter_mut().enumerate() {
                *all += reach * others(left, own, x);
            }
        }
        let mut below: Row = [0.0; WIDE];
        let mut values = NOTHING;
        for (kept, values) in values.iter_mut().enumerate() {
            let reach = self.leader[kept];
            for x in 0..WIDE {
                let count = others(left, kept, x);
                let here = reach * count;
                let same = reach * (count - 1.0).max(0.0);
                let above = all[x] - below[x] - here;
                values[x] =
                    left[x] * count * (lower[x] * below[x] + equal[x] * same + higher[x] * above);
                below[x] += here;
            }
        }
        values
    }
}

/// Ones where the row's card beats the column's.
const BEATEN: Matrix = {
    let mut beaten = NOTHING;
    let mut card = 0;
    while card < RANKS {
        let mut lower = 0;
        while lower < card {
            beaten[card][lower] = 1.0;
            lower += 1;
        }
        card += 1;
    }
    beaten
};

/// How many cards are left of a rank after another one was played.
#[inline(always)]
fn others(left: &Row, rank: usize, played: usize) -> f32 {
    (left[rank] - IDENTITY[rank][played]).max(0.0)
}
