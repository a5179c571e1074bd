//! Tests of tables as a place for several people: links that lead nowhere, games that end by a resignation, names
//! that are told apart, and the game that the command line names.

use super::chromium::{Look, Page, chromium};
use super::person::{
    Hand, TABLES, act_in_cartagena, address, at_start, drawn, is_due, opened, state, until_later,
};
use super::play::choice;
use super::play_browser::is_well;
use super::programs::{contest, says};
use super::tables::{Server, link, links};
use serde_json::{Value, json};

/// The headers of a browser that follows a link.
const BROWSER: &str =
    "Accept: text/html,application/xhtml+xml;q=0.9\r\nAccept-Language: de-AT, en;q=0.5\r\n";

/// The text of an element on a page.
fn text(page: &Page, selector: &str) -> String {
    let text = page.run(&format!("document.querySelector('{selector}').innerText"));
    text.as_str().unwrap().to_owned()
}

#[test]
fn a_wrong_link_is_a_page_for_people_and_json_for_scripts() {
    let server = Server::new();
    let ann = link(&server.set_up("cartagena", "Ann, 0", true), 0);
    let other = ann.replace(|c: char| c.is_ascii_digit(), "0");
    let record = format!("{other}/record");
    for path in ["/", "/host/x", &other, &record, "/assets/none.js"] {
        let (status, page) = server.raw("GET", path, BROWSER, "");
        assert_eq!(status, 404, "{path}");
        assert!(page.starts_with("<!doctype html>"), "{path}: {page}");
        says(&page, "<link rel=\"icon\" href=\"data:,\">");
        let is_told = page.contains("<h1>Diese Seite gibt es nicht");
        assert!(is_told && page.contains("lang=\"de\""), "{path}: {page}");
        let (status, answer) = server.get(path);
        let told = &answer["error"]["id"];
        assert_eq!((status, told), (404, &json!("no-such-page")), "{path}");
    }
    // A link that does not lead anywhere yet says why, and gives no advice about wrong links.
    let (status, page) = server.raw("GET", &format!("{ann}/record"), BROWSER, "");
    assert_eq!(status, 409);
    says(&page, "<h1>Das Spiel ist noch nicht zu Ende");
    says(&page, "class=\"panel\" hidden");
    // A request that changes something is not a link.
    let (status, answer) = server.raw("POST", &format!("{other}/resign"), BROWSER, "");
    assert!(status == 404 && answer.starts_with('{'), "{answer}");
}

/// From a wrong link a browser gets back to the tables, unless a later start has given them another address.
#[test]
fn a_wrong_link_has_a_way_back() {
    let Some(browser) = chromium() else { return };
    let server = Server::new();
    let page = browser.page(&Look::PHONE);
    at_start(&page, &server);
    page.open(&address(&server, "/table/0/1"));
    assert!(page.overflow() <= 0, "the page is wider than the window");
    page.click("#tables-link");
    page.until("location.pathname.startsWith('/host/') && document.querySelector('#seats select')");
    page.run("localStorage.setItem('tables', '/host/old')");
    page.open(&address(&server, "/host/old"));
    page.click("#return");
    page.until("location.pathname !== '/host/old'");
}

/// What a resigned game must be for each of its players.
fn is_won_by(server: &Server, links: &[String; 2], winner: usize) {
    for link in links {
        let state = server.state(link);
        let told = [&state["over"], &state["has_record"], &state["has_page"]];
        assert_eq!(told, [&json!(true); 3], "{state}");
        assert_eq!(state["winner"], winner, "{state}");
        assert_eq!(state["game"]["winner"], winner, "{state}");
        let (status, page) = server.get(&format!("{link}/page"));
        assert!(status == 200 && page.to_string().contains("Ann"), "{page}");
    }
}

