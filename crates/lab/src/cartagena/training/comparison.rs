//! Compares the actions of a position by short rollouts on the same hidden cards, for the games of training
//! (`game`).
//!
//! The outcome of a game shows the worth of one action with a noise of half a game. Rollouts to the end of one of
//! the mover's next turns, valued by the network there, have a tenth of that noise, and with common cards all
//! actions of a position are compared at once. So the network learns from rollouts how actions differ, as an
//! evaluation learns from the values of a search (Veness, Silver, Uther and Blair 2009, "Bootstrapping from game
//! tree search"). How good the position is, it learns from outcomes alone. If it learnt this from the best of its own
//! values as well, its values would become too high (maximisation bias).

use super::optimiser::{Contrast, MOST_ACTIONS, Sample};
use arrayvec::ArrayVec;
use cartagena::belief::Belief;
use cartagena::evaluation::features::FeatureSet;
use cartagena::evaluation::{Afterstate, NetworkProbe, Outputs, Probe};
use cartagena::rules::{Action, ActionList, Game, State};
use cartagena::view::View;
use cartagena::world::World;
use engine::rng::{self, Random};
use seats::cartagena::policy::choice::{ACTIONS, Choice, one_hot};
use serde::{Deserialize, Serialize};

/// When an action is chosen, the network's own value counts as much as this many worlds; as in the search.
const PRIOR_WORLDS: f32 = 12.0;
/// Actions of a rollout, for each of its turns, before it is broken off and has the network's latest value: pirates
/// may stand still for ever.
const CAP: usize = 60;
/// The λ of a rollout: the end of a turn takes the share `1 − λ` of the weight and leaves `λ` to later turns.
const LAMBDA: f32 = 0.6;

/// How actions are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Teacher {
    /// Number of compared actions, 2 to [`MOST_ACTIONS`]: the best few by the network, and one of
    /// the others.
    pub actions: usize,
    /// Number of worlds that each action is rolled out on.
    pub worlds: usize,
    /// Length of a rollout: it ends with this turn of the mover after the present one, at least 1.
    pub turns: usize,
}

/// An action and the position after it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Compared {
    pub action: Action,
    /// The features of the position after it.
    pub set: FeatureSet,
    /// The network's value of that position.
    pub prior: Outputs,
    /// Its mean value by rollouts, in turn order from the mover.
    pub value: Outputs,
}

impl Compared {
    /// The mover's chance: the mean of the network's value, which counts as `PRIOR_WORLDS` worlds,
    /// and of the rollouts.
    pub fn chance(&self, worlds: usize) -> f32 {
        let worlds = worlds as f32;
        (PRIOR_WORLDS * self.prior[0] + worlds * self.value[0]) / (PRIOR_WORLDS + worlds)
    }
}

/// The compared actions of one position.
pub(super) type Comparison = ArrayVec<Compared, MOST_ACTIONS>;

/// The sample that is learnt: the actions with their values. Only the differences between the values count.
pub(super) fn contrast(comparison: &Comparison) -> Contrast {
    let samples = comparison.iter().map(|compared| Sample {
        set: compared.set,
        target: compared.value,
    });
    samples.collect()
}

/// Compares the leading actions of a position by rollouts. None if fewer than two actions are legal, or if one
/// wins at once.
pub(super) fn compare(
    teacher: Teacher,
    probe: &mut NetworkProbe,
    game: &Game,
    state: &State,
    legal: &ActionList,
    rng: &mut Random,
) -> Option<Comparison> {
    if legal.len() < 2 {
        return None;
    }
    let before = Afterstate::before(state);
    if legal.iter().any(|&action| before.then(action).won()) {
        return None;
    }
    let mut values = [0.0; ACTIONS];
    let values = &mut values[..legal.len()];
    probe.rate(game, &before, legal, values);
    let mut ranked: Vec<usize> = (0..legal.len()).collect();
    ranked.sort_by(|&a, &b| values[b].total_cmp(&values[a]));
    // The best few by the network, and one of the rest at random: an action that the network
    // undervalues would never be compared otherwise.
    let leading = teacher.actions.clamp(2, MOST_ACTIONS) - 1;
    if ranked.len() > leading {
        let other = leading + rng::below(rng, ranked.len() - leading);
        ranked.swap(leading, other);
        ranked.truncate(leading + 1);
    }
    let mut comparison: Comparison = ranked
        .iter()
        .map(|&i| {
            let after = before.then(legal[i]);
            let prior = probe.value(game, &after);
            Compared {
                action: legal[i],
                set: *probe.features(),
                prior,
                value: Outputs::default(),
            }
        })
        .collect();
    // Cards are sampled from what the mover sees. The true hands would teach values that no player
    // can know.
    let view = View::of(state, state.to_move.into());
    // All cards that the seat does not see are exchangeable, until the first reshuffle. Later this is an approximation: it
    // forgets which cards were in hands at the reshuffle.
    let belief = Belief::of_view(&view, game.players);
    // Values are means over the worlds: a mean of chances still sums to 1, as a target must.
    let share = 1.0 / teacher.worlds as f32;
    for _ in 0..teacher.worlds {
        let world = belief.sample(&view, rng);
        // All actions meet the same world, so its luck is in every value and cancels in the
        // differences.
        for compared in &mut comparison {
            let value = roll_out(probe, game, world.clone(), compared.action, teacher.turns);
            add(&mut compared.value, share, &value);
        }
    }
    Some(comparison)
}

