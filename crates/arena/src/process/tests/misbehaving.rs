//! Every call of a program ends and is reported correctly, whatever the program does: it hangs, crashes,
//! floods, leaves children behind or kills its supervisor.

use super::super::testing::{Command, Mock, impatient, patient, text};
use super::super::{Excess, Limits, Program, Workspace};
use rustix::process::Pid;
use std::fs;
use std::os::unix::process::ExitStatusExt;
use std::thread;
use std::time::Duration;

#[test]
fn a_program_answers() {
    let mock = Mock::new("echo thinking >&2; cat");
    let run = mock.run_with(b"1 0 3 hat\n", &patient());
    assert_eq!(text(&run.stdout), "1 0 3 hat\n");
    assert_eq!(text(&run.stderr_tail), "thinking\n");
    assert!(run.status.success());
    assert!(!run.stdout_cut && !run.timed_out && run.excess.is_none());
    assert_eq!(run.leftovers, 0);
    assert!(run.peak_memory > 100_000, "{}", run.peak_memory);
    assert!(!run.wall.is_zero());
}

/// A run says by how much it was late, but being late does not end the program.
#[test]
fn lateness_is_told_and_ends_nothing() {
    let limits = Limits {
        late: Duration::ZERO,
        ..patient()
    };
    let run = Mock::new("echo well").run_with(b"", &limits);
    assert_eq!(text(&run.stdout), "well\n");
    assert_eq!(run.late_by(), Some(run.wall));
    assert_eq!(Mock::new("").run_with(b"", &patient()).late_by(), None);
}

#[test]
fn a_program_says_nothing() {
    let run = Mock::new("cat > /dev/null").run_with(b"input", &patient());
    assert!(run.status.success());
    assert_eq!(text(&run.stdout), "");
}

#[test]
fn the_end_of_standard_error_is_kept() {
    let mock = Mock::new("head -c 1000000 /dev/zero | tr '\\0' e >&2; printf end >&2; echo ok");
    let run = mock.run();
    assert_eq!(text(&run.stdout), "ok\n");
    assert_eq!(run.stderr_tail.len(), 8192);
    assert!(text(&run.stderr_tail).ends_with("eeeend"));
}

#[test]
fn a_program_sleeps() {
    let run = Mock::new("exec sleep 1000").run_with(b"", &impatient());
    assert!(run.timed_out);
    assert_eq!(run.status.signal(), Some(9));
    let run = Mock::new("sleep 1000; sleep 1000").run_with(b"", &impatient());
    assert!(run.timed_out);
}

#[test]
fn a_program_answers_and_hangs() {
    let limits = Limits {
        kill: Duration::from_secs(2),
        ..patient()
    };
    let run = Mock::new("echo answer; exec sleep 1000").run_with(b"", &limits);
    assert!(run.timed_out);
    assert_eq!(text(&run.stdout), "answer\n");
}

#[test]
fn a_program_crashes() {
    let run = Mock::new("echo half; exit 3").run();
    assert_eq!(run.status.code(), Some(3));
    assert_eq!(text(&run.stdout), "half\n");
    let run = Mock::new("kill -SEGV $$").run();
    assert_eq!(run.status.signal(), Some(11));
    assert!(!run.timed_out);
}

#[test]
fn a_child_stays() {
    let run = Mock::new("sleep 1000 & echo ok").run();
    assert_eq!((run.leftovers, text(&run.stdout)), (1, "ok\n"));
    assert!(run.status.success() && !run.timed_out);
    let run = Mock::new("sleep 1000 > /dev/null 2>&1 & echo ok").run();
    assert_eq!((run.leftovers, text(&run.stdout)), (1, "ok\n"));
    let run = Mock::new("sleep 1000 & wait").run_with(b"", &impatient());
    assert_eq!((run.leftovers, run.timed_out), (0, true));
}

#[test]
fn a_child_leaves_the_group() {
    // The child has a session of its own, holds the output, and exists before its parent ends. It makes the
    // file `there` to say so.
    let wait = "while [ ! -e there ]; do :; done; echo ok";
    let script = format!("setsid sh -c ': > there; exec sleep 1000' & {wait}");
    let run = Mock::new(&script).run();
    assert_eq!((run.leftovers, text(&run.stdout)), (1, "ok\n"));
    // The same with a child whose parent has ended already, and which has a child itself.
    let script = format!("setsid sh -c '(sleep 1000 & : > there; sleep 1000; :) &'; {wait}");
    let run = Mock::new(&script).run();
    assert_eq!((run.leftovers, text(&run.stdout)), (3, "ok\n"));
    // A child without the environment, but still in the program's folder.
    let script = format!("env -i /usr/bin/setsid sh -c ': > there; exec sleep 1000' & {wait}");
    let run = Mock::new(&script).run();
    assert_eq!((run.leftovers, text(&run.stdout)), (1, "ok\n"));
}

