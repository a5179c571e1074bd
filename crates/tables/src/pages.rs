//! The start page and the page of a table: their HTML, and the scripts and styles that they load. `web` serves
//! them.

use super::kind::Kind;
use super::language::{Catalogue, Catalogues, Language, Text};
use arena::report::html::{Escaped, json};
use arena::report::page::PAGE_STYLE;
use arena::report::script::{DOM, Script};
use serde_json::json;
use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::sync::Arc;

const STYLE: &str = include_str!("assets/play.css");
const START: &str = include_str!("assets/start.html");
const TABLE: &str = include_str!("assets/table.html");
const GONE: &str = include_str!("assets/gone.html");

/// The media types of style sheets and scripts.
const CSS: &str = "text/css; charset=utf-8";
const JAVASCRIPT: &str = "text/javascript; charset=utf-8";

/// The modules of the house, each after those it imports from.
pub(super) const SCRIPTS: [Script; 16] = [
    DOM,
    arena::script!("tables/src/assets/fluent.js"),
    arena::script!("tables/src/assets/texts.js"),
    arena::script!("tables/src/assets/ask.js"),
    arena::script!("tables/src/assets/gone.js"),
    arena::script!("tables/src/assets/state.js"),
    arena::script!("tables/src/assets/moves.js"),
    arena::script!("tables/src/assets/curve.js"),
    arena::script!("tables/src/assets/review.js"),
    arena::script!("tables/src/assets/guide.js"),
    arena::script!("tables/src/assets/focus.js"),
    arena::script!("tables/src/assets/seats.js"),
    arena::script!("tables/src/assets/company.js"),
    arena::script!("tables/src/assets/table.js"),
    arena::script!("tables/src/assets/fields.js"),
    arena::script!("tables/src/assets/start.js"),
];

/// The page on which tables are set up.
pub(super) fn start(kinds: &[Arc<Kind>], catalogues: &Catalogues, language: Language) -> String {
    let games: Vec<_> = kinds
        .iter()
        .map(|kind| {
            let scene = &kind.scene;
            let levels = (0..scene.levels)
                .map(|level| json!({ "name": scene.level(level), "summary": scene.summary(level) }));
            json!({
                "name": scene.name,
                "title": scene.title,
                "about": Text::of(format!("{}-about", scene.name)),
                "least": scene.seats.start(),
                "most": scene.seats.end(),
                "programs": kind.programs,
                "rules": scene.extra_rules.iter().map(|rule| json!({
                    "name": rule, "words": Text::of(format!("{}-rule-{rule}", scene.name)),
                })).collect::<Vec<_>>(),
                "opens": Text::of(format!("{}-opens", scene.name)),
                "example": scene.example,
                "editor": scene.editor.last().map_or(String::new(), |script| format!("/assets/{}", script.path)),
                "levels": levels.collect::<Vec<_>>(),
            })
        })
        .collect();
    let catalogue = catalogues.get(language);
    // Games may share definitions, such as icons: a set has each once.
    let definitions: BTreeSet<&str> = kinds.iter().map(|kind| kind.scene.definitions).collect();
    let definitions: String = definitions.into_iter().collect();
    let body = said(START, catalogue)
        .replace("{{languages}}", &languages(catalogues, language))
        .replace("{{definitions}}", &definitions);
    let data = [("games", json(&games).unwrap_or_default())];
    let title = catalogue.say(&Text::of("start-title"));
    // The start page's own module is the last of the house, and imports the others.
    let last = SCRIPTS.len() - 1;
    shell(
        catalogues,
        language,
        &title,
        &["play"],
        SCRIPTS[last].path,
        &body,
        &data,
    )
}

/// The languages to choose from, each in its own words.
fn languages(catalogues: &Catalogues, chosen: Language) -> String {
    let mut options = String::new();
    for language in Language::ALL {
        let name = catalogues.get(language).say(&Text::of("language-name"));
        let selected = if language == chosen { " selected" } else { "" };
        // Each name is in its own language, so `lang` lets screen readers pronounce it.
        let (code, name) = (language.code(), Escaped(&name));
        let _ = write!(
            options,
            "<option value=\"{code}\" lang=\"{code}\"{selected}>{name}</option>"
        );
    }
    options
}

