//! What makes tests fail by chance is in no test, checked on the sources. `arena::process::testing` has what tests use
//! in its place.

use std::fs;
use std::path::{Path, PathBuf};

/// The helper itself, which alone starts programs and waits.
const HELPER: &str = "crates/arena/src/process/testing/command.rs";

/// The folder of all crates. The root package's tests are a crate that knows nothing of the others.
fn crates() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("..")
        .canonicalize()
        .unwrap()
}

/// A file of tests: where it lies in the workspace, and its code without comments.
struct Tests {
    path: String,
    code: String,
}

impl Tests {
    /// The statements, roughly: what stands between semicolons and braces.
    fn statements(&self) -> impl Iterator<Item = &str> {
        self.code.split([';', '{', '}'])
    }
}

/// The tests of a file: all of it, or what comes behind the first mark of tests.
fn tests(file: &Path, folder: &Path) -> Option<Tests> {
    let inside = file.strip_prefix(folder).unwrap();
    let whole = inside.components().any(|part| {
        ["tests", "tests.rs", "testing", "testing.rs"].contains(&part.as_os_str().to_str().unwrap())
    });
    let text = fs::read_to_string(file).unwrap();
    let text = match whole {
        true => &*text,
        false => text.split_once("#[cfg(test)]")?.1,
    };
    let lines = text.lines().filter(|line| !line.trim().starts_with("//"));
    Some(Tests {
        path: format!("crates/{}", inside.display()),
        code: lines.collect::<Vec<_>>().join("\n"),
    })
}

fn collect(folder: &Path, all: &Path, found: &mut Vec<Tests>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            collect(&path, all, found);
        } else if path.extension().is_some_and(|ending| ending == "rs") {
            found.extend(tests(&path, all));
        }
    }
}

/// Every test of every crate but this file, which names what it looks for.
fn all() -> Vec<Tests> {
    let mut found = Vec::new();
    let crates = crates();
    for entry in fs::read_dir(&crates).unwrap() {
        for part in ["src", "tests"] {
            let folder = entry.as_ref().unwrap().path().join(part);
            if folder.is_dir() {
                collect(&folder, &crates, &mut found);
            }
        }
    }
    found.retain(|tests| !Path::new(&tests.path).ends_with("it/chance.rs"));
    assert!(found.len() > 200, "{} files of tests", found.len());
    found
}

/// Asserts that the words are in no test but those of the exceptions, each of which still needs to be one.
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

/// A program is started under the helper's lock, and has a limit.
#[test]
fn only_the_helper_starts_programs() {
    // It tries out what a referee's start does with a start that fails.
    let start = "crates/arena/src/process/run.rs";
    let names = ["process::Command", "assert_cmd::Command", "cargo_bin"];
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

/// A file that is to be executed is written by a child: while this process has it open, it cannot be.
#[test]
fn only_the_helper_writes_programs() {
    let others = [
        // Folders that nobody could look into, and files that are looked at and not executed.
        "crates/arena/src/process/tests/places.rs",
        "crates/engine/src/store/tests/obstacles.rs",
    ];
    nowhere(
        &["0o755", "0o775", "0o777"],
        &others,
        "use install or write_script",
    );
}

/// Who waits for a time has not seen what it waits for.
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
        // The clock of these stands still, and jumps on while everybody waits.
        "crates/challenge/tests/client.rs",
        "crates/tables/src/connections/listener.rs",
        // Lets another thread run, and waits for nothing.
        "crates/engine/src/watched.rs",
    ];
    nowhere(&words, &others, "use until or within");
}

/// A machine can be busy for as long as it likes.
#[test]
fn no_test_of_a_program_reads_a_clock() {
    let words = ["Instant::now", "SystemTime::now", ".elapsed("];
    for tests in all() {
        let is_program = tests.path.split('/').nth(2) == Some("tests");
        // Its clock stands still.
        if is_program && tests.path != "crates/challenge/tests/client.rs" {
            for word in words {
                assert!(!tests.code.contains(word), "{word} in {}", tests.path);
            }
        }
    }
}

/// A port is free until somebody takes it: the system chooses it for whoever keeps it.
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
