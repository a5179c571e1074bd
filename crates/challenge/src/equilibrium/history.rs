//! The history of a hand up to its endgame, and the ranges of both players after it.

use super::endgame::Endgame;
use super::{Multisets, Stakes};
use crate::rules::{Cards, Decision, PublicState, Seat};

/// The decisions before an endgame.
pub struct History {
    /// Each with what was public before it.
    steps: Vec<(PublicState, Decision)>,
    /// What is public after them.
    public: PublicState,
}

impl History {
    /// The decisions of a hand up to where both players hold so many cards; none if it does not come there.
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

    /// Whether nothing was decided yet.
    pub fn is_empty(&self) -> bool {
        self.steps.is_empty()
    }

    /// What is public after them.
    pub fn public(&self) -> &PublicState {
        &self.public
    }

    /// The probability that a player who now holds these cards has decided as it did, if it strays from the policy
    /// with this probability at every decision.
    fn reach(&self, policy: Policy, stray: f32, seat: Seat, left: Cards) -> f32 {
        let mut held = left;
        let mut reach = 1.0;
        for &(public, decision) in self.steps.iter().rev() {
            if public.to_act() != seat {
                continue;
            }
            if let Decision::Play(card) = decision {
                held.insert(card);
            }
            reach *= stray + (1.0 - stray) * policy(&public, held, decision);
            if reach <= 0.0 {
                break;
            }
        }
        reach
    }

    /// The endgame after these decisions if both play by a policy. `stray` is by player the probability of any other
    /// decision; `deck` is what both were dealt from.
    pub fn endgame(&self, policy: Policy, stray: [f32; 2], stakes: Stakes, deck: Cards) -> Endgame {
        let hands = Multisets::new(self.public.tricks_left());
        let reach = [0, 1].map(|seat: Seat| {
            let played = self.public.played[seat];
            let weight = |&left: &Cards| {
                let dealt = left.plus(played);
                let mut ranks = dealt.ranks();
                if ranks.any(|card| dealt.count(card) > deck.count(card)) {
                    return 0.0;
                }
                let orders = dealt
                    .ranks()
                    .map(|card| -> f32 { (1..=dealt.count(card)).map(f32::from).product() });
                self.reach(policy, stray[seat], seat, left) / orders.product::<f32>()
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

/// The probability of a decision of the player to act who holds these cards.
pub type Policy<'a> = &'a dyn Fn(&PublicState, Cards, Decision) -> f32;
