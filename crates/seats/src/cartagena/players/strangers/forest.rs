//! A forest: one search tree for each sampled world, in which all cards are open (ensemble determinized UCT; Cowling,
//! Ward and Powley 2012, "Ensemble determinization in Monte Carlo tree search for Magic: The Gathering").
//!
//! In each world the tree grows by upper confidence bounds (UCB1; Kocsis and Szepesvári 2006), and every player
//! maximises its own value (max^n). Nothing is played out: a new position is valued by a formula. The action with the
//! most visits over all worlds is played. The trees see cards that nobody sees, so the forest overrates knowing them;
//! an average over many worlds cancels a part of that.
//!
//! The formula counts *steps*: a player has as many as its pirates have gone spaces, and a card counts as
//! [`JUMP`] steps as long as it can be used, a quarter of that beyond. The chances follow from the differences in
//! steps, which weigh more the nearer the leader is to the end.

use super::{JUMP, cards_needed, legal_or_pass, legal_or_pass_in};
use cartagena::evaluation::Chances;
use cartagena::player::{Player, Question};
use cartagena::rules::{Action, ActionList, Game, MAX_PLAYERS, State};
use cartagena::world::World;
use engine::numerics::{ln, softmax};
use engine::rng::Random;

/// The weight of the bonus for seldom visited actions, in chances to win.
const EXPLORATION: f64 = 0.05;
/// The difference in steps that multiplies the odds by e at the end, and what each step of the leader's rest adds.
const SCALE: (f32, f32) = (9.0, 0.09);
/// The steps that the turn is worth.
const TURN: f32 = 8.0;

/// The player. It uses the memory of one tree for all.
#[derive(Clone, Debug)]
pub struct Forest {
    /// Worlds for a decision, each with a tree.
    worlds: usize,
    /// Positions that are expanded in each tree.
    expansions: usize,
    rng: Random,
    tree: Vec<Grown>,
}

/// A position of a tree, reached by an action.
#[derive(Clone, Copy, Debug)]
struct Grown {
    action: Action,
    visits: u32,
    /// The values for the player that took the action, summed over visits.
    sum: f32,
    /// The positions that follow: their first number, and how many there are. None before it is expanded.
    first: usize,
    count: usize,
}

impl Grown {
    /// A new position counts as visited once, with its value by the formula.
    fn new(action: Action, value: f32) -> Grown {
        Grown {
            action,
            visits: 1,
            sum: value,
            first: 0,
            count: 0,
        }
    }
}

impl Forest {
    /// A player with this number of trees, of this size.
    pub fn new(worlds: usize, expansions: usize, rng: Random) -> Forest {
        Forest {
            worlds,
            expansions,
            rng,
            tree: Vec::new(),
        }
    }

    /// Descends to a position that is not expanded, adds what follows it, and books the new value on the way back.
    fn grow(&mut self, game: &Game, mut world: World) {
        let mut path = Vec::new();
        let mut at = 0;
        while self.tree[at].count > 0 {
            let mover = world.state().to_move;
            at = self.promising(at);
            world.act(game, self.tree[at].action);
            path.push((at, usize::from(mover)));
        }
        let chances = match world.state().winner() {
            Some(winner) => {
                let mut won = [0.0; MAX_PLAYERS];
                won[winner] = 1.0;
                won
            }
            None => self.expand(at, game, &world),
        };
        for (at, mover) in path {
            self.tree[at].visits += 1;
            self.tree[at].sum += chances[mover];
        }
    }

    /// The branch with the greatest mean + c · √(ln(all visits) / visits).
    fn promising(&self, at: usize) -> usize {
        let node = &self.tree[at];
        let branches = node.first..node.first + node.count;
        let all: u32 = self.tree[branches.clone()].iter().map(|b| b.visits).sum();
        let log = ln(f64::from(all.max(2)));
        let mut best = (node.first, f64::NEG_INFINITY);
        for i in branches {
            let branch = &self.tree[i];
            let visits = f64::from(branch.visits);
            let bound = f64::from(branch.sum) / visits + EXPLORATION * (log / visits).sqrt();
            if bound > best.1 {
                best = (i, bound);
            }
        }
        best.0
    }

