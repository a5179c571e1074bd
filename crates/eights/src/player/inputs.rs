//! The inputs that Tricky Eights adds to those of `tricks::network`, which all trick-taking games share.
//!
//! The network scores each legal card by its inputs. Two functions must agree: [`fill`] writes the inputs, and
//! [`worth`] computes their part of a card's score without writing them, which is faster.
//!
//! *Others* are all other hands together. The first and the last trick are *outer* tricks, which bring three points. In
//! a *take*, a player takes a card from the open pool. A card's own inputs, in the order of [`fill`]:
//!
//! | input | meaning |
//! |---|---|
//! | 0 | *eight*: it is an eight |
//! | 1 | *eight there*: others hold the eight of its suit |
//! | 2 | *catches*: it wins, and others hold the eight of its suit below it |
//! | 3 | *boss eight*: an eight, and no higher card of its suit with others |
//! | 4 | *safe eight*: an eight that wins, and later players cannot beat it |
//! | 5 | *higher*: others' cards above it, if it is an eight |
//! | 6 | *outer win*: it wins an outer trick |
//! | 7 | *missing*: cards above it that are not in the player's hand, played ones included |
//! | 8, 9, 10 | takes: the pool's cards of its suit, above it, below it |
//! | 11 | takes: the player's cards of its suit, squared |
//! | 12 | *high*: a queen, king or ace |
//! | 13 | *own eight below*: the player's hand holds the eight of its suit, below it |
//! | 14, 15 | others' open cards of its suit above it, below it |

use crate::rules::{GAME, POINTS, Round, SEATS, TRICKS};
use tricks::card::{EIGHT, QUEEN};
use tricks::network::{Counted, GameWeights, Inputs};
use tricks::{Cards, Round as _};

/// A count of cards as an input, in units of four cards.
#[inline(always)]
fn few(cards: Cards) -> f32 {
    cards.len() as f32 * 0.25
}

/// The part of a card's score that comes from these inputs, for a card that is played, not taken. It equals the sum
/// of weight times input over the inputs of [`fill`], and leaves out inputs that are 0: 8 to 11 are 0 unless cards
/// are taken.
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
    // `worth[n]` is the weight of input n in the table above. The sum begins with the inputs that every card may have;
    // those of rarer cards stand behind a condition.
    move |counted| {
        let card = counted.card;
        let (above, below) = (Cards::above(card), Cards::below(card));
        let mut sum = worth[7] * few(above - own)
            + worth[14] * few(shown & above)
            + worth[15] * few(shown & below)
            + when(card.rank() >= QUEEN, worth[12]);
        // 1 eight there, 13 own eight below.
        let of_suit = other_eights & Cards::suit(card.suit());
        sum += when(!of_suit.is_empty(), worth[1]);
        sum += when(!(own_eights & below).is_empty(), worth[13]);
        // 6 outer win, 2 catches.
        if counted.wins {
            sum += winning + when(!(of_suit & below).is_empty(), worth[2]);
        }
        // Inputs of eights alone: 0 and its product with the rank (`first_by_rank`), 3 boss eight, 4 safe eight, 5
        // higher.
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

/// An input of 1 or 0, times its weight.
#[inline(always)]
fn when(is_so: bool, worth: f32) -> f32 {
    if is_so { worth } else { 0.0 }
}

/// Whether the trick is an outer one, the first or the last.
#[inline(always)]
fn is_outer(round: &Round) -> bool {
    round.tricks() == 0 || round.tricks() + 1 == TRICKS
}

/// The cards that other players have taken from the open pool and still hold.
#[inline(always)]
fn shown(round: &Round, seat: usize) -> Cards {
    (0..SEATS)
        .filter(|&other| other != seat)
        .fold(Cards::EMPTY, |all, other| all | round.shown(other))
}

/// Writes the inputs of this module: those of the position, and those of each legal card.
#[inline(always)]
pub(super) fn fill(round: &Round, legal: Cards, inputs: &mut Inputs) {
    let seat = round.to_act().unwrap_or(0);
    let (own, others) = (round.hand(seat), round.other_hands());
    let (trick, pool) = (round.trick(), round.pool());
    // While cards are taken there is no trick to be won.
    let best = if round.taking() {
        None
    } else {
        trick.best(SEATS)
    };
    let eights = Cards::rank(EIGHT);
    let outer = is_outer(round);
    let shown = shown(round, seat);
    // The score of the game matters once the 25 points of a round could end it. `lead` is then the player's score minus
    // the best rival's, in rounds of 25 points, from -2 to 2.
    let scores = round.scores_before().map(|score| score as f32);
    let rivals = (0..SEATS).filter(|&other| other != seat);
    let most = rivals.map(|other| scores[other]).fold(0.0, f32::max);
    let near = scores[seat].max(most) + f32::from(POINTS) >= GAME as f32;
    let lead = ((scores[seat] - most) / f32::from(POINTS)).clamp(-2.0, 2.0);
    let ranks: f32 = own.into_iter().map(|card| f32::from(card.rank())).sum();

    // In this order: 0 own points of the round, 1 tricks played, 2 eights of others, 3 own eights, 4 outer trick, 5
    // cards left in the pool, 6 near the end of the game, 7 the lead there, 8 the mean rank of the hand, 9
    // open cards of others.
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
        // The order is that of the table above.
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

    /// The value of a card by counts equals the sum over its inputs.
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
