//! A tree over the viewer's information sets, grown while worlds are played out: POMCP (Silver and Veness
//! 2010), with the others' cards chosen by their sampled types.
//!
//! A *node* is a decision of the viewer, identified by the cards seen since the root. All worlds that look
//! alike share it, so the viewer cannot choose by hidden cards. An *edge* is a legal card at a node. A world is
//! played out in three parts:
//!
//! 1. *Selection.* At nodes met before, the viewer plays the card with the highest
//!
//!    Q + c √N P / (1 + n)
//!
//!    (PUCT, Rosin 2011, as in Silver et al. 2016): Q is the card's mean value so far, P its chance by the
//!    network, n and N the visits of card and node, c the constant [`EXPLORE`]. The prior P is needed because
//!    most nodes are met only a few times, too few to try every card.
//! 2. *Expansion.* The first unknown node joins the tree. From there on the viewer plays by a policy (the playout).
//! 3. *Backing up.* The round's value is added to all nodes and edges on the path.
//!
//! *Example.* At a node with N = 16, card A was tried n = 7 times with Q = -4 and P = 0.5; card B is untried
//! with P = 0.1 and counts with the node's mean, -5. The bounds are -4 + 12 × 4 × 0.5 / 8 = -1 and -5 + 12 × 4
//! × 0.1 / 1 = -0.2, so B is tried.

use super::belief::OpponentType;
use super::network::Network;
use super::{Card, Cards, MAX_PLAYERS, Policy as _, PolicySet, Round as _, Worth};
use engine::rng::{Random, mix};
use std::cell::Cell;
use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::mem;
use std::num::NonZeroU32;

/// The weight of a card's chance against its mean value, in points. Chosen by matches of Hearts among 4, 12, 30
/// and 80, see `docs/measurements/tricks.md`.
const EXPLORE: f32 = 12.0;
/// The most nodes and edges of a tree, so that memory stays bounded. A hash table with room for 14,336 = 7/8 ×
/// 2¹⁴ entries is just full.
const NODES: usize = 14_336;
const EDGES: usize = 40_000;

/// A card at a node.
#[derive(Clone, Copy, Debug, Default)]
struct Edge {
    visits: u32,
    sum: f32,
    /// The network's chance of the card.
    chance: f32,
}

/// A decision of the viewer.
#[derive(Clone, Copy, Debug)]
struct Node {
    /// The end of its edges in [`Room::edges`], one for each legal card. None until the node is met again: most
    /// nodes never are, and need neither edges nor the network.
    end: Option<NonZeroU32>,
    /// The place, among the legal cards, of the card that the policy chose when the node was met first.
    first: u8,
    visits: u32,
    sum: f32,
}

/// The tree of one decision.
pub struct Tree<'a> {
    /// The network that says how the viewer is likely to play.
    network: &'a Network,
    room: Room,
}

/// The storage of a tree.
#[derive(Default)]
struct Room {
    /// By a hash of the cards seen since the root.
    nodes: HashMap<u64, Node>,
    edges: Vec<Edge>,
    /// The nodes met in the current playout, each with the edge followed from it if it has edges.
    path: Vec<(u64, Option<u32>)>,
}

thread_local! {
    /// The storage of the thread's last tree, for its next one. Freeing and allocating blocks of this size
    /// again and again leaves holes in memory, and the program of a contest has 4 MB for everything.
    static FREE: Cell<Option<Room>> = const { Cell::new(None) };
}

impl Room {
    /// The storage of the thread's last tree, emptied; a new one if there is none.
    fn take() -> Room {
        let free = FREE.try_with(Cell::take).ok().flatten();
        let mut room = free.unwrap_or_else(|| Room {
            // Allocated at full size: a table that grows holds its old and new storage at once, while memory
            // that is reserved and never written is not taken from the system.
            nodes: HashMap::with_capacity(NODES),
            edges: Vec::with_capacity(EDGES),
            path: Vec::new(),
        });
        room.nodes.clear();
        room.edges.clear();
        room
    }
}

impl Drop for Tree<'_> {
    fn drop(&mut self) {
        let room = mem::take(&mut self.room);
        // A thread that is ending keeps nothing: its storage may be gone already.
        let _ = FREE.try_with(|free| free.set(Some(room)));
    }
}

/// How each seat plays while a world is played out.
pub struct Players<'a, P> {
    pub seat: usize,
    /// The viewer's way to play beyond the tree.
    pub own: OpponentType<'a, P>,
    /// By seat, the way to play of each other player.
    pub others: [OpponentType<'a, P>; MAX_PLAYERS],
}

impl<P: PolicySet> Players<'_, P> {
    /// The price of a round that these players play out, in nodes: the mean price of their cards.
    pub fn cost(&self, players: usize) -> f64 {
        let others = (0..players).filter(|&seat| seat != self.seat);
        let others: f64 = others.map(|seat| self.others[seat].cost()).sum();
        (self.own.cost() + others) / players as f64
    }
}

