//! Tests how the commands of all contests treat programs and files from outside: isolation, terminal control
//! characters, spreadsheet formulas, and files that are none.

use super::programs::{CONTEST, Command, contest, install, says, scratch};
use arena::process::Abilities;
use std::fs;
use std::path::Path;
use tempfile::TempDir;

const SECRET: &str = "the seed is 7";

/// A folder with a secret, and the program `bot/thief` that tries to print the secret and to leave a file.
struct Scene {
    home: TempDir,
}

impl Scene {
    fn new() -> Scene {
        let home = tempfile::tempdir().unwrap();
        fs::write(home.path().join("secret"), SECRET).unwrap();
        let home_of = home.path().display();
        install(
            format!("#!/bin/sh\ncat {home_of}/secret >&2\necho x > {home_of}/left\nexit 1\n"),
            &home.path().join("bot/thief"),
        );
        Scene { home }
    }

    /// Runs a command in the folder; returns all that it printed.
    fn told(&self, words: &str) -> String {
        let mut command = contest(words);
        let output = command.current_dir(self.home.path()).output().unwrap();
        let all = [output.stdout, output.stderr].concat();
        String::from_utf8(all).unwrap()
    }

    fn left(&self) -> bool {
        let left = self.home.path().join("left");
        let was_there = left.exists();
        let _ = fs::remove_file(left);
        was_there
    }
}

/// A confined program neither reads nor leaves anything outside its own folders, in every contest.
#[test]
fn programs_of_every_contest_are_kept_apart() {
    let scene = Scene::new();
    let server = format!("#!/bin/sh\nexec '{CONTEST}' eights serve --log none \"$@\"\n");
    install(server, &scene.home.path().join("server"));
    let able = Abilities::of_this_system().are_whole() && Abilities::with_a_port().are_whole();
    for (isolate, is_kept) in [("best", able), ("none", false)] {
        for name in [
            "eights match ./bot/thief high high high --rounds 4 --record rounds.jsonl",
            "hearts match ./bot/thief duck duck --rounds 3 --record rounds.jsonl",
            "eights dispatch ./server ./bot/thief ./bot/thief ./bot/thief ./bot/thief 1",
            "challenge match ./bot/thief plain --games 2",
            "cartagena play ./bot/thief builtin:greedy --record rounds.jsonl",
        ] {
            let _ = fs::remove_file(scene.home.path().join("rounds.jsonl"));
            let told = scene.told(&format!("{name} --isolate {isolate}"));
            let records = fs::read_to_string(scene.home.path().join("rounds.jsonl"));
            let told = told + &records.unwrap_or_default();
            assert_eq!(scene.left(), !is_kept, "{name} {isolate}: {told}");
            assert_eq!(told.contains(SECRET), !is_kept, "{name} {isolate}: {told}");
            let line = match isolate {
                "none" => "programs may read and write whatever you may (--isolate none)\n",
                _ => " (--isolate)\n",
            };
            assert_eq!(told.matches(line).count(), 1, "{name} {isolate}: {told}");
        }
    }
}

/// The results of a contest and its seed must not lie where all programs may read.
#[test]
fn secrets_in_places_that_all_may_read_are_refused() {
    if !Abilities::of_this_system().are_whole() {
        return eprintln!("not tested");
    }
    let scene = Scene::new();
    install("#!/bin/sh\nexit 1\n", &scene.home.path().join("bot/runme"));
    for (words, path) in [
        (
            "eights match ./bot/thief high high high --record",
            "/usr/nowhere/r",
        ),
        (
            "hearts match ./bot/thief duck duck --seed-file",
            "/etc/hostname",
        ),
        (
            "challenge match ./bot/thief plain --record",
            "/opt/nowhere/r",
        ),
        ("cartagena match ./bot builtin:greedy --record", "/usr/r"),
        (
            "cartagena tournament ./bot builtin:greedy --allow . --out",
            "out",
        ),
        (
            "eights tournament ./bot/thief high high high --out",
            "/usr/out",
        ),
    ] {
        let told = scene.told(&format!("{words} {path}"));
        let said = format!("{path} lies in ");
        assert!(
            told.contains(&said) && told.contains(", which all programs may read"),
            "{words}: {told}"
        );
        assert!(!scene.home.path().join("out").exists());
    }
    // Without programs there is nobody to read it.
    let told =
        scene.told("eights match high high high random --rounds 4 --seed-file /etc/hostname");
    assert!(!told.contains("lies in"), "{told}");
}

