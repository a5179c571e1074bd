//! What the others' play says about their hands and about the way they play.
//!
//! Every other player is taken to follow one of a few policies and to play a random card now and
//! then. A hand is the more likely the better it explains what its owner took and played (Bayes' rule
//! over hands and policies at once); worlds are drawn from that distribution by Markov chains that
//! swap hidden cards between two players (Metropolis et al. 1953). How much of it is believed is learnt as well: nobody
//! plays just as a policy does.

mod evidence;
mod learning;
mod mcmc;
mod opponent_types;
mod trust;

pub use evidence::Evidence;
pub(crate) use learning::learn as learn_trust;
pub use mcmc::{Mcmc, Sample};
pub use opponent_types::{OpponentType, PerType, TYPES, TypeWeights};
