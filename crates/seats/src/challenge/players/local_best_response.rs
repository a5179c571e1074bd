//! The local best response to a player of known strategy (Lisý and Bowling 2017), the player `lbr:NAME`. As much
//! as it wins, the other player loses at least to a best response. `lab challenge exploit` plays it.

use super::Model;
use challenge::equilibrium::blueprint::Blueprint;
use challenge::player::response::{Hands, Response};
use challenge::player::{Player, Tracker};
use challenge::rules::{Decision, Event, Seat};
use challenge::view::View;
use engine::rng::Random;
use std::sync::Arc;

/// Number of the other's hands that are considered if the model samples each of its decisions.
const SAMPLES: usize = 150;

/// The responder to a known player. [`challenge::player::response`] explains the method.
pub struct LocalBestResponse {
    model: Model,
    blueprint: Arc<Blueprint>,
    tracker: Tracker,
    response: Response,
    rng: Random,
}

impl LocalBestResponse {
    /// A responder to the player of `model`, with the equilibrium's values of points.
    pub fn new(model: Model, blueprint: Arc<Blueprint>, rng: Random) -> LocalBestResponse {
        // A sampled decision is too slow to compute for every hand.
        let hands = match model {
            Model::Counter(_) => Hands::Drawn(SAMPLES),
            _ => Hands::Every,
        };
        LocalBestResponse {
            model,
            blueprint,
            tracker: Tracker::default(),
            response: Response::new(hands),
            rng,
        }
    }

    /// The decision of the highest value; none if no decision has one.
    fn best(&mut self, view: &View) -> Option<Decision> {
        let (tracker, model, rng) = (&self.tracker, &mut self.model, &mut self.rng);
        // First the distribution of the other's hands after its latest decisions, by Bayes' rule
        // with the model.
        self.response.observe(view, tracker, model, rng);
        // A point is worth the change in the chance to win the game, by the blueprint's values.
        let opener = tracker.public().opener;
        let stakes = self.blueprint.values().stakes_for(view.points(), opener);
        let values = self
            .response
            .values(view, tracker, &stakes, usize::MAX, model, rng);
        let mut best: Option<(Decision, f32)> = None;
        for (decision, value) in values {
            // The first among equal values.
            if value > best.map_or(f32::MIN, |best| best.1) {
                best = Some((decision, value));
            }
        }
        best.map(|best| best.0)
    }
}

impl Player for LocalBestResponse {
    fn decide(&mut self, view: &View) -> Decision {
        self.tracker.observe(view);
        let best = self.best(view).or_else(|| view.safe());
        let decision = best.unwrap_or(Decision::Reject);
        self.tracker.decided(decision);
        decision
    }

    fn event(&mut self, _: Seat, event: Event) {
        self.tracker.event(event);
    }
}
