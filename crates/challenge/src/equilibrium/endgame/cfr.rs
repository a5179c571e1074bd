//! CFR+ (Tammelin 2014): regrets that never fall below zero, players in turn, linear averaging.

use super::guard::Guard;
use super::tree::{Edge, Kind, Node, Tree};
use crate::rules::Seat;

/// A tree being solved.
#[derive(Clone, Debug)]
pub struct Solver {
    tree: Tree,
    numbers: Numbers,
    guard: Option<Guard>,
    scratch: Vec<f32>,
    iterations: u32,
}

/// What is learnt at all decisions of a tree.
#[derive(Clone, Debug)]
struct Numbers {
    regrets: Vec<f32>,
    sums: Vec<f32>,
    /// The weight of this iteration in the average.
    weight: f32,
}

impl Solver {
    /// Nothing done yet: the average strategy is even.
    pub fn new(tree: Tree) -> Solver {
        Solver {
            numbers: Numbers {
                regrets: vec![0.0; tree.size],
                sums: vec![0.0; tree.size],
                weight: 0.0,
            },
            guard: None,
            scratch: vec![0.0; tree.room(0)],
            iterations: 0,
            tree,
        }
    }

    /// Solves the tree for one player, the other's hands coming to it as a guard says.
    pub fn guarded(tree: Tree, guard: Guard) -> Solver {
        Solver {
            guard: Some(guard),
            ..Solver::new(tree)
        }
    }

    /// The tree.
    pub fn tree(&self) -> &Tree {
        &self.tree
    }

    /// Iterations done.
    pub fn iterations(&self) -> u32 {
        self.iterations
    }

    /// Does one iteration: both players in turn.
    pub fn step(&mut self) {
        self.iterations += 1;
        self.numbers.weight = self.iterations as f32;
        for seat in 0..2 {
            let own = self.coming(seat);
            let theirs = self.coming(1 - seat);
            let walk = Walk {
                tree: &self.tree,
                learner: seat,
            };
            let mut values = vec![0.0; own.len()];
            let (numbers, scratch) = (&mut self.numbers, &mut self.scratch);
            walk.walk(numbers, 0, (&own, &theirs), &mut values, scratch);
            if let Some(guard) = self.guard.as_mut().filter(|guard| guard.seat() == seat) {
                guard.learn(&values);
            }
        }
    }

    /// How much of each of a player's hands comes to the root.
    fn coming(&self, seat: Seat) -> Vec<f32> {
        match &self.guard {
            Some(guard) if guard.seat() == seat => guard.coming(),
            _ => vec![1.0; self.tree.hands(seat)],
        }
    }

    /// The average strategy at a node: for each of the mover's hands alive, the share of each edge,
    /// hands in rows. Empty for a leaf.
    pub fn average(&self, node: usize) -> Vec<f32> {
        let here = &self.tree.nodes[node];
        let mut shares = vec![0.0; here.size()];
        if let Kind::Decision { at, .. } = here.kind {
            share_out(&here.can, &self.numbers.sums[at..], &mut shares);
        }
        shares
    }
}

/// Numbers scaled to shares; even ones where all are 0. Edges that a hand cannot take have 0.
fn share_out(can: &[u16], numbers: &[f32], shares: &mut [f32]) {
    let width = shares.len() / can.len().max(1);
    let rows = shares
        .chunks_exact_mut(width)
        .zip(numbers.chunks_exact(width));
    for ((shares, numbers), &can) in rows.zip(can) {
        let sum: f32 = numbers.iter().sum();
        if sum > 0.0 {
            let scale = 1.0 / sum;
            for (share, number) in shares.iter_mut().zip(numbers) {
                *share = number * scale;
            }
        } else {
            let even = 1.0 / can.count_ones() as f32;
            for (number, share) in shares.iter_mut().enumerate() {
                *share = if can >> number & 1 == 1 { even } else { 0.0 };
            }
        }
    }
}

