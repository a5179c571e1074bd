//! `contest cartagena tournament PROGRAM… --out FOLDER`: plays a tournament, or continues one.
//!
//! This file makes a request of the options, opens the folder, warms the programs up, announces the tournament, plays
//! it with a progress bar and a live page, and prints the standings. The tournament itself is in
//! `cartagena::tournament`.

use super::announcement::announce;
use super::live::{self, Live};
use super::setting::{read_board, read_positions, read_seed, secret_seed};
use crate::cartagena::MatchError;
use crate::cartagena::game::Penalty;
use crate::cartagena::tournament::{
    Ending, Pairing, ParticipantRecord, Request, SETTINGS, Shard, Tournament, TournamentError,
};
use crate::isolation::IsolationArgs;
use crate::{Usage, interrupt, shell};
use arena::process::{Confinement, Limits};
use arena::progress::Progress;
use arena::rating::Anchor;
use arena::sprt::{Hypotheses, State};
use clap::{Args as ClapArgs, ValueEnum};
use lab::cartagena::programs::{set_variables, warm_up};
use std::collections::HashSet;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use tempfile::TempDir;

/// The most games of a line-up that the command line accepts.
const MOST_GAMES: u64 = 10_000_000;
/// The default number of games between two versions of the live page.
const LIVE: u64 = 10;
/// The default number of games with a sequential test, unless it decides before.
const UNTIL_DECIDED: u64 = 20_000;

