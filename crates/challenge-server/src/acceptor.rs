//! New connections: the acceptor decides which team each belongs to, and whether it may connect.
//!
//! `server` runs `listen` for every port, and passes each new connection to the `Acceptor`. The acceptor
//! identifies a team by port, address or token, and hands its client to the lobby by `ConnectionEvent`s. A
//! *stranger* is a client that is not, or not yet, identified as a team's.

use super::clocked_game::Conduct;
use super::descriptors::{Budget, raised};
use super::events::ContestEvent;
use super::link::{Outgoing, deliver};
use super::lobby::ConnectionEvent;
use super::overhead::Overhead;
use super::reconnect::ReconnectLimiter;
use super::settings::ContestSettings;
use super::stream::ClientStream;
use super::teams::Team;
use super::test_port;
use challenge::protocol::{
    Connection, Greeting, Incoming, Refusal, ServerMessage, Token, connection, receive,
};
use std::collections::BTreeMap;
use std::net::{IpAddr, SocketAddr};
use std::time::Duration;
use tables::connections::{Place, Places};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::mpsc::{UnboundedSender, unbounded_channel};
use tokio::task::JoinSet;
use tokio::time::{Instant, timeout};

/// The key by which attempts to connect are counted together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum LimiterKey {
    /// A client at a team's own port. The address is part of the key, so that a client from elsewhere cannot use
    /// up the team's attempts.
    Team(u64, IpAddr),
    /// A team that has sent its token, from any address.
    Proven(u64),
    /// Any other client at a port of the contest, by its address.
    Host(IpAddr),
    /// A client at the test port, by its address.
    Test(IpAddr),
}

/// The port that a client connected to.
#[derive(Clone, Copy, Debug)]
pub(super) enum Port {
    /// A team's own port, with the team's number; with none, the common port of all teams.
    Contest(Option<u64>),
    /// The port for test games.
    Test,
}

/// A new connection: who connected, and to which port.
pub(super) type Arrival = (TcpStream, SocketAddr, Port);

/// Accepts the connections of a port and sends them to `arrivals`, until its receiver is gone.
pub(super) async fn listen(listener: TcpListener, port: Port, arrivals: UnboundedSender<Arrival>) {
    loop {
        match listener.accept().await {
            Ok((stream, peer)) => {
                if arrivals.send((stream, peer, port)).is_err() {
                    return;
                }
            }
            // The process is out of descriptors, or the client has gone: try again later. An error must not end
            // the listener, or the port would stay shut for the rest of the contest.
            Err(_) => tokio::time::sleep(Duration::from_millis(100)).await,
        }
    }
}

/// How long a client may take to send its token.
const PATIENCE: Duration = Duration::from_secs(5);

/// The same for a client whose address is that of a team without a token. A client that has one sends it at once; this
/// team's sends none, and its clock may run meanwhile.
const HINT: Duration = Duration::from_millis(500);

/// A client after the wait for its first message.
pub(super) struct Introduced {
    connection: Connection<ClientStream>,
    host: IpAddr,
    /// The team at whose own port it connected; none at the common port.
    port: Option<u64>,
    /// Whether this message was to tell its token, a valid one or not.
    sent_token: bool,
    /// The token, if it is a valid one.
    token: Option<Token>,
    place: Place,
}

/// The channels that take clients from here on.
#[derive(Clone)]
pub(super) struct Outlets {
    /// The lobby's inbox, for clients of teams.
    pub events: UnboundedSender<ConnectionEvent>,
    /// Back to the acceptor, after the wait for a client's token.
    pub introduced: UnboundedSender<Introduced>,
}

/// Identifies new connections by port, address or token, greets their teams, and hands them to the lobby.
pub(super) struct Acceptor {
    limiter: ReconnectLimiter<LimiterKey>,
    teams: Vec<Team>,
    conduct: Conduct,
    seed: u64,
    /// Clients admitted to the test port so far.
    tests: u64,
    outlets: Outlets,
    begin: Instant,
    overhead: Overhead,
    /// Games that a stopped server did not finish, by team. An entry is removed when its team is greeted.
    void: BTreeMap<u64, Vec<u64>>,
    /// Places of clients that have not identified themselves yet, or are being refused.
    strangers: Places,
    /// Places at the test port.
    testers: Places,
}

impl Acceptor {
    pub(super) fn new(
        settings: &ContestSettings,
        teams: Vec<Team>,
        outlets: Outlets,
        begin: Instant,
        overhead: Overhead,
        void: BTreeMap<u64, Vec<u64>>,
    ) -> Acceptor {
        let budget = Budget::of(raised(), teams.len() as u64);
        Acceptor {
            limiter: ReconnectLimiter::new(settings.wait),
            teams,
            conduct: settings.conduct,
            seed: settings.seed,
            tests: 0,
            outlets,
            begin,
            overhead,
            void,
            strangers: Places::new(budget.strangers),
            testers: Places::new(budget.strangers),
        }
    }

