//! Tests of the contest's web page: its answers over a real socket, and its scripts in a browser.

use super::browser::{browser, logged};
use super::programs::{Command, scratch};
use challenge::protocol::ServerMessage;
use challenge::rules::{Card, Cards, Decision, GameOptions};
use challenge_server::clocked_game::{ClockedGame, Conduct};
use contest::challenge::record::GameLine;
use contest::challenge::record::{Entry, Moved, Recorded};

use challenge_server::web::{self, Archive, Site};
use engine::rng::stream;
use rand::RngExt;
use serde_json::{Value, json};
use std::fs::{self, File, OpenOptions};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::time::Duration;
use tempfile::TempDir;

/// A name that would be markup if it were not escaped.
const HOSTILE: &str = "</script><script>alert(1)</script><b>&\"'";

/// A game between players that make a mistake now and then.
pub fn played(id: u64) -> GameLine {
    let mut table = ClockedGame::new(Conduct::default(), id, [1, 2], stream(3, id));
    let mut rng = stream(4, id);
    let now = Duration::ZERO;
    let mut sent = table.start(now);
    while table.winner().is_none() {
        let asked = sent.into_iter().find_map(|(seat, message)| match message {
            ServerMessage::Request(request) => Some((seat, request)),
            _ => None,
        });
        let (seat, request) = asked.unwrap();
        let view = request.view().unwrap();
        let legal: Vec<Decision> = view.legal().collect();
        let decision = match rng.random_range(0..12) {
            0 => Err(format!("an answer like {HOSTILE}")),
            _ => Ok(legal[rng.random_range(0..legal.len())]),
        };
        sent = table.answer(seat, request.request_id, decision, now);
    }
    GameLine {
        id,
        teams: [1, 2],
        winner: table.winner().unwrap(),
        entries: table.into_entries(Some([1, 0])),
        ..GameLine::default()
    }
}

fn append(path: &Path, game: &GameLine) {
    let mut file = OpenOptions::new().append(true).open(path).unwrap();
    let line = serde_json::to_string(game).unwrap() + "\n";
    file.write_all(line.as_bytes()).unwrap();
}

/// A served page with the given number of games.
struct Shown {
    address: SocketAddr,
    journal: PathBuf,
    folder: TempDir,
}

impl Shown {
    fn new(games: u64) -> Shown {
        Shown::of([HOSTILE, "second"], games)
    }

    /// A site of two teams of these names.
    fn of(names: [&str; 2], games: u64) -> Shown {
        let (folder, journal) = scratch("games.jsonl");
        File::create(&journal).unwrap();
        (1..=games).for_each(|id| append(&journal, &played(id)));
        let site = Site {
            title: format!("Contest {HOSTILE}"),
            names: (1..).zip(names.map(str::to_owned)).collect(),
            archive: Archive::open(&journal).unwrap(),
            snapshots: None,
            reserved: 0,
        };
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = web::serve(listener, site).unwrap();
        Shown {
            address,
            journal,
            folder,
        }
    }

    fn json(&self, path: &str) -> Value {
        let (status, text) = fetch(self.address, path);
        assert_eq!(status, 200, "{text}");
        serde_json::from_str(&text).unwrap()
    }
}

/// Requests a path; returns the status and the body.
pub fn fetch(address: SocketAddr, path: &str) -> (u16, String) {
    let mut stream = TcpStream::connect(address).unwrap();
    write!(
        stream,
        "GET {path} HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n"
    )
    .unwrap();
    let mut text = String::new();
    stream.read_to_string(&mut text).unwrap();
    let (head, body) = text.split_once("\r\n\r\n").unwrap();
    let status = head.split(' ').nth(1).unwrap().parse().unwrap();
    (status, body.to_owned())
}

fn ids(list: &Value) -> Vec<u64> {
    let games = list["games"].as_array().unwrap().iter();
    games.map(|game| game["id"].as_u64().unwrap()).collect()
}

