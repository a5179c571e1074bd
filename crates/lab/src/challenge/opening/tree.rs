//! The public tree of the first two tricks.

use super::choice::OFFER;
use super::place::{Place, Plays};
use super::sets::{Sets, card, rank};
use super::trick::{Trick, Walk};
use super::values::Strength;
use challenge::deals;
use challenge::equilibrium::blueprint::{Distribution, Opening, Weights};
use challenge::rules::{Cards, Decision, HAND_SIZE, PublicState, RANKS, Seat};
use engine::rng::{Random, below, unit};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

/// How the player to act decides who holds these cards.
pub(super) type Policy<'a> = &'a (dyn Fn(&PublicState, Cards) -> Distribution + Sync);

/// The first two tricks.
#[derive(Serialize, Deserialize)]
pub(super) struct Tree {
    pub first: Trick,
    /// By the cards led and followed with in the first.
    pub second: Vec<Trick>,
}

impl Tree {
    /// Before the first iteration.
    pub fn new(sets: &Sets) -> Tree {
        Tree {
            first: Trick::new(sets, HAND_SIZE),
            second: vec![Trick::new(sets, HAND_SIZE - 1); RANKS * RANKS],
        }
    }

    /// With the averages of a policy.
    pub fn of(sets: &Sets, policy: Policy) -> Tree {
        let mut tree = Tree::new(sets);
        let opened = PublicState::new(0);
        tree.first.set_averages(sets, &opened, HAND_SIZE, policy);
        let second = tree.second.par_iter_mut().enumerate();
        second.for_each(|(number, trick)| {
            let cards = [number / RANKS, number % RANKS].map(card);
            let after =
                |public: PublicState, card| PublicState::after(public, Decision::Play(card));
            let public = cards.into_iter().fold(opened, after);
            trick.set_averages(sets, &public, HAND_SIZE - 1, policy);
        });
        tree
    }

    /// The values of the learner's hands, as they are dealt.
    pub fn visit(&mut self, walk: &Walk, dealt: &[f32]) -> Vec<f32> {
        let second = |trick: &mut Trick, plays: (usize, usize), at: &Place, reach: [&[f32]; 2]| {
            if reach[1 - walk.learner].iter().all(|&reach| reach == 0.0) {
                return vec![0.0; walk.sets.count(at.cards)];
            }
            let number = plays.0 * RANKS + plays.1;
            let third = |_: &mut (), plays: (usize, usize), at: &Place, reach: [&[f32]; 2]| {
                let leaf = (number * RANKS + plays.0) * RANKS + plays.1;
                third_trick(walk, leaf, at, reach)
            };
            trick.visit(walk, at, reach, &mut [(); RANKS * RANKS], &third)
        };
        let reach = [dealt; 2];
        self.first
            .visit(walk, &Place::first(), reach, &mut self.second, &second)
    }

    /// The trick that a card belongs to.
    fn trick(&self, plays: &Plays, number: usize) -> &Trick {
        match number {
            0 => &self.first,
            _ => &self.second[plays[0] * RANKS + plays[1]],
        }
    }

    /// The ranges with which both come to the third trick, if they play by the averages: by player for each set of
    /// three cards, as an endgame wants it. `stray` is by player the probability of any other decision.
    pub fn ranges(&self, sets: &Sets, plays: &Plays, stray: [f32; 2]) -> [Vec<f32>; 2] {
        let leads = [0, Place::first().after(plays[0], plays[1]).lead];
        [0, 1].map(|seat: Seat| {
            let own = [0, 1].map(|trick| plays[2 * trick + usize::from(leads[trick] != seat)]);
            let range = |&left: &Cards| {
                let dealt = left.with(card(own[0])).with(card(own[1]));
                let possible = dealt
                    .ranks()
                    .all(|card| dealt.count(card) <= challenge::rules::PACKS.count(card));
                if !possible {
                    return 0.0;
                }
                let mut reach = super::sets::dealt(dealt);
                let mut held = dealt;
                for (number, &played) in own.iter().enumerate() {
                    let trick = self.trick(plays, number);
                    let choice = match leads[number] == seat {
                        true => &trick.lead,
                        false => &trick.follow[plays[2 * number]],
                    };
                    let (parts, _) = choice.average(sets, held);
                    reach *= stray[seat] + (1.0 - stray[seat]) * parts[played];
                    held.remove(card(played));
                }
                reach
            };
            sets.all(HAND_SIZE - 2).iter().map(range).collect()
        })
    }

    /// Deals and plays two tricks by `pick`, which names the player's card by its rank, or ends the hand: the cards that
    /// were played, and what both still hold.
    pub fn play(
        &self,
        rng: &mut Random,
        mut pick: impl FnMut(Turn, &mut Random) -> Option<usize>,
    ) -> Option<(Plays, [Cards; 2])> {
        let mut hands = deals::fresh(rng);
        let mut at = Place::first();
        let mut plays = [0; 4];
        for number in 0..2 {
            for leads in [true, false] {
                let seat = if leads { at.lead } else { 1 - at.lead };
                let turn = Turn {
                    trick: self.trick(&plays, number),
                    led: (!leads).then_some(plays[2 * number]),
                    seat,
                    own: hands[seat],
                };
                let played = pick(turn, rng)?;
                plays[2 * number + usize::from(!leads)] = played;
                hands[seat].remove(card(played));
            }
            at = at.after(plays[2 * number], plays[2 * number + 1]);
        }
        Some((plays, hands))
    }
}

