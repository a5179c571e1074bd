//! Tests of tables by their HTTP interface: the review of a finished game, games without people, programs
//! that fail, resigning, and the luck of deals.

use super::play::choice;
use super::programs::{contest, says, scratch, until, write_script};
use super::tables::{Server, link, refused, seats};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};

/// Plays until the game is over: people make the longest jumps, other players decide by themselves.
pub(super) fn finish(server: &Server, links: &[String]) -> Value {
    loop {
        let states = links.iter().map(|link| (link, server.state(link)));
        for (link, state) in states {
            if state["over"] == true {
                return state;
            }
            if state["to_move"] == state["seat"] {
                server.acted(link, &state, &choice(&state));
            } else {
                server.news(link, &state);
            }
        }
    }
}

/// A complete review, once it is ready.
fn reviewed(server: &Server, link: &str) -> Value {
    let mut review = Value::Null;
    until("the end of the review", || {
        let now = server.posted(&format!("{link}/review"), &json!({}));
        review = now;
        review["actions"].as_array().unwrap().len() as u64 == review["total"].as_u64().unwrap()
    });
    review
}

/// Six pirates on different spaces, all symbols in the hand, somebody to go back to, and a turn that may be
/// ended: no position has more choices.
#[test]
fn a_position_with_every_choice_is_judged() {
    let server = Server::new();
    let position = json!({ "board": "dbhskgsbkhdgghdskbbskdhgkgbhdsshgdbk", "hands": ["bdghks", "b"], "taken": 1,
        "places": [[3, 8, 13, 18, 23, 28], [0, 0, 0, 0, 0, 1]] });
    let ann = link(&server.opened("cartagena", &position.to_string()), 0);
    let state = server.state(&ann);
    assert_eq!(state["game"]["legal"].as_array().unwrap().len(), 42);
    assert_eq!(server.act(&ann, &state, "1 28 23").0, 200);
    assert_eq!(server.resign(&ann).0, 200);
    assert_eq!(server.state(&ann)["over"], true);
    let review = reviewed(&server, &ann);
    assert_eq!(review["total"], 1, "{review}");
    assert_eq!(review["actions"][0]["is_decision"], true, "{review}");
}

/// The places between which a pirate goes in [`thrown_away`]: by the action that was taken, and by the one that wins.
pub(crate) const BLUNDER: [u32; 2] = [36, 35];
pub(crate) const WIN: [u32; 2] = [36, 37];

/// The link of the first player of a game that is over, who had one action left to win and went back instead; then
/// the other player could win.
pub(crate) fn thrown_away(server: &Server) -> String {
    let position = json!({ "board": "dbhskgsbkhdgghdskbbskdhgkgbhdsshgdbk", "hands": ["h", "h"], "taken": 2,
        "places": [[37, 37, 37, 37, 37, 36], [37, 37, 37, 37, 37, 35]] });
    let ann = link(&server.opened("cartagena", &position.to_string()), 0);
    let state = server.state(&ann);
    let legal = state["game"]["legal"].as_array().unwrap();
    let is_blunder = |action: &&Value| [&action["from"], &action["to"]] == [BLUNDER[0], BLUNDER[1]];
    let back = legal.iter().find(is_blunder).unwrap()["action"].clone();
    assert_eq!(server.act(&ann, &state, back.as_str().unwrap()).0, 200);
    // The other player may have won before the first one can resign.
    server.resign(&ann);
    assert_eq!(server.state(&ann)["over"], true);
    ann
}

