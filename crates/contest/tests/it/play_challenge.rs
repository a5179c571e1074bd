//! Tests of the challenge card game at a table by its HTTP interface: hidden cards, hints, taking back, and
//! the page of a finished game.

use super::programs::{CONTEST, Command};
use crate::browser::{browser, opened};
use crate::tables::{Server, link};
use engine::rng::{below, stream};
use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::Stdio;

const TWO: [&str; 2] = ["Ann", "Bob"];

fn people(server: &Server, freely: bool) -> (Value, [String; 2]) {
    let seats = json!(TWO.map(|name| json!({ "person": name })));
    let table = server.set_up("challenge", &seats, freely);
    let links = [link(&table, 0), link(&table, 1)];
    (table, links)
}

fn log(state: &Value) -> &[Value] {
    state["game"]["log"].as_array().unwrap()
}

/// A seat's cards in the latest deal, as a state shows them.
fn dealt(state: &Value, seat: usize) -> &Value {
    let deal = log(state).iter().rfind(|entry| entry["what"] == "deal");
    &deal.unwrap()["hands"][seat]
}

/// Checks that a state names only the seat's own hands and cards that were played.
fn nothing_hidden(state: &Value, seat: usize) {
    let mut played = 0;
    for entry in log(state) {
        match entry["what"].as_str().unwrap() {
            "deal" => {
                assert_eq!(entry["hands"][seat].as_array().unwrap().len(), 5);
                assert!(entry["hands"][1 - seat].is_null(), "{entry}");
            }
            "play" => played += 1,
            _ => {}
        }
    }
    // The only cards named are those that were played, except in legal actions, which name the own cards and
    // are left out here.
    let mut state = state.clone();
    if !state["game"]["legal"].as_array().unwrap().is_empty() {
        assert_eq!(state["to_move"], seat, "legal actions name own cards");
    }
    state["game"]["legal"] = Value::Null;
    let text = state.to_string();
    assert_eq!(text.matches("\"card\":").count(), played, "{text}");
    assert!(text.matches("\"hands\":").count() <= log(&state).len());
}

fn decision(state: &Value, rng: &mut engine::rng::Random) -> String {
    let legal = state["game"]["legal"].as_array().unwrap();
    // Challenges end hands early, so most of the time a card is played.
    let cards: Vec<&Value> = legal
        .iter()
        .filter(|choice| choice["action"].as_str().unwrap().starts_with("play"))
        .collect();
    let chosen = match cards.is_empty() || below(rng, 8) == 0 {
        true => &legal[below(rng, legal.len())],
        false => cards[below(rng, cards.len())],
    };
    chosen["action"].as_str().unwrap().to_owned()
}

#[test]
fn people_play_and_neither_is_sent_the_others_cards() {
    let folder = tempfile::tempdir().unwrap();
    let mut server = Server::start(folder.path());
    let mut rng = stream(20, 0);
    for game in 0..4 {
        let (table, links) = people(&server, false);
        let onlookers = table["onlookers"].as_str().unwrap().to_owned();
        let mut own: Vec<[Value; 2]> = Vec::new();
        loop {
            let states = links.each_ref().map(|link| server.state(link));
            let open = server.state(&onlookers);
            if states[0]["over"] == true {
                // All cards lie open: the deals equal what the seats were sent during the game.
                let deals = log(&open).iter().filter(|entry| entry["what"] == "deal");
                let all: Vec<[Value; 2]> = deals
                    .map(|deal| [0, 1].map(|seat| deal["hands"][seat].clone()))
                    .collect();
                assert_eq!(all, own);
                assert!(open["game"]["winner"].is_u64());
                break;
            }
            for (seat, state) in states.iter().enumerate() {
                assert_eq!(state["seat"], seat);
                nothing_hidden(state, seat);
            }
            for entry in log(&open).iter().filter(|entry| entry["what"] == "deal") {
                assert_eq!(entry["hands"], json!([null, null]));
            }
            assert_eq!(open["game"]["legal"], json!([]));
            let hands = log(&open).iter().filter(|entry| entry["what"] == "deal");
            if hands.count() > own.len() {
                own.push([0, 1].map(|seat| dealt(&states[seat], seat).clone()));
            }
            let seat = states[0]["to_move"].as_u64().unwrap() as usize;
            assert_eq!(states[1 - seat]["game"]["legal"], json!([]));
            let action = decision(&states[seat], &mut rng);
            let other = 1 - seat;
            assert_eq!(server.act(&links[other], &states[other], &action).0, 409);
            assert_eq!(server.act(&onlookers, &open, &action).0, 403);
            let (status, after) = server.act(&links[seat], &states[seat], &action);
            assert_eq!(status, 200, "{action}: {after}");
            if game == 0 && below(&mut rng, 6) == 0 {
                server.kill();
                server = Server::start(folder.path());
                let mut again = server.state(&links[seat]);
                let mut before = after;
                // A restarted server counts versions anew, and does not know who has come.
                for state in [&mut again, &mut before] {
                    for part in ["version", "news", "came"] {
                        state[part] = Value::Null;
                    }
                }
                assert_eq!(again, before, "the game goes on where it was");
            }
        }
        // All cards lie open now, so nothing may be taken back.
        for link in &links {
            assert_eq!(server.state(link)["can_take_back"], false);
        }
        let (status, record) = server.get(&format!("{}/record", links[0]));
        assert_eq!(status, 200);
        let file = folder.path().join("record.txt");
        std::fs::write(&file, format!("{record}\n")).unwrap();
        assert_eq!(replayed(&file)["winner"], record["winner"]);
    }
}

