//! Exit codes and complaints: unreadable input, inconsistent histories, wrong flags, bad settings.

use super::answers::table;
use super::{EXAMPLE, program, pure, run, start};
use std::process::{Command, Stdio};

#[test]
fn unreadable_input_is_exit_status_2_and_says_where() {
    let cut = |at: &str| EXAMPLE[..EXAMPLE.find(at).unwrap()].to_owned();
    for (input, where_and_what) in [
        (
            String::new(),
            "line 1, column 1: expected the number of players (2 to 6), found the end of the input",
        ),
        (
            "7\ncell\n".into(),
            "line 1, column 1: expected the number of players (2 to 6), found \"7\"",
        ),
        (
            "\u{0}\u{1}nonsense \n\u{fffd}".into(),
            "line 1, column 1: expected the number of players (2 to 6), found",
        ),
        (
            EXAMPLE.replacen("dagger", "sword", 1),
            "line 8, column 1: expected a symbol (bottle, dagger, gun, hat, keys, skull) or \"boat\", found \"sword\"",
        ),
        (
            EXAMPLE.replacen("1 0 4", "1 0 x", 1),
            "line 40, column 5: expected a place from 0 to 37, found \"x\"",
        ),
        (
            cut("bottle\ndagger\n"),
            "line 7, column 1: expected a symbol (bottle, dagger, gun, hat, keys, skull) or \"boat\", found the end of the input",
        ),
        (
            cut("2\nhat\nskull\nhat\n"),
            "line 50, column 1: expected a move or the player to move (players are 1 to 3), found the end of the input",
        ),
        (
            format!("{EXAMPLE}sword\n"),
            "line 54, column 1: expected a symbol (bottle, dagger, gun, hat, keys, skull) or the end of the input, found \"sword\"",
        ),
    ] {
        let run = run(&mut pure(60), &input);
        assert_eq!((run.code, run.stdout.as_str()), (Some(2), ""), "{input}");
        let line = format!("runme: cannot read the game: {where_and_what}");
        assert!(run.stderr.starts_with(&line), "{line}\n{}", run.stderr);
        assert_eq!(run.complaints().len(), 1, "{}", run.stderr);
    }
}

/// The page's example as a viewer shows it, from wherever the page has it: the message says what to do.
#[test]
fn line_numbers_of_a_viewer_are_named() {
    for first in [1, 9, 83] {
        let lines = EXAMPLE.lines().enumerate();
        let shown: String = lines
            .map(|(at, line)| format!("{:>4}  {line}\n", first + at))
            .collect();
        let run = run(&mut pure(60), &shown);
        assert_eq!((run.code, run.stdout.as_str()), (Some(2), ""));
        let column = 5 - first.to_string().len();
        let expected = format!(
            "line 1, column {column}: expected a game without a number before every line, as a viewer shows one \
             (sed 's/^ *[0-9]* *//' removes the numbers), found \"{first}\"\n"
        );
        assert!(run.stderr.ends_with(&expected), "{}", run.stderr);
        let mut sed = Command::new("sed");
        sed.arg("s/^ *[0-9]* *//")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped());
        let mended = start(&mut sed, &shown).wait_with_output().unwrap();
        assert_eq!(String::from_utf8(mended.stdout).unwrap(), EXAMPLE);
    }
}

/// The system ends a process that has used its processor time: the answer comes before.
#[test]
fn a_limit_on_processor_time_is_answered_within() {
    for threads in ["1", "2"] {
        let mut shell = Command::new("sh");
        shell
            .args([
                "-c",
                "ulimit -t 1 && exec \"$0\" --support none --threads \"$1\"",
            ])
            .args([env!("CARGO_BIN_EXE_runme"), threads])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        let run = run(&mut shell, EXAMPLE);
        assert_eq!(run.code, Some(0), "{run:?}");
        assert!(run.stdout.starts_with("2 "), "{run:?}");
    }
}

/// Bytes that are no text at all.
#[test]
fn bytes_are_no_game() {
    for input in [&b"\xff\xfe\x00\x80"[..], b"3\ncell\n\xc3\x28\nboat\n1\n"] {
        let run = run(&mut pure(60), input);
        assert_eq!((run.code, run.stdout.as_str()), (Some(2), ""));
        assert!(run.stderr.contains("column 1: expected"), "{}", run.stderr);
    }
}

