//! Public trees of two-player zero-sum games in which only the hands are hidden.

use crate::challenge::rules::{Decision, Seat};

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

    /// The weights of a player's hand with each of the other's.
    pub fn row(&self, seat: Seat, hand: u16) -> &[f32] {
        let width = self.hands[1 - seat];
        &self.weights[seat][usize::from(hand) * width..][..width]
    }

    /// What a player's hands are worth at a leaf, weighted by how likely the other's are and how
    /// much of them comes here.
    pub fn leaf(&self, node: &Node, seat: Seat, theirs: &[f32]) -> Vec<f32> {
        let sign = if seat == 0 { 1.0 } else { -1.0 };
        let other = &node.alive[1 - seat];
        let weighted = |hand: u16| {
            let row = self.row(seat, hand);
            other
                .iter()
                .zip(theirs)
                .map(move |(&o, reach)| row[usize::from(o)] * reach)
        };
        match &node.kind {
            Kind::Fold(payoff) => {
                let value = |&hand: &u16| sign * payoff * weighted(hand).sum::<f32>();
                node.alive[seat].iter().map(value).collect()
            }
            Kind::Showdown { payoffs, strengths } => {
                let own = node.alive[seat].iter().zip(&strengths[seat]);
                own.map(|(&hand, own)| {
                    let pay = |theirs: &u8| {
                        let order = own.cmp(theirs) as i8 * sign as i8;
                        sign * payoffs[(order + 1) as usize]
                    };
                    weighted(hand)
                        .zip(&strengths[1 - seat])
                        .map(|(weight, theirs)| weight * pay(theirs))
                        .sum()
                })
                .collect()
            }
            Kind::Decision { .. } => vec![0.0; node.alive[seat].len()],
        }
    }
}
