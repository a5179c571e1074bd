//! `contest … tournament PROGRAM… --out FOLDER`: plays a tournament, or continues one.
//!
//! This file makes a request of the options, opens the folder, warms the programs up, announces the tournament, plays
//! it with a progress bar and a live page, and prints the standings. The tournament itself is in
//! `crate::tournament`.

use super::announcement::announce;
use super::live::{Live, show_games};
use super::{anchor, usage};
use crate::isolation::IsolationArgs;
use crate::match_error::MatchError;
use crate::tournament::watch::PAGE;
use crate::tournament::{
    Ending, Folder, Pairing, Penalty, Request, SETTINGS, Settings, Shard, Tournament,
    TournamentError, TournamentGame, is_new, sequential_test, settings,
};
use crate::{Usage, interrupt, shell};
use anyhow::{Context, ensure};
use arena::participant::ParticipantRecord;
use arena::plain_text::counted;
use arena::process::{Confinement, Limits, Place, Program};
use arena::progress::Progress;
use arena::rating::Anchor;
use arena::sprt::{Hypotheses, State};
use clap::{Args as ClapArgs, ValueEnum};
use seats::cli::programs::{set_times, set_variables};
use seats::cli::seed::{SeedArgs, secret_seed};
use std::collections::HashSet;
use std::env;
use std::path::{Path, PathBuf};
use std::sync::mpsc;
use std::thread;

/// The most games of a line-up that the command line accepts.
const MOST_GAMES: u64 = 10_000_000;
/// The default number of games between two versions of the live page.
const LIVE: u64 = 10;
/// The default chance of each of the sequential test's two errors.
const RISK: f64 = 0.05;
/// The default number of games with a sequential test, unless it decides before.
const UNTIL_DECIDED: u64 = 20_000;

/// Plays a tournament between programs, in a folder that keeps every game.
///
/// The same command continues a tournament that has stopped for any reason, and may add programs, numbers
/// of players and games. For each number of players every line-up of the programs with at least two
/// different ones is played, on the same boards and decks in every rotation of the seats (all permutations
/// for two and three players).
#[derive(Debug, ClapArgs)]
#[group(skip)]
pub(crate) struct Args<R: RulesArgs> {
    /// Programs, named as in `match`: a path, or `builtin:NAME[,key=value…]`; `LABEL=PROGRAM` gives one a label
    #[arg(value_name = "PROGRAM")]
    programs: Vec<String>,
    /// The tournament's folder, which a new tournament makes
    #[arg(long, value_name = "FOLDER")]
    out: PathBuf,
    /// Numbers of players, such as 3,4 [default: 2 in Cartagena, 4 in Hearts]
    #[arg(long, hide = R::Rules::PLAYERS.start() == R::Rules::PLAYERS.end(), value_name = "N", value_delimiter = ',', value_parser = clap::value_parser!(u8).range(2..=6))]
    players: Option<Vec<u8>>,
    /// The pairings [default: round-robin]
    #[arg(long, value_enum)]
    format: Option<Pairing>,
    /// Rounds of a Swiss tournament [default: as many as a knockout has]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    rounds: Option<u32>,
    /// Games of each line-up, or of each pairing of a Swiss round, rounded up to whole blocks
    /// [default: 100, with --sprt 20000, Swiss one block]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=MOST_GAMES))]
    games: Option<u64>,
    /// Seconds that an external program may take for a decision; built-in players have their own limits
    /// [default: the contest's: 15 in Cartagena, 4 in Tricky Eights, 5 in Hearts]
    #[arg(long, value_name = "SECONDS")]
    time: Option<f64>,
    /// Another time for one of the programs named here
    #[arg(long, value_name = "LABEL=SECONDS")]
    time_of: Vec<String>,
    /// Seconds after which a late program is ended [default: --time and 2 more]
    #[arg(long, hide = !R::Rules::CALLS, value_name = "SECONDS")]
    patience: Option<f64>,
    /// Resident memory of a program with all its processes, in MiB [default: no limit]
    #[arg(long, value_name = "MIB", value_parser = clap::value_parser!(u64).range(1..=1 << 24))]
    memory: Option<u64>,
    /// Penalty for a fault [default: forfeit]
    #[arg(long, value_enum)]
    faults: Option<Faults>,
    #[command(flatten)]
    rules: R,
    #[command(flatten)]
    seed: SeedArgs,
    /// Plays only a part, such as 3/16; `merge` joins the parts
    #[arg(long, value_name = "I/N")]
    shard: Option<Shard>,
    /// Sets a variable of a program's environment
    #[arg(long = "env", value_name = "LABEL:NAME=VALUE")]
    variables: Vec<String>,
    /// Stops when a sequential test (SPRT) has decided whether the first program is ELO0 or ELO1 points
    /// stronger than the second
    #[arg(long, value_name = "ELO0,ELO1", allow_hyphen_values = true)]
    sprt: Option<Hypotheses>,
    /// The chance that the test decides for ELO1 although ELO0 is true
    #[arg(long, value_name = "CHANCE", default_value_t = RISK, requires = "sprt")]
    alpha: f64,
    /// The chance that the test decides for ELO0 although ELO1 is true
    #[arg(long, value_name = "CHANCE", default_value_t = RISK, requires = "sprt")]
    beta: f64,
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
    #[arg(long, hide = !R::Rules::CALLS, value_name = "BOOL", num_args = 0..=1, require_equals = true, default_missing_value = "true")]
    pin: Option<bool>,
    /// Writes a page with the standings, live.html in the tournament's folder, every N games (10 if there
    /// is no N); a continued tournament keeps the page up to date
    #[arg(long, value_name = "N", num_args = 0..=1, require_equals = true, default_missing_value = "10", value_parser = clap::value_parser!(u64).range(1..))]
    live: Option<u64>,
    /// Plays a game again, up to N times, if this machine has failed and not a program
    #[arg(long, value_name = "N", default_value_t = 0)]
    retries: u32,
    /// Runs this command in a shell when the tournament has ended; `CONTEST_FOLDER` in its environment is the
    /// folder, `CONTEST_ENDING` is `complete` or `decided`
    #[arg(long, value_name = "COMMAND")]
    then: Option<String>,
    #[command(flatten)]
    isolation: IsolationArgs,
    /// Prints what would be played and how long it would take, but plays nothing
    #[arg(long)]
    dry_run: bool,
    /// Prints the standings as JSON
    #[arg(long)]
    json: bool,
}

