//! Tests that records of games played for practice say so, and do not count as results. A game is for
//! practice if something was taken back freely, or if it went on from or was opened from another.

use super::play;
use super::play_open_cards::first;
use super::programs::{contest, says};
use super::tables::{Server, link};
use serde_json::{Value, json};
use std::fs;

fn choice(game: &str, state: &Value) -> String {
    if game == "cartagena" {
        return play::choice(state);
    }
    first(state)
}

/// Plays on for Ann until the game has `actions` actions and it is her turn, or the game is over.
fn played(server: &Server, game: &str, ann: &str, actions: u64) -> Value {
    let mut state = server.state(ann);
    while state["over"] == false {
        if state["to_move"] == state["seat"] {
            if state["actions"].as_u64().unwrap() >= actions {
                break;
            }
            server.acted(ann, &state, &choice(game, &state));
        }
        state = server.until(ann, |now| {
            now["to_move"] == now["seat"] || now["over"] == true
        });
    }
    state
}

fn record(server: &Server, link: &str) -> Value {
    let text = server.text(&format!("{link}/record"));
    serde_json::from_str(text.lines().last().unwrap()).unwrap()
}

/// Plays four games, and checks what each record says about practice: a plain game, one with free taking
/// back, one that goes on from it, and one opened from its file.
fn says_so(game: &str, seats: &str) {
    let mut server = Server::new();
    let ann = link(&server.set_up(game, seats, true), 0);
    // Taking back before anything new was seen does not make a game practice.
    let first = played(&server, game, &ann, 0);
    let (_, after) = server.act(&ann, &first, &choice(game, &first));
    let after = match after["to_move"] == 0 {
        true => server.back(&ann, &after).1,
        false => after,
    };
    assert_eq!(after["seat"], 0, "{after}");
    let over = played(&server, game, &ann, u64::MAX);
    let plain = record(&server, &ann);
    assert!(plain["practice"].is_null(), "{}", plain["practice"]);
    if let Some(id) = plain["id"].as_str() {
        assert!(id.starts_with("table-"), "{id}");
    }
    assert_eq!(server.back(&ann, &over).0, 200);
    server.restart();
    played(&server, game, &ann, u64::MAX);
    let practised = record(&server, &ann);
    assert_eq!(practised["practice"], json!({ "taken_back": 1 }));
    if let Some(id) = practised["id"].as_str() {
        assert!(id.starts_with("practice-"), "{id}");
    }
    let other = server.posted(&format!("{ann}/branch"), &json!({ "actions": 3 }));
    let again = link(&other, 0);
    played(&server, game, &again, u64::MAX);
    assert_eq!(record(&server, &again)["practice"], json!({ "from": 3 }));
    let (_, text) = server.raw("GET", &format!("{again}/record"), "", "");
    let opened = link(&server.opened(game, &text), 0);
    let (status, page) = server.raw("GET", &format!("{opened}/page"), "", "");
    assert!(
        status == 200 && page.contains("(for practice)"),
        "{page:.300}"
    );
    let opened = record(&server, &opened);
    assert_eq!(opened["practice"], json!({ "opened": true }));
    // `replay` says as well that the game was for practice.
    let file = server.folder.join("game.txt");
    fs::write(&file, &text).unwrap();
    if game != "challenge" {
        let told = contest(game).arg("replay").arg(&file).arg("1").printed();
        says(
            &told,
            "for practice: went on after 3 actions of another game",
        );
    }
}

#[test]
fn games_of_cartagena_say_so() {
    says_so("cartagena", "Ann, 0");
}

#[test]
fn games_of_hearts_say_so() {
    says_so("hearts", "Ann, 0, 0");
}

#[test]
fn games_of_tricky_eights_say_so() {
    says_so("eights", "Ann, 0, 0, 0");
}

#[test]
fn games_of_the_challenge_game_say_so() {
    says_so("challenge", "Ann, 0");
}
