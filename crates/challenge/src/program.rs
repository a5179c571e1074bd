//! The program `challenge`: its command line, the client that it runs, and the lines that it prints.

use crate::client::{By, Config, Notice, run};
use crate::equilibrium::blueprint::{HandGames, Tables};
use crate::equilibrium::endgame;
use crate::player::{Builtin, Memory};
use crate::protocol::Token;
use crate::rules::Decision;
use crate::view::{Asked, View};
use anyhow::Context;
use clap::{CommandFactory, Parser};
use engine::store::support_folder;
use engine::{arguments, rng, signals};
use std::env;
use std::future::poll_fn;
use std::io::{self, Write};
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;
use std::task::Poll;
use std::time::{Duration, SystemTime, UNIX_EPOCH};
use tokio::signal::unix::{Signal, SignalKind, signal};

/// How many unreadable messages of a connection are printed.
const MOST_UNREADABLE: u32 = 10;

/// The shortest time between two attempts to connect, in seconds: without any a server that is down would cost a
/// processor core.
const SHORTEST: f64 = 0.05;

/// How many void games of a greeting are printed.
const MOST_VOID: usize = 10;

/// Plays the challenge card game on a contest server until stopped.
#[derive(Debug, Parser)]
#[command(name = "challenge", version, max_term_width = 100, after_help = EXAMPLES)]
struct Args {
    /// The server, for instance 10.0.0.1:9999
    #[arg(value_name = "HOST:PORT", value_parser = address)]
    address: String,
    /// The built-in player; `blueprint` solves no endgames, and so needs next to no time
    #[arg(long, value_name = "NAME", default_value_t = Builtin::Equilibrium)]
    player: Builtin,
    /// Do not learn how opponents play to exploit their mistakes; only `blueprint` and `equilibrium` do so
    #[arg(long)]
    no_exploit: bool,
    /// A folder with tables to be used instead of those inside the program [default: support beside the
    /// program]
    #[arg(long, value_name = "FOLDER")]
    support: Option<PathBuf>,
    /// Threads that solve endgames [default: as many as the machine has cores]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u8).range(1..))]
    threads: Option<u8>,
    /// Seed of the player's random numbers; without it they differ every time
    #[arg(long)]
    seed: Option<u64>,
    /// Print a line for every decision
    #[arg(short, long)]
    verbose: bool,
    /// Seconds between attempts to connect, at least 0.05; a contest's server refuses less than 5
    #[arg(long, value_name = "S", default_value_t = Config::WAIT.as_secs_f64(), value_parser = seconds)]
    wait: f64,
    /// The team's secret, if the contest gave it one. Other users of this machine cannot see it in the
    /// environment [CHALLENGE_TOKEN]
    #[arg(long, value_name = "TOKEN")]
    token: Option<Token>,
}

/// The variable of the environment for the team's secret.
const TOKEN: &str = "CHALLENGE_TOKEN";

/// The exit status for wrong usage, as clap's.
const WRONG_USAGE: u8 = 2;

/// The team's secret from the environment; none if the variable is not set or is empty.
///
/// # Errors
/// If the variable holds no token. The message does not contain it, since messages get into logs.
fn token_of_environment() -> Result<Option<Token>, String> {
    // clap would take an empty variable for a value, and print a wrong one.
    let Some(text) = env::var_os(TOKEN).filter(|text| !text.is_empty()) else {
        return Ok(None);
    };
    let length = text.to_string_lossy().chars().count();
    let wrong = |expected| format!("{TOKEN} has {length} characters: {expected}");
    let text = text
        .into_string()
        .map_err(|_| wrong("expected a token in UTF-8"))?;
    Token::new(&text).map(Some).map_err(wrong)
}

/// Checks the form of an address: the client would retry a wrong one for ever.
fn address(text: &str) -> Result<String, &'static str> {
    let is_port = |port: &str| port.parse::<u16>().is_ok_and(|port| port > 0);
    match text.rsplit_once(':') {
        Some((host, port)) if !host.is_empty() && is_port(port) => Ok(text.to_owned()),
        _ => Err("expected HOST:PORT, such as 10.0.0.1:9999"),
    }
}

const EXAMPLES: &str = "Examples:\n  challenge 127.0.0.1:9999\n  challenge 127.0.0.1:19999 --player blueprint --verbose";

/// The program's command line, for its manual and for shells.
pub fn command() -> clap::Command {
    Args::command()
}

