//! Tests of opening games and positions of the card games at a table, by its HTTP interface: records,
//! examples of the page, messages to programs, and what is refused.

use super::programs::{contest, says};
use super::tables::{Server, link, refused};
use serde_json::{Value, json};
use std::fs;
use std::path::Path;

/// The first legal action in the state of the seat to move.
pub(super) fn first(state: &Value) -> String {
    let legal = &state["game"]["legal"][0];
    let action = legal.as_str().or_else(|| legal["action"].as_str());
    action.unwrap().to_owned()
}

/// Plays and records a match; returns the last line of the record.
pub(crate) fn record_of(folder: &Path, game: &str, players: &[&str], options: &[&str]) -> String {
    let file = folder.join(format!("{game}.jsonl"));
    let mut played = contest(game);
    played.arg("match").args(players).args(options);
    played.arg("--record").arg(&file).printed();
    let text = fs::read_to_string(file).unwrap();
    text.lines().last().unwrap().to_owned()
}

/// Opens a recorded game, which shows its end. Checks that every position can be looked at and played on
/// from, also after a restart of the server.
fn gone_through(game: &str, text: &str) -> Value {
    let mut server = Server::new();
    let own = link(&server.opened(game, text), 0);
    let state = server.state(&own);
    assert_eq!(state["over"], true, "{state}");
    let actions = state["actions"].as_u64().unwrap();
    for at in [0, actions / 2, actions] {
        server.got(&format!("{own}/at/{at}"));
    }
    let body = json!({ "actions": actions / 2 });
    let branched = server.posted(&format!("{own}/branch"), &body);
    let mine = link(&branched, 0);
    let now = server.until(&mine, |now| {
        now["to_move"] == now["seat"] || now["over"] == true
    });
    if now["over"] == false {
        server.acted(&mine, &now, &first(&now));
    }
    server.restart();
    assert_eq!(server.state(&own)["game"], state["game"]);
    assert_eq!(server.state(&mine)["seat"], 0);
    let again = server.text(&format!("{own}/record"));
    // The file that the table saved can be opened as well.
    let other = server.state(&link(&server.opened(game, &again), 0));
    assert_eq!(other["game"], state["game"]);
    state
}

#[test]
fn recorded_games_are_opened_as_they_were() {
    let folder = tempfile::tempdir().unwrap();
    let four = ["counter", "high", "random", "counter"];
    let text = record_of(folder.path(), "eights", &four, &["--rounds", "4"]);
    let record: Value = serde_json::from_str(&text).unwrap();
    let state = gone_through("eights", &text);
    assert_eq!(state["game"]["rounds"], json!([record["points"]]));
    let cards = record["cards"].as_array().unwrap();
    assert_eq!(state["actions"], cards.len() as u64);
    let log = state["game"]["log"].as_array().unwrap();
    let played: Vec<&Value> = log
        .iter()
        .map(|entry| &entry["card"])
        .filter(|card| card.is_string())
        .collect();
    assert_eq!(played, cards.iter().collect::<Vec<_>>());
    assert_eq!(log[0]["hands"], record["hands"]);

    let three = ["duck", "careful", "random"];
    let text = record_of(folder.path(), "hearts", &three, &["--rounds", "3"]);
    let record: Value = serde_json::from_str(&text).unwrap();
    let state = gone_through("hearts", &text);
    assert_eq!(state["game"]["rounds"], json!([record["points"]]));
    assert_eq!(state["names"], record["players"]);

    let text = record_of(
        folder.path(),
        "challenge",
        &["need", "doge"],
        &["--games", "2"],
    );
    let record: Value = serde_json::from_str(&text).unwrap();
    let state = gone_through("challenge", &text);
    assert_eq!(state["game"]["winner"], record["winner"]);
    assert_eq!(state["names"], record["names"]);
}

/// Opens a position and acts for its seat to move, before and after a restart of the server.
fn played_on(game: &str, text: &str, seat: usize) -> Value {
    let mut server = Server::new();
    let table = server.opened(game, text);
    let links = table["links"].as_array().unwrap().iter();
    assert_eq!(
        links.filter(|link| link.is_string()).count(),
        1,
        "the others are players"
    );
    let own = link(&table, seat);
    let state = server.state(&own);
    assert_eq!(
        (&state["to_move"], &state["actions"]),
        (&json!(seat), &json!(0))
    );
    assert_eq!(
        (&state["can_take_back"], &state["has_record"]),
        (&json!(false), &json!(false))
    );
    server.restart();
    assert_eq!(server.state(&own)["game"], state["game"]);
    let hint = server.posted(&format!("{own}/hint"), &json!({}));
    assert!(!hint["candidates"].as_array().unwrap().is_empty());
    let now = server.state(&own);
    server.acted(&own, &now, &first(&now));
    state
}

