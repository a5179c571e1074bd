//! Kills the server of tables at random moments, fifty times: every game goes on where it was, without a lost
//! or doubled action.

use super::play::choice;
use super::tables::{Server, link};
use engine::rng;
use rand::RngExt;
use serde_json::{Value, json};
use std::io::Write;
use std::net::TcpStream;

const TABLES: usize = 50;
const KILLS: usize = 50;

/// A table, and what its server has acknowledged.
struct Game {
    link: String,
    /// The game's log in the latest answer.
    log: Vec<Value>,
}

/// The actions so far, without the cards that the other player has drawn: they are hidden until the game is over, which
/// it may be after any kill.
fn log_of(state: &Value) -> Vec<Value> {
    let mut log = state["game"]["log"].as_array().unwrap().clone();
    for done in log.iter_mut().filter(|done| done["player"] != 0) {
        done["drawn"] = Value::Null;
    }
    log
}

/// Sends an action without waiting for the answer.
fn send(server: &Server, link: &str, state: &Value, action: &str) -> TcpStream {
    let body = json!({ "version": state["version"], "action": action }).to_string();
    let mut stream = TcpStream::connect(("127.0.0.1", server.port)).unwrap();
    let request = format!(
        "POST {link}/act HTTP/1.1\r\nHost: 127.0.0.1:{}\r\nContent-Type: application/json\r\n\
         Connection: close\r\nContent-Length: {}\r\n\r\n{body}",
        server.port,
        body.len()
    );
    stream.write_all(request.as_bytes()).unwrap();
    stream
}

#[test]
fn nothing_is_lost_or_doubled_by_fifty_kills() {
    let mut server = Server::new();
    let mut rng = rng::stream(20, 0);
    let seats = "Ann, 0";
    let mut games: Vec<Game> = (0..TABLES)
        .map(|_| Game {
            link: link(&server.set_up("cartagena", seats, false), 0),
            log: Vec::new(),
        })
        .collect();
    for kill in 0..KILLS {
        // Some actions whose answers are waited for, at random tables, while the built-in players think.
        for _ in 0..rng.random_range(1..40) {
            let game = &mut games[rng.random_range(0..TABLES)];
            let state = server.state(&game.link);
            let log = log_of(&state);
            assert_eq!(log[..game.log.len()], game.log[..], "{}", game.link);
            game.log = log;
            if state["to_move"] == state["seat"] {
                let after = server.acted(&game.link, &state, &choice(&state));
                assert_eq!(after["actions"], game.log.len() as u64 + 1, "taken once");
                game.log = log_of(&after);
            }
        }
        // Then some actions whose answers are never read, as the server is killed first.
        let underway: Vec<(usize, String, TcpStream)> = (0..4)
            .filter_map(|_| {
                let i = rng.random_range(0..TABLES);
                let state = server.state(&games[i].link);
                games[i].log = log_of(&state);
                let mine = state["to_move"] == state["seat"] && state["over"] == false;
                let action = choice(&state);
                mine.then(|| {
                    (
                        i,
                        action.clone(),
                        send(&server, &games[i].link, &state, &action),
                    )
                })
            })
            .collect();
        server.restart();
        for (i, action, _) in underway {
            let state = server.state(&games[i].link);
            let log = log_of(&state);
            let before = games[i].log.len();
            assert_eq!(log[..before], games[i].log[..], "kill {kill}");
            let own = log[before..].iter().filter(|done| done["player"] == 0);
            assert!(own.count() <= 1, "{action} was taken twice");
        }
        for game in &mut games {
            let state = server.state(&game.link);
            let log = log_of(&state);
            assert_eq!(
                log[..game.log.len()],
                game.log[..],
                "kill {kill}: {}",
                game.link
            );
            assert_eq!(state["actions"], log.len() as u64);
            game.log = log;
        }
    }
    let actions: usize = games.iter().map(|game| game.log.len()).sum();
    assert!(actions > 500, "only {actions} actions were taken");
}
