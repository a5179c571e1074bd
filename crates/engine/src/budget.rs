//! When a search must stop.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// What a search may spend. Without either limit it runs until it is sure or is stopped.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Limits {
    /// Wall-clock time.
    pub time: Option<Duration>,
    /// Positions visited. The same limit visits the same positions on every machine.
    pub nodes: Option<u64>,
}

/// A running search's account, shared by its threads.
#[derive(Debug)]
pub struct Budget {
    start: Instant,
    limits: Limits,
    spent: AtomicU64,
    stopped: AtomicBool,
}

impl Budget {
    /// Starts the clock.
    pub fn start(limits: Limits) -> Budget {
        Budget::started_at(Instant::now(), limits)
    }

    /// A clock that has been running since `start`.
    pub fn started_at(start: Instant, limits: Limits) -> Budget {
        Budget {
            start,
            limits,
            spent: AtomicU64::new(0),
            stopped: AtomicBool::new(false),
        }
    }

    /// Books visited positions.
    #[inline]
    pub fn spend(&self, nodes: u64) {
        self.spent.fetch_add(nodes, Ordering::Relaxed);
    }

    /// Positions visited so far.
    pub fn spent(&self) -> u64 {
        self.spent.load(Ordering::Relaxed)
    }

    /// Time since the start.
    pub fn elapsed(&self) -> Duration {
        self.start.elapsed()
    }

    /// Stops every thread.
    pub fn stop(&self) {
        self.stopped.store(true, Ordering::Relaxed);
    }

    /// Whether the clock has run out or [`Budget::stop`] was called. Never true because of nodes, so that
    /// work which is cut off in the middle is cut off by the clock alone.
    #[inline]
    pub fn interrupted(&self) -> bool {
        self.stopped.load(Ordering::Relaxed)
            || self
                .limits
                .time
                .is_some_and(|limit| self.elapsed() >= limit)
    }

    /// The part that has been used of the limit of nodes, or where there is none of the time; 0 without
    /// either. With a limit of nodes it is the same on every machine.
    pub fn part(&self) -> f64 {
        match (self.limits.nodes, self.limits.time) {
            (Some(nodes), _) => self.spent() as f64 / nodes.max(1) as f64,
            (None, Some(time)) => self.elapsed().as_secs_f64() / time.as_secs_f64().max(1e-9),
            (None, None) => 0.0,
        }
    }

    /// Whether the given part (0 to 1) of either limit has been used, or [`Budget::stop`] was called.
    pub fn used(&self, part: f64) -> bool {
        self.stopped.load(Ordering::Relaxed)
            || self
                .limits
                .time
                .is_some_and(|limit| self.elapsed() >= limit.mul_f64(part))
            || self
                .limits
                .nodes
                .is_some_and(|limit| self.spent() as f64 >= limit as f64 * part)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nodes_and_parts() {
        let budget = Budget::start(Limits {
            time: None,
            nodes: Some(100),
        });
        budget.spend(50);
        assert_eq!(budget.part(), 0.5);
        assert!(budget.used(0.5) && !budget.used(0.51));
        budget.spend(50);
        assert!(budget.used(1.0) && !budget.interrupted());
        budget.stop();
        assert!(budget.interrupted());
    }
}
