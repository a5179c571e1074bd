//! Cartagena's table: boards, one game from the deal to the end, and its record.

pub mod analysis;
pub mod check;
pub(crate) mod commands;
pub mod external;
pub mod game;
pub mod record;
pub mod report;
mod resume;
pub mod seat;
pub mod tournament;

pub use resume::{ResumeError, Resumed};

use self::game::{Conduct, End, Finished, Unwatched, Watch};
use self::record::{Opening, Record};
use self::seat::{Inside, Seat};
use arena::schedule::{Fixture, Played, SeatResult, Table};
use cartagena::rules::{Board, Game};
use cartagena::world::World;
use engine::rng;
use lab::cartagena::players::builtin::Recipe;
use std::io;
use std::sync::Arc;
use thiserror::Error;

/// Makes whoever holds a seat for one game; the argument is the seed of what chance decides there.
pub type SeatMaker = Arc<dyn Fn(u64) -> io::Result<Box<dyn Seat>> + Send + Sync>;

/// A program that takes part.
#[derive(Clone)]
pub struct Bot {
    /// What it is called in tables and records.
    pub label: String,
    /// What tells this version of the program from others; empty if it is part of this program.
    pub fingerprint: String,
    /// Seats it for a game.
    pub maker: SeatMaker,
}

impl Bot {
    /// A player that runs inside this program.
    pub fn inside(label: String, recipe: Recipe) -> Bot {
        Bot {
            label,
            fingerprint: String::new(),
            maker: Arc::new(move |seed| Ok(Box::new(Inside(recipe(seed))))),
        }
    }
}

/// The options of all games of a match.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Options {
    /// Cards dealt to each.
    pub deal: u8,
    /// Whether a pirate may leave the boat again by a retreat.
    pub boat_retreat: bool,
    /// A fixed board, or a new one for every block.
    pub board: Option<Board>,
    /// What all chance follows from.
    pub seed: u64,
    /// Whether every line-up has deals of its own, so that their results are independent; otherwise
    /// a block is the same deal for all.
    pub own_deals: bool,
    /// How games are conducted.
    pub conduct: Conduct,
    /// Whether the match ends with the first fault; otherwise it costs what `conduct` says.
    pub faultless: bool,
    /// Whether games are written down.
    pub record: bool,
}

/// A match between programs, of any numbers of players.
#[derive(Clone)]
pub struct Match {
    /// The programs.
    pub bots: Vec<Bot>,
    /// What the line-ups are called in the ids of games.
    pub line_ups: Vec<String>,
    /// The options.
    pub options: Options,
}

/// A game that could not be finished.
#[derive(Debug, Error)]
pub enum MatchError {
    /// A program did something wrong in a match without faults.
    #[error("game {game}: {label}: {fault}")]
    Fault {
        /// The game's id.
        game: String,
        /// The program at fault.
        label: String,
        /// What it did.
        fault: seat::Fault,
    },
    /// The machine failed.
    #[error("game {game}: {error}")]
    Io {
        /// The game's id.
        game: String,
        /// What failed.
        error: io::Error,
    },
}

/// The id of a game: its line-up's name, then block and rotation from 1.
pub fn game_id(line_up: &str, fixture: &Fixture) -> String {
    format!("{line_up}-{}-{}", fixture.block + 1, fixture.rotation + 1)
}

impl Match {
    /// The id of a game.
    pub fn game_id(&self, fixture: &Fixture) -> String {
        game_id(&self.line_ups[fixture.line_up], fixture)
    }

    /// The seed of a block: it fixes the board, the order of the deck and of later reshuffles.
    pub fn block_seed(&self, fixture: &Fixture) -> u64 {
        let salt = match self.options.own_deals {
            true => self.line_ups[fixture.line_up]
                .bytes()
                .fold(1, |salt, byte| rng::mix(salt ^ u64::from(byte))),
            false => 0,
        };
        let block = fixture.block.wrapping_add(1);
        rng::mix(self.options.seed ^ salt ^ rng::mix(block))
    }

