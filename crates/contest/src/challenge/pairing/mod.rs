//! Matches of the challenge card game.
//!
//! A program connects to the referee, a [`Pairing`], over TCP as it would to a contest's server, and has the contest's
//! clock. Matches of two built-in players need no connections: `seats::challenge::duplicate` plays them. A
//! `ChallengeMatch` is either.

mod guest;
mod participant;
mod remote;
mod resume;
mod session;

pub(crate) use guest::Guest;
pub use participant::{Client, Participant, TEMPLATE, participant};
pub use remote::RemoteError;
pub(crate) use resume::{ChallengeMatch, millis};

use super::record::GameLine;
use super::record::{Entry, Moved};
use arena::participant::Kind;
use arena::process::Confinement;
use arena::records::line_of;
use arena::schedule::{GameResult, ScheduledGame};
use challenge::equilibrium::blueprint::Tables;
use challenge::player::Memory;
use challenge::rules::Seat;
use challenge_server::clocked_game::{ClockedGame, Conduct};
use engine::rng::stream;
use engine::sync::lock;
use seats::challenge::duplicate::{GameError, number};
use session::{Session, Side};
use std::io;
use std::sync::Mutex;
use std::time::Duration;
use thiserror::Error;
use tokio::runtime::Runtime;

/// Why a match cannot go on.
#[derive(Debug, Error)]
pub enum PairingError {
    /// A program cannot play on.
    #[error(transparent)]
    Remote(#[from] RemoteError),
    /// Two built-in players cannot play on.
    #[error(transparent)]
    Builtin(#[from] GameError),
    /// A game cannot be written.
    #[error("a game cannot be written: {0}")]
    Record(#[from] serde_json::Error),
}

/// How a match is held.
#[derive(Clone, Debug)]
pub struct PairingSettings {
    pub conduct: Conduct,
    /// The time in which a program must connect.
    pub patience: Duration,
    /// Fixes all decks and the random numbers of built-in players.
    pub seed: u64,
    /// The sandbox of the programs, which leaves each only its own files and its referee.
    pub confinement: Option<Confinement>,
}

/// The referee of a match with a program. Both games of a block have the same decks. Each thread that plays starts
/// its own copy of every program. The programs end when the value is dropped.
pub struct Pairing {
    participants: [Participant; 2],
    tables: [Tables; 2],
    settings: PairingSettings,
    runtime: Runtime,
    /// By participant, the knowledge that a built-in player has of its opponents.
    memories: [Memory; 2],
    /// Sides that no thread uses at the moment, with their running programs.
    idle: Mutex<Vec<[Side; 2]>>,
}

impl Pairing {
    /// A match between these two.
    ///
    /// # Errors
    /// If the operating system does not let it listen.
    pub fn new(
        participants: [Participant; 2],
        tables: [Tables; 2],
        settings: PairingSettings,
    ) -> io::Result<Pairing> {
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(1)
            .enable_all()
            .build()?;
        Ok(Pairing {
            participants,
            tables,
            settings,
            runtime,
            memories: [(); 2].map(|()| Memory::default()),
            idle: Mutex::default(),
        })
    }

    /// The sides for one game, by participant: idle ones if there are any, else new ones with programs just started.
    async fn sides(&self) -> Result<[Side; 2], PairingError> {
        // A program plays one game after another, as in a contest, so its side is used again. The lock is released
        // here: a lock held while something is awaited could block another thread.
        let idle = lock(&self.idle).pop();
        match idle {
            Some(sides) => Ok(sides),
            None => Ok([self.side(0).await?, self.side(1).await?]),
        }
    }

    /// A new side of a participant. A program is started; a built-in player is made later, by `assign`.
    async fn side(&self, number: usize) -> Result<Side, PairingError> {
        let Participant { label, kind } = &self.participants[number];
        let team = number as u64 + 1;
        Ok(match kind {
            Kind::Builtin(_) => Side::Unassigned,
            Kind::Program(Client { program, template }) => {
                let confinement = self.settings.confinement.as_ref();
                let remote =
                    remote::Remote::start(label, team, program, template, confinement).await?;
                Side::Program(Box::new(remote))
            }
        })
    }

    /// Makes the built-in players. Their random numbers depend on the seed and the game alone, not on the
    /// thread or on earlier games.
    fn assign(&self, scheduled: &ScheduledGame, sides: &mut [Side; 2]) {
        for (seat, side) in sides.iter_mut().enumerate() {
            let number = scheduled.seats[seat];
            let Some(&builtin) = self.participants[number].builtin() else {
                continue;
            };
            // A separate stream for each block, rotation and seat.
            let part = (scheduled.block * 2 + scheduled.rotation as u64) * 4 + seat as u64;
            // Another seed than that of the decks, so that players cannot share the dealer's stream.
            let rng = stream(self.settings.seed.wrapping_add(1), part);
            *side =
                Side::Builtin(builtin.player(&self.tables[number], &self.memories[number], rng));
        }
    }

    /// Plays a game.
    ///
    /// # Errors
    /// If a program cannot play on, or the record cannot be written.
    fn play(&self, scheduled: &ScheduledGame) -> Result<GameResult, PairingError> {
        self.runtime.block_on(self.game(scheduled))
    }

    /// Plays one game. Returns its result, with its record.
    async fn game(&self, scheduled: &ScheduledGame) -> Result<GameResult, PairingError> {
        // Idle sides are stored in the order of the participants, and a game wants them in the order of its seats. So
        // they are reversed before and after a game with swapped seats.
        let mut sides = self.sides().await?;
        let swapped = scheduled.seats[0] == 1;
        if swapped {
            sides.reverse();
        }
        self.assign(scheduled, &mut sides);
        let id = number(scheduled);
        let teams = [0, 1].map(|seat| scheduled.seats[seat] as u64 + 1);
        // The rotation is no part of the stream: both games of a block get the same deck.
        let rng = stream(self.settings.seed, scheduled.block);
        let game = ClockedGame::new(self.settings.conduct, id, teams, rng);
        let mut session = Session::new(game, &mut sides, self.settings.patience);
        session.play().await?;
        let (game, nanos) = session.finish();
        if swapped {
            sides.reverse();
        }
        // Only after success: after an error the sides are dropped, which ends their programs.
        lock(&self.idle).push(sides);
        let winner = game.winner().unwrap_or_default();
        let line = GameLine {
            id,
            names: Some([0, 1].map(|seat| self.participants[scheduled.seats[seat]].label.clone())),
            teams,
            winner,
            entries: game.into_entries(None),
            ms: Some(millis(&nanos)),
            ..GameLine::default()
        };
        Ok(GameResult {
            line: line_of(&line)?,
            ..resume::result(&line)
        })
    }
}

/// The faults of a player, each as `late` or `wrong`.
fn faults(entries: &[Entry], of: Seat) -> Vec<&'static str> {
    let wrong = entries.iter().filter_map(|entry| match entry {
        Entry::PlayerMove {
            moving_player,
            what: Moved::IllegalMove { reason },
        } if *moving_player == of => Some(reason),
        _ => None,
    });
    wrong
        // Only running out of time is distinguished; everything else is a wrong answer.
        .map(
            |reason| match reason == challenge_server::clocked_game::LATE {
                true => "late",
                false => "wrong",
            },
        )
        .collect()
}
