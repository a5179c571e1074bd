//! The last three tricks: the first of them by sets of three cards, and what follows by [`TwoTricks`].

use super::accepted::{Accepted, Situation, TwoCards, Walk};
use super::answer::Answers;
use super::lanes::{Matrix, NOTHING, Row, is_nothing};
use super::removal::without;
use super::terms::{after_trick, result};
use super::triple::{PAIRS, Plays, Sets, TRIPLES, TripleChoice, TripleStrategy, Triples};
use super::two::TwoTricks;
use crate::rules::{RANKS, Seat};
use rayon::prelude::*;

/// What is known of the decisions there.
#[derive(Clone, Debug)]
pub(super) struct ThreeTricks {
    /// The leader's card or offer.
    pub lead: TripleChoice,
    /// The other's answer to that offer.
    pub answer: Vec<Answers<1>>,
    /// By the card led: the follower's card or offer.
    pub follow: Vec<TripleChoice>,
    /// By the card led: the leader's answer, by the set of two cards it kept.
    pub wait: Vec<Answers<PAIRS>>,
    /// After the leader's offer was accepted.
    pub accepted: AcceptedThree,
    /// By the card led, after the follower's offer was accepted.
    pub called: Vec<FollowThree>,
    /// By the cards led and followed with.
    pub two: Vec<TwoTricks>,
}

/// What is known of the decisions of three tricks after an accepted challenge.
#[derive(Clone, Debug)]
pub(super) struct AcceptedThree {
    pub lead: TripleChoice,
    /// By the card led.
    pub follow: Vec<FollowThree>,
}

/// How a card is followed there, and what comes after.
#[derive(Clone, Debug)]
pub(super) struct FollowThree {
    pub follow: TripleChoice,
    /// By the card followed with.
    pub two: Vec<Accepted>,
}

impl FollowThree {
    fn new() -> FollowThree {
        FollowThree {
            follow: TripleChoice::new(false),
            two: vec![Accepted::new(); RANKS],
        }
    }
}

/// Where the tables lie of what comes after the first of three tricks, in which one card was led.
pub(super) trait Below {
    /// After both have played, without a challenge.
    fn two(&mut self, followed: usize) -> &mut TwoTricks;
    /// The same after an accepted one.
    fn accepted(&mut self, followed: usize) -> &mut Accepted;
}

/// Tables of their own for every way to play the trick.
struct Own<'a> {
    two: &'a mut [TwoTricks],
    accepted: &'a mut [Accepted],
}

impl Below for Own<'_> {
    fn two(&mut self, followed: usize) -> &mut TwoTricks {
        &mut self.two[followed]
    }

    fn accepted(&mut self, followed: usize) -> &mut Accepted {
        &mut self.accepted[followed]
    }
}

/// The values of the learner's hands behind one card that was led.
pub(super) enum Values {
    /// It has led: of the two cards that it keeps.
    Kept(Box<[f32; PAIRS]>),
    /// It has not: of its three.
    All(Triples),
}

/// Puts together what the cards that can be led are worth: to the leader for each of them, to the other in all.
pub(super) fn gathered(each: impl IntoIterator<Item = Option<Values>>) -> Option<(Plays, Triples)> {
    let mut plays = vec![[0.0; PAIRS]; RANKS];
    let mut values = vec![0.0; TRIPLES];
    for (to, found) in plays.iter_mut().zip(each) {
        match found? {
            Values::Kept(kept) => *to = *kept,
            Values::All(all) => add(&mut values, &all),
        }
    }
    Some((plays, values))
}

impl AcceptedThree {
    /// Before the first iteration.
    pub fn new() -> AcceptedThree {
        AcceptedThree {
            lead: TripleChoice::new(false),
            follow: vec![FollowThree::new(); RANKS],
        }
    }

