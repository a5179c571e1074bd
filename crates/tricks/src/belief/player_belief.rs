//! The belief about one player. A `Player` has one for each seat and keeps them from round to round.

use super::habit::Habit;
use super::opponent_types::{OpponentType, TYPES, TypeWeights};
use super::trust::Trust;
use crate::network::Network;
use crate::{MAX_PLAYERS, PolicySet};
use engine::rng::Random;

/// A belief about one player: the probability of each type, its habits, and how far inference from its play is
/// trusted.
#[derive(Clone, Debug, PartialEq)]
pub struct PlayerBelief {
    /// The probability of each type.
    pub types: TypeWeights,
    pub(super) habit: Habit,
    pub(super) trust: Trust,
}

impl PlayerBelief {
    /// The belief before anything is known of a player. Its habits begin as the network's distilled scorer.
    pub fn first<P: PolicySet>(network: &Network) -> PlayerBelief {
        PlayerBelief {
            types: TypeWeights::first::<P>(),
            habit: Habit::new(network.linear()),
            trust: Trust::default(),
        }
    }

    /// The player's own way to choose, as far as it has been learnt.
    pub fn habit(&self) -> &Habit {
        &self.habit
    }

    /// The power to which the likelihood of a hand is raised: from 0, where nothing is inferred, to 1, Bayes'
    /// rule.
    pub fn trust(&self) -> f64 {
        self.trust.power()
    }
}

/// A type for each player by earlier rounds alone, for worlds that are not weighed. It is drawn, or the likeliest one
/// (see [`TypeWeights::shares`]).
pub(crate) fn drawn_types<'a, P: PolicySet>(
    beliefs: &'a [PlayerBelief; MAX_PLAYERS],
    network: &'a Network,
    rng: &mut Random,
) -> [OpponentType<'a, P>; MAX_PLAYERS] {
    beliefs.each_ref().map(|belief| {
        // Likelihoods of 1 say that this round's choices are not looked at.
        let number = belief.types.shares::<P>(&[1.0; TYPES]).number::<P>(rng);
        OpponentType::number(number, &belief.habit, network)
    })
}
