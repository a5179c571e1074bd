//! Tests of the page of a table in a real browser: the review beside the board, lessons, the list of moves, forced
//! actions, hints of a first visit, and the size of the board.
//! They pass without doing anything where there is no Chromium.

use super::chromium::{Look, Page, chromium};
use super::person::{TABLES, opened, state, until_later};
use super::play_browser::{axe, check, is_well};
use super::play_open_cards::record_of;
use super::play_review::{BLUNDER, WIN, thrown_away};
use super::tables::{Server, link, links};
use serde_json::{Value, json};

/// The sizes at which a review has to show everything at once. The second is a phone on its side.
const SIZES: [(u32, u32); 5] = [
    (390, 844),
    (844, 390),
    (768, 1024),
    (1366, 768),
    (1920, 1080),
];

fn look((width, height): (u32, u32), dark: bool) -> Look {
    let touch = width < 1000;
    Look {
        width,
        height,
        dark,
        touch,
    }
}

/// Opens the review, and chooses the first action that has a mark in it.
fn choose_a_mistake(page: &Page) {
    page.click("#review");
    page.until("document.querySelector('#log [data-graded] .move')");
    page.click("#log [data-graded] .move");
    // The click of a test has scrolled to the line, which a person's does not.
    page.run("document.querySelector('.beside').scrollTo(0, 0)");
    page.until("document.querySelector('#log [aria-current][data-graded]') && document.querySelector('#verdict .is-taken')");
}

/// The parts of a review that are not wholly in the window, with where they are.
fn cut_off(page: &Page) -> Value {
    page.run(
        "['#board', '#ask', '#board > *', '#verdict', '#curve svg', '#log', '#log [aria-current]'].flatMap(selector => \
         [...document.querySelectorAll(selector)].filter(node => node.getClientRects().length > 0).flatMap(node => { \
         const box = node.getBoundingClientRect(), frames = [document.documentElement, node.closest('.stage, .beside')]; \
         if (selector.endsWith(']')) frames.push(document.querySelector('#log')); \
         return frames.every(frame => { const around = frame === document.documentElement ? \
         { left: 0, top: 0, right: innerWidth, bottom: innerHeight } : frame.getBoundingClientRect(); \
         return box.left >= around.left - 1 && box.right <= around.right + 1 && box.top >= around.top - 1 && box.bottom <= around.bottom + 1; }) ? [] : \
         [`${selector} ${Math.round(box.left)} ${Math.round(box.top)} ${Math.round(box.right)} ${Math.round(box.bottom)}`]; }))",
    )
}

/// At every size the board, the curve, the list and the chosen mistake are in the window together.
#[test]
fn a_review_shows_the_board_and_the_mistake_together() {
    let Some(browser) = chromium() else { return };
    let axe = axe();
    let server = Server::new();
    let cartagena = thrown_away(&server);
    for size in SIZES {
        for dark in [false, true] {
            let page = opened(&browser, &server, &cartagena, &look(size, dark));
            choose_a_mistake(&page);
            let name = format!("review-{}-{dark}", size.0);
            assert_eq!(cut_off(&page), json!([]), "{name}");
            let arrows =
                "document.querySelectorAll('#board .arrow.taken, #board .arrow.better').length";
            assert_eq!(page.run(arrows), 2, "{name}");
            // Axe looks at colours and structure, which do not depend on the size.
            let axe = axe.as_deref().filter(|_| size == SIZES[usize::from(dark)]);
            check(&browser, &page, axe, &name);
            assert_eq!(page.run("scrollY"), 0, "{name}: nothing has scrolled");
        }
    }
}