#[test]
fn games_are_listed_and_read() {
    let shown = Shown::new(5);
    let page = shown.json("/api/games?limit=2");
    assert_eq!((ids(&page), &page["more"]), (vec![5, 4], &json!(true)));
    let rest = shown.json("/api/games?limit=9&before=4&team=2");
    assert_eq!((ids(&rest), &rest["more"]), (vec![3, 2, 1], &json!(false)));
    assert!(ids(&shown.json("/api/games?team=3")).is_empty());
    let game = shown.json("/api/games/3");
    assert_eq!(game["entries"], json!(played(3).entries));
    assert_eq!(game["players"], json!([HOSTILE, "second"]));
    append(&shown.journal, &played(6));
    assert_eq!(shown.json("/api/state")["total"], json!(6));
    assert_eq!(shown.json("/api/games/6")["id"], json!(6));
}

#[test]
fn what_is_not_there_is_said_to_be_missing() {
    let shown = Shown::new(1);
    assert_eq!(fetch(shown.address, "/api/games/9").0, 404);
    assert_eq!(fetch(shown.address, "/game/9").0, 404);
    assert_eq!(fetch(shown.address, "/nothing").0, 404);
    for odd in ["/game/x", "/api/games/-1", "/api/games?before=x"] {
        assert_eq!(fetch(shown.address, odd).0, 400, "{odd}");
    }
    // Paths for programs answer in JSON, also with errors.
    let errors = [
        ("/api/games?before=9", 404, "there is no game 9"),
        (
            "/api/games?before=x",
            400,
            "expected whole numbers for team, before and limit",
        ),
        ("/api/games/x", 400, "expected the number of a game"),
        ("/api/games/9", 404, "there is no game 9"),
        ("/api/other", 404, "there is no such page"),
        ("/api/head-to-head", 404, "there is no such page"),
    ];
    for (path, status, reason) in errors {
        let (found, text) = fetch(shown.address, path);
        let error: Value = serde_json::from_str(&text).unwrap_or_else(|e| panic!("{path}: {e}"));
        let text = error["error"].as_str().unwrap();
        assert_eq!(
            (found, text.starts_with(reason)),
            (status, true),
            "{path}: {text}"
        );
    }
    // A client that connects and sends nothing does not delay another one.
    let _silent = TcpStream::connect(shown.address).unwrap();
    assert_eq!(fetch(shown.address, "/game/1").0, 200);
}

/// A script that notes how wide the page and the window are.
const MEASURE: &str = "<script>
const pre = document.createElement('pre');
pre.id = 'log';
pre.textContent = JSON.stringify([document.documentElement.scrollWidth, innerWidth]);
document.body.append(pre);
</script>";

#[test]
fn wide_names_fit_on_a_phone() {
    let Some(browser) = browser() else { return };
    let shown = Shown::of([&"W".repeat(80), &"a name of words ".repeat(9)], 1);
    let address = driven(shown.address, MEASURE, |_| ());
    for path in ["/", "/game/1"] {
        let page = opened(browser, &shown, &format!("http://{address}{path}"), 1);
        let [page, window]: [u32; 2] = serde_json::from_str(logged(&page)).unwrap();
        assert!(window <= 500, "{path}: the window is {window} wide");
        assert!(page <= window, "{path} is {page} wide, the window {window}");
    }
}

#[test]
fn hostile_names_stay_text() {
    let shown = Shown::new(1);
    for path in ["/", "/game/1"] {
        let (status, page) = fetch(shown.address, path);
        assert_eq!(status, 200);
        // Two script elements: the data, and the page's own script.
        assert_eq!(page.matches("<script").count(), 2, "{path}");
        assert_eq!(page.matches("</script>").count(), 2, "{path}");
        assert!(page.contains("&lt;/script&gt;&lt;script&gt;alert(1)&lt;/script&gt;"));
    }
}