#[test]
fn inconsistent_histories_are_played_on_unless_strict() {
    // A hat leads from the cell to 2.
    let inconsistent = EXAMPLE.replacen("1 0 3 keys", "1 0 7 hat", 1);
    let lenient = run(&mut pure(60), &inconsistent);
    assert_eq!(lenient.code, Some(0));
    assert_eq!(lenient.stdout.lines().count(), 1);
    let first = "runme: inconsistency: line 41, move 2: ";
    assert!(lenient.stderr.starts_with(first), "{lenient:?}");
    // Blank lines and a missing end of the last line change where moves stand, and nothing else.
    let spread = format!("\n{}", inconsistent.replacen("cell\n", "cell\r\n \n", 1));
    let spread = run(&mut pure(60), spread.trim_end_matches('\n'));
    let first = "runme: inconsistency: line 43, move 2: ";
    assert!(spread.stderr.starts_with(first), "{spread:?}");
    assert_eq!(spread.stdout, lenient.stdout);
    let strict = run(pure(60).arg("--strict"), &inconsistent);
    assert_eq!((strict.code, strict.stdout.as_str()), (Some(1), ""));
    // The same inconsistencies, and what to do about it.
    let told = strict.stderr.strip_prefix(&lenient.stderr).unwrap();
    assert!(told.starts_with("runme: refused, because --strict is given: correct the history"));
    assert_eq!(told.lines().count(), 1, "{told}");
    // A player that was passed over has left the game after a fault, which breaks no rule.
    let left = "3\ncell\nhat\ngun\nhat\ngun\nhat\ngun\nboat\n1 0 1\n2 0 2\n1 1 3\n2\nhat\ngun\n";
    let left = run(pure(60).arg("--strict"), left);
    assert_eq!(left.code, Some(0));
    assert_eq!(
        left.stderr,
        "runme: line 12, move 3: player 3 is passed over by player 1, but could act; taken to have left the game\n"
    );
    let fine = run(pure(60).arg("--strict"), EXAMPLE);
    assert_eq!((fine.code, fine.stderr.as_str()), (Some(0), ""));
    assert_eq!(fine.stdout.lines().count(), 1);
}

/// A player that made a fault has left the game: its turns are skipped, and it cannot win. The others play on, also if it
/// stands one action before its last pirate's way home.
#[test]
fn a_player_that_has_left_wins_no_more() {
    let mut input = EXAMPLE
        .lines()
        .take(39)
        .map(|line| format!("{line}\n"))
        .collect::<String>();
    // Player 3 brings five pirates home; the others go forward and back meanwhile. Then it is skipped.
    for round in 0..10 {
        let symbols = ["skull", "gun", "dagger"];
        let symbol = symbols[round % 3];
        input += "1 0 3 keys\n1 3 0\n2 0 4 gun\n2 4 0\n";
        if round < 5 {
            input += &format!("3 0 37 {symbol}\n");
        }
    }
    input += "1\nkeys\ngun\nhat\nskull\nbottle\n";
    let told = run(pure(2000).arg("--explain"), &input);
    assert_eq!(told.code, Some(0), "{told:?}");
    let wins = told
        .stderr
        .lines()
        .skip_while(|line| !line.contains("wins"))
        .nth(1)
        .unwrap();
    let wins = wins
        .split_whitespace()
        .find_map(|word| word.strip_suffix('%'))
        .unwrap();
    assert!(wins.parse::<f64>().unwrap() > 20.0, "{}", told.stderr);
}

#[test]
fn a_hand_that_no_deal_explains_is_inconsistent() {
    let hand = "hat\n".repeat(30);
    let input = EXAMPLE.replace("2\nhat\nskull\nhat\n", &format!("2\n{hand}"));
    let run = run(&mut pure(60), &input);
    assert_eq!(run.code, Some(0));
    assert_eq!(run.stdout.lines().count(), 1);
    assert!(
        run.stderr.contains("inconsistency: no deal fits"),
        "{run:?}"
    );
}

/// A harness may permit one process alone, and threads count as processes. A stack of 2^60 bytes stands in for that
/// limit: no thread starts with it.
#[test]
fn it_answers_without_a_further_thread() {
    let alone = run(
        pure(60).env("RUST_MIN_STACK", (1_u64 << 60).to_string()),
        EXAMPLE,
    );
    let usual = run(&mut pure(60), EXAMPLE);
    assert_eq!((alone.code, &alone.stdout), (Some(0), &usual.stdout));
    assert!(
        alone
            .stderr
            .starts_with("runme: networks and caches not read: cannot start a thread"),
        "{alone:?}"
    );
    assert_eq!(alone.complaints().len(), 1);
    let unreadable = run(
        pure(60).env("RUST_MIN_STACK", (1_u64 << 60).to_string()),
        "x",
    );
    assert_eq!(unreadable.code, Some(2));
    assert!(
        unreadable.stderr.contains("cannot read the game"),
        "{unreadable:?}"
    );
}

