//! The time that a server adds to a game: from the arrival of a move to the request that follows from it.

use arena::stats::Times;
use engine::sync::lock;
use serde::Serialize;
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// A measurement that all connections add to.
#[derive(Clone, Debug, Default)]
pub struct Overhead(Arc<Mutex<Times>>);

/// The times so far, in milliseconds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Delays {
    /// Moves that led to a request.
    pub moves: u64,
    /// The mean time from reading a move's frame to writing the request that follows.
    pub mean_ms: f64,
    /// The 99 % quantile of the same times.
    pub p99_ms: f64,
    pub longest_ms: f64,
}

impl Overhead {
    /// Adds the delay of one move.
    pub fn add(&self, delay: Duration) {
        let mut times = lock(&self.0);
        times.push(delay.as_nanos() as u64);
    }

    /// The times so far.
    pub fn delays(&self) -> Delays {
        let times = lock(&self.0);
        Delays {
            moves: times.count(),
            mean_ms: times.mean() / 1e6,
            p99_ms: times.quantile(0.99) as f64 / 1e6,
            longest_ms: times.longest() as f64 / 1e6,
        }
    }
}
