//! What is believed of another player.

use super::habit::Habit;
use super::opponent_types::TypeWeights;
use super::trust::Trust;
use crate::PolicySet;
use crate::network::Network;

/// What is believed of a player: how likely each type is, how it chooses if by habits of its own, and how far all of that is trusted.
#[derive(Clone, Debug, PartialEq)]
pub struct PlayerBelief {
    /// How likely each type is.
    pub types: TypeWeights,
    pub(super) habit: Habit,
    pub(super) trust: Trust,
}

impl PlayerBelief {
    /// What is believed of a player before anything is known of it, if players who think play as the network says.
    pub fn first<P: PolicySet>(network: &Network) -> PlayerBelief {
        PlayerBelief {
            types: TypeWeights::first::<P>(),
            habit: Habit::new(network.linear()),
            trust: Trust::default(),
        }
    }

    /// How it chooses if by habits of its own.
    pub fn habit(&self) -> &Habit {
        &self.habit
    }

    /// The power with which the likelihood of a hand counts, from 0, nothing can be inferred, to 1.
    pub fn trust(&self) -> f64 {
        self.trust.power()
    }
}
