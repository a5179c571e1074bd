//! The rollouts of a search in the form in which they are stored for the turn's next action. The contest starts a new
//! process for each action, so the rollouts must go through a file. At the end are the functions that follow the best
//! line of a turn through the tree.

use super::tree::{Edge, Key, Node, Tree, pack, unpack};
use super::turn::OwnTurn;
use crate::rules::{Action, Cards};
use serde::{Deserialize, Serialize};

/// Positions of a turn with the actions that rollouts took there, ready for storage.
///
/// Only rollouts are kept. The expectimax is made anew for the next action: it starts one layer deeper, so that the
/// same budget looks at more of the rest of the turn.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct SavedTurn {
    nodes: Vec<SavedNode>,
}

/// A position, by the bits of its [`Key`].
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct SavedNode {
    key: u128,
    edges: Vec<SavedEdge>,
}

/// An action that rollouts took, with the sums that an [`Edge`] has.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct SavedEdge {
    /// The bytes of [`pack`].
    action: [u8; 3],
    visits: u32,
    sum: f64,
}

impl SavedTurn {
    /// No rollouts: the start of a turn.
    pub const NOTHING: SavedTurn = SavedTurn { nodes: Vec::new() };

    /// The part of a tree that still applies after an action: all positions that can follow it in the same turn,
    /// for every possible draw, and that rollouts passed.
    pub fn after(tree: &Tree, root: &OwnTurn, action: Action) -> SavedTurn {
        let mut saved = SavedTurn::NOTHING;
        // Positions still to be looked at. Different orders of the same actions lead to the same position, so `seen`
        // keeps each from being stored twice.
        let mut open: Vec<OwnTurn> = followers(root, action);
        let mut seen = std::collections::HashSet::new();
        while let Some(own) = open.pop() {
            let key = Key::of(&own.view);
            // The expectimax may not have reached every position.
            let Some(node) = tree.get(&key) else { continue };
            if !seen.insert(key) {
                continue;
            }
            // If no rollout passed a position, none went on from it: there is nothing to follow.
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

    /// Gives the saved rollouts to the same actions of the same positions, as far as the tree has them. Values
    /// that are not finite, as in a damaged file, are left out.
    pub fn recall(&self, tree: &mut Tree) {
        for saved in &self.nodes {
            // The new expectimax may keep other actions in a position, and so other positions below it.
            let Some(node) = tree.get_mut(&Key(saved.key)) else {
                continue;
            };
            for edge in &saved.edges {
                edge.recall(node);
            }
        }
    }

    /// Whether nothing is left of the turn.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }
}

impl SavedEdge {
    /// The rollouts of an action, if any took it.
    fn of(edge: &Edge) -> Option<SavedEdge> {
        (edge.visits > 0).then(|| SavedEdge {
            action: pack(edge.action),
            visits: edge.visits,
            sum: edge.sum,
        })
    }

    /// Gives the rollouts to the same action of a node, if it has that action.
    fn recall(&self, node: &mut Node) {
        let action = unpack(self.action);
        let edge = node
            .edges
            .iter_mut()
            .find(|edge| Some(edge.action) == action);
        // An action that the tree does not keep has no edge; bytes that are no action equal no edge's action.
        if let Some(edge) = edge.filter(|_| self.sum.is_finite()) {
            edge.visits = self.visits;
            edge.sum = self.sum;
        }
    }
}

/// The positions of the same turn to which an action can lead, one for each set of cards that it can draw. Empty if
/// it ends the turn.
fn followers(own: &OwnTurn, action: Action) -> Vec<OwnTurn> {
    // The chances of the draws do not matter here, only which positions there are.
    let draws = own.draws(action).into_iter();
    draws.map(|(drawn, _)| own.after(action, drawn)).collect()
}

/// The best actions after a first one, up to the first draw or the end of the tree.
pub(super) fn continuation(tree: &Tree, root: &OwnTurn, first: Action) -> Vec<Action> {
    plan(tree, root, first).0
}

/// The position after the first action and the best ones after it, before the cards of the first draw.
pub(super) fn end(tree: &Tree, root: &OwnTurn, first: Action) -> Key {
    plan(tree, root, first).1
}

/// [`continuation`] and [`end`] together.
fn plan(tree: &Tree, root: &OwnTurn, first: Action) -> (Vec<Action>, Key) {
    let mut line = Vec::new();
    let mut own = *root;
    let mut action = first;
    // An action with exactly one position after it does not end the turn, and draws nothing or cards that are certain.
    while let [next] = followers(&own, action)[..] {
        let Some(edge) = tree.get(&Key::of(&next.view)).and_then(best) else {
            break;
        };
        own = next;
        action = edge.action;
        line.push(action);
    }
    // A retreat that draws counts as if it drew nothing: two plans that end in the same retreat are the same.
    let end = own.after(action, Cards::NONE);
    (line, Key::of(&end.view))
}

/// The best action of a position by expectimax and rollouts together; the last among equals.
fn best(node: &Node) -> Option<&Edge> {
    // The same prior as in rollouts: an action with few rollouts is near its expectimax value.
    node.edges.iter().max_by(|a, b| {
        a.mean(super::rollout::PRIOR_TRIALS)
            .total_cmp(&b.mean(super::rollout::PRIOR_TRIALS))
    })
}
