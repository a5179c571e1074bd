//! Exact best responses to the strategies on a public tree (Johanson et al. 2011). Tests compare their gains with those
//! that the solver states.

use super::{Edge, NodeKind, Tree};
use challenge::rules::Seat;

/// The strategies of both players by node: a row for each of the mover's hands, with the probability of each edge.
pub type Strategies<'a> = &'a dyn Fn(usize) -> Vec<f32>;

/// The payoff of a best response to the other's strategy.
pub fn best_value_against(tree: &Tree, seat: Seat, strategies: Strategies) -> f32 {
    let reach = vec![1.0; tree.hands(1 - seat)];
    best_response(tree, strategies, 0, seat, &reach)
        .iter()
        .sum()
}

/// The counterfactual values of a player's hands at a node if it plays a best response from there
/// on. `theirs` is the other's reach.
fn best_response(
    tree: &Tree,
    strategies: Strategies,
    node: usize,
    best: Seat,
    theirs: &[f32],
) -> Vec<f32> {
    let here = &tree.nodes[node];
    let mut values = vec![0.0; here.hands[best].len()];
    let NodeKind::Decision { seat, edges } = &here.kind else {
        // At a leaf only the other's reach matters: counterfactual values leave out the own.
        tree.terminal_values(here, best, theirs, &mut values);
        return values;
    };
    if *seat == best {
        // Each hand takes its best edge. It may differ between hands, since the responder knows its
        // own.
        values.fill(f32::MIN);
        for edge in edges {
            let below = best_response(tree, strategies, edge.child, best, theirs);
            for (&hand, below) in edge.hands.iter().zip(below) {
                let value = &mut values[usize::from(hand)];
                *value = value.max(below);
            }
        }
        return values;
    }
    // The other mixes: its strategy is in the reach, and values add up.
    let strategy = strategies(node);
    for (number, edge) in edges.iter().enumerate() {
        let mut reach = vec![0.0; edge.hands.len()];
        child_reach(edge, number, edges.len(), theirs, &strategy, &mut reach);
        let below = best_response(tree, strategies, edge.child, best, &reach);
        for (value, below) in values.iter_mut().zip(below) {
            *value += below;
        }
    }
    values
}

/// Writes the reach of the mover's hands after an edge, in the child's order: the reach at the node
/// times the probability of the edge, number `number` of `width`.
fn child_reach(
    edge: &Edge,
    number: usize,
    width: usize,
    reach: &[f32],
    strategy: &[f32],
    below: &mut [f32],
) {
    for (below, &hand) in below.iter_mut().zip(&edge.hands) {
        *below = reach[usize::from(hand)] * strategy[usize::from(hand) * width + number];
    }
}
