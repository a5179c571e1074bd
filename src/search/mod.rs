//! The search for an action: a parallel expectimax over the rest of the own turn, then rollouts of the
//! best candidates on sampled worlds until one of them is clearly best or the budget is used. *Own* means: of the
//! player that searches. [`Search::run`] is the entry; `player` calls it with a view and a belief.
//!
//! The two stages make up for each other's errors. The expectimax tries every order of the own actions
//! with exact chances of draws, but it ends with the turn, where the evaluator estimates the rest. Rollouts
//! play the other players' turns too, each in its inferred style and with sampled hands, but they
//! sample. So the expectimax proposes: its best actions become candidates, and the values that it gives
//! them are their priors in the rollouts. The rollouts decide among them (`levels`). Only differences between candidates matter, and all
//! candidates are tried on the same worlds: luck that they share cancels.
//!
//! Results are merged in a fixed order, and a limit of nodes is checked only between layers of the expectimax
//! and rounds of rollouts. With a seed and such a limit the answer is therefore the same with any number of threads.
//!
//! Both stages ask the evaluator the same question: for each legal action, how large is the chance to win
//! right after it, before the cards that it draws are seen? A retreat is then one question instead of 6
//! or 21.
//!
//! # The turn
//!
//! `turn` values the actions by the evaluator alone, then by looking two, then three own actions ahead.
//! It maximises over own actions and averages over draws, with their exact chances from the belief.
//! Orders of the same actions lead to the same position; the table in `tree`, whose key holds a
//! position exactly, makes them one node. All threads value the positions of a layer together, and the
//! results are merged in a fixed order. The passes widen until half of the budget is used; the last
//! pass is most of the work. For `tests/data/cartagena/interface-example.txt` everything takes
//! 1,912 nodes. With six players it can take 80,000, which two threads value in a fortieth of a second.
//!
//! If the pirates that are still out could all come home with the actions left, no pass leaves an
//! action out. A certain win has the value 1 and is played without rollouts; a win that needs a draw
//! has its exact chance.
//!
//! # The rollouts
//!
//! The best plans become candidates. For each world a task draws from the belief who holds what, the
//! order of the draw pile, and the style of each opponent. Every candidate is tried on the same world
//! (`rollout`). All of them meet the same luck, so their differences are far less noisy than their
//! values. Candidates that reach the same position at the end of the own turn share the rest of the game on
//! that world.
//!
//! A rollout is valued at several ends, its *levels* (`levels`): after the own next turn, after 2, 3,
//! 4, 6 and 9 of them, and at the end of the game. More worlds do not remove the error of the evaluator
//! at a rollout's end, but longer rollouts have less of it. The more worlds a level was tried on, the
//! more its correction counts; the amount was measured. The worlds of the next round are played to the
//! level that reduces the uncertainty most for its cost.
//!
//! A candidate is dropped when the leader is ahead of it by three standard errors of their difference (the
//! errors of levels that were not played count as well), or when the difference no longer matters. If that
//! rule leaves too many, the worse half is dropped as the budget is used up. The search ends when one candidate
//! is left, or when the rest of the budget is expected to gain next to nothing.
//!
//! Threads take tasks of up to four worlds. Their results are added up in a fixed order between rounds, so
//! that the number of threads changes the time and not the answer.

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
use crate::rules::{Action, Game, MAX_ACTIONS};
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

/// The most actions that a player can choose from, a pass included.
const CHOICES: usize = MAX_ACTIONS + 1;
/// The fewest worlds of a round, but for the first three rounds.
const WORLDS_A_ROUND: u64 = 4;
/// The most worlds that one task plays. A task costs little more than its worlds.
const WORLDS_A_TASK: u64 = 4;
/// Tasks of a round for each thread. With one each, a thread whose worlds are short would wait for the others.
const TASKS_A_THREAD: u64 = 2;

