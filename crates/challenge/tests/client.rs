//! The client against servers that behave badly, over loopback.
// Helpers outside the test functions may unwrap too.
#![allow(clippy::unwrap_used)]

use bytes::Bytes;
use challenge::client::{By, Config, Notice, run};
use challenge::equilibrium::blueprint::Tables;
use challenge::player::plain::Plain;
use challenge::player::{Builtin, Memory, Player};
use challenge::protocol::{ClientMessage, Connection, Move, Response, connection, receive};
use challenge::rules::Decision;
use challenge::view::View;
use engine::rng::stream;
use futures_util::{SinkExt, StreamExt};
use serde_json::{Value, json};
use std::path::PathBuf;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tokio::io::AsyncWriteExt;
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinHandle;

const SOON: Duration = Duration::from_millis(1);

type Server = Connection<TcpStream>;
type Make = Arc<dyn Fn() -> Box<dyn Player> + Send + Sync>;

/// A listener that plays the server, and the client connected to it.
struct Loopback {
    listener: TcpListener,
    client: JoinHandle<()>,
    notices: Receiver<String>,
}

impl Loopback {
    async fn start(wait: Duration, make: Make) -> Loopback {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let config = Config {
            address: listener.local_addr().unwrap().to_string(),
            wait,
            token: None,
        };
        let (notes, notices) = channel();
        let client = tokio::spawn(async move {
            run(&config, make, |notice| {
                notes.send(text(&notice)).unwrap_or(())
            })
            .await;
        });
        Loopback {
            listener,
            client,
            notices,
        }
    }

    /// A client that plays [`Plain`], and tries to connect every millisecond.
    async fn plain() -> Loopback {
        Loopback::start(SOON, plain()).await
    }

    async fn accept(&self) -> TcpStream {
        self.listener.accept().await.unwrap().0
    }

    async fn server(&self) -> Server {
        connection(self.accept().await)
    }

    /// Stops the client. Returns its notices.
    fn end(self) -> Vec<String> {
        self.client.abort();
        self.notices.try_iter().collect()
    }
}

fn text(notice: &Notice) -> String {
    match notice {
        Notice::Decided {
            decision,
            by: By::Player { .. },
            ..
        } => format!("{decision:?} Player"),
        Notice::Decided { decision, by, .. } => format!("{decision:?} {by:?}"),
        Notice::GameOver { won, .. } => format!("game over, won: {won}"),
        other => format!("{other:?}"),
    }
}

fn plain() -> Make {
    Arc::new(|| Box::new(Plain))
}

/// A request for a card from 9 and 4, at the fourth trick.
fn request(id: i64, remaining: f64) -> Value {
    json!({"type": "request", "request": "request_card", "request_id": id, "remaining": remaining,
        "state": {"hand": [9, 4], "hand_id": 3, "game_id": 77, "your_tricks": 1, "their_tricks": 2,
            "can_challenge": true, "in_challenge": false, "total_tricks": 3, "your_points": 5,
            "opponent_id": 8, "their_points": 6, "player_number": 0}})
}

fn play(request_id: i64, card: u8) -> ClientMessage {
    let response = Response::PlayCard { card };
    ClientMessage::Move(Move {
        request_id,
        response,
    })
}

async fn send(server: &mut Server, message: &Value) {
    let bytes = Bytes::from(message.to_string());
    server.send(bytes).await.unwrap();
}

async fn greet(server: &mut Server) {
    send(server, &json!({"type": "greetings_program", "team_id": 4})).await;
}

/// Sends a request, which the client must answer with this card.
async fn is_answered(server: &mut Server, id: i64, remaining: f64, card: u8) {
    send(server, &request(id, remaining)).await;
    assert_eq!(answer(server).await, play(id, card));
}

fn nine() -> Decision {
    Decision::Play(challenge::rules::Card::new(9).unwrap())
}

