//! One trick of the public tree.

use super::accepted::Accepted;
use super::choice::{Answer, Choice, Chosen, Pass};
use super::place::Place;
use super::sets::Sets;
use super::values::EndgameValues;
use challenge::equilibrium::Stakes;
use challenge::rules::{RANKS, Seat};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

/// What is known of the decisions of one trick, without a challenge before it.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Trick {
    /// The leader's card or offer.
    pub lead: Choice,
    /// The other's answer to that offer.
    pub answer: Answer,
    /// By the card led: the follower's card or offer.
    pub follow: Vec<Choice>,
    /// By the card led: the leader's answer, by what it kept.
    pub wait: Vec<Answer>,
}

/// What a walk needs everywhere.
pub(super) struct Walk<'a> {
    pub sets: &'a Sets,
    pub accepted: &'a Accepted,
    pub stakes: Stakes,
    pub values: &'a EndgameValues,
    /// The player it is about.
    pub learner: Seat,
    pub pass: Pass,
}

impl Walk<'_> {
    /// What a player wins more than by a tie where the other rejects its offer.
    fn won(&self, seat: Seat) -> f64 {
        let stakes = &self.stakes;
        f64::from(match seat {
            0 => stakes.won - stakes.tied,
            _ => stakes.tied - stakes.lost,
        })
    }
}

/// What comes after a trick: the learner's values, by the cards led and followed with and the reach of both.
pub(super) type Below<'a, B> =
    &'a (dyn Fn(&mut B, (usize, usize), &Place, [&[f32]; 2]) -> Vec<f32> + Sync);

/// The number at each place of the product of two.
fn product(one: &[f32], two: &[f32]) -> Vec<f32> {
    one.iter().zip(two).map(|(one, two)| one * two).collect()
}

fn add(to: &mut [f32], more: &[f32]) {
    for (to, more) in to.iter_mut().zip(more) {
        *to += more;
    }
}

/// Reach split by an answer: of those who accept, and of those who reject.
fn split(reach: &[f32], accept: &[f32]) -> [Vec<f32>; 2] {
    let rejecting = reach.iter().zip(accept).map(|(reach, p)| reach * (1.0 - p));
    [product(reach, accept), rejecting.collect()]
}

/// A trick in which the leader has chosen.
struct Led<'a, 'b> {
    walk: &'a Walk<'b>,
    at: &'a Place,
    reach: [&'a [f32]; 2],
    chosen: &'a Chosen,
}

impl Trick {
    /// Before the first iteration.
    pub fn new(sets: &Sets, cards: usize) -> Trick {
        Trick {
            lead: Choice::new(sets, cards),
            answer: Answer::new(sets, cards),
            follow: vec![Choice::new(sets, cards); RANKS],
            wait: vec![Answer::new(sets, cards - 1); RANKS],
        }
    }