impl Tree {
    /// The averages, as a player loads them: nothing for hands that come to a decision less often than `least` of the
    /// weight of all iterations.
    pub fn opening(&self, sets: &Sets, least: f32) -> Opening {
        Opening::new(|public, own| {
            let trick = match public.tricks_left() {
                HAND_SIZE => &self.first,
                _ => {
                    let played = [0, 1].map(|seat: Seat| public.played[seat].lowest());
                    let [Some(led), Some(followed)] = played else {
                        return Weights::default();
                    };
                    &self.second[rank(led) * RANKS + rank(followed)]
                }
            };
            let mut weights = Weights::default();
            let led = public.table.map(rank);
            let comes = |sum: f32| sum > least * super::sets::dealt(own);
            if public.must_answer() {
                let answer = match led {
                    None => &trick.answer,
                    Some(led) => &trick.wait[led],
                };
                let [accept, reject] = answer.weights(own);
                if comes(accept + reject) {
                    weights.accept = accept / (accept + reject);
                }
                return weights;
            }
            let choice = match led {
                None => &trick.lead,
                Some(led) => &trick.follow[led],
            };
            let (plays, offer) = choice.weights(sets, own);
            if comes(plays.iter().sum::<f32>() + offer) {
                (weights.plays, weights.offer) = (plays, offer);
            }
            weights
        })
    }
}

/// Who is to play a card.
pub(super) struct Turn<'a> {
    trick: &'a Trick,
    led: Option<usize>,
    pub seat: Seat,
    own: Cards,
}

impl Turn<'_> {
    fn choice(&self) -> &super::choice::Choice {
        match self.led {
            None => &self.trick.lead,
            Some(led) => &self.trick.follow[led],
        }
    }

    /// A card by the averages, as if no challenge could be offered; any one with the probability `wild`.
    pub fn card(&self, sets: &Sets, wild: f64, rng: &mut Random) -> usize {
        let own: Vec<usize> = self.own.ranks().map(rank).collect();
        let (parts, _) = self.choice().average(sets, self.own);
        let sum: f32 = parts.iter().sum();
        if unit(rng) < wild || sum <= f32::MIN_POSITIVE {
            return own[below(rng, own.len())];
        }
        let mut left = unit(rng) as f32 * sum;
        let drawn = own.iter().find(|&&rank| {
            left -= parts[rank];
            left < 0.0
        });
        *drawn.unwrap_or(&own[0])
    }

    /// A card by the averages; none for an offer.
    pub fn decision(&self, sets: &Sets, rng: &mut Random) -> Option<usize> {
        let (parts, _) = self.choice().average(sets, self.own);
        let mut left = unit(rng) as f32;
        parts.iter().position(|part| {
            left -= part;
            left < 0.0
        })
    }

    /// What the last walk that responded found best; none for an offer.
    pub fn best(&self) -> Option<usize> {
        let best = self.choice().best(self.own);
        (best != OFFER).then_some(usize::from(best))
    }
}

impl Trick {
    /// Takes over the averages of a policy.
    fn set_averages(&mut self, sets: &Sets, public: &PublicState, cards: usize, policy: Policy) {
        let chosen = |public: &PublicState, own: Cards| {
            let (mut plays, mut offer, mut accept) = ([0.0; RANKS], 0.0, 0.0);
            for (decision, probability) in policy(public, own) {
                match decision {
                    Decision::Play(card) => plays[rank(card)] += probability,
                    Decision::Offer => offer += probability,
                    Decision::Accept => accept += probability,
                    Decision::Reject => {}
                }
            }
            (plays, offer, accept)
        };
        let offered = public.after(Decision::Offer);
        for &own in sets.all(cards) {
            let (plays, offer, _) = chosen(public, own);
            self.lead.set_average(sets, own, &plays, offer);
            self.answer.set_average(own, chosen(&offered, own).2);
        }
        for led in 0..RANKS {
            let on_table = public.after(Decision::Play(card(led)));
            for &own in sets.all(cards) {
                let (plays, offer, _) = chosen(&on_table, own);
                self.follow[led].set_average(sets, own, &plays, offer);
            }
            let offered = on_table.after(Decision::Offer);
            for &own in sets.all(cards - 1) {
                self.wait[led].set_average(own, chosen(&offered, own).2);
            }
        }
    }
}

/// The learner's values where the third trick begins.
fn third_trick(walk: &Walk, leaf: usize, at: &Place, reach: [&[f32]; 2]) -> Vec<f32> {
    if reach[1 - walk.learner].iter().all(|&reach| reach == 0.0) {
        return vec![0.0; walk.sets.count(at.cards)];
    }
    let tables = (walk.sets, walk.accepted);
    let strength = |seat| Strength::new(tables, at, seat, reach);
    let own = strength(walk.learner);
    // Both players' values are compared once for both walks: that halves the work.
    let compares = walk.learner == 0 && reach[0].iter().any(|&reach| reach > 0.0);
    let other = compares.then(|| strength(1));
    let mut values = walk.values.balanced(leaf, &own, other.as_ref());
    for (value, weight) in values.iter_mut().zip(own.weights()) {
        *value *= weight;
    }
    values
}