/// Parameters of a search.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Settings {
    /// The seed of the sampled worlds.
    pub seed: u64,
    /// Whether the player may end the turn early.
    pub allow_pass: bool,
    /// How wide the turn's expectimax looks, and its part of the budget.
    pub width: Width,
    /// The most candidates that are rolled out.
    pub candidates: usize,
    /// An action is not rolled out if the expectimax puts it below the best by more than this, in chances to
    /// win.
    pub margin: f32,
    /// The weight of the bonus for seldom tried actions, by which rollouts choose the later actions of the own
    /// turn; in chances to win.
    pub exploration: f64,
    /// The most levels of rollouts that are played: the first ends with the next own turn, the last
    /// with the game.
    pub levels: usize,
    /// When a candidate is dropped.
    pub rule: Rule,
    /// The rollouts end when all that the rest of the budget could play are expected to gain less than this, in
    /// chances to win; 0 for never.
    pub enough: f64,
    /// The most worlds of a round, after which candidates may be dropped. It holds for rollouts of one level, and is
    /// divided by the number of levels of longer ones.
    pub round: u64,
    /// A legal action that is always rolled out, even if it looks bad, or if an earlier candidate is the same plan in
    /// another order.
    pub focus: Option<Action>,
}

impl Default for Settings {
    /// The settings that are played. Others were tried by the mean chance to win that a decision loses
    /// (docs/measurements/cartagena-strength.md): five candidates, fourteen with twice the margin, and no exploration
    /// each change it by at most 0.13 %. The rule's numbers of worlds and standard errors are cautious; no match chose
    /// them.
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
            enough: 0.0,
            round: 64,
            focus: None,
        }
    }
}

/// The best action known so far, for a caller that must answer before the search ends.
///
/// It is read and written without a lock, so that a search that loses its processor while it writes keeps no
/// reader waiting.
#[derive(Debug, Default)]
pub struct Best(AtomicU32);

impl Best {
    /// An action takes three of the four bytes, and the first byte says whether there is one: this value, or 0 at the
    /// start.
    const KNOWN: u8 = 1;

    /// The leader so far; none before the first pass of the expectimax.
    pub fn get(&self) -> Option<Action> {
        let [known, packed @ ..] = self.0.load(Ordering::Relaxed).to_be_bytes();
        unpack(packed).filter(|_| known == Best::KNOWN)
    }

    /// Makes an action the leader.
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
    /// The chance to win: the mean of the rollouts, with the expectimax as their prior.
    pub chance: f64,
    /// The standard error of the chance by the rollouts of this search; none before the second one.
    pub error: Option<f64>,
    /// How much less it is worth than the chosen action, in chances to win: on the worlds where both were
    /// rolled out, or by expectimax where there are no two such worlds. On common worlds the difference
    /// is far more certain than that of the two chances, which may rest on different worlds.
    pub behind: f64,
    /// The standard error of `behind`; none where it is by expectimax.
    pub behind_error: Option<f64>,
    /// The chance to win by expectimax over the turn alone.
    pub expectimax: f32,
    /// The number of rollouts, those of the turn's earlier searches included.
    pub visits: u32,
    /// The best actions after it in this turn, up to the first draw.
    pub continuation: Vec<Action>,
}

/// Why a search played no more rollouts.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum End {
    /// There was nothing to decide: a single action, or a certain win.
    NoChoice,
    /// All other candidates were clearly worse, or as good.
    Decided,
    /// The rest of the budget was expected to gain less than [`Settings::enough`]: this gain, in chances to win.
    Enough(f64),
    /// The budget was used. The gain, in chances to win, that as many rollouts again are expected to bring; none if
    /// there were too few rollouts to estimate it.
    Used(Option<f64>),
}

/// The choice of a search, and its reasons.
#[derive(Clone, Debug)]
pub struct Report {
    pub action: Action,
    /// All legal actions: the chosen one, then the others from the best on.
    pub candidates: Vec<Candidate>,
    /// How far the expectimax over the turn looked.
    pub expectimax: Looked,
    /// The number of levels that the longest rollouts reached.
    pub levels: usize,
    pub nodes: u64,
    pub end: End,
    /// The positions of the turn with the rollouts that passed them, for the turn's next action.
    pub tree: Tree,
}

