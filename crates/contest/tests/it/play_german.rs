//! Reads pages of tables in German, in a real browser, and looks for English on them.
//! It passes without doing anything where there is no Chromium.

use super::chromium::{Look, Page, chromium};
use super::person::address;
use super::play_review::thrown_away;
use super::tables::{Server, link};
use std::collections::HashSet;
use std::path::Path;

/// The English texts without values that German says in other words.
fn only_english() -> Vec<String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tables/texts");
    let mut texts = Vec::new();
    for entry in std::fs::read_dir(folder.join("en")).unwrap() {
        let name = entry.unwrap().file_name();
        let [english, german] =
            ["en", "de"].map(|language| std::fs::read_to_string(folder.join(language).join(&name)));
        let german = german.unwrap();
        let said: HashSet<&str> = german
            .lines()
            .filter_map(|line| Some(line.split_once(" = ")?.1))
            .collect();
        let english = english.unwrap();
        let values = english
            .lines()
            // A language is called by its own name.
            .filter(|line| !line.starts_with("language-name"))
            .filter_map(|line| Some(line.split_once(" = ")?.1));
        texts.extend(
            values
                .filter(|text| !text.contains('{') && !said.contains(text))
                .map(str::to_owned),
        );
    }
    assert!(texts.len() > 150, "{} texts", texts.len());
    texts
}

/// A friend who reads German finds no English at a table that somebody else has set up in English: in the game, in its
/// review, in a lesson and in the names.
#[test]
fn nothing_on_a_german_page_is_in_english() {
    let Some(browser) = chromium() else { return };
    let server = Server::new();
    let texts = only_english();
    // The letters of keys would be parts of the lines of their buttons.
    let said = "document.querySelectorAll('kbd').forEach(key => key.remove()); [document.body.innerText, ...[...document.querySelectorAll('[aria-label], [title], [placeholder]')].map(node => \
         ['aria-label', 'title', 'placeholder'].map(name => node.getAttribute(name) || '').join('\\n'))].join('\\n')";
    let check = |page: &Page, place: &str| {
        let said = page.run(said);
        let lines: HashSet<&str> = said
            .as_str()
            .unwrap()
            .split(['\n', '\t'])
            .map(str::trim)
            .collect();
        let english: Vec<&String> = texts
            .iter()
            .filter(|text| lines.contains(text.as_str()))
            .collect();
        assert!(english.is_empty(), "{place}: {english:?} in {lines:?}");
        assert!(
            !lines.iter().any(|line| line.contains("Player ")),
            "{place}: {lines:?}"
        );
    };
    let german = |link: &str| {
        let page = browser.page(&Look::LARGE);
        page.open(&address(&server, link));
        // The browser writes a cookie in its own time, but before it answers a question for cookies.
        let cookies = page.run("document.cookie = 'language=de; path=/'; document.cookie");
        assert_eq!(cookies, "language=de");
        page.reload();
        page.until("document.documentElement?.lang === 'de' && document.querySelector('#table, #seats select')");
        page
    };
    let page = german(&server.host);
    page.until("document.querySelector('#seats select')");
    check(&page, "start page");
    for game in ["cartagena", "challenge", "hearts", "eights"] {
        let more = match game {
            "cartagena" | "challenge" => "",
            _ => ", 0, 0",
        };
        let table = server.set_up(game, &format!("Player 1, Player 2{more}"), true);
        for seat in 0..2 {
            let page = german(&link(&table, seat));
            page.until("document.querySelector('#table')?.dataset.ready === 'yes'");
            page.run("document.querySelectorAll('details').forEach(part => { part.open = true; })");
            check(&page, game);
        }
    }
    let page = german(&thrown_away(&server));
    page.until("document.querySelector('#table')?.dataset.ready === 'yes'");
    page.click("#review");
    page.until("document.querySelector('#review-panel').dataset.ready === 'yes' && document.querySelector('#accounts table')");
    check(&page, "review");
    page.click("#lesson");
    page.until("document.querySelector('#lesson-show')");
    check(&page, "lesson");
}
