//! Plays whole games of each kind over HTTP between people. Nobody is sent a card that its seat may not know, only the
//! seat to move can act, a killed server goes on where it was, and the record of the game is replayed. That a view has no
//! hidden card is a law in process, too, for any game: `games::laws`.

use super::play::choice;
use super::programs::{CONTEST, Command, contest};
use super::tables::{Server, link};
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::Stdio;
use tricks::{Card, Cards};

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
const KNOWN: &str = ".version .news .came. .clocks .chat .winner .seat .names. .people. .to_move .over .actions .unit \
    .stuck .next .rules. .hints .from .can_take_back .can_resign .has_record .has_page .can_ask \
    .candidates.*. .error";

const CARTAGENA: &str = ".game.board .game.pirates .game.places. .game.hands. .game.hand_sizes. .game.discards .game.pile \
    .game.taken .game.winner .game.legal.*. .game.may_end .game.log.*.";

const CHALLENGE: &str = ".game.goal .game.in_challenge .game.must_answer .game.winner .game.legal.*.action \
    .game.legal.*.words. .game.log.*.player .game.log.*.pause .game.log.*.what .game.log.*.hand \
    .game.log.*.lead .game.log.*.hands. .game.log.*.left. .game.log.*.points. .game.log.*.tricks. \
    .game.log.*.accepted .game.log.*.card .game.log.*.by";

const TRICKS: &str = ".game.players .game.goal .game.low .game.dealt .game.before. .game.rounds. .game.winner .game.taking \
    .game.passing .game.legal.* .game.may_end .game.earlier .game.log.*.player .game.log.*.pause \
    .game.log.*.deal .game.log.*.hands. .game.log.*.pool .game.log.*.card .game.log.*.took \
    .game.log.*.winner .game.log.*.trick .game.log.*.end .game.log.*.taken. .game.log.*.points.";

/// Checks that an answer has only places that are known to hold no secret.
fn check_places(answer: &Value, of_game: &str) {
    let mut found = BTreeMap::new();
    leaves(answer, "", &mut found);
    for (place, values) in &found {
        let mut known = KNOWN.split(' ').chain(of_game.split(' '));
        let is_known = known.any(|known| match known.ends_with('.') {
            true => place.starts_with(known),
            false => place == known,
        });
        assert!(is_known, "{place}: {values:?}");
    }
}

fn log(answer: &Value) -> impl Iterator<Item = &Value> {
    answer["game"]["log"].as_array().into_iter().flatten()
}

/// Checks that an answer to a seat, or to onlookers, has the seat's own cards alone.
fn check_cartagena(answer: &Value, seat: Option<usize>, _: &[Value]) {
    let hands = answer["game"]["hands"].as_array().into_iter().flatten();
    for (owner, hand) in hands.enumerate() {
        assert_eq!(hand.is_string(), seat == Some(owner), "{answer}");
    }
    for done in log(answer) {
        let is_own = seat.is_some_and(|seat| done["player"] == seat);
        let mut drawn = done["drawn"].as_str().unwrap().chars();
        assert!(drawn.all(|card| (card == '?') != is_own), "{done}");
    }
}

