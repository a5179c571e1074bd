//! Tests of opening Cartagena games and positions at a table, by its HTTP interface: records, inputs of the
//! contest, positions set up by hand, and what is refused.

use super::play::choice;
use super::programs::contest;
use super::tables::{Server, link, refused};
use serde_json::{Value, json};
use std::fs;
use std::path::Path;

/// A record of a game so long that the discards are shuffled.
fn long_game(folder: &Path) -> String {
    let file = folder.join("games.jsonl");
    contest("cartagena play builtin:random builtin:rearmost --seed 5 --record")
        .arg(&file)
        .printed();
    fs::read_to_string(file).unwrap()
}

/// If nobody has a card or a space to go back to, everybody could only pass, so the game is over.
#[test]
fn where_nobody_can_do_anything_the_game_is_over() {
    let server = Server::new();
    let position = |hands: [&str; 2]| {
        let text = json!({ "board": "bdghksbdghks", "places": [[0, 0, 0, 0, 0, 3], [0, 0, 0, 0, 0, 0]], "hands": hands,
            "discards": "bdghks", "to_move": 1, "taken": 0 });
        let table = server.opened("cartagena", &text.to_string());
        link(&table, 0)
    };
    let dead = server.state(&position(["", ""]));
    assert_eq!(
        (&dead["over"], &dead["game"]["winner"]),
        (&json!(true), &Value::Null)
    );
    let alive = position(["k", ""]);
    let now = server.state(&alive);
    assert_eq!(now["over"], false);
    // Playing the card uses it up, and nobody stands behind the pirate's new space. The turn still goes on.
    assert_eq!(server.act(&alive, &now, "1 3 5 keys").0, 200);
    assert_eq!(server.state(&alive)["over"], false, "the turn goes on");
}

#[test]
fn a_recorded_game_is_opened_as_it_was() {
    let folder = tempfile::tempdir().unwrap();
    let text = long_game(folder.path());
    let record: Value = serde_json::from_str(&text).unwrap();
    let actions = record["actions"].as_array().unwrap();
    let drawn: usize = actions
        .iter()
        .filter_map(|a| a["drawn"].as_str())
        .map(str::len)
        .sum();
    assert!(drawn > 102, "{drawn} cards drawn: no reshuffle");
    let mut server = Server::new();
    let table = server.opened("cartagena", &text);
    let first = link(&table, 0);
    let state = server.state(&first);
    assert_eq!(state["over"], true);
    assert_eq!(state["names"], record["players"]);
    let log = state["game"]["log"].as_array().unwrap();
    assert_eq!(log.len(), actions.len());
    for (n, (done, told)) in log.iter().zip(actions).enumerate() {
        assert_eq!(
            done["player"],
            told["player"].as_u64().unwrap() - 1,
            "action {n}"
        );
        assert_eq!(
            done["drawn"].as_str().unwrap(),
            told["drawn"].as_str().unwrap_or(""),
            "action {n}"
        );
    }
    // The saved record is the same game, apart from the times.
    let (_, again) = server.get(&format!("{first}/record"));
    for field in ["board", "hands", "pile"] {
        assert_eq!(again[field], record[field], "{field}");
    }
    assert_eq!(again["result"]["winner"], record["result"]["winner"]);
    // Another line of play branches off the recorded game, and a restart keeps both.
    let half = actions.len() / 2;
    let branch = |body: &Value| server.post(&format!("{first}/branch"), body);
    let (status, alone) = branch(&json!({ "actions": half }));
    assert!(
        status == 200 && alone["links"][1].is_null(),
        "nobody else's link: {alone}"
    );
    let second = link(&table, 1);
    let secret = second.rsplit('/').next().unwrap();
    let (status, other) = branch(&json!({ "actions": half, "with": [secret] }));
    assert_eq!(status, 200, "{other}");
    let links = [0, 1].map(|seat| link(&other, seat));
    let state = server.state(&links[0]);
    let mover = &links[state["to_move"].as_u64().unwrap() as usize];
    let state = server.state(mover);
    assert_eq!(server.act(mover, &state, &choice(&state)).0, 200);
    let before = server.state(mover);
    server.restart();
    assert_eq!(server.state(mover)["game"], before["game"]);
}

