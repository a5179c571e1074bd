//! The search for an action: a parallel expectimax over the rest of the own turn, then rollouts of the
//! best candidates on sampled worlds until one of them is clearly best or the budget is used.

mod finish;
mod levels;
mod rollout;
mod saved;
#[cfg(test)]
mod tests;
mod tree;
mod turn;

pub use levels::TURNS;
pub use saved::SavedTurn;
pub use tree::{Edge, Key, Node, Tree};
pub use turn::{Followed, Looked, OwnTurn, Width};

use crate::belief::Belief;
use crate::evaluation::Evaluator;
use crate::opponents::Opponents;
use crate::rules::{Action, Game};
use crate::view::View;
use engine::budget::Budget;
use engine::racing::Rule;
use engine::rng::{mix, stream};
use finish::certain_win;
use levels::{LEVELS, Levels};
use rayon::prelude::*;
use rollout::{Outcome, Plan, Rollouts};
use std::ops::Range;
use std::sync::atomic::{AtomicU32, Ordering};
use tree::{pack, unpack};
use turn::TurnSearch;

/// Legal actions and a pass.
const CHOICES: usize = 43;
/// Worlds a task plays before its results are merged.
const WORLDS_A_TASK: u64 = 4;

/// Parameters of a search.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Settings {
    /// Seed of the sampled worlds.
    pub seed: u64,
    /// Whether ending the turn early is a choice.
    pub allow_pass: bool,
    /// Breadth and share of the turn's expectimax.
    pub width: Width,
    /// Candidates that are rolled out.
    pub candidates: usize,
    /// An action this much worse by expectimax than the best is not rolled out.
    pub margin: f32,
    /// How much rollouts try out what may follow in the own turn: a bonus in chances to win.
    pub exploration: f64,
    /// The most levels of rollouts that are played: the first ends with the next own turn, the last
    /// with the game.
    pub levels: usize,
    /// When a candidate is given up.
    pub rule: Rule,
    /// Worlds between two looks at the race.
    pub round: u64,
    /// A legal action that is reported and enters the race however bad it looks.
    pub focus: Option<Action>,
}

impl Default for Settings {
    fn default() -> Self {
        Settings {
            seed: 1,
            allow_pass: false,
            width: Width {
                root: usize::MAX,
                inner: usize::MAX,
                part: 0.5,
            },
            candidates: 8,
            margin: 0.15,
            exploration: 0.05,
            levels: LEVELS,
            rule: Rule {
                confidence: 3.0,
                negligible: 0.0005,
                at_least: 48,
            },
            round: 64,
            focus: None,
        }
    }
}

/// The best action known so far, for a caller that must answer before the search ends.
///
/// It is read and written without a lock: a search that gets no processor while it writes keeps nobody
/// from reading.
#[derive(Debug, Default)]
pub struct Best(AtomicU32);

impl Best {
    /// In the byte beside a packed action; 0 is none.
    const KNOWN: u8 = 1;

    pub fn get(&self) -> Option<Action> {
        let [known, packed @ ..] = self.0.load(Ordering::Relaxed).to_be_bytes();
        unpack(packed).filter(|_| known == Best::KNOWN)
    }

    fn set(&self, action: Action) {
        let [from, to, kind] = pack(action);
        let bits = u32::from_be_bytes([Best::KNOWN, from, to, kind]);
        self.0.store(bits, Ordering::Relaxed);
    }
}

/// An action and its value by the search.
#[derive(Clone, Debug, PartialEq)]
pub struct Candidate {
    pub action: Action,
    /// Chance to win: rollouts with the expectimax as a prior where there are rollouts.
    pub chance: f64,
    /// Standard error of the rollouts' mean.
    pub error: Option<f64>,
    /// How much less it is worth than the choice on the worlds where both were rolled out; without
    /// any, by expectimax. That is far surer than the difference of their chances, which may rest on
    /// different worlds.
    pub behind: f64,
    /// Standard error of `behind`; none without such worlds.
    pub behind_error: Option<f64>,
    /// Chance to win by expectimax over the turn alone.
    pub expectimax: f32,
    /// Rollouts, those remembered from the turn's earlier actions included.
    pub visits: u32,
    /// The actions expected to follow in this turn, as far as no draw decides.
    pub continuation: Vec<Action>,
}

/// What a search found.
#[derive(Clone, Debug)]
pub struct Report {
    pub action: Action,
    /// All legal actions, the choice first, then best first.
    pub candidates: Vec<Candidate>,
    /// How far the expectimax over the turn looked.
    pub expectimax: Looked,
    /// Levels that the longest rollouts reached.
    pub levels: usize,
    pub nodes: u64,
    /// What is worth keeping for the turn's next action.
    pub tree: Tree,
}