    /// The values of the learner's hands; none if it was stopped. `reach` is by player.
    pub fn visit(
        &mut self,
        walk: &Walk,
        sets: &Sets,
        at: &Situation,
        reach: [&Triples; 2],
    ) -> Option<Triples> {
        let chosen = self.lead.strategy(sets, &walk.pass);
        let led = chosen.played(sets, reach[at.lead]);
        let of_card = |(card, follow): (usize, &mut FollowThree)| {
            let behind = Behind {
                at,
                card,
                leader: &led[card],
                follower: reach[1 - at.lead],
            };
            let mut below = Own {
                two: &mut [],
                accepted: &mut follow.two,
            };
            let stopped = walk.is_stopped();
            (!stopped)
                .then(|| behind.visit(walk, sets, &mut follow.follow, at.left[card], &mut below))
        };
        // Side by side, and put together in the order of the cards, so that the result does not depend on threads.
        let each: Vec<_> = self
            .follow
            .par_iter_mut()
            .enumerate()
            .map(of_card)
            .collect();
        let (plays, values) = gathered(each)?;
        let own = reach[at.lead];
        Some(lead_accepted(
            &mut self.lead,
            walk,
            sets,
            &chosen,
            at.lead,
            own,
            (plays, values),
        ))
    }
}

/// The values at the lead of three tricks after an accepted challenge, from those behind each card.
pub(super) fn lead_accepted(
    lead: &mut TripleChoice,
    walk: &Walk,
    sets: &Sets,
    chosen: &TripleStrategy,
    leader: Seat,
    own: &Triples,
    (plays, values): (Plays, Triples),
) -> Triples {
    if walk.learner != leader {
        return values;
    }
    lead.decide(sets, chosen, (&plays, &Triples::new()), own, &walk.pass)
}

/// A card that was led in an accepted challenge, with the reach of what both hold.
pub(super) struct Behind<'a> {
    /// Before it was led.
    pub at: &'a Situation,
    pub card: usize,
    pub leader: &'a [f32; PAIRS],
    pub follower: &'a Triples,
}

impl Behind<'_> {
    /// The values of the learner's hands, times a weight.
    pub fn visit(
        &self,
        walk: &Walk,
        sets: &Sets,
        follow: &mut TripleChoice,
        weight: f32,
        below: &mut impl Below,
    ) -> Values {
        let lead = self.at.lead;
        let leads = walk.learner == lead;
        let chosen = follow.strategy(sets, &walk.pass);
        let followed = chosen.played(sets, self.follower);
        let leader = sets.matrix(self.leader);
        let mut own = [0.0; PAIRS];
        let mut plays = vec![[0.0; PAIRS]; RANKS];
        for card in 0..RANKS {
            let (at, ways) = after(self.at, self.card, card);
            let follower = sets.matrix(&followed[card]);
            let mut reach = [&leader; 2];
            reach[1 - lead] = &follower;
            let values = met(below.accepted(card), walk, &at, reach);
            let to = if leads { &mut own } else { &mut plays[card] };
            sets.add(to, weight * ways, &values);
        }
        if leads {
            return Values::Kept(Box::new(own));
        }
        let both = (&plays, &Triples::new());
        Values::All(follow.decide(sets, &chosen, both, self.follower, &walk.pass))
    }
}

/// The values of the learner's hands in the last two tricks. Where the other never comes they are nothing and there is
/// next to nothing to be learnt, but that old regrets fade: an eighth to a quarter of all walks is spared. Averages stay as
/// they are there; what is played is solved anew with two cards, unless there is no time for it.
fn met(tables: &mut impl TwoCards, walk: &Walk, at: &Situation, reach: [&Matrix; 2]) -> Matrix {
    match walk.pass.learns() && is_nothing(reach[1 - walk.learner]) {
        true => NOTHING,
        false => tables.visit(walk, at, reach),
    }
}

fn add(to: &mut [f32], more: &[f32]) {
    for (to, more) in to.iter_mut().zip(more) {
        *to += more;
    }
}

/// The situation after a trick, and in how many ways its second card can be.
pub(super) fn after(at: &Situation, led: usize, followed: usize) -> (Situation, f32) {
    let left: Row = without(&at.left, led);
    let ways = left[followed];
    let (ahead, lead) = after_trick(at.ahead, at.lead, result(led, followed));
    let left = without(&left, followed);
    (Situation { left, ahead, lead }, ways)
}

