//! Tests of the trick-taking games at tables by their HTTP interface: whole games in which nobody is sent a
//! hidden card, taking back, and the pages.

use super::programs::{CONTEST, Command};
use crate::tables::{Server, link};
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use tricks::Card;

/// Adds all cards that are named anywhere in a value.
fn named(value: &Value, found: &mut BTreeSet<Card>) {
    match value {
        Value::String(text) => found.extend(text.split(' ').filter_map(Card::from_code)),
        Value::Array(items) => items.iter().for_each(|item| named(item, found)),
        Value::Object(fields) => fields.values().for_each(|field| named(field, found)),
        _ => {}
    }
}

/// The log from the last deal on, and all cards that are named in it or outside the log.
fn this_round(state: &Value) -> (Vec<Value>, BTreeSet<Card>) {
    let mut state = state.clone();
    let mut log = state["game"]["log"].as_array().unwrap().clone();
    let last = log.iter().rposition(|entry| entry["deal"].is_u64());
    let round = log.split_off(last.unwrap());
    state["game"]["log"] = json!(round);
    let mut found = BTreeSet::new();
    named(&state, &mut found);
    (round, found)
}

/// The cards that an answer named to somebody in a round, and how many cards had been played by then.
struct Sent {
    /// The seat; `None` for onlookers.
    seat: Option<usize>,
    cards: usize,
    named: BTreeSet<Card>,
}

/// Collects what everybody is sent. When a round is over and its cards are known, checks that nobody was sent
/// a card that was hidden at the time.
#[derive(Default)]
struct Reader {
    rounds: HashMap<u64, Vec<Sent>>,
    checked: BTreeSet<u64>,
}

impl Reader {
    fn read(&mut self, state: &Value) {
        let seat = state["seat"].as_u64().map(|seat| seat as usize);
        if state["over"] == false {
            let (round, named) = this_round(state);
            let cards = round
                .iter()
                .filter(|entry| entry["card"].is_string())
                .count();
            let number = round[0]["deal"].as_u64().unwrap();
            let sent = Sent { seat, cards, named };
            self.rounds.entry(number).or_default().push(sent);
            // Hands of earlier rounds stay hidden as well.
            for deal in state["game"]["log"].as_array().unwrap() {
                let hands = deal["hands"].as_array().into_iter().flatten().enumerate();
                for (owner, hand) in hands {
                    assert_eq!(hand.is_string(), seat == Some(owner), "{deal}");
                }
            }
        }
        let log = state["game"]["log"].as_array().unwrap();
        for end in log.iter().filter_map(|entry| entry["end"].as_u64()) {
            if self.checked.insert(end) {
                self.check(end, log);
            }
        }
    }

    fn check(&self, number: u64, log: &[Value]) {
        let start = log
            .iter()
            .position(|entry| entry["deal"] == number)
            .unwrap();
        let round = log[start + 1..]
            .iter()
            .take_while(|entry| !entry["end"].is_u64());
        let acts: Vec<(usize, Card, bool)> = round
            .filter_map(|entry| {
                let card = Card::from_code(entry["card"].as_str()?).unwrap();
                let took = entry["took"] == true;
                Some((entry["player"].as_u64().unwrap() as usize, card, took))
            })
            .collect();
        let open: BTreeSet<Card> = acts.iter().filter(|act| act.2).map(|act| act.1).collect();
        for sent in self.rounds.get(&number).into_iter().flatten() {
            let later = acts[sent.cards..].iter().filter(|act| !act.2);
            let hidden = later.filter(|act| sent.seat != Some(act.0) && !open.contains(&act.1));
            for (owner, card, _) in hidden {
                assert!(
                    !sent.named.contains(card),
                    "round {number}: {:?} was sent {card} of {owner} after {} cards",
                    sent.seat,
                    sent.cards
                );
            }
        }
    }
}

/// The entries of the log, by their numbers in the whole game.
fn numbered(state: &Value) -> BTreeMap<u64, Value> {
    let log = state["game"]["log"].as_array().unwrap().iter().cloned();
    (state["game"]["earlier"].as_u64().unwrap()..)
        .zip(log)
        .collect()
}

