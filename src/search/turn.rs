//! Expectimax over the rest of the own turn.
//!
//! Own actions are maximised over, draws averaged over: what one or two cards can bring is
//! enumerated exactly. Different orders of the same actions meet in a transposition table. Leaves,
//! at the end of the turn, are the evaluator's.
//!
//! Only the most promising actions of a position, by the evaluator, are followed
//! (a beam), except when the pirates that are still out could all come home in this turn: then
//! every action and every draw counts, so that a win is never missed and never guessed.

use super::Best;
use super::tree::{Edge, Key, MAX_EDGES, Node, Tree};
use crate::belief::DrawPool;
use crate::evaluation::{Afterstate, Probe};
use crate::rules::{Action, ActionList, Cards, Game};
use crate::view::View;
use arrayvec::ArrayVec;
use engine::budget::Budget;

/// The position of the player to move within its own turn, and what it may draw.
#[derive(Clone, Copy, Debug)]
pub struct OwnTurn {
    /// What the player sees.
    pub view: View,
    /// What it may draw.
    pub pool: DrawPool,
}

impl OwnTurn {
    /// The position after an action that drew the given cards.
    pub fn after(&self, action: Action, drawn: Cards) -> OwnTurn {
        let mut next = *self;
        next.view.take(action, drawn);
        next.pool = self.pool.after_draw(drawn, self.view.discards);
        next
    }
}

/// How far the expectimax looks.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Width {
    /// Actions followed at the root.
    pub root: usize,
    /// Actions followed at a later position of the turn.
    pub inner: usize,
    /// The part of the search's budget that this stage may use.
    pub part: f64,
}

/// Positions a tree may hold; the contest's machine has memory for a few hundred bytes each.
const MAX_NODES: usize = 200_000;

/// One expectimax, filling a tree.
pub struct TurnSearch<'a> {
    /// Board and options.
    pub game: &'a Game,
    /// Values the end of the turn.
    pub probe: Box<dyn Probe + 'a>,
    /// Time and nodes.
    pub budget: &'a Budget,
    /// How far to look.
    pub width: Width,
    /// Whether ending the turn early is a choice.
    pub allow_pass: bool,
}

/// The budget ran out: what was being computed is incomplete.
#[derive(Debug)]
struct OutOfBudget;

