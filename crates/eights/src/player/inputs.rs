//! What the policy network sees of a choice in Tricky Eights beside what all trick-taking games have in common.

use crate::rules::{GAME, POINTS, Round, SEATS, TRICKS};
use tricks::card::{EIGHT, QUEEN};
use tricks::network::{Counted, GameWeights, Inputs};
use tricks::{Cards, Round as _};

#[inline(always)]
fn few(cards: Cards) -> f32 {
    cards.len() as f32 * 0.25
}

/// What the inputs of [`fill`] are worth for a card that may be played.
#[inline(always)]
pub(super) fn worth<'a>(
    round: &'a Round,
    weights: &'a GameWeights,
) -> impl Fn(&Counted) -> f32 + 'a {
    let seat = round.to_act().unwrap_or(0);
    let (own, others) = (round.hand(seat), round.other_hands());
    let is_last = round.trick().len() + 1 == SEATS;
    let eights = Cards::rank(EIGHT);
    let (own_eights, other_eights) = (own & eights, others & eights);
    let shown = shown(round, seat);
    let worth = &weights.inputs;
    let winning = when(is_outer(round), worth[6]);
    move |counted| {
        let card = counted.card;
        let (above, below) = (Cards::above(card), Cards::below(card));
        let mut sum = worth[7] * few(above - own)
            + worth[14] * few(shown & above)
            + worth[15] * few(shown & below)
            + when(card.rank() >= QUEEN, worth[12]);
        let of_suit = other_eights & Cards::suit(card.suit());
        sum += when(!of_suit.is_empty(), worth[1]);
        sum += when(!(own_eights & below).is_empty(), worth[13]);
        if counted.wins {
            sum += winning + when(!(of_suit & below).is_empty(), worth[2]);
        }
        if card.rank() == EIGHT {
            let boss = counted.higher == 0;
            sum += worth[0]
                + weights.first_by_rank * (f32::from(EIGHT) / 12.0)
                + when(boss, worth[3])
                + when(counted.wins && (boss || is_last), worth[4])
                + worth[5] * (0.25 * counted.higher as f32);
        }
        sum
    }
}

#[inline(always)]
fn when(is_so: bool, worth: f32) -> f32 {
    if is_so { worth } else { 0.0 }
}

/// Whether the trick is the first or the last, which bring more points.
#[inline(always)]
fn is_outer(round: &Round) -> bool {
    round.tricks() == 0 || round.tricks() + 1 == TRICKS
}

/// What the others have taken for all to see and still hold.
#[inline(always)]
fn shown(round: &Round, seat: usize) -> Cards {
    (0..SEATS)
        .filter(|&other| other != seat)
        .fold(Cards::EMPTY, |all, other| all | round.shown(other))
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
    let outer = is_outer(round);
    let shown = shown(round, seat);
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
        f32::from(outer),
        pool.len() as f32 / 12.0,
        f32::from(near),
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
            f32::from(eight),
            f32::from(!(others & suit & eights).is_empty()),
            f32::from(wins && !(others & below & eights).is_empty()),
            f32::from(eight && boss),
            f32::from(eight && wins && (boss || trick.len() + 1 == SEATS)),
            if eight { few(others & above) } else { 0.0 },
            f32::from(outer && wins),
            few(above - own),
            taking * few(pool & suit),
            taking * few(pool & above),
            taking * few(pool & below),
            taking * few(own & suit) * few(own & suit),
            f32::from(card.rank() >= QUEEN),
            f32::from(!(own & suit & eights & below).is_empty()),
            few(shown & above),
            few(shown & below),
        ];
    }
}

#[cfg(test)]
mod tests {
    use crate::deal;
    use crate::player::Baseline;
    use engine::rng::{below, stream};
    use tricks::network::{Inputs, Network};
    use tricks::{PolicySet as _, Round as _, random_card};

    /// What a card is worth without its inputs is what it is worth with them.
    #[test]
    fn cards_are_worth_what_their_inputs_are() {
        let mut rng = stream(1, 0);
        let network: &Network = Baseline::network();
        let mut looked_at = 0;
        for _ in 0..200 {
            let mut round = deal::deal(below(&mut rng, 4), &mut rng);
            while round.to_act().is_some() {
                let legal = round.legal();
                if legal.len() > 1 {
                    let inputs = Inputs::of::<Baseline>(&round, legal);
                    let wanted = network.linear().chances(&inputs);
                    let found = network.tabulated().chances_of::<Baseline>(&round, legal);
                    for (found, wanted) in found.iter().zip(wanted).take(legal.len()) {
                        assert!((found - wanted).abs() < 1e-4, "{round:?}: {found} {wanted}");
                    }
                    looked_at += 1;
                }
                round.act(random_card(legal, &mut rng));
            }
        }
        assert!(looked_at > 5_000, "{looked_at}");
    }
}
