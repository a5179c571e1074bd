//! Tests of tables for friends: their invitations, hints as an option, clocks, chat and sound; and of the host's own
//! games, which stay when their tables are removed.

use super::chromium::{Look, chromium};
use super::person::{address, is_due};
use super::play_browser::{axe, is_accessible, is_well, picture};
use super::tables::{Server, link, links, refused, seats};
use serde_json::{Value, json};

/// Sets up a table of Cartagena for two people on these terms.
fn table_with(server: &Server, terms: &Value) -> Value {
    server.set_up_on("cartagena", "Ann, Bob", false, terms)
}

/// The link for a friend is the one that works on the friend's device; where there is none, the reason is told.
#[test]
fn an_invitation_has_the_address_for_others() {
    let folder = tempfile::tempdir().unwrap();
    let asked = |server: &Server, origin: &str| {
        let table = server.set_up("cartagena", "Ann, Bob", false);
        let friend = link(&table, 1);
        let answer = server.got(&format!("{friend}/invitation?origin={origin}"));
        assert!(
            answer["link"].as_str().unwrap().ends_with(&friend),
            "{answer}"
        );
        assert!(answer["code"]["size"].as_u64().unwrap() >= 33, "{answer}");
        answer
    };
    let server = Server::start_with(folder.path(), &["--host", "games.example"]);
    let here = format!("http://127.0.0.1:{}", server.port);
    assert_eq!(asked(&server, &here)["warning"]["id"], "invite-local");
    let proxied = asked(&server, "https://games.example");
    assert!(proxied["warning"].is_null(), "{proxied}");
    assert!(
        proxied["link"]
            .as_str()
            .unwrap()
            .starts_with("https://games.example/"),
        "{proxied}"
    );
    let wrong = server.get(&format!("/table/0/1/invitation?origin={here}"));
    assert_eq!(wrong.0, 404);
    server.kill();
    // A server that is open to the network tells its address there, if this machine has one.
    let server = Server::start_with(folder.path(), &["--bind", "0.0.0.0"]);
    let open = asked(&server, &format!("http://127.0.0.1:{}", server.port));
    let told = open["link"].as_str().unwrap();
    match open["warning"].is_null() {
        true => assert!(
            !told.contains("127.0.0.1") && !told.contains("localhost"),
            "{open}"
        ),
        false => assert_eq!(open["warning"]["id"], "invite-unknown"),
    }
}

/// With an open seat the host gets to the table, with the friend's link in a box until the friend has come. Undo and
/// hints are off then, and on for one person alone.
#[test]
fn the_host_invites_at_the_table() {
    let Some(browser) = chromium() else { return };
    let server = Server::new();
    let host = browser.page(&Look::PHONE);
    host.open(&address(&server, &server.host));
    host.until("document.querySelector('#seats select')");
    let allowed = "['hints', 'freely'].map(id => document.getElementById(id).checked)";
    assert_eq!(host.run(allowed), json!([true, true]));
    let choose = |select: &str, value: &str| {
        host.run(&format!(
            "(() => {{ const select = document.querySelector('{select}'); select.value = '{value}'; select.dispatchEvent(new Event('change')); }})()"
        ))
    };
    choose("#seats .seat:nth-child(2) select", "friend");
    assert_eq!(host.run(allowed), json!([false, false]));
    // Whoever chooses the terms keeps them.
    host.click("#freely");
    choose("#seats .seat:nth-child(2) select", "2");
    choose("#seats .seat:nth-child(2) select", "friend");
    assert_eq!(host.run(allowed), json!([false, true]));
    host.click("#terms summary");
    choose("#clock", "game");
    host.click("#chat");
    is_accessible(&host, axe().as_deref());
    picture(&host, "friends-start");
    host.click("#go");
    host.until("location.pathname.startsWith('/table/') && document.querySelector('.invitation')");
    let invited = host.run("document.querySelector('.invitation input').value");
    let friend = invited.as_str().unwrap();
    let warning = host.run("document.querySelector('.invitation .trouble').textContent");
    assert!(
        warning.as_str().unwrap().contains("--bind 0.0.0.0"),
        "{warning}"
    );
    host.click(".invitation summary");
    host.click(".invitation .copy");
    host.until("document.querySelector('.invitation .copy').textContent === 'Copied'");
    is_accessible(&host, axe().as_deref());
    assert!(host.overflow() <= 0, "the page is wider than the window");
    picture(&host, "friends-invitation");
    // The box is there again after a reload, as long as the friend has not come.
    host.reload();
    host.until("document.querySelector('.invitation')");
    let other = browser.page(&Look::LARGE);
    other.open(friend);
    other.until("document.querySelector('#table').dataset.ready === 'yes'");
    host.until("document.querySelector('#invite').hidden");
    for page in [&host, &other] {
        page.until(
            "document.querySelector('#clocks .runs') && !document.querySelector('#chat').hidden",
        );
        assert_eq!(page.run("document.querySelector('#hint').hidden"), true);
    }
    // A line of the chat gets to the other page, which rings if its reader wants that.
    let rung = "window.rung = 0; window.AudioContext = class extends AudioContext { constructor() { super(); window.rung += 1; } }; 0";
    for page in [&host, &other] {
        page.run(rung);
    }
    other.click("#sound");
    other.until("window.rung === 1");
    host.click("#chat-line");
    host.type_text("Hello & welcome");
    host.press("Enter");
    other.until("document.querySelector('#chat-lines li')?.innerText.endsWith('Hello & welcome')");
    other.until("window.rung === 2");
    assert_eq!(host.run("window.rung"), 0, "it is off at first");
    picture(&other, "friends-chat");
    is_accessible(&other, axe().as_deref());
    is_well(&browser, &other);
}

