//! `contest cartagena tournament PROGRAM… --out FOLDER`

use super::setting::read_board;
use super::warm_up::{duration, warm_up};
use crate::cartagena::MatchError;
use crate::cartagena::game::Penalty;
use crate::cartagena::tournament::{
    Ending, Pace, ParticipantRecord, Request, SETTINGS, Shard, Tournament, TournamentError,
};
use crate::isolation::IsolationArgs;
use crate::{Usage, interrupt};
use anyhow::Context;
use arena::process::Confinement;
use arena::progress::Progress;
use arena::rating::Anchor;
use arena::sprt::{Hypotheses, State};
use clap::{Args as ClapArgs, ValueEnum};
use std::collections::HashSet;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use tempfile::TempDir;

/// Games of a line-up, at most.
const MOST_GAMES: u64 = 10_000_000;
/// Games of a comparison that is to end when it is decided.
const UNTIL_DECIDED: u64 = 20_000;

/// Plays a tournament between programs, in a folder that keeps every game.
///
/// Called again with the same folder it goes on where it stopped, whatever stopped it; programs,
/// numbers of players and games may be added then. For each number of players every line-up of the
/// programs with at least two different ones is played, on the same boards and decks in every
/// rotation of the seats (all permutations for two and three players).
#[derive(Debug, ClapArgs)]
pub(crate) struct Args {
    /// Programs: a folder with a `runme`, an executable, or `builtin:NAME[,key=value…]`; with a
    /// label of their own as `LABEL=PROGRAM`
    #[arg(value_name = "PROGRAM")]
    programs: Vec<String>,
    /// The tournament's folder
    #[arg(long, value_name = "FOLDER")]
    out: PathBuf,
    /// Numbers of players, such as 2,4 [default: 2]
    #[arg(long, value_name = "N", value_delimiter = ',', value_parser = clap::value_parser!(u8).range(2..=6))]
    players: Option<Vec<u8>>,
    /// Games of each line-up, rounded up to whole blocks [default: 100, with --sprt 20000]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=MOST_GAMES))]
    games: Option<u64>,
    /// Seconds an action of a program may take; built-in players keep their own time [default: 15]
    #[arg(long, value_name = "SECONDS")]
    time: Option<f64>,
    /// Seconds after which a program that is late is ended [default: the time and 2 more]
    #[arg(long, value_name = "SECONDS")]
    patience: Option<f64>,
    /// Memory each process of a program may have, in MiB [default: no limit]
    #[arg(long, value_name = "MIB", value_parser = clap::value_parser!(u64).range(1..=1 << 24))]
    memory: Option<u64>,
    /// What a fault costs [default: forfeit]
    #[arg(long, value_enum)]
    faults: Option<Faults>,
    /// Cards dealt to each player, 3 in the contest, 6 in the printed game [default: 3]
    #[arg(long, value_name = "CARDS", value_parser = clap::value_parser!(u8).range(0..=17))]
    deal: Option<u8>,
    /// A file with the symbols from the cell to the boat, instead of a random board a block
    #[arg(long, value_name = "FILE")]
    board: Option<PathBuf>,
    /// Pirates on the boat stay there
    #[arg(long)]
    no_boat_retreat: bool,
    /// Turns after which a game is stopped and drawn [default: 500]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    max_turns: Option<u32>,
    /// What all chance follows from [default: 1]
    #[arg(long, value_name = "SEED")]
    seed: Option<u64>,
    /// Plays only a part, such as 3/16; `contest cartagena merge` joins the parts
    #[arg(long, value_name = "I/N")]
    shard: Option<Shard>,
    /// Sets a variable of a program's environment
    #[arg(long = "env", value_name = "LABEL:NAME=VALUE")]
    variables: Vec<String>,
    /// Stops when it is clear whether the first program is stronger than the second by less than the
    /// first number or by more than the second, in Elo points; wrong once in 20 times
    #[arg(long, value_name = "ELO0,ELO1", allow_hyphen_values = true)]
    sprt: Option<Hypotheses>,
    /// The program whose rating is fixed, at 0 or at the points given
    #[arg(long, value_name = "LABEL[=ELO]")]
    anchor: Option<String>,
    /// Games at a time [default: the cores divided by the threads of a program]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    jobs: Option<u16>,
    /// Threads that a program uses [default: all cores, or one if all programs are built in]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    threads: Option<u16>,
    /// Keeps the programs of each game on cores of its own
    #[arg(long)]
    pin: bool,
    #[command(flatten)]
    isolation: IsolationArgs,
    /// Says what would be played and how long it would take, and plays nothing
    #[arg(long)]
    dry_run: bool,
    /// Prints the standings as JSON
    #[arg(long)]
    json: bool,
}

