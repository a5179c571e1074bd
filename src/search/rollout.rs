//! What an action leads to on a sampled world, until the end of one of the own next turns or of the game.
//!
//! The rest of the own turn follows the tree, exploring a little; then everyone, the own seat
//! included, takes the action that maximises the mover's own chance by the evaluator, as that
//! mover sees the position, or does what its style does. The value at the end of an own turn is the evaluator's estimate of its last
//! action (a truncated rollout, Tesauro and Galperin 1996), before its draw is known, which takes that
//! draw's noise out. A longer rollout has one such value for each level that it reaches; see
//! [`super::levels`].

use super::levels::{LEVELS, TURNS, Values};
use super::tree::{Key, Node, Tree};
use crate::evaluation::{Afterstate, Probe};
use crate::opponents::Style;
use crate::rules::{Action, ActionList, Game, MAX_PLAYERS, State};
use crate::view::View;
use crate::world::World;

/// The expectimax value of an action counts as this many trials.
pub const PRIOR_TRIALS: f64 = 12.0;

/// Own turns after which a game that does not end is given up: it is worth what the last level said.
const MOST_TURNS: u32 = 200;

/// A position of the own turn passed on the way, and the action taken there.
pub type Step = (Key, u8);

/// How rollouts are played and valued.
#[derive(Clone, Copy, Debug)]
pub struct Plan {
    /// How much the trials of an action in the tree are spread: in chances to win.
    pub exploration: f64,
    /// Levels that are played (see [`super::levels`]).
    pub levels: usize,
    /// How far what each level adds is believed.
    pub trust: [f32; LEVELS],
}

pub struct Rollouts<'a> {
    pub game: &'a Game,
    /// Values positions for every player.
    pub probe: Box<dyn Probe + 'a>,
    /// What is known of the own turn.
    pub tree: &'a Tree,
    pub seat: usize,
    /// How they are played.
    pub plan: Plan,
    /// How everyone plays in the world at hand; the own seat by the evaluator.
    styles: [Style; MAX_PLAYERS],
    /// Worlds at the end of the own turn, and what the rest was worth: all from one sampled world.
    played: Vec<(World, Values)>,
}

/// The result of one rollout.
#[derive(Clone, Debug, Default)]
pub struct Outcome {
    /// The own seat's chance to win by each level.
    pub values: Values,
    /// The same in one number, by the trust in each level.
    pub value: f32,
    pub nodes: u64,
    /// Choices made in the tree after the first action.
    pub steps: Vec<Step>,
}

impl<'a> Rollouts<'a> {
    pub fn new(
        game: &'a Game,
        probe: Box<dyn Probe + 'a>,
        tree: &'a Tree,
        seat: usize,
        plan: Plan,
    ) -> Self {
        Rollouts {
            game,
            probe,
            tree,
            seat,
            plan,
            styles: [Style::Evaluator; MAX_PLAYERS],
            played: Vec::new(),
        }
    }

    /// Takes each action on the same world and plays on. Actions that come to the same by the end
    /// of the turn, such as two orders of the same advances, share what follows.
    pub fn run(
        &mut self,
        world: &World,
        styles: [Style; MAX_PLAYERS],
        firsts: impl Iterator<Item = Action>,
    ) -> Vec<Outcome> {
        self.played.clear();
        self.styles = styles;
        firsts
            .map(|first| self.run_one(world.clone(), first))
            .collect()
    }

    fn run_one(&mut self, mut world: World, first: Action) -> Outcome {
        let mut outcome = Outcome::default();
        world.act(self.game, first);
        outcome.nodes += 1;
        loop {
            let state = *world.state();
            if state.winner().is_some() {
                outcome.values = [1.0; LEVELS];
                outcome.value = 1.0;
                return outcome;
            }
            if usize::from(state.to_move) != self.seat || state.taken == 0 {
                break;
            }
            let action = match self.planned(&state, &mut outcome) {
                Some(action) => action,
                None => self.greedy(&state, &mut outcome.nodes).0,
            };
            world.act(self.game, action);
        }
        let same = |(other, _): &&(World, Values)| other.same_cards(&world);
        outcome.values = match self.played.iter().find(same) {
            Some(&(_, values)) => values,
            None => {
                let values = self.play_on(world.clone(), &mut outcome.nodes);
                self.played.push((world, values));
                values
            }
        };
        outcome.value = mixed(&outcome.values, &self.plan.trust);
        outcome
    }