#[test]
fn the_examples_of_the_page_are_played_on() {
    let server = Server::new();
    let page = server.text(&server.host);
    says(&page, "challenge");
    drop(server);
    let hearts = r#"{"first":2,"hands":["c4 c9 cj ck d3 d8 h2 h5 hq s3 s4 s9 sj","? ? ? ? ? ? ? ? ? ? ? ?","? ? ? ? ? ? ? ? ? ? ? ?","? ? ? ? ? ? ? ? ? ? ? ?"],"cards":"c2 c7 ca","totals":[41,12,30,73]}"#;
    let state = played_on("hearts", hearts, 0);
    let game = &state["game"];
    assert_eq!(game["before"], json!([41, 12, 30, 73]));
    assert_eq!(game["legal"], json!(["c4", "c9", "cj", "ck"]));
    let hands = game["log"][0]["hands"].as_array().unwrap();
    assert!(
        hands[0].is_string() && hands[1..].iter().all(Value::is_null),
        "{hands:?}"
    );
    let eights = r#"{"first":1,"hands":["ht ? ? ? ? ? ? ? ? ? ?","ca ? ? ? ? ? ? ? ? ? ?","c2 c3 c8 c9 dk h6 h8 hk s6 s8","? ? ? ? ? ? ? ? ? ?"],"pool":"cj cq d9 h5 h9 s2 s3 s4 s9 st","cards":"ht ca","totals":[250,180,291,77]}"#;
    let state = played_on("eights", eights, 2);
    assert_eq!(state["game"]["taking"], true);
    assert_eq!(state["game"]["legal"].as_array().unwrap().len(), 10);
    let challenge = r#"{"hands":["? ? ?","12 7 4"],"points":[3,5],"lead":2,"done":["play_card 9","play_card 11","play_card 2","play_card 8"]}"#;
    let state = played_on("challenge", challenge, 1);
    let deal = &state["game"]["log"][0];
    assert_eq!(
        (&deal["points"], &deal["left"]),
        (&json!([3, 5]), &json!([5, 5]))
    );
}

#[test]
fn what_programs_are_sent_is_played_on() {
    let eights = "starthand s c3 d2 d7 dt dj dk h2 h8 s6 sk c6 d8 d9 dq h4 h5 h6 hj s2 s5 s8 st\n\
                  take n d9 e st s\n";
    let state = played_on("eights", eights, 2);
    assert_eq!(state["names"][2], "South");
    let request = r#"{"type":"request","request":"request_card","request_id":6,"remaining":1.9,"state":{"hand":[13,9,4],"card":7,"hand_id":12,"game_id":3,"your_tricks":1,"their_tricks":0,"can_challenge":true,"in_challenge":false,"total_tricks":2,"your_points":6,"opponent_id":2,"their_points":4,"player_number":1}}"#;
    let state = played_on("challenge", request, 1);
    let deal = &state["game"]["log"][0];
    assert_eq!(
        (&deal["points"], &deal["tricks"]),
        (&json!([4, 6]), &json!([0, 1]))
    );
    assert_eq!(deal["hand"], 12);
}

#[test]
fn what_cannot_be_says_why_and_leaves_no_table() {
    let server = Server::new();
    for (game, text, expected) in [
        ("hearts", "", "nothing to open"),
        (
            "eights",
            "starthand q",
            "line 1: \"q\" where a seat was expected",
        ),
        ("challenge", "{\"void\":[]}", "no finished game"),
    ] {
        refused(server.open(game, text), 400, expected);
    }
    // A text of another game is refused with that game's name.
    let challenge = r#"{"hands":["? ? ?","12 7 4"],"points":[3,5],"lead":2,"done":["play_card 9","play_card 11","play_card 2","play_card 8"]}"#;
    let (status, refused) = server.open("cartagena", challenge);
    let expected = json!({ "id": "refused-other-game", "args": { "game": "Challenge" } });
    assert_eq!((status, &refused["error"]), (400, &expected));
    assert!(fs::read_dir(&server.folder).unwrap().next().is_none());
}