/// Plays a tournament between programs, in a folder that keeps every game.
///
/// The same command continues a tournament that has stopped for any reason, and may add programs, numbers
/// of players and games. For each number of players every line-up of the programs with at least two
/// different ones is played, on the same boards and decks in every rotation of the seats (all permutations
/// for two and three players).
#[derive(Debug, ClapArgs)]
pub(crate) struct Args {
    /// Programs: a folder with a `runme`, an executable, or `builtin:NAME[,key=value…]`; `LABEL=PROGRAM`
    /// gives one a label
    #[arg(value_name = "PROGRAM")]
    programs: Vec<String>,
    /// The tournament's folder, which a new tournament makes
    #[arg(long, value_name = "FOLDER")]
    out: PathBuf,
    /// Numbers of players, such as 2,4 [default: 2]
    #[arg(long, value_name = "N", value_delimiter = ',', value_parser = clap::value_parser!(u8).range(2..=6))]
    players: Option<Vec<u8>>,
    /// The pairings [default: round-robin]
    #[arg(long, value_enum)]
    format: Option<Pairings>,
    /// Rounds of a Swiss tournament [default: as many as a knockout has]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    rounds: Option<u32>,
    /// Games of each line-up, or of each pairing of a Swiss round, rounded up to whole blocks
    /// [default: 100, with --sprt 20000, Swiss 2]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=MOST_GAMES))]
    games: Option<u64>,
    /// Seconds that an external program may take for an action; built-in players have their own limits
    /// [default: 15]
    #[arg(long, value_name = "SECONDS")]
    time: Option<f64>,
    /// Seconds after which a late program is ended [default: --time and 2 more]
    #[arg(long, value_name = "SECONDS")]
    patience: Option<f64>,
    /// Resident memory of a program with all its processes, in MiB [default: no limit]
    #[arg(long, value_name = "MIB", value_parser = clap::value_parser!(u64).range(1..=1 << 24))]
    memory: Option<u64>,
    /// Penalty for a fault [default: forfeit]
    #[arg(long, value_enum)]
    faults: Option<Faults>,
    /// Cards dealt to each player, 3 in the contest, 6 in the printed game [default: 3]
    #[arg(long, value_name = "CARDS", value_parser = clap::value_parser!(u8).range(0..=17))]
    deal: Option<u8>,
    /// A file with the symbols from the cell to the boat, instead of a random board a block
    #[arg(long, value_name = "FILE")]
    board: Option<PathBuf>,
    /// A file with boards and decks, one JSON object a line; the blocks use them in turn
    #[arg(long, value_name = "FILE", conflicts_with = "board")]
    positions: Option<PathBuf>,
    /// Pirates on the boat stay there
    #[arg(long)]
    no_boat_retreat: bool,
    /// Turns after which a game is stopped and drawn [default: 500]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    max_turns: Option<u32>,
    /// Seed of all random numbers [default: a random one, kept in the tournament's folder]. Programs may
    /// see the command line: in a contest leave the seed out, or give a file
    #[arg(long, value_name = "SEED")]
    seed: Option<u64>,
    /// A file with the seed
    #[arg(long, value_name = "FILE", conflicts_with = "seed")]
    seed_file: Option<PathBuf>,
    /// Plays only a part, such as 3/16; `contest cartagena merge` joins the parts
    #[arg(long, value_name = "I/N")]
    shard: Option<Shard>,
    /// Sets a variable of a program's environment
    #[arg(long = "env", value_name = "LABEL:NAME=VALUE")]
    variables: Vec<String>,
    /// Stops when a sequential test (SPRT) has decided whether the first program is ELO0 or ELO1 points
    /// stronger than the second; each kind of error has a chance of 5 %
    #[arg(long, value_name = "ELO0,ELO1", allow_hyphen_values = true)]
    sprt: Option<Hypotheses>,
    /// The program with a fixed rating: 0, or the points given
    #[arg(long, value_name = "LABEL[=ELO]")]
    anchor: Option<String>,
    /// Games at a time [default: the cores divided by the threads of a program]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    jobs: Option<u16>,
    /// Threads that a program uses [default: all cores, or one if all programs are built in]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    threads: Option<u16>,
    /// Gives the programs of each game their own cores; --pin=false ends that
    #[arg(long, value_name = "BOOL", num_args = 0..=1, require_equals = true, default_missing_value = "true")]
    pin: Option<bool>,
    /// Writes a page with the standings, live.html in the tournament's folder, every N games (10 if there
    /// is no N); a continued tournament keeps the page up to date
    #[arg(long, value_name = "N", num_args = 0..=1, require_equals = true, default_missing_value = "10", value_parser = clap::value_parser!(u64).range(1..))]
    live: Option<u64>,
    #[command(flatten)]
    isolation: IsolationArgs,
    /// Prints what would be played and how long it would take, but plays nothing
    #[arg(long)]
    dry_run: bool,
    /// Prints the standings as JSON
    #[arg(long)]
    json: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Pairings {
    /// All against all, in every line-up
    RoundRobin,
    /// The first program against all others
    Gauntlet,
    /// In rounds, each program against one with about as many points; games for two
    Swiss,
}

/// What a fault costs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Faults {
    /// The game; with three and more players the others play on
    Forfeit,
    /// Nothing: the fault is counted, and a random legal action taken instead
    Random,
}

impl Args {
    /// Plays the tournament's missing games and prints the standings.
    pub(super) fn run(self) -> anyhow::Result<()> {
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        let stop = interrupt::requested();
        let outside = |text: &String| !text.contains("builtin:");
        // A command that continues a tournament need not name the programs. Some of them may be external.
        let any = self.programs.is_empty() || self.programs.iter().any(outside);
        let request = self.request()?;
        let confinement = self.isolation.confinement(any)?;
        // A dry run must leave nothing behind, so a new tournament is opened in a temporary folder.
        let nowhere = match self.dry_run && !self.out.exists() {
            true => Some(tempfile::tempdir()?),
            false => None,
        };
        let out = nowhere.as_ref().map_or(&*self.out, TempDir::path);
        let mut tournament = self.open(out, request.clone(), cores, confinement.clone())?;
        if tournament
            .settings()
            .programs
            .iter()
            .any(|one| !one.is_builtin())
        {
            self.isolation.warn_of_root();
        }
        // Kept for the second opening below: a new tournament's random seed must not change.
        let seed = tournament.settings().seed;
        let anchor = anchor(self.anchor.as_deref(), &tournament.settings().labels())?;
        if tournament.missing() > 0 && warm_up_all(&tournament, confinement.as_ref())? {
            // A program that built itself has changed its files, and so its fingerprint. So the programs are examined
            // again, and the folder is opened again. The rest of the request is reused rather than read again, since
            // the seed's file may be a pipe.
            drop(tournament);
            let request = Request {
                programs: self.examined()?,
                seed: Some(seed),
                ..request
            };
            tournament = self.open(out, request, cores, confinement)?;
        }
        // The settings are saved only now, after every program could be called.
        if !self.dry_run {
            tournament.save().map_err(usage)?;
        }
        let jobs = tournament.settings().games_at_a_time(cores);
        let missing = tournament.missing();
        let mut ending = Ending::Complete;
        if missing > 0 {
            announce(&self.out, &tournament, cores)?;
            if self.dry_run {
                return Ok(());
            }
            // The stop signal may have come while programs were warmed up or asked.
            ending = match stop.is_set() {
                true => Ending::Stopped,
                false => {
                    let live = self
                        .live()
                        .map(|every| Live::new(&self.out, every, anchor.clone()));
                    play(&mut tournament, missing, jobs, stop, live)?
                }
            };
        }
        self.report(&tournament, ending, anchor)
    }