    /// The game of a block as it starts.
    pub fn deal(&self, fixture: &Fixture) -> (Game, World) {
        let seed = self.block_seed(fixture);
        let board = match &self.options.board {
            Some(board) => board.clone(),
            None => cartagena::boards::standard(&mut rng::stream(seed, 0)),
        };
        let mut game = Game::new(board, fixture.seats.len());
        game.boat_retreat = self.options.boat_retreat;
        let world = World::deal(&game, self.options.deal.into(), rng::stream(seed, 1));
        (game, world)
    }

    fn seat(&self, fixture: &Fixture, seat: usize) -> io::Result<Box<dyn Seat>> {
        let part = 2 + (fixture.rotation * fixture.seats.len() + seat) as u64;
        let seed = rng::mix(self.block_seed(fixture) ^ rng::mix(part));
        (self.bots[fixture.seats[seat]].maker)(seed)
    }

    /// Plays a game while somebody watches, and returns its record as well.
    ///
    /// # Errors
    /// If it could not be finished.
    pub fn play_watched(
        &self,
        fixture: &Fixture,
        watch: &mut dyn Watch,
    ) -> Result<Record, MatchError> {
        let (game, mut world) = self.deal(fixture);
        let opening = Opening::of(&world);
        let finished = self.conducted(fixture, &game, &mut world, watch)?;
        Ok(self.record(fixture, &game, opening, &finished))
    }

    fn conducted(
        &self,
        fixture: &Fixture,
        game: &Game,
        world: &mut World,
        watch: &mut dyn Watch,
    ) -> Result<Finished, MatchError> {
        let io = |error| MatchError::Io {
            game: self.game_id(fixture),
            error,
        };
        let seats: io::Result<Vec<_>> = (0..fixture.seats.len())
            .map(|seat| self.seat(fixture, seat))
            .collect();
        let part = STAND_INS + fixture.rotation as u64;
        let random = rng::stream(self.block_seed(fixture), part);
        let conduct = &self.options.conduct;
        let finished =
            game::play(game, world, &mut seats.map_err(io)?, conduct, random, watch).map_err(io)?;
        match finished.incidents.first() {
            Some(incident) if self.options.faultless => Err(MatchError::Fault {
                game: self.game_id(fixture),
                label: self.bots[fixture.seats[incident.seat]].label.clone(),
                fault: incident.fault.clone(),
            }),
            _ => Ok(finished),
        }
    }

    fn record(
        &self,
        fixture: &Fixture,
        game: &Game,
        opening: Opening,
        finished: &Finished,
    ) -> Record {
        let bots = || fixture.seats.iter().map(|&program| &self.bots[program]);
        let labels = bots().map(|bot| bot.label.clone()).collect();
        let seed = self.block_seed(fixture);
        let record = Record::new(self.game_id(fixture), seed, labels, game, opening, finished);
        if bots().all(|bot| bot.fingerprint.is_empty()) {
            return record;
        }
        record.by_programs(bots().map(|bot| bot.fingerprint.clone()).collect())
    }
}

/// The first stream of a block's seed that makes random actions for faulty ones.
const STAND_INS: u64 = 1 << 32;

impl Table for Match {
    type Error = MatchError;

    fn play(&self, fixture: &Fixture) -> Result<Played, MatchError> {
        let (game, mut world) = self.deal(fixture);
        let opening = self.options.record.then(|| Opening::of(&world));
        let finished = self.conducted(fixture, &game, &mut world, &mut Unwatched)?;
        let mut results: Vec<SeatResult> = finished
            .shares()
            .into_iter()
            .zip(&finished.ranks)
            .map(|(share, &rank)| SeatResult {
                share,
                rank,
                nanos: Vec::new(),
                faults: Vec::new(),
            })
            .collect();
        for step in &finished.steps {
            results[step.seat].nanos.push(step.usage.nanos);
        }
        for incident in &finished.incidents {
            results[incident.seat]
                .faults
                .push(incident.fault.kind.name());
        }
        let line = opening.map_or(Vec::new(), |opening| {
            self.record(fixture, &game, opening, &finished).to_line()
        });
        Ok(Played {
            seats: results,
            stopped: finished.end == End::Stopped,
            line,
        })
    }
}
