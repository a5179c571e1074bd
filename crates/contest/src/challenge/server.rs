//! The contest's server: listens, tells who is who, and leaves the rest to the hall.

use super::contest::{Contest, Pair, Team};
use super::hall::{Event, Hall};
use super::journal::Journal;
use super::link::{Input, Outgoing, deliver};
use super::overhead::Overhead;
use super::snapshot::{Looks, Snapshot};
use super::table::{Conduct, Sent, Table};
use super::{gate::Gate, test_port};
use arena::records::RecordError;
use challenge::protocol::{
    Connection, Greeting, Incoming, Refusal, Response, ServerMessage, connection,
};
use challenge::rules::{Decision, Seat};
use std::net::{IpAddr, SocketAddr};
use std::time::Duration;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::mpsc::{UnboundedSender, unbounded_channel};
use tokio::sync::oneshot;
use tokio::time::{Instant, sleep_until};

/// How a contest is held.
#[derive(Clone, Debug)]
pub struct Settings {
    /// How games are conducted.
    pub conduct: Conduct,
    /// Time between attempts to connect; the contest's is 5 s.
    pub wait: Duration,
    /// Seed of all deals.
    pub seed: u64,
    /// How long only connected teams play; without it to the end of the server.
    pub open_play: Option<Duration>,
    /// How long after that all teams play, connected or not, before the final.
    pub last_hour: Duration,
    /// Time between two reports of the standings.
    pub report: Duration,
    /// How long teams are given to come back to a server that was started again, before they lose
    /// games by not being there; 0 for a contest that begins.
    pub regroup: Duration,
    /// Whether a player that is asked and not connected gets the penalty at once, rather than when
    /// its clock has run out.
    pub absent_at_once: bool,
    /// Whether the next game of a round goes on with the deck of the one before.
    pub keep_decks: bool,
}

/// A port that clients of the contest come to.
#[derive(Debug)]
pub struct Door {
    /// Where it listens.
    pub listener: TcpListener,
    /// The team it belongs to; without one, teams are known by their address.
    pub team: Option<u64>,
}

/// What happens at a server, for a log.
#[derive(Debug)]
#[allow(missing_docs)]
pub enum News<'a> {
    Joined {
        team: u64,
    },
    Left {
        team: u64,
    },
    Unknown {
        host: IpAddr,
    },
    TooEarly {
        host: IpAddr,
    },
    Game {
        id: u64,
        teams: [u64; 2],
        winner: u64,
    },
    Round {
        teams: Pair,
        winner: u64,
        is_final: bool,
    },
    LastHour,
    Final {
        seeds: &'a [u64],
    },
    Champion {
        team: u64,
    },
    Standings {
        contest: &'a Contest,
    },
    /// No games will be played any more.
    Over,
}

/// A contest's server.
#[derive(Debug)]
pub struct ContestServer {
    /// The teams.
    pub teams: Vec<Team>,
    /// How the contest is held.
    pub settings: Settings,
    /// Where clients of the contest come to.
    pub doors: Vec<Door>,
    /// Where they come to for a test.
    pub test: Option<TcpListener>,
    /// Where it is asked how things stand.
    pub looks: Option<Looks>,
    /// Whether it goes on to answer that when the contest is over.
    pub stays: bool,
}

/// Who knocks, for the hammering rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Knock {
    Team(u64),
    Host(IpAddr),
    Test(IpAddr),
}

/// Which port a client came to.
#[derive(Clone, Copy, Debug)]
enum Port {
    Contest(Option<u64>),
    Test,
}

