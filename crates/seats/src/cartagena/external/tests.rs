//! How the referee reads a program's run: its action, or the fault with its text; and a program that answers as a
//! seat.

use super::*;
use arena::process::Program;
use arena::process::testing::{answered, scratch, write_script};
use cartagena::boards;
use cartagena::player::Question;
use cartagena::record::GameRecord;
use cartagena::view::View;
use cartagena::world::World;
use engine::rng;
use std::fs;
use std::os::unix::process::ExitStatusExt;
use std::process::ExitStatus;
use std::time::Duration;

/// A new game of three players, in which player 2 (seat 1) is asked.
fn game() -> Game {
    Game::new(boards::standard(&mut rng::stream(1, 0)), 3)
}

fn told(run: &Run) -> String {
    match judge(run, &game(), 1) {
        Ok(action) => action.to_string(),
        Err(fault) => fault.to_string(),
    }
}

#[test]
fn answers_are_read() {
    for text in ["2 9 7\n", "2 9 7", "\r\n 2  9 7 \r\n\n"] {
        assert_eq!(told(&answered(text)), "9 7");
    }
    assert_eq!(told(&answered("2 0 37 Key\n")), "0 37 keys");
    assert_eq!(told(&answered("")), "pass");
    assert_eq!(told(&answered(" \n\n")), "pass");
}

#[test]
fn what_is_no_answer_is_told() {
    let told = |text| told(&answered(text));
    insta::assert_snapshot!(told("hello\n"), @r#"malformed: line 1, column 1: expected a player from 1 to 6, found "hello"; it wrote "hello\n""#);
    insta::assert_snapshot!(told("2 9 7\n2 7 3\n"), @r#"malformed: line 2, column 1: expected nothing after the first line (one action only), found "2"; it wrote "2 9 7\n2 7 3\n""#);
    insta::assert_snapshot!(told("2 9 7 hat\n"), @r#"malformed: answered "2 9 7 hat": a retreat from 9 to 7 plays no card"#);
    insta::assert_snapshot!(told("2 9 37\n"), @r#"malformed: answered "2 9 37": an advance into the boat must name its card"#);
    insta::assert_snapshot!(told("2 9 9\n"), @r#"illegal: answered "2 9 9": a move from 9 to 9 goes nowhere"#);
    insta::assert_snapshot!(told("2 9 38 hat\n"), @r#"illegal: answered "2 9 38 hat": place 38 lies beyond the boat at 37"#);
    insta::assert_snapshot!(told("3 9 7\n"), @r#"illegal: answered "3 9 7": it is player 2's turn"#);
    insta::assert_snapshot!(told("4 9 7\n"), @r#"illegal: answered "4 9 7": there is no player 4, only 3"#);
}

#[test]
fn other_faults_are_told() {
    let good = answered("2 9 7\n");
    let crashed = Run {
        status: ExitStatus::from_raw(3 << 8),
        stderr_tail: b"Traceback\nIndexError: 7\n\n".into(),
        ..good.clone()
    };
    insta::assert_snapshot!(told(&crashed), @"crash: ended with exit status: 3: IndexError: 7");
    let killed = Run {
        status: ExitStatus::from_raw(11),
        ..good.clone()
    };
    insta::assert_snapshot!(told(&killed), @"crash: ended with signal: 11 (SIGSEGV)");
    let leftovers = Run {
        leftovers: 2,
        ..good.clone()
    };
    insta::assert_snapshot!(told(&leftovers), @"lingering: left 2 processes behind");
    let endless = Run {
        timed_out: true,
        ..good.clone()
    };
    insta::assert_snapshot!(told(&endless), @"timeout: did not end and was ended after 1.500 s, though it had answered");
    let silent = Run {
        stdout: Vec::new(),
        ..endless
    };
    insta::assert_snapshot!(told(&silent), @"timeout: did not end and was ended after 1.500 s, without an answer");
    let cut = Run {
        stdout_cut: true,
        status: ExitStatus::from_raw(9),
        ..good.clone()
    };
    insta::assert_snapshot!(told(&cut), @"malformed: wrote more than 6 bytes and was ended");
    let late = Run {
        late_after: Duration::from_secs(1),
        ..good.clone()
    };
    insta::assert_snapshot!(told(&late), @"late: took 1.500 s, 0.500 s too long");
    let unanswered = Run {
        stdout: Vec::new(),
        unanswered: true,
        ..good.clone()
    };
    insta::assert_snapshot!(told(&unanswered), @"crash: ended before it answered");
}

#[test]
fn a_seat_is_a_program() {
    let folder = tempfile::tempdir().unwrap();
    let script = "cat > got; echo hm >&2; echo 1 5 3";
    write_script(&folder.path().join("runme"), script);
    let game = game();
    let world = World::deal(&game, 3, rng::stream(1, 1));
    let view = View::of(world.state(), 0);
    let record = GameRecord {
        players: 3,
        board: game.board.clone(),
        moves: Vec::new(),
        to_move: 0,
        hand: view.hand.iter().collect(),
    };
    let question = Question {
        game: &game,
        record: &record,
        view: &view,
        open: None,
    };
    let program = Program::find(folder.path()).unwrap();
    let copy = Workspace::new(&program).unwrap();
    let own = copy.folder().to_owned();
    let mut seat = in_copy(copy, Limits::default());
    let answer = seat(&question, None).unwrap();
    let expected = Action::Retreat { from: 5, to: 3 };
    assert_eq!(answer.reply, Ok(expected));
    assert_eq!((&*answer.output, &*answer.errors), ("1 5 3\n", "hm\n"));
    assert!(answer.usage.nanos > 0 && answer.usage.peak_bytes > Some(0));
    let got = fs::read_to_string(own.join("got")).unwrap();
    assert_eq!(got, notation::print(&record));
}

#[test]
fn what_cannot_be_started_is_a_crash() {
    for script in ["#!/nowhere/at/all\n", "no program", "\x7fELF and more"] {
        let (folder, path) = scratch("runme");
        write_script(&path, "");
        fs::write(&path, script).unwrap();
        let program = Program::find(folder.path()).unwrap();
        let workspace = Workspace::new(&program).unwrap();
        let fault = call(&workspace, b"", &Limits::default())
            .unwrap()
            .unwrap_err();
        assert_eq!(fault.kind, FaultKind::Crash);
        assert!(fault.detail.starts_with("cannot start /"), "{fault}");
    }
}

#[test]
fn a_test_that_supervises() {
    arena::process::testing::supervise();
}
