//! The HTML of the two pages, the contest and one game, and of the page for errors. Their scripts draw the data that
//! each page carries as JSON.

use super::super::record::Entry;
use crate::practice::Practice;
use arena::report::html::{Escaped, json};
use arena::report::page::{Page, Section};
use arena::report::script::{DOM, REPLAY_CONTROLS, Script};
use serde::Serialize;

/// The styles of cards, for other pages that show them.
pub const CARDS: &str = include_str!("assets/cards.css");
const COMMON: Script = arena::script!("challenge-server/src/web/assets/common.js");
const STYLES: [&str; 2] = [CARDS, include_str!("assets/site.css")];
const HOME: [Script; 3] = [
    DOM,
    COMMON,
    arena::script!("challenge-server/src/web/assets/home.js"),
];
const GAME: [Script; 5] = [
    DOM,
    COMMON,
    REPLAY_CONTROLS,
    arena::script!("challenge-server/src/web/assets/replay.js"),
    arena::script!("challenge-server/src/web/assets/viewer.js"),
];

/// The page of a contest; its script first shows `state`. Without standings there is only the list of
/// games.
pub(super) fn home(title: &str, state: &impl Serialize, standings: bool) -> Option<Vec<u8>> {
    let section = |id, title, body: &str| Section {
        id,
        title,
        body: body.to_owned(),
    };
    let mut sections = Vec::new();
    // Only a running server has standings and games under way; an archive has finished games.
    if standings {
        sections.push(section(
            "standings",
            "Standings",
            include_str!("assets/standings.html"),
        ));
        sections.push(section(
            "live",
            "Under way",
            include_str!("assets/live.html"),
        ));
    }
    sections.push(section(
        "results",
        "Results",
        include_str!("assets/results.html"),
    ));
    let lead = include_str!("assets/home.html").to_owned();
    page(title, lead, sections, ("state-data", state), &HOME, true)
}

/// The page of a game between two players with these names; its script shows `game`.
pub(super) fn game(id: u64, players: &[String; 2], game: &impl Serialize) -> Option<Vec<u8>> {
    let title = format!("Game {id}: {} against {}", players[0], players[1]);
    let lead = "<p class=\"note\"><a href=\"/\">standings and all games</a></p>".to_owned();
    let data = ("game-data", game);
    page(&title, lead, vec![replay()], data, &GAME, true)
}

/// The page of a finished game that stands alone, without a server.
pub fn finished(players: &[String; 2], entries: &[Entry], practice: &Practice) -> Option<Vec<u8>> {
    let title = format!(
        "{} against {}{}",
        players[0],
        players[1],
        practice.of_title()
    );
    let game = serde_json::json!({ "players": players, "entries": entries });
    page(
        &title,
        String::new(),
        vec![replay()],
        ("game-data", &game),
        &GAME,
        // A file is read without a server, so its scripts may ask nobody.
        false,
    )
}

/// The section in which the script replays a game.
fn replay() -> Section {
    Section {
        id: "replay",
        title: "Replay",
        body: include_str!("assets/game.html").to_owned(),
    }
}

/// A page with an error message.
pub(super) fn error(text: &str) -> Vec<u8> {
    // The text may quote the request, which a stranger wrote.
    let escaped = Escaped(text);
    let page = format!(
        "<!doctype html>\n<html lang=\"en\"><meta charset=\"utf-8\"><title>{escaped}</title>\
         <meta name=\"color-scheme\" content=\"light dark\"><p>{escaped}</p>\
         <p><a href=\"/\">standings and all games</a></p></html>\n"
    );
    page.into_bytes()
}

/// Writes a page. `id` is the element that holds `data`; `asks` says whether the scripts load games and
/// standings from the server.
fn page(
    title: &str,
    lead: String,
    sections: Vec<Section>,
    (id, data): (&str, &impl Serialize),
    scripts: &[Script],
    asks: bool,
) -> Option<Vec<u8>> {
    let page = Page {
        title,
        lead,
        sections,
        styles: &STYLES,
        definitions: "",
        data: vec![(id, json(data).ok()?)],
        scripts,
        asks,
        refresh: None,
    };
    let mut text = Vec::new();
    page.write(&mut text).ok()?;
    Some(text)
}
