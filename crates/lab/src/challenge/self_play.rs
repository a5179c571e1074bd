//! Hands that strategies play against themselves or each other, decision by decision.

use challenge::equilibrium::blueprint::{Distribution, sample};
use challenge::rules::{Cards, Decision, Hand, PublicState};
use engine::rng::{Random, unit};

/// Plays a hand on by a decision drawn from `chosen`: the decisions of the player to act, which sees its own cards and
/// the public state only, as in a real game. None if there is no decision.
pub fn step(
    hand: &mut Hand,
    rng: &mut Random,
    chosen: impl FnOnce(&PublicState, Cards) -> Distribution,
) -> Option<Decision> {
    let public = hand.public();
    let chosen = chosen(public, hand.cards(public.to_act()));
    let decision = sample(&chosen, unit(rng) as f32)?;
    hand.decide(decision).ok()?;
    Some(decision)
}
