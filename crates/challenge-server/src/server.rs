//! The contest's server: its ports, the acceptor behind them, and the lobby that plays the games.

use super::acceptor::{Acceptor, Outlets, Port, listen};
use super::contest::Contest;
use super::events::ContestEvent;
use super::journal::{Journal, VoidGame};
use super::lobby::Lobby;
use super::settings::ContestSettings;
use super::snapshot::{Snapshot, SnapshotRequests};
use super::teams::Team;
use arena::records::RecordError;
use std::collections::BTreeMap;
use tokio::net::TcpListener;
use tokio::sync::mpsc::unbounded_channel;
use tokio::sync::oneshot;
use tokio::time::{Instant, sleep_until};

/// A port for clients of the contest.
#[derive(Debug)]
pub struct ContestPort {
    pub listener: TcpListener,
    /// The team that it belongs to. At a port without one, teams are identified by address or token.
    pub team: Option<u64>,
}

/// A contest's server before it runs: its ports, its teams and its settings.
#[derive(Debug)]
pub struct ContestServer {
    pub teams: Vec<Team>,
    /// How the contest is held.
    pub settings: ContestSettings,
    /// The ports of the contest.
    pub ports: Vec<ContestPort>,
    /// The test port, if there is one.
    pub test: Option<TcpListener>,
    /// Requests for snapshots, if anybody can ask for one.
    pub snapshots: Option<SnapshotRequests>,
    /// Whether the server still answers those requests when the contest is over.
    pub stays: bool,
}

impl ContestServer {
    /// Holds the contest until the final is over, or until dropped. If the server `stays`, it then answers requests
    /// for snapshots as long as anybody can make one. Every finished game is in the journal before anything
    /// follows from it.
    pub async fn run(
        mut self,
        contest: Contest,
        journal: Journal,
        mut on_event: impl FnMut(ContestEvent),
    ) -> Result<(), RecordError> {
        let begin = Instant::now();
        let mut void: BTreeMap<u64, Vec<u64>> = BTreeMap::new();
        // The acceptor greets each team with the numbers of its void games.
        for game in journal.newly_void() {
            let VoidGame { id, teams } = *game;
            on_event(ContestEvent::Void { id, teams });
            for team in teams {
                void.entry(team).or_default().push(id);
            }
        }
        let (arrivals, mut arrived) = unbounded_channel();
        // Tasks of listeners and connections. Dropping the set with this future closes the ports.
        let mut listening = tokio::task::JoinSet::new();
        for one in self.ports {
            let port = Port::Contest(one.team);
            listening.spawn(listen(one.listener, port, arrivals.clone()));
        }
        if let Some(test) = self.test {
            listening.spawn(listen(test, Port::Test, arrivals));
        }
        // Two channels from the connections' tasks: the events of identified teams go to the lobby, clients after
        // the wait for their token go back to the acceptor.
        let (events, mut inbox) = unbounded_channel();
        let (introduced, mut proven) = unbounded_channel();
        let outlets = Outlets { events, introduced };
        let ids = self.teams.iter().map(|team| team.id);
        let mut lobby = Lobby::new(self.settings.clone(), ids, contest, journal, begin);
        let overhead = lobby.overhead();
        let teams = self.teams.clone();
        let mut acceptor = Acceptor::new(&self.settings, teams, outlets, begin, overhead, void);
        // One loop owns lobby and acceptor, so neither needs a lock. Every event is followed by matching,
        // since any of them may free or bring a team.
        let clock = || begin.elapsed();
        loop {
            lobby.match_up(clock, &mut on_event)?;
            if lobby.is_over() {
                lobby.wait_for_disk()?;
                on_event(ContestEvent::Over);
                break;
            }
            // Time enters only here: everything below gets it, or the clock, as an argument.
            let wake = begin + lobby.wake();
            tokio::select! {
                Some((stream, peer, port)) = arrived.recv() => {
                    acceptor.accept(stream, peer, port, &mut listening, &mut on_event);
                }
                Some(client) = proven.recv() => {
                    acceptor.introduced(client, &mut listening, &mut on_event);
                }
                Some(event) = inbox.recv() => lobby.handle(event, clock(), &mut on_event)?,
                Some(answer) = next_request(&mut self.snapshots) => {
                    let _ = answer.send(lobby.snapshot(begin.elapsed()));
                }
                () = sleep_until(wake) => lobby.tick(&mut inbox, clock, &mut on_event)?,
            }
        }
        listening.shutdown().await;
        // The web page goes on showing the last state.
        let mut requests = self.snapshots.filter(|_| self.stays);
        while let Some(answer) = next_request(&mut requests).await {
            let _ = answer.send(lobby.snapshot(begin.elapsed()));
        }
        Ok(())
    }
}

/// The next request for a snapshot; none if there is no channel, or nobody is left to ask.
async fn next_request(
    requests: &mut Option<SnapshotRequests>,
) -> Option<oneshot::Sender<Snapshot>> {
    requests.as_mut()?.recv().await
}