/// Runs the `challenge` program with the process's arguments.
pub fn challenge() -> ExitCode {
    let args: Args = arguments::parse();
    let given = match args.token {
        Some(_) => Ok(args.token.clone()),
        None => token_of_environment(),
    };
    let token = match given {
        Ok(token) => token,
        Err(error) => {
            print(&error);
            return ExitCode::from(WRONG_USAGE);
        }
    };
    match play(Args { token, ..args }) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            print(&format!("{error:#}"));
            ExitCode::FAILURE
        }
    }
}

/// Runs the client until a signal asks to stop.
fn play(args: Args) -> anyhow::Result<()> {
    let config = Config {
        address: args.address,
        wait: Duration::from_secs_f64(args.wait.max(SHORTEST)),
        token: args.token,
    };
    let since = SystemTime::now().duration_since(UNIX_EPOCH);
    // Without a seed, the time: every run differs.
    let seed = args
        .seed
        .unwrap_or_else(|| since.map_or(0, |time| time.as_nanos() as u64));
    // A folder that is named must have tables: a misspelt one would be ignored in silence.
    if let Some(folder) = args
        .support
        .as_ref()
        .filter(|folder| !Tables::are_in(folder))
    {
        anyhow::bail!(
            "--support {}: expected a folder with tables, such as {}",
            folder.display(),
            HandGames::path(folder).display()
        );
    }
    let tables = Tables::new(args.support.unwrap_or_else(support_folder), print);
    // The global pool: the solver uses it from the player's thread.
    if let Some(threads) = args.threads {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads.into());
        pool.build_global().context("cannot start threads")?;
    }
    // The memory outlives connections and players: a player that panicked is made anew with it.
    let memory = Memory::default();
    let exploits = !args.no_exploit;
    let used = tables.clone();
    let make = move || match (args.player, rng::stream(seed, 0)) {
        (player, rng) if exploits => player.exploiter(&tables, &memory, rng),
        (player, rng) => player.player(&tables, rng),
    };
    // Loads and inflates the tables before the client connects: from then on the game's clock runs, and on a loaded
    // machine a table took most of a second.
    drop(make());
    used.inflate();
    endgame::prepare();
    let mut log = Log::new(args.verbose);
    // One thread is enough for one connection; the player has another.
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .context("cannot start")?;
    runtime.block_on(async {
        tokio::select! {
            () = run(&config, Arc::new(make), |notice| log.take(&notice)) => Ok(()),
            stopped = stop() => stopped,
        }
    })?;
    log.end();
    Ok(())
}

/// Waits for a signal that asks to stop, see [`StopSignals`].
///
/// # Errors
/// If no signals can be waited for.
pub async fn stop() -> anyhow::Result<()> {
    let mut signals = StopSignals::new().context("cannot wait for signals")?;
    signals.recv().await;
    Ok(())
}

/// The signals that ask a process to stop: SIGTERM, SIGINT (Ctrl-C) and SIGHUP (a closed terminal).
///
/// SIGINT and SIGHUP stay ignored if they were so when the process started: `nohup` and shells that start a job in
/// the background ask for that.
#[derive(Debug)]
pub struct StopSignals(Vec<Signal>);

impl StopSignals {
    /// From now on these signals do not end the process, and [`recv`](StopSignals::recv) reports them. Call it
    /// inside a runtime.
    ///
    /// # Errors
    /// If the operating system grants no handler.
    pub fn new() -> io::Result<StopSignals> {
        // SIGTERM is always heeded, even if the process started with it ignored.
        let optional = [SignalKind::interrupt(), SignalKind::hangup()];
        let heeded = optional
            .into_iter()
            .filter(|kind| !signals::is_ignored(kind.as_raw_value()));
        let kinds = heeded.chain([SignalKind::terminate()]);
        Ok(StopSignals(kinds.map(signal).collect::<io::Result<_>>()?))
    }

    /// Waits for the next signal. Several at once may be reported as one.
    pub async fn recv(&mut self) {
        poll_fn(|context| {
            let mut signals = self.0.iter_mut();
            match signals.any(|signal| signal.poll_recv(context).is_ready()) {
                true => Poll::Ready(()),
                false => Poll::Pending,
            }
        })
        .await;
    }
}

/// Prints a line on standard error. A failure is ignored, so that the player plays on.
fn print(text: &str) {
    let _ = writeln!(std::io::stderr(), "challenge: {}", escaped(text));
}

