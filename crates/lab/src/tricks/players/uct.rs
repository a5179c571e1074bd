//! Perfect-information UCT on sampled worlds, as Sturtevant described it for Hearts ("An Analysis of UCT in
//! Multi-Player Games", 2008, section 5): worlds that fit what was seen, all of them equally likely; in each a tree for all
//! players, each of whom maximises its own value (max^n); random playouts; and at the end the card that was tried most in
//! all worlds together.

use engine::rng::Random;
use std::collections::HashMap;
use tricks::{Card, Cards, PolicySet, Round as _, View, random_card};

/// How much is searched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Uct {
    /// Worlds.
    pub worlds: u32,
    /// Simulations in all worlds together.
    pub simulations: u32,
}

/// The weight of the uncertainty in the bound, in points. Values are points, of which a round has about 25.
const EXPLORE: f64 = 8.0;

#[derive(Clone, Default)]
struct Node {
    visits: u32,
    /// By legal card, in the cards' order: visits, the sum of the values for the player to act, and the next node.
    edges: Vec<(u32, f64, Option<usize>)>,
}

impl Uct {
    /// The card of the viewer, who is to act and has a legal card.
    pub(super) fn choose<P: PolicySet>(&self, view: &View<P::Round>, rng: &mut Random) -> Card {
        let legal = view.round().legal();
        let first = legal.first().unwrap_or_else(|| unreachable!());
        let Ok(world) = view.worlds() else {
            return random_card(legal, rng);
        };
        if legal.len() == 1 {
            return first;
        }
        let mut tried: HashMap<Card, u32> = HashMap::new();
        for _ in 0..self.worlds {
            let root = world(rng);
            let mut tree = vec![Node::default()];
            for _ in 0..(self.simulations / self.worlds).max(1) {
                simulate::<P>(&mut tree, root.clone(), rng);
            }
            for (card, edge) in legal.into_iter().zip(&tree[0].edges) {
                *tried.entry(card).or_default() += edge.0;
            }
        }
        let mut best = (0, first);
        for card in legal {
            let count = tried.get(&card).copied().unwrap_or(0);
            if count > best.0 {
                best = (count, card);
            }
        }
        best.1
    }
}

/// One walk down the tree, a new node, and a random playout.
fn simulate<P: PolicySet>(tree: &mut Vec<Node>, mut round: P::Round, rng: &mut Random) {
    let mut path: Vec<(usize, usize, usize)> = Vec::new();
    let mut at = Some(0);
    while let Some(seat) = round.to_act() {
        let legal = round.legal();
        let Some(node) = at else {
            round.act(random_card(legal, rng));
            continue;
        };
        if tree[node].edges.is_empty() {
            tree[node].edges = vec![(0, 0.0, None); legal.len()];
        }
        let edge = select(&tree[node], legal, rng);
        path.push((node, edge, seat));
        let card = legal
            .into_iter()
            .nth(edge)
            .unwrap_or_else(|| random_card(legal, rng));
        round.act(card);
        at = match (tree[node].edges[edge].0, tree[node].edges[edge].2) {
            // The first visit ends the walk; the second has a node.
            (0, _) => None,
            (_, Some(next)) => Some(next),
            (_, None) => {
                tree.push(Node::default());
                let next = tree.len() - 1;
                tree[node].edges[edge].2 = Some(next);
                Some(next)
            }
        };
    }
    for (node, edge, seat) in path {
        tree[node].visits += 1;
        let value = f64::from(P::value(&round, seat));
        let edge = &mut tree[node].edges[edge];
        edge.0 += 1;
        edge.1 += value;
    }
}

/// The edge with the highest upper confidence bound; one that was not tried yet comes first.
fn select(node: &Node, legal: Cards, rng: &mut Random) -> usize {
    let untried: Vec<usize> = (0..legal.len())
        .filter(|&edge| node.edges[edge].0 == 0)
        .collect();
    if !untried.is_empty() {
        return untried[engine::rng::below(rng, untried.len())];
    }
    let log = engine::numerics::ln(f64::from(node.visits) + 1.0);
    let bound = |edge: usize| {
        let (visits, sum, _) = node.edges[edge];
        let visits = f64::from(visits);
        sum / visits + EXPLORE * (log / visits).sqrt()
    };
    (1..legal.len()).fold(0, |best, edge| {
        if bound(edge) > bound(best) {
            edge
        } else {
            best
        }
    })
}
