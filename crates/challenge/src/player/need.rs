//! *need*: a hand-made rule that counts the tricks that it still needs.

use super::baseline::{Rule, answer, at_match_point, holding};
use crate::rules::{Card, Cards, Decision};
use crate::view::{Asked, View};
use engine::rng::Random;

/// `goal` is half of the tricks that are not tied, rounded down: one more wins the hand. `need` is how many of
/// `goal` the player still lacks.
struct Need {
    goal: i8,
    need: i8,
}

/// If it needs `n` more tricks, it keeps its `n` highest cards and leads the next one. It follows as cheaply as it
/// can. It offers and accepts by the mean rank of its `n` highest cards.
pub struct NeedTricks;

impl Rule for NeedTricks {
    fn choose(&self, view: &View, _: &mut Random) -> Decision {
        match view.asked {
            Asked::Answer => answer(accepts(view)),
            Asked::Card if view.can_challenge && offers(view) => Decision::Offer,
            Asked::Card => Decision::Play(card(view)),
        }
    }
}

/// The tricks that the player needs to win the hand.
fn need(view: &View) -> Need {
    let (total, mine) = (view.total_tricks as i8, view.own_tricks as i8);
    // The tricks still to come and those that either player has taken: all but the tied ones.
    let goal = (5 - total + mine + view.their_tricks as i8) / 2;
    Need {
        goal,
        need: goal - mine,
    }
}

/// The card that the player plays.
fn card(view: &View) -> Card {
    let lowest = view.cards.lowest();
    // A leader keeps its `need` highest cards and leads the next one.
    let chosen = match view.their_card {
        None => usize::try_from(need(view).need)
            .ok()
            .and_then(|index| view.cards.iter().rev().nth(index)),
        Some(led) if lowest == Some(led) => lowest,
        Some(_) => view.cheapest_winner(),
    };
    // The player is never asked for a card without having one. If it were, all answers would be equally wrong.
    chosen
        .or(lowest)
        .unwrap_or_else(|| Card::all().next_back().expect("there are 13 ranks"))
}

/// Whether the mean rank of the highest cards, as many as tricks are needed, exceeds a bar that depends on the tricks
/// taken so far.
fn strong(view: &View, cards: Cards) -> bool {
    let count = need(view).need.max(1) as usize;
    let top: Vec<i16> = cards
        .iter()
        .rev()
        .take(count)
        .map(|card| i16::from(card.rank()))
        .collect();
    let strength = top.iter().sum::<i16>() / top.len().max(1) as i16;
    let mut bar = match (view.own_tricks, view.their_tricks) {
        (2, 0) => 8,
        (2, 1) => 9,
        (2, 2) | (1, 2) | (0, 2) => 12,
        _ => 11,
    };
    // The other has seen the card on the table and offers all the same.
    if view.asked == Asked::Answer && view.own_card.is_some() {
        bar += 1;
    }
    if at_match_point(view.own_points) {
        bar -= 1;
    }
    // No card beats 13 and few beat 12.
    strength > bar || strength >= 12
}

/// Whether the player offers a challenge.
fn offers(view: &View) -> bool {
    let Need { goal, need } = need(view);
    if at_match_point(view.own_points) || view.their_tricks as i8 >= goal {
        return false;
    }
    let completes = view.cheapest_winner().is_some() && need <= 1;
    need <= 0 || at_match_point(view.their_points) || completes || strong(view, view.cards)
}

/// Whether the player accepts a challenge.
fn accepts(view: &View) -> bool {
    if (view.their_tricks as i8) >= need(view).goal {
        return false;
    }
    at_match_point(view.their_points) || strong(view, holding(view))
}
