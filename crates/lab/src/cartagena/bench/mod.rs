//! The measurements of `lab cartagena bench`, above all a fixed set of searches. Their total number of nodes is the
//! signature of the search: a change of the program that keeps it has changed no decision in them.

pub mod choices;
pub mod memory;

use cartagena::belief::{Replay, ReplayOptions, replay};
use cartagena::evaluation::{Afterstate, Chances, Evaluator, Evaluators, Probe};
use cartagena::opponents::{Opponents, infer};
use cartagena::record::GameRecord;
use cartagena::rules::{Action, Game};
use cartagena::search::{Best, Report, SavedTurn, Search, Settings};
use engine::budget::{Budget, Limits};
use seats::cartagena::positions::positions;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// The work of all searches of the benchmark.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Totals {
    pub nodes: u64,
    pub evaluations: u64,
}

/// Searches every position of the benchmark with the same node limit, on the calling thread.
pub fn run(evaluators: &Evaluators, nodes: u64) -> Totals {
    let mut totals = Totals::default();
    for record in positions(0) {
        // Evaluations are counted by a wrapper, so that the search itself carries no counter.
        let counting = Counting {
            evaluator: &**evaluators.for_players(record.players),
            evaluations: AtomicU64::new(0),
        };
        let replay = replay(&record, &ReplayOptions::default());
        totals.nodes += search(&counting, &record, &replay, nodes, Settings::default()).nodes;
        totals.evaluations += counting.evaluations.into_inner();
    }
    totals
}

/// One search of a replayed position, without memory, on the calling thread.
pub(in crate::cartagena) fn search(
    evaluator: &dyn Evaluator,
    record: &GameRecord,
    replay: &Replay,
    nodes: u64,
    settings: Settings,
) -> Report {
    let budget = Budget::start(Limits::nodes(nodes));
    let search = Search {
        // The styles of the opponents are inferred as in play, so the signature covers that as
        // well.
        opponents: &|| {
            let mut probe = evaluator.probe();
            infer(record, replay, &mut *probe, settings.seed, &budget)
        },
        ..replayed(replay, evaluator, &budget, settings)
    };
    search.run(&SavedTurn::NOTHING, &Best::default())
}

/// A search of a replayed position that assumes that everybody plays as the evaluator does, on the calling thread.
fn replayed<'a>(
    replay: &'a Replay,
    evaluator: &'a dyn Evaluator,
    budget: &'a Budget,
    settings: Settings,
) -> Search<'a, dyn Evaluator + 'a> {
    Search {
        game: &replay.game,
        view: &replay.view,
        belief: &replay.belief,
        opponents: &Opponents::default,
        evaluator,
        budget,
        settings,
        pool: None,
    }
}

/// An evaluator that counts the evaluations of another one.
struct Counting<'a> {
    evaluator: &'a dyn Evaluator,
    evaluations: AtomicU64,
}

impl Counting<'_> {
    fn count(&self, evaluations: u64) {
        self.evaluations.fetch_add(evaluations, Ordering::Relaxed);
    }
}

impl Evaluator for Counting<'_> {
    fn chances(&self, game: &Game, after: &Afterstate) -> Chances {
        self.count(1);
        self.evaluator.chances(game, after)
    }

    fn own_chance(&self, game: &Game, after: &Afterstate) -> f32 {
        self.count(1);
        self.evaluator.own_chance(game, after)
    }

    fn fingerprint(&self) -> u64 {
        self.evaluator.fingerprint()
    }

    fn probe(&self) -> Box<dyn Probe + '_> {
        Box::new(CountingProbe {
            counting: self,
            probe: self.evaluator.probe(),
        })
    }
}

/// A probe of the counted evaluator; its evaluations are counted too.
struct CountingProbe<'a> {
    counting: &'a Counting<'a>,
    probe: Box<dyn Probe + 'a>,
}

