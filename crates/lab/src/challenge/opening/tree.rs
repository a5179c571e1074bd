//! The public tree of the first two tricks: walks over it for training, and play and ranges by its averages.
//!
//! A public state is what both players see: the cards played and the offers. Each node holds the
//! strategies of all hands at once, so one walk of the tree is an iteration for every hand. The
//! tree has one first trick, 169 second ones (13 cards led by 13 followed with) and 28,561 ends.
//! Offers need no nodes: if an offer is rejected, the hand ends; if it is accepted,
//! [`Accepted`](super::accepted::Accepted) gives the values.

use super::choice::OFFER;
use super::place::{Place, Plays};
use super::sets::{Sets, card, rank};
use super::trick::{Trick, Walk};
use super::values::Strength;
use challenge::deals;
use challenge::equilibrium::blueprint::{Distribution, Opening, Weights};
use challenge::rules::{Cards, Decision, HAND_SIZE, PublicState, RANKS, Seat};
use engine::rng::{Random, below, pick, unit};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

/// A strategy: the decisions of the player to act in a public state if it holds these cards.
pub(super) type Policy<'a> = &'a (dyn Fn(&PublicState, Cards) -> Distribution + Sync);

/// The strategies of the first two tricks.
#[derive(PartialEq, Serialize, Deserialize)]
pub(super) struct Tree {
    pub first: Trick,
    /// By the cards led and followed with in the first trick, `led * 13 + followed`.
    pub second: Vec<Trick>,
}

impl Tree {
    /// All regrets and sums are 0.
    pub fn new(sets: &Sets) -> Tree {
        Tree {
            first: Trick::new(sets, HAND_SIZE),
            second: vec![Trick::new(sets, HAND_SIZE - 1); RANKS * RANKS],
        }
    }

    /// A tree whose averages are the decisions of a policy.
    pub fn of(sets: &Sets, policy: Policy) -> Tree {
        let mut tree = Tree::new(sets);
        let opened = PublicState::new(0);
        tree.first.set_averages(sets, &opened, HAND_SIZE, policy);
        // The two cards of the first trick are the whole public state.
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

    /// Walks the tree once, as `walk` says, and returns the values of all the learner's hands before the first
    /// decision. `dealt` is the reach of both players' hands at the deal, see [`dealt`](super::sets::dealt).
    pub fn visit(&mut self, walk: &Walk, dealt: &[f32]) -> Vec<f32> {
        let second = |trick: &mut Trick, plays: (usize, usize), at: &Place, reach: [&[f32]; 2]| {
            // If the other player never comes here, all counterfactual values are 0, and so are the
            // regrets.
            if reach[1 - walk.learner].iter().all(|&reach| reach == 0.0) {
                return vec![0.0; walk.sets.count(at.cards)];
            }
            let number = plays.0 * RANKS + plays.1;
            let third = |_: &mut (), plays: (usize, usize), at: &Place, reach: [&[f32]; 2]| {
                // The number of the end: the four ranks as digits to base 13.
                let leaf = (number * RANKS + plays.0) * RANKS + plays.1;
                third_trick(walk, leaf, at, reach)
            };
            trick.visit(walk, at, reach, &mut [(); RANKS * RANKS], &third)
        };
        // Both ranges are whole at the deal.
        let reach = [dealt; 2];
        self.first
            .visit(walk, &Place::first(), reach, &mut self.second, &second)
    }

    /// The trick with this number, 0 or 1, after the cards in `plays`.
    fn trick(&self, plays: &Plays, number: usize) -> &Trick {
        match number {
            0 => &self.first,
            _ => &self.second[plays[0] * RANKS + plays[1]],
        }
    }

    /// The ranges of both players where the third trick begins, if they play by the averages: for
    /// each set of three cards its reach, in the form that `Endgame` takes. At each decision, player `p`
    /// deviates from the averages with the probability `stray[p]`.
    ///
    /// A set of three cards came from one hand of five, the set with the two cards that its player
    /// has played. Its reach is that of the deal times `stray + (1 − stray) · p` for each of the
    /// two decisions, where `p` is the average probability of that card.
    pub fn ranges(&self, sets: &Sets, plays: &Plays, stray: [f32; 2]) -> [Vec<f32>; 2] {
        // The leaders of the two tricks: player 0 opens, then the winner leads.
        let leads = [0, Place::first().after(plays[0], plays[1]).lead];
        [0, 1].map(|seat: Seat| {
            let own = [0, 1].map(|trick| plays[2 * trick + usize::from(leads[trick] != seat)]);
            let range = |&left: &Cards| {
                let dealt = left.with(card(own[0])).with(card(own[1]));
                if !dealt.is_within(challenge::rules::PACKS) {
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
                    // The second decision is that of the four cards left.
                    held.remove(card(played));
                }
                reach
            };
            sets.all(HAND_SIZE - 2).iter().map(range).collect()
        })
    }

    /// Deals and plays two tricks. `pick` returns the rank of the player's card, counted from 0, or
    /// none to end the hand. Returns the cards that were played and those that both still hold.
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
    /// The averages in the form that a player loads. Where the weights of a hand's decision sum to at most `least`
    /// times the hand's reach at the deal, nothing is stored, and a player decides by the blueprint's tables. An answer
    /// to an offer is stored as a rejection then: its tables have no sign for "unknown".
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
            // A hand adds its reach to the sums in each iteration, and the reach begins with that
            // of the deal: of the hand with the cards that it has played.
            let dealt = own.plus(public.shown(public.to_act()));
            let comes = |sum: f32| sum > least * super::sets::dealt(dealt);
            // A challenge that was offered: accept or reject.
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
            // Otherwise a card or an offer.
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

/// The turn of a player that is to play a card in a sampled hand.
pub(super) struct Turn<'a> {
    trick: &'a Trick,
    led: Option<usize>,
    pub seat: Seat,
    own: Cards,
}

impl Turn<'_> {
    /// The strategies of the decision at hand.
    fn choice(&self) -> &super::choice::Choice {
        match self.led {
            None => &self.trick.lead,
            Some(led) => &self.trick.follow[led],
        }
    }

