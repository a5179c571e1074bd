//! Plays a person at the page of a table in a real browser: sits down, acts with mouse, finger or keys, takes
//! back, asks for a hint, and reviews the game. `play_browser` uses it.

use super::chromium::{Chromium, Look, Page};
use super::play::choice;
use super::tables::Server;
use serde_json::{Value, json};

/// The means by which a person acts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Hand {
    Mouse,
    Finger,
    Keys,
}

impl Hand {
    /// Chooses the element that a selector finds.
    pub(crate) fn choose(self, page: &Page, selector: &str) {
        match self {
            Hand::Mouse => page.click(selector),
            Hand::Finger => page.tap(selector),
            Hand::Keys => {
                page.tab_to(selector);
                page.press("Enter");
            }
        }
    }
}

/// A table of each game, for one person and players of the lowest level.
pub(crate) const TABLES: [(&str, &str); 4] = [
    ("cartagena", "Ann, 0"),
    ("challenge", "Ann, 0"),
    ("hearts", "Ann, 0, 0, 0"),
    ("eights", "Ann, 0, 0, 0"),
];

/// The address of a path on a server.
pub(crate) fn address(server: &Server, path: &str) -> String {
    format!("http://127.0.0.1:{}{path}", server.port)
}

/// Sits down at a table with as few choices as possible: the game, and the button to play.
pub(crate) fn sit_down<'a>(
    browser: &'a Chromium,
    server: &Server,
    game: &str,
    look: &Look,
    hand: Hand,
) -> Page<'a> {
    let page = browser.page(look);
    at_start(&page, server);
    // Cartagena is chosen from the start.
    if game != "cartagena" {
        choose_game(&page, game);
    }
    // The weakest opponents need the least time, and these games have hundreds of cards.
    let weakened = match game {
        "eights" | "hearts" => 1..4,
        _ => 0..0,
    };
    for seat in weakened {
        page.run(&format!(
            "(() => {{ const level = document.querySelectorAll('#seats select')[{seat}]; \
             level.value = '0'; level.dispatchEvent(new Event('change')); }})()"
        ));
    }
    hand.choose(&page, "#go");
    until_seated(&page);
    page
}

/// Opens a table's page, and waits until it has drawn everything.
pub(crate) fn drawn<'a>(
    browser: &'a Chromium,
    server: &Server,
    link: &str,
    look: &Look,
) -> Page<'a> {
    let page = browser.page(look);
    page.open(&address(server, link));
    page.until("document.querySelector('#table')?.dataset.ready === 'yes'");
    page
}

/// The same, and waits until it is the person's turn, or the game is over.
pub(crate) fn opened<'a>(
    browser: &'a Chromium,
    server: &Server,
    link: &str,
    look: &Look,
) -> Page<'a> {
    let page = drawn(browser, server, link, look);
    is_due(&page);
    page
}

/// Opens the page on which tables are set up.
pub(crate) fn at_start(page: &Page, server: &Server) {
    page.open(&address(server, &server.host));
    page.until("document.querySelector('#seats select')");
}

/// Chooses a game there.
pub(crate) fn choose_game(page: &Page, game: &str) {
    page.click(&format!("#which input[value=\"{game}\"]"));
}

/// Waits until a table is there.
pub(crate) fn until_seated(page: &Page) {
    page.until("location.pathname.startsWith('/table/') && document.querySelector('#table')?.dataset.ready === 'yes'");
}

/// Waits until it is the person's turn, and skips animations of earlier moves. Returns false if the game is
/// over.
pub(crate) fn is_due(page: &Page) -> bool {
    page.until(
        "(() => { const skip = document.querySelector('#skip'); if (!skip.hidden) skip.click(); \
         const { turn, over } = document.querySelector('#table').dataset; \
         return skip.hidden && (turn === 'mine' || over === 'true'); })()",
    );
    page.run("document.querySelector('#table').dataset.turn === 'mine'") == true
}

/// The state of the table as the server sends it to this page.
pub(crate) fn state(page: &Page) -> Value {
    page.run("fetch(`${location.pathname}/state`).then(answer => answer.json())")
}

/// A condition in JavaScript: the page shows a later version than `than`.
fn later(than: &Value) -> String {
    let version = &than["version"];
    format!("Number(document.querySelector('#table').dataset.version) > {version}")
}

/// Waits until the page shows a later version than `than`.
pub(crate) fn until_later(page: &Page, than: &Value) {
    page.until(&later(than));
}

/// Makes the longest jump, or else the shortest retreat.
pub(crate) fn act_in_cartagena(page: &Page, hand: Hand) {
    let now = state(page);
    let legal = now["game"]["legal"].as_array().unwrap();
    let gain = |action: &&Value| action["to"].as_i64().unwrap() - action["from"].as_i64().unwrap();
    let Some(best) = legal.iter().max_by_key(gain) else {
        hand.choose(page, "#end");
        return until_later(page, &now);
    };
    let own = format!(".own[data-place=\"{}\"]", best["from"]);
    let button = format!(".choices button[data-action={}]", best["action"]);
    let target = format!(".target[data-place=\"{}\"]", best["to"]);
    let ways = legal
        .iter()
        .filter(|other| other["from"] == best["from"] && other["to"] == best["to"]);
    let is_only_way = ways.count() == 1;
    // An element that is just being redrawn may miss the touch, so it is repeated.
    for _ in 0..20 {
        hand.choose(page, &own);
        if page.within(5_000, &format!("document.querySelector({})", json!(button))) {
            match hand {
                // If only one action leads to the place, choosing the place is enough.
                Hand::Mouse | Hand::Finger if is_only_way => hand.choose(page, &target),
                _ => hand.choose(page, &button),
            }
            if page.within(5_000, &later(&now)) {
                return;
            }
        }
        page.press("Escape");
    }
    panic!("{} cannot be done", best["action"]);
}

