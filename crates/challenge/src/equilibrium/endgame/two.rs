//! The last two tricks while a challenge can still be offered.
//!
//! The public tree begins with the leader's decision: an offer, which the other answers, or a card. After a card the
//! follower decides: an offer, which the leader answers, or a card, after which the last trick begins. The 13 cards
//! that can be led and the 13 that can follow make 169 last tricks, which are walked eight at a time.
//!
//! A walk goes down with the reach of both players' hands and comes back with the learner's counterfactual values:
//! for each of its hands the sum over the other's hands of reach, ways to draw both, and payoff.

use super::accepted::{Accepted, Followed, Situation, TwoCards, Walk};
use super::answer::Answers;
use super::lanes::{Matrix, NOTHING, Row, WIDE, add, column, is_nothing, row, times};
use super::last::{Cards, Ends, Holding, LANES, LastTrick, folded};
use super::packed::{self, Pack};
use super::pair::{PairChoice, PairStrategy};
use super::removal::{one_against_two, two_against_one, two_against_two, without};
use super::terms::{after_trick, by_tricks, seen_by};
use crate::rules::RANKS;

/// Regrets and cumulative strategies of two tricks.
#[derive(Clone, Debug)]
pub(super) struct TwoTricks {
    /// The leader's card or offer.
    pub lead: PairChoice,
    /// The follower's answer to that offer, by the rows of the matrix of its hands: each hand of two ranks stands
    /// twice.
    pub answer: Vec<Answers<WIDE>>,
    /// Indexed by the card led: the follower's card or offer.
    pub follow: Vec<PairChoice>,
    /// Indexed by the card led, then by the card kept: the leader's answer to the follower's offer.
    pub wait: Vec<Answers<WIDE>>,
    /// After the leader's offer was accepted.
    pub accepted: Accepted,
    /// Indexed by the card led, after the follower's offer was accepted: the card that follows.
    pub called: Vec<PairChoice>,
    /// The last trick, in the order of [`packed::ALL`]. None where it was not walked yet, as where the hand is decided
    /// before: of all below three cards two fifths at a level score, three tenths one trick ahead, seven tenths two
    /// ahead.
    pub last: Vec<Option<Box<LastTrick>>>,
}

impl TwoCards for TwoTricks {
    #[inline(always)]
    fn values(&mut self, walk: &Walk, at: &Situation, reach: [&Matrix; 2]) -> Matrix {
        // Neither player comes here: all values are 0.
        if reach.iter().all(|reach| is_nothing(reach)) {
            return NOTHING;
        }
        // Three tricks ahead with two to go: the hand is decided. An offer changes nothing: the other would reject
        // it and lose the same point.
        if at.ahead.abs() > 2 {
            let payoffs = &walk.payoffs.of(walk.learner).plain;
            let payoff = by_tricks(payoffs, seen_by(walk.learner, at.ahead));
            return two_against_two(&at.left, reach[1 - walk.learner], payoff);
        }
        if walk.learner == at.lead {
            self.leader(walk, at, reach[at.lead], reach[1 - at.lead])
        } else {
            self.follower(walk, at, reach[at.lead], reach[1 - at.lead])
        }
    }
}

impl TwoTricks {
    /// Tables before the first iteration: all zeros, so that strategies are uniform. They take up to 0.25 MB.
    pub fn new() -> TwoTricks {
        TwoTricks {
            lead: PairChoice::new(true),
            answer: vec![Answers::NEW; RANKS],
            follow: vec![PairChoice::new(true); RANKS],
            wait: vec![Answers::NEW; RANKS],
            accepted: Accepted::new(),
            called: vec![PairChoice::new(false); RANKS],
            last: vec![None; packed::PACKS],
        }
    }

    /// The probability that each of the follower's hands accepts the leader's offer.
    #[inline(always)]
    fn answers(&self, walk: &Walk) -> Matrix {
        let mut answers = NOTHING;
        for (row, answer) in answers.iter_mut().zip(&self.answer) {
            *row = answer.first(&walk.pass);
        }
        answers
    }