/// A game's positions, computed by the rules, in the form in which the page's script describes them.
fn positions(entries: &[Entry]) -> Vec<Value> {
    let mut game = Recorded::new(GameOptions::default());
    let ranks = |cards: Cards| -> Vec<u8> { cards.iter().rev().map(Card::rank).collect() };
    let mut now = json!({
        "hand": 0, "held": [[], []], "table": [null, null], "tricks": [0, 0], "points": [0, 0],
        "round": null, "challenge": null, "winner": null, "fault": false,
    });
    let mut all = Vec::new();
    for (number, entry) in entries.iter().enumerate() {
        now["fault"] = json!(false);
        match entry {
            Entry::NewHand {
                player0_hand,
                player1_hand,
                ..
            } => {
                let cards = |hand: &[u8]| hand.iter().filter_map(|&rank| Card::new(rank)).collect();
                game.deal([cards(player0_hand), cards(player1_hand)]);
                now["hand"] = json!(game.game().hand_id());
                now["tricks"] = json!([0, 0]);
                now["challenge"] = Value::Null;
                now["held"] = json!([player0_hand, player1_hand]);
            }
            Entry::PlayerMove {
                moving_player,
                what,
            } => {
                let before = *game.game().hand().unwrap();
                assert_eq!(before.to_act(), Some(*moving_player));
                let decision = match what {
                    Moved::IllegalMove { reason } => {
                        game.fault(reason).unwrap();
                        now["fault"] = json!(true);
                        if matches!(entries.get(number + 1), Some(Entry::PenaltyResult { .. })) {
                            continue;
                        }
                        all.push(now.clone());
                        continue;
                    }
                    Moved::PlayCard { card } => {
                        let mut held = before.cards(*moving_player);
                        held.remove(Card::new(*card).unwrap());
                        now["held"][*moving_player] = json!(ranks(held));
                        now["table"][*moving_player] = json!(card);
                        Decision::Play(Card::new(*card).unwrap())
                    }
                    Moved::OfferChallenge => Decision::Offer,
                    Moved::AcceptChallenge => Decision::Accept,
                    Moved::RejectChallenge => Decision::Reject,
                };
                now["challenge"] = match decision {
                    Decision::Offer => json!("offered"),
                    Decision::Accept => json!("accepted"),
                    Decision::Reject => json!("rejected"),
                    Decision::Play(_) => now["challenge"].clone(),
                };
                game.decide(decision).unwrap();
            }
            Entry::PenaltyResult { .. } => {
                let hand = game.game().hand();
                let held = |seat| hand.map_or_else(Vec::new, |hand| ranks(hand.cards(seat)));
                now["held"] = json!([held(0), held(1)]);
                now["table"] = json!([null, null]);
                now["fault"] = json!(true);
            }
            Entry::TrickOver {
                player0_tricks,
                player1_tricks,
                ..
            } => {
                now["tricks"] = json!([player0_tricks, player1_tricks]);
                now["table"] = json!([null, null]);
            }
            Entry::NewHandScore { .. } => now["points"] = json!(game.game().points()),
            Entry::FinalGameResult { .. } => {
                now["points"] = json!(game.game().points());
                now["winner"] = json!(game.game().winner());
            }
            Entry::NewRoundScore {
                player0_score,
                player1_score,
            } => now["round"] = json!([player0_score, player1_score]),
        }
        all.push(now.clone());
    }
    all
}

/// Serves as a proxy between a browser and the page: adds a script to every page, and calls `asked` with
/// every path before passing the request on.
fn driven(
    to: SocketAddr,
    script: &'static str,
    asked: impl Fn(&str) + Send + 'static,
) -> SocketAddr {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    std::thread::spawn(move || {
        for stream in listener.incoming() {
            let mut stream = stream.unwrap();
            let mut lines = BufReader::new(&stream).lines();
            // Browsers also open connections that they never use.
            let Some(Ok(first)) = lines.next() else {
                continue;
            };
            while lines
                .next()
                .is_some_and(|line| line.is_ok_and(|line| !line.is_empty()))
            {}
            let path = first.split(' ').nth(1).unwrap();
            asked(path);
            let (status, text) = fetch(to, path);
            let (kind, script) = match path.starts_with("/api/") {
                true => ("application/json", ""),
                false => ("text/html; charset=utf-8", script),
            };
            let _ = write!(
                stream,
                "HTTP/1.1 {status} -\r\nContent-Type: {kind}\r\nContent-Length: {}\r\n\
                 Connection: close\r\n\r\n{text}{script}",
                text.len() + script.len()
            );
        }
    });
    address
}