    /// Opens the tournament in the folder `out`, with the sequential test if there is one.
    fn open(
        &self,
        out: &Path,
        request: Request,
        cores: usize,
        confinement: Option<Confinement>,
    ) -> anyhow::Result<Tournament> {
        let opened = Tournament::open(out, request, cores, confinement);
        let mut tournament = opened.map_err(usage)?;
        if let Some(hypotheses) = self.sprt {
            tournament.stop_when_decided(hypotheses).map_err(usage)?;
        }
        Ok(tournament)
    }

    /// The named programs, with the fingerprints of their versions.
    fn examined(&self) -> anyhow::Result<Vec<ParticipantRecord>> {
        let mut programs: Vec<ParticipantRecord> = Vec::new();
        for text in &self.programs {
            let Ok(participant) = text.parse::<ParticipantRecord>();
            programs.push(participant);
        }
        set_variables(&mut programs, &self.variables)?;
        let examined = programs.into_iter().map(|participant| {
            participant
                .examined()
                .map_err(|error| Usage::new(error.to_string()).into())
        });
        examined.collect()
    }

    /// The request that the options make.
    fn request(&self) -> anyhow::Result<Request> {
        let is_new = !self.out.join(SETTINGS).exists();
        // Only a new tournament gets the larger default; a continued one keeps its games.
        let until_decided = (is_new && self.sprt.is_some()).then_some(UNTIL_DECIDED);
        Ok(Request {
            programs: self.examined()?,
            players: self.players.clone(),
            format: self.format.map(|format| match format {
                Pairings::RoundRobin => Pairing::RoundRobin,
                Pairings::Gauntlet => Pairing::Gauntlet,
                Pairings::Swiss => Pairing::Swiss,
            }),
            rounds: self.rounds,
            games: self.games.or(until_decided),
            deal: self.deal,
            // `None` keeps the folder's setting, so an option that was not given must not become a value.
            boat_retreat: self.no_boat_retreat.then_some(false),
            board: self.board.as_deref().map(read_board).transpose()?,
            positions: match &self.positions {
                Some(path) => read_positions(path)?,
                None => Vec::new(),
            },
            max_turns: self.max_turns,
            seed: self.seed(is_new)?,
            penalty: self.faults.map(|faults| match faults {
                Faults::Forfeit => Penalty::Forfeit,
                Faults::Random => Penalty::RandomAction,
            }),
            seconds: self.time,
            patience: self.patience,
            memory_mb: self.memory,
            shard: self.shard,
            threads: self.threads,
            jobs: self.jobs,
            pin: self.pin,
        })
    }

    /// The number of games between two live pages; none without a page. A page that exists is kept up to date.
    fn live(&self) -> Option<u64> {
        let is_there = || self.out.join(live::PAGE).exists();
        self.live.or_else(|| is_there().then_some(LIVE))
    }