/// Without isolation, a program that changes another one's executable ends the match.
#[test]
fn a_changed_executable_ends_a_match() {
    let scene = Scene::new();
    let home = scene.home.path();
    let victim = home.join("bot/victim");
    install("#!/bin/sh\nexec cat > /dev/null\n", &victim);
    let thief = home.join("bot/thief");
    let deed = format!(
        "#!/bin/sh\necho 'exit 0' > {}\nexec cat > /dev/null\n",
        victim.display()
    );
    install(&deed, &thief);
    let told = scene.told(
        "eights match victim=./bot/victim thief=./bot/thief high high --rounds 8 --sitting 1 --limit 1 \
         --jobs 1 --isolate none",
    );
    says(&told, "somebody has changed the files of victim: ");
    says(
        &told,
        "since they were last correct thief and victim have run",
    );
}

/// A confined program can read what `--allow` names.
#[test]
fn what_is_allowed_is_read() {
    let scene = Scene::new();
    let play = "cartagena play ./bot/thief builtin:greedy --allow";
    scene.told(&format!("{play} secret --record g.jsonl"));
    let record = fs::read_to_string(scene.home.path().join("g.jsonl")).unwrap();
    says(&record, SECRET);
    let wrong = scene.told(&format!("{play} nowhere"));
    says(&wrong, "--allow nowhere: ");
}

/// Control characters that a program writes do not reach the terminal.
#[test]
fn a_terminal_obeys_no_program() {
    let scene = Scene::new();
    let bot = scene.home.path().join("bot/loud");
    let wild = r"\033[2J\033]0;gotcha\007 \302\233 \r";
    install(
        format!("#!/bin/sh\nprintf 'x {wild}'\nprintf 'e {wild}' >&2\nexit 3\n"),
        &bot,
    );
    for line in [
        "cartagena play ./bot/loud builtin:greedy --record games.jsonl",
        "cartagena replay games.jsonl 1",
        "cartagena input games.jsonl 1 --fault 1",
        "cartagena check ./bot/loud",
        "cartagena tournament ./bot/loud builtin:greedy --games 2 --out out",
        "cartagena rate out",
        "eights match ./bot/loud high high high --rounds 4 --record r.jsonl",
        "eights replay r.jsonl 1",
        "challenge match ./bot/loud plain --games 2",
    ] {
        let told = scene.told(line);
        let wild = told
            .chars()
            .find(|&c| c.is_control() && c != '\n' && c != '\t');
        assert_eq!(wild, None, "{line:?}: {told:?}");
        assert!(!told.is_empty(), "{line:?}");
    }
    // A label from a foreign record does not reach the terminal unchanged either.
    let games = fs::read_to_string(scene.home.path().join("games.jsonl")).unwrap();
    let forged = games.replace("\"loud\"", "\"lo\\u001b[2Jud\"");
    assert_ne!(forged, games);
    fs::write(scene.home.path().join("forged.jsonl"), forged).unwrap();
    let told = scene.told("cartagena replay forged.jsonl 1");
    assert!(
        told.contains("lo\u{fffd}[2Jud") && !told.contains('\u{1b}'),
        "{told:?}"
    );
}

