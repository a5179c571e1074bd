//! Ways to decide: a policy, or a search that plays out by one.

use super::monte_carlo::{self, Candidate};
use super::{Card, Cards, Policy, Round as _, View};
use crate::random::{Random, below};
use crate::search::budget::{Budget, Limits};

/// How a seat decides.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Agent<P> {
    /// By the policy.
    Policy(P),
    /// By flat Monte Carlo with the policy in the playouts.
    Search(P, Limits),
}

/// A decision.
#[derive(Clone, Debug, PartialEq)]
pub struct Decision {
    /// The card to take or play.
    pub card: Card,
    /// What the search found, the best first; empty where nothing was searched.
    pub candidates: Vec<Candidate>,
}

impl<P> Agent<P> {
    /// Decides for the viewer, whose turn it is. None if nothing is legal.
    pub fn decide<V: View>(&self, view: &V, random: &mut Random) -> Option<Decision>
    where
        P: Policy<V::Round> + Copy,
    {
        match *self {
            Agent::Policy(policy) => {
                let legal = view.round().legal();
                legal.first()?;
                Some(Decision {
                    card: policy.choose(view.round(), legal, random),
                    candidates: vec![],
                })
            }
            Agent::Search(policy, limits) => {
                let budget = Budget::start(limits);
                let (card, candidates) =
                    monte_carlo::choose(view, &Noisy(policy), &budget, random)?;
                Some(Decision { card, candidates })
            }
        }
    }
}

/// One in this many choices of a playout is any legal card, so that worlds are not all played out
/// with the same blind spot.
const ANY: usize = 10;

/// A policy that now and then plays anything.
#[derive(Clone, Copy, Debug)]
struct Noisy<P>(P);

impl<R, P: Policy<R>> Policy<R> for Noisy<P> {
    fn choose(&self, round: &R, legal: Cards, random: &mut Random) -> Card {
        if below(random, ANY) == 0 {
            monte_carlo::any(legal, random)
        } else {
            self.0.choose(round, legal, random)
        }
    }
}