/// Plays a card, or rejects a challenge.
pub(crate) fn act_with_cards(page: &Page, hand: Hand) {
    let now = state(page);
    let playable = "#ask button.card:enabled, #board button.legal, #ask [data-action=\"reject_challenge\"]:enabled";
    // A card that is just being redrawn may miss the tap, so it is repeated.
    let later = later(&now);
    for _ in 0..20 {
        hand.choose(page, playable);
        if page.within(5_000, &later) {
            return;
        }
    }
    panic!("no card can be played: {now}");
}

/// Whether a game is near its end: a player has nineteen twentieths of the points that end a game of Tricky Eights or
/// Hearts, or four pirates home.
fn is_late(game: &Value) -> bool {
    let Some(rounds) = game["rounds"].as_array() else {
        let places = game["places"].as_array().unwrap().iter();
        let home = |seat: &Value| {
            let pirates = seat.as_array().unwrap().iter();
            pirates.filter(|place| place.as_u64() == Some(37)).count()
        };
        return places.map(home).any(|home| home >= 4);
    };
    let goal = game["goal"].as_u64().unwrap();
    (0..4).any(|seat| {
        let points = rounds.iter().map(|points| points[seat].as_u64().unwrap());
        20 * points.sum::<u64>() > 19 * goal
    })
}

/// Plays the middle of a long game by requests to the server, until it is near its end: a game of Tricky Eights or Hearts
/// has hundreds of cards. The page is opened again afterwards.
fn play_the_middle(server: &Server, page: &Page) {
    let link = page.run("location.pathname");
    let link = link.as_str().unwrap();
    // Meanwhile no page shows every card.
    page.open("about:blank");
    loop {
        let now = server.state(link);
        if now["over"] == true || is_late(&now["game"]) {
            break;
        }
        if now["to_move"] == now["seat"] {
            let card = now["game"]["legal"][0].as_str();
            let action = card.map_or_else(|| choice(&now), str::to_owned);
            assert_eq!(server.act(link, &now, &action).0, 200);
        } else {
            server.news(link, &now);
        }
    }
    page.open(&address(server, link));
    page.until("document.querySelector('#table')?.dataset.ready === 'yes'");
}

/// Whether the middle of a game is played by requests. A whole game of Cartagena is played with the mouse alone.
fn is_cut_short(game: &Value, hand: Hand) -> bool {
    game["rounds"].is_array() || game["places"].is_array() && hand != Hand::Mouse
}

/// Plays a game to its end. On the way it takes back once, asks for a hint once, and loads the page anew
/// once.
pub(crate) fn play(server: &Server, page: &Page, hand: Hand, act: fn(&Page, Hand)) {
    let mut taken = 0;
    while is_due(page) {
        match taken {
            2 => {
                let before = state(page);
                act(page, hand);
                // The opponents may have acted meanwhile. Their actions are taken back first, so the button
                // is pressed until the position is the one before.
                let mut now = state(page);
                for _ in 0..20 {
                    if now["actions"] == before["actions"] || !is_due(page) {
                        break;
                    }
                    hand.choose(page, "#back");
                    page.within(5_000, &later(&now));
                    now = state(page);
                }
                assert_eq!(now["game"], before["game"], "taken back");
                is_due(page);
            }
            5 => {
                hand.choose(page, "#hint");
                page.until("document.querySelector('#advice table')");
            }
            8 => {
                let before = state(page);
                page.reload();
                page.until("document.querySelector('#table')?.dataset.ready === 'yes'");
                assert_eq!(state(page)["game"], before["game"], "loaded anew");
            }
            20 if is_cut_short(&state(page)["game"], hand) => {
                play_the_middle(server, page);
                if !is_due(page) {
                    break;
                }
            }
            _ => {}
        }
        act(page, hand);
        taken += 1;
        assert!(taken < 1000, "the game does not end: {}", state(page));
    }
    assert!(taken > 8, "{taken} actions");
}

/// Opens the review, waits for all of it if `all`, else for its beginning, and goes back to an earlier
/// position.
pub(crate) fn look_back(page: &Page, hand: Hand, all: bool) {
    hand.choose(page, "#review");
    if all {
        page.until_going_on(
            "document.querySelector('#review-panel').dataset.ready === 'yes'",
            "document.querySelector('#accounts').textContent",
        );
    }
    page.until("document.querySelectorAll('#accounts tbody tr').length >= 2 && document.querySelector('#curve polyline')");
    hand.choose(page, "#earlier");
    page.until("document.querySelector('#status').textContent.startsWith('After ')");
}
