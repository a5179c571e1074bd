//! Tests of `contest play` by its HTTP interface, with Cartagena: what each seat is sent, acting, taking
//! back, and requests that must be refused.

use super::programs::{CONTEST, Command};
use crate::tables::{Server, link};
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
fn two_people_play_and_neither_is_sent_the_others_cards() {
    let folder = tempfile::tempdir().unwrap();
    let mut server = Server::start(folder.path());
    let table = server.set_up(
        "cartagena",
        &json!([{ "person": "Ann" }, { "person": "Bob" }]),
        false,
    );
    let links = [link(&table, 0), link(&table, 1)];
    let onlookers = table["onlookers"].as_str().unwrap().to_owned();
    for turn in 0.. {
        assert!(turn < 2000, "the game does not end");
        let states = links.each_ref().map(|link| server.state(link));
        let open = server.state(&onlookers);
        if states[0]["over"] == true {
            assert_eq!(
                open["game"]["hands"], states[1]["game"]["hands"],
                "all is open at the end"
            );
            break;
        }
        for (seat, state) in states.iter().enumerate() {
            assert_eq!(state["seat"], seat);
            assert!(state["game"]["hands"][seat].is_string());
            assert!(state["game"]["hands"][1 - seat].is_null());
        }
        assert_eq!(open["game"]["hands"], json!([null, null]));
        let drawn = |state: &Value, seat: usize| -> Vec<String> {
            let log = state["game"]["log"].as_array().unwrap();
            let own = log.iter().filter(|done| done["player"] == seat);
            own.map(|done| done["drawn"].as_str().unwrap().to_owned())
                .collect()
        };
        for seat in 0..2 {
            let hidden = |drawn: String| drawn.chars().all(|card| card == '?');
            assert!(drawn(&states[1 - seat], seat).into_iter().all(hidden));
            assert!(
                drawn(&states[seat], seat)
                    .iter()
                    .all(|drawn| !drawn.contains('?'))
            );
        }
        let seat = states[0]["to_move"].as_u64().unwrap() as usize;
        // A seat that is not to move cannot act, and neither can a page that shows an earlier position.
        let action = choice(&states[seat]);
        assert_eq!(
            server.act(&links[1 - seat], &states[1 - seat], &action).0,
            409
        );
        assert_eq!(server.act(&onlookers, &open, &action).0, 403);
        let (status, after) = server.act(&links[seat], &states[seat], &action);
        assert_eq!(status, 200, "{action}: {after}");
        assert_eq!(server.act(&links[seat], &states[seat], &action).0, 409);
        if turn % 17 == 5 {
            server.kill();
            server = Server::start(folder.path());
            let mut again = server.state(&links[seat]);
            let mut before = after.clone();
            // A restarted server counts versions anew, and does not know who has come; all else must be the same.
            for state in [&mut again, &mut before] {
                for part in ["version", "news", "came"] {
                    state[part] = Value::Null;
                }
            }
            assert_eq!(again, before, "the game goes on where it was");
        }
    }
    // All cards lie open now, so nothing may be taken back.
    assert!(
        links
            .iter()
            .all(|link| server.state(link)["can_take_back"] == false)
    );
    let (status, record) = server.get(&format!("{}/record", links[0]));
    assert_eq!(status, 200);
    let file = folder.path().join("record.txt");
    std::fs::write(&file, format!("{record}\n")).unwrap();
    let replay = Command::new(CONTEST)
        .args(["cartagena", "replay"])
        .arg(&file)
        .arg("1")
        .output()
        .unwrap();
    assert!(
        replay.status.success(),
        "{}",
        String::from_utf8_lossy(&replay.stderr)
    );
}

#[test]
fn built_in_players_play_to_the_end_by_themselves() {
    let folder = tempfile::tempdir().unwrap();
    let server = Server::start(folder.path());
    let table = server.set_up(
        "cartagena",
        &json!([{ "player": 0 }, { "player": 1 }, { "player": 0 }]),
        true,
    );
    let onlookers = table["onlookers"].as_str().unwrap();
    let state = server.until(onlookers, |state| state["over"] == true);
    assert!(state["game"]["winner"].is_u64(), "{state}");
}

