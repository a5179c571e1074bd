//! Checks on the scripts of pages and their texts: modules fit together, every text has a translation in
//! every language, and translations use the same values.

use super::sources::files;
use arena::report::script::{DOM, REPLAY_CONTROLS, Script};
use contest::challenge::table::Conditions;
use contest::eights::matches::Eights;
use contest::hearts::matches::Hearts;
use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::time::Duration;
use tables::{Catalogue, Kind, Language};

/// All scripts of pages, by their paths.
fn scripts() -> BTreeMap<String, String> {
    let crates = ["arena", "contest", "tables"].into_iter();
    let found = crates.flat_map(|name| files(&format!("crates/{name}/src"), ".js"));
    let found = found.map(|(path, text)| (path["crates/".len()..].to_owned(), text));
    let found: BTreeMap<String, String> = found.collect();
    assert!(found.len() > 20, "{:?}", found.keys());
    found
}

fn kinds() -> Vec<Kind> {
    let evaluators = std::sync::Arc::new(cartagena::evaluation::Evaluators::installed(|_| ()));
    let tables = challenge::equilibrium::blueprint::Tables::new(PathBuf::from("none"), |_| ());
    vec![
        contest::cartagena::table::kind(evaluators, Vec::new()),
        contest::challenge::table::kind(tables, Vec::new(), Conditions::default()),
        contest::tricks::table::kind::<Hearts>(Vec::new(), Duration::ZERO),
        contest::tricks::table::kind::<Eights>(Vec::new(), Duration::ZERO),
    ]
}

#[test]
fn modules_are_served_as_they_lie_and_know_only_what_is_below_them() {
    let scripts = scripts();
    let own = [DOM, REPLAY_CONTROLS];
    let games: Vec<Script> = kinds()
        .iter()
        .flat_map(|kind| [kind.scene.scripts, kind.scene.editor].concat())
        .collect();
    for script in own.iter().chain(&games) {
        assert_eq!(
            scripts.get(script.path).map(String::as_str),
            Some(script.text),
            "{}",
            script.path
        );
    }
    for (path, text) in &scripts {
        let script = Script {
            path: path.clone().leak(),
            text: text.clone().leak(),
        };
        for import in script.imports() {
            assert!(scripts.contains_key(&import), "{path}: no {import}");
            let of = |path: &str| path.split("/assets/").next().unwrap().to_owned();
            let (from, to) = (of(path), of(&import));
            let is_below = to == from
                || match from.as_str() {
                    "arena/src/report" => false,
                    "tables/src" => to == "arena/src/report",
                    "tables/src/plain" => ["arena/src/report", "tables/src"].contains(&to.as_str()),
                    from if from.ends_with("/table") => {
                        let game = from.strip_suffix("/table").unwrap();
                        to == "arena/src/report"
                            || to == "tables/src"
                            || to == format!("{game}/report")
                    }
                    _ => to == "arena/src/report",
                };
            assert!(is_below, "{path} must not import {import}");
        }
    }
}

#[test]
fn every_line_that_imports_is_whole() {
    // Pages that need no server are joined from modules by a reader that goes line by line.
    for (path, text) in scripts() {
        for line in text.lines().filter(|line| line.starts_with("import ")) {
            assert!(line.ends_with("\";"), "{path}: {line}");
            assert!(!line.contains(" as "), "{path}: {line}");
        }
    }
}

/// The messages of a catalogue, each with the names of the values that are inserted in it.
fn messages(source: &str) -> BTreeMap<String, BTreeSet<String>> {
    let mut found: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    let mut current = String::new();
    for line in source.lines().filter(|line| !line.starts_with('#')) {
        if let Some((id, _)) = line.split_once(" = ")
            && !line.starts_with(' ')
        {
            current = id.to_owned();
        }
        let values = line.split('$').skip(1).map(|rest| {
            let end = rest.find(|c: char| !c.is_alphanumeric() && c != '_');
            rest[..end.unwrap_or(rest.len())].to_owned()
        });
        found.entry(current.clone()).or_default().extend(values);
    }
    found.remove("");
    found
}

fn texts(language: Language) -> BTreeMap<String, String> {
    let folder = format!("crates/tables/texts/{}/", language.code());
    let all = files(folder.trim_end_matches('/'), "").into_iter();
    all.map(|(path, text)| (path[folder.len()..].to_owned(), text))
        .collect()
}

#[test]
fn every_language_says_everything() {
    let english = texts(Language::English);
    assert!(english.len() >= 10, "{:?}", english.keys());
    for language in Language::ALL {
        let own = texts(language);
        let names: Vec<&String> = own.keys().collect();
        assert_eq!(names, english.keys().collect::<Vec<_>>(), "{language:?}");
        for (name, text) in own.iter().filter(|(name, _)| name.ends_with(".ftl")) {
            assert_eq!(
                messages(text),
                messages(&english[name]),
                "{language:?}: {name}"
            );
        }
        for kind in kinds() {
            let scene = kind.scene;
            let texts = scene.texts.iter().map(|text| text.in_language(language));
            let catalogue = Catalogue::new(language, &texts.collect::<Vec<_>>()).unwrap();
            for level in 0..scene.levels {
                for text in [scene.level(level), scene.summary(level)] {
                    let said = catalogue.say(&text);
                    assert!(!said.contains("-level-"), "{language:?}: {said}");
                }
            }
            assert!(scene.rules.in_language(language).starts_with("<p>"));
        }
    }
}

/// The texts between `before` and the next `after`: names of messages in a script.
fn named<'a>(text: &'a str, before: &str, after: char) -> Vec<&'a str> {
    let rest = text.split(before).skip(1);
    rest.filter_map(|rest| rest.split(after).next()).collect()
}

#[test]
fn what_is_said_is_in_the_catalogue() {
    let english = texts(Language::English);
    let known: BTreeSet<String> = english
        .values()
        .flat_map(|text| messages(text).into_keys())
        .collect();
    let mut said = BTreeSet::new();
    for (path, text) in scripts() {
        for before in ["say(\"", "sayWith(\""] {
            said.extend(
                named(&text, before, '"')
                    .into_iter()
                    .map(|id| (path.clone(), id.to_owned())),
            );
        }
        // A call may choose between messages: `say(is ? "one" : "other")`.
        for call in named(&text, "say(", ')') {
            for id in call
                .split('"')
                .skip(1)
                .step_by(2)
                .filter(|id| id.contains('-') && !id.contains(' '))
            {
                said.insert((path.clone(), id.to_owned()));
            }
        }
    }
    for (path, text) in &files("crates/contest/src", ".html") {
        said.extend(
            named(text, "{{say ", '}')
                .into_iter()
                .map(|id| (path.clone(), id.to_owned())),
        );
    }
    let code = files("crates/contest/src", ".rs");
    for (path, text) in code.iter().filter(|(path, _)| !path.ends_with("tests.rs")) {
        said.extend(
            named(text, "Text::of(\"", '"')
                .into_iter()
                .map(|id| (path.clone(), id.to_owned())),
        );
    }
    assert!(said.len() > 150, "{}", said.len());
    let unknown: Vec<_> = said.iter().filter(|(_, id)| !known.contains(id)).collect();
    assert!(unknown.is_empty(), "{unknown:?}");
}
