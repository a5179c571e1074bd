//! Plays one game of self-play and turns it into samples: positions with the chances that the network is to learn for
//! them. `trainer` and the actors of `shards` call it.

use super::comparison::{Teacher, chosen, compare, contrast};
use super::optimiser::{Contrast, Sample};
use cartagena::evaluation::features::FeatureSet;
use cartagena::evaluation::{Afterstate, NetworkEvaluator, NetworkProbe, Outputs};
use cartagena::player::{Player, Question};
use cartagena::record::GameRecord;
use cartagena::rules::{Action, ActionList, Game, State};
use cartagena::view::View;
use cartagena::world::World;
use engine::rng::{self, Random};
use seats::cartagena::players::hoarder::Hoarder;
use seats::cartagena::policy::choice::{Choice, one_hot};
use serde::{Deserialize, Serialize};
use std::ops::Range;

/// A burst of random actions begins before each player has taken this number of actions.
const BURST_WITHIN: usize = 35;

/// The behaviour of the players of a game.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Behaviour {
    /// All players follow the hoard-then-sprint heuristic instead of the network.
    pub heuristic: bool,
    /// The share of actions that are chosen at random.
    pub exploration: f64,
    /// The most random actions of a burst: a row of random actions by all players, which makes positions more
    /// varied than play alone would. Two games in three have a burst; with 0 none has. Nothing is learnt from the
    /// positions before it, since their outcomes depend on the random actions.
    pub burst: usize,
    /// If given, the leading actions of every position that is learnt from are compared in this way, and the best
    /// by the comparison is played.
    pub teacher: Option<Teacher>,
    /// The λ of the targets: 0 for the value after the own next action, 1 for the outcome of the
    /// game.
    pub lambda: f32,
    /// Actions of each player after which the game is stopped and decided by the pips.
    pub cap: usize,
}

/// The samples of a game.
#[derive(Clone, Debug, PartialEq)]
pub struct Played {
    /// Positions with their targets.
    pub samples: Vec<Sample>,
    /// Compared actions, a contrast for each position.
    pub contrasts: Vec<Contrast>,
    /// Actions of all players.
    pub actions: usize,
    /// Whether the game reached the limit of actions.
    pub stopped: bool,
}

/// The position after an action, with everything that its sample is made from.
struct Decision {
    set: FeatureSet,
    /// The value of the best action, in turn order from the player. It need not be the action
    /// taken.
    best: Outputs,
    /// Whether a random action was taken instead.
    explored: bool,
}

/// Plays a game and turns it into samples.
pub(super) fn play(
    network: &NetworkEvaluator,
    behaviour: &Behaviour,
    game: &Game,
    mut world: World,
    rng: &mut Random,
) -> Played {
    let players = game.players;
    let mut probe = NetworkProbe::new(network);
    let mut decisions: Vec<Vec<Decision>> = (0..players).map(|_| Vec::new()).collect();
    let mut list = ActionList::new();
    let mut samples = Vec::new();
    let mut contrasts = Vec::new();
    let cap = behaviour.cap * players;
    let burst = burst(behaviour, players, rng);
    let mut actions = 0;
    while world.state().winner().is_none() && actions < cap {
        // The burst is over: drop all that was recorded before.
        if actions == burst.end {
            decisions.iter_mut().for_each(Vec::clear);
        }
        let random = burst.contains(&actions);
        actions += 1;
        let state = world.state();
        game.legal_actions(state, &mut list);
        if list.is_empty() {
            world.act(game, Action::Pass);
            continue;
        }
        if random {
            world.act(game, list[rng::below(rng, list.len())]);
            continue;
        }
        // A random action now and then shows positions that the network would avoid.
        let explored = rng::unit(rng) < behaviour.exploration;
        let seat = state.to_move as usize;
        // Positions before a burst are not learnt from, so comparing their actions would be wasted.
        let taught = behaviour
            .teacher
            .filter(|_| !behaviour.heuristic && (burst.is_empty() || actions > burst.end))
            .and_then(|teacher| compare(teacher, &mut probe, game, state, &list, rng));
        let best = if let (Some(comparison), Some(teacher)) = (taught, behaviour.teacher) {
            let choice = chosen(&comparison, teacher);
            contrasts.push(contrast(&comparison));
            choice
        } else if behaviour.heuristic {
            Choice {
                action: heuristic(game, state),
                // The heuristic has no chances to give.
                value: Outputs::default(),
                set: None,
            }
        } else {
            Choice::best(&mut probe, game, state, &list)
        };
        let action = if explored {
            list[rng::below(rng, list.len())]
        } else {
            best.action
        };
        // The network's own features if it was asked about the position; otherwise (a random or a
        // heuristic action) they are computed here.
        let set = match best.set {
            Some(set) if action == best.action => set,
            _ => FeatureSet::of(game, &Afterstate::before(state).then(action)),
        };
        decisions[seat].push(Decision {
            set,
            best: best.value,
            // The heuristic has no values at which a target could be cut; its outcomes are worth
            // learning all the same.
            explored: explored && !behaviour.heuristic,
        });
        world.act(game, action);
    }
    let winner = world.state().winner();
    // The game ended within the burst, so it shows nothing.
    if burst.contains(&(actions - 1)) {
        decisions.iter_mut().for_each(Vec::clear);
    }
    if let Some(winner) = winner {
        // The position after the winning action is won; it is never valued.
        decisions[winner].pop();
    }
    // A stopped game has no winner; the pips decide it, so that its samples have targets.
    let outcome = winner.map_or_else(|| verdict(game, world.state()), one_hot);
    // The heuristic has no values to mix in: its targets are outcomes.
    let lambda = match behaviour.heuristic {
        true => 1.0,
        false => behaviour.lambda,
    };
    // The chances of a sample are in turn order from the player that acted, so the outcome is rotated to each
    // seat.
    for (seat, decisions) in decisions.into_iter().enumerate() {
        let mut end = Outputs::default();
        for (turn, chance) in end[..players].iter_mut().enumerate() {
            *chance = outcome[(seat + turn) % players];
        }
        returns(decisions, end, lambda, &mut samples);
    }
    Played {
        samples,
        contrasts,
        actions,
        stopped: winner.is_none(),
    }
}

