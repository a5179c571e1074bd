//! Tests that records of games played for practice say so, and do not count as results. A game is for
//! practice if something was taken back freely, or if it went on from or was opened from another.

use super::play;
use super::programs::{CONTEST, Command};
use super::tables::{Server, link};
use serde_json::{Value, json};
use std::fs;

fn choice(game: &str, state: &Value) -> String {
    if game == "cartagena" {
        return play::choice(state);
    }
    let legal = &state["game"]["legal"][0];
    let action = legal.as_str().or_else(|| legal["action"].as_str());
    action.unwrap().to_owned()
}

/// Plays on for Ann until the game has `actions` actions and it is her turn, or the game is over.
fn played(server: &Server, game: &str, ann: &str, actions: u64) -> Value {
    let mut state = server.state(ann);
    while state["over"] == false {
        if state["to_move"] == state["seat"] {
            if state["actions"].as_u64().unwrap() >= actions {
                break;
            }
            let (status, after) = server.act(ann, &state, &choice(game, &state));
            assert_eq!(status, 200, "{after}");
        }
        state = server.until(ann, |now| {
            now["to_move"] == now["seat"] || now["over"] == true
        });
    }
    state
}

fn record(server: &Server, link: &str) -> Value {
    let (status, text) = server.raw("GET", &format!("{link}/record"), "", "");
    assert_eq!(status, 200, "{text}");
    serde_json::from_str(text.lines().last().unwrap()).unwrap()
}

/// Plays four games, and checks what each record says about practice: a plain game, one with free taking
/// back, one that goes on from it, and one opened from its file.
fn says_so(game: &str, seats: usize, named: &str) {
    let folder = tempfile::tempdir().unwrap();
    let server = Server::start(folder.path());
    let mut all = vec![json!({ "person": "Ann" })];
    all.extend((1..seats).map(|_| json!({ "player": 0 })));
    let table = server.set_up(game, &json!(all), true);
    let ann = link(&table, 0);
    // Taking back before anything new was seen does not make a game practice.
    let first = played(&server, game, &ann, 0);
    let (_, after) = server.act(&ann, &first, &choice(game, &first));
    let after = match after["to_move"] == 0 {
        true => {
            let body = json!({ "version": after["version"] });
            server.post(&format!("{ann}/back"), &body).1
        }
        false => after,
    };
    assert_eq!(after["seat"], 0, "{after}");
    let over = played(&server, game, &ann, u64::MAX);
    let plain = record(&server, &ann);
    assert!(plain["practice"].is_null(), "{}", plain["practice"]);
    if let Some(id) = plain["id"].as_str() {
        assert!(id.starts_with("table-"), "{id}");
    }
    let body = json!({ "version": over["version"] });
    assert_eq!(server.post(&format!("{ann}/back"), &body).0, 200);
    server.kill();
    let server = Server::start(folder.path());
    played(&server, game, &ann, u64::MAX);
    let practised = record(&server, &ann);
    assert_eq!(practised["practice"], json!({ "taken_back": 1 }));
    if let Some(id) = practised["id"].as_str() {
        assert!(id.starts_with("practice-"), "{id}");
    }
    let (status, other) = server.post(&format!("{ann}/branch"), &json!({ "actions": 3 }));
    assert_eq!(status, 200, "{other}");
    let again = link(&other, 0);
    played(&server, game, &again, u64::MAX);
    assert_eq!(record(&server, &again)["practice"], json!({ "from": 3 }));
    let (_, text) = server.raw("GET", &format!("{again}/record"), "", "");
    let (status, opened) = server.post(
        &format!("{}/open", server.host),
        &json!({ "game": game, "text": text }),
    );
    assert_eq!(status, 200, "{opened}");
    let opened = link(&opened, 0);
    let (status, page) = server.raw("GET", &format!("{opened}/page"), "", "");
    assert!(
        status == 200 && page.contains("(for practice)"),
        "{page:.300}"
    );
    let opened = record(&server, &opened);
    assert_eq!(opened["practice"], json!({ "opened": true }));
    // `replay` says as well that the game was for practice.
    let file = folder.path().join("game.txt");
    fs::write(&file, &text).unwrap();
    if game != "challenge" {
        let output = Command::new(CONTEST)
            .args([game, "replay"])
            .arg(&file)
            .arg("1")
            .output()
            .unwrap();
        let told = String::from_utf8(output.stdout).unwrap();
        assert!(output.status.success() && told.contains(named), "{told}");
    }
}

const FROM: &str = "for practice: went on after 3 actions of another game";

#[test]
fn games_of_cartagena_say_so() {
    says_so("cartagena", 2, FROM);
}

#[test]
fn games_of_hearts_say_so() {
    says_so("hearts", 3, FROM);
}

#[test]
fn games_of_tricky_eights_say_so() {
    says_so("eights", 4, FROM);
}

#[test]
fn games_of_the_challenge_game_say_so() {
    says_so("challenge", 2, FROM);
}