/// The child leaves its session, its environment and its folder. It is found all the same, since it descends
/// from its program.
#[test]
fn a_child_hides_altogether() {
    let mock = Mock::new(
        r#"env -i setsid sh -c 'cd /; : > "$0/there"; exec sleep 1000' "$PWD" > /dev/null 2>&1 &
        while [ ! -e there ]; do :; done; echo ok"#,
    );
    let run = mock.run();
    assert_eq!((text(&run.stdout), run.leftovers), ("ok\n", 1));
    // The leftover process is not charged to the next call.
    let run = Mock::new("echo ok").run();
    assert_eq!((text(&run.stdout), run.leftovers), ("ok\n", 0));
}

/// A program that kills its supervisor is ended by the referee with all its children, and the honest program
/// that runs beside it notices nothing.
#[test]
fn a_program_ends_its_supervisor() {
    let honest = Mock::new("while [ ! -e \"$AT\" ]; do :; done; echo ok");
    let mock = Mock::new("setsid sleep 1000 & kill -KILL $PPID; sleep 1000");
    let workspace = Workspace::new(&mock.program()).unwrap();
    let there = workspace.folder().join("there");
    let honest_copy = Workspace::new(&honest.program().with_variable("AT", &there)).unwrap();
    thread::scope(|scope| {
        let honest = scope.spawn(|| honest_copy.run(b"", &patient()).unwrap());
        let run = workspace.run(b"", &patient()).unwrap();
        fs::write(&there, "").unwrap();
        assert_eq!(run.status.signal(), Some(9));
        assert!(run.leftovers >= 2, "{}", run.leftovers);
        let honest = honest.join().unwrap();
        assert_eq!((text(&honest.stdout), honest.leftovers), ("ok\n", 0));
    });
    mock.assert_gone();
    honest.assert_gone();
}

#[test]
fn a_program_writes_without_end() {
    let run = Mock::new("yes | head -c 1000000000").run();
    assert!(run.stdout_cut && !run.timed_out);
    assert_eq!(run.stdout.len(), 1 << 20);
    let run = Mock::new("exec yes").run();
    assert!(run.stdout_cut && !run.timed_out);
    assert_eq!(run.status.signal(), Some(9));
    let run = Mock::new("yes >&2 & yes >&2").run_with(b"", &impatient());
    assert!(run.timed_out);
}

#[test]
fn a_program_forks_and_forks() {
    let run =
        Mock::new("i=0; while [ $i -lt 200 ]; do sleep 1000 & i=$((i+1)); done; echo ok").run();
    assert_eq!((run.leftovers, text(&run.stdout)), (200, "ok\n"));
}

#[test]
fn a_program_reads_nothing() {
    let input = vec![b'x'; 10_000_000];
    let run = Mock::new("echo ok").run_with(&input, &patient());
    assert_eq!(text(&run.stdout), "ok\n");
    assert!(run.status.success());
    let run = Mock::new("exec sleep 1000").run_with(&input, &impatient());
    assert!(run.timed_out);
    let run = Mock::new("exec <&-; echo ok").run_with(&input, &patient());
    assert_eq!(text(&run.stdout), "ok\n");
}

#[test]
fn a_large_input_arrives_while_output_flows() {
    let input: Vec<u8> = (0..10_000_000u32).map(|i| (i % 251) as u8).collect();
    let limits = Limits {
        stdout_limit: usize::MAX,
        ..patient()
    };
    let run = Mock::new("tee /dev/stderr").run_with(&input, &limits);
    assert!(run.stdout == input, "{} bytes", run.stdout.len());
    assert!(run.stderr_tail == input[input.len() - 8192..]);
}

#[test]
fn a_program_closes_its_output() {
    let run = Mock::new("exec >&-; cat > /dev/null").run_with(b"input", &patient());
    assert!(run.status.success());
    assert_eq!(text(&run.stdout), "");
    let run = Mock::new("exec >&- 2>&-; exec sleep 1000").run_with(b"", &impatient());
    assert!(run.timed_out);
}

#[test]
fn memory_is_limited_and_measured() {
    let fill = "x=$(head -c 60000000 /dev/zero | tr '\\0' x); echo ${#x}";
    let hog = Mock::new(fill);
    let run = hog.run();
    assert_eq!(text(&run.stdout), "60000000\n");
    assert!(run.peak_memory > 60_000_000, "{}", run.peak_memory);
    assert!(!run.cpu.is_zero());
    let limits = Limits {
        memory: Some(40 << 20),
        ..patient()
    };
    // The referee looks at memory only now and then, so the program goes on until it is looked at.
    let run = Mock::new(&format!("{fill}; while :; do :; done")).run_with(b"", &limits);
    let most = 40 << 20;
    assert!(
        matches!(run.excess, Some(Excess::Memory { held, most: allowed }) if held > most && allowed == most),
        "{run:?}"
    );
    assert!(!run.status.success(), "{run:?}");
    let small = Mock::new("cat").run_with(b"ok", &limits);
    assert!(small.status.success(), "{}", text(&small.stderr_tail));
    assert_eq!(text(&small.stdout), "ok");
}

