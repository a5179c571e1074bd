//! A slow reference solver for endgames, compiled for tests only. It keeps every node of the public tree and
//! a matrix of all pairs of hands, and solves them by CFR+. The [solver](challenge::equilibrium::endgame) that
//! plays was written independently of it and is tested against it.

mod build;
mod cfr;
mod respond;
mod tests;
mod tree;

use build::{Endgame, Plays};
use cfr::{Solver, child_reach};
use respond::{best_value, best_value_against, exploitability};
use tree::{Edge, Node, NodeKind, Tree};
