//! The near-equilibrium player: the blueprint, and the last two tricks solved while playing.
//!
//! Measured (`docs/measurements.md`): it wins 47.5 ± 7.0 % of its games against the blueprint alone, so
//! solving gains nothing yet. It stays as the base of better solving.

use super::Player;
use super::blueprint::BlueprintPlayer;
use crate::equilibrium::blueprint::{Blueprint, sample};
use crate::equilibrium::endgame::{NodeKind, Solver};
use crate::equilibrium::{History, Multisets};
use crate::rules::{Cards, Decision, Event, HAND_SIZE, Seat};
use crate::view::View;
use engine::rng::{Random, unit};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Cards each player holds when the endgame is solved.
const SOLVED: usize = 2;
/// Iterations of an endgame, if the clock allows.
const ITERATIONS: u32 = 60;
/// Iterations of an endgame even without time left.
const LEAST_ITERATIONS: u32 = 2;
/// Clock time kept for the network.
const RESERVE: Duration = Duration::from_millis(300);
/// The part of the clock that one endgame may take.
const SHARE: u32 = 20;

/// A solved endgame, and where in the hand's history it begins.
struct SolvedEndgame {
    hand: (u64, u32),
    from: usize,
    own: Vec<Cards>,
    solver: Solver,
}

/// Plays the blueprint, and from the fourth trick on an endgame solved with the ranges that the
/// blueprint leads to, by Bayes' rule.
pub struct EquilibriumPlayer {
    blueprint: BlueprintPlayer,
    rng: Random,
    hands: Multisets,
    solved: Option<SolvedEndgame>,
}

impl EquilibriumPlayer {
    /// With its tables and the generator of its mixed decisions.
    pub fn new(blueprint: Arc<Blueprint>, rng: Random) -> EquilibriumPlayer {
        EquilibriumPlayer {
            blueprint: BlueprintPlayer::new(blueprint, rng.clone()),
            rng,
            hands: Multisets::new(SOLVED),
            solved: None,
        }
    }

    /// The solved endgame's decision; none where there is none to be solved.
    fn solve(&mut self, view: &View) -> Option<Decision> {
        let tracker = self.blueprint.tracker();
        let public = tracker.public();
        if public.tricks_left() > SOLVED || public.settled().is_some() {
            return None;
        }
        let hand = (view.game_id, view.hand_id);
        let log = tracker.log()?.to_vec();
        if self.solved.as_ref().is_none_or(|old| old.hand != hand) {
            self.solved = self.begin(view, &log);
        }
        let strategy = self.solved.as_ref()?.strategy(&log, view)?;
        sample(&strategy, unit(&mut self.rng) as f32)
    }

    /// Solves the endgame of the current hand, as far as the clock allows.
    fn begin(&mut self, view: &View, log: &[Decision]) -> Option<SolvedEndgame> {
        let started = Instant::now();
        let tracker = self.blueprint.tracker();
        let deck = tracker.deck();
        let history = History::of(tracker.public().opener, log, SOLVED)?;
        let seat = view.player_number;
        let blueprint = self.blueprint.blueprint();
        let opener = history.public().opener;
        let stakes = blueprint.values().stakes_for(view.points(), opener);
        let strategy = blueprint.strategy(&stakes);
        let policy = |public: &_, own, decision| strategy.probability(public, own, decision);
        let endgame = history.endgame(&self.hands, &policy, stakes, deck);
        let mut solver = Solver::new(endgame.tree());
        let time = view.remaining.saturating_sub(RESERVE) / SHARE;
        while solver.iterations() < ITERATIONS
            && (solver.iterations() < LEAST_ITERATIONS || started.elapsed() < time)
        {
            solver.step();
        }
        let [first, second] = endgame.hands;
        Some(SolvedEndgame {
            hand: (view.game_id, view.hand_id),
            from: history.len(),
            own: if seat == 0 { first } else { second },
            solver,
        })
    }
}

impl SolvedEndgame {
    /// How the player decides with its cards after these decisions.
    fn strategy(&self, log: &[Decision], view: &View) -> Option<Vec<(Decision, f32)>> {
        let seat = view.player_number;
        let (mut node, mut own) = (0, view.cards);
        for &decision in &log[self.from..] {
            let here = &self.solver.tree().nodes[node];
            let NodeKind::Decision {
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
        let NodeKind::Decision { edges, .. } = &here.kind else {
            return None;
        };
        let is_own = |&hand: &u16| self.own[usize::from(hand)] == own;
        let place = here.hands[seat].iter().position(is_own)?;
        let average = self.solver.average_strategy(node);
        let row = &average[place * edges.len()..][..edges.len()];
        let decisions = edges.iter().map(|edge| edge.decision);
        Some(decisions.zip(row.iter().copied()).collect())
    }
}

impl Player for EquilibriumPlayer {
    fn decide(&mut self, view: &View) -> Decision {
        self.blueprint.tracker().observe(view);
        let solved = self.solve(view).filter(|&decision| view.allows(decision));
        let decision = solved.unwrap_or_else(|| self.blueprint.choose(view));
        self.blueprint.tracker().decided(decision);
        decision
    }

    fn event(&mut self, seat: Seat, event: Event) {
        self.blueprint.event(seat, event);
    }
}

const _: () = assert!(SOLVED < HAND_SIZE);
