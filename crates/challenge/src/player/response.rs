//! Local best response (Lisý and Bowling 2017) to an opponent for which there is a model.
//!
//! The responder keeps the distribution of the other's hands by Bayes' rule. It values a decision as if both played
//! cheaply from then on (the smallest winner or the lowest card) without another challenge. Only the other's answer
//! to an offer comes from the model. Points are valued as at equilibrium. If the model is the opponent's true
//! strategy, what the responder wins is a lower bound on what a best response would win.

use super::Tracker;
use super::baseline::play_cheaply;
use super::counter::draw_hand;
use crate::deals;
use crate::equilibrium::blueprint::Distribution;
use crate::equilibrium::{Multisets, Stakes};
use crate::rules::{Cards, Decision, HAND_SIZE, PACKS, PublicState, Seat, other};
use crate::view::View;
use engine::rng::{Random, unit};

/// A decision multiplies a hand's likelihood by at least this factor: the model may be wrong.
const STRAY: f32 = 1e-3;
/// A hand is dropped if its likelihood is below this part of the likeliest hand's.
const LEAST: f32 = 1e-5;

/// A decision as both players see it, without hidden cards.
#[derive(Clone, Copy, Debug)]
pub struct DecisionPoint {
    /// The public state of the hand.
    pub public: PublicState,
    /// Points of both players.
    pub points: [u8; 2],
    /// The deck that both were dealt from, without the cards seen in earlier hands.
    pub deck: Cards,
}

impl DecisionPoint {
    /// Another decision of the same hand.
    pub(super) fn at(&self, public: PublicState) -> DecisionPoint {
        DecisionPoint { public, ..*self }
    }
}

/// A model of a player: its strategy as a function of the public state and its cards.
pub trait Opponent {
    /// The probability of a decision of the player to act if it holds these cards; 0 if it is not legal.
    fn probability(
        &mut self,
        point: &DecisionPoint,
        cards: Cards,
        decision: Decision,
        rng: &mut Random,
    ) -> f32;

    /// The probabilities of all legal decisions of the player to act if it holds these cards.
    fn distribution(
        &mut self,
        point: &DecisionPoint,
        cards: Cards,
        rng: &mut Random,
    ) -> Distribution {
        let view = View::of_hand(&point.public, cards, point.points);
        let legal = view.legal();
        legal
            .map(|decision| (decision, self.probability(point, cards, decision, rng)))
            .collect()
    }
}

/// The hands of the other that are considered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Hands {
    /// All hands that are possible.
    Every,
    /// This many, drawn when the hand begins: for models that sample at every decision.
    Drawn(usize),
}

/// The responder's knowledge of the hand under way.
#[derive(Clone, Debug)]
pub struct Response {
    hands: Hands,
    sets: Multisets,
    hand: (u64, u32),
    seat: Seat,
    start: DecisionPoint,
    /// The public state after the decisions that the range accounts for, and their number.
    public: PublicState,
    taken_in: usize,
    /// The other's possible hands with their likelihoods.
    range: Vec<(Cards, f32)>,
}

impl Response {
    /// Before the first hand.
    pub fn new(hands: Hands) -> Response {
        let public = PublicState::new(0);
        Response {
            hands,
            sets: Multisets::new(HAND_SIZE),
            // Hands are numbered from 1, so the first view begins one.
            hand: (0, 0),
            seat: 0,
            start: DecisionPoint {
                public,
                points: [0, 0],
                deck: PACKS,
            },
            public,
            taken_in: 0,
            range: Vec::new(),
        }
    }

    /// Updates the range by all decisions since the last call. The tracker has observed the view before.
    pub fn observe(
        &mut self,
        view: &View,
        tracker: &Tracker,
        opponent: &mut dyn Opponent,
        rng: &mut Random,
    ) {
        // A hand that was missed needs no update: the range begins anew with each.
        if self.hand != (view.game_id, view.hand_id) {
            self.begin(view, tracker, rng);
        }
        self.take_in(tracker.log().unwrap_or_default(), opponent, rng);
    }

    /// Updates the range by the decisions that are new; `log` holds all of the hand.
    pub fn take_in(&mut self, log: &[Decision], opponent: &mut dyn Opponent, rng: &mut Random) {
        let new = log.get(self.taken_in..).unwrap_or_default();
        self.taken_in += new.len();
        for &decision in new {
            let point = self.start.at(self.public);
            if self.public.to_act() != self.seat {
                // Bayes' rule: each hand's likelihood times the probability that it decides so. The responder's own
                // decisions say nothing about the other's hand.
                for (cards, likelihood) in &mut self.range {
                    let probability = opponent.probability(&point, *cards, decision, rng);
                    // A floor: the model is learnt or assumed, so nothing that was seen is impossible by it.
                    *likelihood *= probability.max(STRAY);
                    // A hand without the card that was played is impossible.
                    if let Decision::Play(card) = decision
                        && !cards.remove(card)
                    {
                        *likelihood = 0.0;
                    }
                }
                // Only likelihoods relative to the largest matter.
                let most = self.range.iter().fold(0.0f32, |most, r| most.max(r.1));
                self.range.retain(|r| r.1 > most * LEAST);
            }
            self.public = self.public.after(decision);
        }
    }

    /// The cards that the other may hold now, with their likelihoods.
    pub fn range(&self) -> &[(Cards, f32)] {
        &self.range
    }

    /// The hand that is followed: the number of its game, and its own.
    pub fn hand(&self) -> (u64, u32) {
        self.hand
    }

