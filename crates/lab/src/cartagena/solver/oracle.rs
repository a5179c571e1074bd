//! Exact values where a search asks for an estimate.

use super::{Solution, draws};
use cartagena::evaluation::{Chances, Evaluator, Situation};
use cartagena::rules::{ACTIONS_A_TURN, Cards, State};

/// The exact value of every position within one turn, in place of an evaluation.
///
/// A situation does not show the other hand; it is the one of the position the turn began with,
/// so that answers hold only until the other player acts.
#[derive(Clone, Copy, Debug)]
pub struct Oracle<'a> {
    solution: &'a Solution,
    /// Where the other hand is looked up.
    root: State,
}

impl<'a> Oracle<'a> {
    /// The oracle for the rest of a turn.
    pub fn new(solution: &'a Solution, root: State) -> Oracle<'a> {
        Oracle { solution, root }
    }

    fn own_value(&self, situation: &Situation) -> f64 {
        let seat = situation.seat;
        let mut state = self.root;
        state.track = *situation.track;
        state.hands[seat] = situation.hand;
        state.discards = situation.discards;
        state.pile = situation.pile;
        (state.to_move, state.taken) = match situation.actions_left {
            0 => ((seat as u8 + 1) % 2, 0),
            left => (seat as u8, ACTIONS_A_TURN - left),
        };
        let mut value = 0.0;
        for (drawn, chance) in draws(
            self.solution.pile(&state),
            situation.discards,
            situation.draws,
        ) {
            let mut next = state;
            if situation.draws > next.pile {
                next.pile += next.discards.total();
                next.discards = Cards::NONE;
            }
            next.pile -= situation.draws;
            next.hands[seat] = next.hands[seat].plus(drawn);
            // A position that cannot arise is worth what an endless game is.
            value += chance * self.solution.value(&next, seat).unwrap_or(0.5);
        }
        value
    }
}

impl Evaluator for Oracle<'_> {
    fn chances(&self, situation: &Situation) -> Chances {
        let own = self.own_value(situation);
        let mut chances = [0.0; _];
        chances[situation.seat] = own as f32;
        chances[1 - situation.seat] = (1.0 - own) as f32;
        chances
    }

    fn fingerprint(&self) -> u64 {
        0
    }
}
