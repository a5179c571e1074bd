//! `contest challenge load`: plays for many teams at once on one thread, to load a server. Each team has its own
//! client; all clients add to the same counts.

use crate::{Usage, cli};
use anyhow::Context;
use arena::plain_text::counted;
use challenge::client::{By, Config, Notice, run};
use challenge::equilibrium::blueprint::Tables;
use challenge::player::{Builtin, Memory, Player};
use challenge::program::LONGEST;
use challenge::program::stop;
use challenge::protocol::Token;
use challenge::rules::{Decision, Event, Seat};
use challenge::view::View;
use challenge_server::teams::{Team, read_teams};
use clap::Args as ClapArgs;
use engine::rng;
use seats::challenge::players::NamedPlayer;
use std::cell::RefCell;
use std::path::PathBuf;
use std::rc::Rc;
use std::sync::Arc;
use std::time::Duration;
use tokio::task::{JoinSet, LocalSet};

/// Plays for many teams at once, until stopped: a load generator for a server
///
/// At the end it prints how many ends of games its clients saw, two for each game, how many of their decisions came too
/// late, and how many were illegal.
#[derive(Debug, ClapArgs)]
pub(crate) struct Args {
    /// The server's address, without a port
    #[arg(default_value = "127.0.0.1")]
    host: String,
    /// The teams' ports, as FIRST-LAST
    #[arg(long, value_name = "PORTS", required_unless_present = "teams")]
    ports: Option<String>,
    /// The contest's file of teams: those with their own port play, and send their tokens
    #[arg(long, value_name = "FILE", conflicts_with = "ports")]
    teams: Option<PathBuf>,
    /// The built-in player of all teams
    #[arg(long, value_name = "NAME", default_value_t = NamedPlayer::Builtin(Builtin::Need))]
    player: NamedPlayer,
    /// The least time of a decision in milliseconds, as if the player searched; of several values, such as
    /// 0,5,40, the teams take the next in turn
    #[arg(long, value_name = "MS", default_value = "0", value_delimiter = ',', value_parser = clap::value_parser!(u64).range(..=LONGEST))]
    think: Vec<u64>,
}

/// The port that a client connects to, and the token that it sends.
struct Door {
    port: u16,
    token: Option<Token>,
}

/// Counts of all clients together.
#[derive(Debug, Default)]
struct Counts {
    /// Ends of games. Both clients of a game see its end.
    games: u64,
    faults: u64,
    /// Connections that were lost, closed, refused or not made.
    lost: u64,
    /// Decisions that a client replaced by a safe one, because its player was late or panicked.
    overtaken: u64,
    /// Decisions that a client replaced by a safe one, because they were illegal.
    illegal: u64,
}

impl Counts {
    /// Counts what a client reports.
    fn take(&mut self, notice: &Notice) {
        match notice {
            Notice::GameOver { .. } => self.games += 1,
            Notice::Fault(_) => self.faults += 1,
            Notice::Lost(_) | Notice::Closed | Notice::Refused(_) => self.lost += 1,
            Notice::Decided {
                by: By::Watchdog, ..
            } => self.overtaken += 1,
            Notice::Decided {
                by: By::Correction(_),
                ..
            } => self.illegal += 1,
            _ => {}
        }
    }
}

/// A player that waits before it decides, like one that searches.
struct Paced {
    player: Box<dyn Player>,
    pause: Duration,
}

impl Player for Paced {
    fn decide(&mut self, view: &View) -> Decision {
        std::thread::sleep(self.pause);
        self.player.decide(view)
    }

    fn event(&mut self, seat: Seat, event: Event) {
        self.player.event(seat, event);
    }
}

impl Args {
    pub(crate) fn run(self) -> anyhow::Result<()> {
        let doors = self.doors()?;
        // All clients run on this thread, so the counts need no lock.
        let counts = Rc::new(RefCell::new(Counts::default()));
        let tables = cli::tables("", None)?;
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()
            .context("cannot start")?;
        let clients = LocalSet::new();
        clients.block_on(&runtime, async {
            let mut running = JoinSet::new();
            for (place, door) in doors.into_iter().enumerate() {
                running.spawn_local(self.client(place, door, &tables, Rc::clone(&counts)));
            }
            stop().await
        })?;
        let counts = counts.borrow();
        line!(
            "{} seen, {}, {}, {} not in time, {} illegal",
            counted(counts.games, "game"),
            counted(counts.faults, "fault"),
            counted(counts.lost, "lost connection"),
            counted(counts.overtaken, "decision"),
            counts.illegal
        )?;
        Ok(())
    }

    /// The ports and tokens of all clients, by `--teams` or `--ports`.
    fn doors(&self) -> anyhow::Result<Vec<Door>> {
        if let Some(path) = &self.teams {
            let text = std::fs::read_to_string(path).with_context(|| path.display().to_string())?;
            let wrong = |what: String| Usage::new(format!("{}: {what}", path.display()));
            let teams = read_teams(&text).map_err(|error| wrong(error.to_string()))?;
            // Only teams with a port of their own take part, as the help says.
            let door = |team: Team| {
                let token = team.token;
                team.port.map(|port| Door { port, token })
            };
            let doors: Vec<Door> = teams.into_iter().filter_map(door).collect();
            if doors.is_empty() {
                return Err(wrong("no team in it has its own port".to_owned()).into());
            }
            return Ok(doors);
        }
        let ports = self.ports.as_deref().unwrap_or_default();
        let wrong = || Usage::new(format!("--ports {ports}: expected FIRST-LAST"));
        let (first, last) = ports.split_once('-').ok_or_else(wrong)?;
        let number = |text: &str| text.parse::<u16>().map_err(|_| wrong());
        let ports = number(first)?..=number(last)?;
        if ports.is_empty() {
            return Err(wrong().into());
        }
        Ok(ports.map(|port| Door { port, token: None }).collect())
    }

    /// The least time of a client's decision. `place` is the client's number, from 0.
    fn pause(&self, place: usize) -> Duration {
        let think = &self.think;
        // With 0,5,40 the fourth team pauses as long as the first.
        Duration::from_millis(think[place % think.len().max(1)])
    }

    /// A client that plays for its team until it is dropped. `place` is its number, from 0.
    fn client(
        &self,
        place: usize,
        door: Door,
        tables: &Tables,
        counts: Rc<RefCell<Counts>>,
    ) -> impl Future<Output = ()> + use<> {
        let config = Config {
            address: format!("{}:{}", self.host, door.port),
            wait: Config::WAIT,
            token: door.token,
        };
        let (tables, memory) = (tables.clone(), Memory::default());
        let (player, pause, port) = (self.player, self.pause(place), door.port);
        // The stream of random numbers depends on the port, so clients differ and runs repeat.
        let make = move || -> Box<dyn Player> {
            let player = player.player(&tables, &memory, rng::stream(port.into(), 0));
            match pause.is_zero() {
                true => player,
                false => Box::new(Paced { player, pause }),
            }
        };
        async move {
            run(&config, Arc::new(make), |notice| {
                counts.borrow_mut().take(&notice)
            })
            .await;
        }
    }
}
