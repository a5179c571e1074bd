//! The files of the repository, for the tests that look at sources, scripts and pages.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// A path below the root of the repository.
pub fn root(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../..")
        .join(path)
}

/// The texts of the files below a folder whose paths end so, by their paths from the root.
pub fn files(folder: &str, ending: &str) -> BTreeMap<String, String> {
    let mut found = BTreeMap::new();
    let entries = fs::read_dir(root(folder)).unwrap_or_else(|e| panic!("{folder}: {e}"));
    for entry in entries {
        let entry = entry.unwrap();
        let path = format!("{folder}/{}", entry.file_name().to_str().unwrap());
        if entry.file_type().unwrap().is_dir() {
            found.extend(files(&path, ending));
        } else if path.ends_with(ending) {
            let text = fs::read_to_string(root(&path)).unwrap();
            found.insert(path, text);
        }
    }
    found
}

/// The folders of sources, `src` of the root and of every crate.
pub fn source_folders() -> Vec<String> {
    let crates = fs::read_dir(root("crates")).unwrap();
    let names = crates.map(|entry| entry.unwrap().file_name());
    let folders = names.map(|name| format!("crates/{}/src", name.to_str().unwrap()));
    folders.chain(["src".to_owned()]).collect()
}

/// Whether all of a source file is for tests.
pub fn is_test(path: &str) -> bool {
    let names = ["tests", "tests.rs", "testing", "testing.rs"];
    path.split('/').any(|part| names.contains(&part))
}

/// The lines without comments.
pub fn without_comments(code: &str) -> String {
    let lines = code.lines().filter(|line| !line.trim().starts_with("//"));
    lines.collect::<Vec<_>>().join("\n")
}

/// The code of a source file up to its tests, without comments.
pub fn code(text: &str) -> String {
    let own = text.split("#[cfg(test)]").next().unwrap_or_default();
    without_comments(own)
}
