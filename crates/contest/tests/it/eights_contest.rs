//! Tests of `contest eights serve` and `contest eights dispatch`, with programs that behave and with programs
//! that die, flood, stall or take too much memory.

use super::programs::{Command, command, contest, contest_in, says, scratch, script};
use rustix::process::{Pid, Signal, kill_process};
use std::fs;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::Stdio;
use std::sync::LazyLock;

static EIGHTS: LazyLock<String> = LazyLock::new(|| command("eights", "--nodes 1"));

/// Turns the limit on memory off. The ordinary build of `eights` is linked with the system's libraries, and
/// sometimes holds more than the contest's 4 MB.
const ANY_SIZE: &str = "--memory none";

/// The command that plays a game with a shell script on the first seat, and `other` on the three others.
fn dispatch(folder: &Path, text: &str, other: &str, options: &str) -> Command {
    let bot = script(folder, "bot", text);
    let any_size = match options.contains("--memory") {
        true => "",
        false => ANY_SIZE,
    };
    let mut command = contest_in(folder, &format!("eights dispatch {any_size} {options}"));
    command.args(["contest eights serve", &bot, other, other, other, "3"]);
    command
}

/// Plays a game of this server, or of its whole command line, with four programs, to this exit status; returns the messages.
fn refereed(
    folder: &Path,
    server: &str,
    programs: [&str; 4],
    options: &str,
    status: i32,
) -> String {
    let mut command = contest_in(folder, &format!("eights dispatch {options}"));
    command.arg(server).args(programs).arg("1").told(status)
}

/// Plays such a game beside three good programs until a line of the messages has what is expected, and returns them. No other
/// program is disqualified.
fn dispatched(text: &str, options: &str, expected: &str) -> String {
    let folder = tempfile::tempdir().unwrap();
    let mut game = dispatch(folder.path(), text, &EIGHTS, options)
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut messages = BufReader::new(game.stderr.take().unwrap());
    let mut told = String::new();
    let mut read = 0;
    while !told[read..].contains(expected) {
        read = told.len();
        assert!(messages.read_line(&mut told).unwrap() > 0, "{told}");
    }
    // The signal lets it end its programs and take its files away.
    kill_process(Pid::from_child(&game), Signal::TERM).unwrap();
    game.wait().unwrap();
    for other in ["east", "south", "west"] {
        assert!(!told.contains(&format!("{other} is ")), "{told}");
    }
    told
}

#[test]
fn four_programs_play_a_game() {
    let folder = tempfile::tempdir().unwrap();
    let told = contest_in(folder.path(), &format!("eights dispatch {ANY_SIZE}"))
        .arg("contest eights serve --log game.log")
        .args([&*EIGHTS; 4])
        .arg("13")
        .told(0);
    assert!(!told.contains("disqualified"), "{told}");
    let log = fs::read_to_string(folder.path().join("game.log")).unwrap();
    let start = "# game 13\n# round 1, north deals\nn starthand n ";
    assert!(log.starts_with(start), "{log}");
    assert!(log.contains("\nn endround\ne endround\ns endround\nw endround\n# points: north "));
    says(&told, " has won after ");
    assert!(!folder.path().join("te.log").exists());
}

#[test]
fn who_dies_is_disqualified() {
    let folder = tempfile::tempdir().unwrap();
    // Small programs are quick at playing on to the end.
    let smallest =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/smallest/eights/bot.sh");
    fs::copy(smallest, folder.path().join("bot.sh")).unwrap();
    let [printed, told] = dispatch(folder.path(), "read x; exit 7", "sh bot.sh", "").said(0);
    assert_eq!(printed, "", "the result is for people");
    says(&told, "north is disqualified: ended with exit status: 7\n");
    says(&told, "disqualified: ended with exit status: 7\neast");
    assert_eq!(told.matches(" is disqualified: ").count(), 1, "{told}");
    let log = fs::read_to_string(folder.path().join("te.log")).unwrap();
    assert!(log.lines().last().unwrap().ends_with(" has won"), "{log}");
}

#[test]
fn who_does_not_answer_is_disqualified() {
    let late = "north is disqualified: no answer within 2 s\n";
    dispatched("exec sleep 1000", "--time 2", late);
    // The program has a child that keeps the output open.
    dispatched("sleep 1000 & exec sleep 1000", "--time 2", late);
}

#[test]
fn who_closes_its_output_is_disqualified() {
    let closed = "north is disqualified: closed its standard output\n";
    dispatched("exec >&-; exec sleep 1000", "", closed);
}

#[test]
fn who_floods_is_disqualified() {
    let endless = "north is disqualified: wrote more than 65536 bytes without an end of line\n";
    dispatched("exec cat /dev/zero", "", endless);
    let unasked = "north is disqualified: wrote a line without being asked\n";
    dispatched("exec yes", "", unasked);
}

/// The judge refuses it. Programs that end at once leave nobody to play on with.
#[test]
fn who_prints_garbage_is_disqualified() {
    let folder = tempfile::tempdir().unwrap();
    let garbage = "while read x; do case $x in take*) echo '☃ \\377' ;; esac; done";
    let told = dispatch(folder.path(), garbage, "false", "").told(0);
    says(&told, "  disqualified: \"☃ ");
}