impl TurnSearch<'_> {
    /// Values the actions of a position: first by the evaluator alone, then looking one and two
    /// actions further as far as the budget allows. The tree afterwards holds the deepest complete
    /// values; returns how many actions deep they look.
    pub fn run(&mut self, root: &OwnTurn, tree: &mut Tree, best: &Best) -> u8 {
        let left = root.view.actions_left();
        let mut reached = 0;
        for depth in 1..=left {
            // The first depth is one evaluation an action and is always finished.
            let must = depth == 1;
            if self.expand(root, depth, true, must, tree).is_err() {
                break;
            }
            reached = depth;
            if let Some(edge) = tree
                .get(&Key::of(&root.view))
                .and_then(|node| node.edges.first())
            {
                best.set(edge.action);
            }
        }
        reached
    }

    /// The static value of one action.
    pub fn static_value(&mut self, view: &View, action: Action) -> f32 {
        let mut value = [0.0];
        let before = Afterstate::before_view(view);
        self.probe.rate(self.game, &before, &[action], &mut value);
        self.budget.spend(1);
        value[0]
    }

    /// The value of a position, looking `depth` actions ahead.
    fn expand(
        &mut self,
        own: &OwnTurn,
        depth: u8,
        root: bool,
        must: bool,
        tree: &mut Tree,
    ) -> Result<f32, OutOfBudget> {
        let key = Key::of(&own.view);
        if let Some(node) = tree.get(&key)
            && node.depth >= depth
        {
            return Ok(node.value());
        }
        if !must && (self.budget.used(self.width.part) || tree.len() >= MAX_NODES) {
            return Err(OutOfBudget);
        }
        let mut actions = ActionList::new();
        let view = &own.view;
        self.game
            .actions(&view.track, view.seat, view.hand, &mut actions);
        let mut ranked = self.rate(view, &actions);
        let winning = ranked.first().is_some_and(|edge| edge.value >= 1.0);
        if depth > 1 && !winning {
            let width = if root {
                self.width.root
            } else {
                self.width.inner
            };
            let followed = self.choose_followed(view, &mut ranked, width);
            for edge in &mut ranked[..followed] {
                edge.value = self.follow(own, edge.action, depth - 1, tree)?;
            }
            sort(&mut ranked[..followed]);
            // The static value of what was not followed is worse, and stays so.
            let worst = ranked[followed - 1].value;
            for edge in &mut ranked[followed..] {
                edge.value = edge.value.min(worst);
            }
        }
        ranked.truncate(MAX_EDGES);
        let node = Node::new(depth, &ranked);
        let value = node.value();
        tree.insert(key, node);
        Ok(value)
    }

    /// Puts the actions to be followed first; returns how many they are.
    fn choose_followed(&self, view: &View, ranked: &mut [Edge], width: usize) -> usize {
        let out = view.track.pirates_each() - view.track.home(view.seat);
        let left = view.actions_left() as usize;
        if out < left {
            return ranked.len();
        }
        let mut followed = width.min(ranked.len());
        if out == left {
            // Only bringing a pirate home with every action wins.
            let boat = view.track.boat();
            let mut rest = followed;
            while rest < ranked.len() {
                let places = ranked[rest].action.places();
                if places.is_some_and(|(_, to)| to == boat) {
                    ranked.swap(followed, rest);
                    followed += 1;
                }
                rest += 1;
            }
        }
        followed
    }

    /// The static values of all actions, best first.
    fn rate(&mut self, view: &View, actions: &[Action]) -> Vec<Edge> {
        let before = Afterstate::before_view(view);
        let mut choices: ArrayVec<Action, { super::CHOICES }> = actions.iter().copied().collect();
        if choices.is_empty() || (self.allow_pass && view.taken > 0) {
            choices.push(Action::Pass);
        }
        let mut values = [0.0f32; super::CHOICES];
        let values = &mut values[..choices.len()];
        self.probe.rate(self.game, &before, &choices, values);
        self.budget.spend(choices.len() as u64);
        let boat = view.track.boat();
        let last = view.track.pirates_each() - view.track.home(view.seat) == 1;
        let wins = |action: Action| last && action.places().is_some_and(|(_, to)| to == boat);
        let mut ranked: Vec<Edge> = choices
            .iter()
            .zip(values.iter())
            .map(|(&action, &value)| {
                let value = if wins(action) { 1.0 } else { unsure(value) };
                Edge::new(action, value)
            })
            .collect();
        sort(&mut ranked);
        ranked
    }

    fn follow(
        &mut self,
        own: &OwnTurn,
        action: Action,
        depth: u8,
        tree: &mut Tree,
    ) -> Result<f32, OutOfBudget> {
        match action {
            Action::Pass => {
                let over = Afterstate::before_view(&own.view).then(Action::Pass);
                self.budget.spend(1);
                Ok(unsure(self.probe.own_chance(self.game, &over)))
            }
            Action::Advance { .. } => {
                let next = own.after(action, Cards::NONE);
                if next.view.track.is_home(next.view.seat) {
                    return Ok(1.0);
                }
                self.expand(&next, depth, false, false, tree)
            }
            Action::Retreat { to, .. } => {
                let draws = own.view.draws(to);
                let mut value = 0.0;
                for (drawn, chance) in own.pool.outcomes(own.view.discards, draws) {
                    let next = own.after(action, drawn);
                    value += chance * f64::from(self.expand(&next, depth, false, false, tree)?);
                }
                Ok(mean(value))
            }
        }
    }
}

/// The most that anything short of a certain win is worth.
const UNSURE: f32 = 1.0 - f32::EPSILON;

/// An estimate, kept below 1: an evaluator may round its confidence up to that, but the search
/// stops at 1 and must not take it for a win. What is no chance at all counts as none.
fn unsure(estimate: f32) -> f32 {
    if estimate > 0.0 {
        estimate.min(UNSURE)
    } else {
        0.0
    }
}

/// A mean over draws: 1 only if every draw wins, not by rounding.
fn mean(value: f64) -> f32 {
    // Finer than the chance of any draw times what is missing to 1 in [`UNSURE`].
    const ROUNDING: f64 = 1e-12;
    if value > 1.0 - ROUNDING {
        1.0
    } else {
        (value as f32).min(UNSURE)
    }
}

/// Best first; the fixed order of actions among equals.
fn sort(edges: &mut [Edge]) {
    edges.sort_by(|a, b| b.value.total_cmp(&a.value));
}
