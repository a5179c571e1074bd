//! The last tricks of a hand solved as they are, without abstraction.
//!
//! The public tree is built once; at each of its nodes both players have a vector of the hands they
//! may hold, and counterfactual regret minimisation works on whole vectors (Johanson et al. 2011).
//! The weights of pairs of hands are a matrix, so that the removal of cards is exact.

mod build;
mod cfr;
mod given;
mod guard;
mod response;
#[cfg(test)]
mod tests;
mod tree;

pub use build::{Endgame, Plays};
pub use cfr::Solver;
pub use given::Given;
pub use guard::{Guard, Safety};
pub use response::{Gap, Shares, best_response, gap};
pub use tree::{Edge, Kind, Node, Tree};
