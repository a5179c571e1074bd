//! `contest play`

use crate::Usage;
use crate::cartagena::Participant;
use crate::cartagena::table::Cartagena;
use crate::cartagena::tournament::{CallLimits, ParticipantRecord};
use crate::challenge::table::Challenge;
use crate::eights::matches::Eights;
use crate::hearts::matches::Hearts;
use crate::isolation::IsolationArgs;
use crate::play::terminal::{self, Output, TerminalError, Wanted};
use crate::play::{House, Kind, serve};
use crate::tricks::table::OnTable;
use anyhow::Context;
use cartagena::evaluation::Evaluators;
use challenge::equilibrium::blueprint::Tables;
use clap::{Args as ClapArgs, ValueEnum};
use engine::store::support_folder;
use std::env;
use std::io::{IsTerminal, Write};
use std::net::{IpAddr, Ipv4Addr, SocketAddr, TcpListener};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::time::Duration;

/// Serves tables to sit down at in a browser: against the built-in players at several strengths, against
/// friends, or both. Prints the address to open, which holds a secret, and opens it. Or plays in this
/// terminal.
///
/// Games are kept, and go on when the command is run again.
#[derive(Debug, ClapArgs)]
pub(crate) struct Args {
    /// Address to listen on; `0.0.0.0` lets friends on the same network in by their links
    #[arg(long, value_name = "ADDRESS", default_value_t = IpAddr::V4(Ipv4Addr::LOCALHOST))]
    bind: IpAddr,
    /// Port [default: a free one]
    #[arg(long, value_name = "PORT", default_value_t = 0)]
    port: u16,
    /// Opens no browser
    #[arg(long)]
    no_open: bool,
    /// Folder that games are kept in [default: contest/tables in the folder for programs' state]
    #[arg(long, value_name = "DIR")]
    tables: Option<PathBuf>,
    /// A program of Cartagena that can sit down as well: a folder with a `runme`, an executable, or
    /// `builtin:NAME[,key=value…]`; may be given again
    #[arg(long = "program", value_name = "LABEL=PROGRAM")]
    programs: Vec<String>,
    /// Seconds an action of such a program may take
    #[arg(long, value_name = "SECONDS", default_value_t = 15.0)]
    time: f64,
    #[command(flatten)]
    isolation: IsolationArgs,
    /// Plays in this terminal, without a server: you against built-in players
    #[arg(long, conflicts_with_all = ["bind", "port", "no_open", "programs"])]
    terminal: bool,
    #[command(flatten)]
    sitting: Sitting,
}

/// A table in a terminal.
#[derive(Debug, ClapArgs)]
struct Sitting {
    /// The game in the terminal: cartagena, challenge, hearts or eights
    #[arg(value_name = "GAME", requires = "terminal", default_value = CARTAGENA)]
    game: String,
    /// How many play in the terminal, you among them [default: as few as the game allows]
    #[arg(long, value_name = "N", requires = "terminal")]
    seats: Option<usize>,
    /// The level of the others in the terminal, from 1 [default: the middle one]
    #[arg(long, value_name = "LEVEL", requires = "terminal")]
    level: Option<usize>,
    /// Seed of all chance in the terminal [default: another one every time]
    #[arg(long, value_name = "SEED", requires = "terminal")]
    seed: Option<u64>,
    /// Goes on in the terminal with the game of this number, or with the latest
    #[arg(long, value_name = "ID", requires = "terminal", num_args = 0..=1, conflicts_with_all = ["game", "seats", "level", "seed"])]
    resume: Option<Option<String>>,
    /// Whether the terminal gets colours; `auto` asks it, and the variable NO_COLOR
    #[arg(
        long,
        value_name = "WHEN",
        requires = "terminal",
        default_value = "auto"
    )]
    colour: Colour,
}

/// The game that is played if none is named.
const CARTAGENA: &str = "cartagena";

/// Whether there are colours.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum Colour {
    Auto,
    Always,
    Never,
}

impl Args {
    pub(crate) fn run(self) -> anyhow::Result<()> {
        let folder = folder(self.tables.clone())?;
        let kinds = kinds(self.participants()?);
        if self.terminal {
            return self.sitting.run(&kinds, &folder);
        }
        crate::interrupt::ends_all();
        let report = |line: &str| eprintln!("contest: {line}");
        let thinkers = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
        let house = House::open(kinds, &folder, thinkers, report)?;
        let address = SocketAddr::new(self.bind, self.port);
        let listener =
            TcpListener::bind(address).with_context(|| format!("cannot listen on {address}"))?;
        let door = serve(listener, house)?;
        let host = match door.address {
            // Every address of this machine; a browser here reaches it by the first.
            any if any.ip().is_unspecified() => {
                SocketAddr::new(Ipv4Addr::LOCALHOST.into(), any.port())
            }
            one => one,
        };
        let link = format!("http://{host}{}", door.path);
        line!("{link}")?;
        std::io::stdout().flush()?;
        if !door.address.ip().is_loopback() {
            eprintln!(
                "friends reach this machine at its own address, port {}; give them the links of the \
                 tables, not this one",
                door.address.port()
            );
        }
        eprintln!(
            "games are kept in {}; Ctrl-C ends the server, not the games",
            folder.display()
        );
        if !self.no_open {
            open(&link);
        }
        door.run()?;
        Ok(())
    }
}

