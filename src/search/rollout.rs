//! Rollouts: an action is taken on a sampled world, and the game played on from there to the end of a later own
//! turn or of the game.
//!
//! The rest of the own turn follows the tree, with some exploration. From then on each player, the own seat
//! included, takes the action that maximises its own chance by the evaluator, which sees only what that
//! player sees; an opponent of another style follows that style. The value at the end of an own turn is the
//! evaluator's estimate of the turn's last action (a truncated rollout, Tesauro and Galperin 1996), before
//! the cards that it draws are seen: the estimate averages over these cards, so that their luck adds no noise.
//! A longer rollout has one such value for each level that it reaches; see [`super::levels`].
//!
//! All candidates are played on the same world: the same hidden hands, order of the draw pile, generator for
//! later reshuffles and styles of the others. Luck that does not depend on the action then cancels in
//! their differences (common random numbers).

use super::levels::{LEVELS, TURNS, Values};
use super::tree::{Key, Node, Tree};
use crate::evaluation::{Afterstate, Probe};
use crate::opponents::Style;
use crate::rules::{Action, ActionList, Game, MAX_PLAYERS, State};
use crate::view::View;
use crate::world::World;

/// The weight of an action's expectimax value against rollouts of it, as a number of rollouts. A weight of 24 made
/// worse decisions, and one of 6 none that were better beyond the margin ("variance reduction and settings of the
/// search" in docs/measurements/cartagena-strength.md).
pub const PRIOR_TRIALS: f64 = 12.0;

/// A rollout is stopped after this many own turns, as games can be endless. It keeps the value of its last level.
const MOST_TURNS: u32 = 200;

/// A position of the own turn, and the index of the action that a rollout took there.
pub type Step = (Key, u8);

/// The settings by which rollouts are played and valued.
#[derive(Clone, Copy, Debug)]
pub struct Plan {
    /// The weight of the bonus for seldom tried actions of the tree, in chances to win.
    pub exploration: f64,
    /// The number of levels that are played (see [`super::levels`]).
    pub levels: usize,
    /// For each level the share of its difference from the level before that is believed.
    pub trust: [f32; LEVELS],
}

/// The rollouts of one task.
pub struct Rollouts<'a> {
    pub game: &'a Game,
    /// Values positions for every player.
    pub probe: Box<dyn Probe + 'a>,
    /// The positions of the own turn.
    pub tree: &'a Tree,
    pub seat: usize,
    pub plan: Plan,
    /// The style of each player in the present world; [`Style::Evaluator`] for the own seat.
    styles: [Style; MAX_PLAYERS],
    /// The worlds that rollouts reached at the end of the own turn, with the values of the play from there: all
    /// from the present sampled world.
    played: Vec<(World, Values)>,
}

/// The result of one rollout.
#[derive(Clone, Debug, Default)]
pub struct Outcome {
    /// The own seat's chance to win by each level.
    pub values: Values,
    /// The levels mixed into one value, by [`Plan::trust`].
    pub value: f32,
    pub nodes: u64,
    /// The choices made in the tree after the first action.
    pub steps: Vec<Step>,
}

impl<'a> Rollouts<'a> {
    /// The rollouts of a task, before its first world.
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

    /// Takes each action on the same world and plays on. Actions that lead to the same world at the end of
    /// the own turn, such as two orders of the same advances, share the play from there.
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

