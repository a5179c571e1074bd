//! A call ends with a legal action even if the evaluator panics, hangs or returns nonsense, and a delay before a
//! search does not change its results.

use super::*;
use crate::evaluation::{Afterstate, Chances};
use crate::rules::{Game, MAX_PLAYERS};
use crate::search::{Candidate, Looked};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::Duration;

const EXAMPLE: &[u8] = include_bytes!("../../../tests/data/cartagena/interface-example.txt");

fn example() -> (Call, ActionList) {
    let call = Call::read(EXAMPLE, &ReplayOptions::default()).unwrap();
    let Choice::Open(legal) = call.choice(false) else {
        panic!("the example leaves a choice");
    };
    (call, legal)
}

fn options(evaluator: impl Evaluator + 'static, threads: usize) -> SearchOptions {
    SearchOptions {
        evaluator: Arc::new(evaluator),
        clock: Clock::system(),
        limits: Limits::nodes(5000),
        // Longer than any test runs.
        hard_stop: Instant::now() + Duration::from_secs(3600),
        threads,
        settings: Settings::default(),
        before_waiting: || {},
    }
}

/// An evaluator that fails. Its first `sound` estimates prefer positions that are far behind, so that its choice
/// differs from the fallback, the farthest jump. Later estimates come from `then`.
struct Failing<F> {
    sound: usize,
    made: AtomicUsize,
    then: F,
}

impl<F: Fn() -> f32> Failing<F> {
    fn after(sound: usize, then: F) -> Failing<F> {
        let made = AtomicUsize::new(0);
        Failing { sound, made, then }
    }
}

impl<F: Fn() -> f32 + Send + Sync> Evaluator for Failing<F> {
    fn chances(&self, _: &Game, after: &Afterstate) -> Chances {
        let mut chances = [0.0; MAX_PLAYERS];
        chances[after.seat] = if self.made.fetch_add(1, Ordering::Relaxed) < self.sound {
            after.track.pips(after.seat) as f32 / 1000.0
        } else {
            (self.then)()
        };
        chances
    }

    fn fingerprint(&self) -> u64 {
        0
    }
}

/// Does not return while the sender lives.
fn hang(gate: &Mutex<Receiver<()>>) -> f32 {
    let gate = gate.lock();
    let _ = gate.map(|gate| gate.recv());
    0.5
}

fn gate() -> (Sender<()>, Mutex<Receiver<()>>) {
    let (send, receive) = channel();
    (send, Mutex::new(receive))
}

/// Asserts that the decision is legal, names the trouble, and has no results of a search.
fn check(decision: &Decision, legal: &ActionList, trouble: Trouble) {
    assert!(legal.contains(&decision.action), "{decision:?}");
    assert!(decision.report.is_none() && decision.cache.is_none());
    assert_eq!(decision.trouble, Some(trouble));
}

#[test]
fn a_search_that_dies_at_once_leaves_the_farthest_jump() {
    let (call, legal) = example();
    let evaluator = Failing::after(0, || panic!("a broken evaluator"));
    let decision = call.decide(&legal, &options(evaluator, 1), TurnCache::default());
    check(&decision, &legal, Trouble::Failed);
    // The jump from 2 covers eight places. The skull from 3 leads to 10 as well, but covers seven.
    assert_eq!(decision.action.to_string(), "2 10 skull");
}

#[test]
fn a_search_that_dies_later_leaves_the_best_so_far() {
    let (call, legal) = example();
    for (sound, threads) in [(legal.len(), 1), (300, 1), (2000, 1), (2000, 3)] {
        let evaluator = Failing::after(sound, || panic!("a broken evaluator"));
        let decision = call.decide(&legal, &options(evaluator, threads), TurnCache::default());
        check(&decision, &legal, Trouble::Failed);
        assert_eq!(decision.action.to_string(), "3 2", "the only retreat");
    }
}

#[test]
fn a_search_that_hangs_is_not_waited_for() {
    let (call, legal) = example();
    let (open, closed) = gate();
    let mut options = options(Failing::after(0, move || hang(&closed)), 1);
    options.hard_stop = Instant::now();
    let decision = call.decide(&legal, &options, TurnCache::default());
    check(&decision, &legal, Trouble::Late);
    assert_eq!(decision.action.to_string(), "2 10 skull");
    drop(open);
}

/// The main thread decides when the evaluator has made its last estimate.
#[test]
fn what_a_hanging_search_found_is_used() {
    let (call, legal) = example();
    let (open, closed) = gate();
    let (send, received) = channel();
    let send = Mutex::new(send);
    let evaluator = Failing::after(legal.len(), move || {
        let _ = send.lock().map(|send| send.send(()));
        hang(&closed)
    });
    let mut options = options(evaluator, 1);
    options.hard_stop = Instant::now();
    let best = Arc::new(Best::default());
    let search = {
        let (call, options, best) = (call.clone(), options.clone(), Arc::clone(&best));
        std::thread::spawn(move || call.search(&options, &TurnCache::default(), &best).0.action)
    };
    received.recv().unwrap();
    assert_eq!(best.get().unwrap().to_string(), "3 2");
    drop(open);
    assert!(legal.contains(&search.join().unwrap()));
}