/// The costs of a fault.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Faults {
    /// The game; with three and more players the others play on. In Eights and Hearts random cards are played for it, and
    /// it ranks last
    Forfeit,
    /// Nothing: the fault is counted, and a random legal action taken instead. In Eights and Hearts random cards are
    /// played for it from then on, and it ranks by its points
    Random,
}

/// The options of a contest's rules.
pub(crate) trait RulesArgs: ClapArgs {
    type Rules: TournamentGame;

    /// The rules that the options name.
    ///
    /// # Errors
    /// Wrong usage if a file cannot be read.
    fn asked(&self) -> anyhow::Result<Asked<Self>>;
}

/// Values of a contest's rules that options ask for.
type Asked<R> = <<R as RulesArgs>::Rules as TournamentGame>::Asked;

impl<R: RulesArgs> Args<R> {
    /// Plays the tournament's missing games and prints the standings.
    ///
    /// # Errors
    /// If the request makes no sense, or a game cannot be played or written.
    pub(crate) fn run(self) -> anyhow::Result<()> {
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        let stop = interrupt::requested();
        let outside = |text: &String| !R::Rules::entered(text).is_ok_and(|one| one.is_builtin());
        // A command that continues a tournament need not name the programs.
        let before = settings::<R::Rules>(&self.out);
        let joined =
            |known: &Settings<R::Rules>| known.programs.iter().any(|one| !one.is_builtin());
        let any = self.programs.iter().any(outside) || before.as_ref().is_ok_and(joined);
        let request = self.request()?;
        let secrets = [Some(self.out.as_path()), self.seed.file()];
        let confinement = self.isolation.confinement(any, &secrets)?;
        self.check(&request)?;
        // A dry run must leave nothing behind, so a new tournament is opened in a temporary folder.
        let nowhere = match self.dry_run && is_new(&self.out) {
            true => Some(Place::new(&env::temp_dir())?),
            false => None,
        };
        let out = match &nowhere {
            Some(place) => &place.folder()?,
            None => &self.out,
        };
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
            // the seed's file may have changed meanwhile.
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
        if missing > 0 || self.dry_run {
            announce(&self.out, &tournament, cores, &anchor)?;
        }
        if self.dry_run {
            return Ok(());
        }
        if missing > 0 {
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
        tournament.settle()?;
        self.report(&tournament, ending, anchor)?;
        // The folder is free for the command.
        drop(tournament);
        match (&self.then, ending) {
            (None, _) | (_, Ending::Stopped) => Ok(()),
            (Some(command), Ending::Complete) => then(command, &self.out, "complete"),
            (Some(command), Ending::Decided) => then(command, &self.out, "decided"),
        }
    }

    /// Checks the folder and, of a new tournament, the request and the options that are not settings: a tournament that is
    /// refused must not leave a folder behind, and the error names the folder that was asked for.
    ///
    /// # Errors
    /// Wrong usage if the request makes no sense, or an option does not fit the tournament.
    fn check(&self, request: &Request<Asked<R>>) -> anyhow::Result<()> {
        // Results there would change the program.
        let program = |one: &ParticipantRecord| Program::find(Path::new(&one.program));
        let changed =
            |one: &&ParticipantRecord| program(one).is_ok_and(|one| one.includes(&self.out));
        if let Some(one) = request.programs.iter().find(changed) {
            refuse!(
                "--out {}: it is in the folder of {}, whose files must not change: expected another folder",
                self.out.display(),
                one.label
            );
        }
        if !is_new(&self.out) {
            return Ok(());
        }
        let begun = Folder::<R::Rules>::begun(&self.out, request.clone());
        let settings = begun.map_err(|error| usage(error.into()))?;
        anchor(self.anchor.as_deref(), &settings.labels())?;
        if let Some(hypotheses) = self.sprt {
            sequential_test(&settings, hypotheses, [self.alpha, self.beta]).map_err(usage)?;
        }
        Ok(())
    }

    /// Opens the tournament in the folder `out`, with the sequential test if there is one.
    fn open(
        &self,
        out: &Path,
        request: Request<Asked<R>>,
        cores: usize,
        confinement: Option<Confinement>,
    ) -> anyhow::Result<Tournament<R::Rules>> {
        let opened = Tournament::open(out, request, cores, confinement);
        let mut tournament = opened.map_err(usage)?.retrying(self.retries);
        if let Some(hypotheses) = self.sprt {
            tournament
                .stop_when_decided(hypotheses, [self.alpha, self.beta])
                .map_err(usage)?;
        }
        Ok(tournament)
    }

    /// The named programs, with the fingerprints of their versions.
    fn examined(&self) -> anyhow::Result<Vec<ParticipantRecord>> {
        let mut programs: Vec<ParticipantRecord> = Vec::new();
        for text in &self.programs {
            programs.push(R::Rules::entered(text).map_err(Usage::of)?);
        }
        set_variables(&mut programs, &self.variables)?;
        set_times(&mut programs, &self.time_of)?;
        let examined = programs.into_iter().map(|participant| {
            R::Rules::examined(participant).map_err(|error| Usage::of(error).into())
        });
        examined.collect()
    }

    /// The request that the options make.
    fn request(&self) -> anyhow::Result<Request<Asked<R>>> {
        let unknown = [
            ("--patience", self.patience.is_some()),
            ("--pin", self.pin.is_some()),
        ];
        if let Some((option, _)) = unknown
            .iter()
            .find(|(_, is_given)| *is_given && !R::Rules::CALLS)
        {
            refuse!(
                "{option}: {} has programs that stay for a game; name only --time",
                R::Rules::TITLE
            );
        }
        let is_new = !self.out.join(SETTINGS).exists();
        // Only a new tournament gets the larger default; a continued one keeps its games.
        let until_decided = (is_new && self.sprt.is_some()).then_some(UNTIL_DECIDED);
        Ok(Request {
            programs: self.examined()?,
            players: self.players.clone(),
            format: self.format,
            rounds: self.rounds,
            games: self.games.or(until_decided),
            rules: self.rules.asked()?,
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
        let is_there = || self.out.join(PAGE).exists();
        self.live.or_else(|| is_there().then_some(LIVE))
    }

    /// The requested seed; for a new tournament a random one.
    fn seed(&self, is_new: bool) -> anyhow::Result<Option<u64>> {
        match self.seed.given()? {
            None if is_new => {
                // Shards on different machines would otherwise draw different seeds, and could not be merged.
                if self.shard.is_some_and(|shard| !shard.is_whole()) {
                    refuse!(
                        "--shard: all shards need the same seed: name it with --seed, or in a file \
                                with --seed-file, so that programs do not see it"
                    );
                }
                secret_seed().map(Some)
            }
            given => Ok(given),
        }
    }

    /// The options that the folder does not keep, as a shell reads them, each after a blank.
    fn typed(&self) -> String {
        let mut text = self.isolation.typed();
        let mut add = |option: &str, value: String| {
            text += &format!(" {option} {value}");
        };
        if let Some(Hypotheses { elo0, elo1 }) = self.sprt {
            add("--sprt", format!("{elo0},{elo1}"));
            add("--alpha", self.alpha.to_string());
            add("--beta", self.beta.to_string());
        }
        if self.retries > 0 {
            add("--retries", self.retries.to_string());
        }
        for (option, value) in [("--anchor", &self.anchor), ("--then", &self.then)] {
            value
                .iter()
                .for_each(|value| add(option, shell::word(value)));
        }
        text
    }

    /// Prints the standings, and the command that comes next.
    fn report(
        &self,
        tournament: &Tournament<R::Rules>,
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
            engine::note!("{}", sequential(&state));
        }
        let (name, folder) = (R::Rules::NAME, shell::argument(&self.out));
        engine::note!("seed {}", tournament.settings().seed);
        match ending {
            Ending::Complete | Ending::Decided => {
                engine::note!("the games: contest {name} report {folder}");
            }
            Ending::Stopped => {
                let options = self.typed();
                engine::note!("to go on: contest {name} tournament --out {folder}{options}");
            }
        }
        Ok(())
    }
}

/// Runs the command of `--then`. The folder is in its environment, so that no name of a folder can become a part of the
/// command.
fn then(command: &str, folder: &Path, ending: &str) -> anyhow::Result<()> {
    let folder = folder
        .canonicalize()
        .with_context(|| folder.display().to_string())?;
    let mut shell = std::process::Command::new("sh");
    shell.args(["-c", command]);
    shell
        .env("CONTEST_FOLDER", folder)
        .env("CONTEST_ENDING", ending);
    let status = shell.status().context("--then: cannot start sh")?;
    ensure!(
        status.success(),
        "the command of --then ended with {status}: {command}"
    );
    Ok(())
}

/// Plays the `missing` games, and shows the progress.
fn play<C: TournamentGame>(
    tournament: &mut Tournament<C>,
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
    let (watch, folder) = (tournament.watch(), live.as_ref().map(Live::folder));
    let mut play = || {
        tournament.play(jobs, |finished| {
            progress.finished(finished.scheduled, finished.result);
            if let Some(state) = finished.sequential {
                progress.note(sequential(&state));
            }
            if let Some(live) = &mut live {
                live.update(finished);
            }
            stop.flow()
        })
    };
    // A thread of its own shows the games under way, which may take long, while no game ends.
    let outcome = thread::scope(|scope| {
        let (end, until) = mpsc::channel();
        if let Some(folder) = &folder {
            scope.spawn(move || show_games::<C>(folder, &watch, &until));
        }
        let outcome = play();
        drop(end);
        outcome
    });
    progress.clear();
    // The last page shows the final state, even after an error.
    if let Some(live) = live {
        let standings = tournament.standings(live.anchor.clone()).map_err(usage);
        let written = standings.and_then(|now| live.write(tournament.settings(), &now));
        // The games count, whether anybody can watch them or not.
        if let Err(error) = written {
            engine::note!("warning: {error:#}");
        }
    }
    // If a program's files were changed, only a person can find out who did it.
    if let Err(TournamentError::Match(MatchError::Void { .. })) = &outcome {
        engine::note!(
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

/// Calls every program that has not played yet (see [`TournamentGame::warm_up`]). Returns whether any of them got time
/// to build itself.
fn warm_up_all<C: TournamentGame>(
    tournament: &Tournament<C>,
    confinement: Option<&Confinement>,
) -> anyhow::Result<bool> {
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
    C::warm_up(
        fresh.map(|(_, participant)| participant),
        settings.players[0].into(),
        &limits,
    )
}

/// The state of the sequential test in a line.
fn sequential(state: &State) -> String {
    let Hypotheses { elo0, elo1 } = state.hypotheses;
    format!(
        "sprt {elo0},{elo1}: {}, log likelihood ratio {:.2} of {:.2} to {:.2}: {}",
        counted(state.blocks, "block"),
        state.llr,
        state.lower,
        state.upper,
        state.decision
    )
}