/// The first game of a file, as `contest challenge replay` prints it.
fn replayed(file: &Path) -> Value {
    let mut replay = Command::new(CONTEST)
        .args(["challenge", "replay"])
        .arg(file)
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut told = String::new();
    let mut output = BufReader::new(replay.stdout.take().unwrap());
    output.read_line(&mut told).unwrap();
    let address = told.trim().strip_prefix("1 game: http://").unwrap();
    let mut stream = TcpStream::connect(address.trim_end_matches('/')).unwrap();
    let request = "GET /api/games/1 HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";
    stream.write_all(request.as_bytes()).unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    replay.kill().unwrap();
    replay.wait().unwrap();
    let (_, body) = answer.split_once("\r\n\r\n").unwrap();
    serde_json::from_str(body).unwrap_or_else(|error| panic!("{error}: {answer}"))
}

#[test]
fn built_in_players_play_to_the_end_by_themselves() {
    let folder = tempfile::tempdir().unwrap();
    let server = Server::start(folder.path());
    let seats = json!([{ "player": 0 }, { "player": 1 }]);
    let table = server.set_up("challenge", &seats, true);
    let onlookers = table["onlookers"].as_str().unwrap();
    let state = server.until(onlookers, |state| state["over"] == true);
    assert!(state["game"]["winner"].is_u64(), "{state}");
}

#[test]
fn a_hint_is_worked_out_for_whoever_is_to_move() {
    let folder = tempfile::tempdir().unwrap();
    let server = Server::start(folder.path());
    let (_, links) = people(&server, false);
    let ask = |seat: usize| server.post(&format!("{}/hint", links[seat]), &json!({}));
    let (status, advice) = ask(0);
    assert_eq!(status, 200, "{advice}");
    let candidates = advice["candidates"].as_array().unwrap();
    let state = server.state(&links[0]);
    assert_eq!(
        candidates.len(),
        state["game"]["legal"].as_array().unwrap().len()
    );
    assert_eq!(candidates[0]["behind"], 0.0);
    assert_eq!(ask(1).0, 409);
}

#[test]
fn decisions_are_taken_back_until_something_was_seen() {
    let folder = tempfile::tempdir().unwrap();
    let server = Server::start(folder.path());
    for freely in [false, true] {
        let (_, [ann, bob]) = people(&server, freely);
        let back = |link: &str, state: &Value| {
            let body = json!({ "version": state["version"] });
            server.post(&format!("{link}/back"), &body)
        };
        let start = server.state(&ann);
        let (_, offered) = server.act(&ann, &start, "offer_challenge");
        assert_eq!(offered["can_take_back"], true);
        assert_eq!(back(&bob, &server.state(&bob)).0, 409);
        let (status, again) = back(&ann, &offered);
        assert_eq!((status, &again["game"]), (200, &start["game"]));
        let (_, offered) = server.act(&ann, &again, "offer_challenge");
        // A rejected challenge ends the hand, so the next one is dealt.
        let asked = server.state(&bob);
        assert_eq!(asked["game"]["must_answer"], true);
        let (status, refused) = server.act(&bob, &asked, "play_card 3");
        assert_eq!(status, 400, "{refused}");
        assert!(refused["error"].as_str().unwrap().contains("answer"));
        let (_, dealt) = server.act(&bob, &asked, "reject_challenge");
        assert_eq!(dealt["can_take_back"], freely);
        assert_eq!(back(&bob, &dealt).0, if freely { 200 } else { 409 });
        assert_eq!(server.state(&bob)["game"]["must_answer"], freely);
        assert_eq!(back(&ann, &offered).0, 409, "an earlier position");
    }
}

/// A game can be saved as a page that needs no server.
#[test]
fn a_game_is_a_page_of_its_own() {
    let folder = tempfile::tempdir().unwrap();
    let server = Server::start(folder.path());
    let table = server.set_up(
        "challenge",
        &json!([{ "player": 1 }, { "player": 0 }]),
        false,
    );
    let onlookers = table["onlookers"].as_str().unwrap();
    server.until(onlookers, |state| state["over"] == true);
    let (status, page) = server.raw("GET", &format!("{onlookers}/page"), "", "");
    assert_eq!(status, 200);
    let Some(browser) = browser() else { return };
    // The page follows the headers of the answer.
    let start = page.find("<!doctype").unwrap();
    std::fs::write(folder.path().join("game.html"), &page[start..]).unwrap();
    let shown = opened(browser, folder.path(), "game.html");
    assert!(shown.contains("Novice against Guest"), "{shown:.500}");
    assert!(
        shown.contains("Hand 1: "),
        "the replay begins with the deal"
    );
}
