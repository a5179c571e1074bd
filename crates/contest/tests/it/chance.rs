//! Checks on the sources of all tests: none of them does what makes a test fail by chance, such as waiting
//! for a time, reading a clock or choosing a port. `arena::process::testing` has what tests use instead.

use super::sources::{files, is_test, root, without_comments};
use std::fs;

/// The helper's own file, the only one that may start programs and wait.
const HELPER: &str = "crates/arena/src/process/testing/command.rs";

/// The tests of a file: where the file lies in the workspace, and the tests' code without comments.
struct Tests {
    path: String,
    code: String,
}

impl Tests {
    /// The statements, roughly: the texts between semicolons and braces.
    fn statements(&self) -> impl Iterator<Item = &str> {
        self.code.split([';', '{', '}'])
    }
}

/// The tests of a file: all of it if it is a file of tests, else what follows the first mark of tests.
fn tests((path, text): (String, String)) -> Option<Tests> {
    let text = match is_test(&path) {
        true => &*text,
        false => text.split_once("#[cfg(test)]")?.1,
    };
    let code = without_comments(text);
    Some(Tests { path, code })
}

/// All tests of all crates, except this file, which names the words it looks for. The root package's tests are not among
/// them: they know nothing of the other crates.
fn all() -> Vec<Tests> {
    let mut all = files("crates", ".rs");
    all.retain(|path, _| {
        let part = path.split('/').nth(2);
        matches!(part, Some("src" | "tests")) && !path.ends_with("it/chance.rs")
    });
    let found: Vec<Tests> = all.into_iter().filter_map(tests).collect();
    assert!(found.len() > 200, "{} files of tests", found.len());
    found
}

/// Asserts that none of the words occurs in a test outside the files in `exceptions`, and that each exception
/// still needs to be one.
fn nowhere(words: &[&str], exceptions: &[&str], instead: &str) {
    let all = all();
    let has = |tests: &&Tests| words.iter().any(|word| tests.code.contains(word));
    let with: Vec<&str> = all.iter().filter(has).map(|tests| &*tests.path).collect();
    let more = with.iter().filter(|path| !exceptions.contains(path));
    let more: Vec<&&str> = more.collect();
    assert!(more.is_empty(), "{words:?} in {more:?}: {instead}");
    let fewer = exceptions.iter().filter(|path| !with.contains(path));
    let fewer: Vec<&&str> = fewer.collect();
    assert!(fewer.is_empty(), "no exceptions any more: {fewer:?}");
}

/// The helper starts programs under a lock, and limits how long they run.
#[test]
fn only_the_helper_starts_programs() {
    // The tests of this file try what happens if a referee cannot start a program.
    let start = "crates/arena/src/process/run.rs";
    let names = ["process::Command", "cargo_bin"];
    nowhere(&names, &[HELPER], "use the helper's Command");
    for tests in all().iter().filter(|tests| tests.path != HELPER) {
        for (at, _) in tests.code.match_indices("use std::process::") {
            let (import, _) = tests.code[at..].split_once(';').unwrap();
            let mut names = import.split(|c: char| !c.is_alphanumeric());
            let starts = names.any(|name| name == "Command" || name == "Child");
            assert!(!starts, "{} starts programs by itself", tests.path);
        }
        if tests.code.contains("Command::new") && tests.path != start {
            let is_helpers = ["programs", "arena::process::testing", "super::testing"]
                .iter()
                .any(|module| tests.code.contains(module));
            assert!(is_helpers, "{} has another Command", tests.path);
        }
    }
}

/// A program's file must be written by a child process: if this process has it open while another thread
/// starts a program, the file cannot be executed.
#[test]
fn only_the_helper_writes_programs() {
    let others = [
        // These set modes of folders, and of files that are looked at but not executed.
        "crates/arena/src/process/tests/places.rs",
        "crates/engine/src/store/tests/obstacles.rs",
    ];
    nowhere(
        &["0o755", "0o775", "0o777"],
        &others,
        "use install or write_script",
    );
}

