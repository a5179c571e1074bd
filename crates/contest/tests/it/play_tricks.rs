//! Tests of the trick-taking games at tables by their HTTP interface: built-in players, rules of a table, refused
//! cards, and the pages.

use super::programs::says;
use crate::tables::{Server, link, seats};
use serde_json::{Value, json};

#[test]
fn built_in_players_play_hearts_to_the_end() {
    let server = Server::new();
    let table = server.set_up("hearts", "0, 1, 2, 0, 1", true);
    let onlookers = table["onlookers"].as_str().unwrap();
    let state = server.until(onlookers, |state| state["over"] == true);
    let winner = state["game"]["winner"].as_u64().unwrap() as usize;
    let rounds = state["game"]["rounds"].as_array().unwrap();
    let total = |seat: usize| -> u64 {
        rounds
            .iter()
            .map(|round| round[seat].as_u64().unwrap())
            .sum()
    };
    assert!((0..5).all(|seat| seat == winner || total(seat) > total(winner)));
    assert!((0..5).any(|seat| total(seat) >= 100));
}

#[test]
fn a_table_has_only_rules_of_its_game() {
    let mut server = Server::new();
    let wish = |rules: &[&str]| json!({ "game": "hearts", "seats": seats("Ann, 0, 0"), "freely": true, "rules": rules });
    let tables = format!("{}/tables", server.host);
    let (status, error) = server.post(&tables, &wish(&["bidding"]));
    assert_eq!(status, 400, "{error}");
    assert!(error.to_string().contains("expected passing"), "{error}");
    let table = server.posted(&tables, &wish(&["passing"]));
    let ann = link(&table, 0);
    assert_eq!(
        server.state(&ann)["game"]["passing"],
        1,
        "to the left first"
    );
    // The table goes on with its rules after a restart of the server.
    server.restart();
    for _ in 0..3 {
        let state = server.state(&ann);
        let card = state["game"]["legal"][0].as_str().unwrap();
        assert_eq!(server.act(&ann, &state, card).0, 200);
    }
    let log = server.state(&ann)["game"]["log"].clone();
    let passed = |entry: &&Value| entry["player"] == 0 && entry["pass"].is_string();
    assert_eq!(
        log.as_array().unwrap().iter().filter(passed).count(),
        3,
        "{log}"
    );
}

#[test]
fn a_card_that_cannot_be_played_is_refused_with_what_was_expected() {
    let server = Server::new();
    let table = server.set_up("hearts", "Ann, Bob, Cid", true);
    let to_move = server.state(&link(&table, 0))["to_move"].as_u64().unwrap() as usize;
    let own = link(&table, to_move);
    for (action, expected) in [
        ("ha", "♥A cannot be played now; expected one of ♣2"),
        ("z9", "\"z9\" is no card: expected a code such as d9 or st"),
        ("", "\"\" is no card: expected a code such as d9 or st"),
    ] {
        let (status, answer) = server.act(&own, &server.state(&own), action);
        assert_eq!((status, &answer["error"]), (400, &json!(expected)));
    }
    let (_, hint) = server.post(&format!("{own}/hint"), &json!({}));
    assert_eq!(hint["candidates"][0]["action"], "c2");
    let wish = json!({ "game": "eights", "seats": seats("Ann, Bob, Cid"), "freely": true });
    let (status, answer) = server.post(&format!("{}/tables", server.host), &wish);
    assert_eq!(status, 400, "{answer}");
}

#[test]
fn the_pages_of_both_games_are_served_with_their_rules() {
    let server = Server::new();
    for (game, rule) in [("hearts", "Shooting the moon"), ("eights", "Takes:")] {
        let table = server.set_up(game, "Ann, 0, 1, 2", true);
        let page = server.text(&link(&table, 0));
        says(&page, rule);
        says(&page, "id=\"suit-s\"");
        let style = format!("{game}.css");
        let script = "contest/src/tricks/table/assets/table.js";
        for (asset, part) in [(script, "function drawTable("), (&style, ".felt")] {
            let path = format!("/assets/{asset}");
            assert!(page.contains(&path));
            let text = server.text(&path);
            assert_eq!(text.matches(part).count().min(1), 1, "{path}");
        }
    }
}
