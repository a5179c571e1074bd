//! One trick of the opening's public tree: the strategies of all hands in it, and the walk through it.
//!
//! The leader plays a card or offers a challenge. After an offer the other accepts or rejects.
//! After a card the follower plays a card or offers, and the leader, with one card less, accepts or
//! rejects. A rejected offer ends the hand, and the player that offered wins it. After an accepted offer
//! there is nothing to learn: both play by the blueprint.
//!
//! Values are counterfactual: for a hand `h` of the learner,
//! `v(h) = Σ over the other's hands g of ways(h, g) · reach(g) · payoff(h, g)`. The learner's own
//! reach is left out. `ways` counts the deals that give both hands and the cards played.

use super::accepted::Accepted;
use super::choice::{Answer, Choice, Chosen, Pass};
use super::place::Place;
use super::sets::{Sets, product};
use super::values::EndgameValues;
use challenge::equilibrium::Stakes;
use challenge::rules::{RANKS, Seat};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

/// The strategies of one trick, before which nobody has offered a challenge.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Trick {
    /// The leader's card or offer.
    pub lead: Choice,
    /// The other player's answer to the leader's offer.
    pub answer: Answer,
    /// By the card led: the follower's card or offer.
    pub follow: Vec<Choice>,
    /// By the card led, the leader's answer to an offer of the follower; its sets are those that it
    /// kept.
    pub wait: Vec<Answer>,
}

/// A walk over the tree: its learner, its task, and the tables that give values.
pub(super) struct Walk<'a> {
    pub sets: &'a Sets,
    pub accepted: &'a Accepted,
    pub stakes: Stakes,
    pub values: &'a EndgameValues,
    /// The player whose values are computed.
    pub learner: Seat,
    pub pass: Pass,
}

impl Walk<'_> {
    /// The payoff of a player whose offer is rejected, above that of a tie.
    fn won(&self, seat: Seat) -> f64 {
        let stakes = &self.stakes;
        f64::from(match seat {
            // Stakes are the opener's; the other gains what the opener loses.
            0 => stakes.won - stakes.tied,
            _ => stakes.tied - stakes.lost,
        })
    }
}

/// Continues a walk after a trick and returns the learner's values. It is given the entry of `below` that
/// belongs to the two cards, the cards led and followed with, the state after them, and the reach by player.
pub(super) type Below<'a, B> =
    &'a (dyn Fn(&mut B, (usize, usize), &Place, [&[f32]; 2]) -> Vec<f32> + Sync);

/// Adds a vector to another, element by element.
fn add(to: &mut [f32], more: &[f32]) {
    for (to, more) in to.iter_mut().zip(more) {
        *to += more;
    }
}

/// Splits a reach by an answer: first that of accepting, then that of rejecting.
fn split(reach: &[f32], accept: &[f32]) -> [Vec<f32>; 2] {
    let rejecting = reach.iter().zip(accept).map(|(reach, p)| reach * (1.0 - p));
    [product(reach, accept), rejecting.collect()]
}

/// A trick in which the leader's strategies are computed, for the walks behind each card led.
struct Led<'a, 'b> {
    walk: &'a Walk<'b>,
    at: &'a Place,
    reach: [&'a [f32]; 2],
    chosen: &'a Chosen,
}

impl Trick {
    /// All regrets and sums are 0.
    pub fn new(sets: &Sets, cards: usize) -> Trick {
        Trick {
            lead: Choice::new(sets, cards),
            answer: Answer::new(sets, cards),
            follow: vec![Choice::new(sets, cards); RANKS],
            wait: vec![Answer::new(sets, cards - 1); RANKS],
        }
    }

