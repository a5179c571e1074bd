//! Measures the value of the turn cache, for `lab cartagena bench --memory`. A turn's second and third actions are
//! found twice, without memory and with what the search for the action before has left, and both are compared with a
//! far longer search.

use super::replayed;
use cartagena::belief::{ReplayOptions, replay};
use cartagena::evaluation::{Evaluator, Evaluators};
use cartagena::player::searcher::{TurnCache, TurnRoot};
use cartagena::record::{GameRecord, Move};
use cartagena::rules::Action;
use cartagena::search::{Best, OwnTurn, Report, SavedTurn, Settings};
use engine::budget::{Budget, Limits};
use engine::rng;
use seats::cartagena::legal;
use seats::cartagena::positions::positions;

/// The reference search has this many times the nodes of the searches that it measures.
const REFERENCE: u64 = 40;

/// How much chance to win an action loses, on average, against the reference search's choice.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Losses {
    /// A turn's later actions without memory, the full number of nodes.
    pub cold: f64,
    /// A turn's later actions without memory, half of the nodes.
    pub cold_half: f64,
    /// A turn's later actions with the memory of the earlier ones, half of the nodes.
    pub warm_half: f64,
    /// The turn's first actions, the full number of nodes.
    pub first: f64,
    /// Nodes that a later action took with half the limit, cold and with memory.
    pub nodes: [f64; 2],
    pub firsts: usize,
    pub later: usize,
}

/// Plays turns from `games` sets of positions like those of the benchmark and measures every
/// action.
pub fn losses(evaluators: &Evaluators, nodes: u64, games: usize) -> Losses {
    let mut losses = Losses::default();
    for game in 0..games {
        for record in positions(game as u64) {
            let evaluator = &**evaluators.for_players(record.players);
            turn(evaluator, nodes, record, game as u64, &mut losses);
        }
    }
    losses.first /= losses.firsts.max(1) as f64;
    let [cold_nodes, warm_nodes] = &mut losses.nodes;
    for sum in [
        &mut losses.cold,
        &mut losses.cold_half,
        &mut losses.warm_half,
        cold_nodes,
        warm_nodes,
    ] {
        *sum /= losses.later.max(1) as f64;
    }
    losses
}

/// Plays one turn and adds its actions to the sums.
fn turn(
    evaluator: &dyn Evaluator,
    nodes: u64,
    mut record: GameRecord,
    seed: u64,
    losses: &mut Losses,
) {
    let mut cache = TurnCache::default();
    let seat = record.to_move;
    loop {
        let replay = replay(&record, &ReplayOptions::default());
        let view = replay.view;
        let root = TurnRoot {
            own: OwnTurn {
                view,
                pool: replay.belief.draw_pool(),
            },
            boat_retreat: replay.game.boat_retreat,
            allow_pass: false,
        };
        let legal = legal(&replay.game, &view);
        let search = |turn: &SavedTurn, nodes: u64, seed: u64| -> Report {
            let budget = Budget::start(Limits::nodes(nodes));
            let settings = Settings {
                seed,
                ..Settings::default()
            };
            replayed(&replay, evaluator, &budget, settings).run(turn, &Best::default())
        };
        // The turn goes on with the action of the search that has all nodes and the memory, as in
        // play.
        let full = search(cache.turn_for(&record, &root), nodes, seed);
        if legal.len() > 1 {
            let reference = search(&SavedTurn::NOTHING, nodes * REFERENCE, seed ^ 0x5EED);
            let best = chance(&reference, reference.action);
            let lost = |report: &Report| best - chance(&reference, report.action);
            // A turn's first action has no memory to compare.
            if view.taken == 0 {
                losses.firsts += 1;
                losses.first += lost(&full);
            } else {
                losses.later += 1;
                losses.cold += lost(&search(&SavedTurn::NOTHING, nodes, seed));
                let cold = search(&SavedTurn::NOTHING, nodes / 2, seed);
                let warm = search(cache.turn_for(&record, &root), nodes / 2, seed);
                losses.cold_half += lost(&cold);
                losses.warm_half += lost(&warm);
                losses.nodes[0] += cold.nodes as f64;
                losses.nodes[1] += warm.nodes as f64;
            }
        }
        let action = full.action;
        let Some((from, to)) = action.places() else {
            return;
        };
        cache = TurnCache::after(&record, &root, &full);
        // Drawn cards are sampled, and the record gets the hand with them.
        let mut world = replay
            .belief
            .sample(&view, &mut rng::stream(seed, u64::from(view.taken)));
        world.act(&replay.game, action);
        let state = world.state();
        if state.winner().is_some() || state.to_move as usize != seat {
            return;
        }
        record.hand = state.hands[seat].iter().collect();
        record.moves.push(Move {
            player: seat,
            from,
            to,
            card: action.card(),
        });
    }
}

/// The value of an action by the reference; that of its worst candidate if it left the action out.
fn chance(reference: &Report, action: Action) -> f64 {
    let found = reference.candidates.iter().find(|c| c.action == action);
    let worst = reference.candidates.last();
    found.or(worst).map_or(0.0, |candidate| candidate.chance)
}
