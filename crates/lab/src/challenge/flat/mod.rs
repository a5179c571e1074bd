//! An endgame's public tree with all its nodes and a matrix of all pairs of hands, solved by CFR+: slow, large, and
//! written apart from the [solver](challenge::equilibrium::endgame) that plays, to check it by.

mod build;
mod cfr;
mod respond;
mod tests;
mod tree;

use build::{Endgame, Plays};
use cfr::{Solver, child_reach};
use respond::{best_value, best_value_against, exploitability};
use tree::{Edge, Node, NodeKind, Tree};
