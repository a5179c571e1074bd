//! The settings of a search: its policy, its method, its limits and its goal.

use super::network::Network;
use super::{Aim, PolicySet};
use engine::budget::Limits;

/// How a search treats the others' actions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Method {
    /// Worlds are weighed by how well they explain the others' actions, and a tree is grown over the viewer's
    /// decisions.
    #[default]
    Inference,
    /// The tree alone: worlds are equally likely, and everyone plays by the policy.
    Blind,
    /// Flat Monte Carlo over equally likely worlds, without a tree.
    Flat,
}

/// The settings of a search.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Search<P> {
    /// The policy of playouts, for players of whom nothing is known.
    pub policy: P,
    /// How the others' actions are treated.
    pub method: Method,
    /// The time and the nodes of a decision.
    pub limits: Limits,
    /// The network that models players who think, if not the game's own.
    pub network: Option<&'static Network>,
    /// The goal of the search.
    pub aim: Aim,
    /// The number of threads that search at the same time, at least one. With a limit of nodes one thread
    /// searches, so that answers repeat.
    pub threads: usize,
}

/// Roughly how many nodes a search plays out in a second. The number serves only to decide whether weighing worlds
/// pays in the time given.
const NODES_A_SECOND: f64 = 1e6;

impl<P: PolicySet> Search<P> {
    /// About how many nodes a decision may take. A node is one round that is played out.
    pub fn nodes(&self) -> f64 {
        // A limit of nodes takes precedence, or a slow machine would search differently.
        match (self.limits.nodes, self.limits.time) {
            (Some(nodes), _) => nodes as f64,
            (None, Some(time)) => time.as_secs_f64() * NODES_A_SECOND,
            (None, None) => f64::INFINITY,
        }
    }

    /// The number of threads beside the first.
    pub(crate) fn more_threads(&self) -> usize {
        match self.limits.nodes {
            // Several threads would share the nodes in an order that no run repeats.
            Some(_) => 0,
            None => self.threads.saturating_sub(1),
        }
    }

    /// The network that models players who think.
    pub fn network(&self) -> &'static Network {
        self.network.unwrap_or_else(P::network)
    }
}
