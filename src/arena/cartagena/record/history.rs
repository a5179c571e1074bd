//! What every player was asked, and saw, before each action of a record.

use super::{Record, ReplayError};
use crate::cartagena::notation::move_of;
use crate::cartagena::record::{GameRecord, Move};
use crate::cartagena::rules::{Action, Cards, Game, State};
use crate::cartagena::view::View;

/// A recorded game, position by position.
#[derive(Clone, Debug)]
pub struct History {
    /// Board and options.
    pub game: Game,
    /// What was done where, in order.
    pub steps: Vec<Past>,
    /// The position after the last action, every hand open.
    pub last: State,
    /// Cards dealt to each player; none if the hands dealt differ in size.
    pub deal: Option<usize>,
    moves: Vec<Move>,
}

/// A position of a recorded game, and what was done in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Past {
    /// The position, every hand open.
    pub state: State,
    /// The turn, from 1.
    pub turn: u32,
    /// The action taken.
    pub action: Action,
    /// The cards it drew.
    pub drawn: Cards,
    /// Moves before it: the actions that were no passes.
    told: usize,
}

impl Past {
    /// The player to act, from 0.
    pub fn seat(&self) -> usize {
        self.state.to_move as usize
    }

    /// What the player to act saw.
    pub fn view(&self) -> View {
        View::of(&self.state, self.seat())
    }
}

impl History {
    /// The game as the player of a step was told it: with the card of every advance, and without
    /// a trace of passes.
    ///
    /// # Panics
    /// If there is no such step; they count from 0.
    pub fn told(&self, step: usize) -> GameRecord {
        let past = &self.steps[step];
        GameRecord {
            players: self.game.players,
            board: self.game.board.clone(),
            moves: self.moves[..past.told].to_vec(),
            to_move: past.seat(),
            hand: past.state.hands[past.seat()].iter().collect(),
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
        let mut moves = Vec::with_capacity(self.actions.len());
        let mut turn = 0;
        let (game, last) = self.replay(|_, state, action, drawn| {
            turn += u32::from(state.taken == 0);
            steps.push(Past {
                state: *state,
                turn,
                action,
                drawn,
                told: moves.len(),
            });
            moves.extend(move_of(state.to_move as usize, action));
        })?;
        let deal = self.hands.first().map(String::len);
        Ok(History {
            game,
            steps,
            last,
            deal: deal.filter(|&cards| self.hands.iter().all(|hand| hand.len() == cards)),
            moves,
        })
    }
}