#[test]
fn wrong_flags_are_exit_status_2() {
    for flags in [
        &["--nodes"][..],
        &["--nodes", "many"],
        &["--nodes", "-5"],
        &["--time", "soon"],
        &["--threads", "x"],
        &["--seed", "1.5"],
        &["--unknown"],
        &["game.txt"],
        &["--strict", "--strict"],
    ] {
        let run = run(program().args(flags), EXAMPLE);
        assert_eq!((run.code, run.stdout.as_str()), (Some(2), ""), "{flags:?}");
        assert!(run.stderr.contains("error: "), "{}", run.stderr);
    }
}

#[test]
fn help_names_every_setting() {
    let run = run(program().arg("--help"), "");
    assert_eq!(run.code, Some(0));
    for name in ["TIME", "NODES", "THREADS", "SEED", "SUPPORT"] {
        assert!(run.stdout.contains(&format!("RUNME_{name}")), "{name}");
    }
}

const SECONDS: &str = "expected seconds above 0, such as 0.5;";

const PERCENT: &str = "expected percent from 0 to 100, such as 0.02;";

/// A bad variable is one line of warning, and the default.
#[test]
fn bad_variables_are_warnings() {
    let plain = run(&mut pure(60), EXAMPLE);
    for (name, value, why) in [
        ("RUNME_TIME", "soon", SECONDS),
        ("RUNME_TIME", "0,5", SECONDS),
        ("RUNME_TIME", "-3", SECONDS),
        ("RUNME_TIME", "0", SECONDS),
        ("RUNME_TIME", "nan", SECONDS),
        ("RUNME_ENOUGH", "0,1", PERCENT),
        ("RUNME_ENOUGH", "-1", PERCENT),
        ("RUNME_SEED", "x", "expected a whole number;"),
    ] {
        let run = run(pure(60).env(name, value), EXAMPLE);
        assert_eq!((run.code, &run.stdout), (Some(0), &plain.stdout));
        let line = format!("runme: {name}={value}: {why}");
        assert!(run.stderr.starts_with(&line), "{line}\n{}", run.stderr);
        assert!(run.stderr.contains("using the default"), "{}", run.stderr);
        assert_eq!(run.complaints().len(), 1, "{}", run.stderr);
    }
    let mut command = program();
    command.args(["--support", "none", "--nodes", "60"]);
    for threads in ["0", "-1", "two", "257"] {
        let run = run(command.env("RUNME_THREADS", threads), EXAMPLE);
        assert_eq!((run.code, &run.stdout), (Some(0), &plain.stdout));
        let line = format!(
            "runme: RUNME_THREADS={threads}: expected a whole number from 1 to 256; using the default, "
        );
        assert!(run.stderr.starts_with(&line), "{}", run.stderr);
    }
    // An empty variable is none at all.
    let run = run(pure(60).env("RUNME_TIME", ""), EXAMPLE);
    assert_eq!(run, plain);
}

/// A folder that was mistyped is not made, and a file is not opened.
#[test]
fn mistakes_on_the_command_line_are_told() {
    let folder = tempfile::tempdir().unwrap();
    let missing = folder.path().join("no-such/support");
    let flag = run(program().arg("--support").arg(&missing), EXAMPLE);
    assert_eq!((flag.code, flag.stdout.as_str()), (Some(2), ""));
    assert!(
        flag.stderr.contains("there is no folder"),
        "{}",
        flag.stderr
    );
    let mut command = program();
    command.args(["--nodes", "60", "--threads", "1"]);
    let variable = run(command.env("RUNME_SUPPORT", &missing), EXAMPLE);
    assert_eq!(variable.code, Some(0));
    assert!(
        variable.stderr.contains("there is no folder"),
        "{}",
        variable.stderr
    );
    assert!(!folder.path().join("no-such").exists());
    let file = run(program().arg("game.txt"), "");
    assert_eq!(file.code, Some(2));
    assert!(
        file.stderr.contains("./runme < game.txt"),
        "{}",
        file.stderr
    );
}