#[test]
fn nonsense_estimates_still_give_a_legal_action() {
    let (call, legal) = example();
    for nonsense in [f32::NAN, f32::INFINITY, -f32::NAN, f32::NEG_INFINITY, 7.0] {
        for sound in [0, 100, 2000] {
            let evaluator = Failing::after(sound, move || nonsense);
            let mut decision = call.decide(&legal, &options(evaluator, 1), TurnCache::default());
            assert!(legal.contains(&decision.action), "{nonsense}: {decision:?}");
            // The cache of such a search is harmless as well.
            let evaluator = Failing::after(sound, move || nonsense);
            decision = call.decide(&legal, &options(evaluator, 2), decision.cache.unwrap());
            assert!(legal.contains(&decision.action), "{nonsense}: {decision:?}");
        }
    }
}

#[test]
fn a_sound_search_reports() {
    let (call, legal) = example();
    let evaluator = Failing::after(usize::MAX, || 0.0);
    let decision = call.decide(&legal, &options(evaluator, 2), TurnCache::default());
    assert_eq!(decision.trouble, None);
    let report = decision.report.unwrap();
    assert_eq!(report.action, decision.action);
    assert_eq!(report.candidates.len(), legal.len());
}

/// The results of a search.
fn found(decision: &Decision) -> (Action, Vec<Candidate>, Looked, u64) {
    let report = decision.report.clone().unwrap();
    (
        report.action,
        report.candidates,
        report.expectimax,
        report.nodes,
    )
}

/// With a limit of nodes the search is the same however long it was delayed, however fast the clock runs, and on
/// any number of threads.
#[test]
fn neither_waiting_nor_a_slow_machine_changes_a_search_by_nodes() {
    let (call, legal) = example();
    let decide = |waited: u64, step: u64, threads: usize| {
        let asked = AtomicUsize::new(0);
        let clock = Clock::new(move || {
            let asked = asked.fetch_add(1, Ordering::Relaxed) as u64;
            Duration::from_secs(waited) + Duration::from_micros(step * asked)
        });
        let evaluator = Failing::after(usize::MAX, || 0.0);
        let mut options = options(evaluator, threads);
        options.clock = clock;
        options.limits = Limits {
            // The fastest clock below advances 13 µs with each reading, so it runs out at the millionth reading.
            time: Some(Duration::from_secs(13)),
            nodes: Some(20_000),
        };
        found(&call.decide(&legal, &options, TurnCache::default()))
    };
    let plain = decide(0, 0, 1);
    assert_eq!(plain.2.depth, 3);
    assert!(plain.2.is_complete());
    for (waited, step, threads) in [(1, 0, 1), (3, 13, 1), (3600, 13, 2), (0, 13, 3)] {
        assert_eq!(decide(waited, step, threads), plain);
    }
}

/// With a limit of time, the shares of the search are measured from its start, however late that was.
#[test]
fn waiting_changes_no_search_by_time() {
    let (call, legal) = example();
    // This clock advances 10 µs with each estimate.
    let decide = |waited: u64| {
        let made = Arc::new(AtomicUsize::new(0));
        let counted = Arc::clone(&made);
        let evaluator = Counting(Failing::after(usize::MAX, || 0.0), made);
        let mut options = options(evaluator, 1);
        options.clock = Clock::new(move || {
            let made = counted.load(Ordering::Relaxed) as u64;
            Duration::from_secs(waited) + Duration::from_micros(10 * made)
        });
        options.limits = Limits {
            time: Some(Duration::from_millis(500)),
            nodes: None,
        };
        found(&call.decide(&legal, &options, TurnCache::default()))
    };
    let at_once = decide(0);
    assert_eq!((at_once.2.depth, at_once.2.is_complete()), (3, true));
    for waited in [1, 3, 12] {
        assert_eq!(decide(waited), at_once, "after {waited} s");
    }
}

/// Counts the estimates.
struct Counting<E>(E, Arc<AtomicUsize>);

impl<E: Evaluator> Evaluator for Counting<E> {
    fn chances(&self, game: &Game, after: &Afterstate) -> Chances {
        self.1.fetch_add(1, Ordering::Relaxed);
        self.0.chances(game, after)
    }

    fn fingerprint(&self) -> u64 {
        1
    }
}

#[test]
fn the_farthest_jump_of_retreats_is_the_shortest_retreat() {
    let retreat = |from, to| Action::Retreat { from, to };
    let legal = [retreat(9, 2), retreat(9, 7), retreat(30, 28)];
    assert_eq!(farthest(&legal.into_iter().collect()), retreat(9, 7));
    assert_eq!(farthest(&ActionList::new()), Action::Pass);
}
