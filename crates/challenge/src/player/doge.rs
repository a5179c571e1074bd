//! *doge*: a hand-made rule with thresholds on the mean rank of the hand.

use super::baseline::{Rule, answer, at_match_point, cheapest, holding, mean};
use crate::rules::{Card, Decision};
use crate::view::{Asked, View};
use engine::rng::Random;

/// Leads its lowest card, follows with the smallest winner or its lowest, and offers and accepts by the mean rank
/// it holds, the score and whether it is behind in tricks.
pub struct Doge;

impl Rule for Doge {
    fn choose(&self, view: &View, _: &mut Random) -> Decision {
        match view.asked {
            Asked::Answer => answer(accepts(view)),
            Asked::Card if view.can_challenge && offers(view) => Decision::Offer,
            Asked::Card => cheapest(view),
        }
    }
}

/// Whether the player offers a challenge.
fn offers(view: &View) -> bool {
    let (mean, count) = (mean(view.cards), view.cards.len());
    let ahead = i16::from(view.own_points) - i16::from(view.their_points);
    // The next lost hand loses the game anyway, so a challenge risks nothing.
    if at_match_point(view.their_points) && view.own_points < 8 {
        return true;
    }
    if view.own_tricks < view.their_tricks {
        return false;
    }
    let secure = ahead > 5 || at_match_point(view.own_points);
    (count >= 3 && ahead < 3 && mean > 9.0)
        || (secure && mean > 10.0)
        || (count == 5 && mean > 12.0)
        || (ahead < -4 && mean > 9.0)
}

/// Whether the player accepts a challenge.
fn accepts(view: &View) -> bool {
    if at_match_point(view.their_points) {
        return true;
    }
    if view.own_tricks < view.their_tricks {
        return false;
    }
    let cards = holding(view);
    let mean = mean(cards);
    let behind = i16::from(view.their_points) - i16::from(view.own_points);
    match cards.len() {
        3.. if mean > 10.0 => true,
        2 if mean > 11.0 => true,
        1 if cards.highest().map(Card::rank) == Some(13) => true,
        _ => behind > 6 && mean > 9.0,
    }
}
