//! CFR+ (Tammelin 2014): regrets that never fall below zero, players in turn, linear averaging.

use super::tree::{Edge, Kind, Tree};
use crate::challenge::rules::Seat;

/// A tree being solved.
#[derive(Clone, Debug)]
pub struct Solver {
    tree: Tree,
    regrets: Vec<f32>,
    sums: Vec<f32>,
    iterations: u32,
}

impl Solver {
    /// Nothing done yet: the average strategy is even.
    pub fn new(tree: Tree) -> Solver {
        Solver {
            regrets: vec![0.0; tree.size],
            sums: vec![0.0; tree.size],
            iterations: 0,
            tree,
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
        for seat in 0..2 {
            let theirs = vec![1.0; self.tree.hands(1 - seat)];
            let own = vec![1.0; self.tree.hands(seat)];
            self.walk(0, seat, &own, &theirs);
        }
    }

    /// The average strategy at a node: for each of the mover's hands alive, the share of each edge,
    /// hands in rows. Empty for a leaf.
    pub fn average(&self, node: usize) -> Vec<f32> {
        self.shares(node, &self.sums)
    }

    /// Numbers scaled to shares; even ones where all are 0. Edges that a hand cannot take have 0.
    fn shares(&self, node: usize, numbers: &[f32]) -> Vec<f32> {
        let Kind::Decision { seat, edges, at } = &self.tree.nodes[node].kind else {
            return Vec::new();
        };
        let (width, hands) = (edges.len(), self.tree.nodes[node].alive[*seat].len());
        let mut shares = numbers[*at..at + width * hands].to_vec();
        let mut possible = vec![0u8; hands];
        for hand in edges.iter().flat_map(|edge| &edge.hands) {
            possible[usize::from(*hand)] += 1;
        }
        let sums: Vec<f32> = shares.chunks(width).map(|row| row.iter().sum()).collect();
        for (row, sum) in shares
            .chunks_mut(width)
            .zip(&sums)
            .filter(|(_, s)| **s > 0.0)
        {
            for share in row {
                *share /= sum;
            }
        }
        for (number, edge) in edges.iter().enumerate() {
            for hand in edge.hands.iter().map(|&hand| usize::from(hand)) {
                if sums[hand] <= 0.0 {
                    shares[hand * width + number] = 1.0 / f32::from(possible[hand]);
                }
            }
        }
        shares
    }

    /// The counterfactual values of a player's hands at a node, with its regrets updated below it.
    fn walk(&mut self, node: usize, learner: Seat, own: &[f32], theirs: &[f32]) -> Vec<f32> {
        let here = &self.tree.nodes[node];
        // Where neither comes, there is nothing to learn and nothing to average.
        let never = |reach: &[f32]| reach.iter().all(|&reach| reach == 0.0);
        if never(theirs) && never(own) {
            return vec![0.0; here.alive[learner].len()];
        }
        let Kind::Decision { seat, edges, at } = &here.kind else {
            return self.tree.leaf(here, learner, theirs);
        };
        let (seat, at, edges) = (*seat, *at, edges.clone());
        let shares = self.shares(node, &self.regrets);
        let mut values = vec![0.0; self.tree.nodes[node].alive[learner].len()];
        let width = edges.len();
        if seat != learner {
            for (number, edge) in edges.iter().enumerate() {
                let reach = reaching(edge, number, width, theirs, &shares);
                let below = self.walk(edge.child, learner, own, &reach);
                for (value, below) in values.iter_mut().zip(below) {
                    *value += below;
                }
            }
            return values;
        }
        let mut gains = vec![0.0; shares.len()];
        for (number, edge) in edges.iter().enumerate() {
            let reach = reaching(edge, number, width, own, &shares);
            let below = self.walk(edge.child, learner, &reach, theirs);
            for (&hand, below) in edge.hands.iter().zip(below) {
                let hand = usize::from(hand);
                gains[hand * width + number] = below;
                values[hand] += below * shares[hand * width + number];
            }
        }
        self.learn(&edges, at, &gains, &values, own, &shares);
        values
    }

    fn learn(
        &mut self,
        edges: &[Edge],
        at: usize,
        gains: &[f32],
        values: &[f32],
        own: &[f32],
        shares: &[f32],
    ) {
        let weight = self.iterations as f32;
        for (number, edge) in edges.iter().enumerate() {
            for hand in edge.hands.iter().map(|&hand| usize::from(hand)) {
                let place = hand * edges.len() + number;
                let regret = &mut self.regrets[at + place];
                *regret = (*regret + gains[place] - values[hand]).max(0.0);
                self.sums[at + place] += weight * own[hand] * shares[place];
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
) -> Vec<f32> {
    edge.hands
        .iter()
        .map(|&hand| reach[usize::from(hand)] * shares[usize::from(hand) * width + number])
        .collect()
}
