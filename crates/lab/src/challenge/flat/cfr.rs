//! Solves a public tree (`Tree`) by CFR+ (Tammelin 2014) for the tests of the endgame solver that plays.
//! Regrets have a floor at 0, players take turns, and iteration `t` has the weight `t` in the average.
//!
//! For each hand, `R(edge) ← max(0, R(edge) + v(edge) − v)`, where `v = Σ p(edge) v(edge)` and `p`
//! is in proportion to `R`.

use super::tree::{Edge, Node, NodeKind, Tree};
use challenge::rules::Seat;

/// A tree with the regrets and averages of the iterations so far.
#[derive(Clone, Debug)]
pub struct Solver {
    tree: Tree,
    learned: Learned,
    scratch: Vec<f32>,
    iterations: u32,
}

/// The regrets and the cumulative strategy of all decisions of a tree.
#[derive(Clone, Debug)]
struct Learned {
    regrets: Vec<f32>,
    cumulative: Vec<f32>,
    /// The weight of this iteration in the average strategy.
    weight: f32,
}

impl Solver {
    /// A solver before its first iteration: the average strategy is uniform.
    pub fn new(tree: Tree) -> Solver {
        Solver {
            learned: Learned {
                regrets: vec![0.0; tree.size],
                cumulative: vec![0.0; tree.size],
                weight: 0.0,
            },
            scratch: vec![0.0; tree.scratch_size(0)],
            iterations: 0,
            tree,
        }
    }

    pub fn tree(&self) -> &Tree {
        &self.tree
    }

    /// One iteration: both players in turn.
    pub fn step(&mut self) {
        self.iterations += 1;
        // Linear averaging: early strategies are poor and fade.
        self.learned.weight = self.iterations as f32;
        // In turn: the second player meets the regrets that the first has just updated.
        for learner in 0..2 {
            let own = vec![1.0; self.tree.hands(learner)];
            let theirs = vec![1.0; self.tree.hands(1 - learner)];
            let traversal = Traversal {
                tree: &self.tree,
                learner,
            };
            // Both begin with the whole reach; the weights of pairs come in at the leaves.
            let mut values = vec![0.0; own.len()];
            let (learned, scratch) = (&mut self.learned, &mut self.scratch);
            traversal.visit(learned, 0, (&own, &theirs), &mut values, scratch);
        }
    }

    /// The average strategy at a node: a row for each of the mover's hands, with the probability of
    /// each edge. Empty for a leaf.
    pub fn average_strategy(&self, node: usize) -> Vec<f32> {
        let here = &self.tree.nodes[node];
        let mut strategy = vec![0.0; here.size()];
        if let NodeKind::Decision { offset, .. } = here.kind {
            normalize(
                &here.legal,
                &self.learned.cumulative[offset..],
                &mut strategy,
            );
        }
        strategy
    }
}

/// Regret matching: probabilities in proportion to the numbers, or uniform ones if all are 0. Edges
/// that a hand cannot take have probability 0.
fn normalize(legal: &[u16], numbers: &[f32], strategy: &mut [f32]) {
    // Rows have an entry for each edge.
    let width = strategy.len() / legal.len().max(1);
    let rows = strategy
        .chunks_exact_mut(width)
        .zip(numbers.chunks_exact(width));
    for ((row, numbers), &legal) in rows.zip(legal) {
        let sum: f32 = numbers.iter().sum();
        if sum > 0.0 {
            let scale = 1.0 / sum;
            for (probability, number) in row.iter_mut().zip(numbers) {
                *probability = number * scale;
            }
        } else {
            // Only legal edges share the probability.
            let even = 1.0 / legal.count_ones() as f32;
            for (edge, probability) in row.iter_mut().enumerate() {
                *probability = if legal >> edge & 1 == 1 { even } else { 0.0 };
            }
        }
    }
}

/// One traversal of the tree, in which only the learner's regrets and averages change.
struct Traversal<'a> {
    tree: &'a Tree,
    learner: Seat,
}