    /// Adds the positions after each action. The result is the best of them for the player to move.
    fn expand(&mut self, at: usize, game: &Game, world: &World) -> Chances {
        let mut list = ActionList::new();
        legal_or_pass_in(game, world.state(), &mut list);
        let mover = usize::from(world.state().to_move);
        self.tree[at].first = self.tree.len();
        self.tree[at].count = list.len();
        let mut best = [-1.0; MAX_PLAYERS];
        for &action in &list {
            let mut after = world.clone();
            after.act(game, action);
            let chances = chances(game, after.state());
            self.tree.push(Grown::new(action, chances[mover]));
            if chances[mover] > best[mover] {
                best = chances;
            }
        }
        best
    }
}

/// Each player's chance by the formula of the module.
fn chances(game: &Game, state: &State) -> Chances {
    let mut chances = [0.0; MAX_PLAYERS];
    let mut least = f32::INFINITY;
    for (player, chance) in chances[..game.players].iter_mut().enumerate() {
        let needed = cards_needed(&state.track, player);
        if needed == 0.0 {
            let mut won = [0.0; MAX_PLAYERS];
            won[player] = 1.0;
            return won;
        }
        let held = f32::from(state.hands[player].total());
        let spare = (held - needed).max(0.0);
        let rest = JUMP * (2.0 * needed - held.min(needed) - spare / 4.0);
        // The turn passes on: half of it is gone with half of its actions.
        let turn = match player == usize::from(state.to_move) {
            true => TURN * f32::from(state.actions_left()) / 3.0,
            false => 0.0,
        };
        least = least.min(rest);
        *chance = turn - rest;
    }
    let scale = SCALE.0 + SCALE.1 * least.max(0.0);
    for chance in &mut chances[..game.players] {
        *chance /= scale;
    }
    softmax(&mut chances, game.players);
    chances
}

impl Player for Forest {
    fn choose(&mut self, question: &Question) -> Action {
        let (game, view) = (question.game, question.view);
        let list = legal_or_pass(question);
        if list.len() == 1 {
            return list[0];
        }
        let belief = question.belief();
        let mut visits = vec![0u32; list.len()];
        for _ in 0..self.worlds {
            let world = belief.sample(view, &mut self.rng);
            self.tree.clear();
            self.tree.push(Grown::new(Action::Pass, 0.0));
            for _ in 0..self.expansions {
                self.grow(game, world.clone());
            }
            // The own hand is the same in all worlds, and so are the actions at the root.
            let root = self.tree[0];
            for (sum, branch) in visits.iter_mut().zip(&self.tree[root.first..]) {
                *sum += branch.visits;
            }
        }
        // The first of those with the most visits.
        let most = visits.iter().copied().max().unwrap_or(0);
        list[visits.iter().position(|&v| v == most).unwrap_or(0)]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use cartagena::rules::{Board, Cards, Symbol};

    /// Cards, spaces and the turn raise the chance.
    #[test]
    fn the_formula_prefers_what_is_nearer() {
        let game = Game::new(Board::new(Symbol::ALL.repeat(6)).unwrap(), 3);
        let hand = Cards::from_counts([1, 1, 1, 0, 0, 0]);
        let state = game.start(&[hand; 3]);
        let base = chances(&game, &state);
        assert!((base.iter().sum::<f32>() - 1.0).abs() < 1e-5);
        assert!(base[0] > base[1] && base[1] == base[2], "{base:?}");
        let mut ahead = state;
        ahead.track.relocate(1, 0, 20);
        assert!(chances(&game, &ahead)[1] > base[1]);
        let richer = game.start(&[hand, hand.plus(hand), hand]);
        assert!(chances(&game, &richer)[1] > base[1]);
    }
}
