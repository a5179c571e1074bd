//! Players: code that decides. [`call`] answers one call of the contest's program; [`searcher`] is the same search as a
//! [`Player`] for matches inside one process.

pub mod call;
pub mod searcher;

use super::belief::{Belief, Replay, ReplayOptions, replay};
use super::record::GameRecord;
use super::rules::{Action, Cards, Game};
use super::view::View;

/// A decision to be made, with everything that the player may know.
#[derive(Clone, Copy, Debug)]
pub struct Question<'a> {
    /// Board, players and options.
    pub game: &'a Game,
    /// The game so far as the contest writes it.
    pub record: &'a GameRecord,
    /// The game as the seat to move sees it now.
    pub view: &'a View,
    /// The hands of all seats, if the rules lay them open. The contest's never do.
    pub open: Option<&'a [Cards]>,
}

impl Question<'_> {
    /// The record replayed; none if that gives another view.
    ///
    /// Passes leave no trace in a record. If a player acts again after all others passed, only the view says
    /// whether a new turn has begun. The deal that the replay infers may be another one, too.
    ///
    /// Once a player has left, the views need not agree about its cards: a referee discards them, and the contest's text
    /// does not show them. So the replay's view is the one to play by.
    pub fn replay(&self) -> Option<Replay> {
        let options = ReplayOptions {
            deal: None,
            boat_retreat: self.game.boat_retreat,
        };
        let replay = replay(self.record, &options);
        let known = |view: &View| (view.seat, view.hand, view.track, view.to_move, view.taken);
        let agrees = match self.game.gone {
            0 => replay.view == *self.view,
            gone => gone == replay.game.gone && known(&replay.view) == known(self.view),
        };
        agrees.then_some(replay)
    }

    /// The seat's belief about the cards it does not see.
    ///
    /// # Panics
    /// If open hands are not those of the position.
    pub fn belief(&self) -> Belief {
        self.belief_by(self.replay().as_ref())
    }

    /// As [`belief`](Question::belief), with the result of [`replay`](Question::replay).
    pub(crate) fn belief_by(&self, replay: Option<&Replay>) -> Belief {
        let of_view = || Belief::of_view(self.view, self.game.players);
        // With every hand known only the order of the pile is open, so the history does not matter.
        let Some(hands) = self.open else {
            return replay.map_or_else(of_view, |replay| replay.belief.clone());
        };
        let mut belief = of_view();
        for (seat, &hand) in hands.iter().enumerate() {
            assert!(belief.with_known(seat, hand), "seat {seat} holds {hand:?}");
        }
        belief
    }
}

/// A player that runs inside this program.
pub trait Player: Send {
    /// Chooses a legal action; a pass only if the rules allow one.
    ///
    /// `view.seat` is to move, and the game is not over.
    fn choose(&mut self, question: &Question) -> Action;
}
