//! A recorded game position by position: before each action, the full state, the player's view, and the text that
//! the player was asked with. Analyses, replays and `contest cartagena input` use it.

use super::{Record, ReplayError};
use ::cartagena::notation::move_of;
use ::cartagena::record::{GameRecord, Move};
use ::cartagena::rules::{Action, Cards, Game, State};
use ::cartagena::view::View;
use std::cell::RefCell;

/// A recorded game with the position before each action.
#[derive(Clone, Debug)]
pub struct Positions {
    /// The game at its end, without the players that have left by then.
    pub game: Game,
    /// The actions and their positions, in order.
    pub steps: Vec<Past>,
    /// The position after the last action, every hand open.
    pub last: State,
    /// Cards dealt to each player; none if the hands dealt differ in size.
    pub deal: Option<usize>,
    /// All moves of the game as the contest's text has them: without passes.
    moves: Vec<Move>,
    /// The position at each fault of the record, in order.
    faults: Vec<Failed>,
}

/// A position in which the player to move made a fault.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Failed {
    state: State,
    /// The number of moves that the player was shown: a prefix of `Positions::moves`.
    told: usize,
}

/// A position of a recorded game, and the action taken in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Past {
    /// The position, every hand open.
    pub state: State,
    /// The players that had left by then, a bit for each seat.
    pub gone: u8,
    /// The turn, from 1.
    pub turn: u32,
    pub action: Action,
    /// The cards it drew.
    pub drawn: Cards,
    /// The number of moves before it, which the player was shown. Passes are no moves.
    told: usize,
}

impl Past {
    /// The player to act, from 0.
    pub fn seat(&self) -> usize {
        self.state.to_move as usize
    }

    /// The view of the player to act.
    pub fn view(&self) -> View {
        View::of(&self.state, self.seat())
    }
}

impl Positions {
    /// The game as the text showed it to the player who acted at `step` (from 0): with the card of every advance, and
    /// without a trace of passes.
    ///
    /// # Panics
    /// If there is no such step.
    pub fn told(&self, step: usize) -> GameRecord {
        let past = &self.steps[step];
        self.told_at(&past.state, past.told)
    }

    /// The game as the text showed it to the player who made this fault of the record (from 0).
    ///
    /// # Panics
    /// If there is no such fault.
    pub fn told_at_fault(&self, fault: usize) -> GameRecord {
        let failed = &self.faults[fault];
        self.told_at(&failed.state, failed.told)
    }

    /// The text of a position before which `moves` moves were made.
    fn told_at(&self, state: &State, moves: usize) -> GameRecord {
        GameRecord::of_state(&self.game, state, self.moves[..moves].to_vec())
    }
}

impl Record {
    /// Replays the record and keeps every position.
    ///
    /// # Errors
    /// If the record does not replay.
    pub fn positions(&self) -> Result<Positions, ReplayError> {
        let mut steps = Vec::with_capacity(self.actions.len());
        // Both closures below need the moves made so far, and the first one adds to them: hence the `RefCell`.
        let moves = RefCell::new(Vec::with_capacity(self.actions.len()));
        let mut faults = Vec::with_capacity(self.faults.len());
        let (game, last) = self.replay_with_faults(
            |turn, game, state, action, drawn| {
                let mut moves = moves.borrow_mut();
                steps.push(Past {
                    state: *state,
                    gone: game.gone,
                    turn,
                    action,
                    drawn,
                    // Taken before this action's own move is added.
                    told: moves.len(),
                });
                moves.extend(move_of(state.to_move as usize, action));
            },
            |_, state| {
                faults.push(Failed {
                    state: *state,
                    told: moves.borrow().len(),
                });
            },
        )?;
        let deal = self.hands.first().map(String::len);
        Ok(Positions {
            game,
            steps,
            last,
            // If hands differ in size, no single number describes the deal.
            deal: deal.filter(|&cards| self.hands.iter().all(|hand| hand.len() == cards)),
            moves: moves.into_inner(),
            faults,
        })
    }
}