/// The same in the card games, in which the hand is part of the board.
#[test]
fn a_review_of_cards_shows_the_board_and_the_action_together() {
    let Some(browser) = chromium() else { return };
    let records = tempfile::tempdir().unwrap();
    let server = Server::new();
    let challenge: (&str, &[&str], _) = ("challenge", &["need", "doge"], ["--games", "2"]);
    let hearts: (&str, &[&str], _) = ("hearts", &["duck", "careful", "random"], ["--rounds", "3"]);
    let eights: (&str, &[&str], _) = (
        "eights",
        &["counter", "high", "random", "counter"],
        ["--rounds", "4"],
    );
    for (game, players, options) in [challenge, hearts, eights] {
        let record = record_of(records.path(), game, players, &options);
        let link = link(&server.opened(game, &record), 0);
        for size in SIZES {
            let page = opened(&browser, &server, &link, &look(size, false));
            page.click("#review");
            // Before a position is shown the arrow keys do nothing.
            page.until("document.querySelector('#status').textContent.startsWith('After ') && document.querySelector('#curve svg')");
            page.press("ArrowLeft");
            page.until("document.querySelector('#log [aria-current]')?.querySelector('.move') && document.querySelector('#board .did, #ask .did')");
            assert_eq!(cut_off(&page), json!([]), "{game} {size:?}");
            is_well(&browser, &page);
        }
    }
}

/// The line of the position shown stays in the list while others grow and while the list gets smaller, as both do while
/// a review is thought out, unless somebody has scrolled away from it.
#[test]
fn the_line_of_the_position_stays_in_the_list() {
    let Some(browser) = chromium() else { return };
    let records = tempfile::tempdir().unwrap();
    let server = Server::new();
    let record = record_of(records.path(), "eights", &["random"; 4], &["--rounds", "1"]);
    let link = link(&server.opened("eights", &record), 0);
    let page = opened(&browser, &server, &link, &Look::LARGE);
    page.click("#review");
    page.until("document.querySelector('#status').textContent.startsWith('After ')");
    page.press("ArrowLeft");
    page.until("document.querySelectorAll('#log li:has(~ [aria-current])').length > 9");
    let drawn_with = |lines: u32| {
        page.run(&format!(
            "(() => {{ for (const item of document.querySelectorAll('#log li')) item.style.minHeight = '{lines}px'; \
             document.querySelector('#by-player').dispatchEvent(new Event('change')); }})()"
        ));
    };
    let is_listed = "(() => { const [list, line] = ['#log', '#log [aria-current]'] \
        .map(selector => document.querySelector(selector).getBoundingClientRect()); \
        return line.top >= list.top - 1 && line.bottom <= list.bottom + 1; })()";
    assert_eq!(page.run(is_listed), true);
    drawn_with(100);
    assert_eq!(page.run(is_listed), true, "other lines have grown");
    page.run("document.querySelector('#log').style.maxHeight = '110px'");
    page.until(is_listed);
    let far = "document.querySelector('#log').scrollTop";
    // The event of a scroll comes with the next frame, before which the page may be drawn.
    page.run(&format!(
        "{far} = 0; document.querySelector('#log').dispatchEvent(new Event('scroll'))"
    ));
    let before = page.run(far);
    drawn_with(100);
    assert_eq!(page.run(is_listed), false, "a person looks elsewhere");
    assert_eq!(page.run(far), before);
    is_well(&browser, &page);
}

