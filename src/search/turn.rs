//! The expectimax over the rest of the own turn, by all threads. The search begins with it: its best actions are the
//! candidates of the rollouts.
//!
//! A turn has at most three actions, so its tree has at most four *layers* of positions: the root, those
//! after one action, after two, and the ends of the turn, which the evaluator values. With V for the value of
//! a position to the player to move:
//!
//! ```text
//! V(position) = max over actions a of:
//!     evaluator(position, a)                       if a is as far as the search looks
//!     Σ over drawn cards c: P(c) · V(after a, c)   otherwise
//! ```
//!
//! Only a retreat draws, so that an advance has a single outcome. The chances P(c) come from the belief. The
//! evaluator values an action before its draw is seen: a retreat at the end costs one evaluation instead of
//! up to 21. Orders of the same actions meet in one position (a transposition), so that the layers are a graph
//! and not a tree.
//!
//! The search works on whole layers. It first finds the positions of a layer that are not known yet, then
//! values their actions, and finally passes values back from the deepest layer to the root. The middle
//! step is nearly all of the work, and its positions do not depend on each other: threads share them
//! without a lock, and the result has the same bits with any number of threads.
//!
//! It deepens iteratively in two ways: one action deeper, and wider at each depth. A *pass* follows only the
//! best few actions of each position (a beam): at the root those with the best values in the pass before,
//! elsewhere those that the evaluator likes best. A pass evaluates only the positions that no earlier pass
//! has valued, so that all passes together cost little more than the last one alone. The last pass follows
//! every action. The number of passes depends on the budget. A pass ends without a result if the expected cost of a
//! layer does not fit into the expectimax's share of the nodes, or if the clock cuts it off. Then the results of the
//! last complete pass stand.
//!
//! When every pirate that is still out could come home in this turn, no pass leaves an action out. So a pass
//! misses no win within its depth, and weighs it by its exact chance.
//!
//! *Example.* In `tests/data/cartagena/interface-example.txt` the player has 7 actions. Depth 1 takes 7 evaluations.
//! The positions after these actions have 172 actions, so depth 2 ends after 179 evaluations. At depth 3 a pass that
//! follows 4 actions at the root and 2 later ends after 895, one that follows all 7 and then 4 after 1,568. The last
//! pass follows everything and ends after 1,912: orders of the same actions share positions.

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

/// A position of the own turn, and the distribution of the cards that the player may draw.
#[derive(Clone, Copy, Debug)]
pub struct OwnTurn {
    /// The view of the player to move.
    pub view: View,
    /// The cards among which its next draw is.
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

    /// The sets of cards that an action can draw, with their chances: no cards with chance 1 for an advance, up
    /// to 21 sets for a retreat. Empty if the action ends the turn.
    pub fn draws(&self, action: Action) -> ArrayVec<(Cards, f64), 21> {
        match action {
            // The turn's last action leads to no position of this turn.
            _ if self.view.actions_left() <= 1 => ArrayVec::new(),
            Action::Pass => ArrayVec::new(),
            Action::Advance { .. } => std::iter::once((Cards::NONE, 1.0)).collect(),
            Action::Retreat { to, .. } => {
                self.pool.outcomes(self.view.discards, self.view.draws(to))
            }
        }
    }
}

/// The limits of the expectimax.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Width {
    /// The most actions that are followed at the root.
    pub root: usize,
    /// The most actions that are followed at each later position of the turn.
    pub inner: usize,
    /// The part of the search's budget that this stage may use, from 0 to 1.
    pub part: f64,
}

/// How far the last complete pass of an expectimax looked.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Looked {
    /// Own actions ahead, 1 to 3.
    pub depth: u8,
    /// Evaluations of all passes, one for each action of each position.
    pub nodes: u64,
    /// The actions at the root.
    pub root: Followed,
    /// The actions at all later positions that the pass looked beyond.
    pub inner: Followed,
}

