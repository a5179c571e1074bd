//! Makes a truth set: finds the leading actions of each position by a search, and values them by games played to the
//! end.

use super::{Case, TruthSet, Valued};
use crate::cartagena::bench::search;
use crate::cartagena::bout::play_out;
use cartagena::belief::{Replay, ReplayOptions, replay};
use cartagena::evaluation::{Evaluators, NetworkEvaluator};
use cartagena::notation::move_of;
use cartagena::opponents::Opponents;
use cartagena::player::searcher::game_id;
use cartagena::player::{Player, Question};
use cartagena::record::{GameRecord, Move};
use cartagena::rules::{Action, Game, SYMBOLS, Symbol};
use cartagena::search::{Best, SavedTurn, Search, Settings};
use cartagena::world::World;
use engine::budget::{Budget, Limits};
use engine::rng::{self, Random, mix};
use rayon::prelude::*;
use seats::cartagena::policy::Pilot;
use seats::cartagena::positions::step;
use serde::{Deserialize, Serialize};

/// Nodes of the search that finds the leading actions.
const NODES: u64 = 20_000;
/// Keeps the random numbers apart from those of other uses.
const SEED: u64 = 0x7207_45E7;

/// The policy that all players follow in the games to the end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Policy {
    /// The action after which the network gives the best chance.
    Greedy,
    /// An expectimax over the turn that follows this number of actions at each position.
    Turn(u8),
    /// A search with the network, which assumes that everybody plays as the network does. Such
    /// games take long, so early positions can be left out.
    Search {
        /// Positions that a search visits.
        nodes: u64,
        /// Only positions after this number of actions a player are valued.
        after: u16,
    },
}

/// The settings of a truth set.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Plan {
    /// Players of every game.
    pub players: usize,
    /// The most actions of a position that are valued.
    pub leading: usize,
    /// Games of each half, for each action.
    pub games: u32,
    /// The policy that plays them.
    pub policy: Policy,
    /// The fingerprint of the network that plays them.
    pub network: u64,
}

impl TruthSet {
    /// A set without positions.
    pub fn new(plan: Plan) -> TruthSet {
        TruthSet {
            plan,
            taken: 0,
            cases: Vec::new(),
        }
    }

    /// Values further positions and adds those with a choice. `network` must be the plan's.
    pub fn extend(
        &mut self,
        evaluators: &Evaluators,
        network: &NetworkEvaluator,
        records: &[GameRecord],
    ) {
        let plan = self.plan;
        let cases: Vec<Option<Case>> = records
            .par_iter()
            .map(|record| value(&plan, evaluators, network, record))
            .collect();
        self.taken += records.len();
        self.cases.extend(cases.into_iter().flatten());
    }
}

/// Values the leading actions of a position; none if only one action leads.
fn value(
    plan: &Plan,
    evaluators: &Evaluators,
    network: &NetworkEvaluator,
    record: &GameRecord,
) -> Option<Case> {
    // Games of searches take long; from positions near the end they are far shorter.
    if let Policy::Search { after, .. } = plan.policy
        && record.moves.len() < usize::from(after) * plan.players
    {
        return None;
    }
    let replay = replay(record, &ReplayOptions::default());
    // A position with one good action shows no difference between players, so it is no case.
    let leading = leading(plan, evaluators, record, &replay);
    if leading.len() < 2 {
        return None;
    }
    Some(Case {
        record: record.clone(),
        actions: valued(plan, network, record, &replay, &leading),
    })
}

