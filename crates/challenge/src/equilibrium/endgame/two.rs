//! The last two tricks while a challenge can still be offered.

use super::accepted::{Accepted, Followed, Situation, TwoCards, Walk};
use super::answer::Answers;
use super::lanes::{Matrix, NOTHING, Row, WIDE, add, column, is_nothing, row, times};
use super::last::{Cards, Ends, Holding, LANES, LastTrick, folded};
use super::packed::{self, Pack};
use super::pair::{PairChoice, PairStrategy};
use super::removal::{one_against_two, two_against_one, two_against_two, without};
use super::terms::{after_trick, by_tricks, seen_by};
use crate::rules::RANKS;

/// What is known of the decisions there.
#[derive(Clone, Debug)]
pub(super) struct TwoTricks {
    /// The leader's card or offer.
    pub lead: PairChoice,
    /// The other's answer to that offer: a row for each of its sets of two cards, each twice.
    pub answer: Vec<Answers<WIDE>>,
    /// By the card led: the follower's card or offer.
    pub follow: Vec<PairChoice>,
    /// By the card led: the leader's answer, by the card it kept.
    pub wait: Vec<Answers<WIDE>>,
    /// After the leader's offer was accepted.
    pub accepted: Accepted,
    /// By the card led, after the follower's offer was accepted: the card that follows.
    pub called: Vec<PairChoice>,
    /// The last trick, by [`packed::ALL`].
    pub last: Vec<LastTrick>,
}

impl TwoCards for TwoTricks {
    #[inline(always)]
    fn values(&mut self, walk: &Walk, at: &Situation, reach: [&Matrix; 2]) -> Matrix {
        if reach.iter().all(|reach| is_nothing(reach)) {
            return NOTHING;
        }
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
    /// Before the first iteration.
    pub fn new() -> TwoTricks {
        TwoTricks {
            lead: PairChoice::new(true),
            answer: vec![Answers::NEW; RANKS],
            follow: vec![PairChoice::new(true); RANKS],
            wait: vec![Answers::NEW; RANKS],
            accepted: Accepted::new(),
            called: vec![PairChoice::new(false); RANKS],
            last: vec![LastTrick::new(); packed::PACKS],
        }
    }

    /// How the follower answers the leader's offer: the probability of accepting.
    #[inline(always)]
    fn answers(&self, walk: &Walk) -> Matrix {
        let mut answers = NOTHING;
        for (row, answer) in answers.iter_mut().zip(&self.answer) {
            *row = answer.first(&walk.pass);
        }
        answers
    }

    #[inline(always)]
    fn leader(&mut self, walk: &Walk, at: &Situation, own: &Matrix, theirs: &Matrix) -> Matrix {
        let terms = walk.payoffs.of(at.lead);
        let chosen = self.lead.strategy(&walk.pass);
        let led = times(&chosen.plays, own);
        let mut plays = NOTHING;
        let mut followed = [NOTHING; RANKS];
        for card in 0..RANKS {
            let left = without(&at.left, card);
            let PairStrategy {
                plays: follow,
                offers,
            } = self.follow[card].strategy(&walk.pass);
            followed[card] = times(&follow, theirs);
            let offering = times(&offers, theirs);
            let one = column(&led, card);
            let call = self.wait[card].first(&walk.pass);
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
            for (to, value) in plays.iter_mut().zip(values) {
                to[card] += at.left[card] * value;
            }
        }
        let mut last = |pack: &Pack, i: usize, card: usize, value: f32| {
            plays[card][usize::from(pack.led[i])] += value;
        };
        self.last_tricks(walk, at, &led, &followed, &mut last);
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

    #[inline(always)]
    fn follower(&mut self, walk: &Walk, at: &Situation, theirs: &Matrix, own: &Matrix) -> Matrix {
        let terms = walk.payoffs.of(1 - at.lead);
        let chosen = self.lead.strategy(&walk.pass);
        let led = times(&chosen.plays, theirs);
        // A plain loop: what an iterator calls is not compiled for vectors.
        let mut strategies = [const { PairStrategy::NONE }; RANKS];
        let mut followed = [NOTHING; RANKS];
        for card in 0..RANKS {
            strategies[card] = self.follow[card].strategy(&walk.pass);
            followed[card] = times(&strategies[card].plays, own);
        }
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
            let offering = times(&strategies[card].offers, own);
            let behind = Followed {
                at,
                card,
                leader: &accepting,
                follower: &offering,
            };
            // The last tricks have the weight of the card led already.
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

    /// Walks all last tricks. `to` gets the values of the learner's cards after each way to play the trick before.
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
            let mut ways = [0.0; LANES];
            let mut left: Cards = [[0.0; LANES]; RANKS];
            for (rank, left) in left.iter_mut().enumerate() {
                *left = [at.left[rank]; LANES];
            }
            let (mut one, mut two) = (left, left);
            for i in 0..LANES {
                let (c, d) = (usize::from(pack.led[i]), usize::from(pack.followed[i]));
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
            let (ahead, lead) = after_trick(at.ahead, at.lead, pack.result);
            // The player who leads the last trick, and the other.
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
                    match walk.learner == lead {
                        true => tables.leader(&ends, &holding, &walk.pass),
                        false => tables.follower(&ends, &holding, &walk.pass),
                    }
                }
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
