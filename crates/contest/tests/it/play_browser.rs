//! Tests of tables in a real browser: whole games with mouse, finger and keys, and all pages at all sizes.
//! They pass without doing anything where there is no Chromium.
//!
//! With `PICTURES` set, pictures of the pages are written to that folder. If axe-core is found at `AXE` or in
//! `target/axe`, pages are also checked for faults that hinder people who use a screen reader or no mouse.

use super::chromium::{Chromium, Look, Page, chromium};
use super::person::{
    Hand, TABLES, act_in_cartagena, act_with_cards, address, at_start, choose_game, drawn, is_due,
    look_back, opened, play, sit_down, state, until_later, until_seated,
};
use super::tables::{self, Server, link, links};
use serde_json::json;
use std::env;
use std::fs;
use std::path::{Path, PathBuf};

pub(crate) fn is_well(browser: &Chromium, page: &Page) {
    let failed = page.run("document.documentElement.dataset.error || ''");
    assert_eq!(failed, "", "a script failed");
    let complaints = browser.complaints.borrow();
    assert!(complaints.is_empty(), "{complaints:?}");
}

fn workspace() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The source of axe-core, if it is installed.
pub(crate) fn axe() -> Option<String> {
    let usual = || workspace().join("target/axe/axe.min.js");
    let file = env::var_os("AXE").map_or_else(usual, PathBuf::from);
    let source = fs::read_to_string(&file).ok();
    if source.is_none() {
        eprintln!("skipped: no axe-core at {}", file.display());
    }
    source
}

/// Fails if the page has a fault that axe-core calls serious or critical.
pub(super) fn is_accessible(page: &Page, axe: Option<&str>) {
    let Some(axe) = axe else { return };
    page.run(&format!("{axe}; undefined"));
    let found = page.run(
        "axe.run({ resultTypes: ['violations'] }).then(({ violations }) => violations \
         .filter(({ impact }) => impact === 'serious' || impact === 'critical') \
         .map(({ id, help, nodes }) => `${id}: ${help}: ${nodes.slice(0, 3).map(node => node.html).join(' ')}`))",
    );
    assert_eq!(found, json!([]), "{found:#}");
}

pub(super) fn picture(page: &Page, name: &str) {
    if let Some(folder) = env::var_os("PICTURES") {
        fs::create_dir_all(&folder).unwrap();
        page.picture(&Path::new(&folder).join(format!("{name}.png")));
    }
}

/// Plays a whole game by one means, then reviews it.
fn whole_game(game: &str, look: &Look, hand: Hand, act: fn(&Page, Hand)) {
    let Some(browser) = chromium() else { return };
    let server = Server::new();
    let page = sit_down(&browser, &server, game, look, hand);
    play(&server, &page, hand, act);
    // Reviewing all of a trick-taking game takes too long, as it has hundreds of cards; one of Cartagena is enough.
    let all = game == "challenge" || game == "cartagena" && hand == Hand::Mouse;
    look_back(&page, hand, all);
    let ends = "document.querySelector('#branch').hidden";
    page.until(&format!("!{ends}"));
    hand.choose(&page, "#later");
    page.until(ends);
    assert!(page.overflow() <= 0, "the page is wider than the window");
    is_well(&browser, &page);
}

#[test]
fn cartagena_with_a_mouse() {
    whole_game("cartagena", &Look::LARGE, Hand::Mouse, act_in_cartagena);
}

#[test]
fn cartagena_with_a_finger() {
    whole_game("cartagena", &Look::PHONE, Hand::Finger, act_in_cartagena);
}

#[test]
fn cartagena_with_keys() {
    whole_game("cartagena", &Look::LARGE, Hand::Keys, act_in_cartagena);
}

#[test]
fn the_challenge_game_with_keys() {
    whole_game("challenge", &Look::LARGE, Hand::Keys, act_with_cards);
}

#[test]
fn hearts_with_a_mouse() {
    whole_game("hearts", &Look::LARGE, Hand::Mouse, act_with_cards);
}