#[test]
fn a_resigned_game_is_kept_like_a_finished_one() {
    let mut server = Server::new();
    for game in ["cartagena", "challenge"] {
        let links: [_; 2] = links(&server.set_up(game, "Ann, Bob", false));
        for _ in 0..5 {
            let states = links.each_ref().map(|link| server.state(link));
            let seat = states[0]["to_move"].as_u64().unwrap() as usize;
            let action = match game {
                "cartagena" => choice(&states[seat]),
                _ => states[seat]["game"]["legal"][0]["action"]
                    .as_str()
                    .unwrap()
                    .to_owned(),
            };
            assert_eq!(server.act(&links[seat], &states[seat], &action).0, 200);
        }
        // The one who is not to move resigns.
        let state = server.state(&links[0]);
        let winner = state["to_move"].as_u64().unwrap() as usize;
        let resigned = server.resign(&links[1 - winner]);
        assert_eq!(resigned.0, 200, "{}", resigned.1);
        let entries = state["game"]["log"].as_array().unwrap().len();
        let remark = json!({ "what": "resigned", "seat": 1 - winner, "after": entries });
        assert_eq!(resigned.1["remarks"], json!([remark]));
        is_won_by(&server, &links, winner);
        server.restart();
        is_won_by(&server, &links, winner);
        let (_, record) = server.get(&format!("{}/record", links[0]));
        let file = server.folder.join("record.txt");
        std::fs::write(&file, format!("{record}\n")).unwrap();
        if game == "cartagena" {
            assert_eq!(record["resigned"], 2 - winner, "{record}");
            assert_eq!(record["result"]["winner"], winner + 1, "{record}");
            // Replaying checks that the result follows from the record.
            let mut replay = contest("cartagena replay");
            replay.arg(&file).arg("1").said(0);
        } else {
            assert_eq!(record["winner"], winner, "{record}");
            assert_eq!(record["resigned"], true, "{record}");
            let last = record["entries"].as_array().unwrap().last().unwrap();
            assert_eq!(
                (&last["type"], &last["winner"]),
                (&json!("final_game_result"), &json!(winner))
            );
        }
        // A file of the game is opened where it ended.
        assert_eq!(server.opened(game, &record.to_string())["actions"], 5);
    }
}

#[test]
fn a_resignation_is_in_the_log_and_names_the_winner() {
    let Some(browser) = chromium() else { return };
    let server = Server::new();
    let table = server.set_up("cartagena", "Ann, Bob", false);
    let pages = [0, 1].map(|seat| drawn(&browser, &server, &link(&table, seat), &Look::LARGE));
    assert!(is_due(&pages[0]));
    assert_eq!(server.resign(&link(&table, 1)).0, 200);
    for (page, said, line) in [
        (&pages[0], "Bob resigned. You have won!", "Bob resigned."),
        (
            &pages[1],
            "You have resigned. The winner is Ann.",
            "You have resigned.",
        ),
    ] {
        page.until("document.querySelector('#table').dataset.over === 'true'");
        assert_eq!(text(page, "#status"), said);
        assert_eq!(text(page, "#log li:last-child .move"), line);
        page.until(
            "!document.querySelector('#record').hidden && !document.querySelector('#page').hidden",
        );
    }
}

/// A position that is looked at stays until *Skip*. A key that is held takes back one action alone. Nobody resigns in
/// vain while a hint is asked for.
#[test]
fn the_page_does_what_was_asked_and_no_more() {
    let Some(browser) = chromium() else { return };
    let server = Server::new();
    let table = server.set_up_on("cartagena", "Ann, Bob", false, &json!({ "chat": true }));
    let [ann, bob] = links(&table);
    for _ in 0..2 {
        let now = server.state(&ann);
        assert_eq!(server.act(&ann, &now, &choice(&now)).0, 200);
    }
    let page = opened(&browser, &server, &ann, &Look::LARGE);
    let seen = "document.querySelector('#table').dataset.seen";
    page.run("document.querySelector('#log button.move').click()");
    assert_eq!(page.run(seen), "1");
    // The next action is Ann's own. News from the server do not show it.
    let line = json!({ "line": "Hello" });
    assert_eq!(server.post(&format!("{bob}/say"), &line).0, 200);
    page.until("document.querySelector('#chat-lines li')");
    assert_eq!(page.run(seen), "1");
    page.run("document.querySelector('#skip').click()");
    assert_eq!(page.run(seen), "2");

    page.run("window.undone = 0; document.querySelector('#back').addEventListener('click', () => { undone += 1; }); 0");
    let press = |repeat: bool| {
        page.run(&format!(
            "document.body.dispatchEvent(new KeyboardEvent('keydown', {{ key: 'u', bubbles: true, repeat: {repeat} }})); undone"
        ))
    };
    let now = state(&page);
    assert_eq!(press(true), 0);
    assert_eq!(press(false), 1);
    until_later(&page, &now);
    assert_eq!(state(&page)["actions"], 1);

    // A server that does not answer yet.
    page.run("window.asked = fetch; window.fetch = (to, how) => String(to).endsWith('/hint') ? new Promise(() => {}) : asked(to, how); 0");
    let resign = "document.querySelector('#resign').disabled";
    page.until(&format!("!{resign}"));
    page.run("document.querySelector('#hint').click()");
    assert_eq!(page.run(resign), true);
    is_well(&browser, &page);
}

