//! What a search leaves for the turn's next action, in the form it is stored.

use super::tree::{Edge, Key, Node, Tree, pack, unpack};
use super::turn::OwnTurn;
use crate::rules::{Action, Cards};
use serde::{Deserialize, Serialize};

/// Positions of a turn with their actions, ready for storage.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct SavedTurn {
    nodes: Vec<SavedNode>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct SavedNode {
    key: u128,
    depth: u8,
    edges: Vec<SavedEdge>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct SavedEdge {
    action: [u8; 3],
    value: f32,
    visits: u32,
    sum: f64,
    squares: f64,
}

impl SavedTurn {
    /// The part of a tree that still applies after an action: the positions that can follow it in
    /// the same turn, whatever is drawn.
    pub fn after(tree: &Tree, root: &OwnTurn, action: Action) -> SavedTurn {
        let mut saved = SavedTurn::default();
        let mut open: Vec<OwnTurn> = followers(root, action);
        let mut seen = std::collections::HashSet::new();
        while let Some(own) = open.pop() {
            let key = Key::of(&own.view);
            let Some(node) = tree.get(&key) else { continue };
            if !seen.insert(key) {
                continue;
            }
            saved.nodes.push(SavedNode::of(key, node));
            for edge in &node.edges {
                open.extend(followers(&own, edge.action));
            }
        }
        saved
    }

    /// The tree again. What makes no sense is left out.
    pub fn tree(&self) -> Tree {
        self.nodes
            .iter()
            .filter_map(|node| Some((Key(node.key), node.node()?)))
            .collect()
    }

    /// Number of positions.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Whether nothing is left of the turn.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }
}

impl SavedNode {
    fn of(key: Key, node: &Node) -> SavedNode {
        SavedNode {
            key: key.0,
            depth: node.depth,
            edges: node
                .edges
                .iter()
                .map(|edge| SavedEdge {
                    action: pack(edge.action),
                    value: edge.value,
                    visits: edge.visits,
                    sum: edge.sum,
                    squares: edge.squares,
                })
                .collect(),
        }
    }

    fn node(&self) -> Option<Node> {
        let edges: Option<Vec<Edge>> = self
            .edges
            .iter()
            .map(|saved| {
                let sane = [f64::from(saved.value), saved.sum, saved.squares]
                    .iter()
                    .all(|v| v.is_finite());
                let mut edge = Edge::new(unpack(saved.action).filter(|_| sane)?, saved.value);
                edge.visits = saved.visits;
                edge.sum = saved.sum;
                edge.squares = saved.squares;
                Some(edge)
            })
            .collect();
        let edges = edges.filter(|edges| !edges.is_empty())?;
        Some(Node::new(self.depth, &edges))
    }
}

/// The positions of the same turn that an action can lead to.
fn followers(own: &OwnTurn, action: Action) -> Vec<OwnTurn> {
    if own.view.actions_left() <= 1 {
        return Vec::new();
    }
    match action {
        Action::Pass => Vec::new(),
        Action::Advance { .. } => vec![own.after(action, Cards::NONE)],
        Action::Retreat { to, .. } => own
            .pool
            .outcomes(own.view.discards, own.view.draws(to))
            .into_iter()
            .map(|(drawn, _)| own.after(action, drawn))
            .collect(),
    }
}

/// The best actions after a first one, until a draw decides or the tree knows no more.
pub(super) fn continuation(tree: &Tree, root: &OwnTurn, first: Action) -> Vec<Action> {
    let mut line = Vec::new();
    let mut own = *root;
    let mut action = first;
    while let [next] = followers(&own, action)[..] {
        own = next;
        let Some(edge) = tree.get(&Key::of(&own.view)).and_then(|node| best(node)) else {
            break;
        };
        action = edge.action;
        line.push(action);
    }
    line
}

fn best(node: &Node) -> Option<&Edge> {
    node.edges.iter().max_by(|a, b| {
        a.mean(super::rollout::PRIOR_TRIALS)
            .total_cmp(&b.mean(super::rollout::PRIOR_TRIALS))
    })
}