#[test]
fn actions_are_taken_back_until_something_was_seen() {
    let folder = tempfile::tempdir().unwrap();
    let server = Server::start(folder.path());
    for freely in [false, true] {
        let table = server.set_up(
            "cartagena",
            &json!([{ "person": "Ann" }, { "person": "Bob" }]),
            freely,
        );
        let (ann, bob) = (link(&table, 0), link(&table, 1));
        let start = server.state(&ann);
        assert_eq!(start["can_take_back"], false);
        let advance = start["game"]["legal"][0]["action"].as_str().unwrap();
        let (_, after) = server.act(&ann, &start, advance);
        assert_eq!(after["can_take_back"], true);
        let back = |link: &str, state: &Value| {
            server.post(
                &format!("{link}/back"),
                &json!({ "version": state["version"] }),
            )
        };
        assert_eq!(back(&bob, &server.state(&bob)).0, 409);
        let (status, again) = back(&ann, &after);
        assert_eq!((status, &again["game"]), (200, &start["game"]));
        // The turn passes to the other player, who acts.
        let (_, state) = server.act(&ann, &again, advance);
        let (_, _) = server.act(&ann, &state, "");
        let turn = server.state(&bob);
        let reply = turn["game"]["legal"][0]["action"].as_str().unwrap();
        assert_eq!(server.act(&bob, &turn, reply).0, 200);
        let state = server.state(&ann);
        assert_eq!(state["can_take_back"], freely);
        assert_eq!(back(&ann, &state).0, if freely { 200 } else { 409 });
    }
}

#[test]
fn strangers_get_nowhere() {
    let folder = tempfile::tempdir().unwrap();
    let server = Server::start(folder.path());
    let table = server.set_up(
        "cartagena",
        &json!([{ "person": "Ann" }, { "player": 0 }]),
        true,
    );
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
        let (status, answer) = server.post(&act, &body);
        let told = answer["error"].as_str().unwrap();
        assert!(
            status == 400 && told.contains(expected),
            "{expected}: {status} {answer}"
        );
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
    let folder = tempfile::tempdir().unwrap();
    let server = Server::start(folder.path());
    let tables = format!("{}/tables", server.host);
    let set_up = |seats: Value| {
        let rules = ["open-hands", "four-pirates"];
        let wish = json!({ "game": "cartagena", "seats": seats, "freely": true, "rules": rules });
        let (status, table) = server.post(&tables, &wish);
        assert_eq!(status, 200, "{table}");
        table
    };
    let table = set_up(json!([{ "person": "Ann" }, { "player": 5 }, { "player": 7 }]));
    let ann = link(&table, 0);
    let onlookers = table["onlookers"].as_str().unwrap();
    for link in [ann.as_str(), onlookers] {
        let state = server.state(link);
        assert_eq!(state["game"]["pirates"], 4);
        assert_eq!(state["rules"].as_array().unwrap().len(), 2);
        let hands = state["game"]["hands"].as_array().unwrap();
        assert!(hands.iter().all(Value::is_string), "{hands:?}");
    }
    let mut state = server.state(&ann);
    let mut actions = 0;
    while state["over"] == false {
        if state["to_move"] != 0 {
            state = server.news(&ann, &state);
            continue;
        }
        actions += 1;
        assert!(actions < 1_000, "the game does not end");
        // Forward if possible, so that the game ends. A pass has no words.
        let legal = state["game"]["legal"].as_array().unwrap();
        let gain = |one: &&Value| one["to"].as_i64().unwrap() - one["from"].as_i64().unwrap();
        let best = legal
            .iter()
            .max_by_key(gain)
            .map(|one| one["action"].as_str().unwrap());
        let (status, after) = server.act(&ann, &state, best.unwrap_or_default());
        assert_eq!(status, 200, "{after}");
        state = after;
    }
    assert!(state["game"]["winner"].is_u64());
}
