//! Checks on the sources that files do not depend on each other in circles: following `use` and paths from
//! file to file never leads back to the start. Between crates Cargo ensures it; inside a crate this test
//! does. A module and the modules below it count as one, since a module re-exports what is in them.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// A module's path in its crate.
type Module = Vec<String>;

/// The module that a source file holds; `None` for programs and tests.
fn module(file: &Path) -> Option<Module> {
    let mut names: Module = file
        .with_extension("")
        .iter()
        .map(|name| name.to_string_lossy().into_owned())
        .collect();
    let other = |name: &String| ["bin", "main", "tests", "testing"].contains(&name.as_str());
    if names.iter().any(other) {
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

/// Finds the modules of a crate and their code, without comments and tests.
fn modules(source: &Path, folder: &Path, found: &mut BTreeMap<Module, String>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            modules(source, &path, found);
        } else if path.extension().is_some_and(|ending| ending == "rs")
            && let Some(module) = module(path.strip_prefix(source).unwrap())
        {
            let text = fs::read_to_string(&path).unwrap();
            let code = text.split("#[cfg(test)]\nmod tests").next().unwrap();
            let lines = code.lines().filter(|line| !line.trim().starts_with("//"));
            found.insert(module, lines.collect::<Vec<_>>().join(" "));
        }
    }
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
fn on_circles(source: &Path) -> BTreeSet<Module> {
    let mut all = BTreeMap::new();
    modules(source, source, &mut all);
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
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let crates = fs::read_dir(root.join("crates")).unwrap();
    let mut sources: Vec<PathBuf> = crates
        .map(|entry| entry.unwrap().path().join("src"))
        .collect();
    sources.push(root.join("src"));
    for source in sources {
        let circles = on_circles(&source);
        assert!(circles.is_empty(), "{}: {circles:?}", source.display());
    }
}

/// The check itself finds a circle where there is one.
#[test]
fn a_circle_is_found() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| fs::write(folder.path().join(name), text).unwrap();
    write("lib.rs", "mod a; mod b; mod c;");
    write("a.rs", "use super::{c::C, b::{self, B}};");
    write("b.rs", "fn f() -> crate::c::D { todo!() }");
    write("c.rs", "use std::io;");
    assert!(on_circles(folder.path()).is_empty());
    write("c.rs", "use crate::a::A;");
    assert_eq!(on_circles(folder.path()).len(), 3);
}
