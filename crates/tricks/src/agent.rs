//! Ways to decide: a policy, or a search that plays out by one.

use super::belief::{Evidence, OpponentType, TypeWeights};
use super::monte_carlo::{self, Candidate};
use super::{Card, Cards, MAX_PLAYERS, PolicySet, Round as _, View, look_ahead};
use engine::budget::{Budget, Limits};
use engine::rng::Random;

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
    /// What the search found, the best first; empty if nothing was searched.
    pub candidates: Vec<Candidate>,
}

/// How often a random card is played in a flat playout, so that worlds are not all played out with
/// the same mistakes.
const NOISE: f64 = 0.1;

/// An agent with what it has learnt about the others from round to round.
#[derive(Clone, Debug)]
pub struct Player<P> {
    agent: Agent<P>,
    beliefs: [TypeWeights; MAX_PLAYERS],
}

impl<P: PolicySet> Player<P> {
    /// A player that has learnt nothing yet.
    pub fn new(agent: Agent<P>) -> Player<P> {
        Player {
            agent,
            beliefs: [TypeWeights::default(); MAX_PLAYERS],
        }
    }

    /// The same with what it has learnt, deciding in another way.
    #[must_use]
    pub fn with_agent(self, agent: Agent<P>) -> Player<P> {
        Player { agent, ..self }
    }

    /// What is believed of each seat's way to play.
    pub fn beliefs(&self) -> &[TypeWeights; MAX_PLAYERS] {
        &self.beliefs
    }

    /// Decides for the viewer, whose turn it is. None if nothing is legal.
    pub fn decide(&self, view: &View<P::Round>, rng: &mut Random) -> Option<Decision> {
        self.decide_among(view, Cards::ALL, rng)
    }

    /// The same if only these of the legal cards come into question. A search over a tree tries no others; in other ways
    /// to decide all legal cards count.
    pub fn decide_among(
        &self,
        view: &View<P::Round>,
        among: Cards,
        rng: &mut Random,
    ) -> Option<Decision> {
        let (card, candidates) = match self.agent {
            Agent::Policy(policy) => {
                let legal = view.round().legal();
                legal.first()?;
                (policy.choose(&view.counted(), legal, rng), vec![])
            }
            Agent::Search(policy, method, limits) => {
                let budget = Budget::start(limits);
                match method {
                    Method::Inference => {
                        let beliefs = Some(&self.beliefs);
                        look_ahead::choose(view, among, policy, beliefs, &budget, rng)?
                    }
                    Method::Blind => look_ahead::choose(view, among, policy, None, &budget, rng)?,
                    Method::Flat => {
                        let noisy = OpponentType::new(policy, NOISE);
                        monte_carlo::choose::<P>(view, &noisy, &budget, rng)?
                    }
                }
            }
        };
        Some(Decision { card, candidates })
    }

    /// Learns from a round that is over, as the viewer saw it: all hands are known by then.
    pub fn learn(&mut self, view: &View<P::Round>) {
        if !matches!(self.agent, Agent::Search(_, Method::Inference, _)) {
            return;
        }
        let evidence = Evidence::new(view, &self.beliefs);
        for player in (0..view.round().players()).filter(|&player| player != view.seat()) {
            let likelihoods = evidence.likelihoods::<P>(player, Cards::EMPTY);
            self.beliefs[player].learn(&likelihoods);
        }
    }
}
