//! What a seat's browser receives, whatever it asks for, holds no card that the seat may not know.

use super::play::choice;
use super::tables::{Server, link};
use serde_json::{Value, json};
use std::collections::BTreeMap;

const GAMES: usize = 100;
/// Actions of a game that are looked at: the cards of most games have been seen by then.
const ACTIONS: usize = 60;

/// Every value of an answer, by its place: `game.hands.1`, with `*` for places in lists that grow.
fn leaves(value: &Value, place: &str, found: &mut BTreeMap<String, Vec<Value>>) {
    match value {
        Value::Object(fields) => {
            for (name, value) in fields {
                leaves(value, &format!("{place}.{name}"), found);
            }
        }
        Value::Array(items) => {
            let listed = [".legal", ".log", ".candidates", ".then"];
            for (i, item) in items.iter().enumerate() {
                let place = match listed.iter().any(|name| place.ends_with(name)) {
                    true => format!("{place}.*"),
                    false => format!("{place}.{i}"),
                };
                leaves(item, &place, found);
            }
        }
        leaf => found
            .entry(place.to_owned())
            .or_default()
            .push(leaf.clone()),
    }
}

/// What may be in an answer to the first of two seats while a game goes on. Whoever adds something says
/// here that it is no secret.
const KNOWN: &[&str] = &[
    ".version",
    ".seat",
    ".names.",
    ".people.",
    ".to_move",
    ".over",
    ".actions",
    ".unit",
    ".stuck",
    ".next",
    ".from",
    ".can_take_back",
    ".can_resign",
    ".has_record",
    ".has_page",
    ".can_ask",
    ".game.board",
    ".game.pirates",
    ".game.places.",
    ".game.hands.",
    ".game.hand_sizes.",
    ".game.discards",
    ".game.pile",
    ".game.taken",
    ".game.winner",
    ".game.legal.*.",
    ".game.may_end",
    ".game.log.*.",
    ".candidates.*.",
];

fn check(answer: &Value, log: &[Value]) {
    let mut found = BTreeMap::new();
    leaves(answer, "", &mut found);
    for (place, values) in &found {
        let is_known = KNOWN.iter().any(|known| match known.ends_with('.') {
            true => place.starts_with(known),
            false => place == known,
        });
        assert!(is_known, "{place}: {values:?}");
    }
    if let Some(hands) = answer["game"]["hands"].as_array() {
        assert!(hands[1].is_null(), "{hands:?}");
    }
    for done in log.iter().filter(|done| done["player"] == 1) {
        let drawn = done["drawn"].as_str().unwrap();
        assert!(drawn.chars().all(|card| card == '?'), "{done}");
    }
}

#[test]
fn no_secret_leaves_in_a_hundred_games() {
    let folder = tempfile::tempdir().unwrap();
    let server = Server::start(folder.path());
    let mut draws = 0;
    for game in 0..GAMES {
        let seats = json!([{ "person": "Ann" }, { "person": "Bob" }]);
        let table = server.set_up("cartagena", &seats, true);
        let [ann, bob] = [0, 1].map(|seat| link(&table, seat));
        for action in 0..ACTIONS {
            let own = server.state(&ann);
            if own["over"] == true {
                break;
            }
            let log = own["game"]["log"].as_array().unwrap();
            check(&own, log);
            let mover = if own["to_move"] == 0 { &ann } else { &bob };
            let state = server.state(mover);
            // Now and then everything that can be asked for.
            if game % 10 == 0 && action % 20 == 7 && mover == &ann {
                let (status, advice) = server.post(&format!("{ann}/hint"), &json!({}));
                assert_eq!(status, 200);
                check(&advice, &[]);
                for other in ["review", "branch"] {
                    let (status, refused) =
                        server.post(&format!("{ann}/{other}"), &json!({ "actions": 0 }));
                    assert_eq!(status, 409, "{other}: {refused}");
                }
                assert_eq!(server.get(&format!("{ann}/at/0")).0, 409);
                for file in ["record", "page"] {
                    assert_eq!(server.get(&format!("{ann}/{file}")).0, 409);
                }
            }
            let (status, after) = server.act(mover, &state, &choice(&state));
            assert_eq!(status, 200, "{after}");
            if mover == &ann {
                check(&after, after["game"]["log"].as_array().unwrap());
            }
        }
        let log = server.state(&ann)["game"]["log"].clone();
        let hidden = log.as_array().unwrap().iter();
        draws += hidden
            .filter(|done| done["player"] == 1 && done["drawn"] != "")
            .count();
    }
    assert!(draws > GAMES, "{draws} hidden draws");
}