/// Arrow keys step, the list can be limited to a player, and a position is played on.
#[test]
fn a_review_is_gone_through_with_keys_and_filters() {
    let Some(browser) = chromium() else { return };
    let server = Server::new();
    let link = thrown_away(&server);
    let page = opened(&browser, &server, &link, &Look::LARGE);
    choose_a_mistake(&page);
    let status = "document.querySelector('#status').textContent";
    page.until(&format!("{status}.startsWith('After 0 of ')"));
    page.press("ArrowRight");
    page.until(&format!("{status}.startsWith('After 1 of ')"));
    page.press("ArrowLeft");
    page.until(&format!("{status}.startsWith('After 0 of ')"));
    // A resignation stands in the list too, but is no action.
    let listed = "[...document.querySelectorAll('#log li')]\
                  .filter(item => !item.hidden && item.querySelector('button')).length";
    let all = page.run(listed).as_u64().unwrap();
    let filter = |player: &str| {
        page.run(&format!(
            "(() => {{ const by = document.querySelector('#by-player'); by.value = '{player}'; \
             by.dispatchEvent(new Event('change')); }})()"
        ));
        page.run(listed).as_u64().unwrap()
    };
    let [first, second] = ["0", "1"].map(filter);
    assert_eq!(first + second, all, "each action is one player's");
    assert!(first >= 1, "{first}");
    filter("0");
    page.click("#only-mistakes");
    assert_eq!(page.run(listed), 1);
    // Every line of the legend looks like the line of the curve that it names.
    let same = "[...document.querySelectorAll('.curve-key line')].every(key => { \
        const line = document.querySelector(`.curve .${key.classList[1]}`); \
        return ['stroke', 'strokeDasharray'].every(style => getComputedStyle(key)[style] === getComputedStyle(line)[style]); })";
    assert_eq!(page.run(same), true, "the legend matches the lines");
    page.until("document.querySelector('#accounts').textContent.includes('loses at least 2 %')");
    page.click("#branch");
    page.until(&format!(
        "location.pathname !== '{link}' && document.querySelector('#table')?.dataset.turn === 'mine'"
    ));
    assert_eq!(
        state(&page)["actions"],
        0,
        "played on from before the mistake"
    );
    is_well(&browser, &page);
}

/// One's own mistake is asked as a question, and answered on the board.
#[test]
fn a_mistake_is_a_lesson() {
    let Some(browser) = chromium() else { return };
    let server = Server::new();
    let link = thrown_away(&server);
    // On a phone on its side too the question stands beside a board on which pirates can be touched. On smaller ones
    // the page scrolls.
    for size in [(844, 390), (360, 640), (640, 360)] {
        let page = opened(&browser, &server, &link, &look(size, false));
        page.click("#review");
        page.click("#lesson");
        page.until(
            "document.querySelector('#lesson-show') && document.querySelector('#board .own')",
        );
        // The board is drawn anew when it has another size.
        page.until("(board => board.firstElementChild.getBoundingClientRect().height <= board.clientHeight)(document.querySelector('#board'))");
        if size == (844, 390) {
            assert_eq!(cut_off(&page), json!([]));
        }
        let place = "document.querySelector('#board .own').getBoundingClientRect().height";
        let place = page.run(place).as_f64().unwrap();
        assert!(place >= 20.0, "{size:?}: {place} pixels");
        assert!(page.overflow() <= 0, "{size:?}");
        page.click("#lesson-end");
        page.until("!document.querySelector('#table').classList.contains('learning')");
    }

    let page = opened(&browser, &server, &link, &Look::LARGE);
    page.click("#review");
    page.click("#lesson");
    page.until("document.querySelector('#lesson-show') && document.querySelector('#board .own')");
    let marks = "document.querySelectorAll('#board .arrow').length";
    assert_eq!(page.run(marks), 0, "the answer is not given away");
    let better = "[...document.querySelectorAll('#log small')].filter(text => text.getClientRects().length > 0).length";
    assert_eq!(page.run(better), 0, "nor in the list");
    let act = |place: [u32; 2]| {
        page.click(&format!("#board .own[data-place=\"{}\"]", place[0]));
        page.click(&format!("#board .target[data-place=\"{}\"]", place[1]));
    };
    act(BLUNDER);
    page.until("document.querySelector('#verdict').textContent.includes('Try again')");
    act(WIN);
    page.until("document.querySelector('#verdict').textContent.includes('Right')");
    assert_eq!(page.run(marks), 2, "now the board shows both actions");
    page.click("#lesson-end");
    page.until(
        "document.querySelector('#verdict .is-taken') && !document.querySelector('#lesson').hidden",
    );
    is_well(&browser, &page);
}