/// Values legal actions of a position by games to the end. `network` must be the plan's.
pub(super) fn valued(
    plan: &Plan,
    network: &NetworkEvaluator,
    record: &GameRecord,
    replay: &Replay,
    actions: &[Action],
) -> Vec<Valued> {
    let unplayed = |&action| Valued {
        action,
        wins: [0; 2],
    };
    let mut valued: Vec<Valued> = actions.iter().map(unplayed).collect();
    let seat = replay.view.seat;
    // The seed follows from the position, not from its number: it has the same games in any set.
    let seed = SEED ^ identity(record);
    // Even games are one half, odd ones the other.
    for number in 0..2 * u64::from(plan.games) {
        // Common random numbers: every action meets the same hidden cards and draws, so that luck
        // is in all values and hardly in their differences.
        let world = replay
            .belief
            .sample(&replay.view, &mut rng::stream(seed, number));
        for valued in &mut valued {
            let mut world = world.clone();
            world.act(&replay.game, valued.action);
            // Actions share the policy's random numbers as well.
            let rng = rng::stream(mix(seed), number);
            let winner = match plan.policy {
                Policy::Greedy => look_ahead(1, network, &replay.game, world, rng),
                Policy::Turn(width) => look_ahead(width.into(), network, &replay.game, world, rng),
                Policy::Search { nodes, .. } => {
                    let mut moves = record.moves.clone();
                    // A search infers from the moves, so the record must contain the action.
                    moves.extend(move_of(seat, valued.action));
                    let seed = mix(mix(seed) ^ number);
                    let mut searching = Searching {
                        network,
                        nodes,
                        seed,
                    };
                    searching.play_out(&replay.game, world, moves)
                }
            };
            // A game without a winner counts as lost.
            valued.wins[(number % 2) as usize] += u32::from(winner == Some(seat));
        }
    }
    valued
}

/// The actions that a search finds within its margin of the best, at most `plan.leading`.
fn leading(
    plan: &Plan,
    evaluators: &Evaluators,
    record: &GameRecord,
    replay: &Replay,
) -> Vec<Action> {
    // The leading actions are those within the margin in which the search itself compares
    // candidates.
    let settings = Settings::default();
    // The player's own search chooses the actions to value; the policy of the plan only values
    // them.
    let evaluator = &**evaluators.for_players(plan.players);
    let report = search(evaluator, record, replay, NODES, settings);
    let best = report.candidates[0].chance;
    let near = |chance: f64| chance > best - f64::from(settings.margin);
    let candidates = report.candidates.iter().filter(|c| near(c.chance));
    candidates.take(plan.leading).map(|c| c.action).collect()
}

/// Plays a game in which all players look ahead within their turns, following `width` actions at each position; with
/// 1 nobody looks ahead. Returns the winner, none at the limit of actions.
fn look_ahead(
    width: usize,
    network: &NetworkEvaluator,
    game: &Game,
    mut world: World,
    rng: Random,
) -> Option<usize> {
    // One pilot plays all seats: it plans for whoever is to move, and keeps a plan only within a
    // turn.
    let mut pilot = Pilot::new(network, width, rng);
    play_out(game, &mut world, |world| {
        let action = pilot.choose(game, world.state());
        world.act(game, action);
    })
}

/// The player of every seat under [`Policy::Search`]. It searches on the calling thread and keeps nothing between
/// actions, so a game depends on its seed alone.
struct Searching<'a> {
    network: &'a NetworkEvaluator,
    nodes: u64,
    seed: u64,
}

impl Searching<'_> {
    /// Plays on after the given moves and returns the winner, none at the limit of actions.
    fn play_out(&mut self, game: &Game, mut world: World, mut moves: Vec<Move>) -> Option<usize> {
        play_out(game, &mut world, |world| {
            // Each search gets what its seat would receive in the contest: the moves so far and its
            // own hand.
            let record = GameRecord::of_state(game, world.state(), moves.clone());
            step(game, world, &record, &mut moves, self);
        })
    }
}

impl Player for Searching<'_> {
    fn choose(&mut self, question: &Question) -> Action {
        let settings = Settings {
            seed: self.seed,
            ..Settings::default()
        };
        let search = Search {
            game: question.game,
            view: question.view,
            belief: &question.belief(),
            opponents: &Opponents::default,
            evaluator: self.network,
            budget: &Budget::start(Limits::nodes(self.nodes)),
            settings,
            pool: None,
        };
        search.run(&SavedTurn::NOTHING, &Best::default()).action
    }
}

/// A hash of a position, which selects the random numbers of its games: a position has the same
/// values in every set.
pub fn identity(record: &GameRecord) -> u64 {
    // Board and players are in `game_id`; the moves and the hand make the position.
    let card = |card: Option<Symbol>| card.map_or(SYMBOLS, Symbol::index) as u64;
    let moves = record
        .moves
        .iter()
        .map(|step| u64::from(step.from) << 16 | u64::from(step.to) << 8 | card(step.card));
    let hand = record.hand.iter().map(|&symbol| symbol.index() as u64);
    moves
        .chain(hand)
        .fold(game_id(record), |hash, part| rng::mix(hash ^ part))
}