/// The text with an escape, such as `\n` or `\u{1b}`, for each character that a terminal might obey: control
/// characters, marks that change the direction of text, and invisible separators of lines. A server's texts, which some
/// lines quote, may have any.
fn escaped(text: &str) -> String {
    let mut line = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '\u{61c}'
            | '\u{200e}'
            | '\u{200f}'
            | '\u{2028}'..='\u{202e}'
            | '\u{2066}'..='\u{2069}' => {
                line.extend(c.escape_unicode());
            }
            _ if c.is_control() => line.extend(c.escape_default()),
            _ => line.push(c),
        }
    }
    line
}

/// Prints the client's notices, and counts games.
struct Log {
    verbose: bool,
    /// The last attempt's failure, which is printed once and not at every attempt.
    lost: Option<String>,
    /// Whether the server has just refused the connection.
    refused: bool,
    unreadable: u32,
    games: u32,
    won: u32,
}

impl Log {
    fn new(verbose: bool) -> Log {
        Log {
            verbose,
            lost: None,
            refused: false,
            unreadable: 0,
            games: 0,
            won: 0,
        }
    }

    /// Prints a notice, unless the settings suppress it.
    fn take(&mut self, notice: &Notice) {
        match notice {
            Notice::Connected(greeting) => {
                // The limit counts for each connection.
                self.unreadable = 0;
                self.lost = None;
                self.refused = false;
                print(&format!("connected as team {}", greeting.team_id));
                for game in greeting.void_games.iter().take(MOST_VOID) {
                    print(&format!(
                        "game {game} is void: the server was stopped in it"
                    ));
                }
            }
            Notice::Refused(_) | Notice::Lost(_) | Notice::Closed => {
                if let Some(text) = self.failure(notice) {
                    print(&text);
                }
            }
            Notice::Decided {
                view,
                decision,
                by,
                took,
            } => self.decided(view, *decision, *by, *took),
            Notice::GameOver { last, won } => self.game_over(*last, *won),
            Notice::Fault(reason) => print(&format!("the server reports a fault: {reason}")),
            Notice::Unreadable(text) => self.unreadable(text),
        }
    }

    /// The line for a refusal or the end of a connection; none if the last attempt failed in the same way.
    fn failure(&mut self, notice: &Notice) -> Option<String> {
        let was_refused =
            std::mem::replace(&mut self.refused, matches!(notice, Notice::Refused(_)));
        let text = match notice {
            Notice::Refused(refusal) => format!(
                "the server refuses this connection, which it sees from {}: {}",
                refusal.seen_host, refusal.message
            ),
            // The server ends a connection that it refuses.
            _ if was_refused => return None,
            Notice::Lost(error) => format!("{error}; this program tries again until it is stopped"),
            _ => "the server has closed the connection".to_owned(),
        };
        let before = self.lost.replace(text.clone());
        (before.as_ref() != Some(&text)).then_some(text)
    }

    fn decided(&self, view: &View, decision: Decision, by: By, took: Duration) {
        let remark = match by {
            By::Player { iterations: 0 } => String::new(),
            By::Player { iterations } => format!(", its endgame solved by {iterations} iterations"),
            By::Watchdog => ", without the player: it took too long or died".to_owned(),
            By::Correction(wrong) => {
                format!(", without the player: it chose {wrong:?}, which is not legal")
            }
        };
        // A decision without the player is always printed: it is a failure.
        if self.verbose || !matches!(by, By::Player { .. }) {
            print(&format!(
                "{}: {}{remark} ({:.1} ms, {:.2} s left)",
                describe(view),
                name(decision),
                1e3 * took.as_secs_f64(),
                view.remaining.saturating_sub(took).as_secs_f64()
            ));
        }
    }

    fn game_over(&mut self, last: Option<&View>, won: bool) {
        self.games += 1;
        self.won += u32::from(won);
        let result = if won { "won" } else { "lost" };
        let which = last.map_or(String::new(), |view| {
            format!(
                " {} against {}, from {} : {} in hand {}",
                view.game_id, view.opponent_id, view.own_points, view.their_points, view.hand_id
            )
        });
        print(&format!(
            "{result} game{which}; {} of {} won",
            self.won, self.games
        ));
    }

