//! Flags and environment variables of `runme`, resolved into one configuration. Only
//! `RUNME_HOME`, set by the driver script, is read elsewhere (`engine::store`).

use clap::Parser;
use clap::builder::{OsStringValueParser, TypedValueParser};
use engine::watched::Job;
use std::convert::Infallible;
use std::env;
use std::ffi::OsString;
use std::fmt::Display;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::time::{Duration, Instant};

/// The longest time of a search, in seconds. The contest ends a call after 15.
const MAX_TIME: f64 = 13.0;
/// The time of a search in seconds, unless a flag or a variable says otherwise.
const DEFAULT_TIME: f64 = 5.0;
/// The gain, in percent, below which a search ends, unless a flag or a variable says otherwise.
const DEFAULT_ENOUGH: f64 = 0.02;
/// The seed of the sampled cards, unless a flag or a variable says otherwise.
const DEFAULT_SEED: u64 = 1;
/// The most threads. More would only cost memory.
const MAX_THREADS: usize = 256;

/// Reads a game of Cartagena on standard input and prints one action.
///
/// The input is the contest's: the number of players, the board from `cell` to `boat`, the moves
/// so far, the player to move and that player's hand. The output is one line such as `2 0 7 hat`,
/// or nothing if there is nothing to do. Everything else goes to standard error.
#[derive(Debug, Parser)]
#[command(name = "runme", version, max_term_width = 100, after_help = AFTER)]
pub(super) struct Args {
    /// Show the position and the value of each action by the search, on standard error
    #[arg(long)]
    explain: bool,
    /// Seconds to think once a whole game is there [default: 5, at most 13; RUNME_TIME]
    #[arg(long, value_name = "SECONDS")]
    time: Option<f64>,
    /// Positions to visit: the search ends with the round that reaches them. With a seed and no caches
    /// the answer is then always the same [RUNME_NODES]
    #[arg(long, value_name = "N")]
    nodes: Option<u64>,
    /// Stop early when the rest of the time would raise the chance to win by less than this, in %; with 0 only
    /// certainty ends a search early [default: 0.02, with --nodes 0; RUNME_ENOUGH]
    #[arg(long, value_name = "PERCENT")]
    enough: Option<f64>,
    /// Threads to search with [default: one a core; RUNME_THREADS]
    #[arg(long, value_name = "N")]
    threads: Option<usize>,
    /// Seed of the sampled cards [default: 1; RUNME_SEED]
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
    /// Folder of caches, and of networks if it has any; with `none` networks come from the usual place and
    /// no cache is read or written [default: `support` beside the program, else in the current folder;
    /// RUNME_SUPPORT]
    #[arg(long, value_name = "DIR|none", value_parser = OsStringValueParser::new().try_map(folder))]
    support: Option<OsString>,
    /// Cards dealt to each player [default: what fits the hand, 3 if nothing does]
    #[arg(long, value_name = "N")]
    deal: Option<usize>,
    /// A pirate on the boat may not retreat
    #[arg(long)]
    no_boat_retreat: bool,
    /// End the turn early (no output) if that is legal and looks better
    #[arg(long)]
    allow_pass: bool,
    /// Refuse a game that breaks the rules instead of playing on
    #[arg(long)]
    strict: bool,
    /// Nothing: a file is read from standard input
    #[arg(hide = true, value_name = "FILE", value_parser = OsStringValueParser::new().try_map(no_file))]
    _file: Option<Infallible>,
}

const AFTER: &str = "Exit status: 0 answered, or nothing to answer (a finished game, no legal \
action); 1 a broken rule under --strict, or a failure; 2 unreadable input or wrong usage.\n\nA flag \
wins over its environment variable. An unreadable variable is a warning, and the default is used.\n\nExamples:\n  \
runme < game.txt\n  runme --explain --time 1 < game.txt";

/// The options of one call, from flags, variables and defaults.
#[derive(Debug, PartialEq)]
pub(super) struct Config {
    pub explain: bool,
    /// The time of the search, from its start.
    pub time: Duration,
    pub nodes: Option<u64>,
    /// The gain below which the search ends, in chances to win.
    pub enough: f64,
    pub threads: usize,
    pub seed: u64,
    pub support: Support,
    pub deal: Option<usize>,
    pub boat_retreat: bool,
    pub allow_pass: bool,
    pub strict: bool,
    pub warnings: Vec<String>,
}

/// The place of networks and caches.
#[derive(Debug, PartialEq)]
pub(super) enum Support {
    Usual,
    /// Networks from the usual folder, and no caches.
    NoCaches,
    /// Caches in this folder, and networks if it has any.
    Folder(PathBuf),
}

