//! Checks on the sources that files do not depend on each other in circles: following `use` and paths from
//! file to file never leads back to the start. Between crates Cargo ensures it; inside a crate this test
//! does. A module and the modules below it count as one, since a module re-exports what is in them.

use super::sources::{code, files, is_test, source_folders};
use std::collections::{BTreeMap, BTreeSet};

/// A module's path in its crate.
type Module = Vec<String>;

/// The module that a source file holds, by its path in the folder of sources; `None` for programs and tests.
fn module(path: &str) -> Option<Module> {
    let mut names: Module = path
        .trim_end_matches(".rs")
        .split('/')
        .map(str::to_owned)
        .collect();
    let other = |name: &String| ["bin", "main"].contains(&name.as_str());
    if is_test(path) || names.iter().any(other) {
        return None;
    }
    if names
        .last()
        .is_some_and(|last| last == "mod" || last == "lib")
    {
        names.pop();
    }
    Some(names)
}

/// The paths of a `use` tree such as `crate::a::{b, c::{D, E}}`.
fn paths(prefix: &str, tree: &str, found: &mut Vec<String>) {
    let Some((head, rest)) = tree.split_once('{') else {
        found.push(format!("{prefix}{}", tree.trim()));
        return;
    };
    let prefix = format!("{prefix}{}", head.trim());
    let inner = rest.rsplit_once('}').map_or(rest, |(inner, _)| inner);
    let (mut depth, mut part) = (0, String::new());
    for letter in inner.chars().chain([',']) {
        depth += i32::from(letter == '{') - i32::from(letter == '}');
        if letter == ',' && depth == 0 {
            paths(&prefix, &part, found);
            part.clear();
        } else {
            part.push(letter);
        }
    }
}

/// All paths in the code that begin with `crate`, `super` or `self`.
fn named(code: &str) -> Vec<String> {
    let mut found = Vec::new();
    for statement in code.split("use ").skip(1) {
        let tree = statement.split(';').next().unwrap();
        paths("", tree, &mut found);
    }
    let words = code.split(|c: char| !(c.is_alphanumeric() || c == '_' || c == ':'));
    found.extend(words.map(str::to_owned));
    let begins = |path: &String| {
        let first = path.split("::").next().unwrap();
        ["crate", "super", "self"].contains(&first)
    };
    found.retain(begins);
    found
}

/// The module that a path named in `from` leads to.
fn target(from: &Module, path: &str, modules: &BTreeMap<Module, String>) -> Module {
    let mut names = path.split("::").peekable();
    let mut at = match names.peek() {
        Some(&"crate") => Module::new(),
        _ => from.clone(),
    };
    for name in names {
        match name.trim() {
            "crate" | "self" => {}
            "super" => {
                at.pop();
            }
            name => {
                at.push(name.to_owned());
                if !modules.contains_key(&at) {
                    at.pop();
                    break;
                }
            }
        }
    }
    at
}

/// The modules of a crate that lie on a circle, or on a way from one circle to another.
fn on_circles(sources: impl IntoIterator<Item = (String, String)>) -> BTreeSet<Module> {
    let sources = sources.into_iter();
    let all: BTreeMap<Module, String> = sources
        .filter_map(|(path, text)| Some((module(&path)?, code(&text))))
        .collect();
    let mut uses: BTreeMap<Module, BTreeSet<Module>> = BTreeMap::new();
    for (from, code) in &all {
        let found = named(code);
        let targets = found.iter().map(|path| target(from, path, &all));
        // A module and the modules below it count as one.
        let apart = |to: &Module| !to.starts_with(from) && !from.starts_with(to);
        uses.insert(from.clone(), targets.filter(apart).collect());
    }
    // A module that uses no other remaining module, or that no other uses, is on no circle. Modules are
    // removed until no more such modules are left.
    loop {
        let used: BTreeSet<Module> = uses.values().flatten().cloned().collect();
        let before = uses.len();
        uses.retain(|module, targets| !targets.is_empty() && used.contains(module));
        let left: BTreeSet<Module> = uses.keys().cloned().collect();
        uses.values_mut()
            .for_each(|targets| targets.retain(|to| left.contains(to)));
        if uses.len() == before {
            return left;
        }
    }
}

#[test]
fn no_circle_of_files() {
    for folder in source_folders() {
        let inside = |(path, text): (String, String)| (path[folder.len() + 1..].to_owned(), text);
        let circles = on_circles(files(&folder, ".rs").into_iter().map(inside));
        assert!(circles.is_empty(), "{folder}: {circles:?}");
    }
}

/// The check itself finds a circle where there is one.
#[test]
fn a_circle_is_found() {
    let circles = |last: &str| {
        on_circles(
            [
                ("lib.rs", "mod a; mod b; mod c;"),
                ("a.rs", "use super::{c::C, b::{self, B}};"),
                ("b.rs", "fn f() -> crate::c::D { todo!() }"),
                ("c.rs", last),
            ]
            .map(|(path, text)| (path.to_owned(), text.to_owned())),
        )
    };
    assert!(circles("use std::io;").is_empty());
    assert_eq!(circles("use crate::a::A;").len(), 3);
}
