//! Inference from the others' play: which hands they probably hold, and how they probably play.
//!
//! Each opponent is modelled in one of three ways: by the trained network (a player who thinks), by its own
//! learnt habits, or by a fixed policy. Each plays a random card now and then. A way to play with its share of
//! random cards is an [`OpponentType`]. Bayes' rule over hands and types at once gives
//!
//! weight(hand) = ( Σ over types t of P(t) Π over choices of P(card chosen | t, hand) ) ^ trust,
//!
//! and a world is as likely as the product of its hands' weights. Types are learnt from round to round, and so
//! are habits. `trust`, from 0 to 1, is learnt as well: nobody plays exactly as a model does, so a full
//! likelihood would be too sure of itself.
//!
//! # Opponents
//!
//! In Hearts one type is a shooter, who tries to take all points with a strong hand.
//!
//! A [`Habit`] starts as a linear model distilled from the network. It has a few more inputs for rules that programs
//! follow, such as "the first of equal cards" or "high to win, low otherwise". After each round, when all hands are
//! known, its weights move to the likeliest ones. So a player that no other model describes is soon modelled by its own
//! choices, and playouts follow them.
//!
//! # Worlds
//!
//! [`Evidence`] replays what a player did with a supposed hand, and says how likely each opponent type
//! makes it. [`Worlds`] draws deals exactly, weighs a pool of up to 512 of them, and draws again by
//! weight. When all of a pool have been used it weighs another one, unless weighing has taken more than
//! a quarter of the nodes spent so far or the time is over. If a few deals carry nearly all of the
//! weight, hidden cards are swapped between two players (Metropolis' rule). Weighing is charged at its cost
//! (`PolicySet::COSTS`). No world is weighed if a quarter of the budget pays for fewer than 128 deals,
//! or in Eights if the budget is below 10,000 nodes. All worlds are equally likely then, and the types
//! of the others follow from earlier rounds alone.
//!
//! Each world comes with a type for each player. In Hearts it is the type that fits the player's hand in that world
//! best, in Eights one drawn by how well it fits. In Eights, playouts use the distilled network for thinking players and
//! fitted habits for players with habits; Hearts uses the playout policy, which does as well there (`Thinkers`).
//!
//! # Learning
//!
//! When a round is over all hands are known. `Player::learn` then shifts the weights of the types, and the habits, for
//! the rounds to come. No type fits anybody exactly. So likelihoods are raised to a power, `Trust`, which is 0.52 at
//! first and is learnt from past predictions of hands. `lab hearts inference FILE` measures on recorded rounds how much
//! better hands are predicted with all this.

mod evidence;
mod habit;
mod learning;
mod opponent_types;
mod player_belief;
mod trust;
mod worlds;

pub use evidence::Evidence;
pub use habit::Habit;
pub(crate) use learning::learn;
pub(crate) use opponent_types::Plays;
pub use opponent_types::{OpponentType, PerType, TYPES, TypeWeights};
pub use player_belief::PlayerBelief;
pub(crate) use player_belief::drawn_types;
pub use worlds::{Sample, Worlds};
