//! The search: every candidate is tried on the same worlds, sampled by what is believed, and each
//! world is played out through a tree of the viewer's later decisions.

use super::belief::{OpponentType, PlayerBelief, Plays, Sample, TypeChoice, Worlds};
use super::monte_carlo::{Candidate, Shared};
use super::search::Search;
use super::tree::{Players, Tree};
use super::{Card, Cards, MAX_PLAYERS, PolicySet, Round as _, View, Worth};
use engine::budget::Budget;
use engine::rng::{Random, below, stream};
use std::thread;

/// How often the viewer plays a random card instead of the policy's beyond the tree, so that worlds
/// are not all played out with the same mistakes.
const NOISE: f64 = 0.1;

/// The best of the legal cards for the viewer, who is to act, as
/// [`monte_carlo::choose`](super::monte_carlo::choose) finds it, but with the others playing as
/// believed. Without beliefs all worlds are equally likely, and everyone plays by the policy. Only cards of
/// `among` are tried.
pub fn choose<P: PolicySet>(
    view: &View<P::Round>,
    among: Cards,
    search: &Search<P>,
    beliefs: Option<&[PlayerBelief; MAX_PLAYERS]>,
    budget: &Budget,
    rng: &mut Random,
) -> Option<(Card, Vec<Candidate>)> {
    let legal = view.round().legal() & among;
    let first = legal.first()?;
    if legal.len() == 1 {
        return Some((first, vec![]));
    }
    let network = search.network();
    let by_rule = OpponentType::new(search.policy, NOISE);
    let has = |least: Option<f64>| least.is_some_and(|least| search.nodes() >= least);
    let habits_play = has(P::HABITS_PLAY_FROM);
    let (own, thinking) = match has(P::NETWORK_PLAYS_FROM) {
        true => (
            OpponentType::thinking(network, 0.0),
            OpponentType::thinking(network, 0.0),
        ),
        false => (by_rule, OpponentType::new(search.policy, P::THINKING_NOISE)),
    };
    let type_choice = match habits_play {
        true => TypeChoice::Drawn,
        false => TypeChoice::Likeliest,
    };
    let beliefs = beliefs.filter(|_| Worlds::<P>::are_worth_it(view, search.nodes()));
    let can_weigh = beliefs.is_none() || view.seen().deals().is_ok();
    let (Ok(plain), true) = (view.worlds(), can_weigh) else {
        return Some((search.policy.choose(&view.counted(), legal, rng), vec![]));
    };
    let worth = Worth::new::<P>(view, search.aim);
    let race = Shared::new(legal);
    let take_part = |budget: &Budget, rng: &mut Random| {
        let weigh =
            |beliefs| Worlds::<P>::new(view, beliefs, network, type_choice, budget, &mut *rng).ok();
        let mut worlds = beliefs.and_then(weigh);
        let mut tree = Tree::new(network);
        race.take_part(budget, |cards, values| {
            let (world, own, others) = match &mut worlds {
                Some(worlds) => {
                    let Sample { round, types } = worlds.draw(rng);
                    let played = types.map(|found| match found.plays() {
                        Plays::Policy => found,
                        Plays::Habit if habits_play => found.without_noise(),
                        Plays::Habit | Plays::Thinking => thinking,
                    });
                    (round, own, played)
                }
                None => (plain(rng), by_rule, [by_rule; MAX_PLAYERS]),
            };
            let players = Players {
                seat: view.seat(),
                own,
                others,
            };
            for &card in cards {
                let mut round = world.clone();
                values.push(tree.play_out(&mut round, card, &players, &worth, rng));
            }
            players.cost(view.round().players())
        });
    };
    thread::scope(|scope| {
        for _ in 0..search.more_threads() {
            let (take_part, mut rng) = (&take_part, stream(below(rng, usize::MAX) as u64, 0));
            let work = move || take_part(&Budget::start(search.limits), &mut rng);
            // Where there is no other thread to be had, this one searches alone.
            let _ = thread::Builder::new().spawn_scoped(scope, work);
        }
        take_part(budget, rng);
    });
    Some(race.ranked())
}