impl ContestServer {
    /// Holds the contest: until the final is over and nobody looks, or until dropped. Every finished game is in the
    /// journal before anything else follows from it.
    pub async fn run(
        mut self,
        contest: Contest,
        journal: Journal,
        mut news: impl FnMut(News),
    ) -> Result<(), RecordError> {
        let begin = Instant::now();
        let (arrivals, mut arrived) = unbounded_channel();
        // Dropped with this future, which ends the listening.
        let mut listening = tokio::task::JoinSet::new();
        for door in self.doors {
            let port = Port::Contest(door.team);
            listening.spawn(accept(door.listener, port, arrivals.clone()));
        }
        if let Some(test) = self.test {
            listening.spawn(accept(test, Port::Test, arrivals));
        }
        let (events, mut inbox) = unbounded_channel();
        let ids = self.teams.iter().map(|team| team.id);
        let mut reception = Reception {
            gate: Gate::new(self.settings.wait),
            teams: self.teams.clone(),
            conduct: self.settings.conduct,
            seed: self.settings.seed,
            tests: 0,
            events,
            begin,
            overhead: Overhead::default(),
        };
        let mut hall = Hall::new(self.settings, ids, contest, journal);
        reception.overhead = hall.overhead();
        loop {
            hall.match_up(begin.elapsed(), &mut news)?;
            if hall.is_over() {
                news(News::Over);
                break;
            }
            let wake = begin + hall.wake();
            tokio::select! {
                Some((stream, peer, port)) = arrived.recv() => {
                    reception.receive(stream, peer, port, &mut listening, &mut news);
                }
                Some(event) = inbox.recv() => hall.handle(event, begin.elapsed(), &mut news)?,
                Some(answer) = next_look(&mut self.looks) => {
                    let _ = answer.send(hall.snapshot(begin.elapsed()));
                }
                () = sleep_until(wake) => hall.tick(begin.elapsed(), &mut news)?,
            }
        }
        listening.shutdown().await;
        let mut looks = self.looks.filter(|_| self.stays);
        while let Some(answer) = next_look(&mut looks).await {
            let _ = answer.send(hall.snapshot(begin.elapsed()));
        }
        Ok(())
    }
}

async fn next_look(looks: &mut Option<Looks>) -> Option<oneshot::Sender<Snapshot>> {
    looks.as_mut()?.recv().await
}

type Arrival = (TcpStream, SocketAddr, Port);

async fn accept(listener: TcpListener, port: Port, arrivals: UnboundedSender<Arrival>) {
    loop {
        match listener.accept().await {
            Ok((stream, peer)) => {
                if arrivals.send((stream, peer, port)).is_err() {
                    return;
                }
            }
            // Out of files, or a client that was gone again: there is more room later.
            Err(_) => tokio::time::sleep(Duration::from_millis(100)).await,
        }
    }
}

/// Tells who is who, and greets.
struct Reception {
    gate: Gate<Knock>,
    teams: Vec<Team>,
    conduct: Conduct,
    seed: u64,
    tests: u64,
    events: UnboundedSender<Event>,
    begin: Instant,
    overhead: Overhead,
}

impl Reception {
    fn receive(
        &mut self,
        stream: TcpStream,
        peer: SocketAddr,
        port: Port,
        tasks: &mut tokio::task::JoinSet<()>,
        news: &mut impl FnMut(News),
    ) {
        while tasks.try_join_next().is_some() {}
        // A listener on :: sees clients of the older kind of address in the newer one.
        let host = peer.ip().to_canonical();
        let by_host = || {
            self.teams
                .iter()
                .find(|team| team.host == Some(host))
                .map(|team| team.id)
        };
        let (team, knock) = match port {
            Port::Contest(Some(team)) => (Some(team), Knock::Team(team)),
            Port::Contest(None) => (by_host(), Knock::Host(host)),
            Port::Test => (by_host(), Knock::Test(host)),
        };
        // Tests of one machine that holds the whole contest do not wait for each other.
        let exempt = matches!(knock, Knock::Test(host) if host.is_loopback());
        if !exempt && !self.gate.admit(knock, self.begin.elapsed()) {
            return news(News::TooEarly { host });
        }
        let _ = stream.set_nodelay(true);
        let connection = connection(stream);
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
                news(News::Unknown { host });
                tasks.spawn(refuse(connection, host));
            }
        }
    }
}

