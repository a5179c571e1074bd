//! Wins within the turn with the hand alone. The search looks for one whatever its budget, so that a certain win is
//! never missed.

use crate::rules::{Action, ActionList, Cards, Game, Track};
use crate::view::View;

/// The first of the advances that bring every pirate home with the actions left, if any do.
///
/// This is a depth-first search over advances. Each pirate that is out needs at least one action, so that few
/// actions are free, and the search is small: the most steps, 18 + 18 · 12 + 18 · 12 · 6 = 1,530, are those of
/// three pirates with three actions and all six symbols, where every step must bring one home.
pub fn certain_win(game: &Game, view: &View) -> Option<Action> {
    first_step(game, &view.track, view.seat, view.hand, view.actions_left())
}

/// As [`certain_win`], for a track, a hand and a number of actions left.
fn first_step(game: &Game, track: &Track, seat: usize, hand: Cards, left: u8) -> Option<Action> {
    // Each pirate that is out takes an action and a card.
    let out = track.pirates_each() - track.home(seat);
    if out > usize::from(left) || out > usize::from(hand.total()) {
        return None;
    }
    let mut actions = ActionList::new();
    game.actions(track, seat, hand, &mut actions);
    let boat = track.boat();
    actions.into_iter().find(|&action| {
        // A retreat draws unknown cards. Wins that need one are left to the expectimax.
        let Action::Advance { from, to, symbol } = action else {
            return false;
        };
        // If as many pirates are out as actions are left, each action must bring a pirate home.
        if out == usize::from(left) && to != boat {
            return false;
        }
        let mut next = *track;
        next.step(seat, from, to);
        next.is_home(seat)
            || first_step(game, &next, seat, hand.without(symbol), left - 1).is_some()
    })
}