/// What a fault costs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Faults {
    /// The game; with three and more players the others play on
    Forfeit,
    /// Nothing: a random legal action is taken instead, and the fault counted
    Random,
}

impl Args {
    pub(super) fn run(self) -> anyhow::Result<()> {
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        let threads = self.threads.map(usize::from);
        let pinned = self.pin.then(|| threads.unwrap_or(cores));
        let stop = interrupt::requested();
        let outside = |text: &String| !text.contains("builtin:");
        // One that is gone on with need not name its programs.
        let any = self.programs.is_empty() || self.programs.iter().any(outside);
        let confinement = self.isolation.confinement(any)?;
        // What is only asked about leaves nothing behind.
        let nowhere = match self.dry_run && !self.out.exists() {
            true => Some(tempfile::tempdir()?),
            false => None,
        };
        let out = nowhere.as_ref().map_or(&*self.out, TempDir::path);
        let mut tournament = self.open(out, pinned, confinement.clone())?;
        let anchor = anchor(self.anchor.as_deref(), &tournament.settings().labels())?;
        if tournament.missing() > 0 && warm_up(&tournament, confinement.as_ref())? {
            // A program that built itself may have other files now.
            drop(tournament);
            tournament = self.open(out, pinned, confinement)?;
        }
        if !self.dry_run {
            tournament.save().map_err(usage)?;
        }
        let inside = tournament
            .settings()
            .programs
            .iter()
            .all(ParticipantRecord::is_builtin);
        let threads = threads.unwrap_or(if inside { 1 } else { cores });
        let jobs = self.jobs.map_or((cores / threads).max(1), usize::from);
        let missing = tournament.missing();
        let mut ending = Ending::Complete;
        if missing > 0 {
            self.announce(&tournament, jobs)?;
            if self.dry_run {
                return Ok(());
            }
            ending = match stop.is_set() {
                true => Ending::Stopped,
                false => play(&mut tournament, missing, jobs, stop)?,
            };
        }
        self.report(&tournament, ending, anchor)
    }

    fn open(
        &self,
        out: &Path,
        pinned: Option<usize>,
        confinement: Option<Confinement>,
    ) -> anyhow::Result<Tournament> {
        let request = self.request()?;
        let opened = Tournament::open(out, request, pinned, confinement);
        let mut tournament = opened.map_err(usage)?;
        if let Some(hypotheses) = self.sprt {
            tournament.stop_when_decided(hypotheses).map_err(usage)?;
        }
        Ok(tournament)
    }

