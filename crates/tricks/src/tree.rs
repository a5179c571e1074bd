//! A tree over the viewer's information sets, grown while worlds are played out: POMCP (Silver and
//! Veness 2010) with the others' replies drawn from their sampled types.
//!
//! A node is a decision of the viewer after a history of cards seen since the root, so that the
//! decision is the same in all worlds that look alike. As far as the tree goes, the viewer's replies are chosen by what they have
//! brought and by how likely the network thinks them (PUCT, Rosin 2011, as in Silver et al. 2016): most nodes are met a few
//! times only, too few to try every card. After that they are chosen by a policy. The network is asked when a node is met for
//! the second time, since most never are.

use super::belief::OpponentType;
use super::network::Network;
use super::{Card, Cards, MAX_PLAYERS, Policy as _, PolicySet, Round as _, Worth};
use engine::rng::{Random, mix};
use std::cell::Cell;
use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::mem;
use std::num::NonZeroU32;

/// Weight of a card's chance against what it has brought, in points.
const EXPLORE: f32 = 12.0;
/// Nodes and edges of a tree at most, so that memory stays bounded; a hash table of so many nodes is just full.
const NODES: usize = 14_336;
const EDGES: usize = 40_000;

#[derive(Clone, Copy, Debug, Default)]
struct Edge {
    visits: u32,
    sum: f32,
    /// How likely it was before it was tried.
    chance: f32,
}

#[derive(Clone, Copy, Debug)]
struct Node {
    /// Where its edges end; nowhere as long as it was met once.
    end: Option<NonZeroU32>,
    /// The number of the card that the policy chose when it was met first.
    first: u8,
    visits: u32,
    sum: f32,
}

/// The tree of one decision.
pub struct Tree<'a> {
    /// How the viewer is likely to play.
    network: &'a Network,
    room: Room,
}

/// Where a tree lies.
#[derive(Default)]
struct Room {
    nodes: HashMap<u64, Node>,
    edges: Vec<Edge>,
    /// Nodes, and the edges that were followed from them.
    path: Vec<(u64, Option<u32>)>,
}

thread_local! {
    /// The room of the thread's last tree. A thread that decides often takes it from the system once: blocks of this size that
    /// come and go leave holes behind, and the program of a contest has 4 MB for everything.
    static FREE: Cell<Option<Room>> = const { Cell::new(None) };
}

impl Room {
    fn take() -> Room {
        let free = FREE.try_with(Cell::take).ok().flatten();
        let mut room = free.unwrap_or_else(|| Room {
            // Room at once: a table that grows needs it twice, and room that is not used is not taken from the system.
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
        // A thread that is ending keeps nothing.
        let _ = FREE.try_with(|free| free.set(Some(room)));
    }
}

/// Who plays how while a world is played out.
pub struct Players<'a, P> {
    pub seat: usize,
    /// How the viewer plays beyond the tree.
    pub own: OpponentType<'a, P>,
    /// How each other player plays, by seat.
    pub others: [OpponentType<'a, P>; MAX_PLAYERS],
}

impl<P: PolicySet> Players<'_, P> {
    /// What a round costs that so many of them play out, in nodes.
    pub fn cost(&self, players: usize) -> f64 {
        let others = (0..players).filter(|&seat| seat != self.seat);
        let others: f64 = others.map(|seat| self.others[seat].cost()).sum();
        (self.own.cost() + others) / players as f64
    }
}

impl<'a> Tree<'a> {
    /// An empty tree of a viewer who is likely to play as the network says.
    pub fn new(network: &'a Network) -> Tree<'a> {
        Tree {
            network,
            room: Room::take(),
        }
    }

    /// Plays a world out after a card of the viewer; returns its value.
    pub fn play_out<P: PolicySet>(
        &mut self,
        world: &mut P::Round,
        first: Card,
        players: &Players<'_, P>,
        worth: &Worth,
        rng: &mut Random,
    ) -> f32 {
        self.room.path.clear();
        let mut history = mix(u64::from(first.bit()) + 1);
        let mut growing = true;
        world.act(first);
        while let Some(seat) = world.to_act() {
            let legal = world.legal();
            let card = match legal.len() {
                0 => break,
                1 => legal.first().unwrap_or(first),
                _ if seat != players.seat => players.others[seat].choose(world, legal, rng),
                _ if growing => match self.select::<P>(history, world, legal) {
                    Some(card) => card,
                    None => {
                        growing = false;
                        let card = players.own.choose(world, legal, rng);
                        self.meet(history, legal, card);
                        card
                    }
                },
                _ => players.own.choose(world, legal, rng),
            };
            world.act(card);
            history = mix(history ^ (u64::from(card.bit()) + 1));
        }
        let value = worth.of::<P>(world);
        self.back_up(value);
        value
    }

    /// Adds a node that is met for the first time, with the card that the policy plays there.
    fn meet(&mut self, history: u64, legal: Cards, card: Card) {
        // Asking a full table for a free entry would make it grow.
        if self.room.nodes.len() >= NODES {
            return;
        }
        let place = legal.into_iter().position(|other| other == card);
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

    /// The card to try at a node; none if it was not met before, or there is no room for its edges.
    fn select<P: PolicySet>(
        &mut self,
        history: u64,
        world: &P::Round,
        legal: Cards,
    ) -> Option<Card> {
        let node = self.room.nodes.get_mut(&history)?;
        let at = match node.end {
            Some(end) => end.get() as usize - legal.len(),
            None => {
                let at = self.room.edges.len();
                if at + legal.len() > EDGES {
                    return None;
                }
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
        let mean = node.sum / node.visits.max(1) as f32;
        let explore = EXPLORE * (node.visits as f32).sqrt();
        let mut best = (f32::NEG_INFINITY, 0, None);
        for (place, card) in legal.into_iter().enumerate() {
            let edge = self.room.edges[at + place];
            let visits = edge.visits as f32;
            // What was not tried is as good as the rest until it is.
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

    /// Memory is bounded: a table that grew would need twice as much, and thrice while it is copied.
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