/// A test that waits for a time cannot know whether what it waits for has happened.
#[test]
fn no_test_sleeps_or_spins() {
    let words = [
        "sleep(",
        "sleep_until(",
        "park_timeout(",
        "yield_now(",
        "spin_loop(",
    ];
    let others = [
        HELPER,
        // The clock of these tests stands still, and jumps forward when all tasks wait.
        "crates/challenge/tests/client.rs",
        "crates/tables/src/connections/listener.rs",
        // This one lets other threads run, and does not wait for anything.
        "crates/engine/src/watched.rs",
    ];
    nowhere(&words, &others, "use until or within");
}

/// A tournament draws its seed unless it is given one, and a sequential test decides wrongly at some seeds.
#[test]
fn who_is_better_is_asked_at_a_seed() {
    for tests in all() {
        for statement in tests.statements() {
            let is_drawn = statement.contains("--sprt") && !statement.contains("--seed");
            assert!(!is_drawn, "{}: {statement}", tests.path);
        }
    }
}

/// A busy machine can take any time, so a measured time proves nothing.
#[test]
fn no_test_of_a_program_reads_a_clock() {
    let words = ["Instant::now", "SystemTime::now", ".elapsed("];
    for tests in all() {
        let is_program = tests.path.split('/').nth(2) == Some("tests");
        // The clock of this test stands still.
        if is_program && tests.path != "crates/challenge/tests/client.rs" {
            for word in words {
                assert!(!tests.code.contains(word), "{word} in {}", tests.path);
            }
        }
    }
}

/// A port that was found free may be taken before it is used. So the system must choose it for the program
/// that keeps it: port 0.
#[test]
fn no_port_is_freed_and_used() {
    for tests in all() {
        for statement in tests.statements() {
            let frees = statement.contains("bind(") && statement.contains("local_addr");
            assert!(!frees, "a port is freed in {}: {statement}", tests.path);
            let is_listener = statement.contains("Listener::bind(");
            let name = statement
                .trim_start()
                .strip_prefix("let ")
                .filter(|_| is_listener);
            if let Some((name, _)) = name.and_then(|rest| rest.split_once(" =")) {
                let freed = format!("drop({})", name.trim_start_matches("mut "));
                assert!(!tests.code.contains(&freed), "{freed} in {}", tests.path);
            }
        }
        for option in ["\"--port\"", "\"--test-port\"", "\"--web-port\""] {
            for (_, behind) in tests
                .code
                .match_indices(option)
                .map(|(at, _)| tests.code.split_at(at))
            {
                let value = behind.split('"').nth(3).unwrap_or_default();
                assert_eq!(value, "0", "{option} in {}", tests.path);
            }
        }
    }
}

/// `grep -q` ends at the first match. Whoever still writes to it then fails by the closed pipe, and with `pipefail` the
/// whole line does. Scripts give it a whole text instead: `text=$(COMMAND) && grep -q WORD <<<"$text"`. Without the
/// variable a failure of the command would be lost.
#[test]
fn no_script_reads_a_pipe_in_part() {
    let folders = ["scripts", ".ci"].map(|folder| fs::read_dir(root(folder)).unwrap());
    let scripts = folders.into_iter().flatten();
    let scripts = scripts.map(|entry| entry.unwrap().path());
    let files = scripts.chain([root("runme")]);
    let texts = files
        .filter(|file| file.is_file())
        .map(|file| (fs::read_to_string(&file).unwrap(), file));
    let partial = |line: &&str| {
        let mut parts = line.split("| grep -").skip(1);
        parts.any(|part| part.split(' ').next().unwrap_or_default().contains('q'))
    };
    let mut looked_at = 0;
    for (text, file) in texts {
        looked_at += 1;
        let found: Vec<&str> = text.lines().filter(partial).collect();
        assert!(found.is_empty(), "{}: {found:?}", file.display());
    }
    assert!(looked_at > 20, "{looked_at} scripts");
}
