//! Players: whoever can say what to do next.

pub mod call;

pub mod searcher;

use super::belief::{Belief, ReplayOptions, replay};
use super::record::GameRecord;
use super::rules::{Action, Game};
use super::view::View;

/// What a player is asked, with everything it may know.
#[derive(Clone, Copy, Debug)]
pub struct Question<'a> {
    /// Board, players and options.
    pub game: &'a Game,
    /// The game so far as the contest would tell it.
    pub record: &'a GameRecord,
    /// The same as the seat to move sees it now.
    pub view: &'a View,
}

impl Question<'_> {
    /// What the seat believes about the cards it does not see.
    pub fn belief(&self) -> Belief {
        let options = ReplayOptions {
            deal: None,
            boat_retreat: self.game.boat_retreat,
        };
        let replay = replay(self.record, &options);
        if replay.view == *self.view {
            replay.belief
        } else {
            // The record tells less than the view: passes leave no trace in it.
            Belief::of_view(self.view, self.game.players)
        }
    }
}

/// A player that runs inside this program.
pub trait Player: Send {
    /// Chooses a legal action; a pass only where the rules allow one.
    ///
    /// `view.seat` is to move, and the game is not over.
    fn choose(&mut self, question: &Question) -> Action;
}
