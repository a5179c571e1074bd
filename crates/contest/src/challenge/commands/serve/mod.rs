//! `contest challenge serve`: holds a contest.
//!
//! It reads the teams and the journal, opens all ports, and starts the web page on its own thread. Then it runs the
//! contest beside the status line and the watch on the disk. It ends at the signal to stop, or when the final is
//! over and there is no web page to keep up.

mod log;
mod results;

use crate::Usage;
use anyhow::Context;
use arena::input;
use arena::report::html::plural;
use challenge::program::stop;
use challenge::program::{LONGEST, seconds};
use challenge::protocol::Served;
use challenge::rules::{GameOptions, LeadAfterTie};
use challenge_server::clocked_game::Conduct;
use challenge_server::contest::Contest;
use challenge_server::descriptors::{Budget, raised};
use challenge_server::disk::{self, DiskUse, Watch};
use challenge_server::journal::Journal;
use challenge_server::server::{ContestPort, ContestServer};
use challenge_server::settings::ContestSettings;
use challenge_server::snapshot::{Snapshot, SnapshotSource, snapshot, snapshots};
use challenge_server::teams::{Team, read_teams};
use challenge_server::web::{self, Archive, Site};
use clap::{Args as ClapArgs, ValueEnum};
use log::Log;
use seats::cli::seed::SeedArgs;
use std::collections::BTreeMap;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::path::PathBuf;
use std::time::Duration;
use tokio::net::TcpListener;

/// Holds a contest until stopped, or until its final is over.
///
/// The teams' file has a `[[team]]` for each team with its `id`, its `name`, and at least one of these: the
/// `host` that it connects from; its own `port`, where its address does not matter; a `token` that it sends
/// first.
#[derive(Debug, ClapArgs)]
pub(crate) struct Args {
    /// The port that the teams connect to; with 0 any free one, which is printed
    #[arg(long, value_name = "PORT", default_value_t = 9999)]
    port: u16,
    /// The port for games against a simple opponent; 0 as for `--port`
    #[arg(long, value_name = "PORT", default_value_t = 19999)]
    test_port: u16,
    /// The file of the teams, in TOML
    #[arg(long, value_name = "FILE")]
    teams: PathBuf,
    /// The file of finished games, one a line: read at the start, then continued
    #[arg(long, value_name = "FILE")]
    state: PathBuf,
    /// The port of the web page; without it there is no page
    #[arg(long, value_name = "PORT")]
    web_port: Option<u16>,
    /// The address to listen on
    #[arg(long, value_name = "ADDRESS", default_value_t = IpAddr::V4(Ipv4Addr::UNSPECIFIED))]
    bind: IpAddr,
    /// Seconds of open play; without it open play lasts as long as the server
    #[arg(long, value_name = "S", value_parser = clap::value_parser!(u64).range(..=LONGEST))]
    open: Option<u64>,
    /// Seconds after open play in which all teams play, before the final
    #[arg(long, value_name = "S", default_value_t = 3600, value_parser = clap::value_parser!(u64).range(..=LONGEST))]
    last_hour: u64,
    /// Seconds before each stage of the final, and between two games of one of its matches, for those who
    /// watch
    #[arg(long, value_name = "S", default_value_t = 3.0, value_parser = seconds)]
    final_pause: f64,
    /// Seconds between attempts to connect
    #[arg(long, value_name = "S", default_value_t = 5.0, value_parser = seconds)]
    wait: f64,
    /// Seconds between two prints of the standings
    #[arg(long, value_name = "S", default_value_t = 60, value_parser = clap::value_parser!(u64).range(..=LONGEST))]
    every: u64,
    /// Leaves a card on the table out of its owner's hand
    #[arg(long)]
    leave_out_played: bool,
    /// Reports a trick lost by a fault, without a card
    #[arg(long)]
    tell_lost_tricks: bool,
    /// The leader of the hand after a tied one: the first leader of the tied hand, or the other
    #[arg(long, value_name = "WHO", default_value = "opener")]
    lead_after_tie: Lead,
    /// Goes on with the same deck in the next game of a round
    #[arg(long)]
    keep_deck: bool,
    /// Penalizes a disconnected player as soon as it is to act; otherwise its clock runs out first
    #[arg(long)]
    penalize_absent: bool,
    #[command(flatten)]
    seed: SeedArgs,
    /// Print a line for every game and connection
    #[arg(short, long)]
    verbose: bool,
}

/// Who leads after a tied hand, by name.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum Lead {
    Opener,
    Other,
}

/// Bytes of the teams' file that are read; a thousand teams have fewer.
const MOST_TEAMS: u64 = 1 << 20;

impl Args {
    pub(super) fn run(self) -> anyhow::Result<()> {
        let runtime = tokio::runtime::Runtime::new().context("cannot start")?;
        runtime.block_on(self.serve())
    }

