//! Plays games of each kind over HTTP, and checks that no answer to a seat or to an onlooker has a card that this seat
//! may not know. That a view has none is a law in process, for any game: `games::laws`.

use super::play::choice;
use super::tables::{Server, link};
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use tricks::{Card, Cards};

/// How many games of each kind are played.
const GAMES: usize = 20;
/// How many actions of a Cartagena game are checked. In most games all cards have been seen by then.
const ACTIONS: usize = 60;
/// How many actions of a card game are checked.
const CARDS: usize = 30;

/// Collects all values of an answer by their places, such as `game.hands.1`. Places in lists that grow are
/// written as `*`.
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

/// The places that any answer to a seat may have while a game goes on. A new field fails the test until
/// somebody adds it here or to a game's list, and thereby says that it is no secret.
const KNOWN: &[&str] = &[
    ".version",
    ".news",
    ".came.",
    ".clocks",
    ".chat",
    ".winner",
    ".seat",
    ".names.",
    ".people.",
    ".to_move",
    ".over",
    ".actions",
    ".unit",
    ".stuck",
    ".next",
    ".rules.",
    ".hints",
    ".from",
    ".can_take_back",
    ".can_resign",
    ".has_record",
    ".has_page",
    ".can_ask",
    ".candidates.*.",
    ".error",
];

const CARTAGENA: &[&str] = &[
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
];

const CHALLENGE: &[&str] = &[
    ".game.goal",
    ".game.in_challenge",
    ".game.must_answer",
    ".game.winner",
    ".game.legal.*.action",
    ".game.legal.*.words.",
    ".game.log.*.player",
    ".game.log.*.pause",
    ".game.log.*.what",
    ".game.log.*.hand",
    ".game.log.*.lead",
    ".game.log.*.hands.",
    ".game.log.*.left.",
    ".game.log.*.points.",
    ".game.log.*.tricks.",
    ".game.log.*.accepted",
    ".game.log.*.card",
    ".game.log.*.by",
];

const TRICKS: &[&str] = &[
    ".game.players",
    ".game.goal",
    ".game.low",
    ".game.dealt",
    ".game.before.",
    ".game.rounds.",
    ".game.winner",
    ".game.taking",
    ".game.passing",
    ".game.legal.*",
    ".game.may_end",
    ".game.earlier",
    ".game.log.*.player",
    ".game.log.*.pause",
    ".game.log.*.deal",
    ".game.log.*.hands.",
    ".game.log.*.pool",
    ".game.log.*.card",
    ".game.log.*.took",
    ".game.log.*.winner",
    ".game.log.*.trick",
    ".game.log.*.end",
    ".game.log.*.taken.",
    ".game.log.*.points.",
];

/// Checks that an answer has only places that are known to hold no secret.
fn check_places(answer: &Value, of_game: &[&str]) {
    let mut found = BTreeMap::new();
    leaves(answer, "", &mut found);
    for (place, values) in &found {
        let is_known = KNOWN
            .iter()
            .chain(of_game)
            .any(|known| match known.ends_with('.') {
                true => place.starts_with(known),
                false => place == known,
            });
        assert!(is_known, "{place}: {values:?}");
    }
}

fn check(answer: &Value, log: &[Value]) {
    check_places(answer, CARTAGENA);
    if let Some(hands) = answer["game"]["hands"].as_array() {
        assert!(hands[1].is_null(), "{hands:?}");
    }
    for done in log.iter().filter(|done| done["player"] == 1) {
        let drawn = done["drawn"].as_str().unwrap();
        assert!(drawn.chars().all(|card| card == '?'), "{done}");
    }
}

/// Asks for all that a seat can ask for besides the state while a game goes on. Returns the advice, and
/// checks that the rest is refused.
fn asked(server: &Server, link: &str) -> Value {
    let (status, advice) = server.post(&format!("{link}/hint"), &json!({}));
    assert_eq!(status, 200, "{advice}");
    let others = [
        ("review", json!({ "from": 0 })),
        ("branch", json!({ "actions": 0 })),
        ("judge", json!({ "number": 0, "action": "" })),
    ];
    for (other, body) in others {
        let (status, refused) = server.post(&format!("{link}/{other}"), &body);
        assert_eq!(status, 409, "{other}: {refused}");
    }
    assert_eq!(server.get(&format!("{link}/at/0")).0, 409);
    for file in ["record", "page"] {
        assert_eq!(server.get(&format!("{link}/{file}")).0, 409);
    }
    advice
}