impl<'a> Tree<'a> {
    /// An empty tree for a viewer who is likely to play as the network says.
    pub fn new(network: &'a Network) -> Tree<'a> {
        Tree {
            network,
            room: Room::take(),
        }
    }

    /// Plays a world out after a card of the viewer; returns the round's value for the viewer.
    pub fn play_out<P: PolicySet>(
        &mut self,
        world: &mut P::Round,
        first: Card,
        players: &Players<'_, P>,
        worth: &Worth,
        rng: &mut Random,
    ) -> f32 {
        self.room.path.clear();
        // The history is a hash of all cards since the root, others' and forced ones included: they are what
        // the viewer has seen.
        let mut history = mix(u64::from(first.bit()) + 1);
        let mut growing = true;
        world.act(first);
        while let Some(seat) = world.to_act() {
            let legal = world.legal();
            // A forced card is no decision, and makes no node.
            let card = match legal.len() {
                0 => break,
                1 => legal.first().unwrap_or(first),
                _ if seat != players.seat => players.others[seat].choose(world, legal, rng),
                _ if growing => match self.select::<P>(history, world, legal) {
                    Some(card) => card,
                    None => {
                        growing = false;
                        // One new node a playout, as in POMCP: few of the decisions beyond it will be met
                        // again.
                        let card = players.own.choose(world, legal, rng);
                        self.meet(history, legal, card);
                        card
                    }
                },
                _ => players.own.choose(world, legal, rng),
            };
            world.act(card);
            // Mixing after every card makes the order of cards part of the hash.
            history = mix(history ^ (u64::from(card.bit()) + 1));
        }
        let value = worth.of::<P>(world);
        self.back_up(value);
        value
    }

    /// Adds a node that is met for the first time, with the card that the policy plays there.
    fn meet(&mut self, history: u64, legal: Cards, card: Card) {
        // A full table grows even if it is only asked for a free entry.
        if self.room.nodes.len() >= NODES {
            return;
        }
        let place = legal.into_iter().position(|other| other == card);
        // The node may exist already, without room for its edges; then the playout is not counted there.
        let (Entry::Vacant(free), Some(place)) = (self.room.nodes.entry(history), place) else {
            return;
        };
        free.insert(Node {
            end: None,
            first: place as u8,
            visits: 0,
            sum: 0.0,
        });
        self.room.path.push((history, None));
    }

    /// The card to try at a node; none if the node is new, or there is no room for its edges.
    fn select<P: PolicySet>(
        &mut self,
        history: u64,
        world: &P::Round,
        legal: Cards,
    ) -> Option<Card> {
        let node = self.room.nodes.get_mut(&history)?;
        let at = match node.end {
            // Edges have no owner in the list: they end at `end` and are as many as the legal cards, which are
            // the same in all worlds that look alike.
            Some(end) => end.get() as usize - legal.len(),
            None => {
                let at = self.room.edges.len();
                if at + legal.len() > EDGES {
                    return None;
                }
                // The second visit: ask the network, and give the first visit's value to the card it was for.
                let chances = self.network.chances_of::<P>(world, legal);
                let edges = chances.iter().map(|&chance| Edge {
                    chance,
                    ..Edge::default()
                });
                self.room.edges.extend(edges.take(legal.len()));
                let first = &mut self.room.edges[at + usize::from(node.first)];
                (first.visits, first.sum) = (node.visits, node.sum);
                node.end = NonZeroU32::new(self.room.edges.len() as u32);
                at
            }
        };
        // Q of an untried card is the node's mean, so that only its prior decides when it is tried.
        let mean = node.sum / node.visits.max(1) as f32;
        let explore = EXPLORE * (node.visits as f32).sqrt();
        let mut best = (f32::NEG_INFINITY, 0, None);
        for (place, card) in legal.into_iter().enumerate() {
            let edge = self.room.edges[at + place];
            let visits = edge.visits as f32;
            // The card's mean value, or the node's as long as it is untried.
            let brought = match edge.visits {
                0 => mean,
                _ => edge.sum / visits,
            };
            let bound = brought + explore * edge.chance / (1.0 + visits);
            if bound > best.0 {
                best = (bound, place, Some(card));
            }
        }
        self.room.path.push((history, Some((at + best.1) as u32)));
        best.2
    }

    /// Adds a round's value to the nodes and edges on the path.
    fn back_up(&mut self, value: f32) {
        for &(history, edge) in &self.room.path {
            if let Some(node) = self.room.nodes.get_mut(&history) {
                node.visits += 1;
                node.sum += value;
            }
            if let Some(edge) = edge {
                let edge = &mut self.room.edges[edge as usize];
                edge.visits += 1;
                edge.sum += value;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A full tree does not grow. A larger table would need twice as much memory, and three times as much while it
    /// is copied.
    #[test]
    fn a_full_tree_does_not_grow() {
        let network = Network::even();
        let mut tree = Tree::new(&network);
        let room = tree.room.nodes.capacity();
        let card = Card::at(7);
        for history in 0..room as u64 + 10 {
            tree.meet(mix(history), Cards::from(card), card);
        }
        assert_eq!(tree.room.nodes.len(), NODES);
        assert_eq!(tree.room.nodes.capacity(), room);
    }
}