/// The page of a table.
pub(super) fn table(kind: &Kind, catalogues: &Catalogues, language: Language) -> String {
    let scene = &kind.scene;
    let body = said(TABLE, catalogues.get(language))
        .replace("{{title}}", &Escaped(scene.title).to_string())
        .replace("{{game}}", scene.name)
        .replace("{{definitions}}", scene.definitions)
        .replace("{{rules}}", scene.rules.in_language(language));
    let script = scene.scripts.last().map_or("", |script| script.path);
    shell(
        catalogues,
        language,
        scene.title,
        &["play", scene.name],
        script,
        &body,
        &[],
    )
}

/// The page for a link that was refused for this reason. If it leads nowhere, the page says where to get another one.
pub(super) fn refusal(
    catalogues: &Catalogues,
    language: Language,
    reason: &Text,
    leads_nowhere: bool,
) -> String {
    let catalogue = catalogues.get(language);
    let reason = catalogue.say(reason);
    let body = said(GONE, catalogue)
        .replace("{{reason}}", &Escaped(&reason).to_string())
        .replace("{{advice}}", if leads_nowhere { "" } else { " hidden" });
    let script = "tables/src/assets/gone.js";
    shell(catalogues, language, &reason, &["play"], script, &body, &[])
}

/// A page's HTML with each `{{say NAME}}` replaced by the message of that name.
fn said(html: &str, catalogue: &Catalogue) -> String {
    let mut parts = html.split("{{say ");
    let mut text = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        // Each part begins with a message's name, up to the closing braces.
        let (id, rest) = part.split_once("}}").unwrap_or((part, ""));
        let said = catalogue.say(&Text::of(id.to_owned()));
        let _ = write!(text, "{}{rest}", Escaped(&said));
    }
    text
}

/// A whole page around `body`, with its styles, one script, and data that the script reads by their ids.
fn shell(
    catalogues: &Catalogues,
    language: Language,
    title: &str,
    styles: &[&str],
    script: &str,
    body: &str,
    data: &[(&str, String)],
) -> String {
    let link = |name: &&str| format!("<link rel=\"stylesheet\" href=\"/assets/{name}.css\">\n");
    let styles: String = styles.iter().map(link).collect();
    let texts = json(&catalogues.for_page(language)).unwrap_or_default();
    // Data is JSON in elements that browsers do not run: the policy forbids scripts inside a page.
    let data = data.iter().cloned().chain([("texts", texts)]);
    let data: String = data
        .map(|(id, json)| {
            format!("<script type=\"application/json\" id=\"{id}\">{json}</script>\n")
        })
        .collect();
    // Without an icon browsers ask for /favicon.ico, which nothing serves.
    format!(
        "<!doctype html>\n<html lang=\"{}\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"color-scheme\" content=\"light dark\">\n<title>{}</title>\n\
         <link rel=\"icon\" href=\"data:,\">\n{styles}\
         <script type=\"module\" src=\"/assets/{script}\"></script>\n</head>\n<body>\n{body}\n{data}</body>\n</html>\n",
        language.code(),
        Escaped(title)
    )
}

/// A style sheet by its name, or a module of a script by its path, with its type.
pub(super) fn asset(kinds: &[Arc<Kind>], name: &str) -> Option<(&'static str, String)> {
    if name == "play.css" {
        return Some((CSS, format!("{PAGE_STYLE}{STYLE}")));
    }
    if let Some(stem) = name.strip_suffix(".css") {
        let kind = kinds.iter().find(|kind| kind.scene.name == stem)?;
        return Some((CSS, kind.scene.styles.concat()));
    }
    let games = kinds
        .iter()
        .flat_map(|kind| kind.scene.scripts.iter().chain(kind.scene.editor));
    let script = SCRIPTS
        .iter()
        .chain(games)
        .find(|script| script.path == name)?;
    Some((JAVASCRIPT, script.text.to_owned()))
}
