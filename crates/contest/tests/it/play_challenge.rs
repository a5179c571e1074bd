//! Tests of the challenge card game at a table by its HTTP interface: the page of a finished game.

use crate::browser::{browser, opened};
use crate::tables::Server;

/// A game can be saved as a page that needs no server.
#[test]
fn a_game_is_a_page_of_its_own() {
    let folder = tempfile::tempdir().unwrap();
    let server = Server::start(folder.path());
    let table = server.set_up("challenge", "1, 0", false);
    let onlookers = table["onlookers"].as_str().unwrap();
    server.until(onlookers, |state| state["over"] == true);
    let page = server.text(&format!("{onlookers}/page"));
    let Some(browser) = browser() else { return };
    // The page follows the headers of the answer.
    let start = page.find("<!doctype").unwrap();
    std::fs::write(folder.path().join("game.html"), &page[start..]).unwrap();
    let shown = opened(browser, folder.path(), "game.html");
    assert!(shown.contains("Novice against Guest"), "{shown:.500}");
    assert!(
        shown.contains("Hand 1: "),
        "the replay begins with the deal"
    );
}
