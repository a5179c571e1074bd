//! An approximate best response to the package's player: it knows how that player decides, and thinks far longer.
//!
//! Its wins beyond a fair share are a lower bound on the player's exploitability (Lisý and Bowling 2017,
//! "Equilibrium approximation quality of current no-limit poker bots"; Timbers et al. 2022, "Approximate
//! exploitability"): a best response wins at least as much. A bound of nothing does not prove that the player cannot
//! be beaten, but each bound above it shows how it is.
//!
//! The responder improves on the player's own choice by one step of policy iteration on rollouts (Tesauro and Galperin
//! 1996, "On-line policy improvement using Monte-Carlo search"):
//!
//! 1. It asks the player, with its nodes, and takes the actions that it puts close behind its choice.
//! 2. It samples worlds from its own view. In each it tries all these actions; then everybody moves by the *cheap
//!    policy*: the player's network with a look through a few actions of the turn. That is how the player moves when it
//!    has very few nodes. The share of positions in which it moves as the player does is [`agreement`].
//! 3. A rollout ends with the game, or with one of the responder's next turns, where the network values it.
//! 4. It takes the action that is best by the rollouts and the player's own values together, which count as
//!    [`PRIOR_WORLDS`] worlds. Actions that are clearly behind leave early.
//!
//! With enough worlds it can lose to the player only by errors of the rollouts: by the cheap policy's moves, and by the
//! network at their ends.

use crate::cartagena::policy::Pilot;
use crate::cartagena::positions::by_game;
use crate::cartagena::question;
use arena::stats::Blocks;
use cartagena::belief::{ReplayOptions, replay};
use cartagena::evaluation::{Afterstate, Evaluator, NetworkEvaluator};
use cartagena::player::searcher::Searcher;
use cartagena::player::{Player, Question};
use cartagena::record::GameRecord;
use cartagena::rules::{Action, Game};
use cartagena::search::Candidate;
use cartagena::world::World;
use engine::racing::{Race, Rule};
use engine::rng::{self, Random, mix};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// The worlds that the player's own values count as, when actions are compared.
pub const PRIOR_WORLDS: f64 = 100.0;
/// Worlds between two looks at which actions can still be best.
const ROUND: u64 = 16;
/// Actions of each player after which a rollout ends where it is: pirates may move to and fro for ever.
const CAP: usize = 200;
/// When an action leaves: three standard errors behind, or by no more than a fifth of a point better.
const RULE: Rule = Rule {
    confidence: 3.0,
    negligible: 0.002,
    at_least: 32,
};

/// The settings of a responder.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ResponseOptions {
    /// The most worlds for a decision.
    pub worlds: u64,
    /// The most actions that are compared.
    pub candidates: usize,
    /// How far behind its choice the player may put an action that is compared, in chances to win.
    pub margin: f64,
    /// A rollout ends after this many turns of the responder, the present one not counted.
    pub turns: usize,
    /// The number of actions that the cheap policy follows at each position of a turn; with 1 it does not look ahead.
    pub look: usize,
}

/// The decisions of responders, and how many differ from the player's.
#[derive(Debug, Default)]
pub struct Deviations {
    pub decisions: AtomicU64,
    pub others: AtomicU64,
}

/// The responder, which needs the player that it responds to and that player's network.
pub struct BestResponder {
    player: Searcher,
    network: Arc<NetworkEvaluator>,
    options: ResponseOptions,
    rng: Random,
    deviations: Arc<Deviations>,
}

impl BestResponder {
    /// A responder to this player. `network` must be the player's for the number of players of the game.
    pub fn new(
        player: Searcher,
        network: Arc<NetworkEvaluator>,
        options: ResponseOptions,
        rng: Random,
        deviations: Arc<Deviations>,
    ) -> BestResponder {
        BestResponder {
            player,
            network,
            options,
            rng,
            deviations,
        }
    }

    /// The best of several actions, the first being the player's choice.
    fn compare(&mut self, question: &Question, candidates: &[Candidate]) -> Action {
        let belief = question.belief();
        let mut race = Race::new(candidates.len());
        let mut leader = 0;
        for number in 1..=self.options.worlds {
            let world = belief.sample(question.view, &mut self.rng);
            let racing = race.racing();
            // All actions meet the same world, and the same random numbers of the policy.
            let seed = rand::Rng::next_u64(&mut self.rng);
            let rollout = |&i: &usize| {
                let world = world.clone();
                self.roll_out(question.game, world, candidates[i].action, seed)
            };
            let values: Vec<f32> = racing.iter().map(rollout).collect();
            race.record(&racing, &values);
            if number % ROUND == 0 || number == self.options.worlds {
                leader = best(&race, candidates, leader);
                race.drop_beaten(leader, RULE);
                if race.racing().len() == 1 {
                    break;
                }
            }
        }
        candidates[leader].action
    }

