//! A slow reference for endgames: the public tree with all its nodes and a matrix of all pairs of
//! hands, solved by CFR+. It is written independently of the
//! [solver](challenge::equilibrium::endgame) that plays, which is tested against it.

mod build;
mod cfr;
mod respond;
mod tests;
mod tree;

use build::{Endgame, Plays};
use cfr::{Solver, child_reach};
use respond::{best_value, best_value_against, exploitability};
use tree::{Edge, Node, NodeKind, Tree};