    /// The learner's counterfactual values before the trick, in chances to win the game above those
    /// of a tie. `below` has an entry for each way to play the trick, and `after` walks on there.
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
        // The subtrees of the 13 cards are independent: they go to the threads, and come back in a
        // fixed order.
        let each: Vec<Vec<f32>> = tables
            .zip(below.par_chunks_mut(RANKS))
            .enumerate()
            .map(|(card, ((follow, wait), below))| led.behind(card, (follow, wait), below, after))
            .collect();
        // The leader's offer: the hands that make it, and the answers to it.
        let ways = walk.sets.ways(&at.left, at.cards);
        let (own, theirs) = (reach[walk.learner], reach[1 - at.lead]);
        let offering = product(&chosen.offers, reach[at.lead]);
        let accept = self.answer.chosen(&walk.pass);
        let ahead = at.ahead(at.lead);
        let to_leader = walk.won(at.lead);
        let sizes = (at.cards, at.cards);
        // An accepted offer. The tables sum over the other's hands, weighted by reach and ways; the
        // ways of the own hand and of the cards played are factors.
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
        // The leader learns: its offer is worth the accepted challenge against hands that accept,
        // and the hand against those that reject.
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
        // The follower learns: it answers hands that offer, and its values behind each card led are
        // added, since the leader's choice is in the reach.
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
    /// The reach of the sets that are kept after `card`: that of the hand with the card, times the
    /// probability of playing it.
    fn kept(&self, plays: &[f32], card: usize, reach: &[f32]) -> Vec<f32> {
        let sets = self.walk.sets;
        let plus = sets.plus(self.at.cards - 1, card);
        let plays = &plays[card * plus.len()..][..plus.len()];
        let both = plays.iter().zip(plus);
        both.map(|(part, &set)| part * reach[usize::from(set)])
            .collect()
    }

    /// The learner's values behind one card led: for the sets that it keeps if it leads, otherwise
    /// for all its hands.
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
        // First the follower's cards: 13 ways to go on, each with the reach that both still have.
        let mut of_leader = vec![0.0; kept];
        let mut plays = Vec::new();
        for (followed, below) in below.iter_mut().enumerate() {
            let following = self.kept(&how.plays, followed, theirs);
            let mut both: [&[f32]; 2] = [&leading; 2];
            both[1 - lead] = &following;
            let next = at.after(led, followed);
            let values = after(below, (led, followed), &next, both);
            match leads {
                // For the leader the follower's cards are summed; their probabilities are in the
                // reach. The follower chooses among them, so it needs each by itself.
                true => add(&mut of_leader, &values),
                false => plays.extend(values),
            }
        }
        // Then the follower's offer, with the led card on the table: the leader has one card less
        // than the follower.
        let on_table = at.without(led);
        let factor = on_table.ways;
        let ways = [at.cards - 1, at.cards].map(|cards| sets.ways(&on_table.left, cards));
        let offering = product(&how.offers, theirs);
        let call = wait.chosen(pass);
        let to_follower = walk.won(1 - lead);
        let state = (at.cards, lead, at.ahead(lead));
        let challenged = |reach: &[f32]| {
            // Ways by the number of cards: 0 for the leader's kept sets, 1 for the follower's
            // hands.
            let (own, others) = if leads { (0, 1) } else { (1, 0) };
            let reach = product(reach, &ways[others]);
            let mut values = walk.accepted.follow(state, led, leads, &reach);
            for (value, ways) in values.iter_mut().zip(&ways[own]) {
                *value *= ways * factor as f32;
            }
            values
        };
        // The leader learns its answer to hands that offer.
        if leads {
            let accepted = challenged(&offering);
            let sizes = (at.cards - 1, at.cards);
            let rejected = sets.weigh(&on_table.left, sizes, &offering, -factor * to_follower);
            let both = [&accepted[..], &rejected[..]];
            add(&mut of_leader, &wait.decide(&call, both, &leading, pass));
            return of_leader;
        }
        // The follower learns: the offer is worth the accepted challenge and the rejections, and
        // competes with the cards.
        let [calling, folding] = split(&leading, &call);
        let mut offered = challenged(&calling);
        let sizes = (at.cards, at.cards - 1);
        let rejected = sets.weigh(&on_table.left, sizes, &folding, factor * to_follower);
        add(&mut offered, &rejected);
        follow.decide(sets, &how, (&plays, &offered), theirs, pass)
    }
}
