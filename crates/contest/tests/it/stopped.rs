//! Tests of signals to a referee. A signal that asks it to stop may end its programs as well; that is
//! recorded as nobody's fault. Signals ignored from the start stay ignored.

use super::programs::{CONTEST, Command, command, says, scratch, script, until};
use rustix::process::{Pid, Signal, kill_process};
use std::fs;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Output, Stdio};

/// Shell code of a program that finds the referee's process: the parent of the supervisor, which is the
/// program's parent.
pub(super) const REFEREE: &str = "read -r _ _ _ referee _ < /proc/$PPID/stat";

/// Shell code that signals the referee's process group, and dies of the same signal.
const STOP: &str =
    "read -r _ _ _ referee _ < /proc/$PPID/stat; kill -TERM -$referee; kill -TERM $$";

/// Starts the command in its arguments with signals ignored, as `nohup` or a job in the background has them,
/// and with errors joined to its output.
const UNHEEDING: &str = "trap '' HUP INT; exec \"$@\" 2>&1";

/// A signal's bit in the masks that proc(5) describes.
fn bit(signal: Signal) -> u64 {
    1 << (signal.as_raw() - 1)
}

/// The masks of the signals that a process ignores and that it handles.
fn ignored_and_caught(pid: Pid) -> [u64; 2] {
    let status = fs::read_to_string(format!("/proc/{}/status", pid.as_raw_nonzero())).unwrap();
    ["SigIgn:", "SigCgt:"].map(|name| {
        let mask = status.lines().find_map(|line| line.strip_prefix(name));
        u64::from_str_radix(mask.unwrap().trim(), 16).unwrap()
    })
}

/// Programs that were started to outlive a terminal are not stopped when it closes, nor by a Ctrl-C for
/// others.
#[test]
fn signals_ignored_from_the_start_stay_ignored() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(
        folder.path().join("teams.toml"),
        "[[team]]\nid = 1\nname = \"a\"\ntoken = \"t\"\n",
    )
    .unwrap();
    for (arguments, said) in [
        ("play --no-open --port 0 --tables tables", "http://"),
        (
            "challenge serve --teams teams.toml --state games.jsonl --port 0 --test-port 0",
            "port ",
        ),
        ("hearts serve 3 3 1 o1 i1 o2 i2 o3 i3", "rules: "),
    ] {
        let mut child = Command::new("sh")
            .args(["-c", UNHEEDING, "sh", CONTEST])
            .args(arguments.split(' '))
            .current_dir(folder.path())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
        let is_there = lines.any(|line| line.unwrap().contains(said));
        assert!(is_there, "{arguments}");
        let pid = Pid::from_child(&child);
        let is_told = || ignored_and_caught(pid)[1] & bit(Signal::TERM) != 0;
        until("it hears of signals", is_told);
        let masks = ignored_and_caught(pid);
        let both = bit(Signal::HUP) | bit(Signal::INT);
        assert_eq!(masks.map(|mask| mask & both), [both, 0], "{arguments}");
        kill_process(pid, Signal::TERM).unwrap();
        kill_process(pid, Signal::TERM).unwrap();
        child.wait().unwrap();
    }
}

/// The whole match is played, however often its programs send signals that it ignores.
#[test]
fn a_match_that_ignores_signals_is_played_to_its_end() {
    let folder = tempfile::tempdir().unwrap();
    let text = format!(
        "{REFEREE}; kill -HUP $referee -$referee; kill -INT $referee -$referee
        $CONTEST cartagena legal | sed -n '1{{s/^ *1  //;s/  .*//;p}}'"
    );
    script(folder.path(), "program", &text);
    let options = "--games 2 --seed 1 --max-turns 10 --isolate none --record record.jsonl";
    let output = Command::in_own_group("sh")
        .args(["-c", UNHEEDING, "sh", CONTEST, "cartagena", "match"])
        .args(["me=./program", "builtin:greedy"])
        .args(options.split(' '))
        .current_dir(folder.path())
        .env("CONTEST", CONTEST)
        .output()
        .unwrap();
    let said = String::from_utf8(output.stdout).unwrap();
    says(&said, "\n2 games in");
    assert!(!said.contains("faults of"), "{said}");
}

/// Runs `contest` as the leader of a process group, to its end.
fn contest(folder: &Path, words: &str) -> Output {
    Command::in_own_group(CONTEST)
        .words(words)
        .current_dir(folder)
        .env("CONTEST", CONTEST)
        .env("CALLS", folder.join("calls"))
        .output()
        .unwrap()
}

