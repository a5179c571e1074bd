//! One game, from the deal to the end.

use crate::cartagena::player::{Player, Question};
use crate::cartagena::record::{GameRecord, Move};
use crate::cartagena::rules::{Action, Cards, Game, IllegalAction, State};
use crate::cartagena::view::View;
use crate::cartagena::world::World;
use std::time::Instant;
use thiserror::Error;

/// An action as it was taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Step {
    /// The player, from 0.
    pub seat: usize,
    /// What it did.
    pub action: Action,
    /// What it drew.
    pub drawn: Cards,
    /// How long it took to decide, in nanoseconds.
    pub nanos: u64,
}

/// How a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// A player brought all pirates home.
    Won(usize),
    /// Nobody did in the turns allowed: a draw.
    Stopped,
}

/// A game that is over.
#[derive(Clone, Debug, PartialEq)]
pub struct Finished {
    /// Every action.
    pub steps: Vec<Step>,
    /// How it ended.
    pub end: End,
    /// The place of each player, from 1 (see [`ranks`]).
    pub ranks: Vec<f64>,
    /// Turns, the last one included.
    pub turns: u32,
}

impl Finished {
    /// Each player's share of the win.
    pub fn shares(&self, players: usize) -> Vec<f64> {
        match self.end {
            End::Won(winner) => (0..players)
                .map(|seat| f64::from(u8::from(seat == winner)))
                .collect(),
            End::Stopped => vec![1.0 / players as f64; players],
        }
    }
}

/// What a player did wrong.
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
pub enum Fault {
    /// An action the rules do not allow.
    #[error("answered \"{action}\": {reason}")]
    Illegal {
        /// The action.
        action: Action,
        /// The rule it breaks.
        reason: IllegalAction,
    },
}

/// Plays a game to its end, at most `max_turns` turns.
///
/// # Errors
/// The seat that did something wrong, and what.
pub fn play(
    game: &Game,
    world: &mut World,
    players: &mut [Box<dyn Player>],
    max_turns: u32,
) -> Result<Finished, (usize, Fault)> {
    let mut record = GameRecord {
        players: game.players,
        board: game.board.clone(),
        moves: Vec::with_capacity(256),
        to_move: 0,
        hand: Vec::with_capacity(32),
    };
    let mut steps = Vec::with_capacity(256);
    let mut turns = 0;
    loop {
        let state = *world.state();
        if state.taken == 0 {
            if turns == max_turns {
                return Ok(finished(game, &state, steps, turns));
            }
            turns += 1;
        }
        let seat = state.to_move as usize;
        let view = View::of(&state, seat);
        record.to_move = seat;
        record.hand.clear();
        record.hand.extend(view.hand.iter());
        let question = Question {
            game,
            record: &record,
            view: &view,
        };
        let start = Instant::now();
        let action = players[seat].choose(&question);
        let nanos = start.elapsed().as_nanos() as u64;
        game.check(&state, action)
            .map_err(|reason| (seat, Fault::Illegal { action, reason }))?;
        let drawn = world.act(game, action);
        if let Some((from, to)) = action.places() {
            record.moves.push(Move {
                player: seat,
                from,
                to,
                card: action.card(),
            });
        }
        steps.push(Step {
            seat,
            action,
            drawn,
            nanos,
        });
        if world.state().winner().is_some() {
            return Ok(finished(game, world.state(), steps, turns));
        }
    }
}

fn finished(game: &Game, state: &State, steps: Vec<Step>, turns: u32) -> Finished {
    Finished {
        steps,
        end: state.winner().map_or(End::Stopped, End::Won),
        ranks: ranks(game, state),
        turns,
    }
}

/// The places of the players: the winner first, the others by pirates on the boat and then by how
/// near the rest are; equals share the mean of their places. Without a winner all are equal.
pub fn ranks(game: &Game, state: &State) -> Vec<f64> {
    let standing: Vec<_> = (0..game.players)
        .map(|seat| match state.winner() {
            Some(_) => (state.track.home(seat), -i64::from(state.track.pips(seat))),
            None => (0, 0),
        })
        .collect();
    standing
        .iter()
        .map(|own| {
            let ahead = standing.iter().filter(|other| *other > own).count();
            let equal = standing.iter().filter(|other| *other == own).count();
            ahead as f64 + (equal + 1) as f64 / 2.0
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arena::cartagena::boards;
    use crate::cartagena::player::greedy::Greedy;
    use crate::random;

    struct Passer;

    impl Player for Passer {
        fn choose(&mut self, _: &Question) -> Action {
            Action::Pass
        }
    }

    fn start(players: usize) -> (Game, World) {
        let game = Game::new(boards::standard(&mut random::stream(1, 0)), players);
        let world = World::deal(&game, 3, random::stream(1, 1));
        (game, world)
    }

    #[test]
    fn an_illegal_answer_names_the_seat_and_the_rule() {
        let (game, mut world) = start(2);
        let mut players: Vec<Box<dyn Player>> = vec![Box::new(Greedy), Box::new(Passer)];
        let (seat, fault) = play(&game, &mut world, &mut players, 500).unwrap_err();
        assert_eq!(seat, 1);
        assert!(
            fault
                .to_string()
                .starts_with("answered \"pass\": a turn cannot be ended")
        );
    }

    #[test]
    fn a_stopped_game_is_drawn() {
        let (game, mut world) = start(3);
        let mut players: Vec<Box<dyn Player>> =
            vec![Box::new(Greedy), Box::new(Greedy), Box::new(Greedy)];
        let stopped = play(&game, &mut world, &mut players, 4).unwrap();
        assert_eq!((stopped.end, stopped.turns), (End::Stopped, 4));
        assert_eq!(stopped.steps.len(), 12);
        assert_eq!(stopped.ranks, [2.0, 2.0, 2.0]);
        assert_eq!(stopped.shares(3), [1.0 / 3.0; 3]);
    }

    #[test]
    fn ranks_of_a_won_game() {
        let (game, world) = start(4);
        let mut state = *world.state();
        for _ in 0..game.pirates {
            state.track.relocate(0, 0, 37);
        }
        state.track.relocate(2, 0, 37);
        state.track.relocate(1, 0, 36);
        state.track.relocate(3, 0, 36);
        assert_eq!(ranks(&game, &state), [1.0, 3.5, 2.0, 3.5]);
    }
}
