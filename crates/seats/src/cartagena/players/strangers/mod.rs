//! Strangers: five players that no training, hypothesis or choice of parameters has seen. The package's player is
//! measured by them, since players of its own kind make the same mistakes as it does.
//!
//! Each has an idea of its own, and none asks the networks, the search or the evaluations of the package's player.
//! They share its rules and its views alone, so they see what their seat may see.
//!
//! | stranger | idea |
//! |---|---|
//! | `population` | a hoarder, a sprinter or a blocker; each game draws the kind and its weights |
//! | `flat` | plays the game to its end by a rule of thumb, and spends the games on the better half of the actions |
//! | `forest` | one search tree for each sampled world, and a sum of their visits |
//! | `linear` | a weighted sum of features of the position after the action; matches have chosen the weights |
//! | `distilled` | a policy that imitates the choices of the tree search `mcts` |
//!
//! `lab cartagena strangers --teach` makes the weights of the last two. Do not tune any of them, nor the player, by their
//! matches: they would be strangers no longer.

pub mod distilled;
mod flat;
mod forest;
pub mod linear;
mod population;

pub use distilled::Distilled;
pub use flat::Flat;
pub use forest::Forest;
pub use linear::LinearPlayer;
pub use population::Population;

use crate::cartagena::legal;
use cartagena::player::Question;
use cartagena::rules::{Action, ActionList, State, Track};

/// The names of the strangers among the built-in players.
pub const STRANGERS: [&str; 5] = ["population", "flat", "forest", "linear", "distilled"];

/// The spaces that a card carries a pirate on average, for guesses of how many cards a player still needs.
const JUMP: f32 = 8.5;

/// The legal actions of the seat that is asked; a pass if there is no other.
pub fn legal_or_pass(question: &Question) -> ActionList {
    let mut list = legal(question.game, question.view);
    if list.is_empty() {
        list.push(Action::Pass);
    }
    list
}

/// The first action with the highest value.
fn best(list: &ActionList, mut value: impl FnMut(Action) -> f32) -> Action {
    let mut best = (Action::Pass, f32::NEG_INFINITY);
    for &action in list {
        let value = value(action);
        if value > best.1 {
            best = (action, value);
        }
    }
    best.0
}

/// The cards that a player needs to bring all pirates home, as a guess: one for each [`JUMP`] spaces of a pirate, and
/// at least one for each that is not on the boat.
fn cards_needed(track: &Track, player: usize) -> f32 {
    let boat = track.boat();
    let out = track.pirates(player).iter().filter(|&&place| place != boat);
    out.map(|&place| (f32::from(boat - place) / JUMP).max(1.0))
        .sum()
}

/// The most cards that a player could draw by its next retreat; the seat that is asked about need not be to move.
fn best_draw(track: &Track, player: usize) -> u8 {
    let draws = track.places(player).filter_map(|from| track.retreat(from));
    draws.map(|to| track.pirates_on(to)).max().unwrap_or(0)
}

/// The legal actions in a world; a pass if there is no other.
pub(super) fn legal_or_pass_in(
    game: &cartagena::rules::Game,
    state: &State,
    list: &mut ActionList,
) {
    game.legal_actions(state, list);
    if list.is_empty() {
        list.push(Action::Pass);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cartagena::players::builtin::recipe_of;
    use crate::cartagena::{positions, question};
    use cartagena::belief::{ReplayOptions, replay};
    use cartagena::rules::{Board, Cards, Game, Symbol};
    use cartagena::view::View;

    /// Every stranger answers legally with any number of players, and its answers follow from its seed.
    #[test]
    fn answers_are_legal_and_follow_from_the_seed() {
        for name in STRANGERS {
            let recipe = recipe_of(name).unwrap();
            for record in positions::positions(5) {
                let replay = replay(&record, &ReplayOptions::default());
                let question = question(&record, &replay);
                let action = recipe(3).choose(&question);
                assert!(
                    legal_or_pass(&question).contains(&action),
                    "{name}: {action}"
                );
                assert_eq!(action, recipe(3).choose(&question), "{name}");
            }
        }
    }

    /// Two pirates a side, one of each out, and a card in hand: a stranger that searches or looks at the position
    /// after its action wins at once, and so does the search that `distilled` imitates.
    #[test]
    fn a_win_in_hand_is_taken() {
        let board = Board::new(Symbol::ALL.repeat(2)).unwrap();
        let game = Game {
            pirates: 2,
            ..Game::new(board, 2)
        };
        let hand: Cards = [Symbol::Gun, Symbol::Hat].into_iter().collect();
        let mut state = game.start(&[hand, hand]);
        state.track.relocate(0, 0, 13);
        state.track.relocate(0, 0, 9);
        state.track.relocate(1, 0, 2);
        let record = cartagena::record::GameRecord::of_state(&game, &state, Vec::new());
        let question = Question {
            game: &game,
            record: &record,
            view: &View::of(&state, 0),
            open: None,
        };
        for name in ["flat", "forest", "linear", "distilled", "mcts"] {
            let action = recipe_of(name).unwrap()(1).choose(&question);
            let (_, to) = action.places().unwrap();
            assert_eq!(to, game.board.boat(), "{name}: {action}");
        }
    }
}
