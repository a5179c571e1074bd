//! The positions that the rest of the own turn can reach, with the value and the rollouts of each action there.
//!
//! The expectimax (`turn`) makes the tree. Rollouts (`rollout`) then follow its actions, and their results are
//! counted in it. After the answer `saved` stores the part that the turn's next action can use.

use crate::rules::{Action, SYMBOLS, Symbol};
use crate::view::View;
use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

/// The most actions that are kept in each position except the root.
pub const MAX_EDGES: usize = 10;

/// Identifies a position within one turn of one player, exactly.
///
/// It holds the actions taken, the own pirates, the hand and the discards. The other players' pirates and hand
/// sizes do not change during the turn, and the size of the draw pile follows from the hand and the discards.
/// With 7 bits for each of 6 places and 12 counts, and the actions taken above them, 128 bits are enough.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Key(pub u128);

impl Key {
    /// The key of the position of the player to move.
    pub fn of(view: &View) -> Key {
        // 0 to 3 actions are taken, which needs 2 bits: with 6 · 7 and 12 · 7 that makes 128.
        let mut key = u128::from(view.taken);
        // A track keeps the pirates sorted, so positions that differ only in which pirate stands where get one key.
        // Places are below 128.
        for &place in view.track.pirates(view.seat) {
            key = key << 7 | u128::from(place);
        }
        for cards in [view.hand, view.discards] {
            // A symbol has 17 cards; the mask matters only for records that break the rules.
            for count in cards.counts() {
                key = key << 7 | u128::from(count & 0x7F);
            }
        }
        Key(key)
    }
}

/// An action in a position, with its value and its rollouts.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Edge {
    pub action: Action,
    /// The chance to win by expectimax over the rest of the turn.
    pub value: f32,
    /// The number of rollouts that took it.
    pub visits: u32,
    /// The sum of the values of these rollouts.
    pub sum: f64,
}

impl Edge {
    /// An action without rollouts.
    pub fn new(action: Action, value: f32) -> Edge {
        Edge {
            action,
            value,
            visits: 0,
            sum: 0.0,
        }
    }

    /// The mean of the rollouts, with the expectimax value as a prior that has the weight of `weight` rollouts:
    /// (weight · value + sum) / (weight + visits). A value of 0.5 with weight 12 and 4 rollouts that sum to 4
    /// make 0.625.
    pub fn mean(&self, weight: f64) -> f64 {
        (f64::from(self.value) * weight + self.sum) / (weight + f64::from(self.visits))
    }
}

/// A position of the own turn.
#[derive(Clone, Debug, PartialEq)]
pub struct Node {
    /// The actions, best first by expectimax: all of them at the root, elsewhere the best 10 (`MAX_EDGES`). Empty
    /// if the expectimax was cut off after it found the position and before it valued it.
    pub edges: Vec<Edge>,
}

impl Node {
    /// A node with the given actions, which must come best first.
    pub fn new(edges: impl Iterator<Item = Edge>) -> Node {
        Node {
            edges: edges.collect(),
        }
    }

    /// Puts an action before all others. An edge that the node had for the same action is replaced.
    pub fn put_first(&mut self, edge: Edge) {
        // Two edges for one action would split its rollouts.
        self.edges.retain(|other| other.action != edge.action);
        self.edges.insert(0, edge);
    }

    /// The expectimax value of the best action; 0 without actions.
    pub fn value(&self) -> f32 {
        // The edges come best first.
        self.edges.first().map_or(0.0, |edge| edge.value)
    }
}

/// A map from positions of a turn.
pub type KeyMap<V> = HashMap<Key, V, BuildHasherDefault<KeyHasher>>;

/// The positions of a turn that a search has valued.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Tree {
    /// The index of each position in `nodes`.
    numbers: KeyMap<u32>,
    /// The positions in the order in which they were found, the root first.
    nodes: Vec<Node>,
}

impl Tree {
    /// A tree of these nodes; `numbers` holds the index of each position among them.
    pub(super) fn new(numbers: KeyMap<u32>, nodes: Vec<Node>) -> Tree {
        Tree { numbers, nodes }
    }

    /// The node of a position; none if it was not valued.
    pub fn get(&self, key: &Key) -> Option<&Node> {
        // If the budget ended the expectimax in the middle of a layer, some positions have a number and no value yet.
        let number = *self.numbers.get(key)?;
        Some(&self.nodes[number as usize]).filter(|node| !node.edges.is_empty())
    }

    /// As [`Tree::get`], to be changed.
    pub fn get_mut(&mut self, key: &Key) -> Option<&mut Node> {
        let number = *self.numbers.get(key)?;
        Some(&mut self.nodes[number as usize]).filter(|node| !node.edges.is_empty())
    }

    /// The position in which the search began.
    pub fn root(&self) -> &Node {
        &self.nodes[0]
    }

    /// As [`Tree::root`], to be changed.
    pub fn root_mut(&mut self) -> &mut Node {
        &mut self.nodes[0]
    }
}

/// Hashes a [`Key`] by a fixed mixing function. It is faster than the standard library's keyed hash, and the same in
/// every run. A keyed hash protects maps whose keys an attacker chooses; nobody chooses these.
#[derive(Default)]
pub struct KeyHasher(u64);

impl Hasher for KeyHasher {
    fn finish(&self) -> u64 {
        self.0
    }

    // A key is written as one `u128` below; this method is for completeness.
    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.0 = engine::rng::mix(self.0 ^ u64::from(byte));
        }
    }

    // Both halves enter the hash: the pirates are in the upper bits, the discards in the lower ones.
    fn write_u128(&mut self, key: u128) {
        self.0 = engine::rng::mix((key >> 64) as u64 ^ engine::rng::mix(key as u64));
    }
}

/// An action in three bytes, for storage: the places from and to, then the index of its symbol (0 to 5), 6 for a
/// retreat or 7 for a pass.
pub(super) fn pack(action: Action) -> [u8; 3] {
    const RETREAT: u8 = SYMBOLS as u8;
    const PASS: u8 = RETREAT + 1;
    match action {
        Action::Advance { from, to, symbol } => [from, to, symbol as u8],
        Action::Retreat { from, to } => [from, to, RETREAT],
        Action::Pass => [0, 0, PASS],
    }
}

/// The reverse of [`pack`]; none for bytes that are no action.
pub(super) fn unpack([from, to, kind]: [u8; 3]) -> Option<Action> {
    match kind as usize {
        k if k < SYMBOLS => Some(Action::Advance {
            from,
            to,
            symbol: Symbol::ALL[k],
        }),
        SYMBOLS => Some(Action::Retreat { from, to }),
        k if k == SYMBOLS + 1 => Some(Action::Pass),
        // A damaged file, or one of another program.
        _ => None,
    }
}
