//! The search: every candidate is tried on the same worlds, drawn from the beliefs about the others, and each
//! world is played out through a tree of the viewer's later decisions.
//!
//! A node of the tree below a card stands for everything that the viewer will have seen by then (POMCP), and the others
//! play by the types drawn with the world. So the search approaches a best response to the players that the viewer
//! believes it faces.
//!
//! Candidates that are clearly beaten are dropped. Several threads may race the same cards, each with its own worlds and
//! its own tree. With a limit of nodes there is one thread, so that answers repeat.

use super::belief::{OpponentType, PlayerBelief, Plays, Sample, Worlds, drawn_types};
use super::monte_carlo::{Candidate, Shared};
use super::policy::Thinkers;
use super::search::Search;
use super::tree::{Players, Tree};
use super::{Card, Cards, MAX_PLAYERS, PolicySet, Round as _, View, Worth};
use engine::budget::{Budget, Limits};
use engine::rng::{Random, split};
use std::thread;
use std::time::Duration;

/// The probability that a player who follows the policy plays a random card in a playout, so that worlds are
/// not all played out with the same mistakes.
pub(super) const NOISE: f64 = 0.1;

/// The best of the legal cards for the viewer, who is to act. The results have the form of those of
/// [`monte_carlo::choose`](super::monte_carlo::choose), but here the others play as the viewer believes. If the
/// budget is too small to weigh worlds, all worlds are equally likely, and the others play by types drawn from
/// earlier rounds. Without beliefs everyone plays by the policy. Only cards of `among` are tried.
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
    // `own` is how the viewer plays beyond the tree, `thinking` how players who think are played out. Matches decided
    // both, see `PolicySet::THINKERS`.
    let by_rule = OpponentType::new(search.policy, NOISE);
    let (own, thinking) = match P::THINKERS {
        Thinkers::Network => [OpponentType::thinking(network, 0.0); 2].into(),
        Thinkers::Policy { noise } => (by_rule, OpponentType::new(search.policy, noise)),
    };
    // If the observations contradict each other there is nothing to weigh, and the policy decides. Worlds that are
    // not weighed ignore the contradiction, see `View::worlds`.
    let weighed = beliefs.filter(|_| Worlds::<P>::are_worth_it(view, search.nodes()));
    let can_weigh = weighed.is_none() || view.seen().deals().is_ok();
    let (Ok(plain), true) = (view.worlds(), can_weigh) else {
        return Some((search.policy.choose(&view.counted(), legal, rng), vec![]));
    };
    // Threads share the race and nothing else that changes: each has its own worlds and its own tree, so that
    // none waits for another within a batch.
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
                // Types drawn from earlier rounds cost nothing, so the others play by them even if no world is
                // weighed.
                None => (plain(rng), beliefs.map(|of| drawn_types(of, network, rng))),
            };
            let players = Players {
                seat: view.seat(),
                own: if types.is_some() { own } else { by_rule },
                others: types.map_or([by_rule; MAX_PLAYERS], |types| {
                    types.map(|found| played(found, thinking))
                }),
            };
            // The tree serves all candidates: the card itself is part of a node's history.
            for &card in cards {
                let mut round = world.clone();
                values.push(tree.play_out(&mut round, card, &players, &worth, rng));
            }
            players.cost(view.round().players())
        });
    };
    // A thread's seed comes from the caller's generator, so that threads draw different worlds.
    thread::scope(|scope| {
        let mut others = Vec::new();
        for _ in 0..search.more_threads() {
            let (take_part, mut rng) = (&take_part, split(rng));
            let own = for_another_thread(budget, search.limits);
            let work = move || take_part(&own, &mut rng);
            // If the system gives no more threads, this one searches alone.
            others.extend(thread::Builder::new().spawn_scoped(scope, work));
        }
        take_part(budget, rng);
        // A thread that has panicked and is joined here does not make this one panic: the results so far still count.
        for other in others {
            let _ = other.join();
        }
    });
    Some(race.ranked())
}

/// The budget of another thread, which counts its own nodes. It is made before the thread, and its time is the rest of
/// the search's: a thread that starts late ends no later.
fn for_another_thread(search: &Budget, limits: Limits) -> Budget {
    let rest = |time: Duration| time.saturating_sub(search.elapsed());
    Budget::start(Limits {
        time: limits.time.map(rest),
        ..limits
    })
}

/// The type that plays out a player of the type `found`; `thinking` is the type that plays out players who think.
fn played<'a, P: PolicySet>(
    found: OpponentType<'a, P>,
    thinking: OpponentType<'a, P>,
) -> OpponentType<'a, P> {
    // A game whose policy plays out thinking players uses it for players with habits as well: in Hearts that is no
    // worse, and the policy's cards are cheaper.
    match (found.plays(), P::THINKERS) {
        (Plays::Policy | Plays::Chance, _) => found,
        (Plays::Habit, Thinkers::Network) => found.without_noise(),
        (Plays::Habit | Plays::Thinking, _) => thinking,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use engine::budget::Clock;
    use std::sync::Arc;
    use std::sync::atomic::{AtomicU64, Ordering};

    /// A thread that is started late, or not before the time is over, gets only what is left of it.
    #[test]
    fn another_thread_has_the_rest_of_the_time() {
        let hours = Arc::new(AtomicU64::new(3));
        let shown = Arc::clone(&hours);
        let hour = Duration::from_secs(3600);
        let clock = Clock::new(move || hour * shown.load(Ordering::Relaxed) as u32);
        let limits = Limits {
            time: Some(2 * hour),
            nodes: None,
        };
        let search = Budget::with_clock(clock, limits);
        for (at, is_over) in [(3, false), (4, false), (5, true), (6, true)] {
            hours.store(at, Ordering::Relaxed);
            let own = for_another_thread(&search, limits);
            assert_eq!(own.interrupted(), is_over, "at {at}");
        }
    }
}