/// The fields that a changed request may lack: those at the top (`/remaining`) and those of the state
/// (`/state/card`), without the ones that every request needs.
fn fields() -> Vec<String> {
    let request = request(1, 2.0);
    let names = |object: &Value, before: &str| -> Vec<String> {
        let names = object.as_object().unwrap().keys();
        names.map(|name| format!("{before}/{name}")).collect()
    };
    let mut fields = names(&request, "");
    fields.extend(names(&request["state"], "/state"));
    fields.push("/state/card".to_owned());
    let needed = ["/type", "/request", "/state", "/state/hand"];
    fields.retain(|field| !needed.contains(&field.as_str()));
    fields
}

/// The same request with another value in a field, or without it.
fn changed(mut request: Value, field: &str, value: Option<Value>) -> Value {
    let (parent, name) = field.rsplit_once('/').unwrap();
    let object = request.pointer_mut(parent).unwrap();
    let object = object.as_object_mut().unwrap();
    match value {
        Some(value) => object.insert(name.to_owned(), value),
        None => object.remove(name),
    };
    request
}

/// A request with a field missing or of another type gets a legal answer: a card of the hand or an allowed offer,
/// and to an offer a yes or no.
#[tokio::test]
async fn every_request_that_can_be_answered_is() {
    let tables = Tables::new(PathBuf::from("none"), |_| {});
    let memory = Memory::default();
    let make: Make = Arc::new(move || Builtin::Blueprint.exploiter(&tables, &memory, stream(1, 0)));
    let loopback = Loopback::start(SOON, make).await;
    let mut server = loopback.server().await;
    let mut asked = 0;
    for kind in ["request_card", "challenge_offered"] {
        for (can_challenge, table) in [(true, None), (false, Some(7)), (true, Some(9))] {
            for field in fields() {
                let mut plain = request(1, 60.0);
                plain["request"] = kind.into();
                plain["state"]["can_challenge"] = can_challenge.into();
                if let Some(card) = table {
                    plain["state"]["card"] = card.into();
                }
                // Values to replace the field with: its own in other types, and nonsense.
                let before = plain.pointer(&field).cloned().unwrap_or(7.into());
                let with_point = before.as_f64().map_or(before.clone(), Value::from);
                let quoted = Value::String(before.to_string());
                let nonsense = json!([with_point, quoted, null, "x", -3, 0.5, 1e300, [{}]]);
                let values = nonsense.as_array().unwrap().iter().cloned().map(Some);
                for value in values.chain([None]) {
                    asked += 1;
                    let sent = changed(plain.clone(), &field, value);
                    send(&mut server, &sent).await;
                    let answer: Value = receive(&mut server).await.unwrap().unwrap();
                    let response = &answer["response"];
                    let legal = match response["type"].as_str().unwrap() {
                        "play_card" => {
                            kind == "request_card"
                                && [9, 4].map(Value::from).contains(&response["card"])
                        }
                        "offer_challenge" => {
                            let allowed = &sent["state"]["can_challenge"];
                            kind == "request_card" && [json!(true), json!("true")].contains(allowed)
                        }
                        _ => kind == "challenge_offered",
                    };
                    assert!(legal, "{sent} {answer}");
                    let id = sent.get("request_id").unwrap_or(&Value::Null);
                    assert_eq!(&answer["request_id"], id);
                }
            }
        }
    }
    assert!(asked > 500, "{asked}");
    loopback.end();
}

/// The identifier of a request is sent back byte for byte.
#[tokio::test]
async fn a_number_of_a_request_is_sent_back_as_it_came() {
    let loopback = Loopback::plain().await;
    let mut server = loopback.server().await;
    let numbers = "6 6.0 -0 1e2 9223372036854775808 18446744073709551616 1e999";
    let others = r#"null true "6" "\u00e4" "ä""#;
    let spaced = ["[1, 2.50]", "{\"b\": 1, \"a\" :{}}"];
    let words = numbers.split(' ').chain(others.split(' '));
    for id in words.chain(spaced) {
        let text = format!(
            r#"{{"type":"request","request":"request_card","request_id":{id},"state":{{"hand":[9,4]}}}}"#
        );
        server.send(Bytes::from(text)).await.unwrap();
        let answer = server.next().await.unwrap().unwrap();
        let expected = format!(
            r#"{{"type":"move","request_id":{id},"response":{{"type":"play_card","card":4}}}}"#
        );
        assert_eq!(std::str::from_utf8(&answer).unwrap(), expected);
    }
    loopback.end();
}

