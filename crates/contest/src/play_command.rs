//! The command `contest play`: tables for all four games, served to browsers or played in this terminal.
//!
//! This file reads the options, makes participants of the programs that may take seats, and hands the four games
//! to the crate `tables`, which keeps the tables and serves them. `contest cartagena play` uses it too where a person
//! takes part (`cartagena`).

use crate::cartagena::Participant;
use crate::cartagena::table::LEVELS;
use crate::challenge::pairing;
use crate::challenge::table::Conditions;
use crate::eights::matches::Eights;
use crate::hearts::matches::Hearts;
use crate::isolation::IsolationArgs;
use crate::tricks::{self, Contest};
use crate::{Usage, shell};
use anyhow::Context;
use arena::input;
use arena::labels;
use arena::participant::BUILTIN;
use arena::process::Confinement;
use cartagena::evaluation::Evaluators;
use challenge::equilibrium::blueprint::Tables;
use clap::{Args as ClapArgs, ValueEnum};
use engine::store::support_folder;
use seats::cartagena::participant::{CallLimits, Called as _, ParticipantRecord};
use seats::cartagena::players::builtin;
use seats::cli::numbers::seconds_above_none;
use std::collections::BTreeSet;
use std::env;
use std::io::{IsTerminal, Write};
use std::net::{IpAddr, Ipv4Addr, SocketAddr, TcpListener};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::thread;
use std::time::Duration;
use tables::terminal::{self, Output, TerminalError, Wanted};
use tables::{House, Kind, LARGEST, serve};

/// Serves tables to sit down at in a browser: against the built-in players at several strengths, against
/// friends, or both. Prints the address to open, which holds a secret, and opens it. Or plays in this
/// terminal.
///
/// Games are kept, and continue when the command is run again.
#[derive(Debug, ClapArgs)]
pub(crate) struct Args {
    /// Address to listen on; `0.0.0.0` lets friends on the same network in by their links
    #[arg(long, value_name = "ADDRESS", default_value_t = IpAddr::V4(Ipv4Addr::LOCALHOST))]
    bind: IpAddr,
    /// Port [default: a free one]
    #[arg(
        long,
        value_name = "PORT",
        default_value_t = 0,
        hide_default_value = true
    )]
    port: u16,
    /// The name by which a proxy in front of this server is reached, such as games.example; may be given again. Requests to
    /// other names are refused
    #[arg(long = "host", value_name = "NAME", value_parser = host_name)]
    hosts: Vec<String>,
    /// Prints the address, but opens no browser
    #[arg(long)]
    no_open: bool,
    #[command(flatten)]
    common: Common,
    /// Plays in this terminal, without a server: you against the programs that are named, and built-in players
    /// on all other seats
    #[arg(long, conflicts_with_all = ["bind", "port", "hosts", "no_open"])]
    terminal: bool,
    #[command(flatten)]
    sitting: Sitting,
}

/// The options of tables in a browser and in a terminal.
#[derive(Debug, ClapArgs)]
struct Common {
    /// Folder that games are kept in [default: contest/tables in the folder for programs' state]
    #[arg(long, value_name = "DIR")]
    tables: Option<PathBuf>,
    /// A program that can take a seat, of Cartagena unless GAME is challenge, hearts or eights. As in a
    /// match of that game: a folder with a `runme`, an executable, or a built-in player such as
    /// `builtin:NAME[,key=value…]`; may be given again
    #[arg(long = "program", value_name = "[GAME:]LABEL=PROGRAM")]
    programs: Vec<String>,
    /// Seconds an action of such a program may take [default: 15 in Cartagena, 2 in the challenge game, 5 in
    /// Hearts, 4 in Tricky Eights]
    #[arg(long, value_name = "SECONDS", value_parser = seconds_above_none)]
    time: Option<Duration>,
    #[command(flatten)]
    isolation: IsolationArgs,
}

