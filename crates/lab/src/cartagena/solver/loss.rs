//! The loss of a search's choices, measured against the exact values, for `lab cartagena exact`.
//!
//! The player's belief is a single world: it knows the other hands, and it knows the cards of the
//! pile but not their order. The solution assumes exactly the same. So the loss comes from evaluation and
//! search, not from hidden cards. One part of it is that an evaluation, unlike the solution, never sees the
//! other hands.

use super::{EQUAL, Solution, draws};
use arena::stats::Blocks;
use cartagena::belief::Belief;
use cartagena::evaluation::Evaluator;
use cartagena::opponents::Opponents;
use cartagena::rules::{Action, Cards, State};
use cartagena::search::{Best, SavedTurn, Search, Settings};
use cartagena::view::View;
use engine::budget::{Budget, Limits};
use engine::rng::{self, Random};

/// Share of random actions in the games whose positions are measured.
const EXPLORATION: f64 = 0.2;
/// Actions after which such a game is broken off.
const LONGEST: usize = 200;

/// The settings of the search that chooses.
#[derive(Clone, Copy, Debug)]
pub struct ChoiceOptions {
    /// The budget of a search for one action.
    pub limits: Limits,
    /// The search's settings; whether it may pass, the game decides.
    pub settings: Settings,
}

/// How much chance to win the choices of a search lose against the best actions.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Loss {
    /// Positions with at least two choices.
    pub positions: usize,
    /// Independent games that the positions come from.
    pub blocks: u64,
    /// A choice's mean loss.
    pub mean: f64,
    /// Half the width of the mean's 95 % interval; none from fewer than two blocks, or if all lose alike.
    pub margin: Option<f64>,
    pub worst: f64,
    /// The share of choices that lost less than a millionth.
    pub right: f64,
    /// The mean loss of a random choice in the same positions.
    pub chance: f64,
}

impl Solution {
    /// The choice of a search in a position of an unfinished game.
    pub fn choice(
        &self,
        state: &State,
        evaluator: &dyn Evaluator,
        options: &ChoiceOptions,
    ) -> Action {
        let seat = usize::from(state.to_move);
        let view = View::of(state, seat);
        let small = self.small();
        // The belief of the whole deck, with the other hands made known.
        let players = small.game.players;
        let mut belief = Belief::of_deck(&view, players, small.deck);
        for other in (0..players).filter(|&other| other != seat) {
            let known = belief.with_known(other, state.hands[other]);
            debug_assert!(known, "the other hands are possible");
        }
        // One search from nothing, on one thread.
        let budget = Budget::start(options.limits);
        let search = Search {
            game: &small.game,
            view: &view,
            belief: &belief,
            opponents: &Opponents::default,
            evaluator,
            budget: &budget,
            settings: Settings {
                allow_pass: small.allow_pass,
                ..options.settings
            },
            pool: None,
        };
        search.run(&SavedTurn::NOTHING, &Best::default()).action
    }

    /// Positions with a choice, drawn uniformly from all reachable ones, each a block of its own. Fewer than `count` if
    /// a game hardly has any.
    pub fn positions(&self, count: usize, seed: u64) -> Vec<Vec<State>> {
        let mut rng = rng::stream(seed, 0);
        let states = self.states();
        // The draws are limited: in a game without choices they would never end.
        (0..20 * count)
            .map(|_| states[rng::below(&mut rng, states.len())])
            .filter(|state| self.actions(state).len() > 1)
            .take(count)
            .map(|state| vec![state])
            .collect()
    }
}

impl Solution {
    /// Positions with a choice from games of players that play perfectly but for some random
    /// actions: the decisions that a game asks for. A block is the positions of one game. Fewer than `count` if a game
    /// hardly has any.
    pub fn met(&self, count: usize, seed: u64) -> Vec<Vec<State>> {
        let mut rng = rng::stream(seed, 0);
        let (mut games, mut left) = (Vec::new(), count);
        for _ in 0..20 * count {
            if left == 0 {
                break;
            }
            let mut met = self.play(&mut rng);
            met.truncate(left);
            left -= met.len();
            games.push(met);
        }
        games
    }