/// One player's pass over the tree.
struct Walk<'a> {
    tree: &'a Tree,
    learner: Seat,
}

impl Walk<'_> {
    /// Writes the counterfactual values of the learner's hands at a node, and updates its regrets
    /// there and below. `scratch` is room for what is computed on the way ([`Tree::room`]).
    fn walk(
        &self,
        numbers: &mut Numbers,
        node: usize,
        (own, theirs): (&[f32], &[f32]),
        values: &mut [f32],
        scratch: &mut [f32],
    ) {
        let here = &self.tree.nodes[node];
        let Kind::Decision { seat, at, .. } = &here.kind else {
            self.tree.leaf(here, self.learner, theirs, values);
            return;
        };
        values.fill(0.0);
        // Where neither comes, there is nothing to learn and nothing to average.
        let never = |reach: &[f32]| reach.iter().all(|&reach| reach == 0.0);
        if never(theirs) && never(own) {
            return;
        }
        let (shares, scratch) = scratch.split_at_mut(here.size());
        share_out(&here.can, &numbers.regrets[*at..], shares);
        if *seat == self.learner {
            self.learn(numbers, here, (own, theirs), shares, values, scratch);
        } else {
            self.listen(numbers, here, (own, theirs), shares, values, scratch);
        }
    }

    /// At a decision of the other: the sum over what it does.
    fn listen(
        &self,
        numbers: &mut Numbers,
        here: &Node,
        (own, theirs): (&[f32], &[f32]),
        shares: &[f32],
        values: &mut [f32],
        scratch: &mut [f32],
    ) {
        let edges = here.edges();
        let (below, scratch) = scratch.split_at_mut(values.len());
        for (number, edge) in edges.iter().enumerate() {
            let (reach, scratch) = scratch.split_at_mut(edge.hands.len());
            reaching(edge, number, edges.len(), theirs, shares, reach);
            self.walk(numbers, edge.child, (own, reach), below, scratch);
            for (value, below) in values.iter_mut().zip(&*below) {
                *value += below;
            }
        }
    }

    /// At a decision of the learner.
    fn learn(
        &self,
        numbers: &mut Numbers,
        here: &Node,
        (own, theirs): (&[f32], &[f32]),
        shares: &[f32],
        values: &mut [f32],
        scratch: &mut [f32],
    ) {
        let (Kind::Decision { at, .. }, edges) = (&here.kind, here.edges()) else {
            return;
        };
        let width = edges.len();
        let (gains, scratch) = scratch.split_at_mut(shares.len());
        for (number, edge) in edges.iter().enumerate() {
            let (reach, scratch) = scratch.split_at_mut(edge.hands.len());
            let (below, scratch) = scratch.split_at_mut(edge.hands.len());
            reaching(edge, number, width, own, shares, reach);
            self.walk(numbers, edge.child, (reach, theirs), below, scratch);
            for (&hand, &below) in edge.hands.iter().zip(&*below) {
                let hand = usize::from(hand);
                gains[hand * width + number] = below;
                values[hand] += below * shares[hand * width + number];
            }
        }
        for (number, edge) in edges.iter().enumerate() {
            for hand in edge.hands.iter().map(|&hand| usize::from(hand)) {
                let place = hand * width + number;
                let regret = &mut numbers.regrets[at + place];
                *regret = (*regret + gains[place] - values[hand]).max(0.0);
                numbers.sums[at + place] += numbers.weight * own[hand] * shares[place];
            }
        }
    }
}

/// How much of each of the mover's hands goes along an edge, in the order of the child.
pub(super) fn reaching(
    edge: &Edge,
    number: usize,
    width: usize,
    reach: &[f32],
    shares: &[f32],
    along: &mut [f32],
) {
    for (along, &hand) in along.iter_mut().zip(&edge.hands) {
        *along = reach[usize::from(hand)] * shares[usize::from(hand) * width + number];
    }
}
