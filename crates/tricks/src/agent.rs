//! Ways to decide: a policy, or a search that plays out by one.

use super::belief::{Evidence, Hypotheses, Hypothesis, Repertoire};
use super::monte_carlo::{self, Candidate, Finish};
use super::{Card, MAX_PLAYERS, Policy, Round as _, View, look_ahead};
use engine::budget::{Budget, Limits};
use engine::rng::Random;

/// How a search treats the others' play.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Method {
    /// Worlds weighted by what the others did, and a tree over the viewer's decisions.
    #[default]
    Inference,
    /// The tree over worlds that are equally likely, with everyone playing by the policy.
    Blind,
    /// Flat Monte Carlo over worlds that are equally likely.
    Flat(Finish),
}

/// How a seat decides.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Agent<P> {
    /// By the policy.
    Policy(P),
    /// By a search with the policy in the playouts.
    Search(P, Method, Limits),
}

/// A decision.
#[derive(Clone, Debug, PartialEq)]
pub struct Decision {
    /// The card to take or play.
    pub card: Card,
    /// What the search found, the best first; empty where nothing was searched.
    pub candidates: Vec<Candidate>,
}

/// One in this many choices of a flat playout is any legal card, so that worlds are not all played
/// out with the same blind spot.
const ANY: f64 = 0.1;

/// An agent at a table: it learns about the others from round to round.
#[derive(Clone, Debug)]
pub struct Player<P> {
    agent: Agent<P>,
    beliefs: [Hypotheses; MAX_PLAYERS],
}

impl<P> Player<P> {
    /// A player who has seen nothing of the others yet.
    pub fn new(agent: Agent<P>) -> Player<P> {
        Player {
            agent,
            beliefs: [Hypotheses::default(); MAX_PLAYERS],
        }
    }

    /// What is believed of each seat's way to play.
    pub fn beliefs(&self) -> &[Hypotheses; MAX_PLAYERS] {
        &self.beliefs
    }

    /// Decides for the viewer, whose turn it is. None if nothing is legal.
    pub fn decide<V: View>(&self, view: &V, random: &mut Random) -> Option<Decision>
    where
        P: Policy<V::Round> + Repertoire,
    {
        let (card, candidates) = match self.agent {
            Agent::Policy(policy) => {
                let legal = view.round().legal();
                legal.first()?;
                (policy.choose(&view.counted(), legal, random), vec![])
            }
            Agent::Search(policy, method, limits) => {
                let budget = Budget::start(limits);
                match method {
                    Method::Inference => {
                        let beliefs = Some(&self.beliefs);
                        look_ahead::choose(view, policy, beliefs, &budget, random)?
                    }
                    Method::Blind => look_ahead::choose(view, policy, None, &budget, random)?,
                    Method::Flat(finish) => {
                        let noisy = Hypothesis::new(policy, ANY);
                        monte_carlo::choose(view, &noisy, finish, &budget, random)?
                    }
                }
            }
        };
        Some(Decision { card, candidates })
    }

    /// Learns from a round that is over, as the viewer saw it: all hands are known by then.
    pub fn learn<V: View>(&mut self, view: &V)
    where
        P: Policy<V::Round> + Repertoire,
    {
        if !matches!(self.agent, Agent::Search(_, Method::Inference, _)) {
            return;
        }
        let evidence = Evidence::new(view, &self.beliefs);
        for player in (0..view.round().players()).filter(|&player| player != view.seat()) {
            let likelihoods = evidence.of::<P>(player, super::Cards::EMPTY);
            self.beliefs[player].learn(&likelihoods);
        }
    }
}
