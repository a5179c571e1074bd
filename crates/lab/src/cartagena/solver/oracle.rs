//! The exact values of a solved game as an evaluator: with it, tests separate errors of the search from errors of the
//! evaluation.

use super::{Solution, draws};
use cartagena::evaluation::{Afterstate, Chances, Evaluator};
use cartagena::rules::{ACTIONS_A_TURN, Cards, Game, State};

/// An evaluator that knows the exact value of every position within one turn.
///
/// An afterstate, the position after an action as its player sees it, does not show the other hand. The oracle takes
/// the other hand from the position in which the turn began, so its values hold only until the other player acts.
#[derive(Clone, Copy, Debug)]
pub struct Oracle<'a> {
    solution: &'a Solution,
    /// The position in which the turn began; it has the other hand.
    root: State,
}

impl<'a> Oracle<'a> {
    /// The oracle for the rest of a turn.
    pub fn new(solution: &'a Solution, root: State) -> Oracle<'a> {
        Oracle { solution, root }
    }

    /// The chance of the seat that acted to win, averaged over its pending draws.
    fn own_value(&self, after: &Afterstate) -> f64 {
        let seat = after.seat;
        // The full position: the other hand from the root, the rest from the afterstate.
        let mut state = self.root;
        state.track = after.track;
        state.hands[seat] = after.hand;
        state.discards = after.discards;
        state.pile = after.pile;
        // After the last action of a turn it is the other player's turn.
        (state.to_move, state.taken) = match after.actions_left {
            0 => ((seat as u8 + 1) % 2, 0),
            left => (seat as u8, ACTIONS_A_TURN - left),
        };
        let mut value = 0.0;
        for (drawn, chance) in draws(self.solution.pile(&state), after.discards, after.draws) {
            let mut next = state;
            // The pile runs out during the draw: the discards become the pile, as the rules do it.
            if after.draws > next.pile {
                next.pile += next.discards.total();
                next.discards = Cards::NONE;
            }
            next.pile -= after.draws;
            next.hands[seat] = next.hands[seat].plus(drawn);
            // An unreachable position has the value of an endless game.
            value += chance * self.solution.value(&next, seat).unwrap_or(0.5);
        }
        value
    }
}

impl Evaluator for Oracle<'_> {
    fn chances(&self, _: &Game, after: &Afterstate) -> Chances {
        let own = self.own_value(after);
        let mut chances = [0.0; _];
        chances[after.seat] = own as f32;
        chances[1 - after.seat] = (1.0 - own) as f32;
        chances
    }

    fn fingerprint(&self) -> u64 {
        0
    }
}
