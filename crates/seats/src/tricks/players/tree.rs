//! A tree of all players' decisions in a round with open hands. It grows by upper confidence bounds
//! (UCT, Kocsis and Szepesvári 2006), and each player maximises its own value (max^n).

use engine::rng::{Random, below};
use tricks::{Card, Cards, PolicySet, Round as _};

/// A position in the tree: the root, or one that simulations have come to at least twice.
#[derive(Clone, Default)]
struct Node {
    visits: u32,
    /// By legal card, in the order of cards: visits, the sum of the values to the player to act,
    /// and the node after the card, if there is one yet.
    edges: Vec<(u32, f64, Option<usize>)>,
}

/// The settings of simulations.
pub(super) struct Walk<P> {
    /// Weight of the uncertainty in the bound, in points.
    pub explore: f64,
    /// Chooses a legal card beyond the tree.
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
    /// One simulation: a walk down the tree, a new edge, and a playout.
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
            // Beyond the tree a policy plays on to the end of the round.
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
                // The first visit of an edge ends the walk in the tree, the second adds a node. So
                // a node is made only for positions that come again.
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
        // Back up the path: each edge gets the value of the player who chose it.
        for (node, edge, seat) in path {
            tree[node].visits += 1;
            let value = f64::from(P::value(&round, seat));
            let edge = &mut tree[node].edges[edge];
            edge.0 += 1;
            edge.1 += value;
        }
    }

    /// The visits of each legal card at the root.
    pub fn visits(&self, legal: Cards) -> impl Iterator<Item = (Card, u32)> {
        let edges = self.0[0].edges.iter().map(|edge| edge.0);
        legal.into_iter().zip(edges)
    }
}

/// The edge with the highest upper confidence bound,
/// `mean + explore · √(ln(visits + 1) / visits of the edge)`; an untried one comes first.
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