impl ThreeTricks {
    /// Before the first iteration.
    pub fn new() -> ThreeTricks {
        ThreeTricks {
            lead: TripleChoice::new(true),
            answer: vec![Answers::NEW; TRIPLES],
            follow: vec![TripleChoice::new(true); RANKS],
            wait: vec![Answers::NEW; RANKS],
            accepted: AcceptedThree::new(),
            called: vec![FollowThree::new(); RANKS],
            two: vec![TwoTricks::new(); RANKS * RANKS],
        }
    }

    /// The values of the learner's hands; none if it was stopped. `reach` is by player.
    pub fn visit(
        &mut self,
        walk: &Walk,
        sets: &Sets,
        at: &Situation,
        reach: [&Triples; 2],
    ) -> Option<Triples> {
        let first = First::new(&self.lead, walk, sets, at, reach);
        let tables = self.follow.par_iter_mut().zip(&mut self.wait);
        let below = self
            .called
            .par_iter_mut()
            .zip(self.two.par_chunks_mut(RANKS));
        type Card<'a> = (
            (&'a mut TripleChoice, &'a mut Answers<PAIRS>),
            (&'a mut FollowThree, &'a mut [TwoTricks]),
        );
        let of_card = |(card, ((follow, wait), (called, two))): (usize, Card)| {
            let mut below = Own {
                two,
                accepted: &mut called.two,
            };
            let tables = OfCard {
                follow,
                wait,
                called: &mut called.follow,
            };
            (!walk.is_stopped()).then(|| first.behind(card, tables, &mut below))
        };
        let each: Vec<_> = tables.zip(below).enumerate().map(of_card).collect();
        let found = gathered(each)?;
        let (offering, accepting) = first.accepting(&self.answer);
        let mut accepted_reach = [&offering; 2];
        accepted_reach[1 - at.lead] = &accepting;
        let accepted = self.accepted.visit(walk, sets, at, accepted_reach)?;
        Some(first.decide(&mut self.lead, &mut self.answer, found, accepted))
    }
}

/// The first of three tricks, in which a challenge can still be offered, with what the leader does.
pub(super) struct First<'a> {
    walk: &'a Walk<'a>,
    sets: &'a Sets,
    at: &'a Situation,
    reach: [&'a Triples; 2],
    chosen: TripleStrategy,
    led: Plays,
}

/// What is known of the decisions behind one card that was led there.
pub(super) struct OfCard<'a> {
    pub follow: &'a mut TripleChoice,
    pub wait: &'a mut Answers<PAIRS>,
    /// How it is followed after the follower's offer was accepted.
    pub called: &'a mut TripleChoice,
}

impl<'a> First<'a> {
    pub fn new(
        lead: &TripleChoice,
        walk: &'a Walk<'a>,
        sets: &'a Sets,
        at: &'a Situation,
        reach: [&'a Triples; 2],
    ) -> First<'a> {
        let chosen = lead.strategy(sets, &walk.pass);
        let led = chosen.played(sets, reach[at.lead]);
        First {
            walk,
            sets,
            at,
            reach,
            chosen,
            led,
        }
    }

