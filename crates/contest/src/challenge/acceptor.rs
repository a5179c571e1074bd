//! New connections: which team they belong to, and whether they may connect.

use super::clocked_game::Conduct;
use super::events::ContestEvent;
use super::link::{Outgoing, deliver};
use super::lobby::ConnectionEvent;
use super::overhead::Overhead;
use super::reconnect::ReconnectLimiter;
use super::settings::ContestSettings;
use super::stream::ClientStream;
use super::teams::Team;
use super::test_port;
use challenge::protocol::{Connection, Greeting, Refusal, ServerMessage, connection};
use std::net::{IpAddr, SocketAddr};
use std::time::Duration;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::mpsc::{UnboundedSender, unbounded_channel};
use tokio::time::Instant;

/// Whose attempts to connect are counted together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum LimiterKey {
    Team(u64, IpAddr),
    Host(IpAddr),
    Test(IpAddr),
}

/// Which port a client came to.
#[derive(Clone, Copy, Debug)]
pub(super) enum Port {
    Contest(Option<u64>),
    Test,
}

/// A new connection: who connected, and to which port.
pub(super) type Arrival = (TcpStream, SocketAddr, Port);

/// Passes the connections of a port on until the receiver is gone.
pub(super) async fn listen(listener: TcpListener, port: Port, arrivals: UnboundedSender<Arrival>) {
    loop {
        match listener.accept().await {
            Ok((stream, peer)) => {
                if arrivals.send((stream, peer, port)).is_err() {
                    return;
                }
            }
            // Out of files, or the client is gone already: try again later.
            Err(_) => tokio::time::sleep(Duration::from_millis(100)).await,
        }
    }
}

/// Identifies new connections by port or address, greets their teams, and hands them to the lobby.
pub(super) struct Acceptor {
    limiter: ReconnectLimiter<LimiterKey>,
    teams: Vec<Team>,
    conduct: Conduct,
    seed: u64,
    tests: u64,
    events: UnboundedSender<ConnectionEvent>,
    begin: Instant,
    overhead: Overhead,
}

impl Acceptor {
    pub(super) fn new(
        settings: &ContestSettings,
        teams: Vec<Team>,
        events: UnboundedSender<ConnectionEvent>,
        begin: Instant,
        overhead: Overhead,
    ) -> Acceptor {
        Acceptor {
            limiter: ReconnectLimiter::new(settings.wait),
            teams,
            conduct: settings.conduct,
            seed: settings.seed,
            tests: 0,
            events,
            begin,
            overhead,
        }
    }

    pub(super) fn accept(
        &mut self,
        stream: TcpStream,
        peer: SocketAddr,
        port: Port,
        tasks: &mut tokio::task::JoinSet<()>,
        on_event: &mut impl FnMut(ContestEvent),
    ) {
        while tasks.try_join_next().is_some() {}
        // A listener on :: sees clients of the older kind of address in the newer one.
        let host = peer.ip().to_canonical();
        let by_host = || {
            self.teams
                .iter()
                .find(|team| team.host == Some(host) && team.port.is_none())
                .map(|team| team.id)
        };
        let (team, key) = match port {
            Port::Contest(Some(team)) if self.comes_from_elsewhere(team, host) => {
                (None, LimiterKey::Host(host))
            }
            // Whoever knocks at a team's port from elsewhere does not use up the team's attempts.
            Port::Contest(Some(team)) => (Some(team), LimiterKey::Team(team, host)),
            Port::Contest(None) => (by_host(), LimiterKey::Host(host)),
            Port::Test => {
                let mut at_host = self.teams.iter().filter(|team| team.host == Some(host));
                (at_host.next().map(|team| team.id), LimiterKey::Test(host))
            }
        };
        // Tests of one machine that holds the whole contest do not wait for each other.
        let exempt = matches!(key, LimiterKey::Test(host) if host.is_loopback());
        if !exempt && !self.limiter.admit(key, self.begin.elapsed()) {
            return on_event(ContestEvent::TooEarly { host, team });
        }
        let connection = connection(ClientStream::new(stream));
        match (team, port) {
            (team, Port::Test) => {
                self.tests += 1;
                let seed = engine::rng::mix(self.seed ^ self.tests);
                let conduct = self.conduct;
                tasks.spawn(test(connection, conduct, team.unwrap_or(0), seed));
            }
            (Some(team), _) => {
                let overhead = self.overhead.clone();
                tasks.spawn(member(connection, team, overhead, self.events.clone()));
            }
            (None, _) => {
                on_event(ContestEvent::Unknown { host });
                tasks.spawn(refuse(connection, host));
            }
        }
    }

    /// Whether a team has an address besides its port, and it is another one.
    fn comes_from_elsewhere(&self, team: u64, host: IpAddr) -> bool {
        let known = self.teams.iter().find(|one| one.id == team);
        known.is_some_and(|team| team.host.is_some_and(|own| own != host))
    }
}

/// Refuses a client from an unknown address.
async fn refuse(mut connection: Connection<ClientStream>, host: IpAddr) {
    let refusal = ServerMessage::Error(Refusal {
        seen_host: host.to_string(),
        message: format!("no team of this contest connects from {host}"),
    });
    let _ = deliver(&mut connection, &refusal).await;
}

/// Serves a client at the test port.
async fn test(mut connection: Connection<ClientStream>, conduct: Conduct, team_id: u64, seed: u64) {
    let greeting = ServerMessage::GreetingsProgram(Greeting { team_id });
    if deliver(&mut connection, &greeting).await.is_ok() {
        test_port::play(connection, conduct, team_id, seed).await;
    }
}

/// Serves a team's client.
async fn member(
    connection: Connection<ClientStream>,
    team: u64,
    overhead: Overhead,
    events: UnboundedSender<ConnectionEvent>,
) {
    let (outbox, outgoing) = unbounded_channel();
    let greeting = ServerMessage::GreetingsProgram(Greeting { team_id: team });
    let _ = outbox.send(Outgoing::from(greeting));
    let link = outbox.downgrade();
    if events
        .send(ConnectionEvent::Joined { team, outbox })
        .is_err()
    {
        return;
    }
    let on_input = |input| {
        let _ = events.send(ConnectionEvent::Received {
            team,
            link: link.clone(),
            input,
            at: std::time::Instant::now(),
        });
    };
    super::link::carry(connection, outgoing, overhead, on_input).await;
    let _ = events.send(ConnectionEvent::Left { team, link });
}
