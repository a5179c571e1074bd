//! Local best response (Lisý and Bowling 2017): a lower bound on what a known player loses.
//!
//! The responder knows the other's strategy. It keeps the exact distribution of the other's hands by
//! Bayes' rule, and takes the decision with the best value if from then on both played cheaply, the
//! smallest winner or the lowest card, without another challenge. The answer to its own offer is
//! not assumed but known. Points are valued as at equilibrium. What it wins is a lower bound on what
//! a best response would win.

use super::{DecisionPoint, Model};
use challenge::deals;
use challenge::equilibrium::blueprint::Blueprint;
use challenge::equilibrium::{Multisets, Stakes};
use challenge::player::baseline::play_cheaply;
use challenge::player::counter::draw_hand;
use challenge::player::{Player, Tracker};
use challenge::rules::{Cards, Decision, Event, HAND_SIZE, PublicState, Seat, other};
use challenge::view::View;
use engine::rng::Random;
use std::sync::Arc;

/// What a decision that the model does not explain leaves of a hand's likelihood.
const STRAY: f32 = 1e-3;
/// Hands less likely than this, relative to the likeliest, are left out.
const LEAST: f32 = 1e-5;
/// Hands kept of a player whose every decision takes samples.
const SAMPLES: usize = 150;

/// The responder to a known player.
pub struct LocalBestResponse {
    model: Model,
    blueprint: Arc<Blueprint>,
    tracker: Tracker,
    rng: Random,
    /// All hands of five, if every one is to be kept.
    hands: Option<Multisets>,
    hand: (u64, u32),
    /// What is public after the decisions that the range accounts for, and their number.
    public: PublicState,
    taken_in: usize,
    /// The other's possible cards with their likelihoods.
    range: Vec<(Cards, f32)>,
}

impl LocalBestResponse {
    /// A responder to a player, with the equilibrium's values of points.
    pub fn new(model: Model, blueprint: Arc<Blueprint>, rng: Random) -> LocalBestResponse {
        let every = !matches!(model, Model::Counter(_));
        LocalBestResponse {
            model,
            blueprint,
            tracker: Tracker::default(),
            rng,
            hands: every.then(|| Multisets::new(HAND_SIZE)),
            hand: (0, 0),
            public: PublicState::new(0),
            taken_in: 0,
            range: Vec::new(),
        }
    }

    /// Begins a hand: the other may hold any of the cards left.
    fn begin(&mut self, view: &View) {
        self.hand = (view.game_id, view.hand_id);
        self.public = PublicState::new(self.tracker.public().opener);
        self.taken_in = 0;
        let own = view.own_card.into_iter().chain(view.cards.iter()).collect();
        let deck = self.tracker.deck().minus(own);
        self.range = match &self.hands {
            Some(hands) => {
                let weighted = hands.all().iter();
                weighted
                    .map(|&hand| (hand, deals::ways(deck, hand) as f32))
                    .filter(|&(_, ways)| ways > 0.0)
                    .collect()
            }
            None => (0..SAMPLES)
                .map(|_| (draw_hand(deck, HAND_SIZE, &mut self.rng), 1.0))
                .collect(),
        };
    }

    fn decision_point(&self, view: &View, public: PublicState) -> DecisionPoint {
        DecisionPoint {
            public,
            points: view.points(),
            deck: self.tracker.deck(),
        }
    }

    /// Updates the range by the decisions since the last time.
    fn take_in(&mut self, view: &View) {
        let log = self.tracker.log().unwrap_or_default();
        let new: Vec<Decision> = log.get(self.taken_in..).unwrap_or_default().to_vec();
        self.taken_in += new.len();
        for decision in new {
            if self.public.to_act() != view.player_number {
                let point = self.decision_point(view, self.public);
                for (cards, likelihood) in &mut self.range {
                    let probability =
                        self.model
                            .probability(&point, *cards, decision, &mut self.rng);
                    *likelihood *= probability.max(STRAY);
                    if let Decision::Play(card) = decision
                        && !cards.remove(card)
                    {
                        *likelihood = 0.0;
                    }
                }
                let most = self.range.iter().fold(0.0f32, |most, r| most.max(r.1));
                self.range.retain(|r| r.1 > most * LEAST);
            }
            self.public = self.public.after(decision);
        }
    }

    /// The chance to win the game after a decision.
    fn value(&mut self, view: &View, stakes: &Stakes, decision: Decision) -> f32 {
        let after = self.tracker.public().after(decision);
        let mut own = view.cards;
        if let Decision::Play(card) = decision {
            own.remove(card);
        }
        let seat = view.player_number;
        let offered = self.decision_point(view, after);
        let (mut sum, mut total) = (0.0, 0.0);
        for &(theirs, likelihood) in &self.range {
            let play = |public: PublicState| {
                let mut cards = [own; 2];
                cards[other(seat)] = theirs;
                stakes.of(&play_cheaply(public, cards), seat)
            };
            let value = if decision == Decision::Offer {
                let accept =
                    self.model
                        .probability(&offered, theirs, Decision::Accept, &mut self.rng);
                let rejected = stakes.of(&after.after(Decision::Reject), seat);
                accept * play(after.after(Decision::Accept)) + (1.0 - accept) * rejected
            } else {
                play(after)
            };
            sum += likelihood * value;
            total += likelihood;
        }
        sum / total
    }

    fn best(&mut self, view: &View) -> Option<Decision> {
        let point = self.decision_point(view, self.public);
        let blueprint = Arc::clone(&self.blueprint);
        let stakes = blueprint
            .values()
            .stakes_for(point.points, self.tracker.public().opener);
        let mut best: Option<(Decision, f32)> = None;
        for decision in view.legal() {
            let value = self.value(view, &stakes, decision);
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
        if self.hand != (view.game_id, view.hand_id) {
            self.begin(view);
        }
        self.take_in(view);
        let best = self.best(view).or_else(|| view.safe());
        let decision = best.unwrap_or(Decision::Reject);
        self.tracker.decided(decision);
        decision
    }

    fn event(&mut self, _: Seat, event: Event) {
        self.tracker.event(event);
    }
}
