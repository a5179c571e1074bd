//! Exact best responses on the public tree (Johanson et al. 2011), and so the exploitability.

use super::cfr::{Solver, reaching};
use super::tree::{Kind, Tree};
use crate::rules::Seat;

/// How far a pair of strategies is from equilibrium, in payoffs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Gap {
    /// What each player gets by the best response to the other.
    pub best: [f32; 2],
}

impl Gap {
    /// What the strategies lose to best responses, on average over the players.
    pub fn exploitability(&self) -> f32 {
        (self.best[0] + self.best[1]) / 2.0
    }
}

/// What a player does at the nodes of a tree: for each of its hands alive, the share of each edge,
/// hands in rows.
pub trait Shares {
    /// The shares at a decision of that player.
    fn shares(&self, node: usize) -> Vec<f32>;
}

impl Shares for Solver {
    fn shares(&self, node: usize) -> Vec<f32> {
        self.average(node)
    }
}

/// Best responses against the average strategies.
pub fn gap(solver: &Solver) -> Gap {
    let best = [0, 1].map(|seat| best_response(solver.tree(), solver, seat).iter().sum());
    Gap { best }
}

/// What each of a player's hands gets by the best response to the other's shares, weighted by how
/// likely the hand is.
pub fn best_response(tree: &Tree, shares: &impl Shares, seat: Seat) -> Vec<f32> {
    let theirs = vec![1.0; tree.hands(1 - seat)];
    respond(tree, shares, 0, seat, &theirs)
}

fn respond(tree: &Tree, other: &impl Shares, node: usize, best: Seat, theirs: &[f32]) -> Vec<f32> {
    let here = &tree.nodes[node];
    let mut values = vec![0.0; here.alive[best].len()];
    let Kind::Decision { seat, edges, .. } = &here.kind else {
        tree.leaf(here, best, theirs, &mut values);
        return values;
    };
    if *seat == best {
        values.fill(f32::MIN);
        for edge in edges {
            let below = respond(tree, other, edge.child, best, theirs);
            for (&hand, below) in edge.hands.iter().zip(below) {
                let value = &mut values[usize::from(hand)];
                *value = value.max(below);
            }
        }
        return values;
    }
    let shares = other.shares(node);
    for (number, edge) in edges.iter().enumerate() {
        let mut reach = vec![0.0; edge.hands.len()];
        reaching(edge, number, edges.len(), theirs, &shares, &mut reach);
        let below = respond(tree, other, edge.child, best, &reach);
        for (value, below) in values.iter_mut().zip(below) {
            *value += below;
        }
    }
    values
}