/// A client nobody knows.
async fn refuse(mut connection: Connection<TcpStream>, host: IpAddr) {
    let refusal = ServerMessage::Error(Refusal {
        seen_host: host.to_string(),
        message: format!("no team of this contest connects from {host}"),
    });
    let _ = deliver(&mut connection, &refusal).await;
}

/// A client at the test port.
async fn test(mut connection: Connection<TcpStream>, conduct: Conduct, team_id: u64, seed: u64) {
    let greeting = ServerMessage::GreetingsProgram(Greeting { team_id });
    if deliver(&mut connection, &greeting).await.is_ok() {
        test_port::play(connection, conduct, team_id, seed).await;
    }
}

/// A team's client.
async fn member(
    connection: Connection<TcpStream>,
    team: u64,
    overhead: Overhead,
    events: UnboundedSender<Event>,
) {
    let (outbox, outgoing) = unbounded_channel();
    let greeting = ServerMessage::GreetingsProgram(Greeting { team_id: team });
    let _ = outbox.send(Outgoing::from(greeting));
    let link = outbox.downgrade();
    if events.send(Event::Joined { team, outbox }).is_err() {
        return;
    }
    let input = |said| {
        let _ = events.send(Event::Said {
            team,
            link: link.clone(),
            said,
            at: std::time::Instant::now(),
        });
    };
    super::link::carry(connection, outgoing, overhead, input).await;
    let _ = events.send(Event::Left { team, link });
}

/// Characters of what is wrong with a message; it may quote the message, which may be long.
const LONGEST_REASON: usize = 200;

/// The beginning of a reason that goes into an answer and into the journal.
fn brief(reason: &str) -> String {
    match reason.char_indices().nth(LONGEST_REASON) {
        Some((end, _)) => format!("{}...", &reason[..end]),
        None => reason.to_owned(),
    }
}

/// Hands what a player said to its game.
pub(super) fn reply(table: &mut Table, seat: Seat, said: Input, now: Duration) -> Vec<Sent> {
    match said {
        Ok(Incoming::Move {
            request_id,
            response,
        }) => {
            let decision = serde_json::from_value::<Response>(response)
                .map_err(|error| brief(&error.to_string()))
                .and_then(|response| {
                    Decision::try_from(response).map_err(|error| error.to_string())
                });
            table.answer(seat, request_id, decision, now)
        }
        // As in the other direction: a message of a type that nobody knows is not there.
        Ok(Incoming::Unknown) => Vec::new(),
        Err(reason) => table.nonsense(seat, &brief(&reason), now),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_of_unknown_types_are_ignored() {
        let random = engine::rng::stream(1, 1);
        let mut table = Table::new(Conduct::default(), 1, [1, 2], random);
        table.start(Duration::ZERO);
        let seat = table.asked().unwrap();
        let unknown = serde_json::from_str(r#"{"type": "hello", "card": 1}"#).unwrap();
        assert!(reply(&mut table, seat, Ok(unknown), Duration::ZERO).is_empty());
        assert_eq!(table.asked(), Some(seat), "the request is still open");
        let wrong = Err("no message".to_owned());
        assert!(!reply(&mut table, seat, wrong, Duration::ZERO).is_empty());
    }

    #[test]
    fn what_a_player_sent_wrong_is_not_told_it_at_full_length() {
        let random = engine::rng::stream(1, 1);
        let mut table = Table::new(Conduct::default(), 1, [1, 2], random);
        let request = table.start(Duration::ZERO).pop();
        let Some((seat, ServerMessage::Request(request))) = request else {
            panic!("{request:?}")
        };
        let said = Incoming::Move {
            request_id: request.request_id,
            response: serde_json::json!({"type": "\u{e4}".repeat(500_000)}),
        };
        let sent = reply(&mut table, seat, Ok(said), Duration::ZERO);
        let told = serde_json::to_string(&sent[0].1).unwrap();
        assert!(told.contains("unknown variant"), "{told}");
        assert!(told.len() < 1000, "{} bytes", told.len());
    }
}
