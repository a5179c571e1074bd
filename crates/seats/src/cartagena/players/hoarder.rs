//! The policy that collects cards and then sprints, as a player.

use cartagena::evaluation::Afterstate;
use cartagena::opponents;
use cartagena::player::{Player, Question};
use cartagena::rules::{Action, ActionList};

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
        let mut legal = ActionList::new();
        game.actions(&view.track, view.seat, view.hand, &mut legal);
        self.0.choose(game, &Afterstate::before_view(view), &legal)
    }
}