    fn request(&self) -> anyhow::Result<Request> {
        let mut programs: Vec<ParticipantRecord> = Vec::new();
        for text in &self.programs {
            let Ok(participant) = text.parse::<ParticipantRecord>();
            programs.push(participant);
        }
        for text in &self.variables {
            let (label, name, value) = variable(text)?;
            let participant = programs.iter_mut().find(|e| e.label == label);
            let Some(participant) = participant else {
                let text = format!("--env {text}: no program named here is called {label}");
                return Err(Usage::new(text).into());
            };
            participant
                .variables
                .insert(name.to_owned(), value.to_owned());
        }
        let examined = programs.into_iter().map(|participant| {
            participant
                .examined()
                .map_err(|error| Usage::new(error.to_string()))
        });
        let is_new = !self.out.join(SETTINGS).exists();
        let until_decided = (is_new && self.sprt.is_some()).then_some(UNTIL_DECIDED);
        Ok(Request {
            programs: examined.collect::<Result<_, _>>()?,
            players: self.players.clone(),
            games: self.games.or(until_decided),
            deal: self.deal,
            boat_retreat: self.no_boat_retreat.then_some(false),
            board: self.board.as_deref().map(read_board).transpose()?,
            max_turns: self.max_turns,
            seed: self.seed,
            penalty: self.faults.map(|faults| match faults {
                Faults::Forfeit => Penalty::Forfeit,
                Faults::Random => Penalty::RandomAction,
            }),
            seconds: self.time,
            patience: self.patience,
            memory_mb: self.memory,
            shard: self.shard,
        })
    }

    /// Says what is going to be played, how long that will take, and what would make it shorter.
    fn announce(&self, tournament: &Tournament, jobs: usize) -> anyhow::Result<()> {
        let (settings, schedule) = (tournament.settings(), tournament.schedule());
        let before = tournament.before();
        let players: Vec<String> = settings.players.iter().map(u8::to_string).collect();
        eprintln!(
            "{}: {} line-ups of {} programs with {} players, {} games each{}",
            self.out.display(),
            schedule.line_ups().len(),
            settings.programs.len(),
            players.join(" and "),
            settings.games,
            match settings.shard {
                Shard::WHOLE => String::new(),
                shard => format!(", shard {shard}"),
            }
        );
        if !before.is_empty() {
            eprintln!("{} games were played before", before.len());
        }
        let mut pace = Pace::of_games(before);
        pace.ask(tournament.table(), schedule)
            .context("cannot ask the programs for an action")?;
        for (program, players, fault) in &pace.faults {
            let label = &settings.programs[*program].label;
            eprintln!("warning: {label}, asked for an action with {players} players: {fault}");
        }
        let played: HashSet<String> = before.iter().map(|(f, _)| schedule.id(f)).collect();
        let open = schedule.open(&played);
        let estimate = pace.estimate(schedule, open, settings.programs.len(), jobs);
        eprintln!(
            "{} games to play, {jobs} at a time: about {}",
            estimate.games,
            duration(estimate.seconds)
        );
        if estimate.seconds > 600.0 {
            let slowest = (0..estimate.programs.len())
                .max_by(|&a, &b| estimate.programs[a].total_cmp(&estimate.programs[b]));
            if let Some(slowest) = slowest {
                eprintln!(
                    "shorter: {} of it is {}'s thinking (a program that reads a limit from its \
                     environment can be given one with --env); fewer --games; --shard on several \
                     machines",
                    duration(estimate.programs[slowest]),
                    settings.programs[slowest].label
                );
            }
        }
        Ok(())
    }

    fn report(
        &self,
        tournament: &Tournament,
        ending: Ending,
        anchor: Anchor,
    ) -> anyhow::Result<()> {
        let standings = tournament.standings(anchor).map_err(usage)?;
        if self.json {
            line!("{}", serde_json::to_string_pretty(&standings)?)?;
        } else {
            line!("{}", standings.to_string().trim_end())?;
        }
        if let Some(state) = tournament.sequential() {
            eprintln!("{}", sequential(&state));
        }
        let folder = self.out.display();
        match ending {
            Ending::Complete | Ending::Decided => {
                eprintln!("the games: contest cartagena report {folder}");
            }
            Ending::Stopped => eprintln!("to go on: contest cartagena tournament --out {folder}"),
        }
        Ok(())
    }
}