/// A program that holds 6 MB, and then takes the card that [`SERVER`] asks for.
const HUNGRY: &str = "x=$(head -c 6000000 /dev/zero | tr '\\0' x)
while read line; do case $line in take*) echo sa ;; esac; done";

#[test]
#[cfg(target_os = "linux")]
fn who_holds_more_than_four_megabytes_is_disqualified() {
    let folder = tempfile::tempdir().unwrap();
    let server = script(folder.path(), "server", SERVER);
    let hungry = script(folder.path(), "hungry", HUNGRY);
    let idle = script(folder.path(), "idle", "while read line; do :; done");
    let told = |options: &str, status: i32| {
        let programs = [&hungry, &idle, &idle, &idle].map(String::as_str);
        refereed(folder.path(), &server, programs, options, status)
    };
    let usual = told("", 0);
    let north = usual.lines().find(|line| line.contains("north ")).unwrap();
    let (_, reason) = north.split_once(" is disqualified: held ").unwrap();
    let (held, most) = reason.split_once(" KiB of resident memory, ").unwrap();
    assert!(held.parse::<u64>().unwrap() > 4096, "{usual}");
    assert_eq!(most, "more than 4096");
    for options in ["--memory none", "--memory 40"] {
        let told = told(options, 0);
        assert!(told.ends_with("\nn sa\nn sa\n"), "{told}");
    }
    for wrong in ["0", "-1", "4.5", "all"] {
        told(&format!("--memory={wrong}"), 2);
    }
}

/// Memory is usually measured when a program answers. This program never answers, so it must be measured
/// meanwhile.
#[test]
#[cfg(target_os = "linux")]
fn who_takes_memory_without_end_is_ended_at_once() {
    // Memory grows in steps, so that the machine still has enough when the program is looked at.
    let told = dispatched(
        "x=$(head -c 4000000 /dev/zero | tr '\\0' x); y=; while :; do y=$y$x; done",
        "--memory 64 --time 1000",
        " KiB of resident memory, more than 65536\n",
    );
    says(&told, "north is disqualified: held ");
}

/// A server that is not ours: it asks north twice, sends a comment, and knows no disqualification.
const SERVER: &str = "\
echo 'n starthand n d9 c8 s3 hq c4 cj h7 dt da s7 s2 ct ha c6 sa d5 ck c9 s5 cq h5 hk'
echo '# a comment'
echo 'n take n'
while read answer; do case $answer in n*disqualified*) ;; *) break ;; esac; done
echo \"$answer\" >&2
echo 'n take n'
read answer
echo \"$answer\" >&2";

/// A server that knows no disqualification still gets a card from the dispatcher each time it asks the player
/// that is out.
#[test]
fn a_server_of_another_kind_gets_cards_for_who_is_out() {
    let folder = tempfile::tempdir().unwrap();
    let server = script(folder.path(), "server", SERVER);
    let dead = script(folder.path(), "dead", "exit 1");
    let programs = [&*dead, &EIGHTS, &EIGHTS, &EIGHTS];
    let told = refereed(folder.path(), &server, programs, ANY_SIZE, 0);
    let cards: Vec<&str> = told.lines().filter(|line| line.starts_with("n ")).collect();
    assert_eq!(cards.len(), 2, "{told}");
    let pool = "s2 ct ha c6 sa d5 ck c9 s5 cq h5 hk";
    assert!(cards.iter().all(|line| pool.contains(&line[2..])), "{told}");
}

#[test]
fn a_server_that_fails_is_an_error() {
    let folder = tempfile::tempdir().unwrap();
    let server = script(folder.path(), "server", "exit 3");
    for (server, why) in [
        (&*server, "the server ended with exit status: 3"),
        // A server that asks for no card has had no game.
        ("true", "the server has ended and asked for no card"),
    ] {
        let told = refereed(folder.path(), server, [&*EIGHTS; 4], ANY_SIZE, 1);
        let expected =
            format!("contest: the game is not finished, unless its winner is named above: {why}\n");
        assert!(told.ends_with(&expected), "{told}");
    }
    refereed(folder.path(), "no-such-server", [&*EIGHTS; 4], "", 2);
}

/// A server that floods ends the game soon, whatever it sends, and no program is blamed for it.
#[test]
fn a_server_that_floods_is_an_error() {
    let mute = "the server has said 10000 lines and asked nobody\n";
    for (flood, told) in [
        ("exec yes", mute),
        ("exec yes ''", mute),
        ("exec yes 'n endround'", mute),
        (
            "exec cat /dev/zero",
            "the server has said more than 65536 bytes without an end of line\n",
        ),
        (
            "echo 'n starthand n d9 c8 s3 hq c4 cj h7 dt da s7 s2 ct ha c6 sa d5 ck c9 s5 cq h5 hk'; exec yes 'n take n'",
            "the server has asked north again before it was answered\n",
        ),
    ] {
        let folder = tempfile::tempdir().unwrap();
        let server = script(folder.path(), "server", flood);
        // None of the programs answers, so the messages do not depend on how fast they are.
        let mute = script(folder.path(), "mute", "exec sleep 1000");
        let all = refereed(folder.path(), &server, [&*mute; 4], "", 1);
        assert!(all.ends_with(told), "{flood}: {all}");
        assert!(!all.contains("disqualified"), "{flood}: {all}");
    }
}