    /// The decision point at the start of the hand.
    pub fn start(&self) -> &DecisionPoint {
        &self.start
    }

    /// Begins a hand: the other may hold any of the cards that are not seen.
    fn begin(&mut self, view: &View, tracker: &Tracker, rng: &mut Random) {
        self.hand = (view.game_id, view.hand_id);
        self.seat = view.player_number;
        self.public = PublicState::new(tracker.public().opener);
        self.start = DecisionPoint {
            public: self.public,
            points: view.points(),
            deck: tracker.deck(),
        };
        self.taken_in = 0;
        // The player's hand as it was dealt: at its first view it has played at most the card on the table.
        let own = view.own_card.into_iter().chain(view.cards.iter()).collect();
        let deck = tracker.deck().minus(own);
        self.range = match self.hands {
            Hands::Every => possible(&self.sets, deck),
            Hands::Drawn(count) => (0..count)
                .map(|_| (draw_hand(deck, HAND_SIZE, rng), 1.0))
                .collect(),
        };
    }

    /// Each legal decision and the chance to win the game after it, against at most `most` of the other's hands.
    pub fn values(
        &self,
        view: &View,
        tracker: &Tracker,
        stakes: &Stakes,
        most: usize,
        opponent: &mut dyn Opponent,
        rng: &mut Random,
    ) -> Vec<(Decision, f32)> {
        // From a large range some hands are drawn. They are the same for every decision, which makes the comparison
        // fair.
        let hands = match self.range.len() > most {
            true => drawn_evenly(&self.range, most, unit(rng) as f32),
            false => self.range.clone(),
        };
        let trial = Trial {
            cards: view.cards,
            point: self.start.at(*tracker.public()),
            stakes,
            hands: &hands,
        };
        let legal = view.legal();
        legal
            .map(|decision| (decision, trial.value(decision, opponent, rng)))
            .collect()
    }
}

/// A decision to be made, and the hands of the other against which it is valued.
struct Trial<'a> {
    cards: Cards,
    point: DecisionPoint,
    stakes: &'a Stakes,
    hands: &'a [(Cards, f32)],
}

impl Trial<'_> {
    /// The chance to win the game after a decision.
    fn value(&self, decision: Decision, opponent: &mut dyn Opponent, rng: &mut Random) -> f32 {
        let seat = self.point.public.to_act();
        let after = self.point.public.after(decision);
        let mut own = self.cards;
        // The player's hand after the decision. The other's changes only in the playout.
        if let Decision::Play(card) = decision {
            own.remove(card);
        }
        let (mut sum, mut total) = (0.0, 0.0);
        for &(theirs, likelihood) in self.hands {
            // Both hands are open here: the other's is the one assumed.
            let play = |public: PublicState| {
                let mut cards = [own; 2];
                cards[other(seat)] = theirs;
                self.stakes.of(&play_cheaply(public, cards), seat)
            };
            // The other's answer depends on its hand: accepting hands are played on, the others give the point.
            let value = if decision == Decision::Offer {
                let offered = self.point.at(after);
                // A rejection ends the hand, so its value does not depend on the cards.
                let accept = opponent.probability(&offered, theirs, Decision::Accept, rng);
                let rejected = self.stakes.of(&after.after(Decision::Reject), seat);
                accept * play(after.after(Decision::Accept)) + (1.0 - accept) * rejected
            } else {
                play(after)
            };
            sum += likelihood * value;
            total += likelihood;
        }
        // The mean over the range, weighed by likelihood.
        sum / total
    }
}

/// Draws `count` hands by their likelihoods, one from each of `count` equal parts of the distribution (systematic
/// sampling, which varies less than independent draws). The same hand may be drawn more than once; all draws have
/// weight 1. `start` from 0 to 1 is the position within each part.
pub(super) fn drawn_evenly(hands: &[(Cards, f32)], count: usize, start: f32) -> Vec<(Cards, f32)> {
    let total: f32 = hands.iter().map(|(_, likelihood)| likelihood).sum();
    let step = total / count as f32;
    let mut drawn = Vec::with_capacity(count);
    let mut sum = 0.0;
    for &(cards, likelihood) in hands {
        sum += likelihood;
        // Draw `k` falls on the hand whose cumulative likelihood first exceeds `(k + start) · step`.
        while drawn.len() < count && (drawn.len() as f32 + start) * step < sum {
            drawn.push((cards, 1.0));
        }
    }
    // Rounding can leave the last part without its hand.
    while let Some(&(cards, _)) = hands.last().filter(|_| drawn.len() < count) {
        drawn.push((cards, 1.0));
    }
    drawn
}

/// All hands that can be dealt from a deck, each with the number of ways to deal it.
fn possible(sets: &Multisets, deck: Cards) -> Vec<(Cards, f32)> {
    let weighted = sets.all().iter();
    weighted
        .map(|&hand| (hand, deals::ways(deck, hand) as f32))
        .filter(|&(_, ways)| ways > 0.0)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::testing::cards;

    #[test]
    fn hands_are_drawn_by_their_likelihoods() {
        let [rare, common, never] = [cards(&[1]), cards(&[2]), cards(&[3])];
        let range = [(never, 0.0), (rare, 0.25), (common, 0.75), (never, 0.0)];
        for start in [0.0, 0.3, 0.999] {
            let drawn = drawn_evenly(&range, 8, start);
            let count = |hand| drawn.iter().filter(|&&(cards, _)| cards == hand).count();
            assert_eq!([count(rare), count(common), count(never)], [2, 6, 0]);
        }
        assert!(drawn_evenly(&[], 0, 0.5).is_empty());
    }
}