/// The numbers of the game's random actions: none in one game of three, otherwise 1 to `behaviour.burst` in a row
/// that begin anywhere before `BURST_WITHIN` actions a player, about the length of a game between good players.
fn burst(behaviour: &Behaviour, players: usize, rng: &mut Random) -> Range<usize> {
    if behaviour.burst == 0 || rng::below(rng, 3) == 0 {
        return 0..0;
    }
    let start = rng::below(rng, BURST_WITHIN * players);
    start..start + 1 + rng::below(rng, behaviour.burst)
}

/// Pushes samples of one player's positions, from the last to the first, with their λ-returns (Sutton 1988) as
/// targets.
///
/// With `v` the value of the player's best action at its next decision, the target of a position is
/// `(1 − λ) v + λ · (target there)`; the last position has the outcome. If the player took a random action at
/// the next decision, the target is `v` alone, because the rest of the game followed from an action that it would
/// not choose.
///
/// Example: λ = 0.5, values 0.1, 0.5, 0.25 at three decisions, and a win. The targets are 1 for the
/// last, `0.25 + 0.5 · 0.75 = 0.625` for the second, `0.5 + 0.5 · 0.125 = 0.5625` for the first.
fn returns(decisions: Vec<Decision>, end: Outputs, lambda: f32, samples: &mut Vec<Sample>) {
    let mut target = end;
    for decision in decisions.into_iter().rev() {
        samples.push(Sample {
            set: decision.set,
            target,
        });
        // One step of the recursion: from this position's target to that of the player's position before.
        for (target, best) in target.iter_mut().zip(decision.best) {
            *target = if decision.explored {
                best
            } else {
                best + lambda * (*target - best)
            };
        }
    }
}

/// The outcome of a stopped game: the players with the fewest pips left share the win.
fn verdict(game: &Game, state: &State) -> Outputs {
    let pips = |player| state.track.pips(player);
    let least = (0..game.players).map(pips).min().unwrap_or_default();
    let leaders = (0..game.players).filter(|&p| pips(p) == least).count();
    let mut outcome = Outputs::default();
    for (player, chance) in outcome[..game.players].iter_mut().enumerate() {
        if pips(player) == least {
            *chance = 1.0 / leaders as f32;
        }
    }
    outcome
}

/// The action of the hoard-then-sprint heuristic.
pub(super) fn heuristic(game: &Game, state: &State) -> Action {
    let view = View::of(state, state.to_move as usize);
    // The heuristic looks at the view alone.
    let record = GameRecord::of_state(game, state, Vec::new());
    Hoarder::default().choose(&Question {
        game,
        record: &record,
        view: &view,
        open: None,
    })
}

#[cfg(test)]
mod tests {
    use super::super::trainer::{Budget, Config};
    use super::*;
    use cartagena::evaluation::{Network, Shape};
    use seats::cartagena::setups::Setups;

    fn decision(best: f32, explored: bool) -> Decision {
        let mut value = Outputs::default();
        value[0] = best;
        Decision {
            set: FeatureSet::default(),
            best: value,
            explored,
        }
    }

    fn targets(decisions: Vec<Decision>, lambda: f32) -> Vec<f32> {
        let mut end = Outputs::default();
        end[0] = 1.0;
        let mut samples = Vec::new();
        returns(decisions, end, lambda, &mut samples);
        samples.reverse();
        samples.iter().map(|sample| sample.target[0]).collect()
    }

