//! Cartagena's table: boards, one game from the deal to the end, and its record.

pub mod analysis;
pub mod boards;
pub mod game;
pub mod record;
mod resume;

pub use resume::{ResumeError, Resumed};

use self::game::{End, Fault};
use self::record::{Opening, Record};
use super::play::{Fixture, Played, SeatResult, Table};
use crate::cartagena::player::Player;
use crate::cartagena::player::builtin::Recipe;
use crate::cartagena::rules::{Board, Game};
use crate::cartagena::world::World;
use crate::random;
use thiserror::Error;

/// A program that takes part.
#[derive(Clone)]
pub struct Bot {
    /// What it is called in tables and records.
    pub label: String,
    /// Makes a player for a game.
    pub recipe: Recipe,
}

/// The options of all games of a match.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Options {
    /// Number of players.
    pub players: usize,
    /// Cards dealt to each.
    pub deal: u8,
    /// Whether a pirate may leave the boat again by a retreat.
    pub boat_retreat: bool,
    /// A fixed board, or a new one for every block.
    pub board: Option<Board>,
    /// What all chance follows from.
    pub seed: u64,
    /// Turns after which a game is stopped and drawn.
    pub max_turns: u32,
    /// Whether games are written down.
    pub record: bool,
}

/// A match between programs that run in this process.
#[derive(Clone)]
pub struct Match {
    /// The programs.
    pub bots: Vec<Bot>,
    /// The options.
    pub options: Options,
}

/// A game that could not be finished.
#[derive(Debug, Error)]
#[error("game {game}: {label} {fault}")]
pub struct MatchError {
    /// The game's id.
    pub game: String,
    /// The program at fault.
    pub label: String,
    /// What it did.
    pub fault: Fault,
}

/// The id of a game in its match: line-up, block and rotation, from 1.
pub fn game_id(fixture: &Fixture) -> String {
    format!(
        "{}-{}-{}",
        fixture.line_up + 1,
        fixture.block + 1,
        fixture.rotation + 1
    )
}

impl Match {
    /// The seed of a block: it fixes the board, the order of the deck and of later reshuffles. It
    /// is the same for every line-up.
    pub fn block_seed(&self, block: u64) -> u64 {
        random::mix(self.options.seed ^ random::mix(block.wrapping_add(1)))
    }

    /// The game of a block as it starts.
    pub fn deal(&self, block: u64) -> (Game, World) {
        let seed = self.block_seed(block);
        let board = match &self.options.board {
            Some(board) => board.clone(),
            None => boards::standard(&mut random::stream(seed, 0)),
        };
        let mut game = Game::new(board, self.options.players);
        game.boat_retreat = self.options.boat_retreat;
        let world = World::deal(&game, self.options.deal.into(), random::stream(seed, 1));
        (game, world)
    }

    fn seat(&self, fixture: &Fixture, seat: usize) -> Box<dyn Player> {
        let part = 2 + (fixture.rotation * self.options.players + seat) as u64;
        let seed = random::mix(self.block_seed(fixture.block) ^ random::mix(part));
        (self.bots[fixture.seats[seat]].recipe)(seed)
    }
}

impl Table for Match {
    type Error = MatchError;

    fn play(&self, fixture: &Fixture) -> Result<Played, MatchError> {
        let (game, mut world) = self.deal(fixture.block);
        let opening = self.options.record.then(|| Opening::of(&world));
        let mut seats: Vec<_> = (0..self.options.players)
            .map(|seat| self.seat(fixture, seat))
            .collect();
        let finished = game::play(&game, &mut world, &mut seats, self.options.max_turns).map_err(
            |(seat, fault)| MatchError {
                game: game_id(fixture),
                label: self.bots[fixture.seats[seat]].label.clone(),
                fault,
            },
        )?;
        let mut nanos = vec![Vec::new(); self.options.players];
        for step in &finished.steps {
            nanos[step.seat].push(step.nanos);
        }
        let shares = finished.shares(self.options.players);
        let results = nanos
            .into_iter()
            .zip(shares.iter().zip(&finished.ranks))
            .map(|(nanos, (&share, &rank))| SeatResult { share, rank, nanos })
            .collect();
        let line = opening.map_or(Vec::new(), |opening| {
            let labels = fixture.seats.iter().map(|&p| self.bots[p].label.clone());
            Record::new(
                game_id(fixture),
                self.block_seed(fixture.block),
                labels.collect(),
                &game,
                opening,
                &finished,
            )
            .to_line()
        });
        Ok(Played {
            seats: results,
            stopped: finished.end == End::Stopped,
            line,
        })
    }
}
