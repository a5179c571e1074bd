//! The parts that the programs `eights` and `hearts` share: their settings, and their output on standard error.

mod explain;

pub use explain::warn;

use crate::{Agent, Decision, Method, Player, PolicySet, View};
use clap::Args;
use engine::budget::Limits;
use std::time::Duration;

/// The client's reaction to a message of the server.
#[derive(Clone, Debug, PartialEq)]
pub struct Response<A, R> {
    /// The answer to send.
    pub answer: Option<A>,
    /// The decision behind the answer, with the view it was made for; none if the server's messages contradict
    /// each other and the answer is a fallback.
    pub decision: Option<(View<R>, Decision)>,
    /// A fault in the message, in words.
    pub warning: Option<String>,
}

impl<A, R> Default for Response<A, R> {
    /// No answer, and no fault.
    fn default() -> Response<A, R> {
        Response {
            answer: None,
            decision: None,
            warning: None,
        }
    }
}

impl<A, R> Response<A, R> {
    /// No answer to a message with this fault.
    pub fn warning(text: impl Into<String>) -> Response<A, R> {
        Response {
            warning: Some(text.into()),
            ..Response::default()
        }
    }
}

/// Settings that every player program has.
#[derive(Debug, Args)]
pub struct Thinking {
    /// Seconds to think about a card
    #[arg(long, value_name = "SECONDS", default_value_t = 1.0, value_parser = seconds)]
    time: f64,
    /// Rounds to play out for a card
    #[arg(long, value_name = "N")]
    nodes: Option<u64>,
    /// Seed of the sampled deals
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
    /// Print the known facts and the values of the cards on standard error
    #[arg(long)]
    explain: bool,
}

impl Thinking {
    /// The search that decides for the program.
    pub fn agent<P: PolicySet>(&self) -> Agent<P> {
        let limits = Limits {
            // A limit of nodes switches the clock off, so that answers repeat.
            time: self
                .nodes
                .is_none()
                .then(|| Duration::from_secs_f64(self.time)),
            nodes: self.nodes,
        };
        Agent::search(P::PLAYOUT, Method::default(), limits)
    }

    /// Writes a message's fault to standard error, and with `--explain` the decision.
    pub fn report<A, P: PolicySet>(
        &self,
        program: &str,
        player: &Player<P>,
        response: &Response<A, P::Round>,
    ) {
        if let Some(warning) = &response.warning {
            warn(program, warning);
        }
        if let (true, Some((view, decision))) = (self.explain, &response.decision) {
            explain::show(view, player, decision);
        }
    }
}

/// Reads the seconds for a card, for command lines.
fn seconds(text: &str) -> Result<f64, String> {
    match text.parse() {
        // Tricky Eights allows 4 s for an answer, Hearts more: half a second is left for everything but the
        // search.
        Ok(time) if (0.0..=3.5).contains(&time) => Ok(time),
        _ => Err("expected a number of seconds from 0 to 3.5".to_owned()),
    }
}
