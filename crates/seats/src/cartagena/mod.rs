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

#[cfg(test)]
mod tests {
    use super::legal;
    use ::cartagena::rules::{Action, ActionList, Board, Game, Symbol};
    use ::cartagena::view::View;
    use ::cartagena::world::World;
    use engine::rng::{below, stream};

    /// The list from a seat's view is that of the full position.
    #[test]
    fn a_view_shows_what_is_legal() {
        let spaces = Symbol::ALL.into_iter().cycle().take(36).collect();
        let game = Game::new(Board::new(spaces).unwrap(), 3);
        let mut world = World::deal(&game, 3, stream(5, 0));
        let mut rng = stream(5, 1);
        let mut list = ActionList::new();
        for _ in 0..200 {
            let state = *world.state();
            game.legal_actions(&state, &mut list);
            let view = View::of(&state, usize::from(state.to_move));
            assert_eq!(legal(&game, &view), list);
            let action = match list.len() {
                0 => Action::Pass,
                n => list[below(&mut rng, n)],
            };
            world.act(&game, action);
            if world.state().winner().is_some() {
                break;
            }
        }
    }
}
