//! The expectimax over the rest of the own turn, by all threads.
//!
//! A turn has at most three actions, so its tree has at most four *layers* of positions: the root, those
//! after one action, after two, and the ends of the turn, which the evaluator values. Own actions are
//! maximised over. A retreat leads to a chance node: each set of cards that it can draw has its exact
//! weight from the belief. Orders of the same actions meet in one position (a transposition), so
//! that the layers are a graph and not a tree.
//!
//! The search works on whole layers. It first finds the positions of a layer that are not known yet, then
//! values their actions, and at last passes values back from the deepest layer to the root. The middle
//! step is nearly all of the work, and its positions do not depend on each other: threads share them
//! without a lock, and the result is the same bits however many there are.
//!
//! It deepens iteratively in two ways: one action deeper, and at the full depth wider. A *pass* follows
//! the best so many actions of each position (a beam), at the root by the values of the pass
//! before, elsewhere by the evaluator. Each pass asks only for positions that none before has valued, so
//! that it costs little more than the last pass alone. The last one follows every action. How many passes
//! are made depends on the budget: a pass whose expected cost does not fit into its share of the nodes is
//! not begun, and one that the clock cuts off is forgotten.
//!
//! When every pirate that is still out could come home in this turn no action is left out of a pass, so
//! that a win is never missed and never guessed.

use super::Best;
use super::tree::{Edge, Key, KeyMap, MAX_EDGES, Node, Tree};
use crate::belief::DrawPool;
use crate::evaluation::{Afterstate, Evaluator, Probe};
use crate::rules::{Action, ActionList, Cards, Game};
use crate::view::View;
use arrayvec::ArrayVec;
use engine::budget::Budget;
use rayon::prelude::*;
use std::ops::Range;

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

    /// What an action can lead to in the same turn: the cards it draws and their chances. Empty
    /// where it ends the turn.
    pub fn draws(&self, action: Action) -> ArrayVec<(Cards, f64), 21> {
        match action {
            _ if self.view.actions_left() <= 1 => ArrayVec::new(),
            Action::Pass => ArrayVec::new(),
            Action::Advance { .. } => std::iter::once((Cards::NONE, 1.0)).collect(),
            Action::Retreat { to, .. } => {
                self.pool.outcomes(self.view.discards, self.view.draws(to))
            }
        }
    }
}

/// How far the expectimax may look.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Width {
    /// Actions followed at the root, at most.
    pub root: usize,
    /// Actions followed at a later position of the turn, at most.
    pub inner: usize,
    /// The part of the search's budget that this stage may use.
    pub part: f64,
}

/// How far an expectimax has looked.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Looked {
    pub depth: u8,
    pub nodes: u64,
    /// Legal actions at the root, and those that were followed.
    pub root: Followed,
    /// The same at all later positions whose actions were followed.
    pub inner: Followed,
}

/// How many of some actions were followed; the others have the evaluator's value.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Followed {
    pub followed: usize,
    pub all: usize,
}

impl Looked {
    /// Whether no action was left out.
    pub fn is_complete(&self) -> bool {
        let complete = |of: Followed| of.followed == of.all;
        complete(self.root) && complete(self.inner)
    }
}

/// Positions that a search may know: at some 600 bytes each they fit any machine.
const MAX_POSITIONS: usize = 100_000;
/// Positions that a thread takes at a time.
const POSITIONS_A_TASK: usize = 8;
/// Actions followed at the root and at later positions, from pass to pass. Each pass has about four times the
/// positions of the one before: the passes before the last then cost a third of it, and no more.
const BEAMS: [(usize, usize); 4] = [(4, 2), (8, 4), (16, 9), (usize::MAX, usize::MAX)];

/// One expectimax over a turn.
pub struct TurnSearch<'a, E: Evaluator + ?Sized> {
    pub game: &'a Game,
    /// Values the end of the turn.
    pub evaluator: &'a E,
    pub budget: &'a Budget,
    /// How far to look.
    pub width: Width,
    /// Whether ending the turn early is a choice.
    pub allow_pass: bool,
    /// Whether the threads of the pool that this one belongs to share the work.
    pub parallel: bool,
}

/// The budget ran out: the pass is incomplete.
#[derive(Debug)]
struct OutOfBudget;

/// What is known of a turn.
struct Graph {
    root: OwnTurn,
    /// The root is the first.
    positions: Vec<Position>,
    /// Where a position is in `positions`. A key holds the number of actions taken: layers do not mix.
    numbers: KeyMap<u32>,
    /// Where choices lead: a position and its chance. Each [`Choice`] has a range of them.
    outcomes: Vec<(u32, f64)>,
}