/// Everything a search needs.
pub struct Search<'a, E: Evaluator + ?Sized> {
    pub game: &'a Game,
    /// What the seat sees; it is to move and nobody has won.
    pub view: &'a View,
    /// What the hidden cards may be.
    pub belief: &'a Belief,
    /// Tells how the others play; asked once, before the first rollout.
    pub opponents: &'a (dyn Fn() -> Opponents + Sync),
    pub evaluator: &'a E,
    pub budget: &'a Budget,
    pub settings: Settings,
    /// Threads to use; none for the calling thread alone.
    pub pool: Option<&'a rayon::ThreadPool>,
}

impl<E: Evaluator + ?Sized> Search<'_, E> {
    /// Searches, with what rollouts of an earlier search of the same turn left.
    pub fn run(&self, remembered: &SavedTurn, best: &Best) -> Report {
        match self.pool {
            Some(pool) => pool.install(|| self.run_here(remembered, best)),
            None => self.run_here(remembered, best),
        }
    }

    /// The expectimax over the rest of the turn alone: the positions it valued, and how far it looked.
    pub fn expectimax(&self, best: &Best) -> (Tree, Looked) {
        match self.pool {
            Some(pool) => pool.install(|| self.look_through_turn(best)),
            None => self.look_through_turn(best),
        }
    }

    fn root(&self) -> OwnTurn {
        OwnTurn {
            view: *self.view,
            pool: self.belief.draw_pool(),
        }
    }

    fn look_through_turn(&self, best: &Best) -> (Tree, Looked) {
        let turn = TurnSearch {
            game: self.game,
            evaluator: self.evaluator,
            budget: self.budget,
            width: self.settings.width,
            allow_pass: self.settings.allow_pass,
            parallel: self.pool.is_some(),
        };
        turn.run(&self.root(), best)
    }

    fn run_here(&self, remembered: &SavedTurn, best: &Best) -> Report {
        let (mut tree, looked) = self.look_through_turn(best);
        remembered.recall(&mut tree);
        // The expectimax may have run out of budget before it saw one.
        if let Some(win) = certain_win(self.game, self.view) {
            tree.root_mut().put_first(Edge::new(win, 1.0));
        }
        let edges = tree.root().edges.clone();
        let plans = self.plans(&tree);
        best.set(edges[0].action);
        let mut race = Levels::new(&edges, self.game.players, self.settings.levels);
        // A certain win needs no rollouts.
        if edges.len() > 1 && edges[0].value < 1.0 {
            self.admit(&edges, &plans, &mut race);
            let opponents = (self.opponents)();
            let others = (0..self.game.players).filter(|&seat| seat != self.view.seat);
            race.expect_strangers(others.map(|seat| opponents.differs(seat)).sum());
            self.roll_out(&opponents, &mut race, &mut tree, best);
        }
        self.report(looked, &plans, &race, tree)
    }

    /// For each action of the root the first one with the same plan.
    ///
    /// Actions that do not disturb each other can be played in any order: a turn of three advances has up
    /// to six first actions that are worth the same, because they end in the same position. One of them
    /// tells of all; otherwise a few plans would take all places in the race.
    fn plans(&self, tree: &Tree) -> Vec<usize> {
        let edges = &tree.root().edges;
        let root = self.root();
        let plan = |edge: &Edge| {
            let end = saved::end(tree, &root, edge.action);
            (edge.value.to_bits(), end)
        };
        let ends: Vec<_> = edges.iter().map(plan).collect();
        let first = |(i, end): (usize, &(u32, Key))| match self.settings.focus {
            Some(focus) if focus == edges[i].action => i,
            _ => ends.iter().position(|other| other == end).unwrap_or(i),
        };
        ends.iter().enumerate().map(first).collect()
    }

    /// Leaves in the race what is worth rolling out: the best plans, and each but once.
    fn admit(&self, edges: &[Edge], plans: &[usize], race: &mut Levels) {
        let best = edges[0].value;
        let mut admitted = 0;
        for (i, edge) in edges.iter().enumerate() {
            let told = plans[i] != i;
            let bad = edge.value < best - self.settings.margin;
            let out = told || bad || admitted == self.settings.candidates;
            match out && self.settings.focus != Some(edge.action) {
                true => race.drop(i),
                false => admitted += 1,
            }
        }
    }

    fn roll_out(&self, opponents: &Opponents, race: &mut Levels, tree: &mut Tree, best: &Best) {
        let key = Key::of(self.view);
        let seed = mix(self.settings.seed) ^ mix(key.0 as u64) ^ mix((key.0 >> 64) as u64);
        let starters = race.racing().len();
        let phases = starters.next_power_of_two().trailing_zeros().max(1);
        let mut next_world = 0;
        let mut phase = 1;
        while race.racing().len() > 1 && !self.budget.used(1.0) {
            let candidates = race.racing();
            let levels = race.next();
            let plan = Plan {
                exploration: self.settings.exploration,
                levels,
                trust: race.trust(race.leader()).map(|part| part as f32),
            };
            // Short rounds first, and shorter ones of longer rollouts: a small budget is not overdrawn
            // by much.
            let most = (self.settings.round / levels as u64).max(WORLDS_A_TASK);
            let worlds = next_world..next_world + next_world.clamp(1, most);
            next_world = worlds.end;
            let tasks: Vec<Range<u64>> = worlds
                .clone()
                .step_by(WORLDS_A_TASK as usize)
                .map(|start| start..worlds.end.min(start + WORLDS_A_TASK))
                .collect();
            let play = |task: &Range<u64>| {
                self.play(task.clone(), seed, (plan, opponents), &candidates, tree)
            };
            let played: Vec<Vec<Vec<Outcome>>> = match self.pool {
                Some(_) => tasks.par_iter().map(play).collect(),
                None => tasks.iter().map(play).collect(),
            };
            for outcomes in played.into_iter().flatten() {
                let values: Vec<_> = outcomes.iter().map(|o| o.values).collect();
                race.record(&candidates, levels, &values);
                for outcome in &outcomes {
                    for (key, edge) in &outcome.steps {
                        if let Some(node) = tree.get_mut(key) {
                            let edge = &mut node.edges[*edge as usize];
                            edge.visits += 1;
                            let value = f64::from(outcome.value);
                            edge.sum += value;
                            edge.squares += value * value;
                        }
                    }
                }
            }
            let leader = race.leader();
            best.set(tree.root().edges[leader].action);
            race.drop_beaten(leader, self.settings.rule);
            // Sequential halving (Karnin, Koren and Somekh 2013) for those the race cannot tell
            // apart: each phase has the same share of the budget.
            while phase < phases && self.budget.used(f64::from(phase) / f64::from(phases)) {
                let keep = starters.div_ceil(1 << phase).max(2);
                race.halve(keep);
                phase += 1;
            }
        }
    }

    /// Plays all candidates on the worlds of one task; fewer worlds when the clock runs out.
    fn play(
        &self,
        worlds: Range<u64>,
        seed: u64,
        (plan, opponents): (Plan, &Opponents),
        candidates: &[usize],
        tree: &Tree,
    ) -> Vec<Vec<Outcome>> {
        let edges = &tree.root().edges;
        let probe = self.evaluator.probe();
        let seat = self.view.seat;
        let mut rollouts = Rollouts::new(self.game, probe, tree, seat, plan);
        let mut played = Vec::with_capacity(WORLDS_A_TASK as usize);
        for world in worlds {
            if self.budget.interrupted() {
                break;
            }
            let mut rng = stream(seed, world);
            let (world, styles) = opponents.world(self.belief, self.view, &mut rng);
            let outcomes =
                rollouts.run(&world, styles, candidates.iter().map(|&i| edges[i].action));
            self.budget.spend(outcomes.iter().map(|o| o.nodes).sum());
            played.push(outcomes);
        }
        played
    }

    fn report(&self, looked: Looked, plans: &[usize], race: &Levels, mut tree: Tree) -> Report {
        let root = self.root();
        let edges = tree.root().edges.clone();
        let mut order: Vec<usize> = (0..edges.len()).collect();
        let chosen = match edges[0].value >= 1.0 {
            true => 0,
            false => race.leader(),
        };
        order.sort_by(|&a, &b| {
            (b == chosen)
                .cmp(&(a == chosen))
                .then(race.chance(plans[b]).total_cmp(&race.chance(plans[a])))
        });
        let candidates = order
            .iter()
            .map(|&i| {
                // An order of the same actions is worth what its plan's first order is.
                let plan = plans[i];
                let (behind, behind_error) = race.behind(chosen, plan);
                Candidate {
                    action: edges[i].action,
                    chance: race.chance(plan),
                    error: race.error(plan),
                    behind,
                    behind_error,
                    expectimax: edges[i].value,
                    visits: edges[plan].visits + race.gained(plan).samples,
                    continuation: saved::continuation(&tree, &root, edges[i].action),
                }
            })
            .collect();
        for (i, edge) in tree.root_mut().edges.iter_mut().enumerate() {
            let gained = race.gained(i);
            edge.visits += gained.samples;
            edge.sum += gained.sum;
            edge.squares += gained.squares;
        }
        Report {
            action: edges[chosen].action,
            candidates,
            expectimax: looked,
            nodes: self.budget.spent(),
            levels: race.longest(),
            tree,
        }
    }
}
