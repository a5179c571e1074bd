//! The blueprint as a player: it plays openings without abstraction if there are any, and else from the tables. It is
//! part of the player `equilibrium`, which solves the last three tricks.

use super::tracker::Tracker;
use super::{Player, Proposer};
use crate::equilibrium::blueprint::{Blueprint, Distribution, sample};
use crate::rules::{Decision, Event, PublicState, Seat};
use crate::view::{Asked, View};
use engine::rng::{Random, unit};
use std::sync::Arc;

/// Plays the blueprint of the hand game at the score, and nothing else.
pub struct BlueprintPlayer {
    blueprint: Arc<Blueprint>,
    tracker: Tracker,
    rng: Random,
}

impl BlueprintPlayer {
    /// A player with its tables and the generator of its mixed decisions.
    pub fn new(blueprint: Arc<Blueprint>, rng: Random) -> BlueprintPlayer {
        BlueprintPlayer {
            blueprint,
            tracker: Tracker::default(),
            rng,
        }
    }

    pub(super) fn blueprint(&self) -> &Blueprint {
        &self.blueprint
    }

    /// A legal decision. The tracker must have observed the view.
    pub(super) fn choose(&mut self, view: &View) -> Decision {
        let chosen = distribution(&self.blueprint, self.tracker.public(), view);
        let chosen = sample(&chosen, unit(&mut self.rng) as f32);
        // The state is reconstructed, so after a missed event it may allow more than the view does.
        let legal = chosen.filter(|&decision| view.allows(decision));
        legal.or_else(|| view.safe()).unwrap_or(Decision::Offer)
    }
}

/// The blueprint's strategy for the player of a view.
pub fn distribution(blueprint: &Blueprint, public: &PublicState, view: &View) -> Distribution {
    // No table is needed: the winner challenges, and the loser rejects.
    if let Some(winner) = public.settled() {
        let decision = settled(view, winner == view.player_number);
        return [(decision, 1.0)].into_iter().collect();
    }
    // The values of the scores after winning, losing and tying this hand select the hand game that is nearest.
    let stakes = blueprint.values().stakes_for(view.points(), public.opener);
    blueprint.opened(&stakes).played(public, view.cards)
}

/// The decision in a hand whose winner is certain: the winner offers and accepts, since the other may err, and the
/// loser rejects.
fn settled(view: &View, wins: bool) -> Decision {
    match view.asked {
        Asked::Answer if wins => Decision::Accept,
        Asked::Answer => Decision::Reject,
        // The offer costs nothing: a rejection ends the hand with the point that is won anyway, and an acceptance
        // wins the game.
        Asked::Card if wins && view.can_challenge => Decision::Offer,
        Asked::Card => view.safe().unwrap_or(Decision::Offer),
    }
}

impl Proposer for BlueprintPlayer {
    fn propose(&mut self, view: &View) -> Decision {
        self.choose(view)
    }

    fn tracker(&mut self) -> &mut Tracker {
        &mut self.tracker
    }
}

impl Player for BlueprintPlayer {
    fn decide(&mut self, view: &View) -> Decision {
        self.observe(view);
        let chosen = self.propose(view);
        self.tracker.decided(chosen);
        chosen
    }

    fn event(&mut self, _: Seat, event: Event) {
        self.tracker.event(event);
    }
}