    /// The responder's chance after an action in a world: 1 or 0 at the end of the game, otherwise the network's value
    /// after the last action of its turn.
    fn roll_out(&self, game: &Game, mut world: World, action: Action, seed: u64) -> f32 {
        let seat = world.state().to_move;
        let mut pilot = Pilot::new(&self.network, self.options.look, rng::stream(seed, 0));
        let mut next = action;
        let mut ends = 0;
        let mut value = 0.0;
        for _ in 0..CAP * game.players {
            let state = *world.state();
            world.act(game, next);
            if let Some(winner) = world.state().winner() {
                return f32::from(u8::from(winner == usize::from(seat)));
            }
            let turn_ends = state.to_move == seat && world.state().to_move != seat;
            if turn_ends {
                // The network knows positions before the draw of an action is seen.
                let after = Afterstate::before(&state).then(next);
                value = self.network.own_chance(game, &after);
                if ends == self.options.turns {
                    break;
                }
                ends += 1;
            }
            next = pilot.choose(game, world.state());
        }
        value
    }
}

/// The best candidate in the race: each one that is better than the best so far takes its place.
fn best(race: &Race, candidates: &[Candidate], leader: usize) -> usize {
    let gain = |one: usize, other: usize| {
        let Some((lead, _)) = race.lead(one, other) else {
            return 0.0;
        };
        let worlds = f64::from(race.samples(one).min(race.samples(other)));
        let prior = candidates[other].behind - candidates[one].behind;
        (PRIOR_WORLDS * prior + worlds * lead) / (PRIOR_WORLDS + worlds)
    };
    let racing = race.racing().into_iter();
    racing.fold(leader, |best, one| match gain(one, best) > 0.0 {
        true => one,
        false => best,
    })
}

impl Player for BestResponder {
    fn choose(&mut self, question: &Question) -> Action {
        let report = self.player.search(question);
        let margin = self.options.margin;
        let close = report.candidates.iter().filter(|c| c.behind <= margin);
        let close: Vec<Candidate> = close.take(self.options.candidates).cloned().collect();
        let action = match close.len() {
            0 | 1 => report.action,
            _ => self.compare(question, &close),
        };
        self.deviations.decisions.fetch_add(1, Ordering::Relaxed);
        let other = u64::from(action != report.action);
        self.deviations.others.fetch_add(other, Ordering::Relaxed);
        action
    }
}

/// How often the cheap policy with `look` takes the action that the player takes, in these positions.
pub fn agreement(
    records: &[GameRecord],
    network: &NetworkEvaluator,
    look: usize,
    mut player: impl FnMut(u64) -> Searcher,
) -> Blocks {
    by_game((0..).zip(records).map(|(number, record)| {
        let replay = replay(record, &ReplayOptions::default());
        let action = player(number).choose(&question(record, &replay));
        // The policy looks at its own hand and the sizes of the others, so any world of the view will do.
        let mut rng = rng::stream(mix(number), 0);
        let world = replay.belief.sample(&replay.view, &mut rng);
        let cheap = Pilot::new(network, look, rng).choose(&replay.game, world.state());
        (record, f64::from(u8::from(cheap == action)))
    }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cartagena::{legal, positions};
    use cartagena::evaluation::{Evaluators, NetworkFile};
    use cartagena::search::Settings;
    use engine::budget::Limits;

    fn searcher(evaluators: &Arc<Evaluators>, nodes: u64) -> Searcher {
        let limits = Limits::nodes(nodes);
        Searcher::new(Arc::clone(evaluators), limits, Settings::default())
    }

    fn network(players: usize) -> NetworkEvaluator {
        NetworkEvaluator::new(&NetworkFile::embedded(players).unwrap().network)
    }

    /// Without a look ahead the cheap policy is the player with one node.
    #[test]
    fn the_cheap_policy_is_the_player_with_few_nodes() {
        let evaluators = Arc::new(Evaluators::embedded(|line| panic!("{line}")));
        for players in [2, 4] {
            let records = positions::of_the_player(&evaluators, players, 40);
            let share = agreement(&records, &network(players), 1, |_| searcher(&evaluators, 1));
            assert!(share.mean() > 0.95, "{players}: {}", share.mean());
        }
    }

    /// Answers are legal, follow from the seed, and are counted; a single close action is the player's.
    #[test]
    fn a_responder_answers_legally_and_counts() {
        let evaluators = Arc::new(Evaluators::embedded(|line| panic!("{line}")));
        for record in positions::positions(2) {
            let network = Arc::new(network(record.players));
            let replay = replay(&record, &ReplayOptions::default());
            let question = question(&record, &replay);
            let answer = |margin: f64| {
                let options = ResponseOptions {
                    worlds: 20,
                    candidates: 3,
                    margin,
                    turns: 1,
                    look: 1,
                };
                let counts = Arc::new(Deviations::default());
                let player = searcher(&evaluators, 200);
                let (network, rng) = (Arc::clone(&network), rng::stream(1, 0));
                let mut one =
                    BestResponder::new(player, network, options, rng, Arc::clone(&counts));
                let action = one.choose(&question);
                assert_eq!(counts.decisions.load(Ordering::Relaxed), 1);
                (action, counts.others.load(Ordering::Relaxed))
            };
            let list = legal(&replay.game, &replay.view);
            let own = searcher(&evaluators, 200).choose(&question);
            let (action, others) = answer(0.2);
            assert!(list.contains(&action), "{action}");
            assert_eq!((action, others), answer(0.2));
            assert_eq!(others, u64::from(action != own));
            assert_eq!(answer(-1.0), (own, 0));
        }
    }
}
