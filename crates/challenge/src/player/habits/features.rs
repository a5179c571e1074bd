//! What a decision is told apart by.

use super::choice::Features;
use crate::player::response::DecisionPoint;
use crate::rules::{Card, Cards, DEFAULT_GOAL, HAND_SIZE, other};

/// Features of an offer, or of an acceptance.
pub const BET: usize = 25;
/// Features of a card.
pub const CARD: usize = 10;

/// The least logarithm of a probability that is told apart.
const LEAST: f32 = 1e-3;

/// What speaks for the bet of a player with these cards (without one on the table): to offer, or to accept. `chance` is
/// that of the tables to bet here.
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
    // Tricks still to be taken for more than half of those that somebody took or may take.
    let goal = (public.tricks_left() as i8 - ahead) / 2 + 1;
    let top = goal.clamp(1, count as i8) as usize;
    let needed = held.iter().rev().take(top).map(rank).sum::<f32>() / top as f32;
    let best = held.highest().map_or(0.0, rank);
    let points = [seat, other(seat)].map(|seat| point.points[seat]);
    let match_point = |points: u8| points + 1 >= DEFAULT_GOAL;
    let flag = |holds: bool| f32::from(u8::from(holds));
    let (strength, need) = ((mean - 8.0) / 3.0, (needed - 9.0) / 3.0);
    let mut features = [0.0; BET];
    features[0] = 1.0;
    features[1] = ln_odds(chance);
    features[2] = strength;
    features[3] = need;
    features[4] = (best - 10.0) / 3.0;
    features[4 + count] = 1.0;
    features[10] = flag(ahead < 0);
    features[11] = flag(ahead > 0);
    features[12] = f32::from(ahead) / 2.0;
    features[13] = flag(match_point(points[0]));
    features[14] = flag(match_point(points[1]));
    features[15] = (f32::from(points[0]) - f32::from(points[1])) / 5.0;
    if let Some(card) = their_table {
        features[16] = flag(held.lowest_above(card).is_some());
        features[17] = (rank(card) - 8.0) / 3.0;
    }
    if let Some(card) = own_table {
        features[18] = (rank(card) - 8.0) / 3.0;
    }
    features[19] = strength * flag(count >= 4);
    features[20] = need * flag(ahead > 0);
    features[21] = need * flag(ahead < 0);
    features[22] = strength * flag(match_point(points[1]));
    features[23] = strength * features[15];
    features[24] = flag(i32::from(goal) > count as i32);
    features
}

/// What speaks for a card of those held; `chance` is that of the tables to play it, if a card is played.
pub fn of_card(point: &DecisionPoint, cards: Cards, card: Card, chance: f32) -> Features<CARD> {
    let flag = |holds: bool| f32::from(u8::from(holds));
    let ranks = cards.ranks().count();
    let below = cards.ranks().filter(|&other| other < card).count();
    let place = below as f32 / ranks.saturating_sub(1).max(1) as f32;
    let mut features = [0.0; CARD];
    features[0] = engine::numerics::ln(f64::from(chance.max(LEAST))) as f32;
    features[1] = flag(below == 0);
    features[2] = flag(below + 1 == ranks);
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

fn ln_odds(chance: f32) -> f32 {
    let chance = f64::from(chance.clamp(LEAST, 1.0 - LEAST));
    engine::numerics::ln(chance / (1.0 - chance)) as f32
}
