//! Exact best responses to the strategies on a public tree (Johanson et al. 2011), and the exploitability that
//! follows from them. Tests compare these numbers with those of the solver that plays.

use super::{NodeKind, Solver, Tree, child_reach};
use challenge::rules::Seat;

/// The strategies of both players by node, as [`Solver::average_strategy`] gives them.
pub type Strategies<'a> = &'a dyn Fn(usize) -> Vec<f32>;

/// How much the average strategies lose to best responses, in payoffs: the mean over both players.
pub fn exploitability(solver: &Solver) -> f32 {
    (best_value(solver, 0) + best_value(solver, 1)) / 2.0
}

/// The payoff of a player that plays the best response to the other's average strategy.
pub fn best_value(solver: &Solver, seat: Seat) -> f32 {
    best_value_against(solver.tree(), seat, &|node| solver.average_strategy(node))
}

/// The payoff of a best response to any strategy.
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
    let NodeKind::Decision { seat, edges, .. } = &here.kind else {
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
