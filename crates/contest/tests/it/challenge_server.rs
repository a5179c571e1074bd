//! Tests of the contest's server over loopback, with the package's client and with clients scripted here.
//! Also has the helpers of `challenge_doors`.

use super::programs::{says, scratch};
use challenge::client::{Config, Notice, run};
use challenge::player::plain::Plain;
use challenge::protocol::{
    ClientMessage, Connection, Move, Refusal, Request, ServerMessage, WireEvent, connection,
    receive, send,
};
use challenge_server::clocked_game::Conduct;
use challenge_server::contest::Contest;
use challenge_server::events::ContestEvent;
use challenge_server::journal::Journal;
use challenge_server::server::{ContestPort, ContestServer};
use challenge_server::settings::ContestSettings;
use challenge_server::snapshot::{SnapshotSource, snapshots};
use challenge_server::teams::Team;
use challenge_server::web::{self, Archive, Site};
use contest::challenge::record::GameLine;
use contest::challenge::record::{Entry, Moved};
use std::net::SocketAddr;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::mpsc::{UnboundedReceiver, unbounded_channel};
use tokio::task::JoinSet;

/// A contest's server that runs as a task of the test, and its clients' tasks.
pub(super) struct Hosted {
    /// Ports of teams 1 and 2, then the port where teams are known by address, then that of team 3, then the
    /// test port.
    pub(super) addresses: Vec<SocketAddr>,
    events: UnboundedReceiver<String>,
    pub(super) tasks: JoinSet<()>,
    pub(super) snapshots: SnapshotSource,
}

pub(super) async fn listener() -> TcpListener {
    TcpListener::bind("127.0.0.1:0").await.unwrap()
}

/// Settings with so much time that even a slow machine loses no game by the clock.
pub(super) fn settings(wait: Duration) -> ContestSettings {
    ContestSettings {
        conduct: Conduct {
            clock: Duration::from_secs(600),
            ..Conduct::default()
        },
        wait,
        seed: 5,
        open_play: None,
        last_hour: Duration::ZERO,
        final_pause: Duration::ZERO,
        report: Duration::from_secs(3600),
        regroup: Duration::ZERO,
        absent_at_once: false,
        keep_decks: false,
    }
}

impl Hosted {
    /// Starts a contest of teams 1, 2 and 3, each with its own port. Team 3 must connect from an address that
    /// no test has.
    pub(super) async fn start(journal: &Path, settings: ContestSettings) -> Hosted {
        Hosted::with_tokens(journal, settings, &[]).await
    }

    /// The same, with tokens for these teams. A team 5 is known by this machine's address, and teams 4 and 6 by their
    /// tokens alone.
    pub(super) async fn with_tokens(
        journal: &Path,
        settings: ContestSettings,
        tokens: &[(u64, &str)],
    ) -> Hosted {
        let mut contest = Contest::new([1, 2]);
        let journal = Journal::open_indexed(journal, &mut contest, drop).unwrap();
        let mut ports = Vec::new();
        for team in [Some(1), Some(2), None, Some(3)] {
            ports.push(ContestPort {
                listener: listener().await,
                team,
            });
        }
        let test = listener().await;
        let mut addresses: Vec<SocketAddr> = ports
            .iter()
            .map(|port| port.listener.local_addr().unwrap())
            .collect();
        addresses.push(test.local_addr().unwrap());
        let team = |id| Team {
            id,
            name: format!("team {id}"),
            host: match id {
                3 => Some([192, 0, 2, 1].into()),
                5 => Some([127, 0, 0, 1].into()),
                _ => None,
            },
            port: (id < 4).then_some(1),
            token: tokens
                .iter()
                .find(|one| one.0 == id)
                .map(|one| one.1.parse().unwrap()),
        };
        let last = tokens.iter().map(|one| one.0).max().unwrap_or(3).max(3);
        let (source, requests) = snapshots();
        let server = ContestServer {
            teams: (1..=last).map(team).collect(),
            settings,
            ports,
            test: Some(test),
            snapshots: Some(requests),
            stays: false,
        };
        let (sender, events) = unbounded_channel();
        let mut tasks = JoinSet::new();
        tasks.spawn(async move {
            let on_event = |event: ContestEvent| sender.send(format!("{event:?}")).unwrap_or(());
            server.run(contest, journal, on_event).await.unwrap();
        });
        Hosted {
            addresses,
            events,
            tasks,
            snapshots: source,
        }
    }