/// A table in a terminal.
#[derive(Debug, ClapArgs)]
struct Sitting {
    /// The game: cartagena, challenge, hearts or eights. The page opens with it, or the terminal plays it
    #[arg(value_name = "GAME", default_value = CARTAGENA)]
    game: String,
    /// How many play in the terminal, you among them [default: as few as the game and the programs allow]
    #[arg(long, value_name = "N", requires = "terminal", value_parser = clap::value_parser!(u8).range(1..))]
    seats: Option<u8>,
    /// The level of the built-in players in the terminal, from 1 [default: the middle one]
    #[arg(long, value_name = "LEVEL", requires = "terminal")]
    level: Option<usize>,
    /// Seed of all chance in the terminal [default: another one every time]
    #[arg(long, value_name = "SEED", requires = "terminal")]
    seed: Option<u64>,
    /// A rule in addition to the contest's, in the terminal: `passing` in Hearts, `open-hands` or `four-pirates` in
    /// Cartagena; may be given again
    #[arg(long = "rule", value_name = "RULE", requires = "terminal")]
    rules: Vec<String>,
    /// Continues in the terminal the game of this number, or the latest
    #[arg(long, value_name = "ID", requires = "terminal", num_args = 0..=1, conflicts_with_all = ["game", "seats", "level", "seed", "rules"])]
    resume: Option<Option<String>>,
    /// Opens in the terminal a file that the browser opens, too, such as a record or a position. You have the seat that
    /// acts next, the strongest players have the others
    #[arg(long, value_name = "FILE", requires = "terminal", conflicts_with_all = ["seats", "level", "seed", "rules", "resume", "programs"])]
    open: Option<PathBuf>,
    /// Whether the terminal gets colours; `auto` asks it, and the variable NO_COLOR
    #[arg(
        long,
        value_name = "WHEN",
        requires = "terminal",
        default_value = "auto"
    )]
    colour: Colour,
}

impl Sitting {
    /// An option that was given for a table in a terminal, if any was.
    fn named(&self) -> Option<&'static str> {
        let given = [
            ("--seats", self.seats.is_some()),
            ("--level", self.level.is_some()),
            ("--seed", self.seed.is_some()),
            ("--rule", !self.rules.is_empty()),
            ("--resume", self.resume.is_some()),
            ("--open", self.open.is_some()),
        ];
        given.into_iter().find(|one| one.1).map(|one| one.0)
    }
}

/// The game that is played if none is named.
const CARTAGENA: &str = "cartagena";

/// Reads the value of `--host`: the name of a machine, without a scheme, a port or a path.
fn host_name(text: &str) -> Result<String, String> {
    // The server compares this name with the host of each request, so nothing else may be part of it.
    let is_part = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '.';
    match !text.is_empty() && text.chars().all(is_part) {
        true => Ok(text.to_owned()),
        false => Err("expected a name such as games.example".to_owned()),
    }
}

/// Whether there are colours.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum Colour {
    Auto,
    Always,
    Never,
}

impl Args {
    /// Serves tables until the process is stopped, or with `--terminal` plays at one table here.
    pub(crate) fn run(self) -> anyhow::Result<()> {
        if self.terminal {
            return sit(&self.common, self.sitting, 0);
        }
        // clap lets these pass beside an option that conflicts with `--terminal`.
        if let Some(option) = self.sitting.named() {
            refuse!("{option}: only with --terminal, for a table in this terminal");
        }
        let folder = folder(self.common.tables.clone())?;
        let kinds = kinds(self.common.participants()?);
        terminal::kind(&kinds, &self.sitting.game).map_err(mended)?;
        // From here on Ctrl-C also ends the programs at the tables, which do not get it themselves.
        crate::interrupt::ends_all();
        let report = |line: &str| engine::note!("contest: {line}");
        // As many searches run at a time as there are cores.
        let thinkers = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
        // A port that is taken is told first: opening the tables may take a while.
        let address = SocketAddr::new(self.bind, self.port);
        let listener =
            TcpListener::bind(address).with_context(|| format!("cannot listen on {address}"))?;
        let house = House::open(kinds, &folder, thinkers, report)?;
        let door = serve(listener, house, self.hosts.clone())?;
        let host = match door.address {
            // The server listens on every address of this machine; a browser here uses the loopback address.
            any if any.ip().is_unspecified() => {
                SocketAddr::new(Ipv4Addr::LOCALHOST.into(), any.port())
            }
            one => one,
        };
        // The page chooses the game after `#`; Cartagena needs no choice.
        let game = Some(&self.sitting.game).filter(|game| *game != CARTAGENA);
        let game = game.map_or(String::new(), |game| format!("#{game}"));
        let link = format!("http://{host}{}{game}", door.path);
        line!("{link}")?;
        std::io::stdout().flush()?;
        for name in &self.hosts {
            engine::note!("by its proxy: {name}{}", door.path);
        }
        // Friends cannot use the link printed above: its address may be the loopback, and its path holds the host's
        // secret.
        if !door.address.ip().is_loopback() {
            engine::note!(
                "friends reach this machine at its own address, port {}; give them the links of the \
                 tables, not this one",
                door.address.port()
            );
        }
        engine::note!(
            "games are kept in {}; Ctrl-C ends the server, not the games",
            folder.display()
        );
        if !self.no_open {
            open(format!("http://{host}{}{game}", door.once));
        }
        door.run()?;
        Ok(())
    }
}

