//! The greedy action of a network: the one after which it gives the player to move the best chance. Self-play,
//! rollouts and matches of networks play it.

use cartagena::evaluation::features::FeatureSet;
use cartagena::evaluation::{Afterstate, NetworkProbe, Outputs, Probe};
use cartagena::rules::{Action, ActionList, Game, MAX_PLAYERS, State};

/// The most legal actions of a position: each of six pirates can advance by six symbols or retreat, 6 · 7.
pub const ACTIONS: usize = 42;

/// The chances, in turn order, if the player `winner` turns later has won.
pub fn one_hot(winner: usize) -> [f32; MAX_PLAYERS] {
    let mut chances = [0.0; MAX_PLAYERS];
    chances[winner] = 1.0;
    chances
}

/// An action with its value.
#[derive(Clone, Copy, Debug)]
pub struct Choice {
    pub action: Action,
    pub value: Outputs,
    /// The features of the position after it, if the network was asked about it.
    pub set: Option<FeatureSet>,
}

impl Choice {
    /// The action after which the network gives the player to move the best chance.
    pub fn best(probe: &mut NetworkProbe, game: &Game, state: &State, list: &ActionList) -> Choice {
        let before = Afterstate::before(state);
        let mut values = [0.0; ACTIONS];
        let values = &mut values[..list.len()];
        probe.rate(game, &before, list, values);
        // The first among equals, so that the choice is the same on every machine.
        let mut best = 0;
        for (i, &value) in values.iter().enumerate() {
            if value > values[best] {
                best = i;
            }
        }
        let action = list[best];
        let after = before.then(action);
        // The rating above gives the mover's chance alone; the chances of all players are wanted
        // for the one action chosen. The network is never asked about a won position.
        let (value, set) = if after.won() {
            (one_hot(0), None)
        } else {
            let value = probe.value(game, &after);
            (value, Some(*probe.features()))
        };
        Choice { action, value, set }
    }
}