/// Standard error of a referee, after checking that it stopped as it should.
fn told(output: &Output) -> String {
    let told = String::from_utf8(output.stderr.clone()).unwrap();
    assert_eq!(output.status.code(), Some(130), "{output:?}");
    says(&told, "stopping after the work under way");
    told
}

fn recorded(folder: &Path) -> String {
    fs::read_to_string(folder.join("record.jsonl")).unwrap_or_default()
}

/// The program dies at its sixth call, in the middle of a game: by the signal itself, with the exit status of
/// a shell that reports the signal, or together with its supervisor. The call is repeated, and the game goes
/// on until the program gives an answer that is no action.
#[test]
fn a_call_in_cartagena_is_made_again() {
    for death in ["kill -TERM $$", "exit 143", "kill -TERM $PPID; sleep 1000"] {
        let folder = tempfile::tempdir().unwrap();
        let text = format!(
            "echo >> $CALLS
             calls=$(wc -l < $CALLS)
             if [ $calls = 6 ]; then {REFEREE}; kill -TERM -$referee; {death}; fi
             if [ $calls -gt 8 ]; then echo none; exit; fi
             $CONTEST cartagena legal | sed -n '1{{s/^ *1  //;s/  .*//;p}}'"
        );
        script(folder.path(), "program", &text);
        let words = "cartagena match me=./program builtin:greedy --games 4 --seed 1 --isolate none";
        let output = contest(folder.path(), &format!("{words} --record record.jsonl"));
        let said = told(&output);
        let record = recorded(folder.path());
        assert_eq!(record.lines().count(), 2, "the block under way: {said}");
        assert!(!record.contains("crash"), "{record}");
        let printed = String::from_utf8(output.stdout).unwrap();
        says(&printed, "faults of me: 2 malformed\n");
        says(&printed, "\n2 of 4 games in");
        let calls = fs::read_to_string(folder.path().join("calls")).unwrap();
        assert_eq!(calls.len(), 10, "both games end by their first bad answer");
    }
}

/// Programs with a conversation cannot be asked again, so rounds and games under way are left unplayed.
#[test]
fn what_is_under_way_is_left_unplayed() {
    let eights = "eights match me=./program random random random --rounds 8 --jobs 1";
    let hearts = eights.replace("eights", "hearts");
    let named = "exec 3< $2 4> $4; head -c 3 <&3 > /dev/null; printf '\\002M\\000' >&4";
    // The program dies before or after it has taken its seat (Tricky Eights) or said its name (Hearts).
    for (words, text) in [
        (eights, format!("read line; {STOP}")),
        (eights, STOP.to_owned()),
        (&hearts, STOP.to_owned()),
        (&hearts, format!("{named}; {STOP}")),
        (
            "challenge match me=./program need --games 4",
            STOP.to_owned(),
        ),
    ] {
        let folder = tempfile::tempdir().unwrap();
        script(folder.path(), "program", &text);
        let words = format!("{words} --isolate none --record record.jsonl");
        let said = told(&contest(folder.path(), &words));
        assert!(!said.contains("has ended"), "{words}: {said}");
        assert!(
            said.contains("to go on: the same command, with --resume --seed "),
            "{words}: {said}"
        );
        assert_eq!(recorded(folder.path()), "", "{words}: {text}");
    }
}

/// A whole game of Tricky Eights may take minutes. It is stopped after the round under way, and is then void.
#[test]
fn a_tournament_of_rounds_stops_after_a_round() {
    // A tournament starts its programs once before, to measure their pace.
    for (words, signals) in [
        (
            "eights tournament me=./program random high counter --games 1 --out out",
            "||",
        ),
        (
            "eights knockout me=./program random high counter --record out",
            "&&",
        ),
    ] {
        let folder = tempfile::tempdir().unwrap();
        let player = command("eights", "--nodes 5");
        let text = format!("{REFEREE}; mkdir $CALLS {signals} kill -TERM $referee; exec {player}");
        script(folder.path(), "program", &text);
        let output = contest(folder.path(), &format!("{words} --jobs 1 --isolate none"));
        told(&output);
        let games = fs::read_to_string(folder.path().join("out/games.jsonl"))
            .or_else(|_| fs::read_to_string(folder.path().join("out")));
        assert_eq!(games.unwrap_or_default(), "", "{words}");
    }
}

#[test]
fn a_ladder_stops_as_well() {
    let folder = tempfile::tempdir().unwrap();
    // The program has two seats, and a second signal would make the ladder end at once, so only the first one
    // signals.
    let text = format!("if mkdir $CALLS; then {STOP}; fi; cat > /dev/null");
    script(folder.path(), "program", &text);
    let words =
        "eights ladder random --with me=./program --deals 1 --jobs 1 --inferred 0 --isolate none";
    let said = told(&contest(
        folder.path(),
        &format!("{words} --record record.jsonl"),
    ));
    says(&said, "to go on: the same command, with --seed ");
    assert!(!recorded(folder.path()).contains("crash"));
}

