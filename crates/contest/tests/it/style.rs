//! Counts faults of style in the sources and pages. Each limit is the count that was reached: it may only
//! fall, and a change that brings the count well below it must lower it.

use super::sources::{files, root};
use std::collections::BTreeMap;
use std::fs;

/// The lines of all sources except tests, by their paths.
fn sources() -> BTreeMap<String, Vec<String>> {
    let mut all = files("src", ".rs");
    all.append(&mut files("crates", ".rs"));
    let is_test = |path: &str| {
        let folders = ["/tests/", "/benches/", "/examples/", "/target/"];
        folders.iter().any(|folder| path.contains(folder)) || path.ends_with("tests.rs")
    };
    all.retain(|path, _| !is_test(path));
    let code = |text: String| {
        let own = text.split("#[cfg(test)]\nmod ").next().unwrap_or_default();
        own.lines().map(str::to_owned).collect()
    };
    all.into_iter()
        .map(|(path, text)| (path, code(text)))
        .collect()
}

/// The lines of all pages, by their paths.
fn pages() -> BTreeMap<String, Vec<String>> {
    let mut all = files("docs", ".md");
    for page in ["README.md", "CONTRIBUTING.md", "CHANGELOG.md"] {
        all.insert(page.to_owned(), fs::read_to_string(root(page)).unwrap());
    }
    let prose = |text: String| {
        let parts = text.split("```").step_by(2);
        parts.flat_map(str::lines).map(str::to_owned).collect()
    };
    all.into_iter()
        .map(|(path, text)| (path, prose(text)))
        .collect()
}

/// Fails if more than `limit` are found, or so few that the limit should be lowered: a tenth below it.
fn hold(what: &str, found: &[String], limit: usize) {
    let (count, listed) = (found.len(), found.join("\n"));
    assert!(
        count <= limit,
        "{what}: {count} are more than {limit}\n{listed}"
    );
    assert!(
        count >= limit - limit / 10,
        "{what}: lower the limit from {limit} to {count}"
    );
}

/// A comment of at most three words can only repeat a name.
#[test]
fn doc_comments_say_something() {
    let mut found = Vec::new();
    for (path, lines) in sources() {
        for (number, line) in lines.iter().enumerate() {
            let text = line.trim();
            let Some(mark) = ["///", "//!"]
                .into_iter()
                .find(|mark| text.starts_with(mark))
            else {
                continue;
            };
            let is_doc =
                |other: Option<&String>| other.is_some_and(|other| other.trim().starts_with(mark));
            let is_alone = !is_doc(number.checked_sub(1).and_then(|before| lines.get(before)))
                && !is_doc(lines.get(number + 1));
            if is_alone && text[3..].split_whitespace().count() <= 3 {
                found.push(format!("{path}:{}: {text}", number + 1));
            }
        }
    }
    hold("doc comments of three words or fewer", &found, SHORT);
}

/// `println!` and `eprintln!` panic where nobody reads any more, or a disk is full: `line!` and `note!` do not.
#[test]
fn no_message_ends_a_program() {
    let mut found = Vec::new();
    for (path, lines) in sources() {
        let is_for_tests = path.contains("/testing/");
        for (number, line) in lines.iter().enumerate().filter(|_| !is_for_tests) {
            let panics = ["println!", "print!"]
                .iter()
                .any(|name| line.contains(name));
            if panics && !line.trim().starts_with("//") {
                found.push(format!("{path}:{}: {line}", number + 1));
            }
        }
    }
    hold("messages that may panic", &found, 0);
}

/// A long function needs at least one comment with a reason.
#[test]
fn long_functions_give_reasons() {
    let mut found = Vec::new();
    for (path, lines) in sources() {
        let mut function: Option<(usize, usize, bool)> = None;
        for (number, line) in lines.iter().enumerate() {
            let text = line.trim();
            let indent = line.len() - line.trim_start().len();
            match &mut function {
                _ if text.is_empty() => {}
                Some((_, _, has_reason)) if text.starts_with("//") => *has_reason = true,
                Some((begin, length, has_reason)) => {
                    *length += 1;
                    if text.starts_with('}') && indent == *begin {
                        if *length > 40 && !*has_reason {
                            found.push(format!("{path}:{}", number + 1));
                        }
                        function = None;
                    }
                }
                None => {
                    let words: Vec<&str> = text.split(' ').collect();
                    let is_function = words.iter().take(4).any(|word| *word == "fn");
                    if is_function && !text.starts_with("//") && !text.ends_with(';') {
                        function = Some((indent, 1, false));
                    }
                }
            }
        }
    }
    hold("functions over 40 lines without a comment", &found, BARE);
}

