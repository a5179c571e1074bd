//! Information-set Monte Carlo tree search: a yardstick for every search that evaluates.
//!
//! The search keeps one tree of the observer's information sets for all sampled worlds (single observer,
//! Cowling, Powley and Whitehouse 2012). Every iteration draws a world from the belief and descends
//! among the actions that are legal in this world, to a node without visits. From there a playout follows.
//! An action's bonus counts the iterations in which the action was available.
//!
//! Actions compete by PUCT (Rosin 2011): `mean + c · P(a) · √available / (visits + 1)`. The prior
//! `P` comes from the immediate gain of each action, because a few thousand iterations cannot try
//! thirty actions at every node. A world fixes the order of its draw pile, so the cards that a retreat
//! draws are part of the world and not of the tree. Every player maximises its own share (max^n,
//! Luckhardt and Irani 1986).
//!
//! Playouts, and the estimate where they are cut, are in `playout`. Nothing here is shared with the
//! evaluations of the package's own search.

mod playout;

use super::strangers::legal_or_pass_in;
use crate::cartagena::legal;
use crate::cartagena::policy::choice::one_hot;
use cartagena::player::{Player, Question};
use cartagena::rules::{Action, ActionList, Game, State};
use cartagena::world::World;
use engine::numerics::exp;
use engine::rng::Random;
use playout::{gain, greedy, play_out, price};

/// The settings of the tree search.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Options {
    /// Worlds sampled for one action; with 0, the action of a playout is taken.
    pub iterations: u32,
    /// Weight of the bonus for promising actions seldom tried, in chances to win.
    pub exploration: f32,
    /// The gain, in cards, that makes an action e times as promising.
    pub temperature: f32,
    /// The expected loss of an untried action against the tried ones, in chances to win.
    pub reduction: f32,
    /// Actions of all players together after which a playout is cut.
    pub playout: u32,
    /// The share of random actions in playouts.
    pub random: f32,
}

impl Default for Options {
    /// Found by matches against hoard-then-sprint.
    fn default() -> Options {
        Options {
            iterations: 2000,
            exploration: 0.7,
            temperature: 0.5,
            reduction: 0.05,
            playout: 18,
            random: 0.1,
        }
    }
}

/// The player. It builds its tree anew for every action, in the same memory.
#[derive(Clone, Debug)]
pub struct Mcts {
    options: Options,
    rng: Random,
    tree: Vec<Node>,
    /// The nodes of the present iteration, each with the player that took its action.
    path: Vec<(u32, u8)>,
}

/// The statistics of an action in an information set, and the links to what may follow it.
#[derive(Clone, Copy, Debug)]
struct Node {
    /// The action as [`label`] orders it.
    label: u16,
    /// The next action in the order, of the same information set; 0 for none.
    sibling: u32,
    /// The first action that may follow; 0 for none.
    child: u32,
    /// The prior, not normalised: `exp(gain / temperature)` in the world where the node was made.
    weight: f32,
    visits: u32,
    /// Iterations that passed the information set in a world in which the action was legal.
    available: u32,
    /// The result for the player that takes the action, summed over visits.
    reward: f32,
}

/// The number of the root. In links it stands for no node, since nothing leads back to the root.
const ROOT: u32 = 0;
/// The most actions of a list, as in [`ActionList`].
const MAX_ACTIONS: usize = 42;

impl Mcts {
    /// A player that draws its random numbers from `rng`.
    pub fn new(options: Options, rng: Random) -> Mcts {
        Mcts {
            options,
            rng,
            tree: Vec::new(),
            path: Vec::new(),
        }
    }

    /// The number of visits of each of the root's actions, in the fixed order.
    fn root_visits(&self) -> impl Iterator<Item = (u16, u32)> {
        let first = self.tree[ROOT as usize].child;
        std::iter::successors((first != 0).then_some(first), |&i| {
            let next = self.tree[i as usize].sibling;
            (next != 0).then_some(next)
        })
        .map(|i| (self.tree[i as usize].label, self.tree[i as usize].visits))
    }

    /// Adds a node without visits and returns its number.
    fn add(&mut self, label: u16, sibling: u32, weight: f32) -> u32 {
        self.tree.push(Node {
            label,
            sibling,
            child: 0,
            weight,
            visits: 0,
            available: 0,
            reward: 0.0,
        });
        self.tree.len() as u32 - 1
    }

    /// One iteration: descend to a new node, play out, and add the result to the path.
    fn iterate(&mut self, game: &Game, mut world: World) {
        self.path.clear();
        let mut at = ROOT;
        let mut list = ActionList::new();
        let reward = loop {
            if let Some(winner) = world.state().winner() {
                break one_hot(winner);
            }
            // A node that was just made: its first visit is a playout.
            if at != ROOT && self.tree[at as usize].visits == 0 {
                break {
                    let (length, share) = (self.options.playout, self.options.random);
                    play_out(game, &mut world, length, share, &mut self.rng)
                };
            }
            // Other players' hands differ from world to world, and with them the legal actions of a
            // node.
            legal_or_pass_in(game, world.state(), &mut list);
            let (next, choice) = self.descend(at, world.state(), &list);
            self.path.push((next, world.state().to_move));
            world.act(game, list[choice]);
            at = next;
        };
        for &(node, mover) in &self.path {
            let node = &mut self.tree[node as usize];
            node.visits += 1;
            node.reward += reward[mover as usize];
        }
    }