/// The default time for a decision of a program of the challenge game, the same as in a contest.
const CHALLENGE: Duration = Duration::from_secs(2);
/// The time that a program of the challenge game has to connect.
const CONNECT: Duration = Duration::from_secs(30);
/// The default time for an action of a program of Cartagena.
const ACTION: Duration = Duration::from_secs(15);

/// The programs that may take seats, by game.
#[derive(Default)]
struct Programs {
    cartagena: Vec<Participant>,
    challenge: Vec<pairing::Participant>,
    /// The limits and the sandbox of the challenge game's programs.
    conditions: Conditions,
    hearts: Vec<tricks::Participant<<Hearts as Contest>::Policy>>,
    eights: Vec<tricks::Participant<<Eights as Contest>::Policy>>,
    /// The time for an action (`--time`); none if each game keeps its default.
    time: Option<Duration>,
}

impl Common {
    /// The command that goes on with a game in the terminal, but for the game's id.
    fn again(&self) -> String {
        let mut text = "contest play --terminal".to_owned();
        let mut add = |option: &str, value: &Path| {
            text += &format!(" {option} {}", shell::argument(value));
        };
        if let Some(folder) = &self.tables {
            add("--tables", folder);
        }
        for program in &self.programs {
            add("--program", Path::new(program));
        }
        if let Some(time) = self.time {
            add("--time", Path::new(&time.as_secs_f64().to_string()));
        }
        text + &self.isolation.typed()
    }

    /// Refuses programs of other games than the one that is played in the terminal.
    fn fits(&self, game: &str) -> anyhow::Result<()> {
        let mut typed = self.programs.iter().map(|text| of_game(text));
        match typed.find(|(of, _)| *of != game) {
            Some((of, program)) => {
                refuse!(
                    "--program {program}: expected a program of {game} and not of {of}: write {game}:{program}"
                );
            }
            None => Ok(()),
        }
    }

    /// The labels of programs that sit down in a game, in the order of their options. The same program can take
    /// several seats.
    fn labels(&self, kind: &Kind) -> Vec<String> {
        // The game has its programs in the order in which `participants` gave them to it, which is that of the
        // different ones. Example: of `a b a` these are `a b`, and the labels are those of a, b and a.
        let (labels, different) = (&kind.programs, self.different(kind.scene.name));
        let typed = self.programs.iter().map(|text| of_game(text).1);
        let number = |program| different.iter().position(|one| *one == program);
        let label = |program| labels.get(number(program)?).cloned();
        typed.filter_map(label).collect()
    }

    /// The different programs of a game.
    fn different(&self, game: &str) -> Vec<&str> {
        let mut different = Vec::new();
        for (of, program) in self.programs.iter().map(|text| of_game(text)) {
            if of == game && !different.contains(&program) {
                different.push(program);
            }
        }
        different
    }

    /// Reads the values of `--program`. Every game has participants of a type of its own.
    fn participants(&self) -> anyhow::Result<Programs> {
        let named = |game| self.different(game);
        let mut programs = Programs {
            time: self.time,
            ..Programs::default()
        };
        let cartagena = named(CARTAGENA);
        // Only if an external program takes part does the user need the notice about the sandbox.
        let any = cartagena.iter().any(|text| !text.contains("builtin:"));
        programs.hearts = of_tricks::<Hearts>(&named(Hearts::NAME))?;
        programs.eights = of_tricks::<Eights>(&named(Eights::NAME))?;
        let any = any || are_started(&programs.hearts) || are_started(&programs.eights);
        let confinement = self.isolation.confinement(any, &[self.tables.as_deref()])?;
        let limits = CallLimits::within(self.time.unwrap_or(ACTION), confinement.clone());
        for text in cartagena {
            let Ok(record) = text.parse::<ParticipantRecord>();
            let record = record.examined().map_err(Usage::of)?;
            // At a table nobody is shown all hands.
            if let Some(player) = record.program.strip_prefix(BUILTIN) {
                builtin::recipe_of(player).map_err(Usage::of)?;
            }
            let participant = record.participant(&limits).map_err(Usage::of)?;
            programs.cartagena.push(participant);
        }
        distinct(programs.cartagena.iter().map(|one| &one.label))?;
        confine(&mut programs.hearts, confinement.as_ref());
        confine(&mut programs.eights, confinement.as_ref());
        // Programs of the challenge game connect over the network, so their sandbox differs.
        let clients = named(CHALLENGE_NAME);
        let read = clients.iter().map(|text| pairing::participant(text));
        programs.challenge = read.collect::<Result<_, _>>().map_err(Usage::of)?;
        distinct(programs.challenge.iter().map(|one| &one.label))?;
        let any = programs.challenge.iter().any(|one| one.builtin().is_none());
        programs.conditions = Conditions {
            time: self.time.unwrap_or(CHALLENGE),
            patience: CONNECT,
            confinement: match any {
                true => self
                    .isolation
                    .confinement_of_clients(true, &[self.tables.as_deref()])?,
                false => None,
            },
        };
        Ok(programs)
    }
}

