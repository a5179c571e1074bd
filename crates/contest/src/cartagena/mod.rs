//! Cartagena for organizers: matches and tournaments, their records, analyses, reports and tables.
//!
//! [`Match`] is the centre: it deals a scheduled game, lets its participants play it, and returns the record.
//!
//! # Matches and tournaments
//!
//! Built-in players play in this process, external programs in processes of their own. `arena::schedule` makes
//! the blocks of a match (one deal in every rotation of the seats), plays them on all cores and hands the results
//! over in a fixed order, so that they do not depend on the number of threads. `arena::stats` works on blocks,
//! never on single games. [`record`] writes a game as one line of JSON, which all later tools read.
//!
//! A `Seat` answers with an action or a fault. [`game`] conducts the game and punishes faults. [`external`] writes
//! the contest's text to a program and checks its answer; `arena::process` runs the program. Three errors are no
//! faults of a program:
//! - `Tampered`: somebody else has changed the copy that a program runs in. The game is void.
//! - `Stopped`: a stop signal ended a call of a program, and the call could not be repeated or ended again in the
//!   same way. The command then ends as if it alone had received the signal.
//! - `Unconfined`: the system does not offer the confinement that was asked for.
//!
//! [`tournament`] is what the tournaments of all contests need to know of this one.
//!
//! `seats::cli::interrupt` reports a stop signal to `arena::process`.
//!
//! # Reports
//!
//! A report is one HTML file. Rust makes plots and tables; the page's script draws the replays. The script gets the
//! spaces and cards of each action, and knows no rule except whose turn it is. A test steps through games in
//! Chromium and compares every position with the rules' own.

pub mod analysis;
pub mod check;
pub(crate) mod commands;
pub mod deals;
pub mod game;
pub mod report;
mod resume;
pub mod table;
pub mod tournament;

pub use games::cartagena::record;
pub use seats::cartagena::participant::Participant;
pub use seats::cartagena::{external, seat};

pub use crate::match_error::MatchError;

use self::deals::FixedDeal;
use self::game::{Conduct, End, Finished, NoObserver, Observer};
use self::record::{Opening, Record};
use self::seat::Seat;
use crate::resume::RecordedMatch as _;
use crate::tournament::block_seed;
use arena::schedule::{GameResult, Referee, ScheduledGame, SeatResult};
use cartagena::rules::{Board, Game};
use cartagena::world::World;
use engine::rng;
use std::io;

/// The options of all games of a match.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Options {
    /// Cards dealt to each player.
    pub deal: u8,
    /// Whether a pirate may leave the boat again by a retreat.
    pub boat_retreat: bool,
    /// A fixed board, or a new one for every block.
    pub board: Option<Board>,
    /// Boards and decks for the blocks, in turn. A missing board or deck is dealt as if there were no list.
    pub positions: Vec<FixedDeal>,
    /// The seed of all random numbers.
    pub seed: u64,
    /// Whether every line-up has deals of its own, so that their results are independent; otherwise
    /// a block is the same deal for all.
    pub own_deals: bool,
    /// How games are conducted.
    pub conduct: Conduct,
    /// Whether the first fault ends the match with an error; otherwise a fault has the price that `conduct` says.
    pub faultless: bool,
    /// Whether games are recorded.
    pub record: bool,
}

/// The participants of a match or a tournament and the options of its games. It can play any scheduled game.
#[derive(Clone)]
pub struct Match {
    pub participants: Vec<Participant>,
    /// The names of the line-ups in the ids of games.
    pub line_ups: Vec<String>,
    pub options: Options,
}

impl Match {
    /// The seed of a block: it fixes the board, the order of the deck and of later reshuffles.
    pub fn block_seed(&self, scheduled: &ScheduledGame) -> u64 {
        let own = self.options.own_deals;
        let line_up = own.then(|| &*self.line_ups[scheduled.line_up]);
        block_seed(self.options.seed, line_up, scheduled.block)
    }

    /// Sets up a scheduled game. All rotations of a block get the same board, hands and draw pile.
    pub fn deal(&self, scheduled: &ScheduledGame) -> (Game, World) {
        let seed = self.block_seed(scheduled);
        let positions = &self.options.positions;
        // Block b uses entry b mod n of a list with n entries; `checked_rem` gives none for an empty list.
        let fixed = scheduled
            .block
            .checked_rem(positions.len() as u64)
            .map(|at| &positions[at as usize]);
        let board = fixed.and_then(|fixed| fixed.board.as_ref());
        let board = match board.or(self.options.board.as_ref()) {
            Some(board) => board.clone(),
            // Streams 0 and 1 of a block's seed are for the board and the cards; the seats' numbers begin at 2.
            None => cartagena::boards::standard(&mut rng::stream(seed, 0)),
        };
        let mut game = Game::new(board, scheduled.seats.len());
        game.boat_retreat = self.options.boat_retreat;
        let (deal, rng) = (self.options.deal.into(), rng::stream(seed, 1));
        let deck = fixed.and_then(|fixed| fixed.deck.as_deref());
        let world = match deck {
            Some(deck) => deals::dealt(&game, deal, deck, rng),
            None => World::deal(&game, deal, rng),
        };
        (game, world)
    }