/// The list of moves is numbered by turns, in order, and leads back to earlier positions.
#[test]
fn moves_are_listed_by_turns() {
    let Some(browser) = chromium() else { return };
    let server = Server::new();
    let links: [_; 2] = links(&server.set_up("cartagena", "Ann, Bob", true));
    for _ in 0..7 {
        let now = server.state(&links[0]);
        let seat = now["to_move"].as_u64().unwrap() as usize;
        let now = server.state(&links[seat]);
        assert_eq!(
            server.act(&links[seat], &now, &super::play::choice(&now)).0,
            200
        );
    }
    // The page of the player to move, since `opened` waits for its turn.
    let seat = server.state(&links[0])["to_move"].as_u64().unwrap() as usize;
    let page = opened(&browser, &server, &links[seat], &Look::LARGE);
    let now = state(&page);
    let log = now["game"]["log"].as_array().unwrap();
    let players: Vec<u64> = log
        .iter()
        .map(|done| done["player"].as_u64().unwrap())
        .collect();
    let mut turn = 0;
    let numbers: Vec<String> = (0..players.len())
        .map(|i| match i > 0 && players[i - 1] == players[i] {
            true => String::new(),
            false => {
                turn += 1;
                format!("{turn}.")
            }
        })
        .collect();
    let shown = "[...document.querySelectorAll('#log li')].filter(item => !item.hidden).map(item => item.querySelector('.number').textContent)";
    assert_eq!(page.run(shown), json!(numbers));
    let board = "document.querySelector('#board svg').outerHTML";
    let last = page.run(board);
    page.click("#log li:nth-child(2) .move");
    page.until("document.querySelector('#table').dataset.seen === '2'");
    assert_ne!(
        page.run(board),
        last,
        "the board is that of the second action"
    );
    page.click("#skip");
    page.until("document.querySelector('#table').dataset.seen === '7'");
    assert_eq!(page.run(board), last);
    // A line that is there stays there: to lay all of them out anew would take long.
    let first = "(window.first ||= document.querySelector('#log li')) === document.querySelector('#log li')";
    assert_eq!(page.run(first), true);
    let own = server.state(&links[seat]);
    server.act(&links[seat], &own, &super::play::choice(&own));
    until_later(&page, &now);
    page.until("document.querySelector('#table').dataset.seen === '8'");
    assert_eq!(page.run(first), true);
    assert_eq!(page.run(&format!("{shown}.length")), 8);
    is_well(&browser, &page);
}

/// The only possible action is announced, or played if the player wants that.
#[test]
fn a_forced_action_is_said_or_played() {
    let Some(browser) = chromium() else { return };
    let server = Server::new();
    // No card, and no pirate can go back: only the end of the turn is left.
    let position = json!({ "board": "dbhskgsbkhdgghdskbbskdhgkgbhdsshgdbk", "hands": ["", "b"],
        "places": [[0, 0, 0, 0, 0, 0], [0, 0, 0, 0, 0, 5]] });
    let table = server.opened("cartagena", &position.to_string());
    let page = opened(&browser, &server, &link(&table, 0), &Look::LARGE);
    let now = state(&page);
    page.until("document.querySelector('#status').textContent.startsWith('Nothing can move')");
    // While the others act, the buttons stay where they are.
    let places = "JSON.stringify(['end', 'back', 'hint', 'resign'].map(id => { const { left, top, width } = document.querySelector(`#${id}`).getBoundingClientRect(); return [left, top, width]; }))";
    page.click("#guide-close");
    let before = page.run(places);
    page.click("#forced");
    until_later(&page, &now);
    assert!(
        state(&page)["actions"].as_u64().unwrap() >= 1,
        "the turn was ended"
    );
    assert_eq!(page.run(places), before, "the buttons have not moved");
    page.reload();
    page.until("document.querySelector('#table')?.dataset.ready === 'yes'");
    assert_eq!(
        page.run("document.querySelector('#forced').checked"),
        true,
        "it is kept"
    );
    is_well(&browser, &page);
}