impl Traversal<'_> {
    /// Writes the counterfactual values of the learner's hands at a node, and updates its regrets
    /// there and below. `own` and `theirs` are the reach of the learner's and the other's hands.
    ///
    /// Every node takes its vectors from the front of `scratch` and passes the rest on, so an
    /// iteration allocates nothing. [`Tree::scratch_size`] is long enough.
    fn visit(
        &self,
        learned: &mut Learned,
        node: usize,
        (own, theirs): (&[f32], &[f32]),
        values: &mut [f32],
        scratch: &mut [f32],
    ) {
        let here = &self.tree.nodes[node];
        let NodeKind::Decision { seat, offset, .. } = &here.kind else {
            self.tree
                .terminal_values(here, self.learner, theirs, values);
            return;
        };
        values.fill(0.0);
        // If neither player reaches the node, nothing is learnt and nothing averaged. With own
        // reach alone the average still grows, so the walk goes on.
        let unreached = |reach: &[f32]| reach.iter().all(|&reach| reach == 0.0);
        if unreached(theirs) && unreached(own) {
            return;
        }
        // A strategy for each of the mover's hands, in the order of the node.
        let (strategy, scratch) = scratch.split_at_mut(here.size());
        // Both play by their present regrets.
        normalize(&here.legal, &learned.regrets[*offset..], strategy);
        if *seat == self.learner {
            self.learner_node(learned, here, (own, theirs), strategy, values, scratch);
        } else {
            self.opponent_node(learned, here, (own, theirs), strategy, values, scratch);
        }
    }

    /// A decision of the other player. Its strategy is in its reach, so the values of the edges add
    /// up.
    fn opponent_node(
        &self,
        learned: &mut Learned,
        here: &Node,
        (own, theirs): (&[f32], &[f32]),
        strategy: &[f32],
        values: &mut [f32],
        scratch: &mut [f32],
    ) {
        let edges = here.edges();
        let (below, scratch) = scratch.split_at_mut(values.len());
        for (number, edge) in edges.iter().enumerate() {
            let (reach, scratch) = scratch.split_at_mut(edge.hands.len());
            // The other's reach shrinks; the learner's hands stay the same, in the same order.
            child_reach(edge, number, edges.len(), theirs, strategy, reach);
            self.visit(learned, edge.child, (own, reach), below, scratch);
            for (value, below) in values.iter_mut().zip(&*below) {
                *value += below;
            }
        }
    }

    /// A decision of the learner. Its values are means by its strategy; the regret of an edge is
    /// its value less the mean.
    fn learner_node(
        &self,
        learned: &mut Learned,
        here: &Node,
        (own, theirs): (&[f32], &[f32]),
        strategy: &[f32],
        values: &mut [f32],
        scratch: &mut [f32],
    ) {
        let (NodeKind::Decision { offset, .. }, edges) = (&here.kind, here.edges()) else {
            return;
        };
        let width = edges.len();
        let (edge_values, scratch) = scratch.split_at_mut(strategy.len());
        for (number, edge) in edges.iter().enumerate() {
            let (reach, scratch) = scratch.split_at_mut(edge.hands.len());
            let (below, scratch) = scratch.split_at_mut(edge.hands.len());
            // The own reach counts for the average alone: counterfactual values leave it out.
            child_reach(edge, number, width, own, strategy, reach);
            self.visit(learned, edge.child, (reach, theirs), below, scratch);
            // A child numbers only the hands that can take the edge; `edge.hands` leads back.
            for (&hand, &below) in edge.hands.iter().zip(&*below) {
                let hand = usize::from(hand);
                edge_values[hand * width + number] = below;
                values[hand] += below * strategy[hand * width + number];
            }
        }
        // Regrets need the mean, which is known only after all edges.
        for (number, edge) in edges.iter().enumerate() {
            for hand in edge.hands.iter().map(|&hand| usize::from(hand)) {
                let place = hand * width + number;
                let regret = &mut learned.regrets[offset + place];
                *regret = (*regret + edge_values[place] - values[hand]).max(0.0);
                // The average is weighted by the own reach: it is the strategy that plays like the
                // mixture of all iterations.
                learned.cumulative[offset + place] += learned.weight * own[hand] * strategy[place];
            }
        }
    }
}

/// Writes the reach of the mover's hands after an edge, in the child's order: the reach at the node
/// times the probability of the edge, number `number` of `width`.
pub fn child_reach(
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
