//! Hands that a blueprint plays against itself, decision by decision. `reached` collects endgames from them.

use challenge::equilibrium::blueprint::{Strategy, sample};
use challenge::rules::{Cards, Decision, PublicState};
use engine::rng::{Random, unit};

/// A hand in which one strategy plays both sides.
pub struct SelfPlay<'a> {
    strategy: &'a Strategy,
    public: PublicState,
    cards: [Cards; 2],
}

impl<'a> SelfPlay<'a> {
    /// A hand at its beginning.
    pub fn new(strategy: &'a Strategy, public: PublicState, cards: [Cards; 2]) -> SelfPlay<'a> {
        SelfPlay {
            strategy,
            public,
            cards,
        }
    }

    pub fn public(&self) -> &PublicState {
        &self.public
    }

    /// Whether the hand's result is certain.
    pub fn is_decided(&self) -> bool {
        let public = &self.public;
        // While an offer waits, the answer still decides between a point and the game.
        public.is_over() || (!public.must_answer() && public.settled().is_some())
    }

    /// Plays on by one decision; none once the result is certain.
    pub fn step(&mut self, rng: &mut Random) -> Option<Decision> {
        if self.is_decided() {
            return None;
        }
        // Each side sees its own cards and the public state only, as in a real game.
        let seat = self.public.to_act();
        let chosen = self.strategy.played(&self.public, self.cards[seat]);
        let decision = sample(&chosen, unit(rng) as f32)?;
        if let Decision::Play(card) = decision {
            self.cards[seat].remove(card);
        }
        self.public = self.public.after(decision);
        Some(decision)
    }
}
