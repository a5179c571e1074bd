//! A tree over the viewer's information sets, grown while worlds are played out: POMCP (Silver and
//! Veness 2010) with the others' replies drawn from their sampled types.
//!
//! A node is a decision of the viewer after a history of cards seen since the root, so that the
//! decision is the same in all worlds that look alike. The viewer's replies are chosen by upper
//! confidence bounds (Kocsis and Szepesvári 2006) as far as the tree goes, and by a policy after that.

use super::belief::OpponentType;
use super::{Card, Cards, MAX_PLAYERS, Policy as _, PolicySet, Round as _, Worth};
use engine::numerics;
use engine::rng::{Random, mix};
use std::collections::HashMap;

/// Weight of the uncertainty in the bound, in points.
const EXPLORE: f32 = 2.0;
/// The part of that weight for a card that was not tried yet.
const UNTRIED: f32 = 0.7;
/// Edges of a tree at most, so that memory stays bounded.
const EDGES: usize = 40_000;

#[derive(Clone, Copy, Debug, Default)]
struct Edge {
    visits: u32,
    sum: f32,
}

#[derive(Clone, Copy, Debug)]
struct Node {
    /// The place of its first edge.
    at: u32,
    visits: u32,
    sum: f32,
}

/// The tree of one decision.
#[derive(Default)]
pub struct Tree {
    nodes: HashMap<u64, Node>,
    edges: Vec<Edge>,
    path: Vec<(u64, u32)>,
}

/// Who plays how while a world is played out.
pub struct Players<'a, P> {
    /// The viewer.
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

impl Tree {
    /// Plays a world out after a card of the viewer; returns its value.
    pub fn play_out<P: PolicySet>(
        &mut self,
        world: &mut P::Round,
        first: Card,
        players: &Players<'_, P>,
        worth: &Worth,
        rng: &mut Random,
    ) -> f32 {
        self.path.clear();
        let mut history = mix(u64::from(first.bit()) + 1);
        let mut growing = true;
        world.act(first);
        while let Some(seat) = world.to_act() {
            let legal = world.legal();
            let card = match legal.len() {
                0 => break,
                1 => legal.first().unwrap_or(first),
                _ if seat != players.seat => players.others[seat].choose(world, legal, rng),
                _ if growing => match self.nodes.get(&history) {
                    Some(node) => self.select(history, *node, legal),
                    None => {
                        growing = false;
                        let card = players.own.choose(world, legal, rng);
                        self.grow(history, legal, card);
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

    fn grow(&mut self, history: u64, legal: Cards, card: Card) {
        let at = self.edges.len();
        if at + legal.len() > EDGES {
            return;
        }
        self.edges.resize(at + legal.len(), Edge::default());
        let node = Node {
            at: at as u32,
            visits: 0,
            sum: 0.0,
        };
        self.nodes.insert(history, node);
        let place = legal.into_iter().position(|other| other == card);
        self.path.push((history, (at + place.unwrap_or(0)) as u32));
    }

    fn select(&mut self, history: u64, node: Node, legal: Cards) -> Card {
        let at = node.at as usize;
        let log = numerics::ln(f64::from(node.visits) + 1.0) as f32;
        let unknown = node.sum / node.visits.max(1) as f32 + UNTRIED * EXPLORE * log.sqrt();
        let mut best = (f32::NEG_INFINITY, 0, legal.first());
        for (place, card) in legal.into_iter().enumerate() {
            let edge = self.edges[at + place];
            let bound = if edge.visits == 0 {
                unknown
            } else {
                let visits = edge.visits as f32;
                edge.sum / visits + EXPLORE * (log / visits).sqrt()
            };
            if bound > best.0 {
                best = (bound, place, Some(card));
            }
        }
        self.path.push((history, (at + best.1) as u32));
        best.2.unwrap_or_else(|| unreachable!())
    }

    fn back_up(&mut self, value: f32) {
        for &(history, edge) in &self.path {
            if let Some(node) = self.nodes.get_mut(&history) {
                node.visits += 1;
                node.sum += value;
            }
            let edge = &mut self.edges[edge as usize];
            edge.visits += 1;
            edge.sum += value;
        }
    }
}
