//! How a search is done.

use super::network::Network;
use super::{Aim, PolicySet};
use engine::budget::Limits;

/// How a search treats the others' play.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Method {
    /// Worlds weighted by how well they explain the others' play, and a tree over the viewer's
    /// decisions.
    #[default]
    Inference,
    /// The tree over worlds that are equally likely, with everyone playing by the policy.
    Blind,
    /// Flat Monte Carlo over worlds that are equally likely.
    Flat,
}

/// How a search is done.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Search<P> {
    /// What playouts follow where nothing is known of whoever plays.
    pub policy: P,
    /// How the others are treated.
    pub method: Method,
    /// Time and nodes of a decision.
    pub limits: Limits,
    /// How players who think are taken to play, if not as the game's own network says.
    pub network: Option<&'static Network>,
    /// What it plays for.
    pub aim: Aim,
    /// Threads that search at the same time, at least one. With a limit of nodes there is one, so that answers repeat.
    pub threads: usize,
}

/// About how many nodes a search plays out in a second. What is worth its cost in the time there is follows from it, no more.
const NODES_A_SECOND: f64 = 1e6;

impl<P: PolicySet> Search<P> {
    /// About how many nodes a decision may take.
    pub fn nodes(&self) -> f64 {
        match (self.limits.nodes, self.limits.time) {
            (Some(nodes), _) => nodes as f64,
            (None, Some(time)) => time.as_secs_f64() * NODES_A_SECOND,
            (None, None) => f64::INFINITY,
        }
    }

    /// Threads beside the first.
    pub(crate) fn more_threads(&self) -> usize {
        match self.limits.nodes {
            Some(_) => 0,
            None => self.threads.saturating_sub(1),
        }
    }

    /// How players who think are taken to play.
    pub fn network(&self) -> &'static Network {
        self.network.unwrap_or_else(P::network)
    }
}