/// Everything a search needs.
pub struct Search<'a, E: Evaluator + ?Sized> {
    pub game: &'a Game,
    /// The view of the seat to move. Nobody has won.
    pub view: &'a View,
    /// The distribution of the hidden cards.
    pub belief: &'a Belief,
    /// Infers how the others play; called at most once, before the first rollout.
    pub opponents: &'a (dyn Fn() -> Opponents + Sync),
    pub evaluator: &'a E,
    pub budget: &'a Budget,
    pub settings: Settings,
    /// Threads to use; none for the calling thread alone.
    pub pool: Option<&'a rayon::ThreadPool>,
}

impl<E: Evaluator + ?Sized> Search<'_, E> {
    /// Searches for an action.
    ///
    /// `remembered` holds the rollouts of an earlier search of the same turn. `best` receives the leader after
    /// every pass of the expectimax and every round of rollouts.
    pub fn run(&self, remembered: &SavedTurn, best: &Best) -> Report {
        let view = self.view.without_gone(self.game);
        let view = &view.unwrap_or(*self.view);
        let search = Search { view, ..*self };
        search.run_in_pool(remembered, best)
    }

    /// As [`Search::run`], without boat pirates of players that have left.
    fn run_in_pool(&self, remembered: &SavedTurn, best: &Best) -> Report {
        match self.pool {
            Some(pool) => pool.install(|| self.run_here(remembered, best)),
            None => self.run_here(remembered, best),
        }
    }

    /// Runs the expectimax over the rest of the turn alone. Returns the positions that it valued, and how far
    /// it looked.
    pub fn expectimax(&self, best: &Best) -> (Tree, Looked) {
        match self.pool {
            Some(pool) => pool.install(|| self.look_through_turn(best)),
            None => self.look_through_turn(best),
        }
    }

    /// The position in which the search begins.
    fn root(&self) -> OwnTurn {
        OwnTurn {
            view: *self.view,
            pool: self.belief.draw_pool(),
        }
    }

    /// As [`Search::expectimax`], in the pool of the calling thread.
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

    /// As [`Search::run`], in the pool of the calling thread.
    fn run_here(&self, remembered: &SavedTurn, best: &Best) -> Report {
        let (mut tree, looked) = self.look_through_turn(best);
        remembered.recall(&mut tree);
        // A win with the hand alone must be found whatever the budget, and the expectimax may have run out of
        // it before it was deep enough.
        if let Some(win) = certain_win(self.game, self.view) {
            tree.root_mut().put_first(Edge::new(win, 1.0));
        }
        let edges = tree.root().edges.clone();
        let plans = self.plans(&tree);
        best.set(edges[0].action);
        let mut race = Levels::new(&edges, self.game.players, self.settings.levels);
        let mut end = End::NoChoice;
        // A single action needs no rollouts, nor does a certain win.
        if edges.len() > 1 && edges[0].value < 1.0 {
            self.admit(&edges, &plans, &mut race);
            end = End::Decided;
            // Opponents are inferred, which takes time, only if they are to be played.
            if race.racing().len() > 1 {
                // The expected number of opponents in another style is the sum of the chances for each of them.
                let opponents = (self.opponents)();
                let others = (0..self.game.players).filter(|&seat| seat != self.view.seat);
                race.expect_other_styles(others.map(|seat| opponents.differs(seat)).sum());
                end = self.roll_out(&opponents, &mut race, &mut tree, best);
            }
        }
        self.report((looked, end), &plans, &race, tree)
    }

    /// For each action of the root, the number of the first action with the same plan.
    ///
    /// Two actions have the same plan if they have the same value and their best continuations end in the
    /// same position (before the draw that interrupts them, if any). Advances that do not affect each other
    /// can be played in any order: three of them make three first actions that are worth the same. The first
    /// stands for all; otherwise a few plans would fill the race.
    fn plans(&self, tree: &Tree) -> Vec<usize> {
        let edges = &tree.root().edges;
        let root = self.root();
        let plan = |edge: &Edge| {
            let end = saved::end(tree, &root, edge.action);
            (edge.value.to_bits(), end)
        };
        let ends: Vec<_> = edges.iter().map(plan).collect();
        // The action in focus stands for itself.
        let first = |(i, end): (usize, &(u32, Key))| match self.settings.focus {
            Some(focus) if focus == edges[i].action => i,
            _ => ends.iter().position(|other| other == end).unwrap_or(i),
        };
        ends.iter().enumerate().map(first).collect()
    }

    /// Drops from the race the actions that are not worth rolling out: repeated plans, actions that are worse than
    /// the best by more than the margin, and all but the first `candidates` of the rest.
    fn admit(&self, edges: &[Edge], plans: &[usize], race: &mut Levels) {
        let best = edges[0].value;
        let mut admitted = 0;
        // Edges come best first, so that the first ones admitted are the best.
        for (i, edge) in edges.iter().enumerate() {
            let repeated = plans[i] != i;
            let bad = edge.value < best - self.settings.margin;
            let out = repeated || bad || admitted == self.settings.candidates;
            // The action in focus always stays.
            match out && self.settings.focus != Some(edge.action) {
                true => race.drop(i),
                false => admitted += 1,
            }
        }
    }

    /// Plays rounds of rollouts until one candidate is left or the budget is used.
    ///
    /// Each round plays all remaining candidates on the same new worlds, up to the level that the race asks
    /// for. Then the race drops the candidates that are clearly worse or no longer matter. As candidates
    /// leave, each of the others gets more worlds from the same budget.
    fn roll_out(
        &self,
        opponents: &Opponents,
        race: &mut Levels,
        tree: &mut Tree,
        best: &Best,
    ) -> End {
        // The position is mixed into the seed: the actions of one turn are decided on different worlds, and
        // the luck of one search does not repeat in the next.
        let key = Key::of(self.view);
        let seed = mix(self.settings.seed) ^ mix(key.0 as u64) ^ mix((key.0 >> 64) as u64);
        // Halving 8 starters takes 3 phases: 8, 4 and 2 candidates. 5 starters take 3, too: 5, 3 and 2.
        let starters = race.racing().len();
        let phases = starters.next_power_of_two().trailing_zeros().max(1);
        let mut next_world = 0;
        let mut phase = 1;
        let begun = self.budget.part();
        loop {
            if race.racing().len() < 2 {
                return End::Decided;
            }
            let at_least = self.settings.rule.at_least;
            if self.budget.used(1.0) {
                return End::Used(race.gain(1.0, at_least));
            }
            // The rollouts that the rest of the budget pays, as a multiple of those so far. All of the rest, and not a
            // little of it: a clear leader is seldom overtaken by the next few rollouts, but by the long ones that
            // come after them.
            let part = self.budget.part();
            let rest = (1.0 - part) / (part - begun).max(1e-9);
            if self.settings.enough > 0.0
                && let Some(gain) = race.gain(rest, at_least)
                && gain < self.settings.enough
            {
                return End::Enough(gain);
            }
            // All candidates are mixed by the leader's trust, so that their values are on the same scale.
            let candidates = race.racing();
            let levels = race.next();
            let plan = Plan {
                exploration: self.settings.exploration,
                levels,
                trust: race.trust(race.leader()).map(|part| part as f32),
            };
            // Rounds of 1, 1, 2, 4, … worlds up to `most`, which is smaller for longer rollouts: the budget is
            // checked between rounds, and a small one is then not overdrawn by much.
            let most = (self.settings.round / levels as u64).max(WORLDS_A_ROUND);
            let worlds = next_world..next_world + next_world.clamp(1, most);
            next_world = worlds.end;
            // Each world has random numbers of its own, so that the split into tasks changes no result. A round of 12 worlds
            // is 4 tasks of 3 for two threads, and 12 tasks of 1 for eight.
            let threads = self.pool.map_or(1, |pool| pool.current_num_threads()) as u64;
            let size = (worlds.end - worlds.start) / (TASKS_A_THREAD * threads);
            let size = size.clamp(1, WORLDS_A_TASK);
            let tasks: Vec<Range<u64>> = worlds
                .clone()
                .step_by(size as usize)
                .map(|start| start..worlds.end.min(start + size))
                .collect();
            let play = |task: &Range<u64>| {
                self.play(task.clone(), seed, (plan, opponents), &candidates, tree)
            };
            let played: Vec<Vec<Vec<Outcome>>> = match self.pool {
                Some(_) => tasks.par_iter().map(play).collect(),
                None => tasks.iter().map(play).collect(),
            };
            // Results are added world by world in their order, whichever thread finished first: sums of
            // floating-point numbers depend on the order.
            for outcomes in played.into_iter().flatten() {
                let values: Vec<_> = outcomes.iter().map(|o| o.values).collect();
                race.record(&candidates, levels, &values);
                // A rollout also counts for the actions that it chose later in the own turn. They guide the
                // rollouts of the next round, and the search for the turn's next action starts from them.
                for outcome in &outcomes {
                    for (key, edge) in &outcome.steps {
                        if let Some(node) = tree.get_mut(key) {
                            let edge = &mut node.edges[*edge as usize];
                            edge.visits += 1;
                            edge.sum += f64::from(outcome.value);
                        }
                    }
                }
            }
            // A caller that must answer before the search ends gets the leader of the last whole round.
            let leader = race.leader();
            best.set(tree.root().edges[leader].action);
            race.drop_beaten(leader, self.settings.rule);
            // Candidates between which the race cannot decide are dropped by sequential halving (Karnin, Koren and
            // Somekh 2013, "Almost optimal exploration in multi-armed bandits"): phase k of n ends when k/n of
            // the whole budget, the expectimax included, has been used. With a small budget this may be after a single
            // world. Then the priors decide, which wins as many games as phases of the rollouts alone ("six players:
            // halving, opponents that err, and more training" in docs/measurements/cartagena-strength.md).
            while phase < phases && self.budget.used(f64::from(phase) / f64::from(phases)) {
                let keep = starters.div_ceil(1 << phase).max(2);
                race.halve(keep);
                phase += 1;
            }
        }
    }

    /// Plays all candidates on the worlds of one task, and returns their outcomes world by world: fewer worlds
    /// if the clock runs out.
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
            // A world depends on the seed and on its number, and not on the thread that plays it.
            let mut rng = stream(seed, world);
            let (world, styles) = opponents.world(self.belief, self.view, &mut rng);
            let outcomes =
                rollouts.run(&world, styles, candidates.iter().map(|&i| edges[i].action));
            self.budget.spend(outcomes.iter().map(|o| o.nodes).sum());
            played.push(outcomes);
        }
        played
    }

    /// The result of the search: all actions in order, and the tree with this search's rollouts counted in.
    fn report(
        &self,
        (looked, end): (Looked, End),
        plans: &[usize],
        race: &Levels,
        mut tree: Tree,
    ) -> Report {
        // Actions that left the race early have a chance as well: from their prior and from the worlds on which they
        // were tried.
        let root = self.root();
        let edges = tree.root().edges.clone();
        let mut order: Vec<usize> = (0..edges.len()).collect();
        // A certain win stands first and has not been rolled out.
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
                // Another order of the same actions has the value and the rollouts of its plan.
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
        // The rollouts of the turn's later actions are in the tree already. Those of the first actions are in the race
        // alone, and are added here.
        for (i, edge) in tree.root_mut().edges.iter_mut().enumerate() {
            let gained = race.gained(i);
            edge.visits += gained.samples;
            edge.sum += gained.sum;
        }
        Report {
            action: edges[chosen].action,
            candidates,
            expectimax: looked,
            nodes: self.budget.spent(),
            levels: race.longest(),
            end,
            tree,
        }
    }
}