impl Probe for CountingProbe<'_> {
    fn chances(&mut self, game: &Game, after: &Afterstate) -> Chances {
        self.counting.count(1);
        self.probe.chances(game, after)
    }

    fn own_chance(&mut self, game: &Game, after: &Afterstate) -> f32 {
        self.counting.count(1);
        self.probe.own_chance(game, after)
    }

    fn rate(&mut self, game: &Game, before: &Afterstate, actions: &[Action], values: &mut [f32]) {
        // A winning action needs no evaluation, so it is not counted.
        let track = &before.track;
        let last = track.home(before.seat) + 1 == track.pirates_each();
        let wins =
            |action: &Action| last && action.places().is_some_and(|(_, to)| to == track.boat());
        let evaluated = actions.iter().filter(|&action| !wins(action)).count();
        self.counting.count(evaluated as u64);
        self.probe.rate(game, before, actions, values);
    }
}

/// Searches each position for the given time by `threads` threads without stopping early, and returns the nodes
/// visited in all of them. Two calls with different numbers of threads give the speed-up.
///
/// # Errors
/// If the threads cannot be had.
pub fn endless(
    evaluators: &Evaluators,
    threads: usize,
    time: Duration,
) -> Result<u64, rayon::ThreadPoolBuildError> {
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(threads)
        .build()?;
    let mut settings = Settings::default();
    // A search that stops early would compare how soon it is sure, not how fast it is.
    settings.rule.confidence = f64::INFINITY;
    let mut nodes = 0;
    for record in positions(0) {
        let replay = replay(&record, &ReplayOptions::default());
        let budget = Budget::start(Limits {
            time: Some(time),
            nodes: None,
        });
        let evaluator = &**evaluators.for_players(record.players);
        let search = Search {
            pool: (threads > 1).then_some(&pool),
            ..replayed(&replay, evaluator, &budget, settings)
        };
        nodes += search.run(&SavedTurn::NOTHING, &Best::default()).nodes;
    }
    Ok(nodes)
}

/// The speed of the expectimax over whole turns by one thread and by many, in nodes a second. The
/// two alternate, so that changes of the machine's speed affect both alike. Positions whose turn is too small to be
/// worth the start of threads do not count.
///
/// # Errors
/// If the threads cannot be had.
pub fn turns(
    evaluators: &Evaluators,
    threads: usize,
) -> Result<[f64; 2], rayon::ThreadPoolBuildError> {
    /// Nodes of a turn for which more threads are worth their start.
    const LARGE: u64 = 20_000;
    /// Number of sets of positions.
    const SETS: u64 = 4;
    /// Repeats of each position, to average over the machine's speed.
    const ROUNDS: usize = 5;
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(threads)
        .build()?;
    let mut settings = Settings::default();
    settings.width.part = 1.0;
    let (mut nodes, mut times) = (0, [Duration::ZERO; 2]);
    for record in (0..SETS).flat_map(positions) {
        let replay = replay(&record, &ReplayOptions::default());
        let evaluator = &**evaluators.for_players(record.players);
        for _ in 0..ROUNDS {
            for (time, pool) in times.iter_mut().zip([None, Some(&pool)]) {
                let budget = Budget::start(Limits::default());
                let search = Search {
                    pool,
                    ..replayed(&replay, evaluator, &budget, settings)
                };
                let (_, looked) = search.expectimax(&Best::default());
                // Small turns end before threads pay, and would hide the gain in the others.
                if looked.nodes >= LARGE {
                    *time += budget.elapsed();
                    nodes += looked.nodes;
                }
            }
        }
    }
    // Both variants added the same nodes to the one sum.
    Ok(times.map(|time| nodes as f64 / 2.0 / time.as_secs_f64()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use cartagena::notation::print;
    use std::path::Path;

    /// The tests of the search read them there. `GOLDEN=write cargo test -p lab` writes them anew.
    #[test]
    fn the_positions_are_the_golden_ones() {
        let path = Path::new(env!("CARGO_MANIFEST_DIR"))
            .join("../../tests/data/cartagena/bench-positions.golden");
        let text: String = positions(0)
            .iter()
            .map(|record| print(record) + "\n")
            .collect();
        if std::env::var_os("GOLDEN").is_some_and(|value| value == "write") {
            std::fs::write(&path, &text).unwrap();
        }
        assert_eq!(std::fs::read_to_string(&path).unwrap(), text);
    }
}