    /// The values of the learner's sets: counterfactual, in chances to win the game more than a tie is worth.
    /// `below` is what lies after each way to play the trick, and `after` walks on there.
    pub fn visit<B: Send>(
        &mut self,
        walk: &Walk,
        at: &Place,
        reach: [&[f32]; 2],
        below: &mut [B],
        after: Below<B>,
    ) -> Vec<f32> {
        let chosen = self.lead.chosen(walk.sets, &walk.pass);
        let led = Led {
            walk,
            at,
            reach,
            chosen: &chosen,
        };
        let tables = self.follow.par_iter_mut().zip(&mut self.wait);
        let each: Vec<Vec<f32>> = tables
            .zip(below.par_chunks_mut(RANKS))
            .enumerate()
            .map(|(card, ((follow, wait), below))| led.behind(card, (follow, wait), below, after))
            .collect();
        let ways = walk.sets.ways(&at.left, at.cards);
        let (own, theirs) = (reach[walk.learner], reach[1 - at.lead]);
        let offering = product(&chosen.offers, reach[at.lead]);
        let accept = self.answer.chosen(&walk.pass);
        let ahead = at.ahead(at.lead);
        let to_leader = walk.won(at.lead);
        let sizes = (at.cards, at.cards);
        let challenged = |of_leader: bool, reach: &[f32]| {
            let reach = product(reach, &ways);
            let mut values = walk
                .accepted
                .lead((at.cards, at.lead, ahead), of_leader, &reach);
            for (value, ways) in values.iter_mut().zip(&ways) {
                *value *= ways * at.ways as f32;
            }
            values
        };
        if walk.learner == at.lead {
            let [calling, folding] = split(theirs, &accept);
            let mut offered = challenged(true, &calling);
            let factor = at.ways * to_leader;
            add(
                &mut offered,
                &walk.sets.weigh(&at.left, sizes, &folding, factor),
            );
            let worth = (&each.concat()[..], &offered[..]);
            return self.lead.decide(walk.sets, &chosen, worth, own, &walk.pass);
        }
        let accepted = challenged(false, &offering);
        let factor = -at.ways * to_leader;
        let rejected = walk.sets.weigh(&at.left, sizes, &offering, factor);
        let both = [&accepted[..], &rejected[..]];
        let mut values = self.answer.decide(&accept, both, own, &walk.pass);
        for part in each {
            add(&mut values, &part);
        }
        values
    }
}

impl Led<'_, '_> {
    /// The reach of what is kept after each card.
    fn kept(&self, plays: &[f32], card: usize, reach: &[f32]) -> Vec<f32> {
        let sets = self.walk.sets;
        let plus = sets.plus(self.at.cards - 1, card);
        let plays = &plays[card * plus.len()..][..plus.len()];
        let both = plays.iter().zip(plus);
        both.map(|(part, &set)| part * reach[usize::from(set)])
            .collect()
    }

    /// The learner's values behind one card: of what it keeps if it leads, else of all its sets.
    fn behind<B>(
        &self,
        led: usize,
        (follow, wait): (&mut Choice, &mut Answer),
        below: &mut [B],
        after: Below<B>,
    ) -> Vec<f32> {
        let Led { walk, at, .. } = *self;
        let (sets, pass, lead) = (walk.sets, &walk.pass, at.lead);
        let theirs = self.reach[1 - lead];
        let leads = walk.learner == lead;
        let kept = sets.count(at.cards - 1);
        let leading = self.kept(&self.chosen.plays, led, self.reach[lead]);
        let how = follow.chosen(sets, pass);
        let mut of_leader = vec![0.0; kept];
        let mut plays = Vec::new();
        for (followed, below) in below.iter_mut().enumerate() {
            let following = self.kept(&how.plays, followed, theirs);
            let mut both: [&[f32]; 2] = [&leading; 2];
            both[1 - lead] = &following;
            let next = at.after(led, followed);
            let values = after(below, (led, followed), &next, both);
            match leads {
                true => add(&mut of_leader, &values),
                false => plays.extend(values),
            }
        }
        // The follower's offer.
        let on_table = at.without(led);
        let factor = on_table.ways;
        let ways = [at.cards - 1, at.cards].map(|cards| sets.ways(&on_table.left, cards));
        let offering = product(&how.offers, theirs);
        let call = wait.chosen(pass);
        let to_follower = walk.won(1 - lead);
        let state = (at.cards, lead, at.ahead(lead));
        let challenged = |reach: &[f32]| {
            let (own, others) = if leads { (0, 1) } else { (1, 0) };
            let reach = product(reach, &ways[others]);
            let mut values = walk.accepted.follow(state, led, leads, &reach);
            for (value, ways) in values.iter_mut().zip(&ways[own]) {
                *value *= ways * factor as f32;
            }
            values
        };
        if leads {
            let accepted = challenged(&offering);
            let sizes = (at.cards - 1, at.cards);
            let rejected = sets.weigh(&on_table.left, sizes, &offering, -factor * to_follower);
            let both = [&accepted[..], &rejected[..]];
            add(&mut of_leader, &wait.decide(&call, both, &leading, pass));
            return of_leader;
        }
        let [calling, folding] = split(&leading, &call);
        let mut offered = challenged(&calling);
        let sizes = (at.cards, at.cards - 1);
        let rejected = sets.weigh(&on_table.left, sizes, &folding, factor * to_follower);
        add(&mut offered, &rejected);
        follow.decide(sets, &how, (&plays, &offered), theirs, pass)
    }
}
