//! The near-equilibrium player: the blueprint, and the last two tricks solved as they are.

use super::Player;
use super::blueprint::Blueprint;
use super::tracker::Tracker;
use crate::equilibrium::blueprint::{Book, draw};
use crate::equilibrium::endgame::{
    Endgame, Given, Guard, Kind, Safety, Solver, Tree, best_response,
};
use crate::equilibrium::{History, Multisets};
use crate::rules::{Cards, Decision, Event, HAND_SIZE, Seat, other};
use crate::view::View;
use engine::rng::{Random, unit};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Cards each player holds when the endgame is solved.
const SOLVED: usize = 2;
/// Clock time kept for the network.
const RESERVE: Duration = Duration::from_millis(300);
/// The part of the clock that one endgame may take.
const SHARE: u32 = 20;

/// How endgames are solved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Effort {
    /// Iterations of an endgame, if the clock allows.
    pub iterations: u32,
    /// The gadget that keeps what the blueprint promises; none trusts the ranges.
    pub safety: Option<Safety>,
}

impl Default for Effort {
    fn default() -> Effort {
        Effort {
            iterations: 60,
            safety: None,
        }
    }
}

/// A solved endgame, and where in the hand's log it begins.
struct Solved {
    hand: (u64, u32),
    from: usize,
    own: Vec<Cards>,
    solver: Solver,
}

/// Plays the blueprint, and from the fourth trick on an endgame solved with the ranges that the
/// blueprint leads to, by Bayes' rule.
pub struct Equilibrium {
    blueprint: Blueprint,
    random: Random,
    hands: Multisets,
    effort: Effort,
    solved: Option<Solved>,
}

impl Equilibrium {
    /// With its tables and the generator of its mixed decisions.
    pub fn new(book: Arc<Book>, effort: Effort, random: Random) -> Equilibrium {
        Equilibrium {
            blueprint: Blueprint::new(book, random.clone()),
            random,
            hands: Multisets::new(SOLVED),
            effort,
            solved: None,
        }
    }

    /// The solved endgame's decision; none where there is none to be solved.
    fn solve(&mut self, view: &View) -> Option<Decision> {
        let tracker = self.blueprint.tracker();
        let log = tracker.log()?;
        let public = tracker.public();
        if public.left() > SOLVED || public.settled().is_some() {
            return None;
        }
        let hand = (view.game_id, view.hand_id);
        if self
            .solved
            .as_ref()
            .is_none_or(|solved| solved.hand != hand)
        {
            self.solved = self.begin(view, tracker, log);
        }
        let shares = self.solved.as_ref()?.shares(log, view)?;
        draw(&shares, unit(&mut self.random) as f32)
    }

    /// Solves the endgame of the current hand, as far as the clock allows.
    fn begin(&self, view: &View, tracker: &Tracker, log: &[Decision]) -> Option<Solved> {
        let started = Instant::now();
        let history = History::of(tracker.public().opener, log, SOLVED)?;
        let seat = view.player_number;
        let mut points = [view.own_points; 2];
        points[other(seat)] = view.their_points;
        let book = self.blueprint.book();
        let stakes = book.values().stakes_for(points, history.public().opener);
        let strategy = book.strategy(&stakes);
        let policy = |public: &_, own, decision| strategy.share(public, own, decision);
        let endgame = history.endgame(&self.hands, &policy, stakes, tracker.deck());
        let tree = endgame.tree();
        let mut solver = match self.effort.safety {
            None => Solver::new(tree),
            Some(safety) => {
                let guard = guard(&endgame, &tree, safety, seat, &policy);
                Solver::guarded(tree, guard)
            }
        };
        let time = view.remaining.saturating_sub(RESERVE) / SHARE;
        while solver.iterations() < self.effort.iterations
            && (solver.iterations() < 2 || started.elapsed() < time)
        {
            solver.step();
        }
        let [first, second] = endgame.hands;
        Some(Solved {
            hand: (view.game_id, view.hand_id),
            from: history.len(),
            own: if seat == 0 { first } else { second },
            solver,
        })
    }
}

/// What the other's hands were worth against the blueprint of `seat`.
fn guard(
    endgame: &Endgame,
    tree: &Tree,
    safety: Safety,
    seat: Seat,
    policy: &impl Fn(&crate::equilibrium::Public, Cards, Decision) -> f32,
) -> Guard {
    let given = Given::new(endgame, tree, seat, policy);
    let promises = best_response(tree, &given, other(seat));
    Guard::new(safety, other(seat), tree.marginal(other(seat)), promises)
}

impl Solved {
    /// What the player does with its cards after what was decided.
    fn shares(&self, log: &[Decision], view: &View) -> Option<Vec<(Decision, f32)>> {
        let seat = view.player_number;
        let (mut node, mut own) = (0, view.cards);
        for &decision in &log[self.from..] {
            let here = &self.solver.tree().nodes[node];
            let Kind::Decision {
                seat: mover, edges, ..
            } = &here.kind
            else {
                return None;
            };
            if let (true, Decision::Play(card)) = (*mover == seat, decision) {
                own.insert(card);
            }
            node = edges.iter().find(|edge| edge.decision == decision)?.child;
        }
        let here = &self.solver.tree().nodes[node];
        let Kind::Decision { edges, .. } = &here.kind else {
            return None;
        };
        let alive = |&hand: &u16| self.own[usize::from(hand)] == own;
        let place = here.alive[seat].iter().position(alive)?;
        let average = self.solver.average(node);
        let row = &average[place * edges.len()..][..edges.len()];
        let decisions = edges.iter().map(|edge| edge.decision);
        Some(decisions.zip(row.iter().copied()).collect())
    }
}

impl Player for Equilibrium {
    fn decide(&mut self, view: &View) -> Decision {
        self.blueprint.see(view);
        let solved = self.solve(view).filter(|&decision| view.allows(decision));
        let decision = solved.unwrap_or_else(|| self.blueprint.choose(view));
        self.blueprint.decided(decision);
        decision
    }

    fn told(&mut self, seat: Seat, event: Event) {
        self.blueprint.told(seat, event);
    }
}

const _: () = assert!(SOLVED < HAND_SIZE);