    /// Starts a client of this package at a port.
    pub(super) fn client(&mut self, port: usize) -> UnboundedReceiver<bool> {
        self.client_with(port, None)
    }

    /// The same, with a token that it sends first.
    fn client_with(&mut self, port: usize, token: Option<&str>) -> UnboundedReceiver<bool> {
        let config = Config {
            address: self.addresses[port].to_string(),
            wait: Duration::from_millis(1),
            token: token.map(|token| token.parse().unwrap()),
        };
        let (over, games) = unbounded_channel();
        self.tasks.spawn(async move {
            let on_notice = |notice: Notice| {
                if let Notice::GameOver { won, .. } = notice {
                    let _ = over.send(won);
                }
            };
            run(&config, Arc::new(|| Box::new(Plain)), on_notice).await;
        });
        games
    }

    /// Connects without a client, so that the test decides what is sent.
    pub(super) async fn connect(&self, port: usize) -> Connection<TcpStream> {
        connection(TcpStream::connect(self.addresses[port]).await.unwrap())
    }

    /// Waits for an event whose text begins with `start`.
    pub(super) async fn until(&mut self, start: &str) -> String {
        loop {
            let event = self.events.recv().await.expect("the server has ended");
            if event.starts_with(start) {
                return event;
            }
        }
    }
}

pub(super) async fn next(client: &mut Connection<TcpStream>) -> ServerMessage {
    receive(client)
        .await
        .expect("the server has closed")
        .unwrap()
}

/// Waits for the next request, and skips other messages.
pub(super) async fn request(client: &mut Connection<TcpStream>) -> Request {
    loop {
        if let ServerMessage::Request(request) = next(client).await {
            return request;
        }
    }
}