/// Equal players are numbered on every page. A long name is cut, but its number is not, and it shows as a whole when
/// it is pointed at.
#[test]
fn equal_names_are_numbered_and_long_ones_are_cut() {
    let server = Server::new();
    let long = "Bartholomew Black Roberts of Little Newc";
    let seats = format!("Ann, 2, {long}, 2, {long}, 3");
    let table = server.set_up("cartagena", &seats, true);
    let names = server.state(&link(&table, 0))["names"].clone();
    let names = names.as_array().unwrap().iter();
    let numbers: Vec<Option<u64>> = names.map(|name| name["args"]["n"].as_u64()).collect();
    assert_eq!(numbers, [None, Some(1), Some(1), Some(2), Some(2), None]);
    let Some(browser) = chromium() else { return };
    for game in ["cartagena", "hearts"] {
        let table = server.set_up(game, &seats, true);
        let page = drawn(&browser, &server, &link(&table, 2), &Look::PHONE);
        // The page's log and panels have both levels and both people with their numbers, none of them cut away.
        let shown = text(&page, "#table");
        let found = page.run(
            "[...document.querySelectorAll('.name')].filter(name => name.title.startsWith('Bartholomew')).map(name => \
             ({ title: name.title, rest: name.querySelector('.rest').getBoundingClientRect().right - name.parentElement.getBoundingClientRect().right, \
             cut: name.querySelector('.cut').scrollWidth > name.querySelector('.cut').clientWidth }))",
        );
        let found = found.as_array().unwrap();
        assert!(found.len() >= 2, "{game}: {shown}");
        for title in [format!("{long} 1 (you)"), format!("{long} 2")] {
            let has_title = found.iter().any(|name| name["title"] == title);
            assert!(has_title, "{found:?}");
        }
        assert!(
            found.iter().any(|name| name["cut"] == true),
            "{game}: {found:?}"
        );
        assert!(
            found
                .iter()
                .all(|name| name["rest"].as_f64().unwrap() < 1.0),
            "{game}: {found:?}"
        );
        assert!(
            page.overflow() <= 0,
            "{game}: the page is wider than the window"
        );
        super::play_browser::picture(&page, &format!("names-{game}"));
    }
}

/// Names of forty letters keep to their place, in tables of points and beside clocks, on every window.
#[test]
fn the_longest_names_fit() {
    let Some(browser) = chromium() else { return };
    let server = Server::new();
    let (one, two) = ("W".repeat(40), "M".repeat(40));
    let clock = json!({ "limit": { "game": 600 } });
    for (game, rest) in [("challenge", ""), ("hearts", ", 1, 1, 1, 1")] {
        let table = server.set_up_on(game, &format!("{one}, {two}{rest}"), false, &clock);
        for look in [Look::LARGE, Look::PHONE] {
            let page = drawn(&browser, &server, &link(&table, 0), &look);
            let wide = page.run(
                "[...document.querySelectorAll('main *, header *')].filter(node => node.getBoundingClientRect().right > innerWidth + 1) \
                 .map(node => `${node.parentElement.className} > ${node.tagName} #${node.id} .${node.className}`)",
            );
            let is_wide = page.overflow() > 0 || wide != json!([]);
            assert!(!is_wide, "{game}, {}: {wide}", look.width);
        }
    }
}

/// `contest play hearts` opens the page with Hearts; another name is an error that lists the games.
#[test]
fn the_command_line_names_the_game() {
    let said = contest("play chess --no-open").told(2);
    says(&said, "\"chess\"");
    says(&said, "cartagena, challenge, hearts, eights");
    let Some(browser) = chromium() else { return };
    for game in ["hearts", "eights", "challenge", "cartagena"] {
        let server = Server::new_with(&[game]);
        let page = browser.page(&Look::LARGE);
        at_start(&page, &server);
        let chosen = page.run("document.querySelector('#which input:checked').value");
        assert_eq!(chosen, game);
    }
}