/// The same in the challenge game. Its ranks are ordinary numbers, so they may stand only at the places of the lists above.
fn check_challenge(answer: &Value, seat: Option<usize>, _: &[Value]) {
    for entry in log(answer) {
        match entry["what"].as_str().unwrap() {
            "deal" => {
                for owner in 0..2 {
                    let count = entry["hands"][owner].as_array().map(Vec::len);
                    assert_eq!(count, (seat == Some(owner)).then_some(5), "{entry}");
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

/// All cards that are named in an answer, in the latest round.
fn named_now(answer: &Value) -> BTreeSet<Card> {
    let mut answer = answer.clone();
    if let Some(log) = answer["game"]["log"].as_array_mut() {
        let deal = log.iter().rposition(|entry| entry["deal"].is_u64());
        log.drain(..deal.unwrap());
    }
    let mut found = BTreeSet::new();
    named(&answer, &mut found);
    found
}

/// The same in the trick-taking games, in which the states of all seats tell what is hidden: no card may be named that
/// another seat was dealt in this round and that not everybody has seen.
fn check_tricks(answer: &Value, seat: Option<usize>, states: &[Value]) {
    for deal in log(answer).filter(|entry| entry["deal"].is_u64()) {
        for (owner, hand) in deal["hands"].as_array().unwrap().iter().enumerate() {
            assert_eq!(hand.is_string(), seat == Some(owner), "{deal}");
        }
    }
    let told = named_now(answer);
    let mut round: Vec<&Value> = log(&states[0]).collect();
    let deal = round.iter().rposition(|entry| entry["deal"].is_u64());
    let round = round.split_off(deal.unwrap());
    let mut seen = BTreeSet::new();
    named(&round[0]["pool"], &mut seen);
    round
        .iter()
        .for_each(|entry| named(&entry["card"], &mut seen));
    for (other, state) in states.iter().enumerate() {
        let deal = log(state).filter(|entry| entry["deal"].is_u64()).last();
        let mut dealt = BTreeSet::new();
        named(&deal.unwrap()["hands"][other], &mut dealt);
        assert!(!dealt.is_empty(), "{state}");
        let mut leaked = dealt
            .intersection(&told)
            .filter(|card| !seen.contains(card));
        let leaked = leaked.next();
        assert!(
            seat == Some(other) || leaked.is_none(),
            "{seat:?} is told {leaked:?} of {other}: {answer}"
        );
    }
}

/// Asks for all that the seat to move can ask for besides the state while a game goes on. Returns the advice, and
/// checks that the rest is refused.
fn asked(server: &Server, link: &str, other: &str) -> Value {
    let advice = server.posted(&format!("{link}/hint"), &json!({}));
    for (link, what, body) in [
        (other, "hint", json!({})),
        (link, "review", json!({ "from": 0 })),
        (link, "branch", json!({ "actions": 0 })),
        (link, "judge", json!({ "number": 0, "action": "" })),
    ] {
        let (status, refused) = server.post(&format!("{link}/{what}"), &body);
        assert_eq!(status, 409, "{what}: {refused}");
    }
    for file in ["at/0", "record", "page"] {
        assert_eq!(server.get(&format!("{link}/{file}")).0, 409);
    }
    advice
}

/// Chooses a legal action, and varies the choice from version to version.
fn next_choice(state: &Value) -> String {
    let legal = state["game"]["legal"].as_array().unwrap();
    let number = state["version"].as_u64().unwrap() as usize * 5 % legal.len();
    legal[number].as_str().unwrap().to_owned()
}

/// A decision in the challenge game: mostly a card, sometimes a challenge or an answer to one.
fn next_decision(state: &Value) -> String {
    let legal = state["game"]["legal"].as_array().unwrap().iter();
    let actions: Vec<&str> = legal.map(|one| one["action"].as_str().unwrap()).collect();
    let version = state["version"].as_u64().unwrap() as usize;
    let cards = actions.iter().filter(|action| action.starts_with("play"));
    let chosen = match cards.count() {
        0 => version / 7 % actions.len(),
        _ if version % 13 == 6 => actions.len() - 1,
        cards => version * 5 % cards,
    };
    actions[chosen].to_owned()
}

/// A state without the parts that change when the server is started anew: it counts versions anew, and does not know who
/// has come.
fn lasting(state: &Value) -> Value {
    let mut state = state.clone();
    for part in ["version", "news", "came"] {
        state[part] = Value::Null;
    }
    state
}

/// The entries of a log, by their numbers in the whole game.
fn numbered(state: &Value) -> BTreeMap<u64, &Value> {
    let earlier = state["game"]["earlier"].as_u64().unwrap_or(0);
    (earlier..).zip(log(state)).collect()
}

/// Checks that a table's record can be replayed.
fn replays(game: &str, record: &str) {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("record.jsonl"), record).unwrap();
    if game == "challenge" {
        let record: Value = serde_json::from_str(record).unwrap();
        let shown = shown(&folder.path().join("record.jsonl"));
        return assert_eq!(shown["winner"], record["winner"]);
    }
    let which = if game == "cartagena" { "1" } else { "2" };
    for words in [
        &["replay", "record.jsonl", which][..],
        &["report", "record.jsonl"],
    ] {
        let mut command = contest(game);
        command.args(words).current_dir(folder.path());
        command.said(0);
    }
}

/// The first game of a file, as `contest challenge replay` shows it.
fn shown(file: &Path) -> Value {
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
    let address = address.trim_end_matches('/').parse().unwrap();
    let (_, body) = crate::challenge_web::fetch(address, "/api/games/1");
    serde_json::from_str(&body).unwrap_or_else(|error| panic!("{error}: {body}"))
}

/// Plays whole games between people, with the given way to choose actions. `hides` checks the cards in what a seat or
/// onlookers are sent; it also gets the states of all seats.
fn whole_games(
    (game, seats, games): (&str, usize, usize),
    places: &str,
    choose: fn(&Value) -> String,
    hides: fn(&Value, Option<usize>, &[Value]),
) {
    let mut server = Server::new();
    let who: Vec<String> = (0..seats).map(|seat| format!("P{seat}")).collect();
    for _ in 0..games {
        let table = server.set_up(game, &who.join(", "), false);
        let links: Vec<String> = (0..seats).map(|seat| link(&table, seat)).collect();
        let onlookers = table["onlookers"].as_str().unwrap();
        let mut before: Option<(usize, Value, Vec<Value>)> = None;
        for turn in 0.. {
            assert!(turn < 20_000, "the game does not end");
            // In the middle of a long game not everything is looked at.
            if let Some((seat, after, _)) = &mut before
                && turn > 100
                && turn % 30 > 0
                && after["over"] == false
            {
                *seat = after["to_move"].as_u64().unwrap() as usize;
                let state = server.state(&links[*seat]);
                let answer = server.act(&links[*seat], &state, &choose(&state));
                assert_eq!(answer.0, 200, "{}", answer.1);
                *after = answer.1;
                continue;
            }
            let states: Vec<Value> = links.iter().map(|link| server.state(link)).collect();
            let open = server.state(onlookers);
            if let Some((seat, after, _)) = &before {
                assert_eq!(lasting(&states[*seat]), lasting(after), "the game goes on");
            }
            if open["over"] == true {
                // A game of Cartagena can also end because nobody can do anything.
                let is_won = open["game"]["winner"].is_u64() || game == "cartagena";
                assert!(turn > 20 && is_won, "{open}");
                let all = numbered(&open);
                for (seat, state) in before.unwrap().2.iter().enumerate() {
                    // All cards lie open, so nothing may be taken back. The hands are those that the seats were sent.
                    assert_eq!(states[seat]["can_take_back"], false);
                    assert_eq!(states[seat]["game"], open["game"]);
                    for (number, entry) in numbered(state) {
                        let then = all.get(&number).map(|entry| &entry["hands"][seat]);
                        assert!(
                            then.is_none_or(|then| *then == entry["hands"][seat]),
                            "{entry}"
                        );
                    }
                }
                break;
            }
            let check = |answer: &Value, seat: Option<usize>| {
                check_places(answer, places);
                hides(answer, seat, &states);
            };
            let seat = open["to_move"].as_u64().unwrap() as usize;
            for (other, state) in states.iter().enumerate() {
                assert_eq!(state["seat"], other);
                assert!(
                    other == seat || state["game"]["legal"] == json!([]),
                    "{state}"
                );
                check(state, Some(other));
            }
            check(&open, None);
            let other = (seat + 1) % seats;
            let action = choose(&states[seat]);
            if turn % 20 == 7 {
                check(&asked(&server, &links[seat], &links[other]), Some(seat));
            }
            let act = |link: &str, shown: &Value| server.act(link, shown, &action);
            // Neither a seat that is not to move nor an onlooker can act.
            if turn % 5 == 2 {
                assert_eq!(act(&links[other], &states[other]).0, 409);
                assert_eq!(act(onlookers, &open).0, 403);
            }
            let (status, after) = act(&links[seat], &states[seat]);
            assert_eq!(status, 200, "{action}: {after}");
            if turn % 5 == 2 {
                assert_eq!(
                    act(&links[seat], &states[seat]).0,
                    409,
                    "an earlier position"
                );
            }
            if turn % 60 == 5 {
                server.restart();
            }
            before = Some((seat, after, states));
        }
        let record = server.text(&format!("{}/record", links[0]));
        replays(game, &record);
    }
}

#[test]
fn whole_games_of_cartagena_are_played() {
    whole_games(("cartagena", 2, 5), CARTAGENA, choice, check_cartagena);
}

#[test]
fn whole_games_of_the_challenge_game_are_played() {
    whole_games(
        ("challenge", 2, 6),
        CHALLENGE,
        next_decision,
        check_challenge,
    );
}

#[test]
fn a_whole_game_of_hearts_is_played() {
    whole_games(("hearts", 3, 1), TRICKS, next_choice, check_tricks);
}

#[test]
fn a_whole_game_of_tricky_eights_is_played() {
    whole_games(("eights", 4, 1), TRICKS, next_choice, check_tricks);
}