/// The links of the people at a table, by seat.
fn people(table: &Value) -> Vec<(usize, String)> {
    let links = table["links"].as_array().unwrap().iter().enumerate();
    links
        .filter_map(|(seat, link)| Some((seat, link.as_str()?.to_owned())))
        .collect()
}

/// Plays a game to its end for the people at a table, and checks all that they and onlookers are sent. The
/// server is killed now and then. Returns the record.
fn played(game: &str, seats: &Value) -> String {
    let folder = tempfile::tempdir().unwrap();
    let mut server = Server::start(folder.path());
    let table = server.set_up(game, seats, false);
    let people = people(&table);
    let onlookers = table["onlookers"].as_str().unwrap().to_owned();
    let mut reader = Reader::default();
    let mut state = server.state(&people[0].1);
    for turn in 0.. {
        assert!(turn < 20_000, "the game does not end");
        reader.read(&state);
        if state["over"] == true {
            break;
        }
        let to_move = state["to_move"].as_u64().unwrap() as usize;
        let Some((_, link)) = people.iter().find(|(seat, _)| *seat == to_move) else {
            // It is a built-in player's turn.
            state = server.news(&people[0].1, &state);
            continue;
        };
        let own = server.state(link);
        reader.read(&own);
        if own["to_move"] != to_move {
            state = own;
            continue;
        }
        let legal = own["game"]["legal"].as_array().unwrap();
        let action = legal[turn % legal.len()].as_str().unwrap();
        let (status, after) = server.act(link, &own, action);
        assert_eq!(status, 200, "{action}: {after}");
        reader.read(&after);
        if turn % 7 == 3 {
            reader.read(&server.state(&onlookers));
            for (_, link) in &people {
                reader.read(&server.state(link));
            }
        }
        if turn % 150 == 100 {
            let before = server.state(&onlookers);
            server.kill();
            server = Server::start(folder.path());
            let after = server.state(&onlookers);
            // A built-in player may have acted in the meantime, so only common entries are compared.
            let (before, after) = (numbered(&before), numbered(&after));
            let shared: Vec<_> = before
                .iter()
                .filter(|(n, _)| after.contains_key(n))
                .collect();
            assert!(shared.len() > 1, "{before:?} {after:?}");
            assert!(
                shared.iter().all(|(n, entry)| after[n] == **entry),
                "the game goes on"
            );
        }
        state = server.state(&people[0].1);
    }
    assert!(reader.checked.len() > 3, "rounds were looked at");
    assert!(state["game"]["winner"].is_u64());
    // All cards lie open now, so nothing may be taken back.
    assert_eq!(state["can_take_back"], false);
    let (status, record) = server.raw("GET", &format!("{}/record", people[0].1), "", "");
    assert_eq!(status, 200);
    record
}

/// Checks that the command `replay` prints a round of the record.
fn replays(game: &str, record: &str) {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("rounds.jsonl");
    std::fs::write(&file, record).unwrap();
    for arguments in [&["replay"][..], &["report"]] {
        let mut command = Command::new(CONTEST);
        command.arg(game).args(arguments).arg(&file);
        if arguments == ["replay"] {
            command.arg("2");
        }
        let output = command.output().unwrap();
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{errors}");
    }
}

#[test]
fn three_people_play_hearts_and_none_is_sent_the_others_cards() {
    let seats = json!([{ "person": "Ann" }, { "person": "Bob" }, { "person": "Cid" }]);
    replays("hearts", &played("hearts", &seats));
}

#[test]
fn two_people_play_eights_with_two_players_and_are_sent_nothing_hidden() {
    let seats = json!([{ "person": "Ann" }, { "player": 0 }, { "person": "Bob" }, { "player": 1 }]);
    replays("eights", &played("eights", &seats));
}

