//! The last two tricks after an accepted challenge: which card to lead, and with which to follow. The last trick
//! leaves no choice.
//!
//! So the leader's hand is the card that it leads and the card that it keeps. The follower's hand is the card `x` that
//! it plays to the trick and the card that it keeps. The two kept cards meet in the last trick. For one card led the
//! payoff depends on `x` (through the first trick's result) and on which kept card is higher. For example, the leader
//! is level, leads a 9 and keeps a 5. Against a 4 and a kept 8 it wins the first trick and loses the second: a tie.
//! Against a 4 and a kept 5 it wins the hand.
//!
//! All cards `x` are computed side by side, one in each column. Prefix sums over the ranks of the kept cards replace
//! their 13 × 13 pairs, as in the module `last`.

use super::lanes::{
    IDENTITY, Matrix, NOTHING, Row, WIDE, add, column, is_nothing, row, sum, times,
};
use super::pair::{PairChoice, PairStrategy};
use super::removal::{two_against_two, without};
use super::step::Pass;
use super::terms::{Payoffs, by_tricks, seen_by};
use crate::rules::{RANKS, Seat};
use engine::simd::{self, Work};

/// The settings of a walk over an endgame.
#[derive(Clone, Copy)]
pub(super) struct Walk<'a> {
    pub payoffs: &'a Payoffs,
    /// The player whose hands are valued, and whose tables change.
    pub learner: Seat,
    pub pass: Pass,
    /// Asked now and then; true gives the walk up.
    pub stop: Option<&'a Stop<'a>>,
}

/// A function that says whether a walk is to be given up. It is asked from several threads.
pub(super) type Stop<'a> = dyn Fn() -> bool + Sync + 'a;

impl Walk<'_> {
    /// Whether the walk is to be given up. Walks ask every two milliseconds or so.
    pub fn is_stopped(&self) -> bool {
        self.stop.is_some_and(|stop| stop())
    }
}

/// The public state where a trick is about to be led.
#[derive(Clone, Copy, Debug)]
pub(super) struct Situation {
    /// How many cards of each rank nobody has played.
    pub left: Row,
    /// How many tricks player 0 is ahead.
    pub ahead: i8,
    pub lead: Seat,
}

impl Situation {
    /// How many tricks the leader is ahead.
    fn leader_ahead(&self) -> i8 {
        seen_by(self.lead, self.ahead)
    }
}

/// Regrets and cumulative strategies of two tricks in an accepted challenge.
#[derive(Clone, Debug)]
pub(super) struct Accepted {
    pub lead: PairChoice,
    /// Indexed by the card that was led.
    pub follow: Vec<PairChoice>,
}

/// Tables of two tricks, with or without a challenge.
pub(super) trait TwoCards: Sized {
    /// The counterfactual values of the learner's hands. `reach` is indexed by player. The walk runs with the best
    /// vector instructions of the machine.
    fn visit(&mut self, walk: &Walk, at: &Situation, reach: [&Matrix; 2]) -> Matrix {
        simd::run(Visit {
            tables: self,
            walk,
            at,
            reach,
        })
    }

    /// The same inside such a walk, so that it is inlined and compiled for the same instructions.
    fn values(&mut self, walk: &Walk, at: &Situation, reach: [&Matrix; 2]) -> Matrix;
}

/// A walk over two tricks, as work to be compiled for the best instructions.
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
    /// Tables before the first iteration: all zeros, so that strategies are uniform.
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
        // Neither player comes here: all values are 0, and there is nothing to learn.
        if reach.iter().all(|reach| is_nothing(reach)) {
            return NOTHING;
        }
        let lead = at.lead;
        // Three tricks ahead with two to go: the hand is decided, all pairs of hands have one payoff.
        if at.leader_ahead().abs() > 2 {
            let payoffs = &walk.payoffs.of(walk.learner).challenged;
            let payoff = by_tricks(payoffs, seen_by(walk.learner, at.ahead));
            return two_against_two(&at.left, reach[1 - walk.learner], payoff);
        }
        let chosen = self.lead.strategy(&walk.pass);
        // The leader's reach by the card kept (row) and led (column).
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
            // The card led can be any of the `left` cards of its rank. All later counts are without it.
            add(&mut values, left, &of_card);
        }
        // A follower's values add up over the cards led; a leader chooses between them.
        if walk.learner != lead {
            return values;
        }
        self.lead
            .decide(&chosen, (&values, &NOTHING), reach[lead], &walk.pass)
    }
}

