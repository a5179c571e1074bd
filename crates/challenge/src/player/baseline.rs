//! Hand-made rules to compare players with, and the functions they share.

use super::Player;
use crate::rules::{Cards, DEFAULT_GOAL, Decision, PublicState};
use crate::view::{Asked, View};
use engine::rng::{Random, below};

/// A rule that needs nothing but the view and random numbers.
pub trait Rule: Send {
    fn choose(&self, view: &View, rng: &mut Random) -> Decision;
}

/// A rule as a player.
pub struct Baseline<R> {
    rule: R,
    rng: Random,
}

impl<R: Rule> Baseline<R> {
    /// A player that follows `rule`, with the generator of its random choices.
    pub fn new(rule: R, rng: Random) -> Baseline<R> {
        Baseline { rule, rng }
    }
}

impl<R: Rule> Player for Baseline<R> {
    fn decide(&mut self, view: &View) -> Decision {
        self.rule.choose(view, &mut self.rng)
    }
}

/// The smallest winner when following, else the lowest card. An offer if the player has no card, as in a broken
/// request.
pub(super) fn cheapest(view: &View) -> Decision {
    let card = view.cheapest_winner().or_else(|| view.cards.lowest());
    card.map_or(Decision::Offer, Decision::Play)
}

/// The end of a hand if both play the smallest winner or the lowest card from here on, without any challenge.
pub fn play_cheaply(mut public: PublicState, mut cards: [Cards; 2]) -> PublicState {
    // Ends early if the hand's winner is certain: the score's sign does not change any more.
    while !public.is_over() && public.settled().is_none() {
        let mover = public.to_act();
        let own = cards[mover];
        let winner = public.table.and_then(|led| own.lowest_above(led));
        let Some(card) = winner.or_else(|| own.lowest()) else {
            break;
        };
        cards[mover].remove(card);
        public = public.after(Decision::Play(card));
    }
    public
}

/// All own cards whose trick is not decided: those held and the one on the table.
pub(super) fn holding(view: &View) -> Cards {
    match view.own_card {
        // A card on the table is still to be compared with the other's.
        Some(card) => view.cards.with(card),
        None => view.cards,
    }
}

/// The mean rank of some cards, 0 without cards.
pub(super) fn mean(cards: Cards) -> f64 {
    let sum: u32 = cards.iter().map(|card| u32::from(card.rank())).sum();
    f64::from(sum) / cards.len().max(1) as f64
}

/// Whether one more point wins the game.
pub(super) fn at_match_point(points: u8) -> bool {
    points >= DEFAULT_GOAL - 1
}

pub(super) fn answer(accepts: bool) -> Decision {
    if accepts {
        Decision::Accept
    } else {
        Decision::Reject
    }
}

/// Plays a random card, and never offers or accepts a challenge.
pub struct RandomCards;

impl Rule for RandomCards {
    fn choose(&self, view: &View, rng: &mut Random) -> Decision {
        match view.asked {
            Asked::Answer => Decision::Reject,
            Asked::Card => random_card(view, rng),
        }
    }
}

/// Always offers, always accepts, and plays a random card.
pub struct Bully;

impl Rule for Bully {
    fn choose(&self, view: &View, rng: &mut Random) -> Decision {
        match view.asked {
            Asked::Answer => Decision::Accept,
            // One offer a hand is allowed, so cards are played after it.
            Asked::Card if view.can_challenge => Decision::Offer,
            Asked::Card => random_card(view, rng),
        }
    }
}

/// Plays a random card. An offer if the player has no card, as in a broken request.
fn random_card(view: &View, rng: &mut Random) -> Decision {
    let number = below(rng, view.cards.len().max(1));
    let card = view.cards.iter().nth(number);
    card.map_or(Decision::Offer, Decision::Play)
}