#[test]
fn built_in_players_play_hearts_to_the_end() {
    let folder = tempfile::tempdir().unwrap();
    let server = Server::start(folder.path());
    let seats: Vec<Value> = (0..5).map(|seat| json!({ "player": seat % 3 })).collect();
    let table = server.set_up("hearts", &json!(seats), true);
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
    let folder = tempfile::tempdir().unwrap();
    let server = Server::start(folder.path());
    let seats = json!([{ "person": "Ann" }, { "player": 0 }, { "player": 0 }]);
    let wish = |rules: &[&str]| json!({ "game": "hearts", "seats": seats, "freely": true, "rules": rules });
    let tables = format!("{}/tables", server.host);
    let (status, error) = server.post(&tables, &wish(&["bidding"]));
    assert_eq!(status, 400, "{error}");
    assert!(error.to_string().contains("expected passing"), "{error}");
    let (status, table) = server.post(&tables, &wish(&["passing"]));
    assert_eq!(status, 200, "{table}");
    let ann = link(&table, 0);
    assert_eq!(
        server.state(&ann)["game"]["passing"],
        1,
        "to the left first"
    );
    // The table goes on with its rules after a restart of the server.
    server.kill();
    let server = Server::start(folder.path());
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
fn a_card_is_taken_back_until_somebody_else_has_acted() {
    let folder = tempfile::tempdir().unwrap();
    let server = Server::start(folder.path());
    let seats =
        json!([{ "person": "Ann" }, { "person": "Bob" }, { "person": "Cid" }, { "person": "Dee" }]);
    for freely in [false, true] {
        let table = server.set_up("eights", &seats, freely);
        let (ann, bob) = (link(&table, 0), link(&table, 1));
        let back = |link: &str| {
            let version = server.state(link)["version"].clone();
            server.post(&format!("{link}/back"), &json!({ "version": version }))
        };
        let start = server.state(&ann);
        assert_eq!(
            (&start["to_move"], &start["can_take_back"]),
            (&json!(0), &json!(false))
        );
        let take = |link: &str| {
            let state = server.state(link);
            let card = state["game"]["legal"][0].as_str().unwrap().to_owned();
            server.act(link, &state, &card)
        };
        assert_eq!(take(&ann).1["can_take_back"], true);
        let (status, again) = back(&ann);
        assert_eq!((status, &again["game"]), (200, &start["game"]));
        assert_eq!((take(&ann).0, take(&bob).0), (200, 200));
        assert_eq!(server.state(&ann)["can_take_back"], freely);
        assert_eq!(back(&ann).0, if freely { 200 } else { 409 });
    }
}

#[test]
fn a_card_that_cannot_be_played_is_refused_with_what_was_expected() {
    let folder = tempfile::tempdir().unwrap();
    let server = Server::start(folder.path());
    let seats = json!([{ "person": "Ann" }, { "person": "Bob" }, { "person": "Cid" }]);
    let table = server.set_up("hearts", &seats, true);
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
    let wish = json!({ "game": "eights", "seats": seats, "freely": true });
    let (status, answer) = server.post(&format!("{}/tables", server.host), &wish);
    assert_eq!(status, 400, "{answer}");
}

#[test]
fn the_pages_of_both_games_are_served_with_their_rules() {
    let folder = tempfile::tempdir().unwrap();
    let server = Server::start(folder.path());
    let seats = json!([{ "person": "Ann" }, { "player": 0 }, { "player": 1 }, { "player": 2 }]);
    for (game, rule) in [("hearts", "Shooting the moon"), ("eights", "Takes:")] {
        let table = server.set_up(game, &seats, true);
        let (status, page) = server.raw("GET", &link(&table, 0), "", "");
        assert_eq!(status, 200);
        assert!(
            page.contains(rule) && page.contains("id=\"suit-s\""),
            "{page}"
        );
        let style = format!("{game}.css");
        let script = "contest/src/tricks/table/assets/table.js";
        for (asset, part) in [(script, "function drawTable("), (&style, ".felt")] {
            let path = format!("/assets/{asset}");
            assert!(page.contains(&path));
            let (status, text) = server.raw("GET", &path, "", "");
            assert_eq!(status, 200);
            assert_eq!(text.matches(part).count().min(1), 1, "{path}");
        }
    }
}
