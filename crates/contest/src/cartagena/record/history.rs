//! The questions and views of every player, before each action of a record.

use super::{Record, ReplayError};
use cartagena::notation::move_of;
use cartagena::record::{GameRecord, Move};
use cartagena::rules::{Action, Cards, Game, State};
use cartagena::view::View;
use std::cell::RefCell;

/// A recorded game, position by position.
#[derive(Clone, Debug)]
pub struct History {
    pub game: Game,
    /// The actions and their positions, in order.
    pub steps: Vec<Past>,
    /// The position after the last action, every hand open.
    pub last: State,
    /// Cards dealt to each player; none if the hands dealt differ in size.
    pub deal: Option<usize>,
    moves: Vec<Move>,
    /// Positions and numbers of moves before each fault of the record.
    faults: Vec<Failed>,
}

/// A position in which a player failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Failed {
    state: State,
    told: usize,
}

/// A position of a recorded game, and what was done in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Past {
    /// The position, every hand open.
    pub state: State,
    /// The turn, from 1.
    pub turn: u32,
    pub action: Action,
    /// The cards it drew.
    pub drawn: Cards,
    /// The number of moves before it. Passes are no moves.
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

impl History {
    /// The game as the player was asked about it at a step: with the card of every advance, and without a
    /// trace of passes.
    ///
    /// # Panics
    /// If there is no such step; they count from 0.
    pub fn told(&self, step: usize) -> GameRecord {
        let past = &self.steps[step];
        self.told_at(&past.state, past.told)
    }

    /// The game as a player was asked about it when it failed, at a fault of the record (from 0).
    ///
    /// # Panics
    /// If there is no such fault.
    pub fn told_at_fault(&self, fault: usize) -> GameRecord {
        let failed = &self.faults[fault];
        self.told_at(&failed.state, failed.told)
    }

    fn told_at(&self, state: &State, moves: usize) -> GameRecord {
        let seat = state.to_move as usize;
        GameRecord {
            players: self.game.players,
            board: self.game.board.clone(),
            moves: self.moves[..moves].to_vec(),
            to_move: seat,
            hand: state.hands[seat].iter().collect(),
        }
    }
}

impl Record {
    /// The game position by position.
    ///
    /// # Errors
    /// If the record does not replay.
    pub fn history(&self) -> Result<History, ReplayError> {
        let mut steps = Vec::with_capacity(self.actions.len());
        // Both visitors look at the moves told so far; only one adds to them.
        let moves = RefCell::new(Vec::with_capacity(self.actions.len()));
        let mut faults = Vec::with_capacity(self.faults.len());
        let mut turn = 0;
        let (game, last) = self.replay_with_faults(
            |_, state, action, drawn| {
                let mut moves = moves.borrow_mut();
                // A turn begins with its first action.
                turn += u32::from(state.taken == 0);
                steps.push(Past {
                    state: *state,
                    turn,
                    action,
                    drawn,
                    // The number before this action: the player was told everything up to here.
                    told: moves.len(),
                });
                moves.extend(move_of(state.to_move as usize, action));
            },
            |state| {
                faults.push(Failed {
                    state: *state,
                    told: moves.borrow().len(),
                });
            },
        )?;
        let deal = self.hands.first().map(String::len);
        Ok(History {
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
