//! The inputs that Hearts adds to those of `tricks::network`, which all trick-taking games share.
//!
//! The *shooter* is the only player with points so far, if there is one. *Mine* is the part of the 26 points
//! that the player to act has as the shooter, else 0; *theirs* is that of another shooter. A card's own inputs:
//!
//! | input | meaning |
//! |---|---|
//! | 0 | *queen*: the queen of spades |
//! | 1, 2 | *heart*: a heart; its rank |
//! | 3, 4 | *catcher*, *smoker*: a spade above the queen, below it, while another hand holds the queen |
//! | 5 | *cover*: own spades, if it is a spade and the player's hand holds the queen |
//! | 6 | it wins, and the queen lies on the table |
//! | 7 | the stake, if it wins as the last card |
//! | 8 | *theirs*, if it wins points: it stops the shooter |
//! | 9 | *mine*, more with the stake, if it wins |
//! | 10 | *mine* × rank |
//! | 11 | its points × *theirs*, if it goes to the shooter |
//! | 12 | rank, on the first trick |
//! | 13 | it wins and is no spade, and others hold the queen to throw on it: larger if they have little of its suit |
//! | 14 | *thrown queen*: the queen, and it does not win |
//! | 15 | its points, if it does not win |

use super::moon::shooter;
use crate::rules::{BLACK_QUEEN, POINTS, QUEEN_POINTS, Round, penalties};
use tricks::network::Inputs;
use tricks::{Card, Cards, Round as _, Suit};

/// The points of a card.
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
    // Only a shooter's points make a moon possible; all others are spoilt by a second taker.
    let shooter = shooter(round);
    let part = |seat: usize| f32::from(round.points(seat)) / f32::from(POINTS);
    let (mine, theirs) = match shooter {
        Some(shooter) if shooter == seat => (part(seat), 0.0),
        Some(shooter) => (0.0, part(shooter)),
        None => (0.0, 0.0),
    };
    let total: f32 = (0..players).map(part).sum();
    let winning = (!trick.is_empty()).then(|| trick.winner());
    // Points thrown on a trick that the shooter is winning help it.
    let gives_to_shooter = shooter.is_some() && shooter != Some(seat) && winning == shooter;
    let ranks: f32 = own.into_iter().map(|card| f32::from(card.rank())).sum();

    // By number, counted from the first that the game defines: 0 own points, 1 all points taken, 2 mine, 3
    // theirs, 4 own queen, 5 queen in another hand, 6 own penalty cards, 7 hearts broken, 8 first trick, 9 the
    // mean own rank.
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
        // The order is that of the table above. 0 to 5: the queen, hearts and spades.
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
            // 6 to 10: what the card brings if it wins. Taking points as the shooter is good, so `mine` counts
            // by itself.
            f32::from(queen_here && wins),
            if wins && last { stake / 4.0 } else { 0.0 },
            if wins && stake > 0.0 { theirs } else { 0.0 },
            if wins {
                mine * (1.0 + stake) / 4.0
            } else {
                0.0
            },
            mine * rank,
            // 11 to 15: the first trick, and points that the player gives away or catches.
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