/// A position of the turn.
#[derive(Clone, Debug)]
struct Position {
    /// The position it was first reached from, by which action, and the cards drawn: a tenth of the size of
    /// an [`OwnTurn`], which can be made again from it.
    reached: Option<(u32, Action, Cards)>,
    /// All choices, the best by the evaluator first; at the root the best by the last pass. Empty until the
    /// evaluator has valued them.
    choices: Vec<Choice>,
    /// Whether the turn could still end the game: then every choice is followed.
    may_end: bool,
    /// Its worth to the mover: the best choice's.
    value: f32,
}

/// An action in a position.
#[derive(Clone, Debug)]
struct Choice {
    action: Action,
    /// Its value by the evaluator.
    estimate: f32,
    /// Its value by the last complete pass; before the first the evaluator's.
    value: f32,
    /// Where it leads; empty if it ends the turn or has not been followed.
    outcomes: Range<u32>,
}

/// The depth and the widths of one pass.
#[derive(Clone, Copy, Debug)]
struct Beam {
    depth: u8,
    root: usize,
    inner: usize,
}

/// The positions that a choice leads to, for the first time followed: the number of its position, its place
/// among the choices there, and what can be drawn with its chance.
type Link = (u32, usize, Vec<(Key, Cards, f64)>);

impl<E: Evaluator + ?Sized> TurnSearch<'_, E> {
    /// Values the actions of a position, as deep and as wide as the budget allows.
    ///
    /// `best` is told the leader after each pass. The tree holds every position that was valued: those
    /// that the last complete pass looked beyond with its values, the others with the evaluator's.
    pub fn run(&self, root: &OwnTurn, best: &Best) -> (Tree, Looked) {
        let before = self.budget.spent();
        let mut graph = Graph::new(root);
        // The evaluator is asked for the root's actions whatever the budget.
        graph.positions[0].rated(self.rate(&mut *self.evaluator.probe(), &root.view));
        let all = graph.positions[0].choices.len();
        // Where the turn ends with the next action there is nothing to follow.
        let followed = if root.view.actions_left() == 1 {
            all
        } else {
            0
        };
        let mut looked = Looked {
            depth: 1,
            root: Followed { followed, all },
            ..Looked::default()
        };
        best.set(graph.positions[0].choices[0].action);
        let depths = 2..=root.view.actions_left();
        let beams = depths.flat_map(|depth| BEAMS.map(|beam| (depth, beam)));
        for (depth, (at_root, later)) in beams {
            let beam = Beam {
                depth,
                root: at_root.min(self.width.root),
                inner: later.min(self.width.inner),
            };
            if graph.positions[0].is_won() || self.find(&mut graph, beam).is_err() {
                break;
            }
            looked.depth = depth;
            (looked.root, looked.inner) = graph.back_up(beam);
            best.set(graph.positions[0].choices[0].action);
        }
        looked.nodes = self.budget.spent() - before;
        (self.tree(graph), looked)
    }

    /// Finds and values the positions that a pass needs and that none before has needed.
    fn find(&self, graph: &mut Graph, beam: Beam) -> Result<(), OutOfBudget> {
        for layer in 1..beam.depth {
            let known = graph.positions.len();
            let parents = graph.layer(layer - 1, beam);
            let tasks: Vec<&[u32]> = parents.chunks(POSITIONS_A_TASK).collect();
            let links = self.share(tasks, |_, numbers| graph.links(numbers, beam));
            links
                .into_iter()
                .flatten()
                .for_each(|link| graph.link(link));
            if graph.positions.len() > MAX_POSITIONS {
                return Err(OutOfBudget);
            }
            self.value(graph, known)?;
        }
        Ok(())
    }

    /// Values the positions from number `known` on.
    fn value(&self, graph: &mut Graph, known: usize) -> Result<(), OutOfBudget> {
        if let Some(limit) = self.budget.nodes() {
            // A position of the turn has about as many actions as the root.
            let new = graph.positions.len() - known;
            let cost = (new * graph.positions[0].choices.len()) as f64;
            if self.budget.spent() as f64 + cost > limit as f64 * self.width.part {
                return Err(OutOfBudget);
            }
        }
        let numbers: Vec<u32> = (known as u32..graph.positions.len() as u32).collect();
        let tasks: Vec<&[u32]> = numbers.chunks(POSITIONS_A_TASK).collect();
        let rated = self.share(tasks, |probe, numbers| {
            if self.budget.cut_off(self.width.part) {
                return None;
            }
            let rate = |&number: &u32| self.rate(probe, &graph.own(number).view);
            Some(numbers.iter().map(rate).collect::<Vec<_>>())
        });
        let rated: Option<Vec<_>> = rated.into_iter().collect();
        let rated = rated.ok_or(OutOfBudget)?.into_iter().flatten();
        for (position, choices) in graph.positions[known..].iter_mut().zip(rated) {
            position.rated(choices);
        }
        Ok(())
    }

    /// All choices of a position by the evaluator, best first, and whether the turn could end the game.
    fn rate(&self, probe: &mut dyn Probe, view: &View) -> (Vec<Choice>, bool) {
        let mut legal = ActionList::new();
        let track = &view.track;
        self.game.actions(track, view.seat, view.hand, &mut legal);
        let mut actions: ArrayVec<Action, { super::CHOICES }> = legal.into_iter().collect();
        if actions.is_empty() || (self.allow_pass && view.taken > 0) {
            actions.push(Action::Pass);
        }
        let mut values = [0.0f32; super::CHOICES];
        let values = &mut values[..actions.len()];
        let before = Afterstate::before_view(view);
        probe.rate(self.game, &before, &actions, values);
        self.budget.spend(actions.len() as u64);
        let out = track.pirates_each() - track.home(view.seat);
        let wins =
            |action: Action| out == 1 && action.places().is_some_and(|(_, to)| to == track.boat());
        let rated = actions.iter().zip(values.iter());
        let mut choices: Vec<Choice> = rated
            .map(|(&action, &value)| {
                let estimate = if wins(action) { 1.0 } else { unsure(value) };
                Choice {
                    action,
                    estimate,
                    value: estimate,
                    outcomes: 0..0,
                }
            })
            .collect();
        choices.sort_by(best_first);
        (choices, out <= usize::from(view.actions_left()))
    }

    /// The graph as rollouts walk it.
    fn tree(&self, graph: Graph) -> Tree {
        let tasks: Vec<&[Position]> = graph.positions.chunks(POSITIONS_A_TASK).collect();
        let nodes = self.share(tasks, |_, positions| {
            positions.iter().map(Position::node).collect::<Vec<_>>()
        });
        let mut nodes: Vec<Node> = nodes.into_iter().flatten().collect();
        nodes[0] = Node::new(graph.positions[0].edges());
        Tree::new(graph.numbers, nodes)
    }

    /// Does some tasks, each with a probe of its thread: in parallel or one after the other, with the same
    /// results in the same order.
    fn share<T: Send, R: Send>(
        &self,
        tasks: Vec<T>,
        work: impl Fn(&mut dyn Probe, T) -> R + Sync,
    ) -> Vec<R> {
        let probe = || self.evaluator.probe();
        match self.parallel && tasks.len() > 1 {
            true => {
                let tasks = tasks.into_par_iter();
                tasks
                    .map_init(probe, |probe, task| work(&mut **probe, task))
                    .collect()
            }
            false => {
                let mut probe = probe();
                tasks
                    .into_iter()
                    .map(|task| work(&mut *probe, task))
                    .collect()
            }
        }
    }
}