#[test]
fn hints_and_chat_are_options() {
    let mut server = Server::new();
    let plain = server.set_up("cartagena", "Ann, Bob", false);
    let strict = table_with(&server, &json!({ "hints": false, "chat": true }));
    for _ in 0..2 {
        let (hint, say) = (
            |link: &str| server.post(&format!("{link}/hint"), &json!({})),
            |link: &str, line: &str| server.post(&format!("{link}/say"), &json!({ "line": line })),
        );
        let (ann, bob) = (link(&strict, 0), link(&strict, 1));
        assert_eq!(server.state(&ann)["can_ask"], false);
        let (status, refused) = hint(&ann);
        assert_eq!(
            (status, &refused["error"]["id"]),
            (403, &json!("refused-hints"))
        );
        assert_eq!(server.state(&link(&plain, 0))["can_ask"], true);
        assert_eq!(say(&link(&plain, 0), "Hello").0, 403);
        assert!(server.state(&link(&plain, 0))["chat"].is_null());
        let before = server.state(&bob);
        assert_eq!(say(&ann, " Hello ").0, 200);
        let after = server.until(&bob, |state| state["chat"] != before["chat"]);
        assert_eq!(after["chat"], json!([{ "seat": 0, "text": "Hello" }]));
        assert_eq!(
            after["version"], before["version"],
            "the game has not changed"
        );
        assert_eq!(say(&ann, "a\nb").0, 400);
        assert_eq!(say(strict["onlookers"].as_str().unwrap(), "Hello").0, 403);
        // The options are in the table's file; what was written is not.
        server.restart();
    }
}

/// If the time for an action is up, a built-in player takes it; if that for the game is up, the seat resigns. No clock
/// runs before everybody has come.
#[test]
fn clocks_end_actions_and_games() {
    let folder = tempfile::tempdir().unwrap();
    let server = Server::start(folder.path());
    let table = table_with(&server, &json!({ "limit": { "action": 1 } }));
    let (ann, bob) = (link(&table, 0), link(&table, 1));
    let early = server.state(&ann);
    assert!(early["clocks"]["running"].is_null(), "{early}");
    assert_eq!(early["came"], json!([true, false]));
    assert_eq!(early["clocks"]["left"], json!([1000, 1000]));
    let begun = server.state(&bob);
    let seat = begun["to_move"].clone();
    let late = server.until(&ann, |state| state["actions"].as_u64() > Some(0));
    assert_eq!(
        late["remarks"][0],
        json!({ "what": "time_up", "seat": seat, "after": 0 })
    );
    assert_eq!(late["game"]["log"][0]["player"], seat);
    assert_eq!(late["over"], false);
    for link in [&ann, &bob] {
        let state = server.state(link);
        assert_eq!(state["can_take_back"], false, "nobody has acted: {state}");
    }

    let table = table_with(&server, &json!({ "limit": { "game": 1 } }));
    let links: [_; 2] = links(&table);
    for link in &links {
        server.state(link);
    }
    let over = server.until(&links[0], |state| state["over"] == true);
    let loser = over["resigned"][0].as_u64().unwrap();
    let told = over["remarks"].as_array().unwrap().iter();
    let told: Vec<Value> = told.map(|one| one["what"].clone()).collect();
    assert_eq!(told, ["time_up", "resigned"]);
    assert_eq!(over["winner"], 1 - loser);
    server.kill();
    let again = Server::start(folder.path()).state(&links[0]);
    assert_eq!(
        (&again["remarks"], &again["winner"]),
        (&over["remarks"], &over["winner"])
    );
    // A time has to be one.
    let server = Server::start(folder.path());
    let wish = json!({ "game": "cartagena", "seats": seats("Ann, Bob"), "freely": false, "limit": { "game": 0 } });
    let answer = server.post(&format!("{}/tables", server.host), &wish);
    refused(answer, 400, "1 to 86400 seconds");
}