/// A person sets up a table with passing, and gives three cards away by clicks: they rise, and the three that come for them
/// are marked.
#[test]
fn three_cards_are_passed_by_clicks() {
    let Some(browser) = chromium() else { return };
    let server = Server::new();
    for (look, hand) in [(&Look::LARGE, Hand::Mouse), (&Look::PHONE, Hand::Finger)] {
        let page = browser.page(look);
        at_start(&page, &server);
        choose_game(&page, "hearts");
        page.click("#rules input[name=\"passing\"]");
        hand.choose(&page, "#go");
        page.until("document.querySelector('#table')?.dataset.ready === 'yes'");
        let chosen = "document.querySelectorAll('.own-hand .pick.chosen').length";
        for number in 0..3 {
            assert!(is_due(&page));
            assert_eq!(page.run(chosen), number);
            assert_eq!(
                page.run("document.querySelectorAll('.own-hand .pick').length"),
                13
            );
            picture(&page, &format!("passing-{hand:?}-{number}"));
            act_with_cards(&page, hand);
        }
        page.until("document.querySelectorAll('.own-hand .pick.got').length === 3");
        assert_eq!(
            page.run("document.querySelectorAll('.own-hand .pick').length"),
            13
        );
        let note = page.run("document.querySelector('#from').textContent");
        assert!(
            note.as_str().unwrap().contains("passed before each round"),
            "{note}"
        );
        picture(&page, &format!("passing-{hand:?}-done"));
        is_well(&browser, &page);
    }
}

#[test]
fn tricky_eights_with_a_finger() {
    whole_game("eights", &Look::PHONE, Hand::Finger, act_with_cards);
}

/// Two browsers play at one table, and two people at one screen of another.
#[test]
fn friends_play_each_other() {
    let Some(browser) = chromium() else { return };
    let server = Server::new();
    let links: [_; 2] = links(&server.set_up("cartagena", "Ann, Bob", false));
    let pages = links
        .each_ref()
        .map(|link| drawn(&browser, &server, link, &Look::LARGE));
    for turn in 0..12 {
        let seat = server.state(&links[0])["to_move"].as_u64().unwrap() as usize;
        assert!(is_due(&pages[seat]), "turn {turn}");
        act_in_cartagena(&pages[seat], Hand::Mouse);
    }
    for page in &pages {
        is_well(&browser, page);
    }

    let links: [_; 2] = tables::links(&server.set_up("cartagena", "Cleo, Dan", false));
    let page = browser.page(&Look::PHONE);
    let other = links[1].rsplit('/').next().unwrap();
    page.open(&address(&server, &format!("{}#{other}", links[0])));
    // The page does not know yet who sits in front of it.
    page.tap("#uncover");
    let (first, second) = (&links[0], &links[1]);
    for (link, name) in [(first, "Dan"), (second, "Cleo"), (first, "Dan")] {
        while server.state(link)["to_move"] == server.state(link)["seat"] {
            page.until("document.querySelector('#table')?.dataset.turn === 'mine'");
            let now = server.state(link);
            // The page shows the hand of the player to move, which is the one of this link.
            assert!(now["game"]["hands"][now["seat"].as_u64().unwrap() as usize].is_string());
            let action = super::play::choice(&now);
            assert_eq!(server.act(link, &now, &action).0, 200);
            let later = server.state(link)["version"].clone();
            page.until(&format!(
                "document.querySelector('#table').dataset.turn === 'covered' || \
                 Number(document.querySelector('#table').dataset.version) >= {later}"
            ));
        }
        page.until("document.querySelector('#uncover')");
        let cards = "document.querySelectorAll('.cards .card, .hand').length";
        assert_eq!(
            page.run(cards),
            0,
            "no cards while the screen is handed over"
        );
        assert_eq!(
            page.run("document.querySelector('#uncover').textContent"),
            format!("I am {name}")
        );
        // Loading the page anew uncovers no cards.
        page.reload();
        page.until("document.querySelector('#uncover')");
        assert_eq!(page.run(cards), 0, "no cards after a reload");
        page.tap("#uncover");
    }
    is_well(&browser, &page);
}