    async fn serve(self) -> anyhow::Result<()> {
        let file = self.teams.display();
        let text = input::read_text(&self.teams, MOST_TEAMS)
            .map_err(|error| Usage::new(format!("cannot read {file}: {error}")))?;
        let teams = read_teams(&text).map_err(|error| Usage::new(format!("{file}: {error}")))?;
        let mut contest = Contest::new(teams.iter().map(|team| team.id));
        // The log does not exist yet, so the reason is kept until it does.
        let mut discarded = None;
        let journal = Journal::open_indexed(&self.state, &mut contest, |why| discarded = Some(why))
            .map_err(Usage::of)?;
        let archive = Archive::of(&journal)?;
        let (source, requests) = snapshots();
        // The ports for clients are taken before anything is printed: a server that cannot listen ends here.
        let ports = self.ports(&teams).await?;
        let test = self.listen(self.test_port).await?;
        // With port 0 the system chooses; clients need the port that it chose.
        let port_of = |listener: &TcpListener| listener.local_addr().map(|address| address.port());
        let (port, test_port) = (port_of(&ports[0].listener)?, port_of(&test)?);
        let server = ContestServer {
            ports,
            test: Some(test),
            // A stage that has begun, or a game that is void now, makes it go on as well.
            settings: self.settings(journal.length() > 0)?,
            teams: teams.clone(),
            snapshots: Some(requests),
            stays: self.web_port.is_some(),
        };
        let names: BTreeMap<u64, String> =
            teams.into_iter().map(|team| (team.id, team.name)).collect();
        let mut log = Log::new(names.clone(), self.verbose).context("cannot start")?;
        if let Some(why) = discarded {
            log.print(format!("{why}; all of {} was read", self.state.display()));
        }
        log.print(format!(
            "port {port}, test port {test_port}, {} so far",
            plural(contest.games(), "game")
        ));
        let disk = DiskUse {
            journal: journal.length(),
            games: contest.games(),
            elapsed: journal.elapsed(),
            free: disk::free(&self.state),
        };
        log.print(disk.forecast());
        // A warning, not an error: most contests never need all connections at once.
        let wanting = Budget::of(raised(), names.len() as u64).wanting;
        if wanting > 0 {
            log.print(format!(
                "warning: the teams may need {wanting} more open files than this process may have (ulimit -n)"
            ));
        }
        let watch = Watch {
            path: self.state.clone(),
            before: journal.elapsed(),
        };
        if let Some(port) = self.web_port {
            let address = self.web(port, names, archive, source.clone())?;
            log.print(format!("http://{address}/"));
        }
        let (status, lines) = (log.status(), log.lines());
        // The first branch that ends also ends the server. Only the contest and the signal to stop can end; the
        // other two never return.
        let last = {
            let run = server.run(contest, journal, |event| log.take(&event));
            tokio::select! {
                ended = run => ended.map(|()| None)?,
                stopped = stop_with_snapshot(&source) => stopped?,
                () = status.follow(&source) => None,
                () = watch.run(&source, |text| lines.print(text)) => None,
            }
        };
        // `end` would wait for this handle until its patience is over.
        drop(lines);
        Ok(log.end(last.as_ref())?)
    }

    /// Starts the web page and returns its address.
    fn web(
        &self,
        port: u16,
        names: BTreeMap<u64, String>,
        archive: Archive,
        source: SnapshotSource,
    ) -> anyhow::Result<SocketAddr> {
        let listener = std::net::TcpListener::bind((self.bind, port))
            .with_context(|| format!("cannot listen on {} port {port}", self.bind))?;
        let site = Site {
            title: "Challenge contest".to_owned(),
            reserved: names.len() as u64,
            names,
            archive,
            snapshots: Some(source),
        };
        let mut address = web::serve(listener, site).context("cannot start the web page")?;
        if address.ip().is_unspecified() {
            // A browser on this machine needs an address it can open.
            address.set_ip(Ipv4Addr::LOCALHOST.into());
        }
        Ok(address)
    }

    /// The settings of the contest. If it `goes_on` from an earlier server, the teams get time to reconnect.
    fn settings(&self, goes_on: bool) -> anyhow::Result<ContestSettings> {
        let wait = Duration::from_secs_f64(self.wait);
        Ok(ContestSettings {
            conduct: Conduct {
                served: if self.leave_out_played {
                    Served::LeftOut
                } else {
                    Served::InHand
                },
                report_lost_tricks: self.tell_lost_tricks,
                options: GameOptions {
                    lead_after_tie: match self.lead_after_tie {
                        Lead::Opener => LeadAfterTie::Opener,
                        Lead::Other => LeadAfterTie::Alternate,
                    },
                    ..GameOptions::default()
                },
                ..Conduct::default()
            },
            wait,
            seed: self.seed.secret()?,
            open_play: self.open.map(Duration::from_secs),
            last_hour: Duration::from_secs(self.last_hour),
            final_pause: Duration::from_secs_f64(self.final_pause),
            report: Duration::from_secs(self.every.max(1)),
            regroup: if goes_on { 3 * wait } else { Duration::ZERO },
            absent_at_once: self.penalize_absent,
            keep_decks: self.keep_deck,
        })
    }

    /// Listens at the common port and at the own port of each team that has one.
    async fn ports(&self, teams: &[Team]) -> anyhow::Result<Vec<ContestPort>> {
        let own = teams
            .iter()
            .filter_map(|team| Some((team.port?, Some(team.id))));
        let mut ports = Vec::new();
        for (port, team) in std::iter::once((self.port, None)).chain(own) {
            let listener = self.listen(port).await?;
            ports.push(ContestPort { listener, team });
        }
        Ok(ports)
    }

    async fn listen(&self, port: u16) -> anyhow::Result<TcpListener> {
        let listener = TcpListener::bind((self.bind, port)).await;
        listener.with_context(|| format!("cannot listen on {} port {port}", self.bind))
    }
}

/// Waits for the signal to stop; then returns a last snapshot.
async fn stop_with_snapshot(source: &SnapshotSource) -> anyhow::Result<Option<Snapshot>> {
    stop().await?;
    Ok(snapshot(source).await)
}
