//! The policy that collects cards and then sprints, as a player.

use crate::cartagena::legal;
use cartagena::evaluation::Afterstate;
use cartagena::opponents;
use cartagena::player::{Player, Question};
use cartagena::rules::Action;

pub use cartagena::opponents::Weights;

/// The player: see [`opponents::Hoarder`]. It keeps nothing between actions.
#[derive(Clone, Copy, Debug, Default)]
pub struct Hoarder(opponents::Hoarder);

impl Hoarder {
    /// A player with its own weights.
    pub fn new(weights: Weights) -> Hoarder {
        Hoarder(opponents::Hoarder::new(weights))
    }
}

impl Player for Hoarder {
    fn choose(&mut self, question: &Question) -> Action {
        let (game, view) = (question.game, question.view);
        let before = Afterstate::before_view(view);
        self.0.choose(game, &before, &legal(game, view))
    }
}