    /// The values of the learner's hands behind one card.
    pub fn behind(&self, card: usize, tables: OfCard, below: &mut impl Below) -> Values {
        let First {
            walk,
            sets,
            at,
            reach,
            ..
        } = *self;
        let (lead, led) = (at.lead, &self.led[card]);
        let leads = walk.learner == lead;
        let to_other = walk.payoffs.of(lead).lost();
        let weight = at.left[card];
        let left = without(&at.left, card);
        let follow = tables.follow.strategy(sets, &walk.pass);
        let followed = follow.played(sets, reach[1 - lead]);
        let offering = follow.offering(reach[1 - lead]);
        let leader = sets.matrix(led);
        let mut kept = [0.0; PAIRS];
        let mut plays: Plays = vec![[0.0; PAIRS]; if leads { 0 } else { RANKS }];
        for second in 0..RANKS {
            let (at, ways) = after(at, card, second);
            let follower = sets.matrix(&followed[second]);
            let mut both = [&leader; 2];
            both[1 - lead] = &follower;
            let of_two = met(below.two(second), walk, &at, both);
            let to = if leads { &mut kept } else { &mut plays[second] };
            sets.add(to, weight * ways, &of_two);
        }
        // The follower's offer.
        let call = tables.wait.first(&walk.pass);
        let mut accepting = *led;
        let mut rejecting = *led;
        for (pair, call) in call.iter().enumerate() {
            accepting[pair] *= call;
            rejecting[pair] *= 1.0 - call;
        }
        let behind = Behind {
            at,
            card,
            leader: &accepting,
            follower: &offering,
        };
        match behind.visit(walk, sets, tables.called, weight, below) {
            Values::Kept(accepted) => {
                let mut rejected = [0.0; PAIRS];
                weigh(sets, &left, 3, &offering, weight * to_other, &mut rejected);
                let both = [&accepted, &rejected];
                let value = tables.wait.decide(&call, both, led, &walk.pass);
                add(&mut kept, &value);
                Values::Kept(Box::new(kept))
            }
            Values::All(mut offered) => {
                let mut rejected = vec![0.0; TRIPLES];
                weigh(
                    sets,
                    &left,
                    2,
                    &rejecting,
                    -weight * to_other,
                    &mut rejected,
                );
                add(&mut offered, &rejected);
                let both = (&plays, &offered);
                let own = reach[1 - lead];
                Values::All(tables.follow.decide(sets, &follow, both, own, &walk.pass))
            }
        }
    }

    /// The reach of the leader's hands that offer, and of the other's that accept it.
    pub fn accepting(&self, answer: &[Answers<1>]) -> (Triples, Triples) {
        let other = self.reach[1 - self.at.lead];
        let both = answer.iter().zip(other);
        let accepting = both.map(|(answer, reach)| answer.first(&self.walk.pass)[0] * reach);
        (
            self.chosen.offering(self.reach[self.at.lead]),
            accepting.collect(),
        )
    }

    /// The values of the learner's hands, from those behind each card and behind the leader's accepted offer.
    pub fn decide(
        &self,
        lead: &mut TripleChoice,
        answer: &mut [Answers<1>],
        (plays, mut values): (Plays, Triples),
        mut accepted: Triples,
    ) -> Triples {
        let (pass, at, sets) = (&self.walk.pass, self.at, self.sets);
        let to_leader = self.walk.payoffs.of(at.lead).won();
        let own = self.reach[self.walk.learner];
        let (offering, accepting) = self.accepting(answer);
        let mut rejected = vec![0.0; TRIPLES];
        if self.walk.learner == at.lead {
            let both = self.reach[1 - at.lead].iter().zip(&accepting);
            let rejecting: Triples = both.map(|(reach, accepting)| reach - accepting).collect();
            weigh(sets, &at.left, 3, &rejecting, to_leader, &mut rejected);
            add(&mut accepted, &rejected);
            return lead.decide(sets, &self.chosen, (&plays, &accepted), own, pass);
        }
        weigh(sets, &at.left, 3, &offering, -to_leader, &mut rejected);
        for (set, answer) in answer.iter_mut().enumerate() {
            let both = [&[accepted[set]], &[rejected[set]]];
            values[set] += answer.decide(&answer.first(pass), both, &[own[set]], pass)[0];
        }
        values
    }
}

/// For each own set of cards (as many as `to` is long) the sum over the other's sets of `theirs` cards.
pub(super) fn weigh(
    sets: &Sets,
    left: &Row,
    theirs: usize,
    reach: &[f32],
    payoff: f32,
    to: &mut [f32],
) {
    let own = if to.len() == TRIPLES { 3 } else { 2 };
    let mut counts = [0.0; RANKS];
    for (count, &left) in counts.iter_mut().zip(left) {
        *count = f64::from(left);
    }
    let present = (0..).zip(reach).filter(|(_, reach)| **reach > 0.0);
    let present: Vec<(u16, f64)> = present
        .map(|(set, &reach)| (set, f64::from(reach)))
        .collect();
    let sums = sets
        .tables
        .weigh(&counts, own, theirs, &present, f64::from(payoff));
    for (to, sum) in to.iter_mut().zip(sums) {
        *to = sum as f32;
    }
}