/// The name of the challenge game in front of its programs, as in `challenge:LABEL=PROGRAM`.
const CHALLENGE_NAME: &str = "challenge";

/// Splits `GAME:PROGRAM` into the game's name and the program. Without a game's name in front, the program plays
/// Cartagena; its colon may be that of `builtin:NAME`.
fn of_game(text: &str) -> (&str, &str) {
    let games = [CARTAGENA, CHALLENGE_NAME, Hearts::NAME, Eights::NAME];
    match text.split_once(':') {
        Some((game, rest)) if games.contains(&game) => (game, rest),
        _ => (CARTAGENA, text),
    }
}

/// Reads programs of a trick-taking game, written as for a match of this game.
fn of_tricks<C: Contest>(texts: &[&str]) -> anyhow::Result<Vec<tricks::Participant<C::Policy>>> {
    let read = texts.iter().map(|text| tricks::participant::<C>(text));
    let all: Vec<_> = read.collect::<Result<_, _>>().map_err(Usage::of)?;
    distinct(all.iter().map(|one| &one.label))?;
    // A player that sees all hands would be unfair at a table.
    if let Some(one) = all
        .iter()
        .find(|one| matches!(one.builtin(), Some(tricks::Mind::Cheat(_))))
    {
        refuse!("{} sees all hands: it plays only in matches", one.label);
    }
    Ok(all)
}

/// Whether any of these participants is an external program.
fn are_started<P>(all: &[tricks::Participant<P>]) -> bool {
    all.iter().any(|one| one.builtin().is_none())
}

/// Puts the external programs among these participants into the sandbox.
fn confine<P>(all: &mut [tricks::Participant<P>], confinement: Option<&Confinement>) {
    for one in all {
        if let arena::participant::Kind::Program(line) = &mut one.kind {
            *line = line.clone().confined(confinement.cloned());
        }
    }
}

/// Refuses labels that two programs of a game share, or that are easily confused.
fn distinct<'a>(labels: impl Iterator<Item = &'a String>) -> anyhow::Result<()> {
    let mut known = BTreeSet::new();
    for label in labels {
        if !known.insert(label) {
            refuse!("two programs are called {label}; write LABEL=PROGRAM");
        }
    }
    labels::check(known.into_iter().map(|label| &**label)).map_err(Usage::of)?;
    Ok(())
}

/// Begins a game in this terminal with the person on a seat, from 0, or continues one.
fn sit(common: &Common, sitting: Sitting, seat: usize) -> anyhow::Result<()> {
    if sitting.resume.is_none() {
        common.fits(&sitting.game)?;
    }
    let folder = folder(common.tables.clone())?;
    let kinds = kinds(common.participants()?);
    // From here on Ctrl-C also ends the programs at the table, which do not get it themselves.
    crate::interrupt::ends_all();
    let mut output = output(sitting.colour);
    let stdin = std::io::stdin().lock();
    let again = common.again();
    let played = match (sitting.resume, sitting.open) {
        (Some(id), _) => {
            let id = id.as_deref();
            terminal::resume(&kinds, &folder, id, again, stdin, &mut output).map_err(mended)
        }
        (None, Some(path)) => {
            let file = path.display();
            let kind = terminal::kind(&kinds, &sitting.game).map_err(mended)?;
            let text = input::read(&path, LARGEST as u64)
                .map_err(|error| Usage::new(format!("cannot read {file}: {error}")))?;
            terminal::open(&kinds, kind, &folder, &text, again, stdin, &mut output)
                .map_err(|error| mended(error).context(format!("{file}")))
        }
        (None, None) => {
            let kind = terminal::kind(&kinds, &sitting.game).map_err(mended)?;
            let wanted = Wanted {
                programs: common.labels(kind),
                game: sitting.game,
                seats: sitting.seats,
                seat,
                level: sitting.level,
                seed: sitting.seed,
                rules: sitting.rules,
            };
            terminal::begin(&kinds, &folder, &wanted, again, stdin, &mut output).map_err(mended)
        }
    };
    tables::wait_for_leaving();
    played
}

