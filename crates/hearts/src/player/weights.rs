//! How *shooter* chooses a card when it neither shoots the moon nor stops anybody: by sums of weighted counts.
//!
//! Most rounds of a search are played out by these rules, so they should choose as a search would, at the price of a few
//! counts of cards. `lab hearts weights` finds the weights: it lets searches play among themselves and other policies,
//! none of them a stranger, and keeps changes of one or two weights that lower the mean loss, which is the value of the
//! search's best card less that of the chosen one. [`Weights::SHOOTER`] come from 27,000 decisions of searches with 800
//! rounds a card. On 13,600 other decisions the loss is 0.57 points a card. With the rules of *careful* in place of these
//! it was 0.65, and with the network, which takes seven times as long, 0.50. A descent from them on 36,800 further decisions
//! gained nothing: 0.598 and 0.597 on 17,900 others.
//!
//! *Example.* The lead is the queen of clubs, alone in its suit, or the four of diamonds with two more diamonds; others
//! have six clubs, the ace among them, and eight diamonds. The queen has 3 × 6 - 9 × 1 = 9, the four 3 × 8 - 9 × 3 = -3:
//! the queen is led, and its owner is void.

use super::moon::{self, Plan};
use super::ranks::{danger, near_queen, rank};
use crate::rules::{BLACK_QUEEN, Round};
use tricks::{Card, Cards, Round as _, Suit, best_card};

/// The numbers by which *shooter* chooses. The weight of a count is in units of a card of other hands that beats a card,
/// or is beaten by it. The functions that use the numbers name each of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Weights {
    pub lead: [i32; 7],
    pub follow: [i32; 5],
    pub throw: [i32; 8],
    /// When to shoot the moon and when to stop others, in points and cards: see `moon`.
    pub moon: [i32; 5],
}

impl Weights {
    /// The numbers of the policy [`Baseline::Shooter`](super::Baseline::Shooter).
    pub const SHOOTER: Weights = Weights {
        lead: [3, 9, 23, 13, 77, 62, 2],
        follow: [173, 4, 15, 36, 61],
        throw: [2, 1, 2, 6, 1, 216, 8, 14],
        moon: [3, 3, 1, -3, 19],
    };
}

/// The card to play, by these weights; `legal` is not empty, and no cards are passed.
#[inline]
pub fn choose(round: &Round, legal: Cards, weights: &Weights) -> Card {
    let among = match moon::choose(round, legal, &weights.moon) {
        Plan::Play(card) => return card,
        Plan::Among(cards) => cards,
    };
    let Some(beaten) = round.trick().best(round.players()) else {
        return lead(round, among, &weights.lead);
    };
    match (legal & Cards::suit(beaten.suit())).is_empty() {
        true => throw(round, among, &weights.throw),
        false => follow(round, among, beaten, &weights.follow),
    }
}

/// The number of cards.
fn count(cards: Cards) -> i32 {
    cards.len() as i32
}

/// The weight if the condition holds, else 0.
fn when(condition: bool, weight: i32) -> i32 {
    if condition { weight } else { 0 }
}

/// Leads from a suit that others have many cards of and the hand has few of. A card that nobody beats is seldom led.
#[inline]
fn lead(round: &Round, legal: Cards, weights: &[i32; 7]) -> Card {
    let &[follows, length, smoke, best, alone, queen, hearts] = weights;
    let (own, others) = (own(round), round.other_hands());
    best_card(legal, |card| {
        let suit = Cards::suit(card.suit());
        let follow = count(others & suit);
        let is_best = (others & Cards::above(card)).is_empty();
        // A spade below the queen may force her out of another hand.
        let smokes =
            others.contains(BLACK_QUEEN) && card.suit() == Suit::Spades && card < BLACK_QUEEN;
        follows * follow - length * count(own & suit) + when(smokes, smoke)
            - when(is_best, best)
            // Nobody can follow: the trick is the player's own, with everything that others throw on it.
            - when(follow == 0, alone)
            - when(near_queen(others, card), queen)
            - when(card.suit() == Suit::Hearts, hearts)
    })
}

/// Follows suit: with the highest card that loses, unless winning is cheap and the trick may still be lost.
#[inline]
fn follow(round: &Round, legal: Cards, beaten: Card, weights: &[i32; 5]) -> Card {
    let &[queen, throw, low, stake, catches] = weights;
    let others = round.other_hands();
    let under = legal & Cards::below(beaten);
    // A higher spade lies there: the queen goes to the player that takes the trick.
    if under.contains(BLACK_QUEEN) {
        return BLACK_QUEEN;
    }
    let later = (round.players() - round.trick().len() - 1) as i32;
    let queen_is_out = others.contains(BLACK_QUEEN);
    best_card(legal, |card| {
        let danger = danger(others, card) - when(card == BLACK_QUEEN, queen);
        if under.contains(card) {
            return danger;
        }
        // Each later player may throw points, which they hardly do on the first trick, or may still beat the card.
        // While another hand holds the queen of spades, they play low spades, and throw fewer points.
        let throws =
            when(!round.first(), throw) - when(queen_is_out && card.suit() == Suit::Spades, low);
        let risk = later * (throws - count(others & Cards::above(card)));
        danger
            - stake * i32::from(round.stake())
            - risk
            - when(later > 0 && near_queen(others, card), catches)
    })
}

/// Throws the queen, then hearts and high cards, those of short suits first.
#[inline]
fn throw(round: &Round, legal: Cards, weights: &[i32; 8]) -> Card {
    let &[beats, beaten, high, length, lower, queen, catches, hearts] = weights;
    let (own, others) = (own(round), round.other_hands());
    best_card(legal, |card| {
        let below = count(others & Cards::below(card));
        let above = count(others & Cards::above(card));
        let suit = own & Cards::suit(card.suit());
        beats * below + beaten * above + high * rank(card)
            - length * count(suit)
            - lower * count(suit & Cards::below(card))
            + when(card == BLACK_QUEEN, queen)
            + when(near_queen(others, card), catches)
            + when(card.suit() == Suit::Hearts, hearts)
    })
}

/// The hand of the player to act.
fn own(round: &Round) -> Cards {
    round.hand(round.to_act().unwrap_or(0))
}
