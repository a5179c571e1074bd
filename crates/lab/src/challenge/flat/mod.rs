//! A slow reference for endgames, compiled for tests only. It keeps every node of the public tree and a matrix of all
//! pairs of hands, and computes best responses on it. The [solver](challenge::equilibrium::endgame) that plays was written
//! independently of it: its strategies must lose as much to them as it says.

mod build;
mod respond;
mod tests;
mod tree;

use build::Endgame;
use respond::best_value_against;
use tree::{Edge, NodeKind, Tree};
