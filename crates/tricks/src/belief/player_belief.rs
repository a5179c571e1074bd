//! What is believed of another player.

use super::habit::Habit;
use super::opponent_types::{OpponentType, TYPES, TypeWeights};
use super::trust::Trust;
use crate::network::Network;
use crate::{MAX_PLAYERS, PolicySet};
use engine::rng::Random;

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

/// For each player a type that it may follow, going by earlier rounds alone.
pub(crate) fn drawn_types<'a, P: PolicySet>(
    beliefs: &'a [PlayerBelief; MAX_PLAYERS],
    network: &'a Network,
    rng: &mut Random,
) -> [OpponentType<'a, P>; MAX_PLAYERS] {
    beliefs.each_ref().map(|belief| {
        let number = belief.types.number::<P>(&[1.0; TYPES], rng);
        OpponentType::number(number, &belief.habit, network)
    })
}