/// A page asks for judgements that it does not have yet, for the value of other actions, and for a position as its
/// player saw it.
#[test]
fn an_answer_of_a_lesson_is_judged() {
    let server = Server::new();
    let ann = thrown_away(&server);
    let review = reviewed(&server, &ann);
    let first = &review["actions"][0];
    assert_eq!(
        (&first["seat"], &first["grade"]),
        (&json!(0), &json!("blunder")),
        "{first}"
    );
    let (_, rest) = server.post(&format!("{ann}/review"), &json!({ "from": 1 }));
    let total = review["total"].as_u64().unwrap() as usize;
    assert_eq!(
        rest["actions"].as_array().unwrap().len(),
        total - 1,
        "{rest}"
    );
    assert_eq!(rest["accounts"], review["accounts"]);

    let at = server.got(&format!("{ann}/at/0?own=true"));
    assert_eq!(at["game"]["hands"], json!(["h", null]), "only the own hand");
    let legal = at["game"]["legal"].as_array().unwrap();
    let win = legal.iter().find(|action| action["to"] == WIN[1]).unwrap();
    let judge = |number: usize, action: &Value| {
        let body = json!({ "number": number, "action": action });
        server.post(&format!("{ann}/judge"), &body)
    };
    let (status, best) = judge(0, &win["action"]);
    assert_eq!(status, 200, "{best}");
    assert_eq!(
        (&best["grade"], &best["loss"]),
        (&json!(null), &json!(0.0)),
        "{best}"
    );
    let (status, worst) = judge(0, &first["taken"]["action"]);
    assert_eq!(
        (status, &worst["grade"]),
        (200, &json!("blunder")),
        "{worst}"
    );
    let (status, answer) = judge(0, &json!("1 0 1 hat"));
    assert_eq!(status, 400, "{answer}");
    // Two if the other player has won meanwhile.
    refused(
        judge(total, &win["action"]),
        409,
        &format!("an action from 0 on, below {total}"),
    );
}

#[test]
fn a_game_that_is_over_is_gone_through() {
    let mut server = Server::new();
    let table = server.set_up("cartagena", "Ann, 2", false);
    let ann = link(&table, 0);
    let onlookers = table["onlookers"].as_str().unwrap();
    let review = format!("{ann}/review");
    assert_eq!(server.post(&review, &json!({})).0, 409, "not over yet");
    assert_eq!(server.get(&format!("{ann}/at/0")).0, 409);
    let branch = |link: &str, actions: u64| {
        server.post(&format!("{link}/branch"), &json!({ "actions": actions }))
    };
    assert_eq!(branch(&ann, 0).0, 409);

    // Spaces around an action do not matter.
    let state = server.state(&ann);
    let odd = format!("  {} ", choice(&state));
    assert_eq!(server.act(&ann, &state, &odd).0, 200);
    let over = finish(&server, std::slice::from_ref(&ann));
    let log = over["game"]["log"].as_array().unwrap();
    let review = reviewed(&server, &ann);
    let actions = review["actions"].as_array().unwrap();
    assert_eq!(actions.len(), log.len());
    let mut lucky = 0;
    for (n, (judged, done)) in actions.iter().zip(log).enumerate() {
        assert_eq!(
            (&judged["number"], &judged["seat"]),
            (&json!(n), &done["player"])
        );
        let loss = judged["loss"].as_f64().unwrap();
        let value = judged["value"].as_f64().unwrap();
        assert!(
            (0.0..=1.0).contains(&loss) && (0.0..=1.0).contains(&value),
            "{judged}"
        );
        assert_eq!(judged["grade"].is_null(), loss < 0.02, "{judged}");
        // Only an action that draws can have luck.
        assert!(judged["luck"].is_null() || done["drawn"] != "", "{judged}");
        lucky += usize::from(judged["luck"].is_f64());
    }
    assert!(lucky > 0, "{lucky} draws");
    let account = &review["accounts"][0];
    let sum: f64 = actions
        .iter()
        .filter(|judged| judged["seat"] == 0)
        .map(|judged| judged["loss"].as_f64().unwrap())
        .sum();
    assert!(
        (account["loss"].as_f64().unwrap() - sum).abs() < 1e-9,
        "{account}"
    );

    // The reviewed game can be saved as a page.
    let (status, page) = server.raw("GET", &format!("{ann}/page"), "", "");
    assert!(
        status == 200 && page.contains("</html>") && page.contains("Ann"),
        "{page:.500}"
    );
    // Nobody has timed its actions.
    assert!(!page.contains("Wall-clock time"));

    // At every position of the finished game all cards lie open.
    let (status, at) = server.get(&format!("{onlookers}/at/7"));
    assert_eq!(status, 200);
    assert_eq!(at["game"]["log"].as_array().unwrap()[..], log[..7]);
    assert!(
        at["game"]["hands"]
            .as_array()
            .unwrap()
            .iter()
            .all(Value::is_string)
    );
    let beyond = log.len() + 1;
    refused(server.get(&format!("{ann}/at/{beyond}")), 409, "at most");

    // A branch from an earlier position has its own links, and cards are hidden again.
    assert_eq!(branch(onlookers, 3).0, 403);
    let own_turn = log.iter().rposition(|done| done["player"] == 0).unwrap() as u64;
    let (status, other) = branch(&ann, own_turn);
    assert_eq!(status, 200, "{other}");
    let again = link(&other, 0);
    assert_ne!(again, ann);
    assert!(other["links"][1].is_null(), "{other}");
    let state = server.state(&again);
    assert_eq!(
        (&state["over"], &state["to_move"]),
        (&json!(false), &json!(0))
    );
    assert_eq!(state["actions"], own_turn);
    assert!(state["game"]["hands"][1].is_null());
    server.restart();
    assert_eq!(server.state(&again)["game"], state["game"]);
    assert_eq!(server.state(&ann)["over"], true);
}