/// In every game a position can be changed in the editor, and then played from.
#[test]
fn positions_are_changed_by_choosing() {
    let Some(browser) = chromium() else { return };
    let axe = axe();
    let server = Server::new();
    // The narrowest phone: the button to choose a file is wider than its page.
    let narrow = Look {
        width: 360,
        ..Look::PHONE
    };
    let page = browser.page(&narrow);
    let text = "JSON.parse(document.querySelector('#open-text').value)";
    let start = |game: &str| {
        at_start(&page, &server);
        choose_game(&page, game);
        page.click("#open-panel summary");
        page.click("#open-example");
        page.until("document.querySelector('#open-editor').childElementCount > 0");
        check(&browser, &page, axe.as_deref(), &format!("editor-{game}"));
    };
    let open = || {
        page.click("#open-go");
        until_seated(&page);
        is_well(&browser, &page);
        state(&page)
    };
    start("cartagena");
    page.tap("#open-editor button[data-player=\"0\"][data-from=\"20\"]");
    page.tap("#open-editor g[data-place=\"7\"]");
    page.until(&format!("{text}.places[0].includes(7)"));
    page.tap("#open-editor g[data-place=\"7\"]");
    page.until(&format!("{text}.board[6] === 'b'"));
    let now = open();
    assert!(is_due(&page));
    act_in_cartagena(&page, Hand::Finger);
    is_well(&browser, &page);
    assert_eq!(now["game"]["places"][0], json!([0, 0, 7, 9, 9, 37]));
    assert_eq!(now["game"]["board"].as_str().unwrap().as_bytes()[6], b'b');
    start("hearts");
    page.tap("#open-editor button[data-getter=\"0\"]");
    page.tap("#open-editor button[data-card=\"s9\"]");
    page.tap("#open-editor button[data-card=\"sq\"]");
    page.until(&format!("{text}.hands[0].includes('sq')"));
    let now = open();
    let hand = now["game"]["log"][0]["hands"][0].as_str().unwrap();
    assert!(hand.contains("sq") && !hand.contains("s9"), "{hand}");
    start("challenge");
    page.run("(() => { const input = document.querySelectorAll('#open-editor .wide-field input')[1]; input.value = '13 7 4'; \
              input.dispatchEvent(new Event('change')); })()");
    page.until(&format!("{text}.hands[1] === '13 7 4'"));
    let now = open();
    assert_eq!(
        now["game"]["log"][0]["hands"][1],
        json!([13, 9, 8, 7, 4]),
        "{now}"
    );
}

/// In every game the page is in the chosen language; the record does not depend on it.
#[test]
fn people_are_spoken_to_in_their_language() {
    let Some(browser) = chromium() else { return };
    let server = Server::new();
    let page = browser.page(&Look::PHONE);
    at_start(&page, &server);
    page.run("document.querySelector('#language').value = 'de'; document.querySelector('#language').dispatchEvent(new Event('change'))");
    page.until(
        "document.documentElement?.lang === 'de' && document.querySelector('#seats select')",
    );
    assert_eq!(
        page.run("document.querySelector('#go').textContent"),
        "Spielen"
    );
    let levels = "document.querySelector('#seats optgroup').textContent";
    assert!(page.run(levels).as_str().unwrap().contains("Schiffsjunge"));
    for (game, _) in TABLES {
        at_start(&page, &server);
        choose_game(&page, game);
        page.click("#go");
        until_seated(&page);
        assert!(is_due(&page), "{game}");
        let status = page.run("document.querySelector('#status').textContent");
        assert!(
            status.as_str().unwrap().starts_with("Du bist dran"),
            "{game}: {status}"
        );
        page.click("#hint");
        page.until("document.querySelector('#advice td')");
        let heads = page.run("document.querySelector('#advice thead').textContent");
        assert!(heads.as_str().unwrap().starts_with("Aktion"), "{heads}");
        is_well(&browser, &page);
    }
}