/// A program is kept on the cores it was given. Cores that do not exist are an error that names them.
#[test]
fn a_program_stays_on_its_cores() {
    let mock = Mock::new("grep Cpus_allowed_list /proc/self/status");
    let on = |cores| {
        let limits = Limits { cores, ..patient() };
        text(&mock.run_with(b"", &limits).stdout).to_string()
    };
    let all = on(None);
    assert_eq!(on(Some(vec![0])), "Cpus_allowed_list:\t0\n");
    assert_eq!(on(None), all, "the referee's own cores are as before");
    let workspace = Workspace::new(&mock.program()).unwrap();
    for core in [1020, 1_000_000] {
        let limits = Limits {
            cores: Some(vec![core]),
            ..patient()
        };
        let error = workspace.run(b"", &limits).unwrap_err();
        assert!(error.to_string().contains(&core.to_string()), "{error}");
    }
}

/// Leftover processes are charged to the program that started them, also when many programs run at once.
#[test]
fn many_run_at_once_and_each_answers_for_its_own() {
    thread::scope(|scope| {
        for count in 0..8 {
            scope.spawn(move || {
                let stay = "sleep 1000 & setsid sleep 1000 &".repeat(count);
                let mock = Mock::new(&format!("{stay} cat"));
                for _ in 0..3 {
                    let run = mock.run_with(b"input", &patient());
                    assert_eq!(run.leftovers, 2 * count);
                    assert_eq!(text(&run.stdout), "input");
                }
            });
        }
    });
}

/// Calls of one copy that run at the same time are each charged with their own leftover process only.
#[test]
fn two_in_one_workspace_are_told_apart() {
    let mock = Mock::new("setsid sleep 1000 & cat");
    let workspace = Workspace::new(&mock.program()).unwrap();
    thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                for _ in 0..3 {
                    let run = workspace.run(b"input", &patient()).unwrap();
                    assert_eq!(run.leftovers, 1);
                }
            });
        }
    });
    mock.assert_gone();
}

/// Calls in the same copy share one supervisor, which ends when the copy is dropped.
#[test]
fn a_supervisor_waits_for_the_next_call() {
    let mock = Mock::new("echo $PPID");
    let workspace = Workspace::new(&mock.program()).unwrap();
    let call = || text(&workspace.run(b"", &patient()).unwrap().stdout).to_owned();
    assert_eq!(call(), call());
    // A supervisor that was killed between two calls is replaced.
    let before = call();
    let ended = Pid::from_raw(before.trim().parse().unwrap()).unwrap();
    rustix::process::kill_process(ended, rustix::process::Signal::KILL).unwrap();
    assert_ne!(call(), before);
    assert!(!mock.is_forgotten());
    drop(workspace);
    assert!(mock.is_forgotten());
}

/// Calls leave no open files behind in the referee, whether they succeed, hang or cannot start.
#[test]
fn nothing_stays_open() {
    let open = || fs::read_dir("/proc/self/fd").unwrap().count();
    let (good, stays) = (Mock::new("cat"), Mock::new("sleep 1000 &"));
    let broken = Mock::new("");
    fs::write(broken.path().join("runme"), "#!/nowhere/at/all\n").unwrap();
    let before = open();
    for round in 0..200 {
        good.run_with(b"input", &patient());
        if round % 20 == 0 {
            stays.run();
            good.run_with(b"input", &impatient());
        }
        let workspace = Workspace::new(&broken.program()).unwrap();
        workspace.run(b"", &patient()).unwrap_err();
    }
    // Other tests of this process open files meanwhile, but not hundreds.
    let after = open();
    assert!(after < before + 100, "{before} before, {after} after");
}

#[test]
fn what_cannot_be_started_is_named() {
    let mock = Mock::new("");
    fs::write(mock.path().join("runme"), "#!/nowhere/at/all\n").unwrap();
    let error = mock.program().run_in_place(b"", &patient()).unwrap_err();
    let expected = format!("cannot start {}", mock.path().join("runme").display());
    assert!(error.to_string().starts_with(&expected), "{error}");
}

#[test]
fn a_program_has_its_variables() {
    let mock = Mock::new(r#"echo "$SETTING" "$HOME""#);
    let program = mock.program().with_variable("SETTING", "a  b");
    let run = program.run_in_place(b"", &patient()).unwrap();
    let home = std::env::var("HOME").unwrap_or_default();
    assert_eq!(text(&run.stdout), format!("a  b {home}\n"));
    let again = Program::find(mock.path()).unwrap();
    assert_eq!(
        again.with_variable("MOCK", "1").executable(),
        program.executable()
    );
}

/// Such a process has a new number whenever it is looked for, so that it cannot simply be killed by number.
#[test]
fn what_forks_and_exits_all_the_time_is_ended() {
    if Command::new("python3").arg("-V").output().is_err() {
        return eprintln!("no python3: not tested");
    }
    let mock = Mock::new(
        "exec python3 -c '
import os
for _ in range(20):
    if os.fork() == 0:
        os.setsid()
        while os.fork() == 0:
            pass
        os._exit(0)'",
    );
    let run = mock.run();
    assert!(run.status.success() && run.leftovers > 0, "{run:?}");
}
