//! Exact best responses on the public tree (Johanson et al. 2011), and so the exploitability.

use super::cfr::{Solver, reaching};
use super::tree::{Kind, Tree};
use crate::challenge::rules::Seat;

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

/// Best responses against the average strategies.
pub fn gap(solver: &Solver) -> Gap {
    let tree = solver.tree();
    let best = [0, 1].map(|seat| {
        let theirs = vec![1.0; tree.hands(1 - seat)];
        respond(tree, solver, 0, seat, &theirs).iter().sum()
    });
    Gap { best }
}

fn respond(tree: &Tree, solver: &Solver, node: usize, best: Seat, theirs: &[f32]) -> Vec<f32> {
    let here = &tree.nodes[node];
    let Kind::Decision { seat, edges, .. } = &here.kind else {
        return tree.leaf(here, best, theirs);
    };
    let hands = here.alive[best].len();
    if *seat == best {
        let mut values = vec![f32::MIN; hands];
        for edge in edges {
            let below = respond(tree, solver, edge.child, best, theirs);
            for (&hand, below) in edge.hands.iter().zip(below) {
                let value = &mut values[usize::from(hand)];
                *value = value.max(below);
            }
        }
        return values;
    }
    let shares = solver.average(node);
    let mut values = vec![0.0; hands];
    for (number, edge) in edges.iter().enumerate() {
        let reach = reaching(edge, number, edges.len(), theirs, &shares);
        let below = respond(tree, solver, edge.child, best, &reach);
        for (value, below) in values.iter_mut().zip(below) {
            *value += below;
        }
    }
    values
}