    /// The values of the leader's hands.
    #[inline(always)]
    fn leader(&mut self, walk: &Walk, at: &Situation, own: &Matrix, theirs: &Matrix) -> Matrix {
        let terms = walk.payoffs.of(at.lead);
        let chosen = self.lead.strategy(&walk.pass);
        // The leader's reach by the card kept (row) and led (column).
        let led = times(&chosen.plays, own);
        let mut plays = NOTHING;
        let mut followed = [NOTHING; RANKS];
        for card in 0..RANKS {
            let left = without(&at.left, card);
            let PairStrategy {
                plays: follow,
                offers,
            } = self.follow[card].strategy(&walk.pass);
            // The follower's hands divide into those that play a card and those that offer.
            followed[card] = times(&follow, theirs);
            let offering = times(&offers, theirs);
            let one = column(&led, card);
            let call = self.wait[card].first(&walk.pass);
            // The follower's offer: a rejection costs the leader a point against every offering hand; accepted, the
            // follower's card is next.
            let rejected = one_against_two(&left, &offering, terms.lost());
            let accepting: Row = row(|x| one[x] * call[x]);
            let behind = Followed {
                at,
                card,
                leader: &accepting,
                follower: &offering,
            };
            let accepted = column(&behind.values(&mut self.called[card], walk), card);
            let values = self.wait[card].decide(&call, [&accepted, &rejected], &one, &walk.pass);
            // The column of the card led: a value for each card kept. The factor is for the ways to have drawn the
            // card led; those to draw the cards kept are in the values.
            for (to, value) in plays.iter_mut().zip(values) {
                to[card] += at.left[card] * value;
            }
        }
        // If the follower plays a card instead, the last trick gives a value for each card that the leader kept.
        let mut last = |pack: &Pack, i: usize, card: usize, value: f32| {
            plays[card][usize::from(pack.led[i])] += value;
        };
        self.last_tricks(walk, at, &led, &followed, &mut last);
        // The leader's own offer: the accepting hands go on in an accepted challenge, all others give a point.
        let accepts = self.answers(walk);
        let accepting = times(&accepts, theirs);
        let offering = times(&chosen.offers, own);
        let mut reach = [&offering; 2];
        reach[1 - at.lead] = &accepting;
        let mut offers = self.accepted.values(walk, at, reach);
        let mut rejecting = *theirs;
        add(&mut rejecting, -1.0, &accepting);
        add(
            &mut offers,
            1.0,
            &two_against_two(&at.left, &rejecting, terms.won()),
        );
        self.lead
            .decide(&chosen, (&plays, &offers), own, &walk.pass)
    }

    /// The values of the follower's hands: a sum over the leader's decisions.
    #[inline(always)]
    fn follower(&mut self, walk: &Walk, at: &Situation, theirs: &Matrix, own: &Matrix) -> Matrix {
        let terms = walk.payoffs.of(1 - at.lead);
        let chosen = self.lead.strategy(&walk.pass);
        let led = times(&chosen.plays, theirs);
        // A plain loop: a closure that an iterator calls is not compiled for vectors.
        let mut strategies = [const { PairStrategy::NONE }; RANKS];
        let mut followed = [NOTHING; RANKS];
        for card in 0..RANKS {
            strategies[card] = self.follow[card].strategy(&walk.pass);
            followed[card] = times(&strategies[card].plays, own);
        }
        // For each card led, the values of the ways to follow: kept card (row), played card (column).
        let mut plays = [NOTHING; RANKS];
        let mut last = |pack: &Pack, i: usize, card: usize, value: f32| {
            plays[usize::from(pack.led[i])][card][usize::from(pack.followed[i])] += value;
        };
        self.last_tricks(walk, at, &led, &followed, &mut last);
        let mut values = NOTHING;
        for card in 0..RANKS {
            let left = without(&at.left, card);
            let one = column(&led, card);
            let call = self.wait[card].first(&walk.pass);
            let accepting: Row = row(|x| one[x] * call[x]);
            let rejecting: Row = row(|x| one[x] - accepting[x]);
            // The follower's offer on this card: by the leader's kept cards that accept and that reject.
            let offering = times(&strategies[card].offers, own);
            let behind = Followed {
                at,
                card,
                leader: &accepting,
                follower: &offering,
            };
            // The values of last tricks have the factor for the card led already; the offer's need it, so that both
            // compare.
            let weight = at.left[card];
            let mut offers = two_against_one(&left, &rejecting, weight * terms.won());
            let accepted = behind.values(&mut self.called[card], walk);
            add(&mut offers, weight, &accepted);
            let value = self.follow[card].decide(
                &strategies[card],
                (&plays[card], &offers),
                own,
                &walk.pass,
            );
            add(&mut values, 1.0, &value);
        }
        // The leader's offer: the follower answers with each of its hands; a rejection costs it a point.
        let offering = times(&chosen.offers, theirs);
        let rejected = two_against_two(&at.left, &offering, terms.lost());
        let accepts = self.answers(walk);
        let accepting = times(&accepts, own);
        let mut reach = [&offering; 2];
        reach[1 - at.lead] = &accepting;
        let accepted = self.accepted.values(walk, at, reach);
        for (card, answer) in self.answer.iter_mut().enumerate() {
            let both = [&accepted[card], &rejected[card]];
            let value = answer.decide(&accepts[card], both, &own[card], &walk.pass);
            for (to, value) in values[card].iter_mut().zip(value) {
                *to += value;
            }
        }
        values
    }