/// A person at the terminal who plays Cartagena against programs.
pub(crate) struct Person {
    /// The person's seat, from 0.
    pub seat: usize,
    /// The programs of the other seats in order; the player at its best level takes those that are left.
    pub programs: Vec<String>,
    pub seats: Option<u8>,
    pub seed: Option<u64>,
    /// The time that a program may take for an action.
    pub time: Duration,
    pub isolation: IsolationArgs,
}

/// Seats a person at the terminal, as `contest play --terminal` does.
pub(crate) fn cartagena(person: Person) -> anyhow::Result<()> {
    let common = Common {
        tables: None,
        programs: person.programs,
        time: Some(person.time),
        isolation: person.isolation,
    };
    let sitting = Sitting {
        game: CARTAGENA.to_owned(),
        seats: person.seats,
        level: Some(LEVELS),
        seed: person.seed,
        rules: Vec::new(),
        resume: None,
        open: None,
        colour: Colour::Auto,
    };
    sit(&common, sitting, person.seat)
}

/// Turns errors that the user can correct into wrong usage.
fn mended(error: TerminalError) -> anyhow::Error {
    match error {
        TerminalError::Game { .. } | TerminalError::Setup(_) | TerminalError::NoTable(_) => {
            Usage::of(error).into()
        }
        other => other.into(),
    }
}

/// The four games as the tables need them, with the programs that may take seats.
fn kinds(programs: Programs) -> Vec<Arc<Kind>> {
    let report = |line: &str| engine::note!("contest: {line}");
    let evaluators = Arc::new(Evaluators::installed(report));
    let tables = Tables::new(support_folder(), report);
    let time = |usual: Duration| programs.time.unwrap_or(usual);
    let kinds = [
        crate::cartagena::table::kind(evaluators, programs.cartagena),
        crate::challenge::table::kind(tables, programs.challenge, programs.conditions),
        tricks::table::kind::<Hearts>(programs.hearts, time(Hearts::TIME)),
        tricks::table::kind::<Eights>(programs.eights, time(Eights::TIME)),
    ];
    kinds.map(Arc::new).into()
}

/// Standard output, with colours and drawing in place as far as the terminal allows them.
fn output(colour: Colour) -> Output {
    let out = std::io::stdout();
    let size = terminal_size::terminal_size();
    // Drawing in place needs 80 columns and 24 lines.
    let is_large = size.is_some_and(|(wide, high)| wide.0 >= 80 && high.0 >= 24);
    let coloured = match colour {
        Colour::Auto => anstream::AutoStream::choice(&out) != anstream::ColorChoice::Never,
        Colour::Always => true,
        Colour::Never => false,
    };
    let in_place = out.is_terminal() && is_large;
    Output::new(Box::new(out), in_place, coloured)
}

/// The folder that games are kept in: the named one, or the usual one.
fn folder(named: Option<PathBuf>) -> anyhow::Result<PathBuf> {
    Ok(match named {
        Some(folder) => folder,
        None => usual_folder().ok_or_else(|| {
            Usage::new("--tables: HOME is not set; name a folder to keep the games in")
        })?,
    })
}

/// The usual folder of the games: `contest/tables` in the folder for programs' state.
fn usual_folder() -> Option<PathBuf> {
    let set = |name| {
        env::var_os(name)
            .filter(|value| !value.is_empty())
            .map(PathBuf::from)
    };
    // In the order of the XDG specification: the variable, then its default in the home folder.
    let state = set("XDG_STATE_HOME").or_else(|| Some(set("HOME")?.join(".local/state")));
    state
        .or_else(|| set("LOCALAPPDATA"))
        .map(|folder| folder.join("contest/tables"))
}

/// Opens a page in the preferred browser. A failure is ignored, as the address has been printed.
fn open(link: String) {
    let (program, arguments): (&str, &[&str]) = if cfg!(target_os = "macos") {
        ("open", &[])
    } else if cfg!(windows) {
        ("rundll32", &["url.dll,FileProtocolHandler"])
    } else {
        ("xdg-open", &[])
    };
    let mut command = Command::new(program);
    command
        .args(arguments)
        .arg(link)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        // Ctrl-C here must not end a browser that this call starts.
        .process_group(0);
    // It is waited for, perhaps until the browser is closed: nobody else would.
    thread::spawn(move || command.status());
}

#[cfg(test)]
mod tests;
