//! Shooting the moon, and keeping others from it.

use super::ranks::{highest, lowest, rank};
use crate::rules::{BLACK_QUEEN, Round, penalties};
use tricks::{Card, Cards, Round as _, best_card};

/// With so many of the points, and nobody else with any, a player goes on for the rest of them.
const GOES_ON: u8 = 10;
/// When one player has so many of the points, and nobody else has any, the others take one.
const STOPPED: u8 = 14;

/// What shooting, or stopping who shoots, says about a choice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Plan {
    /// The card to play.
    Play(Card),
    /// Nothing but that it be one of these.
    Among(Cards),
}

/// Who may still shoot the moon, if anybody: the only seat with points.
#[inline(always)]
pub(super) fn shooter(round: &Round) -> Option<usize> {
    let mut takers = (0..round.players()).filter(|&seat| round.points(seat) > 0);
    let first = takers.next()?;
    takers.next().is_none().then_some(first)
}

/// What to play of the legal cards, which are not empty, for the player to act.
pub(super) fn choose(round: &Round, legal: Cards) -> Plan {
    let own = round.to_act().unwrap_or(0);
    let Some(taker) = shooter(round) else {
        let nobody = (0..round.players()).all(|seat| round.points(seat) == 0);
        return match nobody && is_strong(round, own) {
            true => Plan::Play(shoot(round, legal)),
            false => Plan::Among(legal),
        };
    };
    let points = round.points(taker);
    if taker == own && (is_strong(round, own) || points >= GOES_ON && is_good(round, own)) {
        return Plan::Play(shoot(round, legal));
    }
    if taker != own && points >= STOPPED {
        return stop(round, legal, taker);
    }
    Plan::Among(legal)
}

/// How many cards of a hand are likely to take their trick: those that no card of another hand beats, and those that one does
/// where two cards of the suit can be played before.
#[inline]
fn winners(round: &Round, seat: usize) -> usize {
    let (own, others) = (round.hand(seat), round.other_hands());
    let wins = |card: &Card| {
        let above = (others & Cards::above(*card)).len();
        let same = (own & Cards::suit(card.suit())).len() - 1;
        above == 0 || (above == 1 && same >= 2)
    };
    own.into_iter().filter(wins).count()
}

/// Whether to set out for all points: more than half of the cards are likely to take their tricks.
#[inline]
fn is_strong(round: &Round, seat: usize) -> bool {
    2 * winners(round, seat) > round.hand(seat).len()
}

/// Whether to go on for all points, with many of them: half of the cards are enough.
#[inline]
fn is_good(round: &Round, seat: usize) -> bool {
    2 * winners(round, seat) >= round.hand(seat).len()
}

/// Takes what can be taken.
fn shoot(round: &Round, legal: Cards) -> Card {
    let others = round.other_hands();
    let above = |card: Card| (others & Cards::above(card)).len() as i32;
    let Some(beaten) = round.trick().best(round.players()) else {
        return best_card(legal, |card| rank(card) - 20 * above(card));
    };
    if (legal & Cards::suit(beaten.suit())).is_empty() {
        // What takes no later trick goes first, points last.
        let keeps = |card| if penalties().contains(card) { 100 } else { 0 };
        return best_card(legal, |card| 4 * above(card) - rank(card) - keeps(card));
    }
    let over = legal & Cards::above(beaten);
    let is_last = round.trick().len() + 1 == round.players();
    match (over.is_empty(), is_last) {
        (true, _) => lowest(legal),
        (false, true) => lowest(over),
        (false, false) => highest(over),
    }
}

/// Takes a point from whoever has all of them, or gives it none.
fn stop(round: &Round, legal: Cards, taker: usize) -> Plan {
    let Some(beaten) = round.trick().best(round.players()) else {
        return Plan::Among(legal);
    };
    if round.trick().winner() != taker {
        return Plan::Among(legal);
    }
    if (legal & Cards::suit(beaten.suit())).is_empty() {
        let harmless = legal - penalties();
        return Plan::Among(if harmless.is_empty() { legal } else { harmless });
    }
    let over = (legal & Cards::above(beaten)) - Cards::from(BLACK_QUEEN);
    if round.stake() == 0 || over.is_empty() {
        return Plan::Among(legal);
    }
    let is_last = round.trick().len() + 1 == round.players();
    Plan::Play(if is_last { lowest(over) } else { highest(over) })
}