/// An option's number that cannot be used is told as a variable's is.
#[test]
fn bad_numbers_of_options_are_warnings() {
    let plain = run(&mut pure(60), EXAMPLE);
    for (option, value, why) in [
        (
            "--time",
            "0",
            "expected seconds above 0, such as 0.5; using the default, 13\n",
        ),
        (
            "--enough",
            "101",
            "expected percent from 0 to 100, such as 0.02; using the default, 0\n",
        ),
    ] {
        let run = run(pure(60).args([option, value]), EXAMPLE);
        assert_eq!((run.code, &run.stdout), (Some(0), &plain.stdout));
        assert_eq!(run.stderr, format!("runme: {option} {value}: {why}"));
    }
    // A move that is the only one needs no search, which would take its whole time without a limit of nodes.
    let only = include_str!("../../data/cartagena/only-move.txt");
    let arguments = ["--support", "none", "--nodes", "0", "--threads", "0"];
    let run = run(program().args(arguments), only);
    assert_eq!((run.code, run.stdout.lines().count()), (Some(0), 1));
    let [nodes, threads] = run.complaints()[..] else {
        panic!("{run:?}");
    };
    let told = "runme: --nodes 0: expected a whole number from 1; using the default, no limit";
    assert_eq!(nodes, told);
    let told = "runme: --threads 0: expected a whole number from 1 to 256; using the default, ";
    assert!(threads.starts_with(told), "{threads}");
}

#[test]
fn times_out_of_reach_are_clamped() {
    let plain = run(&mut pure(60), EXAMPLE);
    for seconds in ["14", "30", "1e300", "inf"] {
        let run = run(pure(60).args(["--time", seconds]), EXAMPLE);
        assert_eq!((run.code, &run.stdout), (Some(0), &plain.stdout));
        assert_eq!(run.complaints().len(), 1, "{}", run.stderr);
        assert!(run.stderr.starts_with("runme: --time "), "{}", run.stderr);
    }
    let from_variable = run(pure(60).env("RUNME_TIME", "20"), EXAMPLE);
    let told = "runme: RUNME_TIME=20: the contest ends a call after 15 s; using 13\n";
    assert_eq!(from_variable.stderr, told);
    for seconds in ["13", "0.5"] {
        let run = run(pure(60).args(["--time", seconds]), EXAMPLE);
        assert_eq!(run, plain);
    }
}

/// A search whose further rollouts would gain little ends before its nodes are used, and says why it ended.
#[test]
fn a_search_ends_when_more_would_gain_little() {
    let nodes = |text: &str| -> u64 {
        let (_, rest) = text.split_once("\nrollouts: ").unwrap();
        rest.split(' ').next().unwrap().parse().unwrap()
    };
    let explained = |enough: &[&str]| {
        let run = run(pure(60_000).args(enough).arg("--explain"), EXAMPLE);
        assert_eq!(run.code, Some(0));
        run.stderr
    };
    let whole = explained(&[]);
    assert!(
        whole.contains("\nat the limit: as many rollouts again would gain "),
        "{whole}"
    );
    assert_eq!(table(&whole), table(&explained(&["--enough", "0"])));
    let early = explained(&["--enough", "20"]);
    assert!(
        early.contains("\nstopped: all the rest of the time would gain "),
        "{early}"
    );
    assert!(nodes(&early) < nodes(&whole), "{early}");
    // A number that is no percentage is a warning.
    let odd = explained(&["--enough", "101"]);
    assert!(
        odd.starts_with("runme: --enough 101: expected percent"),
        "{odd}"
    );
    assert_eq!(table(&odd), table(&whole));
}

#[test]
fn the_deal_and_the_boat_can_be_told() {
    let run = run(pure(60).args(["--deal", "6", "--explain"]), EXAMPLE);
    assert_eq!(run.code, Some(0));
    assert!(
        run.stderr.contains("the deal does not fit"),
        "{}",
        run.stderr
    );
    assert!(run.stderr.contains("deal: 6"), "{}", run.stderr);
}

/// The manual shows what `--explain` prints, and promises that this call always prints the same; only its time differs.
#[test]
fn the_manual_shows_what_is_printed() {
    let page = std::fs::read_to_string("docs/cartagena.md").unwrap();
    let (_, shown) = page
        .split_once("$ ./runme --explain --nodes 100000 ")
        .unwrap();
    let (shown, _) = shown.split_once(" s in all\n").unwrap();
    let (_, shown) = shown.split_once('\n').unwrap();
    let run = run(pure(100_000).arg("--explain"), EXAMPLE);
    // Lines of the track end in blanks, pages do not.
    let told = format!("{}{}", run.stdout, run.stderr);
    let lines = |text: &str| -> Vec<String> {
        let lines = text.lines().map(|line| line.trim_end().to_owned());
        lines.collect()
    };
    let (shown, told) = (lines(shown), lines(&told));
    assert_eq!(shown[..shown.len() - 1], told[..told.len() - 1]);
}
