//! `contest challenge load`

use crate::Usage;
use anyhow::Context;
use challenge::client::{By, Config, Notice, run};
use challenge::equilibrium::blueprint::Tables;
use challenge::player::{Builtin, Player};
use challenge::program::LONGEST;
use challenge::program::stop;
use challenge::rules::{Decision, Event, Seat};
use challenge::view::View;
use clap::Args as ClapArgs;
use engine::rng;
use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;
use std::time::Duration;
use tokio::task::{JoinSet, LocalSet};

/// Plays for many teams at once, until stopped: a load generator for a server
///
/// At the end it prints how many ends of games its clients saw, two for each game, and how many of their
/// decisions came too late.
#[derive(Debug, ClapArgs)]
pub(crate) struct Args {
    /// The server's host
    #[arg(default_value = "127.0.0.1")]
    host: String,
    /// The teams' ports, as FIRST-LAST
    #[arg(long, value_name = "PORTS")]
    ports: String,
    /// The built-in player of all
    #[arg(long, value_name = "NAME", default_value_t = Builtin::Need)]
    player: Builtin,
    /// Milliseconds that a decision takes at least, as if a player searched
    #[arg(long, value_name = "MS", default_value_t = 0, value_parser = clap::value_parser!(u64).range(..=LONGEST))]
    think: u64,
}

/// Counts of all clients together.
#[derive(Debug, Default)]
struct Counts {
    games: u64,
    faults: u64,
    lost: u64,
    overtaken: u64,
}

impl Counts {
    fn take(&mut self, notice: &Notice) {
        match notice {
            Notice::GameOver { .. } => self.games += 1,
            Notice::Fault(_) => self.faults += 1,
            Notice::Lost(_) | Notice::Closed | Notice::Refused(_) => self.lost += 1,
            Notice::Decided { by, .. } if *by != By::Player => self.overtaken += 1,
            _ => {}
        }
    }
}

/// A player that waits before it decides.
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
        let wrong = || Usage::new(format!("--ports {}: expected FIRST-LAST", self.ports));
        let (first, last) = self.ports.split_once('-').ok_or_else(wrong)?;
        let number = |text: &str| text.parse::<u16>().map_err(|_| wrong());
        let ports = number(first)?..=number(last)?;
        if ports.is_empty() {
            return Err(wrong().into());
        }
        let counts = Rc::new(RefCell::new(Counts::default()));
        let tables = super::support::tables(None);
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()
            .context("cannot start")?;
        let clients = LocalSet::new();
        clients.block_on(&runtime, async {
            let mut running = JoinSet::new();
            for port in ports {
                running.spawn_local(self.client(port, &tables, Rc::clone(&counts)));
            }
            stop().await
        })?;
        let counts = counts.borrow();
        line!(
            "{} games seen, {} faults, {} lost connections, {} decisions not in time",
            counts.games,
            counts.faults,
            counts.lost,
            counts.overtaken
        )?;
        Ok(())
    }

    /// One of the clients.
    fn client(
        &self,
        port: u16,
        tables: &Tables,
        counts: Rc<RefCell<Counts>>,
    ) -> impl Future<Output = ()> + use<> {
        let config = Config {
            address: format!("{}:{port}", self.host),
            wait: Config::WAIT,
        };
        let tables = tables.clone();
        let (player, pause) = (self.player, Duration::from_millis(self.think));
        let make = move || -> Box<dyn Player> {
            let player = player.player(&tables, rng::stream(port.into(), 0));
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
