//! The pages: their HTML, and the scripts and styles they load.

use super::game::Kind;
use arena::report::html::{Escaped, json};
use arena::report::page::PAGE_STYLE;
use serde_json::json;
use std::sync::Arc;

const STYLE: &str = include_str!("assets/play.css");
const START: &str = include_str!("assets/start.html");
const TABLE: &str = include_str!("assets/table.html");
const START_SCRIPT: &str = include_str!("assets/start.js");
const COMMON_SCRIPT: &str = include_str!("assets/common.js");
const TABLE_SCRIPTS: [&str; 3] = [
    include_str!("assets/review.js"),
    include_str!("assets/seats.js"),
    include_str!("assets/table.js"),
];

/// The page on which tables are set up.
pub(super) fn start(kinds: &[Arc<dyn Kind>]) -> String {
    let games: Vec<_> = kinds
        .iter()
        .map(|kind| {
            let levels = kind.levels().iter();
            json!({
                "name": kind.name(),
                "title": kind.title(),
                "least": kind.seats().start(),
                "most": kind.seats().end(),
                "programs": kind.programs(),
                "opens": kind.opens().0,
                "example": kind.opens().1,
                "levels": levels.map(|level| json!({ "name": level.name, "summary": level.summary })).collect::<Vec<_>>(),
            })
        })
        .collect();
    let data = json(&games).unwrap_or_default();
    let data = format!("<script type=\"application/json\" id=\"games\">{data}</script>");
    shell(
        "A table for you",
        &["play"],
        "start",
        &format!("{START}{data}"),
    )
}

/// The page of a table.
pub(super) fn table(kind: &dyn Kind) -> String {
    let body = TABLE
        .replace("{{title}}", &Escaped(kind.title()).to_string())
        .replace("{{definitions}}", kind.definitions())
        .replace("{{rules}}", kind.rules());
    shell(kind.title(), &["play", kind.name()], kind.name(), &body)
}

fn shell(title: &str, styles: &[&str], script: &str, body: &str) -> String {
    let link = |name: &&str| format!("<link rel=\"stylesheet\" href=\"/assets/{name}.css\">\n");
    let styles: String = styles.iter().map(link).collect();
    format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"color-scheme\" content=\"light dark\">\n<title>{}</title>\n{styles}\
         <script src=\"/assets/{script}.js\" defer></script>\n</head>\n<body>\n{body}\n</body>\n</html>\n",
        Escaped(title)
    )
}

/// A script or style sheet, with its type.
pub(super) fn asset(kinds: &[Arc<dyn Kind>], name: &str) -> Option<(&'static str, String)> {
    const CSS: &str = "text/css; charset=utf-8";
    const SCRIPT: &str = "text/javascript; charset=utf-8";
    let (stem, ending) = name.rsplit_once('.')?;
    let kind = || kinds.iter().find(|kind| kind.name() == stem);
    match (stem, ending) {
        ("play", "css") => Some((CSS, format!("{PAGE_STYLE}{STYLE}"))),
        ("start", "js") => Some((SCRIPT, script(&[COMMON_SCRIPT, START_SCRIPT]))),
        (_, "css") => Some((CSS, kind()?.styles().concat())),
        (_, "js") => {
            let parts = [&[COMMON_SCRIPT], kind()?.scripts(), &TABLE_SCRIPTS].concat();
            Some((SCRIPT, script(&parts)))
        }
        _ => None,
    }
}

/// Parts of one script; they share their names with each other and with nothing else.
fn script(parts: &[&str]) -> String {
    format!("(() => {{\n\"use strict\";\n{}}})();\n", parts.concat())
}