    /// Makes the participant on this seat ready for one game.
    fn seat(&self, scheduled: &ScheduledGame, seat: usize) -> io::Result<Seat> {
        // Each seat of each rotation gets its own seed. With the same seed, players would draw the same random
        // numbers.
        let part = 2 + (scheduled.rotation * scheduled.seats.len() + seat) as u64;
        let seed = rng::mix(self.block_seed(scheduled) ^ rng::mix(part));
        (self.participants[scheduled.seats[seat]].maker)(seed)
    }

    /// Plays a game while somebody watches, and returns its record as well.
    ///
    /// # Errors
    /// If it could not be finished.
    pub fn play_watched(
        &self,
        scheduled: &ScheduledGame,
        watch: &mut dyn Observer,
    ) -> Result<Record, MatchError> {
        let (game, mut world) = self.deal(scheduled);
        let opening = Opening::of(&world);
        let finished = self.conducted(scheduled, &game, &mut world, watch)?;
        Ok(self.record(scheduled, &game, opening, &finished))
    }

    /// Plays a game that has been dealt, and turns the referee's own errors into errors of the match.
    fn conducted(
        &self,
        scheduled: &ScheduledGame,
        game: &Game,
        world: &mut World,
        watch: &mut dyn Observer,
    ) -> Result<Finished, MatchError> {
        let io = |error| MatchError::of(self.game_id(scheduled), error);
        let seats: io::Result<Vec<_>> = (0..scheduled.seats.len())
            .map(|seat| self.seat(scheduled, seat))
            .collect();
        // Random actions for faulty ones have numbers far above those of the seats, which count from 2.
        let part = STAND_INS + scheduled.rotation as u64;
        let random = rng::stream(self.block_seed(scheduled), part);
        let conduct = &self.options.conduct;
        let finished =
            game::play(game, world, &mut seats.map_err(io)?, conduct, random, watch).map_err(io)?;
        // A match of built-in players alone is `faultless`: a fault in it is a bug of this program.
        match finished.incidents.first() {
            Some(incident) if self.options.faultless => Err(MatchError::Fault {
                game: self.game_id(scheduled),
                label: self.participants[scheduled.seats[incident.seat]]
                    .label
                    .clone(),
                fault: incident.fault.clone(),
            }),
            _ => Ok(finished),
        }
    }

    /// The record of a finished game, with the programs' fingerprints if there are any.
    fn record(
        &self,
        scheduled: &ScheduledGame,
        game: &Game,
        opening: Opening,
        finished: &Finished,
    ) -> Record {
        let participants = || {
            scheduled
                .seats
                .iter()
                .map(|&program| &self.participants[program])
        };
        let labels = participants()
            .map(|participant| participant.label.clone())
            .collect();
        let seed = self.block_seed(scheduled);
        let record = finished.record(self.game_id(scheduled), seed, labels, game, opening);
        // Without external programs the fingerprints would all be empty.
        if participants().all(|participant| participant.fingerprint.is_empty()) {
            return record;
        }
        record.by_programs(
            participants()
                .map(|participant| participant.fingerprint.clone())
                .collect(),
        )
    }
}

/// The first stream of a block's seed that chooses random actions in place of faulty ones; the rotation is added.
const STAND_INS: u64 = 1 << 32;

impl Referee for Match {
    type Error = MatchError;

    fn play(&self, scheduled: &ScheduledGame) -> Result<GameResult, MatchError> {
        self.played(scheduled, &mut NoObserver)
    }
}

impl Match {
    /// Plays a game while somebody watches.
    pub(crate) fn played(
        &self,
        scheduled: &ScheduledGame,
        watch: &mut dyn Observer,
    ) -> Result<GameResult, MatchError> {
        let (game, mut world) = self.deal(scheduled);
        let opening = self.options.record.then(|| Opening::of(&world));
        let finished = self.conducted(scheduled, &game, &mut world, watch)?;
        let mut results = SeatResult::of_ranks(&finished.ranks);
        // Each seat's times stay in the order of its actions.
        for step in &finished.steps {
            results[step.seat].nanos.push(step.usage.nanos);
        }
        for incident in &finished.incidents {
            results[incident.seat]
                .faults
                .push(incident.fault.kind.name());
        }
        let line = opening.map_or(Vec::new(), |opening| {
            self.record(scheduled, &game, opening, &finished).to_line()
        });
        Ok(GameResult {
            seats: results,
            stopped: finished.end == End::Stopped,
            line,
        })
    }
}