impl Config {
    /// The configuration that flags and environment variables ask for. A flag comes before its variable.
    pub(super) fn resolve(args: Args) -> Config {
        // A value that cannot be used costs a warning and not the answer. An option that cannot be parsed has already
        // ended the program.
        let mut warnings = Vec::new();
        let nodes = Setting {
            name: "nodes",
            expected: "a whole number from 1",
            default: "no limit",
        };
        let nodes = nodes.value(args.nodes, |&nodes| nodes > 0, &mut warnings);
        // With a limit of nodes alone the search should reach it: only the contest's clock ends it earlier, unless more
        // is asked for.
        let (default_time, default_enough) = match nodes {
            Some(_) => (MAX_TIME, 0.0),
            None => (DEFAULT_TIME, DEFAULT_ENOUGH),
        };
        let time = Setting {
            name: "time",
            expected: "seconds above 0, such as 0.5",
            default: default_time,
        };
        let time = time.given(args.time, positive, &mut warnings);
        let time = time.map_or(default_time, |(seconds, source)| {
            if seconds > MAX_TIME {
                warnings.push(format!(
                    "{source}: the contest ends a call after 15 s; using {MAX_TIME}"
                ));
            }
            seconds.min(MAX_TIME)
        });
        let enough = Setting {
            name: "enough",
            expected: "percent from 0 to 100, such as 0.02",
            default: default_enough,
        };
        let enough = enough.value(args.enough, percent, &mut warnings);
        let default_threads = cores().min(MAX_THREADS);
        let threads = Setting {
            name: "threads",
            expected: "a whole number from 1 to 256",
            default: default_threads,
        };
        let is_number_of_threads = |threads: &usize| (1..=MAX_THREADS).contains(threads);
        let threads = threads.value(args.threads, is_number_of_threads, &mut warnings);
        let seed = Setting {
            name: "seed",
            expected: "a whole number",
            default: DEFAULT_SEED,
        };
        let seed = seed.value(args.seed, |_| true, &mut warnings);
        let support = args.support.or_else(|| {
            let told = env::var_os("RUNME_SUPPORT").filter(|told| !told.is_empty())?;
            let warn =
                |error| warnings.push(format!("RUNME_SUPPORT: {error}; using the usual one"));
            folder(told).map_err(warn).ok()
        });
        Config {
            explain: args.explain,
            time: Duration::from_secs_f64(time),
            nodes,
            enough: enough.unwrap_or(default_enough) / 100.0,
            threads: threads.unwrap_or(default_threads),
            seed: seed.unwrap_or(DEFAULT_SEED),
            support: match support {
                None => Support::Usual,
                Some(folder) if folder == "none" => Support::NoCaches,
                Some(folder) => Support::Folder(folder.into()),
            },
            deal: args.deal,
            boat_retreat: !args.no_boat_retreat,
            allow_pass: args.allow_pass,
            strict: args.strict,
            warnings,
        }
    }
}

/// A setting that an option or a variable gives, in words for warnings.
struct Setting<'a, D> {
    /// `time` stands for `--time` and `RUNME_TIME`.
    name: &'a str,
    expected: &'a str,
    default: D,
}

impl<D: Display> Setting<'_, D> {
    /// The value of the option or, without one, of the variable; none if neither is given. If the value cannot be used
    /// there is none either, and a warning.
    fn value<T: FromStr + Display>(
        &self,
        option: Option<T>,
        valid: impl Fn(&T) -> bool,
        warnings: &mut Vec<String>,
    ) -> Option<T> {
        Some(self.given(option, valid, warnings)?.0)
    }

    /// As [`value`](Setting::value), with the source as warnings name it: `--time 20` or `RUNME_TIME=20`.
    fn given<T: FromStr + Display>(
        &self,
        option: Option<T>,
        valid: impl Fn(&T) -> bool,
        warnings: &mut Vec<String>,
    ) -> Option<(T, String)> {
        let name = self.name;
        let (value, source) = match option {
            Some(value) => {
                let source = format!("--{name} {value}");
                (Some(value), source)
            }
            None => {
                let name = format!("RUNME_{}", name.to_uppercase());
                // An empty variable counts as one that is not set.
                let text = env::var_os(&name).filter(|text| !text.is_empty())?;
                let text = text.to_string_lossy();
                (text.trim().parse().ok(), format!("{name}={text}"))
            }
        };
        let value = value.filter(valid);
        if value.is_none() {
            let Setting {
                expected, default, ..
            } = self;
            warnings.push(format!(
                "{source}: expected {expected}; using the default, {default}"
            ));
        }
        Some((value?, source))
    }
}

/// The name of an existing folder, or `none`. A missing one is refused: it was probably mistyped, and must not be
/// created.
///
/// # Errors
/// If nothing exists at that path.
fn folder(told: OsString) -> Result<OsString, String> {
    // A file in place of a folder passes: reading the caches will report it, and the player can answer without them.
    // A disk that gives no answer passes as well: it is probably slow, and the folder not missing.
    match told == "none" || exists(told.clone()).unwrap_or(true) {
        true => Ok(told),
        false => Err(format!("there is no folder {}", told.display())),
    }
}

/// Whether something exists at a path; none if the disk does not answer within a second.
fn exists(path: OsString) -> Option<bool> {
    let job = Job::spawn("files", move || Path::new(&path).exists()).ok()?;
    job.wait_until(Instant::now() + Duration::from_secs(1)).ok()
}

/// Refuses a file on the command line, with the way to give it instead.
fn no_file(told: OsString) -> Result<Infallible, String> {
    let told = told.display();
    Err(format!(
        "the game is read from standard input: ./runme < {told}"
    ))
}

/// The number of processors that this process may use, at least 1.
fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, std::num::NonZero::get)
}

/// Whether a number is a percentage.
fn percent(value: &f64) -> bool {
    (0.0..=100.0).contains(value)
}

/// Whether a time in seconds can be used: finite and above 0.
fn positive(seconds: &f64) -> bool {
    seconds.is_finite() && *seconds > 0.0
}