/// How many of `all` actions were followed. The others have the evaluator's value.
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

/// The most positions that a search keeps: at some 600 bytes each they take 60 MB.
const MAX_POSITIONS: usize = 100_000;
/// Positions that a thread takes at a time.
const POSITIONS_A_TASK: usize = 8;
/// The actions followed at the root and at later positions, from pass to pass. With three actions left each pass follows
/// about four times as many pairs of actions as the one before: 8, 32, 144. A pass values only positions that are new, so
/// the earlier passes cost next to nothing: for `tests/data/cartagena/interface-example.txt` they end after 895, 1,568
/// and 1,912 evaluations, and the last one alone needs 1,912.
const BEAMS: [(usize, usize); 4] = [(4, 2), (8, 4), (16, 9), (usize::MAX, usize::MAX)];

/// One expectimax over a turn.
pub struct TurnSearch<'a, E: Evaluator + ?Sized> {
    pub game: &'a Game,
    /// Values actions where the search looks no further.
    pub evaluator: &'a E,
    pub budget: &'a Budget,
    pub width: Width,
    /// Whether the player may end the turn early.
    pub allow_pass: bool,
    /// Whether to share the work among the threads of the pool to which the calling thread belongs.
    pub parallel: bool,
}

/// The budget ran out: the pass is incomplete.
#[derive(Debug)]
struct OutOfBudget;

/// The positions of a turn that have been found, and how actions connect them.
struct Graph {
    root: OwnTurn,
    /// All positions in the order in which they were found, the root first. The index of a position is its
    /// number.
    positions: Vec<Position>,
    /// The number of each position. A key holds the number of actions taken, so that positions of different
    /// layers differ.
    numbers: KeyMap<u32>,
    /// The outcomes of all choices: the number of a position, and its chance. Each [`Choice`] has a range of
    /// them.
    outcomes: Vec<(u32, f64)>,
}

/// A position of the turn.
#[derive(Clone, Debug)]
struct Position {
    /// How it was first reached: the number of the position before, the action, and the cards drawn; none for
    /// the root. This is a tenth of the size of an [`OwnTurn`], and enough to make that again.
    reached: Option<(u32, Action, Cards)>,
    /// All choices, the best by the evaluator first; at the root the best by the last pass first. Empty until the
    /// evaluator has valued them.
    choices: Vec<Choice>,
    /// Whether the turn could still end the game. Then every choice is followed.
    may_end: bool,
    /// The value of its best choice, as a chance to win.
    value: f32,
}

/// An action in a position, with its values and its outcomes.
#[derive(Clone, Debug)]
struct Choice {
    action: Action,
    /// Its value by the evaluator.
    estimate: f32,
    /// Its value by the last complete pass; the evaluator's before the first.
    value: f32,
    /// Its outcomes in [`Graph::outcomes`]; empty if it ends the turn or has not been followed.
    outcomes: Range<u32>,
}

/// The depth and the widths of one pass.
#[derive(Clone, Copy, Debug)]
struct Beam {
    depth: u8,
    root: usize,
    inner: usize,
}

/// A choice that is followed for the first time: the number of its position, its index among the choices there,
/// and its outcomes (the position reached, the cards drawn, the chance).
type Link = (u32, usize, Vec<(Key, Cards, f64)>);

