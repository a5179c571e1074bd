//! What the others' play says about their hands and about the way they play.
//!
//! Every other player is thought to follow one of a few policies, now and then playing anything
//! instead. A hand is as likely as it explains what its owner took and played (Bayes' rule over
//! hands and policies at once); worlds are drawn from that distribution by Markov chains that swap
//! hidden cards between two players (Metropolis et al. 1953).

mod chains;
mod evidence;
mod hypotheses;

pub use chains::{Chains, World};
pub use evidence::Evidence;
pub use hypotheses::{Hypotheses, Hypothesis, KINDS, Kinds, Repertoire};
