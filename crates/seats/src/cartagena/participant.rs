//! The participants of games: built-in players, and programs with their path and version. Matches and tournaments
//! read a [`ParticipantRecord`] from the command line, examine it, and make a [`Participant`] of it.

use super::external;
use super::players::builtin::{self, Mind};
use super::seat::{Seat, cheating, inside};
use arena::participant::BUILTIN;
pub use arena::participant::{ParticipantRecord, ParticipantRecordError};
use arena::process::{Confinement, Limits, Program, Workspace};
use std::io;
use std::path::PathBuf;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

/// Makes a seat for one game; the argument is the seed of its random choices.
pub type SeatMaker = Arc<dyn Fn(u64) -> io::Result<Seat> + Send + Sync>;

/// A player or program that is ready to play games.
#[derive(Clone)]
pub struct Participant {
    /// The name in tables and records.
    pub label: String,
    /// Identifies this version of the program; empty if it is part of this program.
    pub fingerprint: String,
    /// Makes the participant's seat for a game.
    pub maker: SeatMaker,
}

impl Participant {
    /// A player inside this program; it may be one that sees all hands.
    pub fn inside(label: String, mind: impl Into<Mind>) -> Participant {
        Participant {
            label,
            fingerprint: String::new(),
            maker: match mind.into() {
                Mind::Player(recipe) => Arc::new(move |seed| Ok(inside(recipe(seed)))),
                Mind::Cheat(recipe) => Arc::new(move |seed| Ok(cheating(recipe(seed)))),
            },
        }
    }

    /// A participant whose program is not here: it is known by its label, and has no seat.
    pub fn absent(label: String) -> Participant {
        let text = format!("{label} is not here");
        Participant {
            label,
            fingerprint: String::new(),
            maker: Arc::new(move |_| Err(io::Error::other(text.clone()))),
        }
    }
}

/// The limits of a call of a program.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CallLimits {
    /// The limits of an action.
    pub limits: Limits,
    /// Cores for each of the games that are played in parallel, if programs are confined to them.
    pub cores: Option<usize>,
}

/// The time that a program may exceed its limit by before it is ended: a late answer is still seen and reported.
const GRACE: Duration = Duration::from_secs(2);

impl CallLimits {
    /// Limits of calls that may take `time`, with this confinement.
    pub fn within(time: Duration, confinement: Option<Confinement>) -> CallLimits {
        CallLimits {
            limits: Limits {
                late: time,
                kill: time + GRACE,
                confinement,
                ..Limits::default()
            },
            cores: None,
        }
    }
}

/// A [`ParticipantRecord`] as a program that is called for every action of Cartagena.
pub trait Called: Sized {
    /// Completes the participant by its whole path and its fingerprint.
    ///
    /// # Errors
    /// If there is no such program.
    fn examined(self) -> Result<ParticipantRecord, ParticipantRecordError>;

    /// The participant's program with its variables. Only for participants that are not built in.
    ///
    /// # Errors
    /// If there is none.
    fn found(&self) -> Result<Program, ParticipantRecordError>;

    /// The participant of games.
    ///
    /// # Errors
    /// If there is no such program.
    fn participant(&self, call: &CallLimits) -> Result<Participant, ParticipantRecordError>;
}

impl Called for ParticipantRecord {
    fn examined(mut self) -> Result<ParticipantRecord, ParticipantRecordError> {
        if self.is_builtin() {
            mind(&self)?;
            return self.is_limited_by_itself();
        }
        let program = self.found()?;
        let path = match program.is_alone() {
            true => program.executable(),
            false => program.folder().to_owned(),
        };
        self.program = path.to_string_lossy().into_owned();
        self.stays = program.stays();
        self.fingerprint = program.fingerprint().map_err(|error| self.io(error))?;
        Ok(self)
    }

    fn found(&self) -> Result<Program, ParticipantRecordError> {
        let program = Program::find(&PathBuf::from(&self.program))?;
        let add = |program: Program, (name, value)| program.with_variable(name, value);
        Ok(self.variables.iter().fold(program, add))
    }

