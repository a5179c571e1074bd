//! The decisions of a hand before its endgame, and both players' ranges after them.
//!
//! `Resolving` solves an endgame from these ranges. They follow by Bayes' rule: a hand's weight is the number of ways
//! to deal it, times the probability of each decision that its player has made with it.

use super::endgame::Endgame;
use super::{Multisets, Stakes};
use crate::deals::orders;
use crate::rules::{Cards, Decision, PublicState, Seat};

/// The decisions of a hand before its endgame.
pub struct History {
    /// Each decision with the public state before it.
    steps: Vec<(PublicState, Decision)>,
    /// The public state after all steps.
    public: PublicState,
}

impl History {
    /// The decisions of a hand up to the trick at whose start both players hold `cards` cards. None if the hand has
    /// not come to that trick.
    pub fn of(opener: Seat, log: &[Decision], cards: usize) -> Option<History> {
        let mut public = PublicState::new(opener);
        let mut steps = Vec::new();
        for &decision in log {
            if public.tricks_left() == cards {
                break;
            }
            steps.push((public, decision));
            public = public.after(decision);
        }
        let begins = public.tricks_left() == cards && !public.is_rejected();
        begins.then_some(History { steps, public })
    }

    /// The number of decisions.
    pub fn len(&self) -> usize {
        self.steps.len()
    }

    /// Whether there are no decisions yet.
    pub fn is_empty(&self) -> bool {
        self.steps.is_empty()
    }

    /// The public state after all these decisions.
    pub fn public(&self) -> &PublicState {
        &self.public
    }

    /// The probability of a player's decisions if it now holds the cards `left`. At every decision it deviates from
    /// the policy with probability `stray`.
    fn reach(&self, policy: Policy, stray: f32, seat: Seat, left: Cards) -> f32 {
        let mut held = left;
        let mut reach = 1.0;
        // Backwards from the cards now held: a card that was played was in the hand at every decision before.
        for &(public, decision) in self.steps.iter().rev() {
            if public.to_act() != seat {
                continue;
            }
            if let Decision::Play(card) = decision {
                held.insert(card);
            }
            // Without `stray` one decision that the policy never takes would exclude a hand for good.
            reach *= stray + (1.0 - stray) * policy(&public, held, decision);
            if reach <= 0.0 {
                break;
            }
        }
        reach
    }

    /// The endgame after these decisions if both players follow `policy`, but deviate at each decision with their
    /// probability in `stray`. Both hands were dealt from `deck`.
    pub fn endgame(&self, policy: Policy, stray: [f32; 2], stakes: Stakes, deck: Cards) -> Endgame {
        let hands = Multisets::new(self.public.tricks_left());
        let reach = [0, 1].map(|seat: Seat| {
            let played = self.public.played[seat];
            let weight = |&left: &Cards| {
                let dealt = left.plus(played);
                if !dealt.is_within(deck) {
                    return 0.0;
                }
                // The ways to deal a hand are `(m)_dealt / dealt!` rank by rank. The falling factorial is left to
                // the solver, for both hands together; the factorials belong to one hand alone.
                self.reach(policy, stray[seat], seat, left) / orders(dealt) as f32
            };
            hands.all().iter().map(weight).collect()
        });
        let played = self.public.played[0].plus(self.public.played[1]);
        Endgame {
            public: self.public,
            stakes,
            left: deck.minus(played),
            reach,
        }
    }
}

/// A strategy as a function: the probability of a decision of the player to act if it holds these cards.
pub type Policy<'a> = &'a dyn Fn(&PublicState, Cards, Decision) -> f32;
