//! What the others' play says about their hands and about the way they play.
//!
//! Every other player is taken to think, as a network has learnt it, to have habits of its own, which are learnt from round to round,
//! or to follow one of a few policies, and to play a random card now and then. A hand is the more likely the better it explains what its owner took and played (Bayes' rule
//! over hands and ways to play at once); worlds are drawn from that distribution. How much of it is believed is learnt as
//! well: nobody plays just as a model does.

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