    /// Takes an action in the world, finishes the own turn by the tree, and plays on.
    fn run_one(&mut self, mut world: World, first: Action) -> Outcome {
        let mut outcome = Outcome::default();
        world.act(self.game, first);
        outcome.nodes += 1;
        loop {
            let state = *world.state();
            // Only the own seat has acted so far, so that it is the winner.
            if state.winner().is_some() {
                outcome.values = [1.0; LEVELS];
                outcome.value = 1.0;
                return outcome;
            }
            // The own turn is over.
            if usize::from(state.to_move) != self.seat || state.taken == 0 {
                break;
            }
            // Beyond the tree the own seat takes the action that is best by the evaluator, like the others.
            let action = match self.planned(&state, &mut outcome) {
                Some(action) => action,
                None => self.greedy(&state, &mut outcome.nodes).0,
            };
            world.act(self.game, action);
        }
        // The same world with the same generator goes on in the same way: playing it again would only give the
        // same values once more.
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

    /// Plays on from the end of the own turn. Returns the own seat's chance to win by each level that is played;
    /// later levels have the value of the last.
    fn play_on(&mut self, mut world: World, nodes: &mut u64) -> Values {
        let mut values = [0.0; LEVELS];
        let mut level = 0;
        let mut turns = 0;
        loop {
            let state = *world.state();
            // A decided game has the value 1 or 0 at this level and all later ones.
            if let Some(winner) = state.winner() {
                values[level..].fill(f32::from(u8::from(winner == self.seat)));
                return values;
            }
            let (action, value) = self.act(&state, nodes);
            // The value of an own turn's last action is the evaluator's before its draw is seen. It is noted
            // here, before the action is taken in the world.
            let turn_ends = state.actions_left() == 1 || action == Action::Pass;
            if usize::from(state.to_move) == self.seat && turn_ends {
                turns += 1;
                // The last level has no number of turns: it ends with the game.
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

    /// The action that the tree proposes for a position of the own turn; none if the tree does not have it.
    fn planned(&self, state: &State, outcome: &mut Outcome) -> Option<Action> {
        let key = Key::of(&View::of(state, self.seat));
        let node = self.tree.get(&key)?;
        // The step is counted in the tree when the round is over: until then all threads read the same tree.
        let choice = select(node, self.plan.exploration);
        outcome.steps.push((key, choice as u8));
        outcome.nodes += 1;
        Some(node.edges[choice].action)
    }

    /// The action of the player to move in its style, and the action's value to that player: 0 for a hoarder,
    /// which has no estimate. Only the own seat's values are used, and the own seat follows the evaluator.
    fn act(&mut self, state: &State, nodes: &mut u64) -> (Action, f32) {
        let Style::Hoarder(hoarder) = self.styles[usize::from(state.to_move)] else {
            return self.greedy(state, nodes);
        };
        let mut legal = ActionList::new();
        self.game.legal_actions(state, &mut legal);
        // A choice without evaluations counts as one position.
        *nodes += 1;
        let action = hoarder.choose(self.game, &Afterstate::before(state), &legal);
        (action, 0.0)
    }

    /// The best action of the player to move by the evaluator, and its value to that player.
    fn greedy(&mut self, state: &State, nodes: &mut u64) -> (Action, f32) {
        let mut actions = ActionList::new();
        self.game.legal_actions(state, &mut actions);
        if actions.is_empty() {
            actions.push(Action::Pass);
        }
        // The afterstate leaves the other hands out: the mover must not profit from them, though `state` has them.
        let before = Afterstate::before(state);
        let mut values = [0.0f32; super::CHOICES];
        let values = &mut values[..actions.len()];
        self.probe.rate(self.game, &before, &actions, values);
        *nodes += actions.len() as u64;
        // The first action among equals, so that the same world is always played in the same way.
        let mut best = 0;
        for (i, &value) in values.iter().enumerate() {
            if value > values[best] {
                best = i;
            }
        }
        (actions[best], values[best])
    }
}

/// The levels of one rollout in one value: v₀ + Σ trustₗ · (vₗ − vₗ₋₁). With v₀ = 0.5, v₁ = 0.7 and a trust of
/// 0.25 in level 1 alone this is 0.55.
fn mixed(values: &Values, trust: &[f32; LEVELS]) -> f32 {
    let further = (1..LEVELS).map(|level| trust[level] * (values[level] - values[level - 1]));
    values[0] + further.sum::<f32>()
}

/// The index of the action to try next in a position of the tree: the largest sum of the mean and of a bonus for
/// seldom tried actions (UCB1, Auer, Cesa-Bianchi and Fischer 2002).
///
/// With N rollouts through the position and n of them through the action the bonus is
/// exploration · √(ln(N + 1) / (n + 12)). Without it an action that was unlucky in its first rollouts would not
/// be tried again. The 12 rollouts that the expectimax counts for (`PRIOR_TRIALS`) are part of the mean and
/// of n. For example, after 100 rollouts through the position an action that took 10 of them gets a bonus of
/// 0.05 · √(4.6 / 22) = 0.023.
fn select(node: &Node, exploration: f64) -> usize {
    let visits: f64 = node.edges.iter().map(|e| f64::from(e.visits)).sum();
    // With 1 added the logarithm of an unvisited position is 0: there is no bonus, and the prior alone decides.
    let log = ln_approx(visits + 1.0);
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

/// The natural logarithm of a number of at least 1, by linear interpolation between powers of two: at most 0.06 too
/// small, good enough for a bonus and quicker than `engine::numerics::ln`. For 3 = 2 · 1.5 it gives
/// (1 + 0.5) · ln 2 = 1.04; the logarithm is 1.10.
fn ln_approx(x: f64) -> f64 {
    // A double is 2^exponent · (1 + mantissa).
    let bits = x.to_bits();
    let exponent = (bits >> 52) as f64 - 1023.0;
    let mantissa = (bits & ((1 << 52) - 1)) as f64 / (1u64 << 52) as f64;
    (exponent + mantissa) * std::f64::consts::LN_2
}