/// Games between built-in players that are stopped count as far as they were played.
#[test]
fn games_that_are_stopped_are_a_result() {
    let words = "eights games high random --games 1000000000 --jobs 1";
    let mut games = Command::new(CONTEST);
    let games = games
        .words(words)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let games = games.spawn().unwrap();
    let pid = Pid::from_child(&games);
    until("it hears of signals", || {
        ignored_and_caught(pid)[1] & bit(Signal::TERM) != 0
    });
    kill_process(pid, Signal::TERM).unwrap();
    let output = games.wait_with_output().unwrap();
    told(&output);
    let said = String::from_utf8(output.stdout).unwrap();
    assert!(
        said.contains(" games of ") && !said.contains("NaN"),
        "{said}"
    );
}

/// The rounds of a ladder without `--record` are in a temporary folder, which a second signal removes, too.
#[test]
fn a_ladder_that_is_given_up_leaves_nothing() {
    let (folder, temporary) = scratch("temporary");
    fs::create_dir(&temporary).unwrap();
    let text = format!("{REFEREE}; while kill -TERM $referee 2> /dev/null; do :; done");
    script(folder.path(), "program", &text);
    let output = Command::in_own_group(CONTEST)
        .args(["eights", "ladder", "random", "--with", "me=./program"])
        .args(["--deals", "1", "--jobs", "1", "--isolate", "none"])
        .current_dir(folder.path())
        .env("TMPDIR", &temporary)
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(130), "{output:?}");
    let left: Vec<_> = fs::read_dir(&temporary).unwrap().collect();
    assert!(left.is_empty(), "{left:?}");
}

/// A dispatched game is given up at once, and nobody is disqualified for it.
#[test]
fn a_dispatched_game_is_given_up() {
    let folder = tempfile::tempdir().unwrap();
    script(folder.path(), "program", &format!("read line; {STOP}"));
    let server = format!("{CONTEST} eights serve");
    let output = Command::in_own_group(CONTEST)
        .args(["eights", "dispatch", &server])
        .words("./program ./program ./program ./program 3 --isolate none")
        .current_dir(folder.path())
        .output()
        .unwrap();
    assert!(!output.status.success());
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(!said.contains("disqualified"), "{said}");
    let log = fs::read_to_string(folder.path().join("te.log")).unwrap_or_default();
    assert!(!log.contains("disqualified"), "{log}");
}

/// A referee that is killed, and so cannot clean up, leaves no program behind.
#[test]
fn a_killed_referee_takes_its_programs_with_it() {
    let folder = tempfile::tempdir().unwrap();
    let text =
        "setsid sleep 1000 & echo $$ $! > $PIDS.new; mv $PIDS.new $PIDS; while :; do :; done";
    script(folder.path(), "program", text);
    let pids = folder.path().join("pids");
    let mut referee = Command::new(CONTEST)
        .args(["cartagena", "match", "me=./program", "builtin:greedy"])
        .args(["--games", "2", "--isolate", "none"])
        .current_dir(folder.path())
        .env("PIDS", &pids)
        .spawn()
        .unwrap();
    until("the program runs", || pids.exists());
    let started = fs::read_to_string(&pids).unwrap();
    let processes: Vec<_> = started
        .split_whitespace()
        .map(|pid| Path::new("/proc").join(pid))
        .collect();
    assert_eq!(processes.len(), 2);
    referee.kill().unwrap();
    referee.wait().unwrap();
    until("nothing is left", || {
        processes.iter().all(|process| !process.exists())
    });
}

/// One signal is enough to stop a referee that waits while a program builds itself, which may take ten
/// minutes.
#[test]
fn nobody_waits_for_a_program_that_builds_itself() {
    let folder = tempfile::tempdir().unwrap();
    script(folder.path(), "bot/runme", "sleep 1000");
    let mut referee = Command::new(CONTEST)
        .args(["cartagena", "tournament", "bot", "builtin:greedy"])
        .args(["--games", "2", "--isolate", "none", "--time", "0.1"])
        .args(["--out", "results"])
        .current_dir(folder.path())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut lines = BufReader::new(referee.stderr.take().unwrap()).lines();
    assert!(lines.any(|line| line.unwrap().contains("to build itself")));
    kill_process(Pid::from_child(&referee), Signal::TERM).unwrap();
    assert_eq!(referee.wait().unwrap().code(), Some(130));
}
