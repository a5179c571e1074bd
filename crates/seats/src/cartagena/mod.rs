//! Seats at a game of Cartagena: built-in players, and programs that are called for each action.

pub mod external;
pub mod participant;
pub mod players;
pub mod policy;
pub mod positions;
pub mod programs;
pub mod seat;
pub mod setups;

use ::cartagena::belief::Replay;
use ::cartagena::player::Question;
use ::cartagena::record::GameRecord;
use ::cartagena::rules::{ActionList, Game};
use ::cartagena::view::View;

/// The legal actions of the seat that a view belongs to.
pub fn legal(game: &Game, view: &View) -> ActionList {
    let mut list = ActionList::new();
    game.actions(&view.track, view.seat, view.hand, &mut list);
    list
}

/// The decision at the end of a record, whose replay this is.
pub fn question<'a>(record: &'a GameRecord, replay: &'a Replay) -> Question<'a> {
    Question {
        game: &replay.game,
        record,
        view: &replay.view,
        open: None,
    }
}