    /// The requested seed; for a new tournament a random one.
    fn seed(&self, is_new: bool) -> anyhow::Result<Option<u64>> {
        match (&self.seed_file, self.seed) {
            (Some(path), _) => read_seed(path).map(Some),
            (None, None) if is_new => {
                // Shards on different machines would otherwise draw different seeds, and could not be merged.
                if self.shard.is_some_and(|shard| !shard.is_whole()) {
                    let text = "--shard: all shards need the same seed: name it with --seed, or in a file \
                                with --seed-file, so that programs do not see it";
                    return Err(Usage::new(text).into());
                }
                secret_seed().map(Some)
            }
            (None, seed) => Ok(seed),
        }
    }

    /// Prints the standings, and the command that comes next.
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
        let folder = shell::argument(&self.out);
        eprintln!("seed {}", tournament.settings().seed);
        match ending {
            Ending::Complete | Ending::Decided => {
                eprintln!("the games: contest cartagena report {folder}");
            }
            Ending::Stopped => eprintln!("to go on: contest cartagena tournament --out {folder}"),
        }
        Ok(())
    }
}

/// Plays the `missing` games, and shows the progress.
fn play(
    tournament: &mut Tournament,
    missing: u64,
    jobs: usize,
    stop: interrupt::Requested,
    mut live: Option<Live>,
) -> anyhow::Result<Ending> {
    let labels = tournament.settings().labels();
    let played = tournament.before().len() as u64;
    let progress = Progress::new(played + missing, &labels).with_lines();
    // The progress includes the games of earlier runs.
    for (scheduled, result) in tournament.before() {
        progress.counted(scheduled, result);
    }
    progress.begin();
    let outcome = tournament.play(jobs, |finished| {
        progress.finished(finished.scheduled, finished.result);
        if let Some(state) = finished.sequential {
            progress.note(sequential(&state));
        }
        if let Some(live) = &mut live {
            live.update(finished);
        }
        match stop.is_set() {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        }
    });
    progress.clear();
    // The last page shows the final state, even after an error.
    if let Some(live) = live {
        let standings = tournament.standings(live.anchor.clone()).map_err(usage)?;
        live.write(tournament.settings(), &standings)?;
    }
    // If a program's files were changed, only a person can find out who did it.
    if let Err(TournamentError::Match(MatchError::Void { .. })) = &outcome {
        eprintln!(
            "the tournament stops here, and the same command plays this game again: before that, examine \
             the programs that may have changed the files, or confine all programs with --isolate require"
        );
    }
    // A stop signal is no error.
    match outcome {
        Err(TournamentError::Match(MatchError::Stopped { .. })) => Ok(Ending::Stopped),
        outcome => Ok(outcome?),
    }
}

/// Calls every program that has not played yet (see [`warm_up`]). Returns whether any of them got time to build
/// itself.
fn warm_up_all(tournament: &Tournament, confinement: Option<&Confinement>) -> anyhow::Result<bool> {
    let settings = tournament.settings();
    let limits = Limits {
        confinement: confinement.cloned(),
        ..settings.limits()
    };
    let played: HashSet<usize> = tournament
        .before()
        .iter()
        .flat_map(|(scheduled, _)| scheduled.seats.iter().copied())
        .collect();
    // A program that has played is built already.
    let programs = settings.programs.iter().enumerate();
    let fresh = programs.filter(|(i, _)| !played.contains(i));
    warm_up(
        fresh.map(|(_, participant)| participant),
        settings.players[0].into(),
        &limits,
    )
}

/// Reads the value of `--anchor`: `LABEL` or `LABEL=ELO`. A label may contain an equals sign itself, so the whole text
/// is tried as a label first.
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

/// Makes errors that follow from the request wrong usage, which ends with exit status 2. Errors of games stay as they
/// are.
pub(super) fn usage(error: TournamentError) -> anyhow::Error {
    match error {
        TournamentError::Match(_) => error.into(),
        other => Usage::new(other.to_string()).into(),
    }
}

/// The state of the sequential test in a line.
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
    fn anchors_are_read() {
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
