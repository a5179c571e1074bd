//! Worlds are weighed no longer than the search has time.

use eights::player::Baseline;
use engine::budget::{Budget, Clock, Limits};
use engine::rng::stream;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;
use tricks::belief::{PlayerBelief, Worlds};
use tricks::{Hands, Policy as _, PolicySet as _, Round as _, View};

/// The worlds of the largest pool.
const POOL: usize = 512;

/// A later pool is not begun once the time is over, and one under way is given up. The old worlds are drawn again then.
#[test]
fn a_later_pool_ends_with_the_time() {
    // How many readings of the clock after the first pool find time left: none, or those of a few batches.
    for readings in [0, 4] {
        let mut rng = stream(8, 0);
        let mut round = eights::deal::deal(1, &mut rng);
        let mut view = View::new(&round, 0);
        while round.taking() || round.hand(0).len() > 7 || !round.trick().is_empty() {
            let card = Baseline::Counter.choose(&round, round.legal(), &mut rng);
            round.act(card);
            view.act(card);
        }
        // Each reading takes a second, once `step` is one.
        let (shown, step) = (Arc::new(AtomicU64::new(0)), Arc::new(AtomicU64::new(0)));
        let (now, by) = (Arc::clone(&shown), Arc::clone(&step));
        let clock = Clock::new(move || {
            Duration::from_secs(now.fetch_add(by.load(Ordering::Relaxed), Ordering::Relaxed))
        });
        let limits = Limits {
            time: Some(Duration::from_secs(1000)),
            nodes: None,
        };
        let budget = Budget::with_clock(clock, limits);
        let network = Baseline::network();
        let beliefs = std::array::from_fn(|_| PlayerBelief::first::<Baseline>(network));
        let mut worlds =
            Worlds::<Baseline>::new(&view, &beliefs, network, &budget, &mut rng).unwrap();
        // Enough for all pools.
        budget.spend(1 << 40);
        let mut pool = || -> Vec<Hands> {
            let hands = |_| worlds.draw(&mut rng).round.hands();
            (0..POOL).map(hands).collect()
        };
        let first = pool();
        let before = budget.spent();
        shown.store(1000 - readings, Ordering::Relaxed);
        step.store(1, Ordering::Relaxed);
        assert!(pool() == first, "{readings}: other worlds were drawn");
        let cost = budget.spent() - before;
        assert_eq!(cost > 0, readings > 0, "{readings}: {cost} nodes");
    }
}