/// A program's standard error is shown, but without characters that control a terminal, and only up to a
/// limit.
#[test]
fn errors_of_programs_are_shown_and_harmless() {
    let shown = "hello \u{fffd}[2J\u{fffd} there\n";
    let print = "printf 'hello \\033[2J\\007 there\\n' >&2; exit 7";
    dispatched(print, "", shown);
    let told = dispatched(
        "yes noise >&2 & exec cat > /dev/null",
        "--time 1",
        "the rest is left out",
    );
    assert!(told.len() < 400_000, "{} bytes", told.len());
}

/// If the log cannot be written, the game is still played to its end, and the exit status reports the
/// failure. Programs that end at once leave most cards to the judge, so that the game is short.
#[test]
fn a_full_disk_does_not_stop_a_game() {
    if !Path::new("/dev/full").exists() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let dead = script(folder.path(), "dead", "exit 1");
    let programs = [EIGHTS.as_str(), &dead, &dead, &dead];
    let server = "contest eights serve --log /dev/full";
    let told = refereed(folder.path(), server, programs, ANY_SIZE, 1);
    says(&told, " has won after ");
    says(
        &told,
        "the game was played, but cannot be written to /dev/full: ",
    );
}

/// Two games of one folder would write into one another's log.
#[test]
fn a_log_has_one_game() {
    let (folder, log) = scratch("te.log");
    fs::write(&log, "# game 12\n").unwrap();
    let other = fs::File::open(&log).unwrap();
    other.lock().unwrap();
    let told = contest_in(folder.path(), "eights serve 11").told(1);
    says(&told, "te.log: another process uses this file");
    assert_eq!(fs::read_to_string(&log).unwrap(), "# game 12\n");
}

/// A second game in a folder keeps the log of the first, and a file of another kind is not touched.
#[test]
fn earlier_logs_are_kept() {
    let (folder, log) = scratch("te.log");
    let earlier = |number: u32| folder.path().join(format!("te.log.{number}"));
    for seed in 11..14 {
        contest_in(folder.path(), &format!("eights serve {seed}")).told(1);
    }
    let begins = |path: &Path| fs::read_to_string(path).unwrap()[..9].to_owned();
    let found = [&log, &earlier(1), &earlier(2)].map(|path| begins(path));
    assert_eq!(found, ["# game 13", "# game 11", "# game 12"]);
    fs::write(&log, "{\"contest\":\"eights\"}\n").unwrap();
    let told = contest_in(folder.path(), "eights serve 11").told(1);
    says(
        &told,
        "te.log: it is not the log of a game: name another file, or remove it",
    );
    assert_eq!(fs::read_to_string(&log).unwrap().len(), 21);
}

#[test]
fn the_judge_says_who_is_asked_when_its_input_ends() {
    let folder = tempfile::tempdir().unwrap();
    let mut judge = contest_in(folder.path(), "eights serve 13");
    let [lines, told] = judge.write_stdin("# a comment\n\nq d9\n").said(1);
    let expected = "contest: standard input has ended before the game: north had been asked\n";
    assert_eq!(told, expected);
    assert_eq!(lines.lines().count(), 5);
    assert_eq!(lines.lines().last(), Some("n take n"));
    let [other, _] = contest_in(folder.path(), "eights serve 14").said(1);
    assert_eq!(other.lines().count(), 5);
    assert_ne!(other, lines);
}

/// A line of a seat with `disqualified` and a reason disqualifies it for this reason, as the dispatcher has
/// decided.
#[test]
fn the_judge_takes_the_dispatchers_word() {
    let input = "n disqualified late\nE disqualified\ns disqualified too large\nw x\n";
    let mut judge = contest("eights serve 13 --log none");
    let told = judge.write_stdin(input).told(0);
    let expected = "north     0  disqualified: late
east      0  disqualified: \"disqualified\" where a card was expected, such as d9 or st
south     0  disqualified: too large
west      0  disqualified: \"x\" where a card was expected, such as d9 or st
nobody has won: all are disqualified after 0 rounds
";
    assert_eq!(told, expected);
}

#[test]
fn a_match_says_how_sure_it_is() {
    let players = "eights match counter high random";
    let printed = contest(&format!("{players} search,nodes=20 --rounds 20 --json")).printed();
    let json: serde_json::Value = serde_json::from_str(&printed).unwrap();
    assert_eq!(json["deals"], 5);
    let rows = json["players"].as_array().unwrap();
    let sum: f64 = rows.iter().map(|row| row["points"].as_f64().unwrap()).sum();
    assert!((sum - 25.0).abs() < 1e-9, "{json}");
    assert!(rows.iter().all(|row| row["error"].as_f64().unwrap() > 0.0));
    contest(players).told(2);
}