async fn answer(server: &mut Server) -> ClientMessage {
    let answer = receive(server).await;
    answer.expect("the client has closed").unwrap()
}

/// The bytes of a frame.
fn frame(text: &str) -> Vec<u8> {
    let mut bytes = (text.len() as u32).to_be_bytes().to_vec();
    bytes.extend(text.as_bytes());
    bytes
}

#[tokio::test]
async fn frames_in_pieces_and_nonsense_between_them() {
    let loopback = Loopback::plain().await;
    let mut stream = loopback.accept().await;
    stream.set_nodelay(true).unwrap();
    for byte in frame(&request(1, 2.0).to_string()) {
        stream.write_all(&[byte]).await.unwrap();
        tokio::task::yield_now().await;
    }
    let mut stream = connection(stream);
    assert_eq!(answer(&mut stream).await, play(1, 4));
    let mut stream = stream.into_inner();
    let mut together = Vec::new();
    for text in [
        "{",
        "[]",
        "",
        r#"{"type":"weather"}"#,
        r#"{"type":"result","result":{"type":"x"}}"#,
        r#"{"type":"request","request":"request_dance","request_id":9}"#,
        &request(2, 2.0).to_string(),
    ] {
        together.extend(frame(text));
    }
    stream.write_all(&together).await.unwrap();
    let mut stream = connection(stream);
    assert_eq!(answer(&mut stream).await, play(2, 4));
    loopback.end();
}

#[tokio::test]
async fn a_lost_connection_is_taken_up_again() {
    let loopback = Loopback::plain().await;
    let mut first = loopback.server().await;
    greet(&mut first).await;
    send(&mut first, &request(1, 2.0)).await;
    drop(first);
    let mut second = loopback.server().await;
    is_answered(&mut second, 1, 1.5, 4).await;
    // The second server counts the players from 1, as requests and results of some servers do.
    for (by, told) in [(0, 0), (2, 2), (1, 2)] {
        let won = json!({"type": "game_won", "by": by});
        let result = json!({"type": "result", "result": won, "your_player_num": told});
        send(&mut second, &result).await;
    }
    is_answered(&mut second, 2, 2.0, 4).await;
    let notices = loopback.end();
    let over = notices.iter().filter(|text| text.starts_with("game over"));
    let expected = ["true", "true", "false"].map(|won| format!("game over, won: {won}"));
    assert!(over.eq(&expected), "{notices:?}");
}

#[tokio::test]
async fn a_frame_that_is_too_long_ends_the_connection_only() {
    let loopback = Loopback::plain().await;
    let mut first = loopback.accept().await;
    first.write_all(&[0xFF; 64]).await.unwrap();
    is_answered(&mut loopback.server().await, 5, 2.0, 4).await;
    assert_eq!(loopback.end()[0], "Lost(TooLong)");
}

#[tokio::test]
async fn a_server_that_dies_within_a_frame_is_left() {
    let loopback = Loopback::plain().await;
    let mut first = loopback.accept().await;
    let whole = frame(&request(5, 2.0).to_string());
    first.write_all(&whole[..whole.len() / 2]).await.unwrap();
    drop(first);
    is_answered(&mut loopback.server().await, 5, 1.8, 4).await;
    assert!(loopback.end()[0].starts_with("Lost(Io("));
}

