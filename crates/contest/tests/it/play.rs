//! Tests of `contest play` by its HTTP interface, with Cartagena: what each seat is sent, acting, taking
//! back, and requests that must be refused.

use super::play_review::finish;
use crate::tables::{Server, link, links, refused};
use serde_json::{Value, json};

/// Chooses an action such that games end: the longest jump, else the shortest retreat. Now and then it
/// chooses another action, since on some boards these alone go round in circles.
pub(super) fn choice(state: &Value) -> String {
    let legal = state["game"]["legal"].as_array().unwrap();
    let version = state["version"].as_u64().unwrap() as usize;
    if version % 7 == 3 && !legal.is_empty() {
        let other = &legal[version / 7 % legal.len()]["action"];
        return other.as_str().unwrap().to_owned();
    }
    let gain = |action: &&Value| action["to"].as_i64().unwrap() - action["from"].as_i64().unwrap();
    legal
        .iter()
        .max_by_key(gain)
        .map_or(String::new(), |action| {
            action["action"].as_str().unwrap().to_owned()
        })
}

#[test]
fn actions_are_taken_back_until_something_was_seen() {
    let server = Server::new();
    for freely in [false, true] {
        let [ann, bob] = links(&server.set_up("cartagena", "Ann, Bob", freely));
        let start = server.state(&ann);
        assert_eq!(start["can_take_back"], false);
        let advance = start["game"]["legal"][0]["action"].as_str().unwrap();
        let (_, after) = server.act(&ann, &start, advance);
        assert_eq!(after["can_take_back"], true);
        assert_eq!(server.back(&bob, &server.state(&bob)).0, 409);
        let (status, again) = server.back(&ann, &after);
        assert_eq!((status, &again["game"]), (200, &start["game"]));
        // The turn passes to the other player, who acts.
        let (_, state) = server.act(&ann, &again, advance);
        let (_, passed) = server.act(&ann, &state, "");
        let turn = server.state(&bob);
        let reply = turn["game"]["legal"][0]["action"].as_str().unwrap();
        assert_eq!(server.act(&bob, &turn, reply).0, 200);
        let state = server.state(&ann);
        assert_eq!(state["can_take_back"], freely);
        assert_eq!(server.back(&ann, &passed).0, 409, "an earlier position");
        assert_eq!(server.back(&ann, &state).0, if freely { 200 } else { 409 });
    }
}

#[test]
fn strangers_get_nowhere() {
    let server = Server::new();
    let table = server.set_up("cartagena", "Ann, 0", true);
    let ann = link(&table, 0);
    let other = ann.replace(|c: char| c.is_ascii_digit(), "0");
    for path in [
        "/",
        "/host/x",
        "/host/x/tables",
        &other,
        &format!("{other}/state"),
        "/assets/../x",
        "/assets/none.js",
    ] {
        assert_eq!(server.get(path).0, 404, "{path}");
    }
    let (_, hint) = server.post(&format!("{other}/hint"), &json!({}));
    assert_eq!(hint["error"]["id"], "no-such-page");
    let state = format!("{ann}/state");
    assert_eq!(
        server.raw("GET", &state, "Host: evil.example\r\n", "").0,
        403
    );
    let act = format!("{ann}/act");
    let body = json!({ "version": 0, "action": "1 0 1 hat" }).to_string();
    let json = "Content-Type: application/json\r\n";
    let foreign = format!("{json}Origin: http://evil.example\r\n");
    assert_eq!(server.raw("POST", &act, &foreign, &body).0, 403);
    assert_eq!(
        server
            .raw("POST", &act, "Content-Type: text/plain\r\n", &body)
            .0,
        415
    );
    assert_eq!(server.raw("POST", &act, json, &"x".repeat(100_000)).0, 413);
    assert_eq!(server.post(&act, &json!({ "version": 0 })).0, 422);
    for (body, expected) in [
        (
            json!({ "version": 0, "action": "1 0 99 hat" }),
            "beyond the boat at 37",
        ),
        (
            json!({ "version": 0, "action": "2 0 1 hat" }),
            "player 1 is to move",
        ),
        (json!({ "version": 0, "action": "hello" }), "expected"),
    ] {
        refused(server.post(&act, &body), 400, expected);
    }
    for seats in [
        json!([]),
        json!([{ "person": "A" }]),
        json!([{ "person": "" }, { "player": 0 }]),
        json!([{ "player": 0 }, { "player": 9 }]),
        json!([{ "person": "a\u{7}" }, { "player": 0 }]),
    ] {
        let wish = json!({ "game": "cartagena", "seats": seats, "freely": true });
        let (status, answer) = server.post(&format!("{}/tables", server.host), &wish);
        assert!(
            status == 400 && answer["error"].is_string(),
            "{seats}: {answer}"
        );
    }
}

/// A file that is no table is left alone, and the server says so.
#[test]
fn a_broken_file_is_left_alone() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("broken.jsonl"), "no table\n").unwrap();
    std::fs::write(folder.path().join("notes.txt"), "mine").unwrap();
    let server = Server::start(folder.path());
    let (_, tables) = server.get(&format!("{}/tables", server.host));
    assert_eq!(tables, json!([]));
    server.kill();
    assert_eq!(
        std::fs::read_to_string(folder.path().join("broken.jsonl")).unwrap(),
        "no table\n"
    );
}

/// A proxy may pass on a host name that is allowed, also if it was reached by HTTPS. Requests with other host
/// names are refused.
#[test]
fn a_proxy_in_front_is_allowed_by_name() {
    let folder = tempfile::tempdir().unwrap();
    let server = Server::start_with(folder.path(), &["--host", "games.example"]);
    let tables = format!("{}/tables", server.host);
    let status = |headers: &str| server.raw("GET", &tables, headers, "").0;
    assert_eq!(status(""), 200, "the address goes on to work");
    let from_page = "Host: games.example\r\nOrigin: https://games.example\r\n";
    assert_eq!(status(from_page), 200);
    assert_eq!(status("Host: games.example:8443\r\n"), 200);
    assert_eq!(status("Host: other.example\r\n"), 403);
    let from_other = "Host: games.example\r\nOrigin: https://other.example\r\n";
    assert_eq!(status(from_other), 403);
}

/// A table with open hands and four pirates: everybody is sent all hands, built-in players play to the end, and a program of
/// the contest, which is told of neither, does not take part.
#[test]
fn a_table_has_open_hands_and_four_pirates() {
    let server = Server::new();
    let rules = json!({ "rules": ["open-hands", "four-pirates"] });
    let table = server.set_up_on("cartagena", "Ann, 5, 7", true, &rules);
    let ann = link(&table, 0);
    let onlookers = table["onlookers"].as_str().unwrap();
    for link in [ann.as_str(), onlookers] {
        let state = server.state(link);
        assert_eq!(state["game"]["pirates"], 4);
        assert_eq!(state["rules"].as_array().unwrap().len(), 2);
        let hands = state["game"]["hands"].as_array().unwrap();
        assert!(hands.iter().all(Value::is_string), "{hands:?}");
    }
    let over = finish(&server, &[ann]);
    assert!(over["game"]["winner"].is_u64());
}