impl Args {
    fn participants(&self) -> anyhow::Result<Vec<Participant>> {
        let time = Duration::try_from_secs_f64(self.time)
            .map_err(|error| Usage::new(format!("--time {}: {error}", self.time)))?;
        let any = self.programs.iter().any(|text| !text.contains("builtin:"));
        let limits = CallLimits::within(time, self.isolation.confinement(any)?);
        let mut participants: Vec<Participant> = Vec::new();
        for text in &self.programs {
            let Ok(record) = text.parse::<ParticipantRecord>();
            let participant = record
                .examined()
                .and_then(|record| record.participant(&limits))
                .map_err(Usage::of)?;
            if participants
                .iter()
                .any(|other| other.label == participant.label)
            {
                let label = &participant.label;
                let text = format!("two programs are called {label}; write LABEL=PROGRAM");
                return Err(Usage::new(text).into());
            }
            participants.push(participant);
        }
        Ok(participants)
    }
}

impl Sitting {
    fn run(self, kinds: &[Arc<dyn Kind>], folder: &Path) -> anyhow::Result<()> {
        let mut output = output(self.colour);
        let input = std::io::stdin().lock();
        let played = match self.resume {
            Some(id) => terminal::resume(kinds, folder, id.as_deref(), input, &mut output),
            None => {
                let wanted = Wanted {
                    game: self.game,
                    seats: self.seats,
                    level: self.level,
                    seed: self.seed,
                };
                terminal::begin(kinds, folder, &wanted, input, &mut output)
            }
        };
        played.map_err(mended)
    }
}

/// Sits the person at the terminal down against the player of Cartagena, as well as it can play.
pub(crate) fn cartagena(seats: Option<usize>, seed: Option<u64>) -> anyhow::Result<()> {
    let kinds = kinds(Vec::new());
    let player = kinds.iter().find(|kind| kind.name() == CARTAGENA);
    let wanted = Wanted {
        game: CARTAGENA.to_owned(),
        seats,
        level: player.map(|kind| kind.levels()),
        seed,
    };
    let input = std::io::stdin().lock();
    let mut output = output(Colour::Auto);
    let played = terminal::begin(&kinds, &folder(None)?, &wanted, input, &mut output);
    played.map_err(mended)
}

/// What the user can mend is wrong usage.
fn mended(error: TerminalError) -> anyhow::Error {
    match error {
        TerminalError::Game { .. } | TerminalError::Setup(_) | TerminalError::NoTable(_) => {
            Usage::of(error).into()
        }
        other => other.into(),
    }
}

/// The games that can be played at a table, with programs that can sit down in Cartagena.
fn kinds(programs: Vec<Participant>) -> Vec<Arc<dyn Kind>> {
    let report = |line: &str| eprintln!("contest: {line}");
    let evaluators = Arc::new(Evaluators::installed(report));
    let tables = Tables::new(support_folder(), report);
    vec![
        Arc::new(Cartagena::new(evaluators).with_programs(programs)),
        Arc::new(Challenge::new(tables)),
        Arc::new(OnTable::<Hearts>::default()),
        Arc::new(OnTable::<Eights>::default()),
    ]
}

/// Standard output as the terminal that it is, or is not.
fn output(colour: Colour) -> Output {
    let out = std::io::stdout();
    let size = terminal_size::terminal_size();
    let is_large = size.is_some_and(|(wide, high)| wide.0 >= 80 && high.0 >= 24);
    let coloured = match colour {
        Colour::Auto => anstream::AutoStream::choice(&out) != anstream::ColorChoice::Never,
        Colour::Always => true,
        Colour::Never => false,
    };
    let in_place = out.is_terminal() && is_large;
    Output::new(Box::new(out), in_place, coloured)
}

/// The folder of the tables.
fn folder(named: Option<PathBuf>) -> anyhow::Result<PathBuf> {
    Ok(match named {
        Some(folder) => folder,
        None => usual_folder().ok_or_else(|| {
            Usage::new("--tables: HOME is not set; name a folder to keep the games in")
        })?,
    })
}

/// The XDG base directory for state, or what stands for it.
fn usual_folder() -> Option<PathBuf> {
    let set = |name| {
        env::var_os(name)
            .filter(|value| !value.is_empty())
            .map(PathBuf::from)
    };
    let state = set("XDG_STATE_HOME").or_else(|| Some(set("HOME")?.join(".local/state")));
    state
        .or_else(|| set("LOCALAPPDATA"))
        .map(|folder| folder.join("contest/tables"))
}

/// Opens a page in the browser that the desktop prefers. That there is none is no trouble: the address
/// has been printed.
fn open(link: &str) {
    let (program, arguments): (&str, &[&str]) = if cfg!(target_os = "macos") {
        ("open", &[])
    } else if cfg!(windows) {
        ("rundll32", &["url.dll,FileProtocolHandler"])
    } else {
        ("xdg-open", &[])
    };
    let _ = Command::new(program)
        .args(arguments)
        .arg(link)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn();
}
