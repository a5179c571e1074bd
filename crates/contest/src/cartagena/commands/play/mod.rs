//! `contest cartagena play PROGRAM…`: plays one game between programs, drawn while it is played. With a person it is
//! `contest play --terminal` ([`play_command::cartagena`]).

mod screen;

use self::screen::Screen;
use super::setting::GameArgs;
use crate::cartagena::game::{Conduct, Penalty};
use crate::cartagena::{Match, Options, Participant};
use crate::isolation::IsolationArgs;
use crate::play_command::{self, Person};
use crate::records::new_record;
use crate::{Usage, interrupt, shell};
use arena::schedule::ScheduledGame;
use clap::Args as ClapArgs;
use seats::cartagena::participant::{CallLimits, Called as _, ParticipantRecord};
use seats::cli::numbers::number;
use seats::cli::numbers::seconds_above_none;
use std::io::IsTerminal;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// The name that stands for the person at the terminal among the programs.
const HUMAN: &str = "human";
/// The usual penalty for a fault.
const FORFEIT: &str = "forfeit";

/// Plays one game between programs and draws it as it goes.
///
/// With `human` in place of a program you take that seat yourself, as `contest play --terminal` does it: the
/// game is kept, actions can be taken back, and every game has another seed. With no program, or `human` alone, you play
/// against the built-in player.
#[derive(Debug, ClapArgs)]
pub(crate) struct Args {
    /// Players in the order of their seats: `human`, a folder with a `runme`, an executable, or
    /// `builtin:NAME[,key=value…]`; `LABEL=PROGRAM` gives one a label
    #[arg(value_name = "PROGRAM")]
    programs: Vec<String>,
    /// Number of players [default: as many as are named]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u8).range(2..=6))]
    players: Option<u8>,
    /// Seconds that an external program may take for an action; built-in players have their own limits
    #[arg(long, value_name = "SECONDS", default_value = "15", value_parser = seconds_above_none)]
    time: Duration,
    /// Penalty for a fault: the loss of the game, or only a random action in its place
    #[arg(long, value_name = "COST", default_value = FORFEIT, value_parser = [FORFEIT, "random"])]
    faults: String,
    #[command(flatten)]
    game: GameArgs,
    #[command(flatten)]
    isolation: IsolationArgs,
    /// Writes the game to this file, which must be a new one, as a line of JSON
    #[arg(long, value_name = "FILE")]
    record: Option<PathBuf>,
    /// Seconds between two pictures [default: 0.5 on a terminal, else 0]
    #[arg(long, value_name = "SECONDS", value_parser = number(0.0, 3600.0))]
    delay: Option<f64>,
}

impl Args {
    /// Plays one game between the named programs, or with a person a game at a table in the terminal.
    pub(super) fn run(self) -> anyhow::Result<()> {
        let human = self.programs.iter().position(|name| name == HUMAN);
        if let Some(seat) = human.or(self.programs.is_empty().then_some(0)) {
            return self.with_person(seat);
        }
        let seats = self.programs.len();
        let players = self.players.map_or(seats, usize::from);
        if seats != players || !(2..=6).contains(&players) {
            let text = match players {
                2..=6 => format!("expected a program for each of {players} players, not {seats}"),
                _ => format!("a game needs 2 to 6 players, not {seats}"),
            };
            return Err(Usage::new(text).into());
        }
        let participants = self.participants()?;
        let labels: Vec<String> = participants
            .iter()
            .map(|participant| participant.label.clone())
            .collect();
        let mut record = match &self.record {
            Some(path) => Some(new_record(path, "")?),
            None => None,
        };
        let programs = self.programs.iter().any(|name| !name.contains("builtin:"));
        let options = self.game.options(self.game.seed.of(programs, None)?)?;
        let table = Match {
            participants,
            line_ups: vec![format!("play{}", options.seed)],
            options: Options {
                // The shared options say that a fault costs the game. In this command --faults decides.
                conduct: Conduct {
                    max_turns: self.game.max_turns,
                    penalty: match self.faults.as_str() {
                        "random" => Penalty::RandomAction,
                        _ => Penalty::Forfeit,
                    },
                },
                ..options
            },
        };
        // The game is the first one of the first block of the only line-up.
        let scheduled = ScheduledGame {
            line_up: 0,
            block: 0,
            rotation: 0,
            seats: (0..players).collect(),
        };
        // A stop signal ends everything at once, since there is no result to lose.
        interrupt::ends_all();
        let (game, world) = table.deal(&scheduled);
        let mut screen = Screen {
            game,
            labels,
            delay: self.delay(),
        };
        screen.opening(world.state())?;
        let played = table.play_watched(&scheduled, &mut screen)?;
        screen.ending(&played)?;
        // Shown after the game, when programs can no longer use it.
        if programs {
            engine::note!("seed {}", table.options.seed);
        }
        if let (Some(file), Some(path)) = (&mut record, &self.record) {
            file.append_record(&played)?;
            // This command shows the game again.
            engine::note!(
                "the game: contest cartagena replay {} {}",
                shell::argument(path),
                shell::argument(Path::new(&played.id))
            );
        }
        Ok(())
    }

    /// Seats a person here, as `contest play --terminal` does.
    fn with_person(mut self, seat: usize) -> anyhow::Result<()> {
        let is_usual = self.game.is_usual() && self.faults == FORFEIT;
        if !is_usual || self.record.is_some() || self.delay.is_some() {
            refuse!(
                "a game with you takes only --players, --seed, --seed-file, --time, --isolate, --allow and --ponder"
            );
        }
        if seat < self.programs.len() {
            self.programs.remove(seat);
        }
        if self.programs.iter().any(|name| name == HUMAN) {
            refuse!("one human plays in a terminal; `contest play` seats several in a browser");
        }
        play_command::cartagena(Person {
            seat,
            programs: self.programs,
            seats: self.players,
            seed: self.game.seed.given()?,
            time: self.time,
            isolation: self.isolation,
        })
    }

    /// The time between two pictures.
    fn delay(&self) -> Duration {
        let terminal = std::io::stdout().is_terminal();
        let seconds = self.delay.unwrap_or(if terminal { 0.5 } else { 0.0 });
        Duration::from_secs_f64(seconds)
    }

    fn participants(&self) -> anyhow::Result<Vec<Participant>> {
        // Only if an external program takes part does the user need the notice about the sandbox.
        let any = self.programs.iter().any(|name| !name.contains("builtin:"));
        let limits = CallLimits::within(self.time, self.isolation.confinement(any, &[])?);
        let mut participants: Vec<Participant> = Vec::new();
        for text in &self.programs {
            let Ok(record) = text.parse::<ParticipantRecord>();
            let wrong = |error| Usage::new(format!("{error}"));
            let record = record.examined().map_err(wrong)?;
            let mut participant = record.participant(&limits).map_err(wrong)?;
            // If a program takes two seats, the later one gets the seat's number in its label.
            if participants
                .iter()
                .any(|other| other.label == participant.label)
            {
                participant.label += &format!(" ({})", participants.len() + 1);
            }
            participants.push(participant);
        }
        Ok(participants)
    }
}