    /// The chances taught sum to 1, whichever players play.
    #[test]
    fn targets_are_chances() {
        let plain = Behaviour {
            heuristic: false,
            exploration: 0.1,
            burst: 0,
            teacher: None,
            lambda: 0.5,
            cap: 50,
        };
        let heuristic = Behaviour {
            heuristic: true,
            lambda: 1.0,
            ..plain
        };
        let burst = Behaviour {
            exploration: 0.0,
            burst: 4,
            ..plain
        };
        let taught = Behaviour {
            teacher: Some(Teacher {
                actions: 3,
                worlds: 1,
                turns: 2,
            }),
            ..burst
        };
        let number = |players, behaviour: &Behaviour| {
            let shape = Shape {
                players,
                hidden: 32,
            };
            let network = Network::random(shape, &mut rng::stream(1, 0));
            let network = NetworkEvaluator::new(&network);
            let mut rng = rng::stream(2, 0);
            let setups = Setups::new(players, &[3], 0.2);
            let mut number = 0;
            for _ in 0..3 {
                let (game, world) = setups.draw(&mut rng);
                let played = play(&network, behaviour, &game, world, &mut rng);
                number += played.samples.len();
                for sample in &played.samples {
                    let sum: f32 = sample.target.iter().sum();
                    assert!((sum - 1.0).abs() < 1e-4, "{sample:?}");
                    assert!(sample.target.iter().all(|&chance| chance >= 0.0));
                }
            }
            number
        };
        for players in [2, 3, 5] {
            for behaviour in [plain, heuristic, burst, taught] {
                assert!(number(players, &behaviour) > 30, "{behaviour:?}");
            }
        }
    }

    /// Two games in three have a burst, of any length and anywhere.
    #[test]
    fn bursts_are_spread_over_games() {
        let behaviour = Behaviour {
            burst: 4,
            ..Config::new(2, Budget::Games(1)).behaviour
        };
        let mut rng = rng::stream(1, 0);
        let (mut none, mut late, mut lengths) = (0, 0, [0; 5]);
        for _ in 0..1200 {
            let range = burst(&behaviour, 2, &mut rng);
            none += usize::from(range.is_empty());
            late += usize::from(range.start >= BURST_WITHIN);
            lengths[range.len()] += 1;
        }
        assert!((340..460).contains(&none), "{none}");
        assert!((330..470).contains(&late), "{late}");
        assert!(
            lengths[1..].iter().all(|n| (140..260).contains(n)),
            "{lengths:?}"
        );
        let never = Behaviour {
            burst: 0,
            ..behaviour
        };
        assert_eq!(burst(&never, 2, &mut rng), 0..0);
    }

    /// Nothing is learnt from the actions before a random one: the later the burst of a game, the fewer its
    /// samples, and none is from before the burst.
    #[test]
    fn what_comes_before_a_burst_is_not_learnt() {
        let shape = Shape {
            players: 2,
            hidden: 32,
        };
        let network = Network::random(shape, &mut rng::stream(1, 0));
        let network = NetworkEvaluator::new(&network);
        let behaviour = Behaviour {
            heuristic: true,
            exploration: 0.0,
            burst: 3,
            ..Config::new(2, Budget::Games(1)).behaviour
        };
        let setups = Config::new(2, Budget::Games(1)).setups;
        let (mut with, mut without) = (0, 0);
        for seed in 0..60 {
            let (game, world) = setups.draw(&mut rng::stream(seed, 0));
            let mut rng = rng::stream(seed, 1);
            let range = burst(&behaviour, 2, &mut rng.clone());
            let played = play(&network, &behaviour, &game, world, &mut rng);
            // The heuristic finds an action in every position, and each one is a sample, except for the winning
            // one.
            let learnt = played.samples.len();
            if range.is_empty() || played.actions <= range.start {
                without += 1;
                assert!(learnt + 1 >= played.actions - played.actions / 10, "{seed}");
            } else {
                with += 1;
                assert!(learnt <= played.actions.saturating_sub(range.end), "{seed}");
            }
        }
        assert!(with > 20 && without > 10, "{with} {without}");
    }

    #[test]
    fn returns_mix_what_follows() {
        let game = |explored| {
            vec![
                decision(0.1, false),
                decision(0.5, explored),
                decision(0.25, false),
            ]
        };
        // With λ = 0.5 the last decision's target is the outcome, 1. The one before mixes half of 0.25 and half of
        // 1: 0.625.
        assert_eq!(targets(game(false), 0.5), [0.5625, 0.625, 1.0]);
        // The second action was random, so the first one's target is the value of the best action, 0.5.
        assert_eq!(targets(game(true), 0.5), [0.5, 0.625, 1.0]);
        assert_eq!(targets(game(false), 1.0), [1.0, 1.0, 1.0]);
        assert_eq!(targets(game(false), 0.0), [0.5, 0.25, 1.0]);
    }
}
