//! Public trees of two-player zero-sum games in which only the hands are hidden. `build` makes one from the last
//! tricks of a hand, and `respond` computes best responses on it.

use challenge::rules::{Decision, Seat};

/// The two kinds of leaves, and decisions. Payoffs are those of player 0; player 1 gets their negative.
#[derive(Clone, Debug)]
pub enum NodeKind {
    /// The game ends with a payoff that does not depend on the hands.
    Fold(f32),
    /// The game ends, and the hands are compared.
    Showdown {
        /// The payoff if player 0's strength is lower, equal, higher.
        payoffs: [f32; 3],
        /// By player, the strength of each hand alive.
        strengths: [Vec<u8>; 2],
    },
    Decision {
        seat: Seat,
        edges: Vec<Edge>,
    },
}

/// A decision that a node's player may take.
#[derive(Clone, Debug)]
pub struct Edge {
    pub decision: Decision,
    /// The node after the decision.
    pub child: usize,
    /// The mover's hands that can take this decision, as positions in the parent's list. The same hands, in the
    /// same order, are the mover's list at the child.
    pub hands: Vec<u16>,
}

/// A node of the public tree, and the hands that both players may hold there.
#[derive(Clone, Debug)]
pub struct Node {
    pub kind: NodeKind,
    /// By player, the hands that can reach this node, numbered as at the root.
    pub hands: [Vec<u16>; 2],
}

/// A tree with the weights of all pairs of hands at its root, node 0.
#[derive(Clone, Debug)]
pub struct Tree {
    pub nodes: Vec<Node>,
    /// By player, the matrix of weights: rows for the player's own hands, columns for the other's.
    weights: [Vec<f32>; 2],
    hands: [usize; 2],
}

impl Tree {
    /// A tree without nodes. `weights` has a row for each hand of player 0; the weights are scaled so that they
    /// sum to 1.
    pub fn new(hands: [usize; 2], mut weights: Vec<f32>) -> Tree {
        debug_assert_eq!(weights.len(), hands[0] * hands[1]);
        let sum: f64 = weights.iter().map(|&w| f64::from(w)).sum();
        // Scaled to probabilities of pairs, so values are payoffs per deal.
        if sum > 0.0 {
            for weight in &mut weights {
                *weight = (f64::from(*weight) / sum) as f32;
            }
        }
        // The transposed matrix, so that either player's sums run along rows.
        let mut across = vec![0.0; weights.len()];
        for (place, &weight) in weights.iter().enumerate() {
            // Entry (row, column) of the one is entry (column, row) of the other.
            across[place % hands[1] * hands[0] + place / hands[1]] = weight;
        }
        Tree {
            nodes: Vec::new(),
            weights: [weights, across],
            hands,
        }
    }

    /// Number of hands of a player at the root.
    pub fn hands(&self, seat: Seat) -> usize {
        self.hands[seat]
    }

    /// The weights of a player's hand with each of the other's.
    pub fn row(&self, seat: Seat, hand: u16) -> &[f32] {
        let width = self.hands[1 - seat];
        &self.weights[seat][usize::from(hand) * width..][..width]
    }

    /// Writes the counterfactual values of a player's hands at a leaf:
    /// `v(h) = Σ_g weight(h, g) · reach(g) · payoff(h, g)` over the other's hands.
    pub fn terminal_values(&self, node: &Node, seat: Seat, theirs: &[f32], values: &mut [f32]) {
        // Payoffs are stored for player 0; the game is zero-sum.
        let sign = if seat == 0 { 1.0 } else { -1.0 };
        let other = &node.hands[1 - seat];
        let own = node.hands[seat].iter().zip(values);
        match &node.kind {
            // One payoff for all hands: only the weights of the other's hands are summed.
            NodeKind::Fold(payoff) => {
                for (&hand, value) in own {
                    let row = self.row(seat, hand);
                    let weights = other.iter().zip(theirs);
                    let sum: f32 = weights.map(|(&o, reach)| row[usize::from(o)] * reach).sum();
                    *value = sign * payoff * sum;
                }
            }
            NodeKind::Showdown { payoffs, strengths } => {
                let mut pays = payoffs.map(|payoff| sign * payoff);
                // Lower and higher change places for player 1.
                if seat == 1 {
                    pays.reverse();
                }
                for ((&hand, value), own) in own.zip(&strengths[seat]) {
                    let row = self.row(seat, hand);
                    let weights = other.iter().zip(theirs).zip(&strengths[1 - seat]);
                    // The comparison selects one of three payoffs.
                    let pay = |((&o, reach), theirs): ((&u16, &f32), &u8)| {
                        row[usize::from(o)] * reach * pays[(own.cmp(theirs) as i8 + 1) as usize]
                    };
                    *value = weights.map(pay).sum();
                }
            }
            NodeKind::Decision { .. } => {}
        }
    }
}