/// Other ways to act: dragging a pirate, typing an action, resigning.
#[test]
fn there_are_other_ways_to_act() {
    let Some(browser) = chromium() else { return };
    let server = Server::new();
    let table = server.set_up("cartagena", "Ann, Bob", false);
    let page = opened(&browser, &server, &link(&table, 0), &Look::LARGE);
    let now = state(&page);
    // After a card has been chosen by keys, the focus is on a pirate that it can move.
    page.tab_to("#ask button.card:enabled");
    page.press("Enter");
    page.until("document.activeElement.matches('#board .own')");
    page.press("Escape");
    let first = &now["game"]["legal"][0];
    page.drag(
        &format!(".own[data-place=\"{}\"]", first["from"]),
        &format!(".target[data-place=\"{}\"]", first["to"]),
    );
    until_later(&page, &now);
    let now = state(&page);
    assert_eq!(now["actions"], 1);
    page.click("#typing summary");
    page.click("#notation");
    page.type_text("no action");
    page.press("Enter");
    page.until("document.querySelector('#trouble').textContent.includes('expected')");
    assert_eq!(state(&page)["actions"], 1);
    page.run("document.querySelector('#notation').value = ''; document.querySelector('#notation').focus()");
    page.type_text(now["game"]["legal"][0]["action"].as_str().unwrap());
    page.press("Enter");
    until_later(&page, &now);
    assert_eq!(state(&page)["actions"], 2);
    // The page asks for confirmation.
    page.run("window.confirm = () => true");
    page.click("#resign");
    page.until("document.querySelector('#table').dataset.over === 'true'");
    page.until("document.querySelector('#status').textContent.includes('resigned')");
    let failed = page.run("document.documentElement.dataset.error || ''");
    assert_eq!(failed, "", "a script failed");
}

/// Every page fits the screens of phones, tablets and large screens, in light and dark colours, and is
/// accessible.
#[test]
fn pages_fit_everywhere_and_everybody() {
    let Some(browser) = chromium() else { return };
    let axe = axe();
    let server = Server::new();
    let table = server.set_up("cartagena", "Ann, 3, 0", true);
    let ann = link(&table, 0);
    let over = server.set_up("cartagena", "5, 2", true);
    let over = over["onlookers"].as_str().unwrap().to_owned();
    server.until(&over, |state| state["over"] == true);
    let cards = [
        ("challenge", "Ann, 2"),
        ("hearts", "Ann, 2, 2, 2"),
        ("eights", "Ann, 2, 2, 2"),
    ];
    let cards = cards.map(|(game, seats)| (game, link(&server.set_up(game, seats, true), 0)));
    // Colours do not depend on the size, so only the smallest and the largest page are looked at in both.
    for (width, height, dark) in [
        (390, 844, false),
        (390, 844, true),
        (844, 390, true),
        (768, 1024, false),
        (1440, 1000, false),
        (1440, 1000, true),
    ] {
        let touch = width < 1000;
        let page = browser.page(&Look {
            width,
            height,
            dark,
            touch,
        });
        let look = format!("{width}-{}", if dark { "dark" } else { "light" });
        // Axe looks at colours and structure, which do not depend on the size.
        let axe = axe
            .as_deref()
            .filter(|_| matches!((width, dark), (390, false) | (1440, true)));
        let check = |name: &str| check(&browser, &page, axe, &format!("{name}-{look}"));
        page.open(&address(&server, &server.host));
        page.until("document.querySelector('#tables li')");
        check("start");
        page.open(&address(&server, &ann));
        assert!(is_due(&page));
        page.click("#hint");
        page.until("document.querySelector('#advice table')");
        check("cartagena");
        for (game, link) in &cards {
            page.open(&address(&server, link));
            assert!(is_due(&page));
            check(game);
        }
        page.open(&address(&server, &over));
        page.until("document.querySelector('#table')?.dataset.over === 'true'");
        // A finished game is shown from its beginning unless that is skipped.
        assert!(!is_due(&page));
        look_back(&page, Hand::Mouse, true);
        check("cartagena-review");
    }
}

pub(crate) fn check(browser: &Chromium, page: &Page, axe: Option<&str>, name: &str) {
    picture(page, name);
    assert!(page.overflow() <= 0, "{name} is wider than its window");
    is_accessible(page, axe);
    is_well(browser, page);
}
