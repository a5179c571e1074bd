//! The positions of the rest of the own turn, and what is known of the actions in each.

use crate::rules::{Action, SYMBOLS, Symbol};
use crate::view::View;
use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

/// Actions remembered in a position after the root.
pub const MAX_EDGES: usize = 10;

/// Identifies a position within one turn of one player, exactly.
///
/// The other players' pirates and hand sizes do not change during the turn, and the draw pile's
/// size follows from the own hand and the discards: what is left fits 128 bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Key(pub u128);

impl Key {
    /// The key of the position of the player to move.
    pub fn of(view: &View) -> Key {
        let mut key = u128::from(view.taken);
        for &place in view.track.pirates(view.seat) {
            key = key << 7 | u128::from(place);
        }
        for cards in [view.hand, view.discards] {
            for count in cards.counts() {
                key = key << 7 | u128::from(count & 0x7F);
            }
        }
        Key(key)
    }
}

/// An action in a position, and how good it looked.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Edge {
    pub action: Action,
    /// Chance to win by expectimax over the rest of the turn.
    pub value: f32,
    /// Times it was tried on a sampled world.
    pub visits: u32,
    /// Sum of what these trials were worth.
    pub sum: f64,
    /// Sum of the squares.
    pub squares: f64,
}

impl Edge {
    /// An action that has not been tried yet.
    pub fn new(action: Action, value: f32) -> Edge {
        Edge {
            action,
            value,
            visits: 0,
            sum: 0.0,
            squares: 0.0,
        }
    }

    /// The expectimax value and the trials together, the former counting as `weight` trials.
    pub fn mean(&self, weight: f64) -> f64 {
        (f64::from(self.value) * weight + self.sum) / (weight + f64::from(self.visits))
    }
}

/// A position of the own turn.
#[derive(Clone, Debug, PartialEq)]
pub struct Node {
    /// Its actions by expectimax, best first: at the root all, elsewhere the best 10 (`MAX_EDGES`).
    pub edges: Vec<Edge>,
}

impl Node {
    /// A node with the given actions, best first.
    pub fn new(edges: impl Iterator<Item = Edge>) -> Node {
        Node {
            edges: edges.collect(),
        }
    }

    /// Puts an action before all others, as what is now known of it.
    pub fn put_first(&mut self, edge: Edge) {
        self.edges.retain(|other| other.action != edge.action);
        self.edges.insert(0, edge);
    }

    /// The best action's expectimax value.
    pub fn value(&self) -> f32 {
        self.edges.first().map_or(0.0, |edge| edge.value)
    }
}

/// A map from positions of a turn.
pub type KeyMap<V> = HashMap<Key, V, BuildHasherDefault<KeyHasher>>;

/// The positions of a turn that a search has valued.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Tree {
    numbers: KeyMap<u32>,
    /// In the order in which they were found, the root first. Those without edges were found and not valued.
    nodes: Vec<Node>,
}

impl Tree {
    /// A tree of these nodes, and where each position is among them.
    pub(super) fn new(numbers: KeyMap<u32>, nodes: Vec<Node>) -> Tree {
        Tree { numbers, nodes }
    }

    /// A position that was valued.
    pub fn get(&self, key: &Key) -> Option<&Node> {
        let number = *self.numbers.get(key)?;
        Some(&self.nodes[number as usize]).filter(|node| !node.edges.is_empty())
    }

    /// The same, to be changed.
    pub fn get_mut(&mut self, key: &Key) -> Option<&mut Node> {
        let number = *self.numbers.get(key)?;
        Some(&mut self.nodes[number as usize]).filter(|node| !node.edges.is_empty())
    }

    /// The position searched from.
    pub fn root(&self) -> &Node {
        &self.nodes[0]
    }

    /// The same, to be changed.
    pub fn root_mut(&mut self) -> &mut Node {
        &mut self.nodes[0]
    }

    /// How many positions were valued.
    pub fn len(&self) -> usize {
        let valued = self.nodes.iter().filter(|node| !node.edges.is_empty());
        valued.count()
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// Mixes a [`Key`]: one multiplication instead of a keyed hash, and the same order everywhere.
#[derive(Default)]
pub struct KeyHasher(u64);

impl Hasher for KeyHasher {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.0 = engine::rng::mix(self.0 ^ u64::from(byte));
        }
    }

    fn write_u128(&mut self, key: u128) {
        self.0 = engine::rng::mix((key >> 64) as u64 ^ engine::rng::mix(key as u64));
    }
}

/// For storing: an action's places, and its symbol's index or a marker.
pub(super) fn pack(action: Action) -> [u8; 3] {
    const RETREAT: u8 = SYMBOLS as u8;
    const PASS: u8 = RETREAT + 1;
    match action {
        Action::Advance { from, to, symbol } => [from, to, symbol as u8],
        Action::Retreat { from, to } => [from, to, RETREAT],
        Action::Pass => [0, 0, PASS],
    }
}

/// The reverse of [`pack`]; none for what is no action.
pub(super) fn unpack([from, to, kind]: [u8; 3]) -> Option<Action> {
    match kind as usize {
        k if k < SYMBOLS => Some(Action::Advance {
            from,
            to,
            symbol: Symbol::ALL[k],
        }),
        SYMBOLS => Some(Action::Retreat { from, to }),
        k if k == SYMBOLS + 1 => Some(Action::Pass),
        _ => None,
    }
}