#[test]
fn an_input_of_the_contest_is_played_on() {
    let example = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../tests/data/cartagena/interface-example.txt");
    let text = fs::read_to_string(example).unwrap();
    let server = Server::new();
    let table = server.opened("cartagena", &text);
    let seat = (0..)
        .find(|&seat| table["links"][seat].is_string())
        .unwrap();
    let own = link(&table, seat);
    let state = server.state(&own);
    assert_eq!(
        (&state["to_move"], &state["seat"]),
        (&json!(seat), &json!(seat))
    );
    let (status, hint) = server.post(&format!("{own}/hint"), &json!({}));
    assert!(
        status == 200 && !hint["candidates"].as_array().unwrap().is_empty(),
        "{hint}"
    );
    server.acted(&own, &state, &choice(&state));
}

const POSITION: &str = r#"{"board":"bdghks","places":[[0,3],[6,7]],"hands":["bd","???"],"discards":"hh","to_move":2,"taken":1}"#;

#[test]
fn a_position_is_set_up() {
    let mut server = Server::new();
    let table = server.opened("cartagena", POSITION);
    let own = link(&table, 1);
    let state = server.state(&own);
    let game = &state["game"];
    assert_eq!(game["places"], json!([[0, 3], [6, 7]]));
    assert_eq!(
        (&game["hand_sizes"], &game["taken"], &game["pirates"]),
        (&json!([2, 3]), &json!(1), &json!(2))
    );
    assert_eq!(
        (&game["discards"], &game["pile"]),
        (&json!("hh"), &json!(102 - 7))
    );
    assert!(game["hands"][0].is_null() && game["hands"][1].as_str().unwrap().len() == 3);
    server.restart();
    assert_eq!(server.state(&own)["game"], *game);
}

#[test]
fn what_cannot_be_says_why() {
    let server = Server::new();
    let changed = |from: &str, to: &str| {
        assert!(POSITION.contains(from));
        POSITION.replacen(from, to, 1)
    };
    for (text, expected) in [
        (String::new(), "nothing to open"),
        ("hello".to_owned(), "expected"),
        ("{}".to_owned(), "missing field"),
        ("[1]".to_owned(), "expected"),
        (
            changed("bdghks", "bdxhks"),
            "board: expected b, d, g, h, k, s",
        ),
        (changed("bdghks", ""), "board"),
        (changed("[0,3]", "[0,30]"), "expected 0 to 7"),
        (changed("[0,3]", "[0]"), "the same number for all"),
        (changed("[0,3]", "[]"), "expected 1 to 6 pirates"),
        (
            changed("[[0,3],[6,7]]", "[[7,7],[7,7]]"),
            "player 1 has won already",
        ),
        (
            changed("[[0,3],[6,7]]", "[[3,3],[3,3]]"),
            "more than three pirates on 3",
        ),
        (
            changed("\"bd\"", "\"bbbbbbbbbbbbbbbbbb\""),
            "hand 1: there are no more cards with a bottle",
        ),
        (
            changed("\"???\"]", "\"???\",\"b\"]"),
            "places: expected 3 players",
        ),
        (changed("[\"bd\",\"???\"]", "[\"bd\"]"), "2 to 6 players"),
        (
            changed("\"to_move\":2", "\"to_move\":3"),
            "to_move: expected 1 to 2",
        ),
        (
            changed("\"to_move\":2", "\"to_move\":0"),
            "to_move: expected 1 to 2",
        ),
        (
            changed("\"taken\":1", "\"taken\":3"),
            "taken: expected 0 to 2",
        ),
        (changed("\"taken\":1", "\"pile\":\"b\""), "pile: "),
        (changed("\"taken\":1", "\"take\":1"), "unknown field"),
    ] {
        refused(server.open("cartagena", &text), 400, expected);
    }
    let other = json!({ "game": "chess", "text": "x" });
    assert_eq!(server.post(&format!("{}/open", server.host), &other).0, 400);
    assert_eq!(server.post("/host/x/open", &other).0, 404);
    assert!(
        fs::read_dir(&server.folder).unwrap().next().is_none(),
        "no table is left behind"
    );
}
