//! The near-equilibrium player: the blueprint, and the last three tricks solved while playing.

use super::Player;
use super::blueprint::BlueprintPlayer;
use crate::equilibrium::blueprint::{Distribution, probability_of, sample};
use crate::equilibrium::{Hand, MOST_SOLVED, Resolving, ResolvingSettings};
use crate::rules::{Cards, DEFAULT_GOAL, Decision, Event, HAND_SIZE, PublicState, Seat};
use crate::view::View;
use engine::rng::{Random, unit};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Clock time kept for the network.
const RESERVE: Duration = Duration::from_millis(400);
/// Time from which on there is no clock to mind.
const NO_CLOCK: Duration = Duration::from_secs(60);
/// Iterations of endgames without a clock, by cards from two on; at most so many with one.
const ITERATIONS: [u32; 2] = [150, 24];
const MOST_ITERATIONS: [u32; 2] = [400, 120];
/// With fewer iterations of three cards the blueprint decides.
const LEAST_ITERATIONS: u32 = 8;
/// Hands of a game at 0 : 0, on average, and the part of them that come to three cards each.
const HANDS: f64 = 15.5;
const REACHED: f64 = 0.7;
/// The part of an endgame's time that three cards get.
const THREE_PART: f64 = 0.85;

/// Plays the blueprint, and from the third trick on the solution of the endgame.
pub struct EquilibriumPlayer {
    blueprint: BlueprintPlayer,
    rng: Random,
    settings: EquilibriumSettings,
    hand: (u64, u32),
    resolving: Resolving,
}

/// How it goes about it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct EquilibriumSettings {
    /// How ranges and regrets are dealt with.
    pub resolving: ResolvingSettings,
    /// Iterations of endgames of two cards and of three where there is no clock.
    pub iterations: [u32; 2],
}

impl Default for EquilibriumSettings {
    fn default() -> EquilibriumSettings {
        EquilibriumSettings {
            resolving: ResolvingSettings::default(),
            iterations: ITERATIONS,
        }
    }
}

impl EquilibriumPlayer {
    /// With its tables and the generator of its mixed decisions.
    pub fn new(
        blueprint: Arc<crate::equilibrium::blueprint::Blueprint>,
        settings: EquilibriumSettings,
        rng: Random,
    ) -> EquilibriumPlayer {
        EquilibriumPlayer {
            blueprint: BlueprintPlayer::new(blueprint, rng.clone()),
            rng,
            settings,
            hand: (0, 0),
            resolving: Resolving::new(settings.resolving),
        }
    }

    /// The decision of the solved endgame; none where there is none to be solved.
    fn solve(&mut self, view: &View) -> Option<Decision> {
        let tracker = self.blueprint.tracker();
        let public = *tracker.public();
        if public.tricks_left() > MOST_SOLVED || public.settled().is_some() {
            return None;
        }
        let log = tracker.log()?.to_vec();
        let deck = tracker.deck();
        if self.hand != (view.game_id, view.hand_id) {
            self.hand = (view.game_id, view.hand_id);
            self.resolving = Resolving::new(self.settings.resolving);
        }
        let blueprint = self.blueprint.blueprint();
        let stakes = blueprint.values().stakes_for(view.points(), public.opener);
        let strategy = blueprint.strategy(&stakes);
        let policy = |public: &PublicState, own: Cards, decision| {
            probability_of(&strategy.played(public, own), decision)
        };
        let hand = Hand {
            seat: view.player_number,
            opener: public.opener,
            log: &log,
            stakes,
            deck,
            policy: &policy,
        };
        let started = Instant::now();
        let time = endgame_time(view);
        let settings = self.settings;
        let mut go_on = |cards: usize, done: u32| {
            let Some(time) = time else {
                return done < settings.iterations(cards);
            };
            let part = if cards == MOST_SOLVED {
                THREE_PART
            } else {
                1.0
            };
            done < MOST_ITERATIONS[cards - 2] && started.elapsed() < time.mul_f64(part)
        };
        let chosen = self.resolving.strategy(&hand, view.cards, &mut go_on)?;
        let (_, solver) = self.resolving.last()?;
        if solver.iterations() < LEAST_ITERATIONS {
            return None;
        }
        let allowed = |entry: &(Decision, f32)| view.allows(entry.0);
        let chosen: Distribution = chosen.into_iter().filter(allowed).collect();
        sample(&chosen, unit(&mut self.rng) as f32)
    }
}

impl EquilibriumSettings {
    /// Iterations of an endgame of so many cards.
    pub fn iterations(&self, cards: usize) -> u32 {
        self.iterations[usize::from(cards == MOST_SOLVED)]
    }
}

/// The time that an endgame of three cards and what follows from it may take, by the endgames that are still to be
/// expected in the game; none without a clock.
fn endgame_time(view: &View) -> Option<Duration> {
    if view.remaining >= NO_CLOCK {
        return None;
    }
    let goal = f64::from(2 * DEFAULT_GOAL);
    let missing = goal - f64::from(view.own_points + view.their_points);
    let endgames = (HANDS * REACHED * missing / goal).max(1.0);
    let spare = view.remaining.saturating_sub(RESERVE);
    // Two thirds of a game's clock come with its moves, while it is played.
    let to_come = Duration::from_millis(50).mul_f64(3.0 * (endgames - 1.0));
    let share = (spare + to_come).div_f64(endgames);
    Some(share.min(spare / 3))
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

const _: () = assert!(MOST_SOLVED < HAND_SIZE);