/// A first visit has some hints, one after another, and the second visit has none.
#[test]
fn a_first_visit_is_guided() {
    let Some(browser) = chromium() else { return };
    let axe = axe();
    let server = Server::new();
    for (game, seats) in TABLES {
        let table = server.set_up(game, seats, true);
        let page = opened(&browser, &server, &link(&table, 0), &Look::PHONE);
        let mut texts = Vec::new();
        for n in 0..4 {
            page.until(&format!("document.querySelector('#guide')?.dataset.at === '{n}' && document.querySelector('.guided')"));
            texts.push(page.run("document.querySelector('#guide span').textContent"));
            // The hints differ in their place alone.
            let axe = axe.as_deref().filter(|_| n == 0);
            check(&browser, &page, axe, &format!("guide-{game}-{n}"));
            page.tap(if n < 3 { "#guide-next" } else { "#guide-close" });
        }
        texts.dedup();
        assert_eq!(texts.len(), 4, "{texts:?}");
        page.until("!document.querySelector('#guide')");
        // The rules have pictures.
        page.click(".rules summary");
        let pictures = "[...document.querySelectorAll('.rules figure')].map(figure => figure.querySelectorAll('svg, .card').length > 0 && figure.getBoundingClientRect().height > 40)";
        let pictures = page.run(pictures);
        let pictures = pictures.as_array().unwrap();
        assert!(
            !pictures.is_empty() && pictures.iter().all(|is_drawn| *is_drawn == true),
            "{game}: {pictures:?}"
        );
        check(&browser, &page, axe.as_deref(), &format!("rules-{game}"));
        page.reload();
        page.until("document.querySelector('#table')?.dataset.turn === 'mine'");
        assert_eq!(page.run("document.querySelector('#guide') === null"), true);
    }
}

/// The board uses large screens, cards do not cover seats on small ones, and key caps need keys.
#[test]
fn a_table_suits_its_screen() {
    let Some(browser) = chromium() else { return };
    let server = Server::new();
    let keys = "[...document.querySelectorAll('kbd')].filter(key => key.getClientRects().length > 0).length > 0";
    for (game, seats, least) in [
        ("cartagena", "Ann, 0", 0.6),
        ("hearts", "Ann, 0, 0, 0", 0.5),
    ] {
        let table = server.set_up(game, seats, true);
        let mut size = Vec::new();
        for window in [(1366, 768), (1920, 1080), (2560, 1440)] {
            let page = opened(&browser, &server, &link(&table, 0), &look(window, false));
            page.run("document.querySelector('#guide-close')?.click()");
            let board = page.run("(box => [box.width / innerWidth, box.height / innerHeight, box.height])(document.querySelector('#board').firstElementChild.getBoundingClientRect())");
            let board: Vec<f64> = serde_json::from_value(board).unwrap();
            assert!(
                board[0] > least && board[1] > 0.4,
                "{game} {window:?}: {board:?}"
            );
            size.push(board[2]);
            assert_eq!(page.run(keys), true, "{game} {window:?}");
        }
        assert!(size[0] < size[1] && size[1] < size[2], "{game}: {size:?}");
    }
    let table = server.set_up("eights", "Ann, 0, 0, 0", true);
    let page = opened(&browser, &server, &link(&table, 0), &Look::PHONE);
    let covered = "(boxes => boxes('.pool .pick').flatMap(card => boxes('.plate').filter(plate => \
        card.left < plate.right && plate.left < card.right && card.top < plate.bottom && plate.top < card.bottom)).length) \
        (selector => [...document.querySelectorAll(selector)].map(node => node.getBoundingClientRect()))";
    page.until("document.querySelectorAll('.pool .pick').length >= 9");
    assert_eq!(page.run(covered), 0, "open cards cover a seat");
    assert_eq!(page.run(keys), false, "a finger has no keys");
}