impl Graph {
    fn new(root: &OwnTurn) -> Graph {
        let mut numbers = KeyMap::default();
        numbers.insert(Key::of(&root.view), 0);
        Graph {
            root: *root,
            positions: vec![Position::new(None)],
            numbers,
            outcomes: Vec::new(),
        }
    }

    /// A position as the player sees it.
    fn own(&self, number: u32) -> OwnTurn {
        match self.positions[number as usize].reached {
            None => self.root,
            Some((from, action, drawn)) => self.own(from).after(action, drawn),
        }
    }

    /// The choices of a position that a pass follows: the first few, or all where a win is near. None where
    /// an action wins at once.
    fn followed(&self, number: u32, beam: Beam) -> &[Choice] {
        let Position {
            choices, may_end, ..
        } = &self.positions[number as usize];
        let width = match number {
            _ if self.positions[number as usize].is_won() => 0,
            _ if *may_end => choices.len(),
            0 => beam.root,
            _ => beam.inner,
        };
        &choices[..width.min(choices.len())]
    }

    /// The positions a pass reaches after so many actions, each once, by number.
    fn layer(&self, actions: u8, beam: Beam) -> Vec<u32> {
        (0..actions).fold(vec![0], |layer, _| {
            let followed = layer.iter().flat_map(|&number| self.followed(number, beam));
            let after = followed.flat_map(|choice| self.after(choice));
            let mut next: Vec<u32> = after.map(|&(number, _)| number).collect();
            next.sort_unstable();
            next.dedup();
            next
        })
    }

    fn after(&self, choice: &Choice) -> &[(u32, f64)] {
        &self.outcomes[choice.outcomes.start as usize..choice.outcomes.end as usize]
    }