    /// The own seat's chance at the end of this turn by each level that is played; later ones as the last.
    fn play_on(&mut self, mut world: World, nodes: &mut u64) -> Values {
        let mut values = [0.0; LEVELS];
        let mut level = 0;
        let mut turns = 0;
        loop {
            let state = *world.state();
            if let Some(winner) = state.winner() {
                values[level..].fill(f32::from(u8::from(winner == self.seat)));
                return values;
            }
            let (action, value) = self.act(&state, nodes);
            let turn_ends = state.actions_left() == 1 || action == Action::Pass;
            if usize::from(state.to_move) == self.seat && turn_ends {
                turns += 1;
                if TURNS.get(level) == Some(&turns) {
                    values[level..].fill(value);
                    level += 1;
                }
                if level == self.plan.levels || turns == MOST_TURNS {
                    return values;
                }
            }
            world.act(self.game, action);
        }
    }

    fn planned(&self, state: &State, outcome: &mut Outcome) -> Option<Action> {
        let key = Key::of(&View::of(state, self.seat));
        let node = self.tree.get(&key)?;
        let choice = select(node, self.plan.exploration);
        outcome.steps.push((key, choice as u8));
        outcome.nodes += 1;
        Some(node.edges[choice].action)
    }

    /// What the mover does in its style. The value is to the mover, and of the own seat alone.
    fn act(&mut self, state: &State, nodes: &mut u64) -> (Action, f32) {
        let Style::Hoarder(hoarder) = self.styles[usize::from(state.to_move)] else {
            return self.greedy(state, nodes);
        };
        let mut legal = ActionList::new();
        self.game.legal_actions(state, &mut legal);
        *nodes += 1;
        let action = hoarder.choose(self.game, &Afterstate::before(state), &legal);
        (action, 0.0)
    }

    /// The mover's best action by the evaluator, and its value to the mover.
    fn greedy(&mut self, state: &State, nodes: &mut u64) -> (Action, f32) {
        let mut actions = ActionList::new();
        self.game.legal_actions(state, &mut actions);
        if actions.is_empty() {
            actions.push(Action::Pass);
        }
        let before = Afterstate::before(state);
        let mut values = [0.0f32; super::CHOICES];
        let values = &mut values[..actions.len()];
        self.probe.rate(self.game, &before, &actions, values);
        *nodes += actions.len() as u64;
        let mut best = 0;
        for (i, &value) in values.iter().enumerate() {
            if value > values[best] {
                best = i;
            }
        }
        (actions[best], values[best])
    }
}

/// The value at the first level and what each further one adds, as far as it is believed.
fn mixed(values: &Values, trust: &[f32; LEVELS]) -> f32 {
    let further = (1..LEVELS).map(|level| trust[level] * (values[level] - values[level - 1]));
    values[0] + further.sum::<f32>()
}

/// The action to try next in a position of the tree: the best by its mean, with a bonus for
/// actions tried seldom (UCB1, Auer, Cesa-Bianchi and Fischer 2002).
fn select(node: &Node, exploration: f64) -> usize {
    let visits: f64 = node.edges.iter().map(|e| f64::from(e.visits)).sum();
    let log = (visits + 1.0).ln_approx();
    let mut best = (0, f64::MIN);
    for (i, edge) in node.edges.iter().enumerate() {
        let bonus = exploration * (log / (f64::from(edge.visits) + PRIOR_TRIALS)).sqrt();
        let score = edge.mean(PRIOR_TRIALS) + bonus;
        if score > best.1 {
            best = (i, score);
        }
    }
    best.0
}

trait LnApprox {
    fn ln_approx(self) -> f64;
}

impl LnApprox for f64 {
    /// The natural logarithm of a number of at least 1, linear between powers of two: good enough
    /// for a bonus, and the same on every machine.
    fn ln_approx(self) -> f64 {
        let bits = self.to_bits();
        let exponent = (bits >> 52) as f64 - 1023.0;
        let mantissa = (bits & ((1 << 52) - 1)) as f64 / (1u64 << 52) as f64;
        (exponent + mantissa) * std::f64::consts::LN_2
    }
}