/// A card that was led in an accepted challenge, with the reach of both players' hands.
pub(super) struct Followed<'a> {
    /// The state before the card was led.
    pub at: &'a Situation,
    pub card: usize,
    /// The leader's reach, indexed by the card it kept.
    pub leader: &'a Row,
    pub follower: &'a Matrix,
}

impl Followed<'_> {
    /// The values, without the factor for the ways to have drawn the card that was led. If the learner leads: the
    /// values of the cards it kept, in the column of the card led. Else: the values of its hands of two cards.
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

    /// The payoffs of `seat` where the leader's kept card is lower, equal, higher than the follower's; each indexed
    /// by the card that followed in the trick before.
    #[inline(always)]
    fn payoffs(&self, walk: &Walk, seat: Seat) -> [Row; 3] {
        let terms = walk.payoffs.of(seat);
        let mut payoffs = [[0.0; WIDE]; 3];
        for (last, payoffs) in (-1..).zip(&mut payoffs) {
            // The score at the end: tricks before, this trick's `result`, and the last trick, all from the leader's
            // side.
            let of = |result: i8| {
                let ahead = self.at.leader_ahead() + result + last;
                let ahead = if seat == self.at.lead { ahead } else { -ahead };
                by_tricks(&terms.challenged, ahead)
            };
            let (lower, equal, higher) = (of(-1), of(0), of(1));
            let (beaten, same) = (&BEATEN[self.card], &IDENTITY[self.card]);
            for (x, payoff) in payoffs.iter_mut().enumerate() {
                // `beaten`, `same` and `loses` are 1 for one of them and 0 for the others: a choice without a
                // branch.
                let loses = 1.0 - beaten[x] - same[x];
                *payoff = lower * loses + equal * same[x] + higher * beaten[x];
            }
        }
        payoffs
    }

    /// The values of the leader's kept cards: over the follower's hands (`kept`, `x`), weighed by its strategy.
    #[inline(always)]
    fn leader_values(&self, walk: &Walk, left: &Row, chosen: &PairStrategy) -> Row {
        let [lower, equal, higher] = self.payoffs(walk, self.at.lead);
        // The follower's reach of keeping `kept` and playing `x`, times the ways to have drawn `x`.
        let weighted = |kept: usize| -> Row {
            let (reach, chosen) = (&self.follower[kept], &chosen.plays[kept]);
            row(|x| reach[x] * chosen[x] * left[x])
        };
        // For each `x`, the weight of all hands of the follower, before the leader's kept card is taken from the
        // counts.
        let mut all = [0.0; WIDE];
        for kept in 0..RANKS {
            let weights = weighted(kept);
            for (x, all) in all.iter_mut().enumerate() {
                *all += weights[x] * others(left, kept, x);
            }
        }
        // For each `x`, the weight of the hands whose kept card is lower than `own`: the prefix sum.
        let mut below: Row = [0.0; WIDE];
        let mut values: Row = [0.0; WIDE];
        for (own, value) in values.iter_mut().enumerate().take(RANKS) {
            // An equal kept card has one fewer copy left, since the leader holds one (`same`); other ranks keep
            // their counts. The factor `count` is for the ways to have drawn the leader's kept card, after `x` was
            // played.
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

    /// The values of the follower's hands by the card it keeps (row) and plays (column): over the leader's kept
    /// cards.
    #[inline(always)]
    fn follower_values(&self, walk: &Walk, left: &Row) -> Matrix {
        // Indexed by the leader's kept card: the follower's payoff where that card is lower, equal, higher.
        let [lower, equal, higher] = self.payoffs(walk, 1 - self.at.lead);
        // The weight of the leader's kept cards, after `x` has taken one card from the counts.
        let mut all: Row = [0.0; WIDE];
        for (own, &reach) in self.leader.iter().enumerate().take(RANKS) {
            for (x, all) in all.iter_mut().enumerate() {
                *all += reach * others(left, own, x);
            }
        }
        // The prefix sum over the leader's kept cards below `kept`.
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

/// A matrix with ones where the row's rank is higher than the column's.
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

/// How many cards of `rank` are left after one of rank `played` was played.
#[inline(always)]
fn others(left: &Row, rank: usize, played: usize) -> f32 {
    (left[rank] - IDENTITY[rank][played]).max(0.0)
}
