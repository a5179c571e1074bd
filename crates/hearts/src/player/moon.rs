//! Shooting the moon, and keeping others from it: the rules of thumb of the policy *shooter*.
//!
//! A player shoots the moon if it takes all 26 points of a round: then it has none, and every other player has 26.

use super::ranks::{highest, lowest, rank};
use crate::rules::{BLACK_QUEEN, Round, penalties};
use tricks::{Card, Cards, Round as _, best_card};

/// The cards that are left to choose from once shooting, or stopping another player, has been considered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Plan {
    /// This card is to be played.
    Play(Card),
    /// One of these cards is to be played, whichever is best otherwise.
    Among(Cards),
}

/// The only seat with points, if there is one: it may still shoot the moon.
#[inline(always)]
pub(super) fn shooter(round: &Round) -> Option<usize> {
    let mut takers = (0..round.players()).filter(|&seat| round.points(seat) > 0);
    let first = takers.next()?;
    takers.next().is_none().then_some(first)
}

/// The plan of the player to act; `legal` is not empty. The numbers, in this order:
///
/// 1. the points from which a player that has all of them so far goes on with less than a strong hand;
/// 2. the least [`surplus`] of a hand to set out;
/// 3. the least to go on with fewer points than 1. says;
/// 4. the least to go on with these;
/// 5. the points from which the others try to stop a player that has all of them. With fewer, somebody else will mostly
///    take a point in any case.
#[inline]
pub(super) fn choose(round: &Round, legal: Cards, numbers: &[i32; 5]) -> Plan {
    let &[goes_on, strong, fair, least, stopped] = numbers;
    let own = round.to_act().unwrap_or(0);
    // Without a shooter there are either no points yet, when a strong hand sets out, or two players have some,
    // and no moon is possible.
    let [sets_out, begun, far] = [strong, fair, least].map(|least| surplus(round, own) >= least);
    let Some(taker) = shooter(round) else {
        let nobody = (0..round.players()).all(|seat| round.points(seat) == 0);
        return match nobody && sets_out {
            true => Plan::Play(shoot(round, legal)),
            false => Plan::Among(legal),
        };
    };
    let points = i32::from(round.points(taker));
    if taker == own && (begun || points >= goes_on && far) {
        return Plan::Play(shoot(round, legal));
    }
    // Stopping costs points, so it waits until a moon is near.
    if taker != own && points >= stopped {
        return stop(round, legal, taker);
    }
    Plan::Among(legal)
}

/// The number of a hand's cards that will probably take their trick. These are the cards that no other hand can beat,
/// and those that one card can beat if the hand has two other cards of the suit to play first.
#[inline]
fn winners(round: &Round, seat: usize) -> usize {
    let (own, others) = (round.hand(seat), round.other_hands());
    let wins = |card: &Card| {
        // The one higher card is likely to fall on one of the two others. So the queen of a suit counts with
        // two small cards if another hand holds only the king or the ace.
        let above = (others & Cards::above(*card)).len();
        let same = (own & Cards::suit(card.suit())).len() - 1;
        above == 0 || (above == 1 && same >= 2)
    };
    own.into_iter().filter(wins).count()
}

/// By how much twice the probable winners exceed the cards of a hand. Above 0 it takes most of its tricks.
#[inline]
fn surplus(round: &Round, seat: usize) -> i32 {
    2 * winners(round, seat) as i32 - round.hand(seat).len() as i32
}

/// The card with which a player that shoots the moon tries to take the trick.
fn shoot(round: &Round, legal: Cards) -> Card {
    let others = round.other_hands();
    let above = |card: Card| (others & Cards::above(card)).len() as i32;
    // The highest card that nobody can beat; each higher card in another hand costs more than any difference of
    // ranks.
    let Some(beaten) = round.trick().best(round.players()) else {
        return best_card(legal, |card| rank(card) - 20 * above(card));
    };
    // Void in the suit: the trick is lost.
    if (legal & Cards::suit(beaten.suit())).is_empty() {
        // Cards that take no later trick go first. Points go last: another player that takes one ends the moon.
        let keeps = |card| if penalties().contains(card) { 100 } else { 0 };
        return best_card(legal, |card| 4 * above(card) - rank(card) - keeps(card));
    }
    // The last player wins as cheaply as it can; before others the highest card is the safest.
    let over = legal & Cards::above(beaten);
    let is_last = round.trick().len() + 1 == round.players();
    match (over.is_empty(), is_last) {
        (true, _) => lowest(legal),
        (false, true) => lowest(over),
        (false, false) => highest(over),
    }
}

/// The cards that keep a player with all points so far from taking the rest: those that take a trick with points, or throw
/// none to it.
fn stop(round: &Round, legal: Cards, taker: usize) -> Plan {
    // On its own lead, or on a trick that another player is winning, there is nothing to stop.
    let Some(beaten) = round.trick().best(round.players()) else {
        return Plan::Among(legal);
    };
    if round.trick().winner() != taker {
        return Plan::Among(legal);
    }
    // Void in the suit: no points for the shooter, if the hand has anything else.
    if (legal & Cards::suit(beaten.suit())).is_empty() {
        let harmless = legal - penalties();
        return Plan::Among(if harmless.is_empty() { legal } else { harmless });
    }
    // The queen of spades would be a dear way to stop. A player that cannot take the trick keeps its high cards: they may
    // take a later one.
    let over = (legal & Cards::above(beaten)) - Cards::from(BLACK_QUEEN);
    if over.is_empty() {
        return Plan::Play(lowest(legal));
    }
    // Taking the trick pays only if it has points.
    if round.stake() == 0 {
        return Plan::Among(legal);
    }
    let is_last = round.trick().len() + 1 == round.players();
    Plan::Play(if is_last { lowest(over) } else { highest(over) })
}