    fn unreadable(&mut self, text: &str) {
        self.unreadable += 1;
        if self.unreadable <= MOST_UNREADABLE {
            // The text may quote a value of the message, which may have a megabyte.
            print(&format!("unreadable message: {text:.300}"));
        }
        if self.unreadable == MOST_UNREADABLE {
            print("further unreadable messages of this connection are not printed");
        }
    }

    fn end(&self) {
        print(&format!(
            "stopped; {} of {} games won",
            self.won, self.games
        ));
    }
}

/// A view in one line: the game, the score, tricks, cards, and the situation.
fn describe(view: &View) -> String {
    let table = match (view.their_card, view.own_card, view.asked) {
        (Some(card), ..) => format!(", follows {card}"),
        (_, Some(card), _) => format!(", offered after its {card}"),
        (.., Asked::Answer) => ", offered".to_owned(),
        _ => ", leads".to_owned(),
    };
    let challenge = if view.in_challenge { ", challenge" } else { "" };
    format!(
        "game {} hand {} ({} : {}), tricks {} : {}{challenge}, holds {}{table}",
        view.game_id,
        view.hand_id,
        view.own_points,
        view.their_points,
        view.own_tricks,
        view.their_tricks,
        view.cards
    )
}

/// A decision in words, as the log prints it.
fn name(decision: Decision) -> String {
    match decision {
        Decision::Play(card) => format!("plays {card}"),
        Decision::Offer => "offers a challenge".to_owned(),
        Decision::Accept => "accepts".to_owned(),
        Decision::Reject => "rejects".to_owned(),
    }
}

/// The longest time that can be set, in seconds: a year. Sums of such times do not overflow.
pub const LONGEST: u64 = 366 * 24 * 3600;

/// Reads a number of seconds, with decimals, for command lines.
///
/// # Errors
/// If it is not a number, negative, or more than a year.
pub fn seconds(text: &str) -> Result<f64, String> {
    match text.parse() {
        Ok(time) if (0.0..=LONGEST as f64).contains(&time) => Ok(time),
        _ => Err(format!("expected a number of seconds from 0 to {LONGEST}")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::protocol::{ProtocolError, Refusal};

    #[test]
    fn an_address_has_a_host_and_a_port() {
        for right in ["10.0.0.1:9999", "contest.example:1", "[::1]:65535"] {
            assert_eq!(address(right).as_deref(), Ok(right));
        }
        for wrong in [
            "",
            "host",
            "host:",
            ":9999",
            "host:0",
            "host:65536",
            "host:x",
        ] {
            assert!(address(wrong).is_err(), "{wrong}");
        }
    }

    /// A server that is down or refuses the client gives one line, however often the client tries to connect.
    #[test]
    fn a_failure_that_lasts_is_printed_once() {
        let mut log = Log::new(false);
        let refusal = Refusal {
            seen_host: "192.0.2.7".to_owned(),
            message: "no team".to_owned(),
        };
        let (refused, long) = (Notice::Refused(&refusal), ProtocolError::TooLong);
        let (closed, lost) = (Notice::Closed, Notice::Lost(&long));
        let attempts = [
            (&refused, "the server refuses"),
            (&closed, ""),
            (&refused, ""),
            (&lost, ""),
            (&closed, "the server has closed"),
            (&closed, ""),
            (&lost, "a frame is longer"),
            (&lost, ""),
            (&refused, "the server refuses"),
        ];
        for (at, (notice, expected)) in attempts.into_iter().enumerate() {
            let text = log.failure(notice).unwrap_or_default();
            assert_eq!(text.is_empty(), expected.is_empty(), "{at}: {text}");
            assert!(text.starts_with(expected), "{at}: {text}");
        }
    }

    /// A terminal obeys nothing in a line, and a line stays one.
    #[test]
    fn control_characters_are_escaped() {
        let text = "10.2\u{1b}[2J\n.88: ü \\ \"x\"\u{7}\r\u{202e}\u{9b}";
        let expected = r#"10.2\u{1b}[2J\n.88: ü \ "x"\u{7}\r\u{202e}\u{9b}"#;
        assert_eq!(escaped(text), expected);
    }

    #[test]
    fn seconds_are_neither_negative_nor_endless() {
        assert_eq!(seconds("5.2"), Ok(5.2));
        assert_eq!(seconds("0"), Ok(0.0));
        for wrong in ["-1", "nan", "inf", "1e19", "5s", ""] {
            assert!(seconds(wrong).is_err(), "{wrong}");
        }
    }
}
