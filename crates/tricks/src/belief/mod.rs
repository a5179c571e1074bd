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
