//! `./runme`, the shell driver: when it builds the player, with which arguments, and how it becomes the player.
//!
//! Cargo and the player are replaced by small scripts, so that nothing is compiled here.
#![cfg(unix)]

use std::fs::{self, File};
use std::io::{BufRead, BufReader, Read, Write};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::{Duration, SystemTime};
use tempfile::TempDir;

/// The fake player: prints how it was called, and copies its input.
const PLAYER: &str = r#"#!/bin/sh
echo "player VERSION: $* in $(pwd -P) home $RUNME_HOME pid $$"
cat
exit 7
"#;

/// The fake cargo: notes its call, prints to standard output, where only the player may write, and "builds" the
/// player.
const CARGO: &str = r#"#!/bin/sh
echo "$* in $(pwd -P) with $(cat)" >> "$NOTES"
echo "cargo at work"
for target; do :; done
[ -z "${CARGO_FAILS:-}" ] || exit 101
[ -n "${CARGO_IS_FRESH:-}" ] || cp "$MADE" "$target/release/runme"
"#;

/// Sources of the player, which is built anew when one of them is newer.
const MADE_OF: [&str; 14] = [
    "src",
    "src/inner",
    "src/lib.rs",
    "src/inner/mod.rs",
    "src/a",
    "src/a/b",
    "src/a/b/c",
    "src/a/b/c/deep.rs",
    "crates/engine",
    "crates/engine/src",
    "crates/engine/src/lib.rs",
    "support/cartagena-2.net",
    "Cargo.toml",
    "Cargo.lock",
];

/// Files beside them that are no part of the player: other programs, their tables, caches.
const NOT_MADE_OF: [&str; 4] = [
    "crates/other/src",
    "crates/other/src/lib.rs",
    "support/challenge-00.hand",
    "support/cache/a.bin",
];

/// A package with the driver, and a fake cargo beside it.
struct Package {
    folder: TempDir,
}

impl Package {
    fn new() -> Package {
        let package = Package {
            folder: tempfile::tempdir().unwrap(),
        };
        let driver = fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/runme")).unwrap();
        install(&driver, &package.path("home/runme"));
        for folder in ["src/inner", "src/a/b/c"] {
            fs::create_dir_all(package.path("home").join(folder)).unwrap();
        }
        for folder in ["crates/engine/src", "crates/other/src", "support/cache"] {
            fs::create_dir_all(package.path("home").join(folder)).unwrap();
        }
        for file in MADE_OF.into_iter().chain(NOT_MADE_OF) {
            let path = package.path("home").join(file);
            if !path.is_dir() {
                fs::write(path, "").unwrap();
            }
        }
        install(CARGO, &package.path("bin/cargo"));
        install(&PLAYER.replace("VERSION", "new"), &package.path("made"));
        package
    }

    /// A package whose player was built a minute after its sources were written.
    fn built() -> Package {
        let package = Package::new();
        let player = package.path("home/target/release/runme");
        install(&PLAYER.replace("VERSION", "old"), &player);
        age(&player, 60);
        for path in MADE_OF.into_iter().chain(NOT_MADE_OF) {
            age(&package.path("home").join(path), 120);
        }
        package
    }

    /// The full path of a file beside or in the package, without symbolic links.
    fn path(&self, path: &str) -> PathBuf {
        self.folder.path().canonicalize().unwrap().join(path)
    }

    fn command(&self, program: &Path, current: &str) -> Command {
        let mut command = Command::new(program);
        command
            .current_dir(self.path(current))
            .env_remove("CARGO_TARGET_DIR")
            .env("CARGO_HOME", "/nowhere")
            .env(
                "PATH",
                format!("{}:/usr/bin:/bin", self.path("bin").display()),
            )
            .env("NOTES", self.path("notes"))
            .env("MADE", self.path("made"));
        command
    }

    /// Calls the driver in its own folder, as a contest does.
    fn call(&self) -> Output {
        run(self.command(Path::new("./runme"), "home"))
    }

    /// The arguments of cargo's calls, a line each.
    fn notes(&self) -> String {
        fs::read_to_string(self.path("notes")).unwrap_or_default()
    }
}