/// The host's games that are over: (how many, the rated ones, the rating of Cartagena).
fn own_games(server: &Server) -> (usize, usize, Option<f64>) {
    let own = server.got(&format!("{}/games", server.host));
    let games = own["games"].as_array().unwrap();
    let rated = games.iter().filter(|game| game["rated"] == true).count();
    let rating = own["ratings"][0]["value"].as_f64();
    (games.len(), rated, rating)
}

#[test]
fn results_stay_when_tables_are_removed() {
    let folder = tempfile::tempdir().unwrap();
    let mut server = Server::start(folder.path());
    let lost = |server: &Server, asks: bool| {
        let table = server.set_up("cartagena", "Ann, 0", true);
        let ann = link(&table, 0);
        if asks {
            assert_eq!(server.post(&format!("{ann}/hint"), &json!({})).0, 200);
        }
        assert_eq!(server.resign(&ann).0, 200);
        table["id"].as_str().unwrap().to_owned()
    };
    assert_eq!(own_games(&server), (0, 0, None));
    let id = lost(&server, false);
    let (games, rated, rating) = own_games(&server);
    assert!(
        games == 1 && rated == 1 && rating < Some(1500.0),
        "{rating:?}"
    );
    // A game with a hint is kept, and does not count.
    lost(&server, true);
    assert_eq!(own_games(&server), (2, 1, rating));
    // Between friends the host's own seat counts; nobody is the host of a table of programs.
    let friends = table_with(&server, &json!({ "host": 1 }));
    server.post(&format!("{}/resign", link(&friends, 0)), &json!({}));
    let (_, own) = server.get(&format!("{}/games", server.host));
    assert_eq!(
        (&own["games"][0]["own"], &own["games"][0]["places"]),
        (&json!(1), &json!([2.0, 1.0]))
    );
    assert_eq!(
        own_games(&server),
        (3, 2, rating),
        "people say nothing about levels"
    );

    let tables = format!("{}/tables", server.host);
    let under_way = server.set_up("cartagena", "Ann, 0", true);
    let waiting = under_way["id"].as_str().unwrap();
    for table in [&id, waiting] {
        let file = folder.path().join(format!("{table}.jsonl"));
        for (tables, status, is_left) in [
            ("/host/x/tables", 404, true),
            (&*tables, 200, false),
            (&*tables, 404, false),
        ] {
            let answer = server.post(&format!("{tables}/{table}/remove"), &json!({}));
            assert_eq!((answer.0, file.exists()), (status, is_left), "{tables}");
        }
    }
    assert_eq!(server.get(&format!("{}/state", link(&under_way, 0))).0, 404);
    assert_eq!(server.get(&tables).1.as_array().unwrap().len(), 2);
    server.kill();
    server = Server::start(folder.path());
    assert_eq!(own_games(&server), (3, 2, rating), "they are in a file");
}

#[test]
fn the_start_page_lists_own_games() {
    let Some(browser) = chromium() else { return };
    let server = Server::new();
    for game in ["cartagena", "challenge"] {
        let table = server.set_up(game, "Ann, 3", true);
        assert_eq!(server.resign(&link(&table, 0)).0, 200);
    }
    let page = browser.page(&Look::PHONE);
    page.open(&address(&server, &server.host));
    page.until("document.querySelectorAll('#own-games li').length === 2");
    let told = page.run("document.querySelector('#own-panel').innerText");
    let told = told.as_str().unwrap();
    for part in [
        "My games",
        "against Boatswain: place 2",
        "after one game",
        "Sailor 1,4",
    ] {
        assert!(told.contains(part), "{part}: {told}");
    }
    is_accessible(&page, axe().as_deref());
    assert!(page.overflow() <= 0, "the page is wider than the window");
    picture(&page, "own-games");
    page.click("#tables li .remove");
    page.until("document.querySelectorAll('#tables li').length === 1");
    assert_eq!(
        page.run("document.querySelectorAll('#own-games li').length"),
        2
    );
    // A game under way is removed only if that is confirmed.
    let table = server.set_up("cartagena", "Ann, 0", true);
    page.reload();
    page.until("document.querySelectorAll('#tables li').length === 2");
    page.run("window.confirm = () => false");
    page.click("#tables li .remove");
    let other = browser.page(&Look::LARGE);
    other.open(&address(&server, &link(&table, 0)));
    assert!(is_due(&other));
    is_well(&browser, &page);
    page.run("window.confirm = () => true");
    page.click("#tables li .remove");
    page.until("document.querySelectorAll('#tables li').length === 1");
    other.until("document.querySelector('#trouble').textContent.includes('no longer exists')");
}
