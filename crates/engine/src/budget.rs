//! Limits of a search, and how much of them is used. A search gets a [`Budget`], books its work there, and asks it
//! when to stop.
//!
//! The two limits differ in kind. Nodes are counted by the search itself, so a limit of nodes gives the same
//! answer on every machine. The clock is outside it, so a limit of time does not.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// The limits of a search. Without either it runs until it is sure.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Limits {
    /// Wall-clock time from the start of the search.
    pub time: Option<Duration>,
    /// Positions visited. The same limit visits the same positions on every machine.
    pub nodes: Option<u64>,
}

impl Limits {
    /// Limits of this many nodes and no time, so that the answer is the same on every machine.
    pub const fn nodes(nodes: u64) -> Limits {
        Limits {
            time: None,
            nodes: Some(nodes),
        }
    }
}

/// A clock that shows the time passed since a fixed moment.
///
/// It is an argument so that a test can let the time pass as it likes.
#[derive(Clone)]
pub struct Clock(Arc<dyn Fn() -> Duration + Send + Sync>);

impl Clock {
    /// The system's clock, which no change of date moves.
    pub fn system() -> Clock {
        let origin = Instant::now();
        Clock::new(move || origin.elapsed())
    }

    /// A clock that shows the result of a function. The time must never go back.
    pub fn new(now: impl Fn() -> Duration + Send + Sync + 'static) -> Clock {
        Clock(Arc::new(now))
    }

    /// The time that has passed.
    pub fn now(&self) -> Duration {
        (self.0)()
    }
}

impl fmt::Debug for Clock {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "Clock({:?})", self.now())
    }
}

/// The account of a running search, shared by its threads.
///
/// A search divides its budget into parts, such as a half for its first stage. All parts are measured from
/// the start of the search, so a wait before it changes none of them. If nodes are limited, a part of the budget is
/// a part of the nodes, and the clock can only end the search: otherwise a slow machine would search differently,
/// and not just less.
#[derive(Debug)]
pub struct Budget {
    clock: Clock,
    start: Duration,
    limits: Limits,
    spent: AtomicU64,
}

impl Budget {
    /// A budget that begins now, by the system's clock.
    pub fn start(limits: Limits) -> Budget {
        Budget::with_clock(Clock::system(), limits)
    }

    /// A budget that begins now, by the given clock.
    pub fn with_clock(clock: Clock, limits: Limits) -> Budget {
        Budget {
            start: clock.now(),
            clock,
            limits,
            spent: AtomicU64::new(0),
        }
    }

    /// Books positions that were visited.
    #[inline]
    pub fn spend(&self, nodes: u64) {
        // Relaxed: only the sum matters, and no other memory depends on it.
        self.spent.fetch_add(nodes, Ordering::Relaxed);
    }

    /// Positions visited so far.
    pub fn spent(&self) -> u64 {
        self.spent.load(Ordering::Relaxed)
    }

    /// The limit of positions; none if they are not limited.
    pub fn nodes(&self) -> Option<u64> {
        self.limits.nodes
    }

    /// Time since the start.
    pub fn elapsed(&self) -> Duration {
        self.clock.now().saturating_sub(self.start)
    }

    /// Whether the clock has run out. Nodes never make it true, so that they never cut off work in the middle.
    #[inline]
    pub fn interrupted(&self) -> bool {
        self.late(1.0)
    }

    /// Whether work that may use the given part of the budget must be cut off in the middle. Without a limit of
    /// nodes that is when this part of the time is over. With one it is when the whole time is over, as in
    /// [`Budget::interrupted`].
    #[inline]
    pub fn cut_off(&self, part: f64) -> bool {
        // A limit of nodes must give the same answer however slow the machine is, so no part of the time may count.
        self.late(if self.limits.nodes.is_some() {
            1.0
        } else {
            part
        })
    }

    /// Whether the given part (0 to 1) of the nodes has been used, or without a limit of nodes that part of the
    /// time. Always true once the time is over.
    pub fn used(&self, part: f64) -> bool {
        let spent = |limit| self.spent() as f64 >= limit as f64 * part;
        self.cut_off(part) || self.limits.nodes.is_some_and(spent)
    }

    /// The part of the nodes that has been used, or without a limit of nodes the part of the time; 0 without
    /// either limit. It may pass 1. With a limit of nodes it is the same on every machine.
    pub fn part(&self) -> f64 {
        match (self.limits.nodes, self.limits.time) {
            // At least 1, as 0 / 0 is no number.
            (Some(nodes), _) => self.spent() as f64 / nodes.max(1) as f64,
            (None, Some(time)) => self.elapsed().as_secs_f64() / time.as_secs_f64().max(1e-9),
            (None, None) => 0.0,
        }
    }

    /// Whether this part of the time is over.
    fn late(&self, part: f64) -> bool {
        let over = |limit: Duration| self.elapsed() >= limit.mul_f64(part);
        self.limits.time.is_some_and(over)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Nodes that are used up do not interrupt work in the middle; only the clock does.
    #[test]
    fn nodes_and_parts() {
        let budget = Budget::start(Limits::nodes(100));
        budget.spend(50);
        assert_eq!(budget.part(), 0.5);
        assert!(budget.used(0.5) && !budget.used(0.51));
        budget.spend(50);
        assert!(budget.used(1.0) && !budget.interrupted());
    }

    /// A clock that is set by hand.
    fn by_hand() -> (Clock, impl Fn(u64)) {
        let seconds = Arc::new(AtomicU64::new(0));
        let shown = Arc::clone(&seconds);
        let clock = Clock::new(move || Duration::from_secs(shown.load(Ordering::Relaxed)));
        (clock, move |at| seconds.store(at, Ordering::Relaxed))
    }

    #[test]
    fn time_counts_from_the_start_of_the_search() {
        let (clock, set) = by_hand();
        for waited in [0, 3, 3600] {
            set(waited);
            let limits = Limits {
                time: Some(Duration::from_secs(10)),
                nodes: None,
            };
            let budget = Budget::with_clock(clock.clone(), limits);
            assert!(!budget.used(0.1) && !budget.cut_off(0.1));
            set(waited + 5);
            assert_eq!(budget.part(), 0.5);
            assert!(budget.used(0.5) && budget.cut_off(0.5) && !budget.used(0.51));
            set(waited + 10);
            assert!(budget.used(1.0) && budget.interrupted());
        }
    }

    /// With a limit of nodes the clock says nothing until the whole time is over.
    #[test]
    fn shares_of_nodes_do_not_follow_the_clock() {
        let (clock, set) = by_hand();
        let limits = Limits {
            time: Some(Duration::from_secs(10)),
            nodes: Some(100),
        };
        let budget = Budget::with_clock(clock, limits);
        budget.spend(30);
        set(9);
        assert!(!budget.used(0.5) && !budget.cut_off(0.01) && budget.used(0.3));
        assert_eq!(budget.part(), 0.3);
        set(10);
        assert!(budget.used(0.5) && budget.cut_off(0.5) && budget.interrupted());
    }
}
