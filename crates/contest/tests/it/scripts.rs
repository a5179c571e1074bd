//! Checks on the scripts of pages and their texts: modules fit together, every text has a translation in
//! every language, and translations use the same values.

use arena::report::script::{DOM, REPLAY_CONTROLS, Script};
use contest::challenge::table::Conditions;
use contest::eights::matches::Eights;
use contest::hearts::matches::Hearts;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;
use tables::{Catalogue, Kind, Language};

fn crates() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// Finds all files below a folder with this ending, by their paths from the folder of crates.
fn files(folder: &Path, ending: &str, found: &mut BTreeMap<String, String>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            files(&path, ending, found);
        } else if path.to_str().unwrap().ends_with(ending) {
            let name = path.strip_prefix(crates()).unwrap();
            let text = fs::read_to_string(&path).unwrap();
            found.insert(name.to_str().unwrap().to_owned(), text);
        }
    }
}

/// All scripts of pages, by their paths.
fn scripts() -> BTreeMap<String, String> {
    let mut found = BTreeMap::new();
    for name in ["arena", "contest", "tables"] {
        files(&crates().join(name).join("src"), ".js", &mut found);
    }
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
    let mut found = BTreeMap::new();
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../tables/texts")
        .join(language.code());
    for entry in fs::read_dir(&folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_str().unwrap().to_owned();
        found.insert(name, fs::read_to_string(&path).unwrap());
    }
    found
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
    let mut others = BTreeMap::new();
    files(&crates().join("contest/src"), ".html", &mut others);
    for (path, text) in &others {
        said.extend(
            named(text, "{{say ", '}')
                .into_iter()
                .map(|id| (path.clone(), id.to_owned())),
        );
    }
    let mut code = BTreeMap::new();
    files(&crates().join("contest/src"), ".rs", &mut code);
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