    /// Plays a game, or the beginning of an endless one, and returns its positions with a choice.
    fn play(&self, rng: &mut Random) -> Vec<State> {
        let (mut state, mut met) = (self.deal(rng), Vec::new());
        for _ in 0..LONGEST {
            let values = self.action_values(&state);
            if values.is_empty() {
                break;
            }
            if values.len() > 1 {
                met.push(state);
            }
            let best = values.iter().map(|v| v.1).fold(0.0, f64::max);
            // Perfect play alone would visit few positions; random actions lead elsewhere.
            let explore = rng::unit(rng) < EXPLORATION;
            // One of the best actions at random; when exploring, any action.
            let candidates: Vec<Action> = values
                .iter()
                .filter(|v| explore || v.1 > best - EQUAL)
                .map(|v| v.0)
                .collect();
            let action = candidates[rng::below(rng, candidates.len())];
            state = drawn(&self.outcomes(&state, action), rng);
        }
        met
    }

    /// A start of the game with random hands.
    fn deal(&self, rng: &mut Random) -> State {
        let small = self.small();
        let mut left = small.deck;
        let deal = |_| {
            let hand = drawn(&draws(left, Cards::NONE, small.deal), rng);
            left = left.minus(hand);
            hand
        };
        let hands: Vec<Cards> = (0..small.game.players).map(deal).collect();
        small.start(&hands)
    }
}

/// One of several outcomes, drawn by their probabilities.
fn drawn<T: Copy>(outcomes: &[(T, f64)], rng: &mut Random) -> T {
    let chances = outcomes.iter().map(|outcome| outcome.1);
    let number = rng::pick(chances, rng::unit(rng));
    outcomes[number.unwrap_or(outcomes.len() - 1)].0
}

impl Loss {
    /// The loss in several games together; every position counts the same.
    ///
    /// The games are strata: the margin is that of drawing positions within them. Other games could differ by more.
    pub fn pool(parts: &[Loss]) -> Loss {
        let mut all = Loss::default();
        for part in parts {
            all.positions += part.positions;
            all.blocks += part.blocks;
            all.worst = all.worst.max(part.worst);
        }
        // Every position counts the same, so a game counts with its number of positions.
        let share = |part: &Loss| part.positions as f64 / all.positions.max(1) as f64;
        let sum = |of: fn(&Loss) -> f64| parts.iter().map(|p| share(p) * of(p)).sum::<f64>();
        all.mean = sum(|part| part.mean);
        all.right = sum(|part| part.right);
        all.chance = sum(|part| part.chance);
        // Weighted means of independent parts: their squared margins add up. A part that always loses alike adds nothing.
        // But nothing is known of the error of a part with a single block, and so nothing of the whole.
        if parts.iter().any(|part| part.blocks == 1) {
            return all;
        }
        let margins = parts
            .iter()
            .filter_map(|part| Some(share(part) * part.margin?));
        let squares: f64 = margins.map(|margin| margin.powi(2)).sum();
        all.margin = Some(squares.sqrt()).filter(|&margin| margin > 0.0);
        all
    }
}

/// The loss of `choose` in the positions of some blocks.
pub fn losses(
    solution: &Solution,
    blocks: &[Vec<State>],
    mut choose: impl FnMut(&State) -> Action,
) -> Loss {
    let (mut loss, mut means) = <(Loss, Blocks)>::default();
    for block in blocks {
        let mut sum = 0.0;
        for state in block {
            let values = solution.action_values(state);
            // The best action by the exact values, from the view of the player to move.
            let best = values.iter().map(|v| v.1).fold(0.0, f64::max);
            let mean = values.iter().map(|v| v.1).sum::<f64>() / values.len() as f64;
            let action = choose(state);
            let taken = values.iter().find(|v| v.0 == action);
            // An illegal action loses the game.
            let lost = best - taken.map_or(0.0, |v| v.1);
            sum += lost;
            loss.worst = loss.worst.max(lost);
            loss.right += f64::from(u8::from(lost < 1e-6));
            // A yardstick: how much there was to lose at all.
            loss.chance += best - mean;
        }
        loss.positions += block.len();
        means.push(sum, block.len() as f64);
    }
    let n = loss.positions.max(1) as f64;
    loss.mean = means.mean();
    loss.blocks = means.count();
    loss.margin = means.margin();
    loss.right /= n;
    loss.chance /= n;
    loss
}
