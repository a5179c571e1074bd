//! The blueprint as a player: openings without abstraction where there are some, and the tables.

use super::tracker::Tracker;
use super::{Player, Proposer};
use crate::equilibrium::blueprint::{Blueprint, Distribution, sample};
use crate::rules::{Decision, Event, PublicState, Seat};
use crate::view::{Asked, View};
use engine::rng::{Random, unit};
use std::sync::Arc;

/// Plays the blueprint of the score, and nothing else.
pub struct BlueprintPlayer {
    blueprint: Arc<Blueprint>,
    tracker: Tracker,
    rng: Random,
}

impl BlueprintPlayer {
    /// With its tables and the generator of its mixed decisions.
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

    /// A legal decision, after the tracker has taken in the view.
    pub(super) fn choose(&mut self, view: &View) -> Decision {
        let chosen = distribution(&self.blueprint, self.tracker.public(), view);
        let chosen = sample(&chosen, unit(&mut self.rng) as f32);
        let legal = chosen.filter(|&decision| view.allows(decision));
        legal.or_else(|| view.safe()).unwrap_or(Decision::Offer)
    }
}

/// How the blueprint decides in a view.
pub fn distribution(blueprint: &Blueprint, public: &PublicState, view: &View) -> Distribution {
    if let Some(winner) = public.settled() {
        let decision = settled(view, winner == view.player_number);
        return [(decision, 1.0)].into_iter().collect();
    }
    let stakes = blueprint.values().stakes_for(view.points(), public.opener);
    blueprint.opened(&stakes).played(public, view.cards)
}

/// What to decide when it is certain who takes more tricks: the winner offers and accepts, since the
/// other may err, and the loser rejects.
fn settled(view: &View, wins: bool) -> Decision {
    match view.asked {
        Asked::Answer if wins => Decision::Accept,
        Asked::Answer => Decision::Reject,
        Asked::Card if wins && view.can_challenge => Decision::Offer,
        Asked::Card => view.safe().unwrap_or(Decision::Offer),
    }
}

impl Proposer for BlueprintPlayer {
    fn propose(&mut self, view: &View) -> Decision {
        self.tracker.observe(view);
        self.choose(view)
    }

    fn tracker(&mut self) -> &mut Tracker {
        &mut self.tracker
    }
}

impl Player for BlueprintPlayer {
    fn decide(&mut self, view: &View) -> Decision {
        let chosen = self.propose(view);
        self.tracker.decided(chosen);
        chosen
    }

    fn event(&mut self, _: Seat, event: Event) {
        self.tracker.event(event);
    }
}