/// A spreadsheet that opens a table takes no label for a formula.
#[test]
fn a_label_is_no_formula() {
    let scene = Scene::new();
    let players = "@SUM(A1)=builtin:greedy +1=builtin:random b=builtin:random";
    scene.told(&format!(
        "cartagena tournament {players} --games 4 --out out"
    ));
    let csv = scene.told("cartagena rate out --csv");
    let cells: Vec<&str> = csv
        .lines()
        .map(|line| line.split(',').nth(1).unwrap())
        .collect();
    for label in ["label", "'@SUM(A1)", "'+1", "b"] {
        assert!(cells.contains(&label), "{csv}");
    }
    let negative = csv.lines().skip(1).flat_map(|line| line.split(','));
    let negative = negative.filter(|cell| cell.starts_with('-')).count();
    assert!(negative > 0, "numbers are left alone: {csv}");
}

/// If something else lies where a file is expected, the command says so at once and does not wait.
#[test]
fn what_is_no_file_is_told() {
    let scene = Scene::new();
    let home = scene.home.path();
    let path = |name: &str| home.join(name);
    let pipe = |path: &Path| {
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        assert!(Command::new("mkfifo").arg(path).status().unwrap().success());
    };
    pipe(&path("pipe"));
    pipe(&path("tournament/tournament.json"));
    pipe(&path("games/games.jsonl"));
    fs::create_dir(path("folder")).unwrap();
    let huge = |name: &str, size| fs::File::create(path(name)).unwrap().set_len(size).unwrap();
    huge("huge", 1 << 40);
    let is_a = "expected a file, found a ";
    let played = "cartagena match builtin:random builtin:greedy --board";
    for (line, expected) in [
        ("cartagena replay pipe 1", is_a),
        ("cartagena replay /dev/zero 1", is_a),
        (
            "cartagena replay huge 1",
            "line 1 is no game record: it has more than",
        ),
        ("cartagena report pipe", is_a),
        ("cartagena rate tournament", is_a),
        ("cartagena show pipe", is_a),
        ("cartagena show huge", "is longer than any game"),
        (&format!("{played} pipe"), is_a),
        (&format!("{played} folder"), is_a),
        (
            &format!("{played} huge"),
            "expected at most 1048576 bytes, found 1099511627776",
        ),
        ("eights replay pipe 1", is_a),
        ("hearts replay /dev/null 1", is_a),
        ("challenge replay pipe", is_a),
        ("challenge serve --state j --teams pipe", is_a),
        ("challenge serve --state j --teams /dev/zero", is_a),
    ] {
        let told = scene.told(line);
        assert!(told.contains(expected), "{line:?}: {told}");
    }
}

/// If the temporary folder is mounted `noexec`, every call would fail. The commands say so before the first
/// game, and charge nobody.
#[test]
fn a_temporary_folder_where_nothing_is_executed_is_refused() {
    let (folder, mounted) = scratch("mounted");
    fs::create_dir(&mounted).unwrap();
    install("#!/bin/sh\nexit 3\n", &folder.path().join("bot/runme"));
    let mount = "mount -t tmpfs -o noexec tmpfs mounted && exec \"$@\"";
    let within = |arguments: &[&str]| {
        Command::new("unshare")
            .words("--user --map-root-user --mount sh -c")
            .args([mount, "sh"])
            .args(arguments)
            .current_dir(folder.path())
            .env("TMPDIR", &mounted)
            .output()
    };
    // Without the right to mount a file system there is nothing to test.
    if !within(&["true"]).is_ok_and(|output| output.status.success()) {
        return;
    }
    let games = ["bot", "builtin:random", "--games", "2"];
    for (command, more) in [
        ("tournament", &["--out", "cup"][..]),
        ("match", &[]),
        ("check", &[]),
    ] {
        let programs = match command {
            "check" => &games[..1],
            _ => &games[..],
        };
        let arguments = [&[CONTEST, "cartagena", command], programs, more].concat();
        let output = within(&arguments).unwrap();
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(!output.status.success(), "{command}: {said}");
        says(&said, "mounted is mounted noexec");
        says(&said, "TMPDIR");
    }
    let games = fs::read_to_string(folder.path().join("cup/games.jsonl"));
    assert_eq!(games.unwrap_or_default(), "");
}
