//! What the policy network sees of a choice in Tricky Eights beside what all trick-taking games have in common.

use crate::rules::{GAME, POINTS, Round, SEATS, TRICKS};
use tricks::card::{EIGHT, QUEEN};
use tricks::network::Inputs;
use tricks::{Cards, Round as _};

#[inline(always)]
fn flag(is_so: bool) -> f32 {
    f32::from(u8::from(is_so))
}

#[inline(always)]
fn few(cards: Cards) -> f32 {
    cards.len() as f32 * 0.25
}

/// Fills in the inputs of Tricky Eights.
#[inline(always)]
pub(super) fn fill(round: &Round, legal: Cards, inputs: &mut Inputs) {
    let seat = round.to_act().unwrap_or(0);
    let (own, others) = (round.hand(seat), round.other_hands());
    let (trick, pool) = (round.trick(), round.pool());
    let best = if round.taking() {
        None
    } else {
        trick.best(SEATS)
    };
    let eights = Cards::rank(EIGHT);
    let outer = matches!(round.tricks(), 0) || round.tricks() + 1 == TRICKS;
    let shown = (0..SEATS)
        .filter(|&other| other != seat)
        .fold(Cards::EMPTY, |all, other| all | round.shown(other));
    let scores = round.scores_before().map(|score| score as f32);
    let rivals = (0..SEATS).filter(|&other| other != seat);
    let most = rivals.map(|other| scores[other]).fold(0.0, f32::max);
    let near = scores[seat].max(most) + f32::from(POINTS) >= GAME as f32;
    let lead = ((scores[seat] - most) / f32::from(POINTS)).clamp(-2.0, 2.0);
    let ranks: f32 = own.into_iter().map(|card| f32::from(card.rank())).sum();

    *inputs.shared_of_game() = [
        f32::from(round.points(seat)) / 8.0,
        f32::from(round.tricks()) / f32::from(TRICKS),
        few(others & eights),
        few(own & eights),
        flag(outer),
        pool.len() as f32 / 12.0,
        flag(near),
        if near { lead } else { 0.0 },
        ranks / (12.0 * own.len().max(1) as f32),
        few(shown),
    ];
    for (place, card) in legal.into_iter().enumerate().take(inputs.len()) {
        let suit = Cards::suit(card.suit());
        let (above, below) = (Cards::above(card), Cards::below(card));
        let eight = card.rank() == EIGHT;
        let boss = (others & above).is_empty();
        let wins = best.is_none_or(|best| Cards::above(best).contains(card));
        let taking = f32::from(u8::from(round.taking()));
        *inputs.of_game(place) = [
            flag(eight),
            flag(!(others & suit & eights).is_empty()),
            flag(wins && !(others & below & eights).is_empty()),
            flag(eight && boss),
            flag(eight && wins && (boss || trick.len() + 1 == SEATS)),
            if eight { few(others & above) } else { 0.0 },
            flag(outer && wins),
            few(above - own),
            taking * few(pool & suit),
            taking * few(pool & above),
            taking * few(pool & below),
            taking * few(own & suit) * few(own & suit),
            flag(card.rank() >= QUEEN),
            flag(!(own & suit & eights & below).is_empty()),
            few(shown & above),
            few(shown & below),
        ];
    }
}