    /// What a pass follows in some positions and none before has followed.
    fn links(&self, numbers: &[u32], beam: Beam) -> Vec<Link> {
        let mut links = Vec::new();
        for &number in numbers {
            let own = self.own(number);
            for (place, choice) in self.followed(number, beam).iter().enumerate() {
                if !choice.outcomes.is_empty() {
                    continue;
                }
                let draws = own.draws(choice.action).into_iter();
                let reached = draws.map(|(drawn, chance)| {
                    let mut view = own.view;
                    view.take(choice.action, drawn);
                    (Key::of(&view), drawn, chance)
                });
                links.push((number, place, reached.collect()));
            }
        }
        links
    }

    /// Enters where a choice leads, with the positions that are new.
    fn link(&mut self, (from, place, reached): Link) {
        let action = self.positions[from as usize].choices[place].action;
        let start = self.outcomes.len() as u32;
        for (key, drawn, chance) in reached {
            let next = self.positions.len() as u32;
            let number = *self.numbers.entry(key).or_insert(next);
            if number == next {
                self.positions
                    .push(Position::new(Some((from, action, drawn))));
            }
            self.outcomes.push((number, chance));
        }
        let end = self.outcomes.len() as u32;
        self.positions[from as usize].choices[place].outcomes = start..end;
    }

    /// Passes values back from the deepest layer to the root, whose choices are put in the order of their
    /// values. Returns what was followed at the root and later.
    fn back_up(&mut self, beam: Beam) -> (Followed, Followed) {
        let mut counts = [Followed::default(); 2];
        for actions in (0..beam.depth - 1).rev() {
            for number in self.layer(actions, beam) {
                let followed = self.maximise(number, beam);
                let count = &mut counts[usize::from(number != 0)];
                count.followed += followed;
                count.all += self.positions[number as usize].choices.len();
            }
        }
        self.positions[0].choices.sort_by(best_first);
        (counts[0], counts[1])
    }

    /// The value of a position from those after its choices: the maximum over own actions of the mean over
    /// draws. Returns how many choices were followed; all count as such where one wins.
    ///
    /// A choice that was not followed keeps the evaluator's estimate, but is worth at most as much as the
    /// worst that was: it was left out because it looked worse, and an optimistic estimate must not
    /// overtake values that looked ahead.
    fn maximise(&mut self, number: u32, beam: Beam) -> usize {
        let values: Vec<f32> = self
            .followed(number, beam)
            .iter()
            .map(|choice| match self.after(choice) {
                [] => choice.estimate,
                after => mean(after.iter().map(|&(number, chance)| {
                    chance * f64::from(self.positions[number as usize].value)
                })),
            })
            .collect();
        let position = &mut self.positions[number as usize];
        if values.is_empty() {
            return position.choices.len();
        }
        let worst = values.iter().copied().fold(f32::INFINITY, f32::min);
        position.value = values.iter().copied().fold(0.0, f32::max);
        let (followed, others) = position.choices.split_at_mut(values.len());
        for (choice, &value) in followed.iter_mut().zip(&values) {
            choice.value = value;
        }
        for choice in others {
            choice.value = choice.estimate.min(worst);
        }
        values.len()
    }
}

impl Position {
    fn new(reached: Option<(u32, Action, Cards)>) -> Position {
        Position {
            reached,
            choices: Vec::new(),
            may_end: false,
            value: 0.0,
        }
    }

    fn rated(&mut self, (choices, may_end): (Vec<Choice>, bool)) {
        self.value = choices[0].estimate;
        self.choices = choices;
        self.may_end = may_end;
    }

    /// Whether an action wins.
    fn is_won(&self) -> bool {
        self.value >= 1.0
    }

    fn edges(&self) -> impl Iterator<Item = Edge> {
        self.choices
            .iter()
            .map(|choice| Edge::new(choice.action, choice.value))
    }

    /// The best choices, best first.
    fn node(&self) -> Node {
        let mut node = Node::new(self.edges());
        node.edges.sort_by(|a, b| b.value.total_cmp(&a.value));
        node.edges.truncate(MAX_EDGES);
        node
    }
}

/// Best first; the fixed order of actions among equals, as sorting is stable.
fn best_first(a: &Choice, b: &Choice) -> std::cmp::Ordering {
    b.value.total_cmp(&a.value)
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

/// A mean over draws, from their parts: 1 only if every draw wins, not by rounding.
fn mean(parts: impl Iterator<Item = f64>) -> f32 {
    // Finer than the chance of any draw times what is missing to 1 in [`UNSURE`].
    const ROUNDING: f64 = 1e-12;
    let value: f64 = parts.sum();
    if value > 1.0 - ROUNDING {
        1.0
    } else {
        (value as f32).min(UNSURE)
    }
}
