//! The features of a decision, from which habits are learnt: numbers about the hand, the card and the score.
//!
//! Ranks are centred near their mean and scaled to about one unit, so that one strength of regularisation suits all
//! features.

use super::choice::Features;
use crate::player::response::DecisionPoint;
use crate::rules::{Card, Cards, DEFAULT_GOAL, HAND_SIZE, other};

/// How many features an offer or an acceptance has.
pub const BET: usize = 25;
/// How many features a card has.
pub const CARD: usize = 10;

/// Probabilities are kept this far from 0 and 1, so that logarithms stay finite.
const LEAST: f32 = 1e-3;

/// The features of a bet, an offer or an acceptance, by a player with these cards (without one on the table). The
/// other option, not to bet, has features 0. `chance` is the blueprint's probability of betting here.
pub fn of_bet(point: &DecisionPoint, cards: Cards, chance: f32) -> Features<BET> {
    let public = &point.public;
    let seat = public.to_act();
    let own_table = public.table.filter(|_| public.lead == seat);
    let their_table = public.table.filter(|_| public.lead != seat);
    let held = own_table.map_or(cards, |card| cards.with(card));
    let count = held.len().clamp(1, HAND_SIZE);
    let ahead = public.ahead(seat);
    let rank = |card: Card| f32::from(card.rank());
    let mean = held.iter().map(rank).sum::<f32>() / count as f32;
    // The tricks still needed for more than half of those that are taken: with `l` left and `a` ahead,
    // `(l − a) / 2 + 1`, rounded down. With 4 left and 1 ahead these are 2: then at most 2 fall to the other, which is
    // 1 behind.
    let goal = (public.tricks_left() as i8 - ahead) / 2 + 1;
    let top = goal.clamp(1, count as i8) as usize;
    let needed = held.iter().rev().take(top).map(rank).sum::<f32>() / top as f32;
    let best = held.highest().map_or(0.0, rank);
    let points = [seat, other(seat)].map(|seat| point.points[seat]);
    let match_point = |points: u8| points >= DEFAULT_GOAL - 1;
    let flag = |holds: bool| f32::from(u8::from(holds));
    let (strength, need) = ((mean - 8.0) / 3.0, (needed - 9.0) / 3.0);
    let mut features = [0.0; BET];
    // A constant, the blueprint's own log-odds, and the hand's strength.
    features[0] = 1.0;
    features[1] = ln_odds(chance);
    features[2] = strength;
    features[3] = need;
    features[4] = (best - 10.0) / 3.0;
    // One flag for each number of cards held, at 5 to 9.
    features[4 + count] = 1.0;
    // The state of the hand and of the game.
    features[10] = flag(ahead < 0);
    features[11] = flag(ahead > 0);
    features[12] = f32::from(ahead) / 2.0;
    features[13] = flag(match_point(points[0]));
    features[14] = flag(match_point(points[1]));
    features[15] = (f32::from(points[0]) - f32::from(points[1])) / 5.0;
    // The card on the table.
    if let Some(card) = their_table {
        features[16] = flag(held.lowest_above(card).is_some());
        features[17] = (rank(card) - 8.0) / 3.0;
    }
    if let Some(card) = own_table {
        features[18] = (rank(card) - 8.0) / 3.0;
    }
    // Products: habits that depend on strength only in some situations.
    features[19] = strength * flag(count >= 4);
    features[20] = need * flag(ahead > 0);
    features[21] = need * flag(ahead < 0);
    features[22] = strength * flag(match_point(points[1]));
    features[23] = strength * features[15];
    features[24] = flag(i32::from(goal) > count as i32);
    features
}

/// The features of playing one of the cards held. `chance` is the blueprint's probability of playing it, given that
/// a card is played.
pub fn of_card(point: &DecisionPoint, cards: Cards, card: Card, chance: f32) -> Features<CARD> {
    let flag = |holds: bool| f32::from(u8::from(holds));
    let ranks = cards.ranks().count();
    let below = cards.ranks().filter(|&other| other < card).count();
    // From 0 for the lowest to 1 for the highest rank held.
    let place = below as f32 / ranks.saturating_sub(1).max(1) as f32;
    let mut features = [0.0; CARD];
    features[0] = engine::numerics::ln(f64::from(chance.max(LEAST))) as f32;
    features[1] = flag(below == 0);
    features[2] = flag(below + 1 == ranks);
    // Leading and following are separate habits.
    match point.public.table {
        None => {
            features[3] = place;
            features[4] = place * place;
            features[5] = place * f32::from(point.public.ahead(point.public.to_act())) / 2.0;
        }
        Some(led) => {
            features[6] = flag(card > led);
            features[7] = flag(cards.lowest_above(led) == Some(card));
            features[8] = flag(card == led);
            features[9] = place;
        }
    }
    features
}

/// The log-odds `ln(p / (1 − p))` of a probability.
fn ln_odds(chance: f32) -> f32 {
    let chance = f64::from(chance.clamp(LEAST, 1.0 - LEAST));
    engine::numerics::ln(chance / (1.0 - chance)) as f32
}