    fn participant(&self, call: &CallLimits) -> Result<Participant, ParticipantRecordError> {
        if self.is_builtin() {
            return Ok(Participant::inside(self.label.clone(), mind(self)?));
        }
        let program = self.found()?.called(&self.label);
        let fingerprint = self.fingerprint.clone();
        // The program is copied once, when it first plays, and later seats copy this copy: a change
        // in the program's folder does not change the participant.
        let snapshot: OnceLock<Workspace> = OnceLock::new();
        let call = call.clone();
        let seconds = self.seconds.map(Duration::from_secs_f64);
        Ok(Participant {
            label: self.label.clone(),
            fingerprint: self.fingerprint.clone(),
            maker: Arc::new(move |_| {
                let mut limits = call.limits.clone();
                if let Some(time) = seconds {
                    // The same grace as the others have.
                    (limits.late, limits.kill) =
                        (time, time + limits.kill.saturating_sub(limits.late));
                }
                // Each thread plays one game at a time, so its number selects cores that no other
                // game uses.
                limits.cores = call.cores.map(|count| {
                    let game = rayon::current_thread_index().unwrap_or(0);
                    (game * count..(game + 1) * count).collect()
                });
                let copy = match snapshot.get() {
                    Some(copy) => copy,
                    None => {
                        let copy = Workspace::new(&program)?;
                        // Checked after copying: a change before or during the copy is noticed.
                        unchanged(&program, &fingerprint)?;
                        snapshot.get_or_init(|| copy)
                    }
                };
                Ok(external::in_copy(copy.again()?, limits))
            }),
        })
    }
}

/// The built-in player of the specification.
fn mind(record: &ParticipantRecord) -> Result<Mind, ParticipantRecordError> {
    let spec = record.program.trim_start_matches(BUILTIN);
    let made = spec.parse().and_then(|spec| builtin::mind(&spec));
    made.map_err(|error| ParticipantRecordError::Builtin {
        program: record.program.clone(),
        error,
    })
}

/// Fails if the program has changed since it joined.
fn unchanged(program: &Program, fingerprint: &str) -> io::Result<()> {
    let now = program.fingerprint()?;
    if now == fingerprint {
        return Ok(());
    }
    let (label, folder) = (program.label(), program.folder().display());
    Err(io::Error::other(format!(
        "{label} has changed in {folder} since the contest began (fingerprint {now}, it was {fingerprint})"
    )))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn programs_are_examined() {
        let missing = "x=/no/where"
            .parse::<ParticipantRecord>()
            .unwrap()
            .examined();
        assert!(missing.unwrap_err().to_string().contains("/no/where"));
        let unknown = "builtin:nobody"
            .parse::<ParticipantRecord>()
            .unwrap()
            .examined();
        assert!(
            unknown
                .unwrap_err()
                .to_string()
                .starts_with("builtin:nobody: there is no")
        );
        let mut participant: ParticipantRecord = "builtin:random".parse().unwrap();
        assert_eq!(participant.clone().examined().unwrap(), participant);
        participant.variables.insert("A".to_owned(), "1".to_owned());
        assert!(participant.examined().is_err());
    }

    /// The examination finds out that a program stays, and its seat keeps the process: it answers twice.
    #[test]
    #[cfg(target_os = "linux")]
    fn a_program_that_stays_is_told_and_kept() {
        use arena::process::testing::Mock;
        use cartagena::player::Question;
        use cartagena::record::GameRecord;
        use cartagena::rules::{Action, Game, Symbol};
        use cartagena::view::View;
        use cartagena::world::World;
        use engine::rng::stream;

        let mock = Mock::new(
            "n=0
             while read -r line; do
                 if [ -z \"$line\" ]; then n=$((n + 1)); echo \"1 0 $n hat\"; fi
             done",
        );
        let record = |path: &std::path::Path| {
            let text = format!("a={}", path.display());
            text.parse::<ParticipantRecord>().unwrap().examined()
        };
        assert!(!record(mock.path()).unwrap().describe().contains("stays"));
        std::fs::write(mock.path().join("participant.toml"), "stays = true").unwrap();
        let participant = record(mock.path()).unwrap();
        assert!(participant.describe().ends_with(", which stays"));
        let stored = serde_json::to_string(&participant).unwrap();
        assert!(stored.contains("\"stays\":true"), "{stored}");

        let game = Game::new(cartagena::boards::standard(&mut stream(1, 0)), 2);
        let world = World::deal(&game, 3, stream(1, 1));
        let question = Question {
            game: &game,
            record: &GameRecord::of_state(&game, world.state(), Vec::new()),
            view: &View::of(world.state(), 0),
            open: None,
        };
        let made = participant.participant(&CallLimits::default()).unwrap();
        let mut seat = (made.maker)(1).unwrap();
        for to in 1..=3 {
            let expected = Action::Advance {
                from: 0,
                to,
                symbol: Symbol::Hat,
            };
            assert_eq!(seat(&question, None).unwrap().reply, Ok(expected));
        }
        drop(seat);
        mock.assert_gone();
    }
}