/// The test's clock is paused: while all tasks wait, it jumps to the next deadline.
#[tokio::test(start_paused = true)]
async fn a_server_that_answers_late_is_waited_for() {
    let loopback = Loopback::start(Config::WAIT, plain()).await;
    let mut server = loopback.server().await;
    for id in 1..=3 {
        tokio::time::sleep(Duration::from_secs(1000)).await;
        is_answered(&mut server, id, 2.0, 4).await;
    }
    // No second connection was made.
    let other = tokio::time::timeout(Duration::from_secs(1000), loopback.accept()).await;
    assert!(other.is_err());
    loopback.end();
}

/// The test's clock is paused: it stands still while a task can run, and jumps to the next attempt.
#[tokio::test(start_paused = true)]
async fn a_server_that_closes_at_once_is_not_hammered() {
    let loopback = Loopback::start(Config::WAIT, plain()).await;
    let mut before = None;
    for attempt in 0..10 {
        let mut stream = loopback.accept().await;
        let now = tokio::time::Instant::now();
        if attempt % 2 == 0 {
            let refusal = r#"{"type":"error","seen_host":"10.2.88.12","message":"who?"}"#;
            stream.write_all(&frame(refusal)).await.unwrap();
        }
        if let Some(before) = before.replace(now) {
            let gap: Duration = now - before;
            assert!(gap >= Duration::from_secs(5), "{gap:?}");
        }
    }
    loopback.end();
}

/// A player whose decisions come through a channel. It panics when the channel is closed.
struct Driven(Arc<Mutex<Receiver<Decision>>>);

impl Player for Driven {
    fn decide(&mut self, _: &View) -> Decision {
        let decisions = self.0.lock().unwrap();
        decisions.recv().expect("the player dies of this")
    }
}

fn driven() -> (Sender<Decision>, Make) {
    let (decisions, inbox) = channel();
    let inbox = Arc::new(Mutex::new(inbox));
    let make = move || -> Box<dyn Player> { Box::new(Driven(Arc::clone(&inbox))) };
    (decisions, Arc::new(make))
}

#[tokio::test]
async fn a_player_that_does_not_answer_is_answered_for() {
    let (decisions, make) = driven();
    let loopback = Loopback::start(SOON, make).await;
    let mut server = loopback.server().await;
    for id in 1..=3 {
        is_answered(&mut server, id, 0.33, 4).await;
    }
    // Now the player can go on: one decision for the first question, perhaps one for the third, and one for the
    // question that is asked now.
    for _ in 0..3 {
        decisions.send(nine()).unwrap();
    }
    is_answered(&mut server, 4, 60.0, 9).await;
    drop(decisions);
    loopback.end();
}

#[tokio::test]
async fn a_player_that_dies_or_cheats_is_answered_for() {
    let (decisions, make) = driven();
    decisions.send(Decision::Accept).unwrap();
    drop(decisions);
    let loopback = Loopback::start(SOON, make).await;
    let mut server = loopback.server().await;
    for id in 1..=3 {
        is_answered(&mut server, id, 60.0, 4).await;
    }
    greet(&mut server).await;
    drop(server);
    loopback.accept().await;
    let notices = loopback.end();
    for by in ["Correction(Accept)", "Watchdog"] {
        let told = format!("Play(Card(4)) {by}");
        assert!(notices.contains(&told), "{notices:?}");
    }
}

/// A server may report an error for a copy of an earlier answer while the next request is open.
#[tokio::test]
async fn an_error_about_another_answer_leaves_the_request_open() {
    let (decisions, make) = driven();
    let loopback = Loopback::start(SOON, make).await;
    let mut server = loopback.server().await;
    send(&mut server, &request(1, 60.0)).await;
    let error = json!({"type": "result", "result": {"type": "error", "reason": "a copy"},
        "your_player_num": 0});
    send(&mut server, &error).await;
    while loopback.notices.try_recv().ok() != Some(r#"Fault("a copy")"#.to_owned()) {
        tokio::task::yield_now().await;
    }
    decisions.send(nine()).unwrap();
    assert_eq!(answer(&mut server).await, play(1, 9));
    drop(decisions);
    loopback.end();
}
