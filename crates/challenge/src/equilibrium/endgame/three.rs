//! The last three tricks: the first of them by sets of three cards, and what follows by [`TwoTricks`].

use super::accepted::{Accepted, Situation, Walk};
use super::answer::Answers;
use super::lanes::Row;
use super::removal::without;
use super::terms::{after_trick, result};
use super::triple::{PAIRS, Plays, Sets, TRIPLES, TripleChoice, Triples};
use super::two::TwoTricks;
use crate::rules::RANKS;

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

impl AcceptedThree {
    /// Before the first iteration.
    pub fn new() -> AcceptedThree {
        AcceptedThree {
            lead: TripleChoice::new(false),
            follow: vec![FollowThree::new(); RANKS],
        }
    }

    /// The values of the learner's hands. `reach` is by player.
    pub fn visit(
        &mut self,
        walk: &Walk,
        sets: &Sets,
        at: &Situation,
        reach: [&Triples; 2],
    ) -> Triples {
        let chosen = self.lead.strategy(sets, &walk.pass);
        let led = chosen.played(sets, reach[at.lead]);
        let mut plays = vec![[0.0; PAIRS]; RANKS];
        let mut values = vec![0.0; TRIPLES];
        for card in 0..RANKS {
            let behind = Behind {
                at,
                card,
                leader: &led[card],
                follower: reach[1 - at.lead],
            };
            let follow = &mut self.follow[card];
            let of_card = behind.visit(walk, sets, follow, at.left[card]);
            if walk.learner == at.lead {
                plays[card].copy_from_slice(&of_card);
            } else {
                add(&mut values, &of_card);
            }
        }
        if walk.learner != at.lead {
            return values;
        }
        let offers = Triples::new();
        self.lead
            .decide(sets, &chosen, (&plays, &offers), reach[at.lead], &walk.pass)
    }
}

/// A card that was led in an accepted challenge, with the reach of what both hold.
struct Behind<'a> {
    /// Before it was led.
    at: &'a Situation,
    card: usize,
    leader: &'a [f32; PAIRS],
    follower: &'a Triples,
}

impl Behind<'_> {
    /// The values of the learner's hands, times a weight: of two cards if it leads, else of three.
    fn visit(&self, walk: &Walk, sets: &Sets, known: &mut FollowThree, weight: f32) -> Vec<f32> {
        let lead = self.at.lead;
        let leads = walk.learner == lead;
        let chosen = known.follow.strategy(sets, &walk.pass);
        let followed = chosen.played(sets, self.follower);
        let leader = sets.matrix(self.leader);
        let mut own = [0.0; PAIRS];
        let mut plays = vec![[0.0; PAIRS]; RANKS];
        for (card, two) in known.two.iter_mut().enumerate() {
            let (at, ways) = after(self.at, self.card, card);
            let follower = sets.matrix(&followed[card]);
            let mut reach = [&leader; 2];
            reach[1 - lead] = &follower;
            let values = two.visit(walk, &at, reach);
            let to = if leads { &mut own } else { &mut plays[card] };
            sets.add(to, weight * ways, &values);
        }
        if leads {
            return own.to_vec();
        }
        let offers = Triples::new();
        known
            .follow
            .decide(sets, &chosen, (&plays, &offers), self.follower, &walk.pass)
    }
}

/// Adds numbers.
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

    /// The values of the learner's hands. `reach` is by player.
    pub fn visit(
        &mut self,
        walk: &Walk,
        sets: &Sets,
        at: &Situation,
        reach: [&Triples; 2],
    ) -> Triples {
        let lead = at.lead;
        let leads = walk.learner == lead;
        let terms = walk.payoffs.of(lead);
        let (to_leader, to_other) = (terms.won(), terms.lost());
        let sign = if leads { 1.0 } else { -1.0 };
        let chosen = self.lead.strategy(sets, &walk.pass);
        let led = chosen.played(sets, reach[lead]);
        let mut plays = vec![[0.0; PAIRS]; RANKS];
        let mut values = vec![0.0; TRIPLES];
        for card in 0..RANKS {
            let weight = at.left[card];
            let left = without(&at.left, card);
            let follow = self.follow[card].strategy(sets, &walk.pass);
            let followed = follow.played(sets, reach[1 - lead]);
            let offering = follow.offering(reach[1 - lead]);
            let leader = sets.matrix(&led[card]);
            let mut own_plays: Plays = vec![[0.0; PAIRS]; if leads { 0 } else { RANKS }];
            for (second, two) in self.two[card * RANKS..][..RANKS].iter_mut().enumerate() {
                let (at, ways) = after(at, card, second);
                let follower = sets.matrix(&followed[second]);
                let mut both = [&leader; 2];
                both[1 - lead] = &follower;
                let of_two = two.visit(walk, &at, both);
                let to = match leads {
                    true => &mut plays[card],
                    false => &mut own_plays[second],
                };
                sets.add(to, weight * ways, &of_two);
            }
            // The follower's offer.
            let call = self.wait[card].first(&walk.pass);
            let mut accepting = led[card];
            let mut rejecting = led[card];
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
            let mut offered = behind.visit(walk, sets, &mut self.called[card], weight);
            if leads {
                let mut accepted = [0.0; PAIRS];
                accepted.copy_from_slice(&offered);
                let mut rejected = [0.0; PAIRS];
                weigh(sets, &left, 3, &offering, weight * to_other, &mut rejected);
                let both = [&accepted, &rejected];
                let value = self.wait[card].decide(&call, both, &led[card], &walk.pass);
                add(&mut plays[card], &value);
            } else {
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
                let value = self.follow[card].decide(
                    sets,
                    &follow,
                    (&own_plays, &offered),
                    reach[1 - lead],
                    &walk.pass,
                );
                add(&mut values, &value);
            }
        }
        // The leader's offer.
        let offering = chosen.offering(reach[lead]);
        let answers: Vec<f32> = self
            .answer
            .iter()
            .map(|answer| answer.first(&walk.pass)[0])
            .collect();
        let both = answers.iter().zip(reach[1 - lead]);
        let accepting: Triples = both.map(|(answer, reach)| answer * reach).collect();
        let mut accepted_reach = [&offering; 2];
        accepted_reach[1 - lead] = &accepting;
        let mut accepted = self.accepted.visit(walk, sets, at, accepted_reach);
        let mut rejected = vec![0.0; TRIPLES];
        let payoff = sign * to_leader;
        if leads {
            let both = reach[1 - lead].iter().zip(&accepting);
            let rejecting: Triples = both.map(|(reach, accepting)| reach - accepting).collect();
            weigh(sets, &at.left, 3, &rejecting, payoff, &mut rejected);
            add(&mut accepted, &rejected);
            return self
                .lead
                .decide(sets, &chosen, (&plays, &accepted), reach[lead], &walk.pass);
        }
        weigh(sets, &at.left, 3, &offering, payoff, &mut rejected);
        for (set, answer) in self.answer.iter_mut().enumerate() {
            let both = [&[accepted[set]], &[rejected[set]]];
            let own = [reach[1 - lead][set]];
            values[set] += answer.decide(&[answers[set]], both, &own, &walk.pass)[0];
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
