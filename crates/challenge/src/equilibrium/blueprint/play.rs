//! A blueprint against itself.

use super::super::Public;
use super::strategy::{Strategy, draw};
use crate::rules::{Cards, Decision};
use engine::rng::{Random, unit};

/// A hand played by one strategy for both.
pub struct Play<'a> {
    strategy: &'a Strategy,
    public: Public,
    cards: [Cards; 2],
}

impl<'a> Play<'a> {
    /// A hand at its beginning.
    pub fn new(strategy: &'a Strategy, public: Public, cards: [Cards; 2]) -> Play<'a> {
        Play {
            strategy,
            public,
            cards,
        }
    }

    /// What is public.
    pub fn public(&self) -> &Public {
        &self.public
    }

    /// Whether the hand's result is certain.
    pub fn is_decided(&self) -> bool {
        let public = &self.public;
        public.is_over() || (!public.must_answer() && public.settled().is_some())
    }

    /// Plays on by one decision; none once the result is certain.
    pub fn step(&mut self, random: &mut Random) -> Option<Decision> {
        if self.is_decided() {
            return None;
        }
        let seat = self.public.to_act();
        let shares = self.strategy.played(&self.public, self.cards[seat]);
        let decision = draw(&shares, unit(random) as f32)?;
        if let Decision::Play(card) = decision {
            self.cards[seat].remove(card);
        }
        self.public = self.public.after(decision);
        Some(decision)
    }
}
