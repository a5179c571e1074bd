//! The last tricks of a hand, solved without abstraction.
//!
//! The public tree is built once; at each of its nodes both players have a vector of the hands they
//! may hold, and counterfactual regret minimisation works on whole vectors (Johanson et al. 2011).
//! The weights of pairs of hands are a matrix, so that the removal of cards is exact.

mod build;
mod cfr;
mod tree;

pub use build::{Endgame, Plays};
pub use cfr::{Solver, child_reach};
pub use tree::{Edge, Node, NodeKind, Tree};
