//! The exact values of a solved game as an evaluator: with it, tests separate errors of the search from errors of the
//! evaluation.

use super::*;
use cartagena::evaluation::{Afterstate, Chances, Evaluator};
use cartagena::rules::{ACTIONS_A_TURN, Cards, Game, State};

/// An evaluator that knows the exact value of every position within one turn.
///
/// An afterstate, the position after an action as its player sees it, does not show the other hands. The oracle takes
/// these from the position in which the turn began, so its values hold only until another player acts.
#[derive(Clone, Copy, Debug)]
pub(super) struct Oracle<'a> {
    solution: &'a Solution,
    /// The position in which the turn began; it has the other hands.
    root: State,
}

impl<'a> Oracle<'a> {
    /// The oracle for the rest of a turn.
    pub(super) fn new(solution: &'a Solution, root: State) -> Oracle<'a> {
        Oracle { solution, root }
    }

    /// The chance of each player to win, averaged over the pending draws of the seat that acted.
    fn shares(&self, after: &Afterstate) -> Shares {
        let seat = after.seat;
        let players = self.solution.small().game.players;
        // The full position: the other hands from the root, the rest from the afterstate.
        let mut state = self.root;
        state.track = after.track;
        state.hands[seat] = after.hand;
        state.discards = after.discards;
        state.pile = after.pile;
        // After the last action of a turn it is the next player's turn.
        (state.to_move, state.taken) = match after.actions_left {
            0 => (((seat + 1) % players) as u8, 0),
            left => (seat as u8, ACTIONS_A_TURN - left),
        };
        let mut shares = [0.0; MOST];
        for (drawn, chance) in draws(self.solution.pile(&state), after.discards, after.draws) {
            let mut next = state;
            // The pile runs out during the draw: the discards become the pile, as the rules do it.
            if after.draws > next.pile {
                next.pile += next.discards.total();
                next.discards = Cards::NONE;
            }
            next.pile -= after.draws;
            next.hands[seat] = next.hands[seat].plus(drawn);
            for (player, share) in shares[..players].iter_mut().enumerate() {
                // An unreachable position has the value of an endless game.
                let value = self.solution.value(&next, player);
                *share += chance * value.unwrap_or(1.0 / players as f64);
            }
        }
        shares
    }
}

impl Evaluator for Oracle<'_> {
    fn chances(&self, _: &Game, after: &Afterstate) -> Chances {
        let mut chances = [0.0; _];
        for (chance, share) in chances.iter_mut().zip(self.shares(after)) {
            *chance = share as f32;
        }
        chances
    }

    fn fingerprint(&self) -> u64 {
        0
    }
}
