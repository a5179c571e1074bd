//! How a built-in player of a level decides.

use super::WholeGame;
use super::game::Game;
use engine::budget::Limits;
use engine::numerics::gumbel;
use engine::rng::{Random, unit};
use std::time::Duration;
use tricks::monte_carlo::Candidate;
use tricks::{Agent, Card, Method, Player, PolicySet, Round as _, View, random_card};

/// A strength: an agent, and what keeps it from doing its best.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Strength<P> {
    pub agent: Agent<P>,
    /// How often any legal card is played instead, from 0 to 1.
    pub slips: f64,
    /// What a search's candidates are chosen by: a card that is this many points behind is chosen e
    /// times less often than the best. 0 for the best.
    pub noise: f64,
}

/// The nodes from which on a level infers hidden cards from the play.
const INFERRING: u64 = 2_000;

/// The longest that a decision may take, whatever the machine.
const TIME: Duration = Duration::from_secs(2);

impl<P: Copy> Strength<P> {
    /// Plays by a policy, but for so many slips.
    pub(crate) const fn of_policy(policy: P, slips: f64) -> Strength<P> {
        Strength {
            agent: Agent::Policy(policy),
            slips,
            noise: 0.0,
        }
    }

    /// Searches so many positions, with playouts by a policy. With few of them there is nothing to infer for, and to learn from
    /// the rounds before would take longer than to decide.
    pub(crate) const fn of_search(policy: P, nodes: u64, noise: f64) -> Strength<P> {
        let limits = Limits {
            time: Some(TIME),
            nodes: Some(nodes),
        };
        Strength {
            agent: Agent::search(
                policy,
                match nodes < INFERRING {
                    true => Method::Blind,
                    false => Method::Inference,
                },
                limits,
            ),
            slips: 0.0,
            noise,
        }
    }
}

impl<P: PolicySet> Strength<P> {
    /// The decision for the seat that is to act: what it may know is all that the agent gets.
    pub(crate) fn decide<G>(&self, game: &Game<G>, rng: &mut Random) -> Option<Card>
    where
        G: WholeGame<Policy = P, Round = P::Round>,
    {
        let seat = game.to_act()?;
        let legal = game.current().round.legal();
        if self.slips > 0.0 && unit(rng) < self.slips {
            return Some(random_card(legal, rng));
        }
        let (player, view) = seated(game, seat, self.agent);
        let decision = player.decide(&view, rng)?;
        match self.noise > 0.0 && !decision.candidates.is_empty() {
            true => Some(chosen(&decision.candidates, self.noise, rng)),
            false => Some(decision.card),
        }
    }
}

/// An agent at its seat, with what it has learnt of the others in the rounds before, and its view of
/// this one.
pub(super) fn seated<G: WholeGame>(
    game: &Game<G>,
    seat: usize,
    agent: Agent<G::Policy>,
) -> (Player<G::Policy>, View<G::Round>) {
    let over: Vec<_> = game.deals.iter().filter(|deal| deal.is_over()).collect();
    let player = game.learnt.player(seat, &over, agent);
    (player, game.current().view(seat))
}

/// A candidate drawn with weights exp(value / noise): the one with the most after noise of a Gumbel
/// distribution.
fn chosen(candidates: &[Candidate], noise: f64, rng: &mut Random) -> Card {
    let mut best = (f64::NEG_INFINITY, candidates[0].card);
    for candidate in candidates {
        let value = candidate.value + noise * gumbel(1.0 - unit(rng));
        if value > best.0 {
            best = (value, candidate.card);
        }
    }
    best.1
}