    /// Walks all last tricks. For each way to play the trick before and each last card of the learner, `to` receives
    /// the pack, the lane, the index of the card's rank, and its value.
    #[inline(always)]
    fn last_tricks(
        &mut self,
        walk: &Walk,
        at: &Situation,
        led: &Matrix,
        followed: &[Matrix; RANKS],
        to: &mut impl FnMut(&Pack, usize, usize, f32),
    ) {
        for (pack, tables) in packed::ALL.iter().zip(&mut self.last) {
            // For each lane: in how many ways the two cards of the trick can have been drawn, and the cards left
            // after them.
            let mut ways = [0.0; LANES];
            let mut left: Cards = [[0.0; LANES]; RANKS];
            for (rank, left) in left.iter_mut().enumerate() {
                *left = [at.left[rank]; LANES];
            }
            let (mut one, mut two) = (left, left);
            for i in 0..LANES {
                let (c, d) = (usize::from(pack.led[i]), usize::from(pack.followed[i]));
                // Unused lanes get weight and reach 0, so that they add nothing.
                let used = if i < pack.used { 1.0 } else { 0.0 };
                ways[i] = left[c][i];
                left[c][i] = (left[c][i] - 1.0).max(0.0);
                ways[i] *= used * left[d][i];
                left[d][i] = (left[d][i] - 1.0).max(0.0);
                for rank in 0..RANKS {
                    one[rank][i] = used * led[rank][c];
                    two[rank][i] = used * followed[c][rank][d];
                }
            }
            // One result for the whole pack, so one score and one leader.
            let (ahead, lead) = after_trick(at.ahead, at.lead, pack.result);
            // Sorted by who leads the last trick, which the trick before may have changed.
            let (leader, follower) = match lead == at.lead {
                true => (&one, &two),
                false => (&two, &one),
            };
            let values = match Ends::new(walk.payoffs.of(lead), seen_by(lead, ahead)) {
                Some(ends) => {
                    let holding = Holding {
                        left: &left,
                        leader,
                        follower,
                    };
                    let tables = tables.get_or_insert_with(LastTrick::new);
                    match walk.learner == lead {
                        true => tables.leader(&ends, &holding, &walk.pass),
                        false => tables.follower(&ends, &holding, &walk.pass),
                    }
                }
                // Two tricks ahead before the last one: the hand is decided.
                None => {
                    let payoffs = &walk.payoffs.of(walk.learner).plain;
                    let payoff = by_tricks(payoffs, seen_by(walk.learner, ahead));
                    let theirs = match walk.learner == lead {
                        true => follower,
                        false => leader,
                    };
                    folded(&left, theirs, payoff)
                }
            };
            for (rank, values) in values.iter().enumerate() {
                for (i, value) in values.iter().enumerate().take(pack.used) {
                    to(pack, i, rank, ways[i] * value);
                }
            }
        }
    }
}
