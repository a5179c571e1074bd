//! Ways to decide, a policy or a search, and the player that decides by one and learns about the others.

use super::belief::{self, OpponentType, PlayerBelief};
use super::monte_carlo::{self, Candidate};
use super::search::{Method, Search};
use super::{Aim, Card, Cards, MAX_PLAYERS, PolicySet, Round as _, View, Worth, look_ahead};
use engine::budget::{Budget, Limits};
use engine::rng::Random;

/// The way in which a seat decides.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Agent<P> {
    Policy(P),
    Search(Search<P>),
}

impl<P> Agent<P> {
    /// A search with playouts by a policy and the game's own network.
    pub const fn search(policy: P, method: Method, limits: Limits) -> Agent<P> {
        Agent::Search(Search {
            policy,
            method,
            limits,
            network: None,
            aim: Aim::Game,
            threads: 1,
        })
    }

    /// Whether it uses what earlier rounds have shown about the others.
    pub fn learns(&self) -> bool {
        matches!(self, Agent::Search(search) if search.method == Method::Inference)
    }
}

/// The card that a player has decided for, with the results of its search.
#[derive(Clone, Debug, PartialEq)]
pub struct Decision {
    /// The card to take or play.
    pub card: Card,
    /// The results of the search, the best first; empty if nothing was searched.
    pub candidates: Vec<Candidate>,
}

/// An agent, with what it has learnt about the others from round to round.
#[derive(Clone, Debug)]
pub struct Player<P> {
    agent: Agent<P>,
    beliefs: [PlayerBelief; MAX_PLAYERS],
}

impl<P: PolicySet> Player<P> {
    /// The same player before it has learnt anything.
    #[must_use]
    pub fn fresh(&self) -> Player<P> {
        Player::new(self.agent)
    }

    /// A player that has learnt nothing yet.
    pub fn new(agent: Agent<P>) -> Player<P> {
        // Beliefs begin with the search's own network; a policy never asks its beliefs.
        let network = match &agent {
            Agent::Policy(_) => P::network(),
            Agent::Search(search) => search.network(),
        };
        Player {
            agent,
            beliefs: std::array::from_fn(|_| PlayerBelief::first::<P>(network)),
        }
    }

    /// The same player with its beliefs, deciding by another agent.
    #[must_use]
    pub fn with_agent(self, agent: Agent<P>) -> Player<P> {
        Player { agent, ..self }
    }

    /// By seat, the belief about the player there.
    pub fn beliefs(&self) -> &[PlayerBelief; MAX_PLAYERS] {
        &self.beliefs
    }

    /// Decides for the viewer, whose turn it is. None if nothing is legal.
    pub fn decide(&self, view: &View<P::Round>, rng: &mut Random) -> Option<Decision> {
        self.decide_among(view, Cards::ALL, rng)
    }

    /// As [`decide`](Player::decide), but among these of the legal cards alone.
    pub fn decide_among(
        &self,
        view: &View<P::Round>,
        among: Cards,
        rng: &mut Random,
    ) -> Option<Decision> {
        P::search(self, view, among, rng)
    }

    /// Decides in place of [`decide_among`](Player::decide_among): what [`PolicySet::search`] of every game does.
    pub fn search(
        &self,
        view: &View<P::Round>,
        among: Cards,
        rng: &mut Random,
    ) -> Option<Decision> {
        let (card, candidates) = match self.agent {
            Agent::Policy(policy) => {
                let legal = view.round().legal() & among;
                legal.first()?;
                // A policy counts the cards in other hands; the counted view has them all in one.
                (policy.choose(&view.counted(), legal, rng), vec![])
            }
            Agent::Search(search) => {
                let budget = Budget::start(search.limits);
                let noisy = OpponentType::new(search.policy, look_ahead::NOISE);
                let method = match view.round().passing() {
                    // Nothing has been played that could be weighed, and a tree would branch on choices that the viewer
                    // never sees.
                    true => Method::Flat,
                    false => search.method,
                };
                match method {
                    Method::Inference => {
                        let beliefs = Some(&self.beliefs);
                        look_ahead::choose(view, among, &search, beliefs, &budget, rng)?
                    }
                    // Without beliefs worlds are equally likely, and everyone plays by the policy.
                    Method::Blind => look_ahead::choose(view, among, &search, None, &budget, rng)?,
                    Method::Flat => {
                        let worth = Worth::new::<P>(view, search.aim);
                        monte_carlo::choose::<P>(view, among, &worth, &noisy, &budget, rng)?
                    }
                }
            }
        };
        Some(Decision { card, candidates })
    }

    /// Learns about the others from a round that is over, as the viewer saw it. All hands are known by then, since all
    /// cards have been played.
    pub fn learn(&mut self, view: &View<P::Round>) {
        P::update(self, view);
    }

    /// Learns in place of [`learn`](Player::learn): what [`PolicySet::update`] of every game does.
    pub fn update(&mut self, view: &View<P::Round>) {
        // Other agents use no beliefs, and learning costs time.
        if let Agent::Search(search) = self.agent
            && self.agent.learns()
        {
            belief::learn::<P>(view, &mut self.beliefs, search.network());
        }
    }
}
