//! A strategy that is given from outside, on an endgame's tree.

use super::build::Endgame;
use super::response::Shares;
use super::tree::{Kind, Tree};
use crate::equilibrium::Public;
use crate::rules::{Cards, Decision, Seat};

/// The shares of a strategy at every decision of a tree.
#[derive(Clone, Debug)]
pub struct Given<'a> {
    tree: &'a Tree,
    shares: Vec<f32>,
}

impl<'a> Given<'a> {
    /// Asks `policy` for the share of a decision with some cards wherever `seat` decides. What it
    /// gives to decisions that the tree leaves out is given to the others.
    pub fn new(
        endgame: &Endgame,
        tree: &'a Tree,
        seat: Seat,
        policy: impl Fn(&Public, Cards, Decision) -> f32,
    ) -> Given<'a> {
        let mut given = Given {
            tree,
            shares: vec![0.0; tree.size],
        };
        given.fill(endgame, seat, &policy, 0, endgame.public);
        given
    }

    fn fill(
        &mut self,
        endgame: &Endgame,
        seat: Seat,
        policy: &impl Fn(&Public, Cards, Decision) -> f32,
        node: usize,
        public: Public,
    ) {
        let here = &self.tree.nodes[node];
        let Kind::Decision {
            seat: mover,
            edges,
            at,
        } = &here.kind
        else {
            return;
        };
        if *mover == seat {
            let gone = gone(&endgame.public, &public, seat);
            for (number, edge) in edges.iter().enumerate() {
                for &place in &edge.hands {
                    let root = here.alive[seat][usize::from(place)];
                    let held = endgame.hands[seat][usize::from(root)].minus(gone);
                    let share = policy(&public, held, edge.decision);
                    self.shares[at + usize::from(place) * edges.len() + number] = share;
                }
            }
            let end = at + here.alive[seat].len() * edges.len();
            for row in self.shares[*at..end].chunks_mut(edges.len()) {
                let sum: f32 = row.iter().sum();
                row.iter_mut().for_each(|share| *share /= sum.max(1e-9));
            }
        }
        for edge in edges {
            self.fill(
                endgame,
                seat,
                policy,
                edge.child,
                public.after(edge.decision),
            );
        }
    }
}

/// What a player has played since the root, a card on the table included.
fn gone(root: &Public, public: &Public, seat: Seat) -> Cards {
    let played = public.played[seat].minus(root.played[seat]);
    match public.table {
        Some(card) if public.lead == seat => played.with(card),
        _ => played,
    }
}

impl Shares for Given<'_> {
    fn shares(&self, node: usize) -> Vec<f32> {
        let here = &self.tree.nodes[node];
        match &here.kind {
            Kind::Decision { seat, edges, at } => {
                self.shares[*at..at + here.alive[*seat].len() * edges.len()].to_vec()
            }
            _ => Vec::new(),
        }
    }
}
