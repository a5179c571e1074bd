//! A tree of everybody's decisions in a round whose hands are all open, grown by upper confidence bounds (UCT, Kocsis and
//! Szepesvári 2006), each player maximising its own value (max^n).

use engine::rng::{Random, below};
use tricks::{Card, Cards, PolicySet, Round as _};

#[derive(Clone, Default)]
struct Node {
    visits: u32,
    /// By legal card, in the cards' order: visits, the sum of the values for the player to act, and the next node.
    edges: Vec<(u32, f64, Option<usize>)>,
}

/// How simulations walk down the tree.
pub(super) struct Walk<P> {
    /// The weight of the uncertainty in the bound, in points.
    pub explore: f64,
    /// What is played beyond the tree: one of the legal cards.
    pub plays: P,
}

/// The tree of one decision.
pub(super) struct Tree(Vec<Node>);

impl Default for Tree {
    fn default() -> Tree {
        Tree(vec![Node::default()])
    }
}

impl Tree {
    /// One walk down the tree, a new node, and a playout.
    pub fn simulate<P: PolicySet>(
        &mut self,
        mut round: P::Round,
        walk: &Walk<impl Fn(&P::Round, Cards, &mut Random) -> Card>,
        rng: &mut Random,
    ) {
        let Tree(tree) = self;
        let mut path: Vec<(usize, usize, usize)> = Vec::new();
        let mut at = Some(0);
        while let Some(seat) = round.to_act() {
            let legal = round.legal();
            let Some(node) = at else {
                round.act((walk.plays)(&round, legal, rng));
                continue;
            };
            if tree[node].edges.is_empty() {
                tree[node].edges = vec![(0, 0.0, None); legal.len()];
            }
            let edge = select(&tree[node], walk.explore, rng);
            let Some(card) = legal.into_iter().nth(edge) else {
                return;
            };
            path.push((node, edge, seat));
            round.act(card);
            at = match tree[node].edges[edge] {
                // The first visit ends the walk; the second has a node.
                (0, ..) => None,
                (_, _, Some(next)) => Some(next),
                (_, _, None) => {
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

    /// How often each legal card of the root was tried.
    pub fn visits(&self, legal: Cards) -> impl Iterator<Item = (Card, u32)> {
        let edges = self.0[0].edges.iter().map(|edge| edge.0);
        legal.into_iter().zip(edges)
    }
}

/// The edge with the highest upper confidence bound; one that was not tried yet comes first.
fn select(node: &Node, explore: f64, rng: &mut Random) -> usize {
    let untried: Vec<usize> = (0..node.edges.len())
        .filter(|&edge| node.edges[edge].0 == 0)
        .collect();
    if !untried.is_empty() {
        return untried[below(rng, untried.len())];
    }
    let log = engine::numerics::ln(f64::from(node.visits) + 1.0);
    let bound = |edge: usize| {
        let (visits, sum, _) = node.edges[edge];
        let visits = f64::from(visits);
        sum / visits + explore * (log / visits).sqrt()
    };
    (1..node.edges.len()).fold(0, |best, edge| {
        if bound(edge) > bound(best) {
            edge
        } else {
            best
        }
    })
}
