//! `contest cartagena play PROGRAM…`: plays one game in the terminal, drawn while it is played. A person can take part
//! ([`human`]).

mod human;
mod screen;

use self::human::Human;
use self::screen::Screen;
use super::setting::GameArgs;
use crate::cartagena::game::{Conduct, Penalty};
use crate::cartagena::{Match, MatchError, Options, Participant};
use crate::isolation::IsolationArgs;
use crate::records::new_record;
use crate::{Usage, complain, interrupt, play_command, shell};
use arena::schedule::ScheduledGame;
use cartagena::evaluation::Evaluators;
use clap::Args as ClapArgs;
use lab::cartagena::participant::{CallLimits, Called as _, ParticipantRecord};
use std::io::{ErrorKind, IsTerminal};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

/// The name that stands for the person at the terminal among the programs.
const HUMAN: &str = "human";

/// Plays one game and draws it as it goes; a person can take part.
///
/// With `human` among the programs the person at the terminal chooses that seat's actions by their numbers;
/// `?` shows the built-in player's value of each, `q` gives up. The other hands then stay hidden.
///
/// With no program, or `human` alone, you sit down against the player as `contest play --terminal` does it:
/// the game is kept, actions can be taken back, and every game has another seed.
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
    #[arg(long, value_name = "SECONDS", default_value_t = 15.0)]
    time: f64,
    /// Penalty for a fault: the loss of the game, or only a random action in its place
    #[arg(long, value_name = "COST", default_value = "forfeit", value_parser = ["forfeit", "random"])]
    faults: String,
    #[command(flatten)]
    game: GameArgs,
    #[command(flatten)]
    isolation: IsolationArgs,
    /// Writes the game to this file, which must be a new one, as a line of JSON
    #[arg(long, value_name = "FILE")]
    record: Option<PathBuf>,
    /// Seconds between two pictures [default: 0.5 on a terminal, else 0]
    #[arg(long, value_name = "SECONDS")]
    delay: Option<f64>,
    /// Seconds of search for the values that `?` shows
    #[arg(long, value_name = "SECONDS", default_value_t = 1.0)]
    advice: f64,
}

impl Args {
    /// Plays one game between the named programs, or with a person alone a game at a table in the terminal.
    pub(super) fn run(self) -> anyhow::Result<()> {
        if self.programs.is_empty() || self.programs == [HUMAN] {
            return self.alone();
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
        let human = self.programs.iter().any(|name| is_human(name));
        let participants = self.participants()?;
        let labels: Vec<String> = participants
            .iter()
            .map(|participant| participant.label.clone())
            .collect();
        let mut record = match &self.record {
            Some(path) => Some(new_record(path, "")?),
            None => None,
        };
        let options = self.game.options()?;
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
            // With a person among the players the pictures show no hand. The person's own is shown with each question.
            open: !human,
            delay: self.delay()?,
        };
        screen.opening(world.state())?;
        let played = match table.play_watched(&scheduled, &mut screen) {
            // A person who gives up is no error.
            Err(MatchError::Io { error, .. }) if error.kind() == ErrorKind::Interrupted => {
                eprintln!("the game was given up");
                return Ok(());
            }
            other => other?,
        };
        screen.ending(&played)?;
        if let (Some(file), Some(path)) = (&mut record, &self.record) {
            file.append_record(&played)?;
            // This command shows the game again.
            eprintln!(
                "the game: contest cartagena replay {} {}",
                shell::argument(path),
                shell::argument(Path::new(&played.id))
            );
        }
        Ok(())
    }

    /// Plays as `contest play --terminal` does: one person, and the built-in player on the other seats.
    fn alone(&self) -> anyhow::Result<()> {
        if !self.game.is_usual() || self.record.is_some() {
            let text = "human alone takes only --players and --seed: for other options name the programs of \
                        the other seats, such as builtin:runme";
            return Err(Usage::new(text).into());
        }
        play_command::cartagena(self.players.map(usize::from), self.game.seed)
    }

    /// The time between two pictures.
    fn delay(&self) -> anyhow::Result<Duration> {
        let terminal = std::io::stdout().is_terminal();
        let seconds = self.delay.unwrap_or(if terminal { 0.5 } else { 0.0 });
        seconds_of("--delay", seconds)
    }

    /// Makes the participants, the person included.
    fn participants(&self) -> anyhow::Result<Vec<Participant>> {
        let time = seconds_of("--time", self.time)?;
        let advice = seconds_of("--advice", self.advice)?;
        let outside = |name: &String| !is_human(name) && !name.contains("builtin:");
        // Only if an external program takes part does the user need the notice about the sandbox.
        let any = self.programs.iter().any(outside);
        let limits = CallLimits::within(time, self.isolation.confinement(any)?);
        let evaluators = Arc::new(Evaluators::installed(complain));
        let mut participants: Vec<Participant> = Vec::new();
        for text in &self.programs {
            let Ok(mut participant) = text.parse::<ParticipantRecord>();
            let mut participant = if is_human(text) {
                let evaluators = Arc::clone(&evaluators);
                Participant {
                    label: HUMAN.to_owned(),
                    fingerprint: String::new(),
                    maker: Arc::new(move |_| {
                        Ok(Box::new(Human::new(Arc::clone(&evaluators), advice)))
                    }),
                }
            } else {
                let wrong = |error| Usage::new(format!("{error}"));
                participant = participant.examined().map_err(wrong)?;
                participant.participant(&limits).map_err(wrong)?
            };
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

fn is_human(name: &str) -> bool {
    name == HUMAN
}

/// A duration from the value of the option `name`.
fn seconds_of(name: &str, seconds: f64) -> anyhow::Result<Duration> {
    Duration::try_from_secs_f64(seconds)
        .map_err(|error| Usage::new(format!("{name} {seconds}: {error}")).into())
}