/// Writes an executable script by another process. If this process had the file open for writing, a child that
/// another test starts could inherit it, and then the script could not be started.
fn install(text: &str, path: &Path) {
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    let mut child = Command::new("sh")
        .args(["-c", r#"cat > "$1" && chmod +x "$1""#, "sh"])
        .arg(path)
        .stdin(Stdio::piped())
        .spawn()
        .unwrap();
    let written = child.stdin.take().unwrap().write_all(text.as_bytes());
    written.unwrap();
    assert!(child.wait().unwrap().success());
}

/// Makes a file or folder look as if it was last changed `seconds` ago.
fn age(path: &Path, seconds: u64) {
    let time = SystemTime::now() - Duration::from_secs(seconds);
    File::open(path).unwrap().set_modified(time).unwrap();
}

/// Runs it with an argument list that needs quoting, and `input` on its standard input.
fn run(mut command: Command) -> Output {
    let mut child = command
        .args(["--time", "a  b"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // A driver that gives up ends without reading the input.
    let _ = child.stdin.take().unwrap().write_all(b"input\n");
    let id = child.id();
    let output = child.wait_with_output().unwrap();
    if output.status.code() == Some(7) {
        let text = stdout(&output);
        assert!(text.contains(&format!(" pid {id}\n")), "not exec: {text}");
    }
    output
}

fn stdout(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap()
}

fn stderr(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).unwrap()
}

/// Asserts that the player of this version answered, and nobody else wrote to standard output.
#[track_caller]
fn assert_played(output: &Output, version: &str, current: &Path, home: &Path) {
    let text = stdout(output);
    let (current, home) = (current.display(), home.display());
    let start = format!("player {version}: --time a  b in {current} home {home} pid ");
    assert!(text.starts_with(&start), "{text}{}", stderr(output));
    assert!(text.ends_with("\ninput\n"), "{text}");
    assert_eq!(text.lines().count(), 2, "{text}");
    assert_eq!(output.status.code(), Some(7));
}

#[test]
fn a_fresh_clone_is_built_once() {
    let package = Package::new();
    let home = package.path("home");
    let output = package.call();
    assert_played(&output, "new", &home, &home);
    assert_eq!(stderr(&output), "cargo at work\n");
    let expected = format!(
        "build --release --locked --package cartagena --bin runme --target-dir {0}/target in {0} with \n",
        home.display()
    );
    assert_eq!(package.notes(), expected);
    assert_played(&package.call(), "new", &home, &home);
    assert_eq!(package.notes(), expected, "built again");
}

#[test]
fn a_player_that_is_up_to_date_is_only_started() {
    let package = Package::built();
    let output = package.call();
    let home = package.path("home");
    assert_played(&output, "old", &home, &home);
    assert_eq!(stderr(&output), "");
    assert_eq!(package.notes(), "");
}

#[test]
fn whatever_is_newer_than_the_player_builds_it() {
    for changed in MADE_OF {
        let package = Package::built();
        let home = package.path("home");
        age(&home.join(changed), 0);
        assert_played(&package.call(), "new", &home, &home);
        assert_eq!(package.notes().lines().count(), 1, "{changed}");
    }
}

#[test]
fn what_other_programs_are_made_of_does_not_matter() {
    let package = Package::built();
    let home = package.path("home");
    for changed in NOT_MADE_OF {
        age(&home.join(changed), 0);
        assert_played(&package.call(), "old", &home, &home);
    }
    assert_eq!(package.notes(), "");
}

#[test]
fn a_player_that_cargo_leaves_alone_is_not_built_for_ever() {
    let package = Package::built();
    let home = package.path("home");
    age(&home.join("src/lib.rs"), 30);
    let call = || {
        let mut command = package.command(Path::new("./runme"), "home");
        command.env("CARGO_IS_FRESH", "1");
        run(command)
    };
    assert_played(&call(), "old", &home, &home);
    assert_played(&call(), "old", &home, &home);
    assert_eq!(package.notes().lines().count(), 1);
    let left: Vec<_> = fs::read_dir(home.join("target/release")).unwrap().collect();
    assert_eq!(
        left.len(),
        2,
        "the player and what it was built from: {left:?}"
    );
}

/// A copy may lose the times of all files. Then the contents decide, so that no build runs on a contest's clock.
#[test]
fn a_copy_without_times_is_not_built_again() {
    let package = Package::new();
    let home = package.path("home");
    assert_played(&package.call(), "new", &home, &home);
    let touch_all = || {
        age(&home.join("target/release/runme"), 60);
        for file in MADE_OF {
            age(&home.join(file), 0);
        }
    };
    touch_all();
    let copied = package.call();
    assert_played(&copied, "new", &home, &home);
    assert_eq!(stderr(&copied), "");
    assert_eq!(package.notes().lines().count(), 1, "built again");
    // One comparison is enough: the next call finds nothing to compare.
    let mut command = package.command(Path::new("./runme"), "home");
    command.env("CARGO_FAILS", "1");
    assert_played(&run(command), "new", &home, &home);

    // Another content, another name and a missing file are a change each.
    fs::write(home.join("src/lib.rs"), "changed").unwrap();
    fs::rename(
        home.join("src/inner/mod.rs"),
        home.join("src/inner/other.rs"),
    )
    .unwrap();
    for (n, change) in ["src/lib.rs", "src/inner/other.rs", "Cargo.toml"]
        .into_iter()
        .enumerate()
    {
        if change == "Cargo.toml" {
            fs::remove_file(home.join("crates/engine/src/lib.rs")).unwrap();
        }
        age(&home.join("target/release/runme"), 60);
        age(&home.join(change), 0);
        assert_played(&package.call(), "new", &home, &home);
        // The first change is seen with the second: both are there by then.
        assert_eq!(
            package.notes().lines().count(),
            if n == 2 { 3 } else { 2 },
            "{change}"
        );
    }
}

/// A call that is killed during a build takes the build with it, however it is killed.
#[test]
fn no_build_outlives_its_call() {
    const SLOW: &str = "#!/bin/sh\n(exec sleep 1000) &\necho building >&2\nexec sleep 1000\n";
    for (signal, whole_group) in [
        ("KILL", false),
        ("KILL", true),
        ("TERM", false),
        ("INT", true),
    ] {
        let package = Package::new();
        install(SLOW, &package.path("bin/cargo"));
        let mut command = package.command(Path::new("./runme"), "home");
        command
            .stdin(Stdio::null())
            .stderr(Stdio::piped())
            .process_group(0);
        let mut driver = command.spawn().unwrap();
        let mut errors = BufReader::new(driver.stderr.take().unwrap());
        let mut line = String::new();
        errors.read_line(&mut line).unwrap();
        assert_eq!(line, "building\n");
        let target = if whole_group {
            format!("-{}", driver.id())
        } else {
            driver.id().to_string()
        };
        let killed = Command::new("kill")
            .args(["-s", signal, "--", &target])
            .status();
        assert!(killed.unwrap().success());
        driver.wait().unwrap();
        // Every process of the build holds this pipe open, so the reading ends when the last of them is gone.
        let mut rest = String::new();
        errors.read_to_string(&mut rest).unwrap();
        assert_eq!(rest, "", "{signal}");
    }
}

/// The driver looks at sources down to the depth that its patterns name.
#[test]
fn no_source_is_deeper_than_the_driver_looks() {
    fn depth(folder: &Path) -> usize {
        let entries = fs::read_dir(folder).into_iter().flatten().flatten();
        let inner = entries.map(|entry| depth(&entry.path()));
        inner.max().map_or(0, |inner| inner + 1)
    }
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    for made_of in ["src", "crates/engine"] {
        let deepest = depth(&root.join(made_of));
        assert!((2..=4).contains(&deepest), "{made_of}: {deepest}");
    }
}

#[test]
fn a_source_dated_in_the_future_is_built_once() {
    let package = Package::built();
    let home = package.path("home");
    let future = SystemTime::now() + Duration::from_secs(86_400);
    let source = File::options().write(true).open(home.join("src/lib.rs"));
    source.unwrap().set_modified(future).unwrap();
    let first = package.call();
    assert_played(&first, "new", &home, &home);
    let told = stderr(&first);
    assert!(
        told.contains("src/lib.rs was dated in the future"),
        "{told}"
    );
    let second = package.call();
    assert_played(&second, "new", &home, &home);
    assert_eq!(stderr(&second), "");
    assert_eq!(package.notes().lines().count(), 1, "built again");
}

/// With a PATH in which no program can be found, the driver still becomes the player: it needs no other process.
#[test]
fn a_player_that_is_up_to_date_needs_no_other_process() {
    let package = Package::built();
    let home = package.path("home");
    install(
        "#!/bin/sh\necho \"player old: $* in $PWD home $RUNME_HOME pid $$\"\necho input\nexit 7\n",
        &home.join("target/release/runme"),
    );
    age(&home.join("target/release/runme"), 60);
    let mut command = package.command(Path::new("./runme"), "home");
    command.env("PATH", package.path("else"));
    let output = run(command);
    assert_played(&output, "old", &home, &home);
    assert_eq!(stderr(&output), "");
}

#[test]
fn a_closed_standard_output_is_told() {
    let package = Package::built();
    let mut shell = package.command(Path::new("sh"), "home");
    shell.args(["-c", "exec ./runme >&-"]);
    let output = shell.output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(
        stderr(&output),
        "runme: standard output is closed: there is nowhere to answer\n"
    );
}

#[test]
fn it_is_found_from_anywhere_and_through_links() {
    let package = Package::built();
    let home = package.path("home");
    let elsewhere = package.path("else where");
    fs::create_dir(&elsewhere).unwrap();
    std::os::unix::fs::symlink("../home/runme", elsewhere.join("link")).unwrap();
    std::os::unix::fs::symlink("link", elsewhere.join("link to link")).unwrap();
    for program in [home.join("runme"), "./link".into(), "./link to link".into()] {
        let output = run(package.command(&program, "else where"));
        assert_played(&output, "old", &elsewhere, &home);
    }
    let mut shell = package.command(Path::new("sh"), "home");
    shell.arg("runme");
    assert_played(&run(shell), "old", &home, &home);
    assert_eq!(package.notes(), "");
}

#[test]
fn the_target_folder_can_be_chosen() {
    for (setting, folder) in [("out", "home/out"), ("ABSOLUTE", "else/out")] {
        let package = Package::new();
        let home = package.path("home");
        let absolute = package.path("else/out");
        let setting = setting.replace("ABSOLUTE", &absolute.display().to_string());
        let mut command = package.command(Path::new("./runme"), "home");
        command
            .env("CARGO_TARGET_DIR", setting)
            .env("CARGO_BUILD_TARGET", "elsewhere");
        assert_played(&run(command), "new", &home, &home);
        assert!(package.path(folder).join("release/runme").is_file());
        assert!(!home.join("target").exists());
    }
}

#[test]
fn a_failed_build_is_told_and_the_older_player_plays() {
    let fails = |package: &Package| {
        let mut command = package.command(Path::new("./runme"), "home");
        command.env("CARGO_FAILS", "1");
        run(command)
    };
    let output = fails(&Package::new());
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(stdout(&output), "");
    let message = stderr(&output);
    assert!(
        message.contains("runme: the build failed, and "),
        "{message}"
    );

    let package = Package::built();
    age(&package.path("home/src/lib.rs"), 0);
    let home = package.path("home");
    let output = fails(&package);
    assert_played(&output, "old", &home, &home);
    let message = stderr(&output);
    assert!(
        message.contains("playing with the program built earlier"),
        "{message}"
    );
    fails(&package);
    assert_eq!(package.notes().lines().count(), 2, "it must be tried again");
}

#[test]
fn without_cargo_the_older_player_plays() {
    let without_cargo = |package: &Package| {
        let mut command = package.command(Path::new("./runme"), "home");
        let tools = package.path("tools");
        fs::create_dir(&tools).unwrap();
        for tool in ["sh", "cat"] {
            let places = ["/usr/bin", "/bin"].map(|place| Path::new(place).join(tool));
            let tool_path = places.iter().find(|path| path.exists()).unwrap();
            std::os::unix::fs::symlink(tool_path, tools.join(tool)).unwrap();
        }
        command.env("PATH", tools);
        run(command)
    };
    let output = without_cargo(&Package::new());
    assert_eq!(output.status.code(), Some(1));
    let message = stderr(&output);
    assert!(message.contains("cargo is not to be found"), "{message}");

    let package = Package::built();
    age(&package.path("home/Cargo.toml"), 0);
    let home = package.path("home");
    let output = without_cargo(&package);
    assert_played(&output, "old", &home, &home);
    assert!(stderr(&output).contains("cargo is not to be found"));
}
