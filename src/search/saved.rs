//! What rollouts leave for the turn's next action, in the form it is stored.

use super::tree::{Edge, Key, Node, Tree, pack, unpack};
use super::turn::OwnTurn;
use crate::rules::{Action, Cards};
use serde::{Deserialize, Serialize};

/// Positions of a turn with the actions that rollouts tried there, ready for storage.
///
/// Only these trials are kept. The next action's expectimax is made again: it has one layer less, and finds
/// more than a search that had to look at more.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct SavedTurn {
    nodes: Vec<SavedNode>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct SavedNode {
    key: u128,
    edges: Vec<SavedEdge>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct SavedEdge {
    action: [u8; 3],
    visits: u32,
    sum: f64,
    squares: f64,
}

impl SavedTurn {
    pub const NOTHING: SavedTurn = SavedTurn { nodes: Vec::new() };

    /// The part of a tree that still applies after an action: the positions that can follow it in
    /// the same turn, whatever is drawn, as far as rollouts passed them.
    pub fn after(tree: &Tree, root: &OwnTurn, action: Action) -> SavedTurn {
        let mut saved = SavedTurn::NOTHING;
        let mut open: Vec<OwnTurn> = followers(root, action);
        let mut seen = std::collections::HashSet::new();
        while let Some(own) = open.pop() {
            let key = Key::of(&own.view);
            let Some(node) = tree.get(&key) else { continue };
            if !seen.insert(key) {
                continue;
            }
            // A rollout that passes a later position has passed this one.
            let edges: Vec<SavedEdge> = node.edges.iter().filter_map(SavedEdge::of).collect();
            if edges.is_empty() {
                continue;
            }
            saved.nodes.push(SavedNode { key: key.0, edges });
            for edge in node.edges.iter().filter(|edge| edge.visits > 0) {
                open.extend(followers(&own, edge.action));
            }
        }
        saved
    }

    /// Adds the trials to the same actions of the same positions, as far as the tree has them. What makes
    /// no sense is left out.
    pub fn recall(&self, tree: &mut Tree) {
        for saved in &self.nodes {
            let Some(node) = tree.get_mut(&Key(saved.key)) else {
                continue;
            };
            for edge in &saved.edges {
                edge.recall(node);
            }
        }
    }

    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Whether nothing is left of the turn.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }
}

impl SavedEdge {
    fn of(edge: &Edge) -> Option<SavedEdge> {
        (edge.visits > 0).then(|| SavedEdge {
            action: pack(edge.action),
            visits: edge.visits,
            sum: edge.sum,
            squares: edge.squares,
        })
    }

    fn recall(&self, node: &mut Node) {
        let action = unpack(self.action);
        let edge = node
            .edges
            .iter_mut()
            .find(|edge| Some(edge.action) == action);
        if let Some(edge) = edge.filter(|_| self.sum.is_finite() && self.squares.is_finite()) {
            edge.visits = self.visits;
            edge.sum = self.sum;
            edge.squares = self.squares;
        }
    }
}

/// The positions of the same turn that an action can lead to.
fn followers(own: &OwnTurn, action: Action) -> Vec<OwnTurn> {
    let draws = own.draws(action).into_iter();
    draws.map(|(drawn, _)| own.after(action, drawn)).collect()
}

/// The best actions after a first one, until a draw decides or the tree knows no more.
pub(super) fn continuation(tree: &Tree, root: &OwnTurn, first: Action) -> Vec<Action> {
    plan(tree, root, first).0
}

/// The position after the first action and the best ones after it, before the draw that decides, if any.
pub(super) fn end(tree: &Tree, root: &OwnTurn, first: Action) -> Key {
    plan(tree, root, first).1
}

fn plan(tree: &Tree, root: &OwnTurn, first: Action) -> (Vec<Action>, Key) {
    let mut line = Vec::new();
    let mut own = *root;
    let mut action = first;
    while let [next] = followers(&own, action)[..] {
        let Some(edge) = tree.get(&Key::of(&next.view)).and_then(best) else {
            break;
        };
        own = next;
        action = edge.action;
        line.push(action);
    }
    let end = own.after(action, Cards::NONE);
    (line, Key::of(&end.view))
}

fn best(node: &Node) -> Option<&Edge> {
    node.edges.iter().max_by(|a, b| {
        a.mean(super::rollout::PRIOR_TRIALS)
            .total_cmp(&b.mean(super::rollout::PRIOR_TRIALS))
    })
}
