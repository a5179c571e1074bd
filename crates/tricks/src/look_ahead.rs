//! The search: every candidate is tried on the same worlds, sampled by what is believed, and each
//! world is played out through a tree of the viewer's later decisions.

use super::belief::{OpponentType, PlayerBelief, Plays, Sample, Worlds, drawn_types};
use super::monte_carlo::{Candidate, Shared};
use super::policy::Thinkers;
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
/// believed. Where few nodes are to be had, worlds are not weighed, but the others still play as earlier rounds have shown. Without
/// beliefs all worlds are equally likely, and everyone plays by the policy. Only cards of `among` are tried.
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
    let (own, thinking) = match P::THINKERS {
        Thinkers::Network => [OpponentType::thinking(network, 0.0); 2].into(),
        Thinkers::Policy { noise } => (by_rule, OpponentType::new(search.policy, noise)),
    };
    let weighed = beliefs.filter(|_| Worlds::<P>::are_worth_it(view, search.nodes()));
    let can_weigh = weighed.is_none() || view.seen().deals().is_ok();
    let (Ok(plain), true) = (view.worlds(), can_weigh) else {
        return Some((search.policy.choose(&view.counted(), legal, rng), vec![]));
    };
    let worth = Worth::new::<P>(view, search.aim);
    let race = Shared::new(legal);
    let take_part = |budget: &Budget, rng: &mut Random| {
        let weigh = |beliefs| Worlds::<P>::new(view, beliefs, network, budget, &mut *rng).ok();
        let mut worlds = weighed.and_then(weigh);
        let mut tree = Tree::new(network);
        race.take_part(budget, |cards, values| {
            let (world, types) = match &mut worlds {
                Some(worlds) => {
                    let Sample { round, types } = worlds.draw(rng);
                    (round, Some(types))
                }
                // What is known of the players from earlier rounds costs nothing.
                None => (plain(rng), beliefs.map(|of| drawn_types(of, network, rng))),
            };
            let players = Players {
                seat: view.seat(),
                own: if types.is_some() { own } else { by_rule },
                others: types.map_or([by_rule; MAX_PLAYERS], |types| {
                    types.map(|found| played(found, thinking))
                }),
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

/// How a player of a type is played out, if those who think are played by `thinking`.
fn played<'a, P: PolicySet>(
    found: OpponentType<'a, P>,
    thinking: OpponentType<'a, P>,
) -> OpponentType<'a, P> {
    match (found.plays(), P::THINKERS) {
        (Plays::Policy, _) => found,
        (Plays::Habit, Thinkers::Network) => found.without_noise(),
        (Plays::Habit | Plays::Thinking, _) => thinking,
    }
}
