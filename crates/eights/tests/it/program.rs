//! The page's example as a golden game, and the `eights` program at a table.

use arena::process::testing::Command;
use eights::protocol::{Act, Message, parse};
use eights::rules::{Round, SEATS};
use std::fs::File;
use std::io::Write;
use std::process::Stdio;
use tricks::{Cards, Round as _};

const EXAMPLE: &str = include_str!("../../../../tests/data/eights/example.txt");

/// All takes and plays of the example, in order; the hand and pool as reported.
fn example() -> (Cards, Cards, Vec<Act>, Vec<Act>) {
    let (mut takes, mut plays) = (Vec::new(), Vec::new());
    let mut dealt = (Cards::EMPTY, Cards::EMPTY);
    for line in EXAMPLE.lines() {
        match parse(line, Some(2)).unwrap().unwrap() {
            Message::StartHand { seat, hand, pool } => {
                assert_eq!(seat, 2);
                dealt = (hand, pool);
            }
            Message::AfterTake(acts) => takes.extend(acts),
            Message::Result(acts) => plays.extend(acts),
            _ => {}
        }
    }
    (dealt.0, dealt.1, takes, plays)
}

#[test]
fn the_example_is_legal_and_scores_as_it_says() {
    let (hand, pool, takes, plays) = example();
    assert_eq!((takes.len(), plays.len()), (12, 52));
    let of = |acts: &[Act], seat: usize| -> Cards {
        let mine = acts.iter().filter(|act| act.0 == seat);
        mine.map(|act| act.1).collect()
    };
    let hands: [Cards; SEATS] = std::array::from_fn(|seat| of(&plays, seat) - of(&takes, seat));
    assert_eq!(hands[2], hand);
    let mut round = Round::new(0, hands, pool);
    for (seat, card) in takes.into_iter().chain(plays) {
        assert_eq!(round.to_act(), Some(seat), "{card}");
        assert!(round.legal().contains(card), "{card} of {}", round.legal());
        round.act(card);
    }
    let points: Vec<u8> = (0..SEATS).map(|seat| round.points(seat)).collect();
    assert_eq!(points, [6, 3, 11, 5]);
}

#[test]
fn the_same_seed_gives_the_same_answers() {
    let answers = |seed: &str| -> Vec<u8> {
        let output = Command::new(env!("CARGO_BIN_EXE_eights"))
            .args(["--nodes", "60", "--seed", seed])
            .write_stdin(EXAMPLE)
            .output()
            .unwrap();
        assert!(output.status.success());
        output.stdout
    };
    assert_eq!(answers("1"), answers("1"));
    assert_eq!(
        answers("1").iter().filter(|&&byte| byte == b'\n').count(),
        16
    );
}

/// Some programs write a byte order mark at the beginning of a text.
#[test]
fn a_byte_order_mark_is_ignored() {
    let answers = |input: &str| {
        let output = Command::new(env!("CARGO_BIN_EXE_eights"))
            .args(["--nodes", "5"])
            .write_stdin(input)
            .output()
            .unwrap();
        assert_eq!(String::from_utf8(output.stderr).unwrap(), "");
        output.stdout
    };
    assert_eq!(answers(&format!("\u{feff}{EXAMPLE}")), answers(EXAMPLE));
}

#[test]
fn a_full_disk_is_told() {
    let Ok(full) = File::options().write(true).open("/dev/full") else {
        return;
    };
    let mut child = Command::new(env!("CARGO_BIN_EXE_eights"))
        .args(["--nodes", "5"])
        .stdin(Stdio::piped())
        .stdout(full)
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // The program ends at its first answer, and may not read the rest.
    let _ = child.stdin.take().unwrap().write_all(EXAMPLE.as_bytes());
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(
        said.starts_with("eights: cannot write the answer: "),
        "{said}"
    );
}

#[test]
fn explain_goes_to_standard_error() {
    let output = Command::new(env!("CARGO_BIN_EXE_eights"))
        .args(["--nodes", "60", "--explain"])
        .write_stdin(EXAMPLE.repeat(2))
        .output()
        .unwrap();
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(
        said.contains("own hand: ♣7 ♣A ♦K ♥2 ♥4 ♥9 ♥J ♠8 ♠10 ♠Q\n"),
        "{said}"
    );
    assert!(said.contains("  card    value      ±   worlds\n"), "{said}");
    // No message carries the scores: the program adds them up.
    for scores in ["0 0 0 0", "6 3 11 5"] {
        let line = format!("points before the round: {scores}, of 300\n");
        assert_eq!(said.matches(&line).count(), 16, "{said}");
    }
    // Ten cards of each hand were dealt, and two of east's three are known by then.
    assert!(said.contains(", void in ♦"), "{said}");
}