/// Lines of pages should fit a screen. Headings, tables and links are exceptions, as they cannot be broken.
#[test]
fn lines_of_pages_fit_a_screen() {
    let mut found = Vec::new();
    for (path, lines) in pages() {
        for line in lines {
            let is_broken =
                !line.starts_with(['|', '#']) && !line.contains("](") && !line.contains("http");
            if is_broken && line.chars().count() > 120 {
                found.push(format!("{path}: {line}"));
            }
        }
    }
    hold("lines over 120 columns", &found, WIDE);
}

/// A sentence of more than 45 words has to be read twice. Entries of measurements are exceptions, as they are
/// not edited later.
#[test]
fn sentences_of_pages_are_short() {
    let mut found = Vec::new();
    for (path, lines) in pages() {
        if path.contains("/measurements") {
            continue;
        }
        // The end of a paragraph or list item ends a sentence as well. Tables have no sentences.
        let mut text = String::new();
        for line in lines {
            let begins =
                line.trim_start().starts_with(['-', '|', '#', '>']) || line.trim().is_empty();
            text += if begins { "\n" } else { " " };
            text += &line;
        }
        for paragraph in text.lines().filter(|line| !line.starts_with('|')) {
            for sentence in paragraph.split(". ").flat_map(|part| part.split(": ")) {
                if sentence.split_whitespace().count() > 45 {
                    found.push(format!("{path}: {sentence}"));
                }
            }
        }
    }
    hold("sentences over 45 words", &found, LONG);
}

/// A name should be used for one type only; each further type counts. Every command has an `Args` and a
/// `Command`, so these are exceptions.
#[test]
fn names_are_used_once() {
    let mut all: BTreeMap<String, usize> = BTreeMap::new();
    for line in sources().into_values().flatten() {
        let words = line.split(|c: char| !c.is_alphanumeric() && c != '_');
        let mut words = words.skip_while(|word| !matches!(*word, "struct" | "enum" | "trait"));
        let is_definition = ["pub ", "pub(", "struct ", "enum ", "trait "]
            .iter()
            .any(|begin| line.trim_start().starts_with(begin));
        if let (true, Some(_), Some(name)) = (is_definition, words.next(), words.next()) {
            *all.entry(name.to_owned()).or_default() += 1;
        }
    }
    let mut found: Vec<String> = Vec::new();
    for (name, count) in &all {
        let again = (1..*count).map(|_| format!("{name} ({count} times)"));
        if !["Args", "Command"].contains(&&**name) {
            found.extend(again);
        }
    }
    hold("types whose name another type has", &found, AGAIN);
    for (name, most) in [
        ("Table", TABLES),
        ("Place", PLACES),
        ("Choice", CHOICES),
        ("Game", GAMES),
    ] {
        let count = all.get(name).copied().unwrap_or(0);
        assert_eq!(count, most, "types called {name}; the limit may fall");
    }
}

/// One word for one thing: these have another one in the terms of `docs/architecture.md`.
#[test]
fn terms_have_no_other_words() {
    let other = [
        "contestant",
        "entrant",
        "foul",
        "lingerer",
        "oddity",
        "orphan",
        "repertoire",
        "tempers",
        "violation",
    ];
    for (path, lines) in sources() {
        for line in lines {
            let lower = line.to_lowercase();
            let mut words = lower.split(|c: char| !c.is_alphabetic());
            let found = words.find(|word| other.contains(word));
            assert_eq!(found, None, "{path}: {line}");
        }
    }
}

const SHORT: usize = 0;
const BARE: usize = 0;
const WIDE: usize = 18;
const LONG: usize = 0;
const AGAIN: usize = 407;
const TABLES: usize = 6;
const PLACES: usize = 7;
const CHOICES: usize = 9;
const GAMES: usize = 8;