fn games(path: &Path) -> Vec<GameLine> {
    let text = std::fs::read_to_string(path).unwrap();
    text.lines()
        .filter(|line| line.starts_with("{\"id\""))
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

/// Plays until stopped, sends every answer `copies` times, and counts the error messages in `errors`.
async fn repeat(mut client: Connection<TcpStream>, copies: usize, errors: Arc<AtomicUsize>) {
    while let Some(Ok(message)) = receive::<_, ServerMessage>(&mut client).await {
        match message {
            ServerMessage::Request(request) => {
                let response = request.view().unwrap().safe().unwrap().into();
                let answer = ClientMessage::Move(Move {
                    request_id: request.request_id,
                    response,
                });
                for _ in 0..copies {
                    if send(&mut client, &answer).await.is_err() {
                        return;
                    }
                }
            }
            ServerMessage::Result(report) if matches!(report.result, WireEvent::Error { .. }) => {
                errors.fetch_add(1, Ordering::Relaxed);
            }
            _ => {}
        }
    }
}

/// Clients that send every answer twice play the same three games as clients that send it once. The server
/// answers each copy with an error message only.
#[tokio::test]
async fn answers_that_are_sent_twice_cost_nothing() {
    let mut played = Vec::new();
    for copies in [1, 2] {
        let (_folder, path) = scratch("games.jsonl");
        let mut hosted = Hosted::start(&path, settings(Duration::ZERO)).await;
        let errors = Arc::new(AtomicUsize::new(0));
        for port in [0, 1] {
            let client = hosted.connect(port).await;
            hosted
                .tasks
                .spawn(repeat(client, copies, Arc::clone(&errors)));
        }
        for _ in 0..3 {
            hosted.until("Game").await;
        }
        hosted.tasks.shutdown().await;
        let mut games = games(&path);
        games.truncate(3);
        assert_eq!(games.iter().map(faults).sum::<usize>(), 0);
        assert_eq!(errors.load(Ordering::Relaxed) > 0, copies > 1);
        let what = games
            .into_iter()
            .map(|game| (game.id, game.teams, game.winner, game.entries));
        played.push(what.collect::<Vec<_>>());
    }
    assert_eq!(played[0], played[1]);
}

/// An answer to a request that was never made is the fault that the rules name.
#[tokio::test]
async fn an_answer_to_what_was_never_asked_is_a_fault() {
    let (_folder, path) = scratch("games.jsonl");
    let mut hosted = Hosted::start(&path, settings(Duration::ZERO)).await;
    let mut mine = hosted.connect(0).await;
    let other = hosted.connect(1).await;
    let errors = Arc::default();
    hosted.tasks.spawn(repeat(other, 1, Arc::clone(&errors)));
    let asked = request(&mut mine).await;
    let response = asked.view().unwrap().safe().unwrap().into();
    for request_id in [asked.request_id + 1, 1] {
        let answer = ClientMessage::Move(Move {
            request_id,
            response,
        });
        send(&mut mine, &answer).await.unwrap();
        let ServerMessage::Result(report) = next(&mut mine).await else {
            panic!("expected a result");
        };
        let WireEvent::Error { reason } = report.result else {
            panic!("expected an error: {report:?}");
        };
        says(&reason, "expected an answer");
        request(&mut mine).await;
    }
    // The two faults cost a trick each. A new connection plays on.
    let again = hosted.connect(0).await;
    drop(mine);
    hosted.tasks.spawn(repeat(again, 1, errors));
    hosted.until("Game").await;
    assert_eq!(faults(&games(&path)[0]), 2);
}

fn faults(game: &GameLine) -> usize {
    let is_fault = |entry: &&Entry| {
        matches!(
            entry,
            Entry::PlayerMove {
                what: Moved::IllegalMove { .. },
                ..
            }
        )
    };
    game.entries.iter().filter(is_fault).count()
}

/// One of them has a token, the other needs none.
#[tokio::test]
async fn two_clients_play_a_round() {
    let (_folder, path) = scratch("games.jsonl");
    let tokens = [(1, "sesame")];
    let mut hosted = Hosted::with_tokens(&path, settings(Duration::ZERO), &tokens).await;
    hosted.client_with(0, Some("sesame"));
    hosted.client(1);
    hosted.until("Round").await;
    hosted.tasks.shutdown().await;
    let games = games(&path);
    assert!(games.len() >= 5);
    for (i, game) in games.iter().take(5).enumerate() {
        assert_eq!(game.teams, if i % 2 == 0 { [1, 2] } else { [2, 1] });
        assert_eq!(faults(game), 0);
        assert!(matches!(
            game.entries.last(),
            Some(Entry::NewRoundScore { .. })
        ));
    }
}

#[tokio::test]
async fn a_restarted_server_goes_on_with_the_round() {
    let (_folder, path) = scratch("games.jsonl");
    for _ in 0..2 {
        let mut hosted = Hosted::start(&path, settings(Duration::ZERO)).await;
        hosted.client(0);
        hosted.client(1);
        hosted.until("Game").await;
        hosted.tasks.shutdown().await;
    }
    let games = games(&path);
    let ids: Vec<u64> = games.iter().map(|game| game.id).collect();
    assert!(ids.windows(2).all(|pair| pair[0] < pair[1]), "{ids:?}");
    for (i, game) in games.iter().enumerate().take(5) {
        let Some(Entry::NewRoundScore {
            player0_score,
            player1_score,
        }) = game.entries.last()
        else {
            panic!("expected the score of the round");
        };
        assert_eq!(
            (player0_score + player1_score) as usize,
            i + 1,
            "games of the round so far"
        );
    }
}

#[tokio::test]
async fn a_client_that_comes_back_gets_its_request_again() {
    let (_folder, path) = scratch("games.jsonl");
    let mut hosted = Hosted::start(&path, settings(Duration::ZERO)).await;
    hosted.client(1);
    let mut first = hosted.connect(0).await;
    let asked = request(&mut first).await;
    drop(first);
    hosted.until("Left { team: 1 }").await;
    let mut second = hosted.connect(0).await;
    assert!(matches!(
        next(&mut second).await,
        ServerMessage::GreetingsProgram(_)
    ));
    let again = request(&mut second).await;
    assert_eq!(
        (again.request_id, &again.state),
        (asked.request_id, &asked.state)
    );
    // A newer connection replaces one that is still open.
    let mut third = hosted.connect(0).await;
    assert_eq!(request(&mut third).await.state, asked.state);
    assert!(receive::<_, ServerMessage>(&mut second).await.is_none());
    let response = again.view().unwrap().safe().unwrap().into();
    let answer = ClientMessage::Move(Move {
        request_id: again.request_id,
        response,
    });
    send(&mut third, &answer).await.unwrap();
    assert!(matches!(next(&mut third).await, ServerMessage::Result(_)));
}

#[tokio::test]
async fn unknown_clients_get_an_error_and_hasty_ones_are_refused() {
    let (_folder, path) = scratch("games.jsonl");
    let mut hosted = Hosted::start(&path, settings(Duration::from_secs(3600))).await;
    let mut unknown = hosted.connect(2).await;
    let ServerMessage::Error(Refusal { seen_host, .. }) = next(&mut unknown).await else {
        panic!("expected an error");
    };
    assert_eq!(seen_host, "127.0.0.1");
    assert!(receive::<_, ServerMessage>(&mut unknown).await.is_none());
    let mut member = hosted.connect(0).await;
    assert!(matches!(
        next(&mut member).await,
        ServerMessage::GreetingsProgram(_)
    ));
    let mut hasty = hosted.connect(0).await;
    assert!(!matches!(
        receive::<_, ServerMessage>(&mut hasty).await,
        Some(Ok(_))
    ));
    hosted.until("TooEarly").await;
}

/// If a team's address is known too, finding its port is not enough to get its seat.
#[tokio::test]
async fn a_port_and_an_address_must_both_be_right() {
    let (_folder, path) = scratch("games.jsonl");
    let hosted = Hosted::start(&path, settings(Duration::ZERO)).await;
    let mut elsewhere = hosted.connect(3).await;
    let answer = next(&mut elsewhere).await;
    assert!(matches!(answer, ServerMessage::Error(_)), "{answer:?}");
}

#[tokio::test]
async fn the_test_port_plays_many_at_once() {
    let (_folder, path) = scratch("games.jsonl");
    let mut hosted = Hosted::start(&path, settings(Duration::from_secs(3600))).await;
    let mut clients = [hosted.client(4), hosted.client(4)];
    for games in &mut clients {
        for _ in 0..3 {
            games.recv().await.unwrap();
        }
    }
    assert!(games(&path).is_empty(), "tests count for nothing");
}

/// The status and the JSON that the web page's server answers at a path.
async fn fetched(address: SocketAddr, path: String) -> (u16, serde_json::Value) {
    let answer = tokio::task::spawn_blocking(move || crate::challenge_web::fetch(address, &path));
    let (status, text) = answer.await.unwrap();
    (status, serde_json::from_str(&text).unwrap())
}

#[tokio::test]
async fn a_game_under_way_is_shown_without_cards() {
    let (_folder, path) = scratch("games.jsonl");
    let mut hosted = Hosted::start(&path, settings(Duration::ZERO)).await;
    let site = Site {
        title: "A contest".to_owned(),
        names: std::collections::BTreeMap::new(),
        archive: Archive::open(&path).unwrap(),
        snapshots: Some(hosted.snapshots.clone()),
        reserved: 3,
    };
    let address = web::serve(std::net::TcpListener::bind("127.0.0.1:0").unwrap(), site).unwrap();
    hosted.client(1);
    let mut mine = hosted.connect(0).await;
    let game = request(&mut mine).await.state.game_id;
    let (status, state) = fetched(address, "/api/state".to_owned()).await;
    assert_eq!((status, &state["state"]["phase"]), (200, &"open".into()));
    assert_eq!(state["state"]["live"][0]["id"], game);
    let (status, shown) = fetched(address, format!("/api/games/{game}")).await;
    assert_eq!(
        (status, &shown["live"]["points"]),
        (200, &serde_json::json!([0, 0]))
    );
    assert!(shown["entries"].is_null());
    // Another connection of the team plays the game to its end.
    hosted.client(0);
    hosted.until("Game").await;
    let (status, shown) = fetched(address, format!("/api/games/{game}")).await;
    assert_eq!((status, shown["live"].is_null()), (200, true));
    assert_eq!(shown["entries"], serde_json::json!(games(&path)[0].entries));
}