    /// A card by the averages, with offers left out; any own card with the probability `wild`.
    pub fn card(&self, sets: &Sets, wild: f64, rng: &mut Random) -> usize {
        let own: Vec<usize> = self.own.ranks().map(rank).collect();
        let (parts, _) = self.choice().average(sets, self.own);
        let sum: f32 = parts.iter().sum();
        if unit(rng) < wild || sum <= f32::MIN_POSITIVE {
            return own[below(rng, own.len())];
        }
        // Draw in proportion to the cards' probabilities, which do not sum to 1 without the offer.
        let chances = own.iter().map(|&rank| parts[rank]);
        own[pick(chances, unit(rng) as f32 * sum).unwrap_or(0)]
    }

    /// A card by the averages; none for an offer.
    pub fn decision(&self, sets: &Sets, rng: &mut Random) -> Option<usize> {
        let (parts, _) = self.choice().average(sets, self.own);
        pick(parts, unit(rng) as f32)
    }

    /// The best decision by the last walk with [`Pass::Respond`](super::choice::Pass::Respond);
    /// none for an offer.
    pub fn best(&self) -> Option<usize> {
        let best = self.choice().best(self.own);
        (best != OFFER).then_some(usize::from(best))
    }
}

impl Trick {
    /// Sets the averages of all hands of `cards` cards to the decisions of a policy. `public` is the state before
    /// the trick.
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
        // The leader may offer, and the other then answers with as many cards.
        let offered = public.after(Decision::Offer);
        for &own in sets.all(cards) {
            let (plays, offer, _) = chosen(public, own);
            self.lead.set_average(sets, own, &plays, offer);
            self.answer.set_average(own, chosen(&offered, own).2);
        }
        // The follower may offer after the card is led, and the leader then answers with one card
        // less.
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

/// The learner's counterfactual values where the third trick begins: the payoff of each hand by the
/// value function, times the weight of the ways to get there.
fn third_trick(walk: &Walk, leaf: usize, at: &Place, reach: [&[f32]; 2]) -> Vec<f32> {
    // The other never comes here.
    if reach[1 - walk.learner].iter().all(|&reach| reach == 0.0) {
        return vec![0.0; walk.sets.count(at.cards)];
    }
    let tables = (walk.sets, walk.accepted);
    let strength = |seat| Strength::new(tables, at, seat, reach);
    let own = strength(walk.learner);
    // The values of both players are compared only in the walk of player 0; the walk of player 1
    // uses the same correction. This halves the work.
    let compares = walk.learner == 0 && reach[0].iter().any(|&reach| reach > 0.0);
    let other = compares.then(|| strength(1));
    let mut values = walk.values.balanced(leaf, &own, other.as_ref());
    for (value, weight) in values.iter_mut().zip(own.weights()) {
        *value *= weight;
    }
    values
}