fn play(
    tournament: &mut Tournament,
    missing: u64,
    jobs: usize,
    stop: interrupt::Requested,
) -> anyhow::Result<Ending> {
    let labels = tournament.settings().labels();
    let played = tournament.before().len() as u64;
    let progress = Progress::new(played + missing, &labels).with_lines();
    for (scheduled, result) in tournament.before() {
        progress.counted(scheduled, result);
    }
    progress.begin();
    let outcome = tournament.play(jobs, |scheduled, result, state| {
        progress.finished(scheduled, result);
        if let Some(state) = state {
            progress.note(sequential(&state));
        }
        match stop.is_set() {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        }
    });
    progress.clear();
    if let Err(TournamentError::Match(MatchError::Void { .. })) = &outcome {
        eprintln!(
            "the tournament ends here, with the other games under way; the same command plays this one again: see to \
             those who may have done it before, or keep programs from it by --isolate require"
        );
    }
    Ok(outcome?)
}

/// Reads `LABEL:NAME=VALUE`.
fn variable(text: &str) -> anyhow::Result<(&str, &str, &str)> {
    let parts = || {
        let (name, value) = text.split_once('=')?;
        let (label, name) = name.rsplit_once(':')?;
        (!label.is_empty() && !name.is_empty()).then_some((label, name, value))
    };
    parts().ok_or_else(|| {
        let text = format!("--env {text}: expected LABEL:NAME=VALUE");
        Usage::new(text).into()
    })
}

/// Reads `LABEL` or `LABEL=ELO`; a label may have an equals sign itself.
pub(super) fn anchor(text: Option<&str>, labels: &[String]) -> anyhow::Result<Anchor> {
    let Some(text) = text else {
        return Ok(Anchor::Mean);
    };
    let whole = labels.iter().any(|label| label == text);
    let (label, rating) = match text.rsplit_once('=').filter(|_| !whole) {
        Some((label, rating)) => match rating.parse::<f64>() {
            Ok(rating) if rating.is_finite() => (label, rating),
            _ => {
                let text = format!("--anchor {text}: expected LABEL or LABEL=ELO");
                return Err(Usage::new(text).into());
            }
        },
        None => (text, 0.0),
    };
    if !labels.iter().any(|known| known == label) {
        let text = format!("--anchor {text}: the programs are {}", labels.join(", "));
        return Err(Usage::new(text).into());
    }
    Ok(Anchor::Program {
        label: label.to_owned(),
        rating,
    })
}

/// What was asked for cannot be: exit status 2.
pub(super) fn usage(error: TournamentError) -> anyhow::Error {
    match error {
        TournamentError::Match(_) => error.into(),
        other => Usage::new(other.to_string()).into(),
    }
}

fn sequential(state: &State) -> String {
    let Hypotheses { elo0, elo1 } = state.hypotheses;
    format!(
        "sprt {elo0},{elo1}: {} blocks, log likelihood ratio {:.2} of {:.2} to {:.2}: {}",
        state.blocks, state.llr, state.lower, state.upper, state.decision
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_are_round() {
        let told = [0.2, 59.0, 90.0, 3599.0, 3600.0, 90_000.0].map(duration);
        assert_eq!(
            told,
            [
                "1 s",
                "1 min",
                "2 min",
                "1 h 00 min",
                "1 h 00 min",
                "25 h 00 min"
            ]
        );
    }

    #[test]
    fn variables_and_anchors_are_read() {
        assert_eq!(variable("me:A=b=c").unwrap(), ("me", "A", "b=c"));
        assert!(variable("A=b").is_err());
        assert!(variable(":A=b").is_err());
        let labels = ["h,card=3".to_owned(), "me".to_owned()];
        let label = |text| match anchor(Some(text), &labels).unwrap() {
            Anchor::Program { label, rating } => (label, rating),
            Anchor::Mean => panic!("{text}"),
        };
        assert_eq!(label("me"), ("me".to_owned(), 0.0));
        assert_eq!(label("me=-20.5"), ("me".to_owned(), -20.5));
        assert_eq!(label("h,card=3"), ("h,card=3".to_owned(), 0.0));
        assert_eq!(label("h,card=3=5"), ("h,card=3".to_owned(), 5.0));
        assert!(anchor(Some("me=x"), &labels).is_err());
        assert!(anchor(Some("you"), &labels).is_err());
    }
}