/// Onlookers of a game without people see all hands. If people play, they see none and get no hints.
#[test]
fn whoever_watches_a_game_without_people_sees_all_and_may_ask() {
    let server = Server::new_with(&["--program", "runner=builtin:greedy"]);
    let table = server.set_up("cartagena", "@runner, 0", false);
    let onlookers = table["onlookers"].as_str().unwrap().to_owned();
    let state = server.state(&onlookers);
    assert_eq!(state["names"][0], "runner");
    assert!(
        state["game"]["hands"]
            .as_array()
            .unwrap()
            .iter()
            .all(Value::is_string)
    );
    let over = finish(&server, std::slice::from_ref(&onlookers));
    assert_eq!(over["can_ask"], false);
    assert_eq!(server.post(&format!("{onlookers}/hint"), &json!({})).0, 403);

    let people = server.set_up("cartagena", "Ann, @runner", false);
    let onlookers = people["onlookers"].as_str().unwrap();
    let state = server.state(onlookers);
    assert!(
        state["game"]["hands"]
            .as_array()
            .unwrap()
            .iter()
            .all(Value::is_null)
    );
    assert_eq!(server.post(&format!("{onlookers}/hint"), &json!({})).0, 403);
}

/// Writes a program in its own folder.
fn program(folder: &Path, script: &str) -> PathBuf {
    let path = folder.join("player");
    write_script(&path.join("runme"), script);
    path
}

#[test]
fn a_program_that_fails_is_told_of_and_may_try_again() {
    let (folder, tables) = scratch("tables");
    // The first call answers nonsense and the second nothing, so the two calls give different reasons for
    // being stuck.
    let path = program(
        folder.path(),
        "cat >/dev/null; mkdir -p support; [ -e support/ready ] && exit 0; touch support/ready; echo nonsense",
    );
    let named = format!("odd={}", path.display());
    let server = Server::start_with(&tables, &["--isolate", "none", "--program", &named]);
    let table = server.set_up("cartagena", "@odd, Ann", false);
    let ann = link(&table, 1);
    let state = server.until(&ann, |state| !state["stuck"].is_null());
    let reason = server.stuck(&ann);
    says(&reason, "nonsense");
    let first = state["version"].clone();
    assert_eq!(server.post(&format!("{ann}/retry"), &json!({})).0, 200);
    server.until(&ann, |state| {
        state["version"] != first && !state["stuck"].is_null()
    });
    assert_ne!(server.stuck(&ann), reason, "it was asked again");
    server.kill();

    // Without the program the game waits, and says for which program.
    let server = Server::start(&tables);
    server.until(&ann, |state| !state["stuck"].is_null());
    let reason = server.stuck(&ann);
    says(&reason, "--program odd=PATH");
    let wish = json!({ "game": "cartagena", "seats": seats("@odd, 0"), "freely": true });
    let answer = server.post(&format!("{}/tables", server.host), &wish);
    refused(answer, 400, "no program called odd");
}

#[test]
fn programs_that_are_not_there_are_refused_at_the_start() {
    let folder = tempfile::tempdir().unwrap();
    for (programs, expected) in [
        ("x=/no/such/program", "/no/such/program"),
        ("x=builtin:nobody", "nobody"),
        (
            "x=builtin:greedy x=builtin:hoarder",
            "two programs are called x",
        ),
        ("hearts:x=/no/such/program", "/no/such/program"),
        ("eights:x=builtin:nobody", "nobody"),
        ("challenge:x=builtin:nobody", "nobody"),
        (
            "hearts:x=duck hearts:x=careful",
            "two programs are called x",
        ),
    ] {
        let mut contest = contest("play --no-open --tables");
        contest.arg(folder.path());
        for program in programs.split(' ') {
            contest.args(["--program", program]);
        }
        let told = contest.told(2);
        assert!(told.contains(expected), "{programs:?}: {told}");
    }
}