/// The page after its scripts have run for this many seconds of virtual time.
fn opened(browser: &str, shown: &Shown, address: &str, seconds: u32) -> String {
    let profile = shown.folder.path().join("profile");
    let output = Command::new(browser)
        .args(["--headless", "--no-sandbox", "--disable-gpu", "--dump-dom"])
        .arg(format!("--virtual-time-budget={}", 1000 * seconds))
        .arg("--window-size=390,844")
        .arg(format!("--user-data-dir={}", profile.display()))
        .arg(address)
        .output()
        .unwrap();
    let page = String::from_utf8(output.stdout).unwrap();
    assert!(
        page.contains("data-ready=\"yes\""),
        "not ready: {page:.2000}"
    );
    assert!(!page.contains("data-error"), "a script failed");
    page
}

/// A script that steps forward to the end and back to the start by the buttons, then lets the page advance by
/// itself, and notes every position.
const DRIVER: &str = "<script>
const stage = document.getElementById('stage'), log = { next: [], previous: [], auto: [] };
const button = id => document.getElementById(id);
const note = list => list.push(JSON.parse(stage.dataset.state));
note(log.next);
while (!button('after').disabled) { button('after').click(); note(log.next); }
note(log.previous);
while (!button('before').disabled) { button('before').click(); note(log.previous); }
note(log.auto);
new MutationObserver(() => {
  note(log.auto);
  if (button('after').disabled) {
    const pre = document.createElement('pre');
    pre.id = 'log';
    pre.textContent = JSON.stringify({ ...log, on: button('auto').checked });
    document.body.append(pre);
  }
}).observe(stage, { attributeFilter: ['data-state'] });
button('auto').click();
</script>";

#[test]
fn the_page_replays_what_was_recorded() {
    let Some(browser) = browser() else { return };
    // Choose a game with at least one fault and an accepted challenge.
    let has = |game: &GameLine, wanted: fn(&Moved) -> bool| {
        game.entries
            .iter()
            .any(|entry| matches!(entry, Entry::PlayerMove { what, .. } if wanted(what)))
    };
    let is_full = |id: &u64| {
        let game = played(*id);
        has(&game, |what| matches!(what, Moved::IllegalMove { .. }))
            && has(&game, |what| matches!(what, Moved::RejectChallenge))
            && has(&game, |what| matches!(what, Moved::AcceptChallenge))
    };
    let id = (1..).find(is_full).unwrap();
    let shown = Shown::new(id);
    let address = driven(shown.address, DRIVER, |_| ());
    let address = format!("http://{address}/game/{id}");
    let page = opened(browser, &shown, &address, 600);
    let log: Value = serde_json::from_str(logged(&page)).unwrap();
    let expected = positions(&played(id).entries);
    let list = |name: &str| log[name].as_array().unwrap().clone();
    assert_eq!(list("next"), expected);
    assert_eq!(list("auto"), expected);
    assert_eq!(log["on"], json!(false), "it stops at the end");
    let mut backwards = list("previous");
    backwards.reverse();
    assert_eq!(backwards, expected);
}

#[test]
fn the_first_page_keeps_itself_up_to_date() {
    let Some(browser) = browser() else { return };
    let shown = Shown::new(2);
    let journal = shown.journal.clone();
    let address = driven(shown.address, "", move |path| {
        let length = fs::read_to_string(&journal).unwrap().lines().count();
        if path == "/api/state" && length == 2 {
            append(&journal, &played(3));
        }
    });
    let page = opened(browser, &shown, &format!("http://{address}/"), 9);
    assert!(page.contains("href=\"/game/3\""), "{page:.3000}");
    assert!(!page.contains("<b>&amp;"), "a name became markup");
    assert!(page.contains("&lt;/script&gt;&lt;script&gt;alert(1)"));
}