/// From the start page two people sit down at one screen, and a friend elsewhere. The table is covered between the two,
/// both can act, and the friend's link is shown.
#[test]
fn two_people_sit_down_at_one_screen() {
    let Some(browser) = chromium() else { return };
    let server = Server::new();
    let page = browser.page(&Look::LARGE);
    at_start(&page, &server);
    page.click("#more");
    for (seat, who) in [(2, "me"), (3, "friend")] {
        page.run(&format!(
            "(() => {{ const select = document.querySelector('#seats .seat:nth-child({seat}) select'); \
             select.value = '{who}'; select.dispatchEvent(new Event('change')); }})()"
        ));
    }
    page.click("#go");
    page.until("location.pathname.startsWith('/table/') && document.querySelector('#uncover')");
    let (_, tables) = server.get(&format!("{}/tables", server.host));
    let own = link(&tables[0], 0);
    assert_eq!(page.run("location.pathname + location.hash"), own);
    assert_eq!(text(&page, "#uncover"), "I am Player 1");
    page.click("#uncover");
    page.until("document.querySelector('.invitation input')");
    let invited = page.run("document.querySelector('.invitation input').value");
    let friend = link(&tables[0], 2);
    assert!(invited.as_str().unwrap().ends_with(&friend), "{invited}");
    for _ in 0..2 {
        assert!(is_due(&page));
        act_in_cartagena(&page, Hand::Mouse);
    }
    page.click("#end");
    page.until("document.querySelector('#uncover')");
    assert_eq!(text(&page, "#uncover"), "I am Player 2");
    page.click("#uncover");
    page.until("document.querySelector('#table').dataset.turn === 'mine'");
    let second = link(&tables[0], 1);
    let second = second.split('#').next().unwrap();
    let now = server.state(second);
    assert_eq!(now["to_move"], 1);
    page.click("#board .own");
    page.click("#ask .choices button");
    until_later(&page, &now);
    assert_eq!(server.state(second)["game"]["log"][3]["player"], 1);
    is_well(&browser, &page);
}

/// Whoever uses keys goes on where they are: the focus stays at what was chosen, or goes on to the next choice.
#[test]
fn the_focus_goes_on_to_the_next_choice() {
    let Some(browser) = chromium() else { return };
    let server = Server::new();
    let has_focus = |selector: &str| format!("document.activeElement.matches('{selector}')");
    for (game, seats) in TABLES {
        let choice = match game {
            "cartagena" => "#board .own",
            "challenge" => "#ask button.card:enabled",
            _ => "#board button.legal",
        };
        let table = server.set_up(game, seats, true);
        let page = opened(&browser, &server, &link(&table, 0), &Look::LARGE);
        page.tab_to("#hint");
        page.press("Enter");
        page.until("document.querySelector('#advice table')");
        page.until(&has_focus("#hint"));
        for _ in 0..2 {
            page.tab_to(choice);
            let now = state(&page);
            page.press("Enter");
            if game == "cartagena" {
                page.until(&has_focus(".target"));
                page.press("Enter");
            }
            until_later(&page, &now);
            assert!(is_due(&page), "{game}");
            page.until(&has_focus(choice));
        }
        if game == "cartagena" {
            page.tab_to("#ask button.card:enabled");
            page.press("Enter");
            // The card leads a pirate, which is chosen next.
            page.until(&has_focus("#board .own"));
        }
        is_well(&browser, &page);
    }
}

/// Penalty points are positive numbers on the page.
#[test]
fn expected_penalty_points_are_positive() {
    let Some(browser) = chromium() else { return };
    let server = Server::new();
    // The lowest cards, which shoot no moon: who is likely to does expect fewer points than none.
    let unknown = ["?"; 12].join(" ");
    let hands = [
        "c3 c4 d2 d3 d4 h2 h3 h4 h5 s2 s3 s4 s5",
        &unknown,
        &unknown,
        &unknown,
    ];
    let table = server.opened(
        "hearts",
        &json!({ "first": 2, "hands": hands, "cards": "c2 c7 ca" }).to_string(),
    );
    let page = opened(&browser, &server, &link(&table, 0), &Look::LARGE);
    page.click("#hint");
    page.until("document.querySelector('#advice td')");
    assert!(text(&page, "#advice thead").contains("Expected penalty points"));
    let values = page.run(
        "[...document.querySelectorAll('#advice tbody tr')].map(row => row.children[1].textContent)",
    );
    let values = values.as_array().unwrap();
    let is_positive = |value: &Value| {
        value
            .as_str()
            .unwrap()
            .parse::<f64>()
            .is_ok_and(|one| one > 0.0)
    };
    assert!(values.iter().all(is_positive), "{values:?}");
}
