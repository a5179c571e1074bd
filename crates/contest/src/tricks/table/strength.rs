//! Decisions of a built-in player of a level.

use super::WholeGame;
use super::game::Game;
use super::learnt;
use engine::budget::Limits;
use engine::numerics::gumbel;
use engine::rng::{Random, unit};
use std::time::Duration;
use tricks::monte_carlo::Candidate;
use tricks::{Agent, Card, Method, Player, PolicySet, Round as _, View, random_card};

/// A strength: an agent, and its handicaps.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Strength<P> {
    pub agent: Agent<P>,
    /// The share of decisions, from 0 to 1, that are random legal cards.
    pub slips: f64,
    /// The spread of the choice among a search's candidates, in points: a card that is this far behind is
    /// chosen e times less often than the best. 0 always chooses the best.
    pub noise: f64,
}

/// Levels with this many nodes or more find out how the others play, and in Hearts what they may hold.
const INFERRING: u64 = 2_000;

/// The longest that a decision may take, whatever the machine.
const TIME: Duration = Duration::from_secs(2);

impl<P: Copy> Strength<P> {
    /// Plays by a policy, except for a share of slips.
    pub(crate) const fn of_policy(policy: P, slips: f64) -> Strength<P> {
        Strength {
            agent: Agent::Policy(policy),
            slips,
            noise: 0.0,
        }
    }

    /// Searches `nodes` positions, with playouts by a policy. With few nodes inference gains nothing, and
    /// learning from earlier rounds would take longer than the decision.
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
    /// The decision for the seat to act. The agent gets only what this seat may know.
    pub(crate) fn decide<G>(&self, game: &Game<G>, rng: &mut Random) -> Option<Card>
    where
        G: WholeGame<Policy = P, Round = P::Round>,
    {
        let seat = game.to_act()?;
        let legal = game.current().round.legal();
        // A slip replaces the decision before any work is done for it.
        if self.slips > 0.0 && unit(rng) < self.slips {
            return Some(random_card(legal, rng));
        }
        let (player, view) = seated(game, seat, self.agent);
        let decision = player.decide(&view, rng)?;
        // Without candidates there was only one legal card.
        match self.noise > 0.0 && !decision.candidates.is_empty() {
            true => Some(chosen(&decision.candidates, self.noise, rng)),
            false => Some(decision.card),
        }
    }
}

/// An agent at its seat: the player, with what it has learnt about the others in earlier rounds, and its view
/// of this one.
pub(super) fn seated<G: WholeGame>(
    game: &Game<G>,
    seat: usize,
    agent: Agent<G::Policy>,
) -> (Player<G::Policy>, View<G::Round>) {
    let over: Vec<_> = game.deals.iter().filter(|deal| deal.is_over()).collect();
    let player = learnt::player(&game.learnt, seat, &over, agent);
    (player, game.current().view(seat))
}

/// A candidate, drawn with probability proportional to exp(value / noise). Adding noise · G to each value,
/// with G from the Gumbel distribution, and taking the largest sum draws exactly so (the Gumbel-max trick).
/// With noise 2, a card that is 2 points behind is chosen e ≈ 2.7 times less often.
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