    fn team(&self, id: u64) -> Option<&Team> {
        self.teams.iter().find(|team| team.id == id)
    }

    /// The team with this address and without its own port. It may still have to send a token.
    fn by_host(&self, host: IpAddr) -> Option<&Team> {
        let mut teams = self.teams.iter();
        teams.find(|team| team.host == Some(host) && team.port.is_none())
    }

    /// How long a client may take to send its token; none if it needs none. `team` is the team that its port or
    /// address shows.
    fn patience(&self, own_port: Option<u64>, team: Option<&Team>) -> Option<Duration> {
        // At the common port the client may belong to a team that only its token identifies.
        let may_be_other = own_port.is_none() && self.teams.iter().any(Team::is_known_by_token);
        match team {
            Some(team) if team.token.is_none() => may_be_other.then_some(HINT),
            Some(_) => Some(PATIENCE),
            None => may_be_other.then_some(PATIENCE),
        }
    }

    /// Decides about a new connection: it waits for a token, goes to the lobby, or is refused. Everything that can be
    /// slow happens in a task of `tasks`.
    pub(super) fn accept(
        &mut self,
        stream: TcpStream,
        peer: SocketAddr,
        port: Port,
        tasks: &mut JoinSet<()>,
        on_event: &mut impl FnMut(ContestEvent),
    ) {
        // Forget tasks that have ended: the set would keep their results for the whole contest.
        while tasks.try_join_next().is_some() {}
        // A listener on `::` reports IPv4 clients as mapped IPv6 addresses; the teams' file has plain
        // IPv4.
        let host = peer.ip().to_canonical();
        let own_port = match port {
            Port::Test => return self.accept_test(stream, host, tasks, on_event),
            Port::Contest(team) => team,
        };
        let team = match own_port {
            // A client from elsewhere at a team's port must not use up that team's attempts.
            Some(team) => self.team(team).filter(|team| team.comes_from(host)),
            None => self.by_host(host),
        };
        let connection = connection(ClientStream::new(stream));
        // A wrong address at a team's port is refused at once: no token could make up for it.
        let is_elsewhere = own_port.is_some() && team.is_none();
        if let Some(patience) = self.patience(own_port, team).filter(|_| !is_elsewhere) {
            let client = Introduced {
                connection,
                host,
                port: own_port,
                sent_token: false,
                token: None,
                place: self.strangers.take(host),
            };
            let introduced = self.outlets.introduced.clone();
            tasks.spawn(introduce(client, patience, introduced));
            return;
        }
        let team = team.map(|team| team.id);
        self.admit(connection, host, own_port, team, tasks, on_event);
    }

    /// Welcomes a client that needs no token, or refuses it if it belongs to no team or comes too early.
    fn admit(
        &mut self,
        connection: Connection<ClientStream>,
        host: IpAddr,
        own_port: Option<u64>,
        team: Option<u64>,
        tasks: &mut JoinSet<()>,
        on_event: &mut impl FnMut(ContestEvent),
    ) {
        // Without a token, a team is counted separately only at its own port. All other clients are counted by
        // address.
        let key = match (own_port, team) {
            (Some(_), Some(team)) => LimiterKey::Team(team, host),
            _ => LimiterKey::Host(host),
        };
        if !self.limiter.admit(key, self.begin.elapsed()) {
            return on_event(ContestEvent::TooEarly { host, team });
        }
        match team {
            Some(team) => self.welcome(connection, team, tasks),
            None => {
                on_event(ContestEvent::Unknown { host });
                // The refusal is a task with a stranger's place: a client that does not read holds up nobody.
                let place = self.strangers.take(host);
                let reason = format!("no team of this contest connects from {host}");
                tasks.spawn(refuse(connection, host, reason, place));
            }
        }
    }

    /// Decides about a client after the wait for its first message. It needs the token of a team, unless it sent none and
    /// its address is that of a team without one.
    pub(super) fn introduced(
        &mut self,
        client: Introduced,
        tasks: &mut JoinSet<()>,
        on_event: &mut impl FnMut(ContestEvent),
    ) {
        let Introduced {
            connection,
            host,
            port,
            sent_token,
            token,
            place,
        } = client;
        // A port fixes the team whose token is needed. At the common port teams can share an address, so the token
        // also selects among the teams that have neither port nor address.
        let expected = match port {
            Some(team) => self.team(team),
            None => self.by_host(host),
        };
        let has_token = |team: &&Team| token.is_some() && team.token == token;
        let others = self.teams.iter().filter(|team| team.is_known_by_token());
        let mut candidates = expected
            .into_iter()
            .chain(others.filter(|_| port.is_none()));
        let proven = candidates.find(has_token).map(|team| team.id);
        let Some(team) = proven else {
            let team = expected.map(|team| team.id);
            // A token that is not this team's, or no valid token, is another team's client: it must not take this seat.
            if !sent_token && expected.is_some_and(|team| team.token.is_none()) {
                return self.admit(connection, host, port, team, tasks, on_event);
            }
            on_event(ContestEvent::NoToken { host, team });
            let reason = "expected the token of a team as the first message".to_owned();
            tasks.spawn(refuse(connection, host, reason, place));
            return;
        };
        // Only a client with the token uses up the team's attempts.
        if !self
            .limiter
            .admit(LimiterKey::Proven(team), self.begin.elapsed())
        {
            let team = Some(team);
            return on_event(ContestEvent::TooEarly { host, team });
        }
        self.welcome(connection, team, tasks);
    }

