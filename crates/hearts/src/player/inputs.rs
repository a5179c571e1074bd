//! What the policy network sees of a choice in Hearts beside what all trick-taking games have in common.

use super::moon::shooter;
use crate::rules::{BLACK_QUEEN, POINTS, QUEEN_POINTS, Round, penalties};
use tricks::network::Inputs;
use tricks::{Card, Cards, Round as _, Suit};

#[inline(always)]
fn price(card: Card) -> f32 {
    match card {
        BLACK_QUEEN => f32::from(QUEEN_POINTS),
        _ if card.suit() == Suit::Hearts => 1.0,
        _ => 0.0,
    }
}

/// Fills in the inputs of Hearts.
#[inline(always)]
pub(super) fn fill(round: &Round, legal: Cards, inputs: &mut Inputs) {
    let seat = round.to_act().unwrap_or(0);
    let (own, others) = (round.hand(seat), round.other_hands());
    let (trick, players) = (round.trick(), round.players());
    let best = trick.best(players);
    let last = trick.len() + 1 == players;
    let stake = f32::from(round.stake());
    let queen_out = others.contains(BLACK_QUEEN);
    let queen_mine = own.contains(BLACK_QUEEN);
    let queen_here = trick.cards().contains(BLACK_QUEEN);
    let spades = own & Cards::suit(Suit::Spades);
    let shooter = shooter(round);
    let part = |seat: usize| f32::from(round.points(seat)) / f32::from(POINTS);
    let (mine, theirs) = match shooter {
        Some(shooter) if shooter == seat => (part(seat), 0.0),
        Some(shooter) => (0.0, part(shooter)),
        None => (0.0, 0.0),
    };
    let total: f32 = (0..players).map(part).sum();
    let winning = (!trick.is_empty()).then(|| trick.winner());
    let gives_to_shooter = shooter.is_some() && shooter != Some(seat) && winning == shooter;
    let ranks: f32 = own.into_iter().map(|card| f32::from(card.rank())).sum();

    *inputs.shared_of_game() = [
        2.0 * part(seat),
        total,
        mine,
        theirs,
        f32::from(queen_mine),
        f32::from(queen_out),
        (own & penalties()).len() as f32 * 0.25,
        f32::from(round.broken()),
        f32::from(round.first()),
        ranks / (12.0 * own.len().max(1) as f32),
    ];
    for (place, card) in legal.into_iter().enumerate().take(inputs.len()) {
        let spade = card.suit() == Suit::Spades;
        let heart = card.suit() == Suit::Hearts;
        let wins = best.is_none_or(|best| Cards::above(best).contains(card));
        let follow = (others & Cards::suit(card.suit())).len() as f32;
        let rank = f32::from(card.rank()) / 12.0;
        *inputs.of_game(place) = [
            f32::from(card == BLACK_QUEEN),
            f32::from(heart),
            if heart { rank } else { 0.0 },
            f32::from(spade && queen_out && card > BLACK_QUEEN),
            f32::from(spade && queen_out && card < BLACK_QUEEN),
            if spade && queen_mine {
                spades.len() as f32 * 0.25
            } else {
                0.0
            },
            f32::from(queen_here && wins),
            if wins && last { stake / 4.0 } else { 0.0 },
            if wins && stake > 0.0 { theirs } else { 0.0 },
            if wins {
                mine * (1.0 + stake) / 4.0
            } else {
                0.0
            },
            mine * rank,
            if gives_to_shooter && !wins {
                price(card) * theirs
            } else {
                0.0
            },
            if round.first() { rank } else { 0.0 },
            if wins && queen_out && !spade {
                1.0 / (1.0 + follow)
            } else {
                0.0
            },
            f32::from(!wins && card == BLACK_QUEEN),
            if wins { 0.0 } else { price(card) / 4.0 },
        ];
    }
}
