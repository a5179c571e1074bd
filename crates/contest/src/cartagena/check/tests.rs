//! Tests of the check that a program is fit to take part: the positions that it is asked about, how
//! its answers are judged, and the report on a program that always fails.

use super::positions::{Special, at_once, one_by_one};
use super::*;
use arena::process::testing::{answered, write_script};
use cartagena::notation::{parse, print};
use cartagena::rules::{Action, IllegalAction};
use std::collections::BTreeSet;

/// Each position has the property that its name states.
#[test]
fn the_positions_are_what_they_are_called() {
    let mut positions = one_by_one().unwrap();
    positions.extend(at_once().unwrap());
    let mut players = BTreeSet::new();
    for position in &positions {
        let replay = position.replay();
        assert!(replay.inconsistencies.is_empty(), "{}", position.name);
        assert_eq!(replay.winner, None, "{}", position.name);
        let legal = position.legal();
        let expected = match position.name {
            "an only move" | "an only move, a retreat from the boat" => 1..=1,
            "nothing that is legal: an empty answer" => 0..=0,
            _ => 2..=42,
        };
        assert!(
            expected.contains(&legal.len()),
            "{}: {legal:?}",
            position.name
        );
        players.insert(replay.game.players);
        let record = parse(position.input.as_bytes()).unwrap();
        if position.special != Special::Sloppy {
            assert_eq!(print(&record), position.input, "{}", position.name);
        }
        assert_eq!(position.win().is_some(), position.special == Special::Win);
        match position.name {
            "a hand without cards" => assert!(record.hand.is_empty()),
            // Ending the turn is not legal either.
            "an only move, a retreat from the boat" => {
                let boat = replay.game.board.boat();
                assert!(matches!(legal[0], Action::Retreat { from, .. } if from == boat));
                let pass = replay.game.check(&replay.view.as_seen(), Action::Pass);
                assert_eq!(pass, Err(IllegalAction::EarlyPass));
            }
            "the third action of a turn, 4 players" => assert_eq!(replay.view.taken, 2),
            "the first action of a game, 2 players" => assert!(record.moves.is_empty()),
            "the longest board, 126 spaces" => assert_eq!(record.board.boat(), 127),
            "the same with every optional card left out" => {
                let into_boat = |m: &cartagena::record::Move| m.to == record.board.boat();
                assert!(
                    record
                        .moves
                        .iter()
                        .all(|m| m.card.is_none() || into_boat(m))
                );
            }
            _ => {}
        }
    }
    assert_eq!(players, (2..=6).collect());
}

/// An answer is good, or bad because it breaks the rules, or merely a pity: legal but overlooks a win, or
/// fails on input that the contest itself never sends.
#[test]
fn answers_are_weighed() {
    let positions = one_by_one().unwrap();
    let judge = |name: &str, stdout: &str| {
        let position = positions.iter().find(|p| p.name == name).unwrap();
        match position.judge(&answered(stdout)) {
            Worth::Good(text) => format!("good: {text}"),
            Worth::Pity(text) => format!("pity: {text}"),
            Worth::Bad(fault) => format!("bad: {fault}"),
        }
    };
    insta::assert_snapshot!(judge("a win in one", "2 35 37 keys\n"), @r#"good: answered "2 35 37 keys""#);
    insta::assert_snapshot!(judge("a win in one", "2 35 33\n"), @r#"pity: answered "2 35 33", but 2 35 37 keys wins"#);
    insta::assert_snapshot!(judge("a win in one", ""), @"pity: answered nothing, but 2 35 37 keys wins");
    insta::assert_snapshot!(judge("an only move", "2 9 7\n"), @r#"good: answered "2 9 7""#);
    insta::assert_snapshot!(judge("an only move", ""), @"bad: illegal: answered nothing: a turn cannot be ended before its first action while an action is legal");
    insta::assert_snapshot!(judge("an only move", "2 9 6\n"), @r#"bad: illegal: answered "2 9 6": from 9 that move leads to 7, not to 6"#);
    insta::assert_snapshot!(judge("a hand without cards", "1 5 9 hat\n"), @r#"bad: illegal: answered "1 5 9 hat": the player holds no hat"#);
    let sloppy = "CR LF, and blanks at the ends of lines";
    insta::assert_snapshot!(judge(sloppy, "what?"), @r#"pity: another system may send such input: malformed: line 1, column 1: expected a player from 1 to 6, found "what?"; it wrote "what?""#);
}

/// The questions and lines of a check, in order.
#[derive(Default)]
struct Seen {
    /// Number and total of each question, its name, and the lines told before.
    asked: Vec<(usize, usize, &'static str, usize)>,
    told: Vec<&'static str>,
}

impl Watch for Seen {
    fn asks(&mut self, number: usize, of: usize, question: &'static str) {
        self.asked.push((number, of, question, self.told.len()));
    }

    fn tells(&mut self, line: &Line) {
        self.told.push(line.name);
    }
}

/// If a program fails in every call, the report has one cause for all failed checks, with the input and the
/// error output of each call.
#[test]
fn a_program_that_fails_is_seen_through() {
    let folder = tempfile::tempdir().unwrap();
    write_script(
        &folder.path().join("runme"),
        "cat > /dev/null; echo oh no >&2; exit 3",
    );
    let options = Options {
        time: Duration::from_secs(1000),
        warm_up: Duration::from_secs(1000),
        memory: None,
        confinement: None,
    };
    let program = Program::find(folder.path()).unwrap();
    let mut seen = Seen::default();
    let report = check(&program, &options, &mut seen).unwrap();
    assert!(!report.passed);
    let names: Vec<_> = report.lines.iter().map(|line| line.name).collect();
    assert_eq!(seen.told, names);
    // Every question is announced with its number, before the line about its answer.
    let numbers: Vec<_> = seen.asked.iter().map(|asked| (asked.0, asked.1)).collect();
    let expected: Vec<_> = (1..=14).map(|number| (number, 14)).collect();
    assert_eq!(numbers, expected);
    let lines: Vec<_> = (0..12).map(|line| (names[line], line)).collect();
    let first: Vec<_> = seen.asked[..12]
        .iter()
        .map(|asked| (asked.2, asked.3))
        .collect();
    assert_eq!(first, lines);
    assert_eq!(report.causes.len(), 1, "{:?}", report.causes);
    let mut failed = 0;
    for line in report.lines {
        if line.verdict == Verdict::Failed {
            failed += 1;
            assert_eq!(line.detail, "crash: ended with exit status: 3: oh no");
            assert_eq!(line.cause, Some(1));
            let mut call = line.call.unwrap();
            assert_eq!(call.errors, "oh no\n");
            assert!(!may_lack_files(&line.detail, Some(&call)));
            call.errors = "bot: Permission denied\n".to_owned();
            assert!(may_lack_files(&line.detail, Some(&call)));
            assert!(parse(call.sent.as_bytes()).is_ok());
        }
    }
    // All calls fail: the first one, and every position except the carelessly written one.
    assert_eq!(failed, 1 + 10 + 2);
    assert_eq!(report.causes[0].checks.len(), failed);
}

/// No test of its own: the helper starts this test binary again with this name as its filter, and that
/// process becomes a supervisor.
#[test]
fn a_test_that_supervises() {
    arena::process::testing::supervise();
}