    /// Admits a client to the test port. One that comes too early is disconnected.
    fn accept_test(
        &mut self,
        stream: TcpStream,
        host: IpAddr,
        tasks: &mut JoinSet<()>,
        on_event: &mut impl FnMut(ContestEvent),
    ) {
        let mut at_host = self.teams.iter().filter(|team| team.host == Some(host));
        let team = at_host.next().map(|team| team.id);
        // Loopback is exempt: one machine may hold the whole contest, and its tests would wait for each
        // other.
        let key = LimiterKey::Test(host);
        if !host.is_loopback() && !self.limiter.admit(key, self.begin.elapsed()) {
            return on_event(ContestEvent::TooEarly { host, team });
        }
        self.tests += 1;
        // Every test gets its own deals: `mix` spreads the counter over all bits of the seed.
        let seed = engine::rng::mix(self.seed ^ self.tests);
        let (conduct, place) = (self.conduct, self.testers.take(host));
        let connection = connection(ClientStream::new(stream));
        tasks.spawn(test(connection, conduct, team.unwrap_or(0), seed, place));
    }

    /// Greets a team's client and hands it to the lobby.
    fn welcome(
        &mut self,
        connection: Connection<ClientStream>,
        team: u64,
        tasks: &mut JoinSet<()>,
    ) {
        let greeting = Greeting {
            team_id: team,
            // Removed, so that a team gets the list once and not at every reconnect.
            void_games: self.void.remove(&team).unwrap_or_default(),
        };
        let (overhead, events) = (self.overhead.clone(), self.outlets.events.clone());
        tasks.spawn(member(connection, greeting, overhead, events));
    }
}

/// Waits for a client's first message, which should be its token, and passes the client back to the acceptor.
async fn introduce(
    mut client: Introduced,
    patience: Duration,
    introduced: UnboundedSender<Introduced>,
) {
    // No silent client keeps its place for long: its time runs out, or a newcomer evicts it.
    let first = tokio::select! {
        first = timeout(patience, receive(&mut client.connection)) => first.ok().flatten(),
        () = client.place.evicted() => return,
    };
    if let Some(Ok(Incoming::Token { token })) = first {
        client.sent_token = true;
        client.token = token.as_str().and_then(|text| text.parse().ok());
    }
    let _ = introduced.send(client);
}

/// Sends the reason of a refusal, then closes the connection.
async fn refuse(
    mut connection: Connection<ClientStream>,
    host: IpAddr,
    message: String,
    mut place: Place,
) {
    let refusal = ServerMessage::Error(Refusal {
        seen_host: host.to_string(),
        message,
    });
    tokio::select! {
        _ = deliver(&mut connection, &refusal) => {}
        () = place.evicted() => {}
    }
}

/// Serves a client at the test port.
async fn test(
    mut connection: Connection<ClientStream>,
    conduct: Conduct,
    team_id: u64,
    seed: u64,
    mut place: Place,
) {
    let greeting = ServerMessage::GreetingsProgram(Greeting::of(team_id));
    if deliver(&mut connection, &greeting).await.is_ok() {
        test_port::play(connection, conduct, team_id, seed, &mut place).await;
    }
}

/// Serves a team's client until its connection ends.
async fn member(
    connection: Connection<ClientStream>,
    greeting: Greeting,
    overhead: Overhead,
    events: UnboundedSender<ConnectionEvent>,
) {
    let team = greeting.team_id;
    // The greeting is queued before the lobby gets the client, so it comes before any request.
    let (outbox, outgoing) = unbounded_channel();
    let greeting = ServerMessage::GreetingsProgram(greeting);
    let _ = outbox.send(Outgoing::from(greeting));
    // A weak handle identifies this connection in later events without keeping its outbox open: if the lobby
    // drops the strong one, `carry` ends.
    let link = outbox.downgrade();
    if events
        .send(ConnectionEvent::Joined { team, outbox })
        .is_err()
    {
        return;
    }
    let on_input = |input, dealt_with| {
        let _ = events.send(ConnectionEvent::Received {
            team,
            link: link.clone(),
            input,
            at: Instant::now(),
            dealt_with,
        });
    };
    super::link::carry(connection, outgoing, overhead, on_input).await;
    let _ = events.send(ConnectionEvent::Left { team, link });
}
