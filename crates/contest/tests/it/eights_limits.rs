//! Checks that the `eights` program keeps the contest's limits: little memory, and no files after it has
//! started.
#![cfg(target_os = "linux")]

use super::programs::{CONTEST, Command, command, program, scratch};
use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::process::Stdio;

const EXAMPLE: &str = include_str!("../../../../tests/data/eights/example.txt");

/// Starts a program, writes a text to it, reads `answers` lines from it, and returns the most memory that was
/// resident (proc(5), `VmHWM`), in KiB, without the files that the program is loaded from.
fn peak(command: &mut Command, text: &str, answers: usize) -> u64 {
    let mut child = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut input = child.stdin.take().unwrap();
    let mut output = BufReader::new(child.stdout.take().unwrap());
    input.write_all(text.as_bytes()).unwrap();
    for _ in 0..answers {
        let mut line = String::new();
        assert!(output.read_line(&mut line).unwrap() > 0, "an answer");
    }
    // The program waits for more input, so its status can still be read.
    let status = fs::read_to_string(format!("/proc/{}/status", child.id())).unwrap();
    let kilobytes = |name: &str| -> u64 {
        let row = status.lines().find_map(|line| line.strip_prefix(name));
        row.unwrap().trim().trim_end_matches(" kB").parse().unwrap()
    };
    drop(input);
    assert!(child.wait().unwrap().success());
    kilobytes("VmHWM:") - kilobytes("RssFile:")
}

/// The contest allows 4 MB, and the code of the program that is handed in takes 2 of these. `scripts/package
/// eights` builds that program and checks it as a whole.
#[test]
fn what_is_kept_of_a_game_is_small() {
    // With 60,000 nodes the search tree is full.
    for (nodes, rounds) in [("2000", 12), ("60000", 2)] {
        let mut eights = Command::new(program("eights"));
        let text = format!("{EXAMPLE}\n").repeat(rounds);
        let own = peak(eights.args(["--nodes", nodes]), &text, 16 * rounds);
        println!("{own} KiB of its own with {nodes} nodes");
        assert!(own < 2048, "{own} KiB with {nodes} nodes");
    }
}

/// The system calls of a traced program after it has read its first line.
fn after_the_first_line(trace: &str) -> Vec<&str> {
    let mut lines = trace.lines();
    let first = lines
        .by_ref()
        .find(|line| line.contains("read(0, \"starthand"));
    assert!(first.is_some(), "a first line: {trace:.2000}");
    lines.collect()
}

#[test]
fn no_file_is_opened_in_a_whole_game() {
    let (folder, trace) = scratch("trace");
    let works = Command::new("strace")
        .args(["-o", "/dev/null", "true"])
        .output()
        .is_ok_and(|output| output.status.success());
    if !works {
        eprintln!("skipped: no strace that may trace");
        return;
    }
    let eights = &command("eights", "--nodes 1");
    let traced = format!(
        "strace -f -o {} -e trace=%file,%network,%process,read {eights}0",
        trace.display()
    );
    let output = Command::new(CONTEST)
        .current_dir(folder.path())
        .words("eights dispatch --isolate none --memory none")
        .arg("contest eights serve")
        // The judge plays at random for programs that end at once, which is quicker.
        .args([&traced, "false", "false", "false", "3"])
        .output()
        .unwrap();
    let told = String::from_utf8(output.stderr).unwrap();
    assert!(
        output.status.success() && !told.contains("north is disqualified"),
        "{told}"
    );
    let trace = fs::read_to_string(trace).unwrap();
    let calls = after_the_first_line(&trace);
    // Bytes, not reads: whether two lines come by one read is a matter of time.
    let bytes: usize = calls
        .iter()
        .filter(|line| line.contains("read(0, "))
        .filter_map(|line| line.rsplit_once(" = ")?.1.parse::<usize>().ok())
        .sum();
    assert!(bytes > 15_000, "a whole game: {bytes} bytes");
    // The trace has only calls about files, sockets and processes. The program may read its input and end;
    // while other players are asked, it waits.
    let fine = |line: &&&str| {
        ["read(0, ", "exit_group(", "+++ exited", "--- "]
            .iter()
            .any(|call| line.contains(call))
    };
    let others: Vec<_> = calls.iter().filter(|line| !fine(line)).collect();
    assert_eq!(others, [&""; 0], "after the first line");
}