impl<E: Evaluator + ?Sized> TurnSearch<'_, E> {
    /// Values the actions of a position, as deep and as wide as the budget allows.
    ///
    /// `best` receives the leader after each pass. The tree holds every position that was valued. Positions
    /// that the last complete pass looked beyond have its values, the others those of the evaluator.
    pub fn run(&self, root: &OwnTurn, best: &Best) -> (Tree, Looked) {
        let before = self.budget.spent();
        let mut graph = Graph::new(root);
        // Depth 1 is done whatever the budget: an answer needs some order of the actions.
        graph.positions[0].rated(self.rate(&mut *self.evaluator.probe(), &root.view));
        let all = graph.positions[0].choices.len();
        // With one action left, or with a win at once, there is nothing to follow: every action counts as followed.
        // Otherwise none has been followed yet.
        let followed = if root.view.actions_left() == 1 || graph.positions[0].is_won() {
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
        // All widths at one depth, then the next depth: a narrow pass is cheap, and its order of the root's actions
        // is a good one to begin the next with.
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
            // Values are passed back only when all positions of the pass are valued, so that an incomplete pass
            // leaves those of the last complete one.
            looked.depth = depth;
            (looked.root, looked.inner) = graph.back_up(beam);
            best.set(graph.positions[0].choices[0].action);
        }
        looked.nodes = self.budget.spent() - before;
        (self.tree(graph), looked)
    }

    /// Finds and values the positions that a pass needs and that no earlier pass has valued, layer by layer:
    /// the choices of one layer must be valued before the best of them can be followed to the next.
    fn find(&self, graph: &mut Graph, beam: Beam) -> Result<(), OutOfBudget> {
        for layer in 1..beam.depth {
            let known = graph.positions.len();
            let parents = graph.layer(layer - 1, beam);
            let tasks: Vec<&[u32]> = parents.chunks(POSITIONS_A_TASK).collect();
            // Threads compute where the choices lead. One thread then enters that in a fixed order, so that
            // positions get the same numbers however many threads there are.
            let links = self.share(tasks, |_, numbers| graph.links(numbers, beam));
            links
                .into_iter()
                .flatten()
                .for_each(|link| graph.link(link));
            // Checked here, before the positions are valued: that is the costly step, in time and in memory.
            if graph.positions.len() > MAX_POSITIONS {
                return Err(OutOfBudget);
            }
            self.value(graph, known)?;
        }
        Ok(())
    }

    /// Asks the evaluator for the positions from number `known` on.
    ///
    /// # Errors
    /// If their expected cost exceeds the rest of this stage's share of the nodes, or the clock runs out.
    fn value(&self, graph: &mut Graph, known: usize) -> Result<(), OutOfBudget> {
        if let Some(limit) = self.budget.nodes() {
            // The cost is estimated before any work is done: stopping in the middle would depend on which
            // threads were quick. A position of the turn has about as many actions as the root.
            let new = graph.positions.len() - known;
            let cost = (new * graph.positions[0].choices.len()) as f64;
            if self.budget.spent() as f64 + cost > limit as f64 * self.width.part {
                return Err(OutOfBudget);
            }
        }
        let numbers: Vec<u32> = (known as u32..graph.positions.len() as u32).collect();
        let tasks: Vec<&[u32]> = numbers.chunks(POSITIONS_A_TASK).collect();
        // Each task looks at the clock. One that comes too late makes the whole pass incomplete.
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

    /// Values all choices of a position by the evaluator and sorts them, best first. The flag says whether the
    /// turn could still end the game: whether there are at least as many actions left as pirates out.
    fn rate(&self, probe: &mut dyn Probe, view: &View) -> (Vec<Choice>, bool) {
        let mut legal = ActionList::new();
        let track = &view.track;
        self.game.actions(track, view.seat, view.hand, &mut legal);
        // A player with no legal action has to pass. Ending the turn early is possible after the first action.
        let mut actions: ArrayVec<Action, { super::CHOICES }> = legal.into_iter().collect();
        if actions.is_empty() || (self.allow_pass && view.taken > 0) {
            actions.push(Action::Pass);
        }
        let mut values = [0.0f32; super::CHOICES];
        let values = &mut values[..actions.len()];
        let before = Afterstate::before_view(view);
        probe.rate(self.game, &before, &actions, values);
        self.budget.spend(actions.len() as u64);
        // An action wins if it brings the last pirate home. Only that is worth 1: other estimates stay below,
        // so that a value of 1 always means a certain win.
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

    /// The graph in the form in which rollouts use it: only the best choices of each position but the root.
    fn tree(&self, graph: Graph) -> Tree {
        let tasks: Vec<&[Position]> = graph.positions.chunks(POSITIONS_A_TASK).collect();
        let nodes = self.share(tasks, |_, positions| {
            positions.iter().map(Position::node).collect::<Vec<_>>()
        });
        // The root keeps all its choices, and the order of the last pass.
        let mut nodes: Vec<Node> = nodes.into_iter().flatten().collect();
        nodes[0] = Node::new(graph.positions[0].edges());
        Tree::new(graph.numbers, nodes)
    }

    /// Does the tasks, in parallel or one after the other. One probe serves several tasks. The results are the same
    /// either way, and in the order of the tasks.
    fn share<T: Send, R: Send>(
        &self,
        tasks: Vec<T>,
        work: impl Fn(&mut dyn Probe, T) -> R + Sync,
    ) -> Vec<R> {
        let probe = || self.evaluator.probe();
        match self.parallel && tasks.len() > 1 {
            true => {
                // A probe keeps what it learnt from one position for the next, and is not shared.
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
    /// The graph of the root alone.
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

    /// A position by its number, made again from the actions and draws that led to it (two at most).
    fn own(&self, number: u32) -> OwnTurn {
        match self.positions[number as usize].reached {
            None => self.root,
            Some((from, action, drawn)) => self.own(from).after(action, drawn),
        }
    }

    /// The choices of a position that a pass follows: the first few, or all if the turn could end the game. None
    /// if an action wins at once, as nothing can be better.
    fn followed(&self, number: u32, beam: Beam) -> &[Choice] {
        let Position {
            choices, may_end, ..
        } = &self.positions[number as usize];
        // The order of the arms matters: a win needs nothing more, and a possible win everything.
        let width = match number {
            _ if self.positions[number as usize].is_won() => 0,
            _ if *may_end => choices.len(),
            0 => beam.root,
            _ => beam.inner,
        };
        &choices[..width.min(choices.len())]
    }

    /// The numbers of the positions that a pass reaches after `actions` actions, each once and in ascending
    /// order.
    fn layer(&self, actions: u8, beam: Beam) -> Vec<u32> {
        // From the root along the choices that this pass follows. The graph also holds positions that wider passes of a
        // smaller depth have found.
        (0..actions).fold(vec![0], |layer, _| {
            let followed = layer.iter().flat_map(|&number| self.followed(number, beam));
            let after = followed.flat_map(|choice| self.after(choice));
            let mut next: Vec<u32> = after.map(|&(number, _)| number).collect();
            // Orders of the same actions meet here.
            next.sort_unstable();
            next.dedup();
            next
        })
    }

    /// The positions to which a choice leads, with their chances; empty if it ends the turn or has not
    /// been followed.
    fn after(&self, choice: &Choice) -> &[(u32, f64)] {
        &self.outcomes[choice.outcomes.start as usize..choice.outcomes.end as usize]
    }

    /// The choices of some positions that a pass follows and no earlier pass has followed, with their outcomes.
    fn links(&self, numbers: &[u32], beam: Beam) -> Vec<Link> {
        let mut links = Vec::new();
        for &number in numbers {
            let own = self.own(number);
            for (place, choice) in self.followed(number, beam).iter().enumerate() {
                // An earlier pass has followed it.
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

    /// Enters the outcomes of a choice, and the positions among them that are new.
    fn link(&mut self, (from, place, reached): Link) {
        let action = self.positions[from as usize].choices[place].action;
        let start = self.outcomes.len() as u32;
        for (key, drawn, chance) in reached {
            // A key that is not in the map yet gets the next number.
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

    /// Passes values back from the deepest layer to the root, and sorts the root's choices by their new values.
    /// Returns how many choices were followed at the root and later.
    ///
    /// Positions of the deepest layer have the value of the evaluator's best action already, so that the work
    /// begins one layer above them.
    fn back_up(&mut self, beam: Beam) -> (Followed, Followed) {
        let mut counts = [Followed::default(); 2];
        // Later layers first: a position needs the values of those after it.
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

    /// Sets the values of a position and of its choices from the positions after them: the maximum over own
    /// actions of the mean over draws. Returns how many choices were followed, or all of them where one wins.
    ///
    /// A choice that was not followed keeps the evaluator's estimate, but at most the value of the worst choice
    /// that was followed: it was left out because it looked worse, and an optimistic estimate must not
    /// overtake values that looked ahead. With followed values 0.5 and 0.4, an estimate of 0.45 becomes 0.4.
    fn maximise(&mut self, number: u32, beam: Beam) -> usize {
        let values: Vec<f32> = self
            .followed(number, beam)
            .iter()
            .map(|choice| match self.after(choice) {
                // The choice ends the turn.
                [] => choice.estimate,
                after => mean(after.iter().map(|&(number, chance)| {
                    chance * f64::from(self.positions[number as usize].value)
                })),
            })
            .collect();
        // Nothing is followed where an action wins at once: the value 1 stands.
        let position = &mut self.positions[number as usize];
        if values.is_empty() {
            return position.choices.len();
        }
        // The followed choices are the first ones in the list.
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
    /// A position that the evaluator has not valued yet.
    fn new(reached: Option<(u32, Action, Cards)>) -> Position {
        Position {
            reached,
            choices: Vec::new(),
            may_end: false,
            value: 0.0,
        }
    }

    /// Enters the result of `TurnSearch::rate`.
    fn rated(&mut self, (choices, may_end): (Vec<Choice>, bool)) {
        self.value = choices[0].estimate;
        self.choices = choices;
        self.may_end = may_end;
    }

    /// Whether an action wins for certain in this turn (see [`UNSURE`]).
    fn is_won(&self) -> bool {
        self.value >= 1.0
    }

    /// Its choices, with the values of the last pass.
    fn edges(&self) -> impl Iterator<Item = Edge> {
        self.choices
            .iter()
            .map(|choice| Edge::new(choice.action, choice.value))
    }

    /// The best [`MAX_EDGES`] choices, best first.
    fn node(&self) -> Node {
        // Choices stand in the evaluator's order except at the root. An edge has the value of the last pass, so
        // they are sorted anew.
        let mut node = Node::new(self.edges());
        node.edges.sort_by(|a, b| b.value.total_cmp(&a.value));
        node.edges.truncate(MAX_EDGES);
        node
    }
}

/// Puts the better choice first. Equal ones stay in the order of the rules, as the sort is stable.
fn best_first(a: &Choice, b: &Choice) -> std::cmp::Ordering {
    b.value.total_cmp(&a.value)
}

/// The largest value that is not a certain win.
const UNSURE: f32 = 1.0 - f32::EPSILON;

/// An estimate, kept within 0 and [`UNSURE`]. An evaluator's confidence may be rounded up to 1, but the search
/// stops at 1 and must not take that for a win. Negative values and NaN become 0.
fn unsure(estimate: f32) -> f32 {
    if estimate > 0.0 {
        estimate.min(UNSURE)
    } else {
        0.0
    }
}

/// A mean over draws, the sum of `parts` (chance times value). It is 1 only if every draw wins, and not because
/// of rounding.
fn mean(parts: impl Iterator<Item = f64>) -> f32 {
    // The chances of draws may sum to a little less than 1, so a certain win may, too. If one draw does not
    // win, its value is at most `UNSURE`: its chance times 1.2e-7 is missing, which is more than this for every
    // chance above 1e-5.
    const ROUNDING: f64 = 1e-12;
    let value: f64 = parts.sum();
    if value > 1.0 - ROUNDING {
        1.0
    } else {
        (value as f32).min(UNSURE)
    }
}