#[test]
fn no_secret_leaves_in_twenty_games() {
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
            // Sometimes everything else that can be asked for is asked for.
            if game % 10 == 0 && action % 20 == 7 && mover == &ann {
                check(&asked(&server, &ann), &[]);
            }
            let (status, after) = server.act(mover, &state, &choice(&state));
            assert_eq!(status, 200, "{after}");
            // After the end all cards lie open.
            if mover == &ann && after["over"] != true {
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

/// Chooses a legal action, and varies the choice from version to version.
fn next_choice(state: &Value) -> String {
    let legal = state["game"]["legal"].as_array().unwrap();
    let number = state["version"].as_u64().unwrap() as usize * 5 % legal.len();
    let action = legal[number]
        .as_str()
        .or_else(|| legal[number]["action"].as_str());
    action.unwrap().to_owned()
}

/// A decision in the challenge game: mostly a card, sometimes a challenge, which is rejected so that the game
/// goes on.
fn next_decision(state: &Value) -> String {
    let legal = state["game"]["legal"].as_array().unwrap();
    let actions: Vec<&str> = legal
        .iter()
        .map(|one| one["action"].as_str().unwrap())
        .collect();
    let version = state["version"].as_u64().unwrap() as usize;
    let cards: Vec<&&str> = actions
        .iter()
        .filter(|action| action.starts_with("play"))
        .collect();
    match cards.is_empty() || version % 13 == 6 {
        true => actions[actions.len() - 1].to_owned(),
        false => (*cards[version * 5 % cards.len()]).to_owned(),
    }
}

/// Sets up a table of people; returns their links, and the onlookers' link.
fn people(server: &Server, game: &str, count: usize) -> (Vec<String>, String) {
    let seats: Vec<Value> = (0..count)
        .map(|seat| json!({ "person": format!("P{seat}") }))
        .collect();
    let table = server.set_up(game, &json!(seats), true);
    let links = (0..count).map(|seat| link(&table, seat)).collect();
    (links, table["onlookers"].as_str().unwrap().to_owned())
}

/// In the challenge game ranks are ordinary numbers. So they may stand only at the places of the lists above,
/// and hands must be the seat's own.
fn check_challenge(answer: &Value, seat: Option<usize>) {
    check_places(answer, CHALLENGE);
    let mut hands = 0;
    for entry in answer["game"]["log"].as_array().into_iter().flatten() {
        match entry["what"].as_str().unwrap() {
            "deal" => {
                hands += 1;
                for other in (0..2).filter(|&other| seat != Some(other)) {
                    assert!(entry["hands"][other].is_null(), "{entry}");
                }
            }
            "play" => assert!(entry["card"].is_u64(), "{entry}"),
            _ => assert!(
                entry.get("card").is_none() && entry.get("hands").is_none(),
                "{entry}"
            ),
        }
    }
    // Legal actions follow from the own cards alone.
    let legal = answer["game"]["legal"].as_array().map_or(0, Vec::len);
    assert!(legal <= 6 && (legal == 0 || seat.is_some()), "{answer}");
    assert!(hands > 0 || answer["game"].is_null());
}

#[test]
fn no_secret_leaves_in_twenty_games_of_the_challenge_game() {
    let folder = tempfile::tempdir().unwrap();
    let server = Server::start(folder.path());
    let mut hands = 0;
    for game in 0..GAMES {
        let (links, onlookers) = people(&server, "challenge", 2);
        for action in 0..CARDS {
            let states = [0, 1].map(|seat| server.state(&links[seat]));
            if states[0]["over"] == true {
                break;
            }
            for (seat, state) in states.iter().enumerate() {
                check_challenge(state, Some(seat));
            }
            if action % 5 == 0 {
                check_challenge(&server.state(&onlookers), None);
            }
            let mover = states[0]["to_move"].as_u64().unwrap() as usize;
            if game % 10 == 0 && action % 20 == 7 {
                check_places(&asked(&server, &links[mover]), CHALLENGE);
            }
            let (status, after) = server.act(
                &links[mover],
                &states[mover],
                &next_decision(&states[mover]),
            );
            assert_eq!(status, 200, "{after}");
            if after["over"] == false {
                check_challenge(&after, Some(mover));
            }
        }
        let log = server.state(&links[0])["game"]["log"].clone();
        hands += log
            .as_array()
            .unwrap()
            .iter()
            .filter(|entry| entry["what"] == "deal")
            .count();
    }
    assert!(hands > 2 * GAMES, "{hands} hands");
}

/// Adds all cards that are named anywhere in an answer: as codes, alone or in a sentence, or as people write
/// them.
fn named(value: &Value, found: &mut BTreeSet<Card>) {
    match value {
        Value::String(text) => {
            let words = text.split(|c: char| !c.is_ascii_alphanumeric());
            found.extend(words.filter_map(Card::from_code));
            found.extend(
                Cards::ALL
                    .into_iter()
                    .filter(|card| text.contains(&card.to_string())),
            );
        }
        Value::Array(items) => items.iter().for_each(|item| named(item, found)),
        Value::Object(fields) => fields.values().for_each(|field| named(field, found)),
        _ => {}
    }
}

/// The hand of a seat in the latest round, by its own state.
fn dealt(state: &Value, seat: usize) -> BTreeSet<Card> {
    let log = state["game"]["log"].as_array().unwrap();
    let deal = log.iter().rfind(|entry| entry["deal"].is_u64()).unwrap();
    let mut cards = BTreeSet::new();
    named(&deal["hands"][seat], &mut cards);
    assert!(!cards.is_empty(), "{deal}");
    cards
}

/// Checks that an answer to a seat or to onlookers names no card that another seat holds in this round and
/// that not everybody has seen.
fn check_tricks(
    answer: &Value,
    seat: Option<usize>,
    deals: &[BTreeSet<Card>],
    seen: &BTreeSet<Card>,
) {
    check_places(answer, TRICKS);
    let mut told = BTreeSet::new();
    named(answer, &mut told);
    for (other, deal) in deals
        .iter()
        .enumerate()
        .filter(|(other, _)| seat != Some(*other))
    {
        let mut leaked = deal.intersection(&told).filter(|card| !seen.contains(card));
        let leaked = leaked.next();
        assert!(
            leaked.is_none(),
            "{seat:?} is told {leaked:?} of {other}: {answer}"
        );
    }
}

/// Plays the first cards of games, at most until their second round, and checks what is sent.
fn tricks(game: &str, count: usize) {
    let folder = tempfile::tempdir().unwrap();
    let server = Server::start(folder.path());
    let mut hidden = 0;
    for number in 0..GAMES {
        let (links, onlookers) = people(&server, game, count);
        let states: Vec<Value> = links.iter().map(|link| server.state(link)).collect();
        let deals: Vec<BTreeSet<Card>> = states
            .iter()
            .enumerate()
            .map(|(seat, state)| dealt(state, seat))
            .collect();
        let mut seen = BTreeSet::new();
        named(&states[0]["game"]["log"][0]["pool"], &mut seen);
        for (seat, state) in states.iter().enumerate() {
            check_tricks(state, Some(seat), &deals, &seen);
        }
        let mut mover = states[0]["to_move"].as_u64().unwrap() as usize;
        for action in 0..CARDS {
            let state = server.state(&links[mover]);
            check_tricks(&state, Some(mover), &deals, &seen);
            // An answer to somebody who is not to move: an onlooker, or a seat.
            match (number + action) % (count + 1) {
                other if other == count => {
                    check_tricks(&server.state(&onlookers), None, &deals, &seen);
                }
                other => check_tricks(&server.state(&links[other]), Some(other), &deals, &seen),
            }
            if number % 20 == 0 && action % 20 == 7 {
                check_tricks(&asked(&server, &links[mover]), Some(mover), &deals, &seen);
            }
            let card = next_choice(&state);
            let (status, after) = server.act(&links[mover], &state, &card);
            assert_eq!(status, 200, "{after}");
            seen.extend(Card::from_code(&card));
            check_tricks(&after, Some(mover), &deals, &seen);
            mover = after["to_move"].as_u64().unwrap() as usize;
            hidden += deals
                .iter()
                .flatten()
                .filter(|card| !seen.contains(card))
                .count();
        }
    }
    assert!(hidden > 10 * GAMES * CARDS, "{hidden} hidden cards");
}

#[test]
fn no_secret_leaves_in_twenty_games_of_hearts() {
    tricks("hearts", 3);
}

#[test]
fn no_secret_leaves_in_twenty_games_of_tricky_eights() {
    tricks("eights", 4);
}