    /// The node of the action to take, and the action's place in the list.
    fn descend(&mut self, at: u32, state: &State, list: &ActionList) -> (u32, usize) {
        let mut nodes = [ROOT; MAX_ACTIONS];
        let mut known = None;
        let mut total = 0.0;
        let (mut visits, mut reward) = (0u32, 0.0);
        let mut before = ROOT;
        let mut child = self.tree[at as usize].child;
        // Legal actions and the children are both sorted by label: merge them, and add nodes for
        // actions that are new in this world.
        for (place, &action) in nodes.iter_mut().zip(list) {
            let label = label(action);
            // Children that are not legal in this world are passed over; they stay for other
            // worlds.
            while child != ROOT && self.tree[child as usize].label < label {
                before = child;
                child = self.tree[child as usize].sibling;
            }
            if child == ROOT || self.tree[child as usize].label != label {
                let price = *known.get_or_insert_with(|| price(state));
                let gain = gain(state, price, action);
                let new = self.add(label, child, exp(gain / self.options.temperature));
                match before {
                    ROOT => self.tree[at as usize].child = new,
                    _ => self.tree[before as usize].sibling = new,
                }
                child = new;
            }
            let node = &mut self.tree[child as usize];
            node.available += 1;
            total += node.weight;
            visits += node.visits;
            reward += node.reward;
            *place = child;
        }
        // An untried action counts as somewhat worse than the mean of the tried ones (first play urgency):
        // with many actions, trying each once would take too many iterations.
        let untried = match visits {
            0 => 0.0,
            _ => reward / visits as f32 - self.options.reduction,
        };
        // `P(a) = weight / total` over the actions legal in this world.
        let factor = self.options.exploration / total;
        let mut best = (0, f32::NEG_INFINITY);
        for (i, &node) in nodes[..list.len()].iter().enumerate() {
            let node = &self.tree[node as usize];
            let mean = match node.visits {
                0 => untried,
                visits => node.reward / visits as f32,
            };
            // Availability takes the place of the parent's visits: iterations in which an action was not
            // legal must not raise its bonus.
            let bonus = (node.available as f32).sqrt() / (node.visits + 1) as f32;
            let score = mean + factor * node.weight * bonus;
            if score > best.1 {
                best = (i, score);
            }
        }
        (nodes[best.0], best.0)
    }
}

impl Player for Mcts {
    fn choose(&mut self, question: &Question) -> Action {
        let (game, view) = (question.game, question.view);
        let list = legal(game, view);
        match list[..] {
            [] => return Action::Pass,
            [only] => return only,
            _ => {}
        }
        if self.options.iterations == 0 {
            return greedy(game, &view.as_seen());
        }
        let belief = question.belief();
        self.tree.clear();
        self.add(0, 0, 1.0);
        for _ in 0..self.options.iterations {
            let world = belief.sample(view, &mut self.rng);
            self.iterate(game, world);
        }
        // The own hand is known, so all actions at the root are legal in every world.
        let best = self.root_visits().max_by_key(|&(_, visits)| visits);
        let chosen = best.and_then(|(best, _)| list.iter().find(|&&a| label(a) == best));
        chosen.copied().unwrap_or(list[0])
    }
}

/// Numbers actions in the order in which legal ones are listed. The target of a move needs no part in the number: it
/// follows from the track, which is the same in every world at one node.
fn label(action: Action) -> u16 {
    match action {
        Action::Advance { from, symbol, .. } => u16::from(from) << 3 | symbol as u16,
        Action::Retreat { from, .. } => u16::from(from) << 3 | 6,
        Action::Pass => 7,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cartagena::{positions, question};
    use cartagena::belief::{ReplayOptions, replay};
    use engine::rng;

    fn choices(seed: u64) -> Vec<Action> {
        let positions = positions::positions(3);
        let ask = |record| {
            let replay = replay(record, &ReplayOptions::default());
            let options = Options {
                iterations: 300,
                ..Options::default()
            };
            let mut player = Mcts::new(options, rng::stream(seed, 0));
            let action = player.choose(&question(record, &replay));
            let list = legal(&replay.game, &replay.view);
            assert!(list.contains(&action), "{action} is not legal");
            let visits: u32 = player.root_visits().map(|(_, visits)| visits).sum();
            assert_eq!(
                visits, options.iterations,
                "every iteration starts at the root"
            );
            let labels: Vec<u16> = player.root_visits().map(|(label, _)| label).collect();
            assert!(labels.is_sorted_by(|a, b| a < b), "{labels:?}");
            action
        };
        positions.iter().map(ask).collect()
    }

    #[test]
    fn answers_are_legal_and_follow_from_the_seed() {
        assert_eq!(choices(1), choices(1));
    }
}
