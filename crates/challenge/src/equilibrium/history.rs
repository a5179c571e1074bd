//! The history of a hand up to its endgame, and the ranges of both players after it.

use super::endgame::{Endgame, Plays};
use super::{Multisets, Stakes};
use crate::deals;
use crate::rules::{Cards, Decision, PublicState, Seat};

/// The part of a range that does not follow the blueprint: an opponent may play otherwise.
const STRAY: f32 = 0.05;
/// Hands less likely than this, relative to the likeliest, are left out.
const LEAST: f32 = 1e-3;

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

    /// The probability that a player who now holds these cards has decided as it did.
    fn reach(&self, policy: Policy, seat: Seat, left: Cards) -> f32 {
        let mut held = left;
        let mut reach = 1.0;
        for &(public, decision) in self.steps.iter().rev() {
            if public.to_act() != seat {
                continue;
            }
            if let Decision::Play(card) = decision {
                held.insert(card);
            }
            reach *= STRAY + (1.0 - STRAY) * policy(&public, held, decision);
        }
        reach
    }

    /// The endgame after these decisions if both play by a policy. `hands` are all sets of as many
    /// cards as are left; `deck` is what both were dealt from.
    pub fn endgame(
        &self,
        hands: &Multisets,
        policy: Policy,
        stakes: Stakes,
        deck: Cards,
    ) -> Endgame {
        let dealt = |seat: Seat, left: Cards| left.plus(self.public.played[seat]);
        let ranges = [0, 1].map(|seat| {
            let weight = |&left: &Cards| {
                let ways = deals::ways(deck, dealt(seat, left)) as f32;
                let reach = if ways > 0.0 {
                    self.reach(policy, seat, left)
                } else {
                    0.0
                };
                (left, ways * reach)
            };
            let range: Vec<(Cards, f32)> = hands.all().iter().map(weight).collect();
            let most = range.iter().fold(0.0, |most: f32, entry| most.max(entry.1));
            let likely = |entry: &(Cards, f32)| entry.1 > most * LEAST;
            range.into_iter().filter(likely).collect::<Vec<_>>()
        });
        let weights = ranges[0].iter().flat_map(|&(one, first)| {
            let rest = deck.minus(dealt(0, one));
            ranges[1].iter().map(move |&(two, second)| {
                let ways = deals::ways(deck, dealt(1, two)).max(1.0) as f32;
                let left = deals::ways(rest, dealt(1, two)) as f32;
                first * second * left / ways
            })
        });
        let weights = weights.collect();
        Endgame {
            public: self.public,
            stakes,
            hands: ranges.map(|range| range.iter().map(|&(left, _)| left).collect()),
            weights,
            plays: Plays::Sensible,
        }
    }
}

/// The probability of a decision of the player to act who holds these cards.
pub type Policy<'a> = &'a dyn Fn(&PublicState, Cards, Decision) -> f32;