#[test]
fn whoever_resigns_leaves_the_others_to_it() {
    let mut server = Server::new();
    // With two players, resigning makes the other one win.
    let two = server.set_up("cartagena", "Ann, Bob", true);
    let [ann, bob] = [0, 1].map(|seat| link(&two, seat));
    let state = server.state(&ann);
    assert_eq!(server.act(&ann, &state, &choice(&state)).0, 200);
    assert_eq!(server.resign(two["onlookers"].as_str().unwrap()).0, 403);
    let again = server.post(&format!("{bob}/again"), &json!({}));
    assert_eq!(again.0, 409, "not over yet: {}", again.1);
    let (status, after) = server.resign(&bob);
    assert_eq!(status, 200, "{after}");
    assert_eq!(
        (&after["over"], &after["resigned"]),
        (&json!(true), &json!([1]))
    );
    assert_eq!(server.act(&ann, &server.state(&ann), "").0, 409);
    assert_eq!(server.state(&ann)["can_take_back"], false);
    assert_eq!(server.resign(&ann).0, 409);
    assert_eq!(reviewed(&server, &ann)["total"], 1);

    // When they play again, each sits one seat further on.
    for asking in [&bob, &ann, &bob] {
        assert_eq!(server.post(&format!("{asking}/again"), &json!({})).0, 200);
    }
    let next = [&ann, &bob].map(|link| server.state(link)["next"].as_str().unwrap().to_owned());
    let seats = next
        .each_ref()
        .map(|link| server.state(link)["seat"].clone());
    assert_eq!(seats, [json!(1), json!(0)]);
    assert_eq!(server.state(&next[0])["names"], json!(["Bob", "Ann"]));
    let onlookers = server.state(two["onlookers"].as_str().unwrap());
    assert!(onlookers["next"].is_null(), "{onlookers}");

    // With three players, the strongest built-in player takes the seat.
    let three = server.set_up("cartagena", "Ann, 0, 0", true);
    let ann_of_three = link(&three, 0);
    assert_eq!(server.resign(&ann_of_three).0, 200);
    let state = server.state(&ann_of_three);
    assert_eq!(server.act(&ann_of_three, &state, &choice(&state)).0, 409);
    server.restart();
    assert_eq!(server.state(&bob)["resigned"], json!([1]));
    let state = server.until(&ann_of_three, |state| {
        state["actions"].as_u64().unwrap() >= 12
    });
    let log = state["game"]["log"].as_array().unwrap();
    assert!(
        log.iter().filter(|done| done["player"] == 0).count() >= 3,
        "{log:?}"
    );
}

/// In the card games the luck is in the deals, and adds up to zero over the players.
#[test]
fn the_luck_of_deals_is_told() {
    let server = Server::new();
    let table = server.set_up("challenge", "1, 2", true);
    let onlookers = table["onlookers"].as_str().unwrap().to_owned();
    let over = finish(&server, std::slice::from_ref(&onlookers));
    let log = over["game"]["log"].as_array().unwrap();
    let deals = log.iter().filter(|entry| entry["what"] == "deal").count();
    assert!(over["game"]["winner"].is_u64(), "{over}");
    let review = reviewed(&server, &onlookers);
    let actions = review["actions"].as_array().unwrap();
    let lucks: Vec<f64> = actions
        .iter()
        .filter_map(|one| one["luck"].as_f64())
        .collect();
    assert_eq!(lucks.len(), 2 * deals, "one for each player and deal");
    assert!(lucks.iter().sum::<f64>().abs() < 1e-4, "{lucks:?}");
    assert!(lucks.iter().any(|luck| luck.abs() > 0.001), "{lucks:?}");
    for seat in 0..2 {
        let own = actions.iter().filter(|one| one["seat"] == seat);
        let sum: f64 = own.filter_map(|one| one["luck"].as_f64()).sum();
        let told = review["accounts"][seat]["luck"].as_f64().unwrap();
        assert!((told - sum).abs() < 1e-9, "{told} {sum}");
    }
}
