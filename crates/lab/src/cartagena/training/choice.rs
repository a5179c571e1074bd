//! The action that a network likes best.

use cartagena::evaluation::features::FeatureSet;
use cartagena::evaluation::{Afterstate, NetworkProbe, Outputs, Probe};
use cartagena::rules::{Action, ActionList, Game, MAX_PLAYERS, State};

/// Room for the value of every legal action.
pub(super) const ACTIONS: usize = 42;

/// The chances after a win by the player in a place of the turn order.
pub(super) fn one_hot(winner: usize) -> [f32; MAX_PLAYERS] {
    let mut chances = [0.0; MAX_PLAYERS];
    chances[winner] = 1.0;
    chances
}

/// An action, the position after it and what it is worth.
#[derive(Clone, Copy, Debug)]
pub(super) struct Choice {
    pub action: Action,
    pub value: Outputs,
    /// The features of the position, where the network was asked about it.
    pub set: Option<FeatureSet>,
}

impl Choice {
    /// The action after which the network gives the player to move the best chance.
    pub(super) fn best(
        probe: &mut NetworkProbe,
        game: &Game,
        state: &State,
        list: &ActionList,
    ) -> Choice {
        let before = Afterstate::before(state);
        let mut values = [0.0; ACTIONS];
        let values = &mut values[..list.len()];
        probe.rate(game, &before, list, values);
        let mut best = 0;
        for (i, &value) in values.iter().enumerate() {
            if value > values[best] {
                best = i;
            }
        }
        let action = list[best];
        let after = before.then(action);
        let (value, set) = if after.won() {
            (one_hot(0), None)
        } else {
            let value = probe.value(game, &after);
            (value, Some(*probe.features()))
        };
        Choice { action, value, set }
    }
}
