//! Public trees of two-player zero-sum games in which only the hands are hidden.

use crate::rules::{Decision, Seat};

/// What a node is. Payoffs are those of player 0; player 1 gets their negative.
#[derive(Clone, Debug)]
pub enum Kind {
    /// The game ends with the same payoff whatever is held.
    Fold(f32),
    /// The game ends by comparing what both hold.
    Showdown {
        /// The payoff where player 0's strength is lower, equal, higher.
        payoffs: [f32; 3],
        /// The strength of each hand alive, by player.
        strengths: [Vec<u8>; 2],
    },
    /// A player decides.
    Decision {
        /// Who.
        seat: Seat,
        /// What it may do.
        edges: Vec<Edge>,
        /// Where the numbers of this node begin: one for each edge and each of its hands.
        at: usize,
    },
}

/// A decision that a node's player may take.
#[derive(Clone, Debug)]
pub struct Edge {
    /// The decision.
    pub decision: Decision,
    /// The node after it.
    pub child: usize,
    /// The places, among the mover's hands alive at the parent, of those alive at the child: those
    /// that can do this.
    pub hands: Vec<u16>,
}

/// A node: what is public, and who may hold what.
#[derive(Clone, Debug)]
pub struct Node {
    /// What it is.
    pub kind: Kind,
    /// By player, the hands of the root that can have come here.
    pub alive: [Vec<u16>; 2],
    /// For each of the mover's hands alive, the edges it can take, as bits.
    pub can: Vec<u16>,
}

impl Node {
    /// A node of a kind, with the hands that can have come here.
    pub fn new(kind: Kind, alive: [Vec<u16>; 2]) -> Node {
        let mut can = Vec::new();
        if let Kind::Decision { seat, edges, .. } = &kind {
            can.resize(alive[*seat].len(), 0);
            for (number, edge) in edges.iter().enumerate() {
                for &hand in &edge.hands {
                    can[usize::from(hand)] |= 1 << number;
                }
            }
        }
        Node { kind, alive, can }
    }

    /// The edges; none at a leaf.
    pub fn edges(&self) -> &[Edge] {
        match &self.kind {
            Kind::Decision { edges, .. } => edges,
            _ => &[],
        }
    }

    /// Numbers that its decision needs.
    pub fn size(&self) -> usize {
        self.can.len() * self.edges().len()
    }
}

/// A tree with the weights of all pairs of hands at its root, node 0.
#[derive(Clone, Debug)]
pub struct Tree {
    /// The nodes.
    pub nodes: Vec<Node>,
    /// Numbers that all decisions need together.
    pub size: usize,
    /// By player, the weight of its hand (row) with the other's (column).
    weights: [Vec<f32>; 2],
    hands: [usize; 2],
}

impl Tree {
    /// A tree without nodes; `weights` has a row for each hand of player 0. They are scaled to sum
    /// to 1.
    pub fn new(hands: [usize; 2], mut weights: Vec<f32>) -> Tree {
        debug_assert_eq!(weights.len(), hands[0] * hands[1]);
        let sum: f64 = weights.iter().map(|&w| f64::from(w)).sum();
        if sum > 0.0 {
            for weight in &mut weights {
                *weight = (f64::from(*weight) / sum) as f32;
            }
        }
        let mut across = vec![0.0; weights.len()];
        for (place, &weight) in weights.iter().enumerate() {
            across[place % hands[1] * hands[0] + place / hands[1]] = weight;
        }
        Tree {
            nodes: Vec::new(),
            size: 0,
            weights: [weights, across],
            hands,
        }
    }

    /// Number of hands of a player at the root.
    pub fn hands(&self, seat: Seat) -> usize {
        self.hands[seat]
    }

    /// The weight of each of a player's hands.
    pub fn marginal(&self, seat: Seat) -> Vec<f32> {
        let hands = 0..self.hands[seat] as u16;
        hands
            .map(|hand| self.row(seat, hand).iter().sum())
            .collect()
    }

    /// The weights of a player's hand with each of the other's.
    pub fn row(&self, seat: Seat, hand: u16) -> &[f32] {
        let width = self.hands[1 - seat];
        &self.weights[seat][usize::from(hand) * width..][..width]
    }

    /// Writes what a player's hands are worth at a leaf, weighted by how likely the other's are and
    /// how much of them comes here.
    pub fn leaf(&self, node: &Node, seat: Seat, theirs: &[f32], values: &mut [f32]) {
        let sign = if seat == 0 { 1.0 } else { -1.0 };
        let other = &node.alive[1 - seat];
        let own = node.alive[seat].iter().zip(values);
        match &node.kind {
            Kind::Fold(payoff) => {
                for (&hand, value) in own {
                    let row = self.row(seat, hand);
                    let weights = other.iter().zip(theirs);
                    let sum: f32 = weights.map(|(&o, reach)| row[usize::from(o)] * reach).sum();
                    *value = sign * payoff * sum;
                }
            }
            Kind::Showdown { payoffs, strengths } => {
                let mut pays = payoffs.map(|payoff| sign * payoff);
                if seat == 1 {
                    pays.reverse();
                }
                for ((&hand, value), own) in own.zip(&strengths[seat]) {
                    let row = self.row(seat, hand);
                    let weights = other.iter().zip(theirs).zip(&strengths[1 - seat]);
                    let pay = |((&o, reach), theirs): ((&u16, &f32), &u8)| {
                        row[usize::from(o)] * reach * pays[(own.cmp(theirs) as i8 + 1) as usize]
                    };
                    *value = weights.map(pay).sum();
                }
            }
            Kind::Decision { .. } => {}
        }
    }

    /// Numbers that a walk below a node has to keep at a time.
    pub fn room(&self, node: usize) -> usize {
        let here = &self.nodes[node];
        let most = here.alive[0].len().max(here.alive[1].len());
        let edges = here.edges().iter();
        let below = edges.map(|edge| self.room(edge.child)).max().unwrap_or(0);
        2 * here.size() + 2 * most + below
    }
}