/// The best of the compared actions, with the network's value.
pub(super) fn chosen(comparison: &Comparison, teacher: Teacher) -> Choice {
    // The first among equals, so that the choice is the same on every machine.
    let chance = |i: usize| comparison[i].chance(teacher.worlds);
    let best = (1..comparison.len()).fold(0, |best, i| match chance(i) > chance(best) {
        true => i,
        false => best,
    });
    Choice {
        action: comparison[best].action,
        value: comparison[best].prior,
        set: Some(comparison[best].set),
    }
}

/// The value of an action on a world, in turn order from the mover. After the action all players take the best
/// action by the network, until the mover has ended `turns` turns after the present one.
///
/// Let `v_k` be the network's value after the mover's last action of its `k`-th next turn. The
/// result mixes the ends of turns as TD(λ) does: with two turns it is `(1 − λ) v_1 + λ v_2`. A win
/// ends the rollout and takes the place of the values to come. The end of the present turn counts
/// nothing: the network's own value of the action is already part of the choice.
fn roll_out(
    probe: &mut NetworkProbe,
    game: &Game,
    mut world: World,
    action: Action,
    turns: usize,
) -> Outputs {
    let seat = usize::from(world.state().to_move);
    let mut legal = ActionList::new();
    let mut next = action;
    let mut ends = 0;
    let mut last = Outputs::default();
    let mut mixed = Outputs::default();
    // The weight of the values still to come: 1, λ, λ², …
    let mut left = 1.0;
    for _ in 0..CAP * turns {
        let state = *world.state();
        world.act(game, next);
        if let Some(winner) = world.state().winner() {
            last = one_hot((winner + game.players - seat) % game.players);
            break;
        }
        // A turn of the mover has just ended. The value at the end before is mixed in only now, since the last
        // end of the rollout takes all the weight that is left.
        if usize::from(state.to_move) == seat && usize::from(world.state().to_move) != seat {
            if ends == turns {
                break;
            }
            if ends > 0 {
                add(&mut mixed, left * (1.0 - LAMBDA), &last);
                left *= LAMBDA;
            }
            ends += 1;
        }
        let state = *world.state();
        game.legal_actions(&state, &mut legal);
        if legal.is_empty() {
            legal.push(Action::Pass);
        }
        // Everybody plays by its own hand in this world and the network, without knowing the
        // others' hands.
        let choice = Choice::best(probe, game, &state, &legal);
        next = choice.action;
        if usize::from(state.to_move) == seat {
            // The value of the mover's latest action, its draws still pending.
            last = choice.value;
        }
    }
    add(&mut mixed, left, &last);
    mixed
}

/// Adds `part` times the chances to `sums`.
fn add(sums: &mut Outputs, part: f32, chances: &Outputs) {
    for (sum, chance) in sums.iter_mut().zip(chances) {
        *sum += part * chance;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use cartagena::evaluation::{Network, NetworkEvaluator, Shape};
    use seats::cartagena::setups::Setups;

    /// Sampled worlds look to the seat as the position does, and compared values are chances.
    #[test]
    fn comparisons_keep_to_what_a_seat_sees() {
        let mut compared = 0;
        for seed in 0..60 {
            let players = 2 + seed as usize % 3;
            let mut rng = rng::stream(seed, 0);
            let setups = Setups::new(players, &[3, 6], 0.2);
            let (game, world) = setups.draw(&mut rng);
            let state = later(&game, world, 2 * seed as usize, &mut rng);
            if state.winner().is_some() {
                continue;
            }
            let view = View::of(&state, state.to_move.into());
            let sampled = Belief::of_view(&view, players).sample(&view, &mut rng);
            assert_eq!(View::of(sampled.state(), view.seat), view);

            let shape = Shape {
                players,
                hidden: 32,
            };
            let network = NetworkEvaluator::new(&Network::random(shape, &mut rng));
            let mut probe = NetworkProbe::new(&network);
            let mut legal = ActionList::new();
            game.legal_actions(&state, &mut legal);
            let teacher = Teacher {
                actions: 4,
                worlds: 2,
                turns: 1 + seed as usize % 3,
            };
            let comparison = compare(teacher, &mut probe, &game, &state, &legal, &mut rng);
            for one in comparison.iter().flatten() {
                compared += 1;
                assert!(legal.contains(&one.action));
                let after = Afterstate::before(&state).then(one.action);
                assert_eq!(one.set, FeatureSet::of(&game, &after));
                let sum: f32 = one.value.iter().sum();
                assert!((sum - 1.0).abs() < 1e-4, "{:?}", one.value);
            }
        }
        assert!(compared > 100, "{compared}");
    }

    /// A game after some random actions.
    fn later(game: &Game, mut world: World, steps: usize, rng: &mut Random) -> State {
        let mut legal = ActionList::new();
        for _ in 0..steps {
            if world.state().winner().is_some() {
                break;
            }
            game.legal_actions(world.state(), &mut legal);
            let action = match legal.is_empty() {
                true => Action::Pass,
                false => legal[rng::below(rng, legal.len())],
            };
            world.act(game, action);
        }
        *world.state()
    }
}
