//! Caches between calls change speed, never legality, and never standard output.

use super::answers::table;
use super::positions::{Position, moment};
use super::{Run, in_time, is_late, once, program, run, start};
use cartagena::rules::Action;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use tempfile::TempDir;

/// Enough to look two actions ahead, so that there is something to keep.
const NODES: &str = "60000";

/// A separate folder for a test, in memory if possible: the program waits only briefly for a slow disk, and other
/// tests may keep the disk busy.
fn folder() -> TempDir {
    tempfile::tempdir_in("/dev/shm")
        .or_else(|_| tempfile::tempdir())
        .unwrap()
}

/// Whether standard error is empty, or has only the complaint about a slow disk.
fn quiet(run: &Run) -> bool {
    run.stderr.is_empty() || slow(run)
}

fn slow(run: &Run) -> bool {
    run.stderr == "runme: not saved: the disk is too slow\n"
}

/// The program with the caches in a folder.
fn with(support: &Path) -> Command {
    with_nodes(support, NODES)
}

fn with_nodes(support: &Path, nodes: &str) -> Command {
    let mut command = program();
    command.args(["--threads", "1", "--nodes", nodes, "--support"]);
    command.arg(support);
    command
}

/// A turn in which the program has answered the first action, and has a choice at the second. The position `second`
/// follows from its own answer.
struct Turn {
    support: TempDir,
    first: Position,
    second: Position,
}

impl Turn {
    /// A turn whose first action the program has just answered.
    fn begun(seed: u64) -> Turn {
        (0..100)
            .find_map(|i| Turn::try_begin(seed + 1000 * i))
            .unwrap()
    }

    fn try_begin(seed: u64) -> Option<Turn> {
        let first = moment(seed, 2 + seed as usize % 3, 3);
        if first.state().taken > 0 {
            return None;
        }
        let support = folder();
        let run = run(&mut with(support.path()), first.input());
        assert!(quiet(&run), "{run:?}");
        if slow(&run) {
            return None;
        }
        let mut second = first.clone();
        second.take(first.answer(&run));
        let open = second.legal().len() > 1 && second.state().taken == 1;
        // Where one action is clearly best no later position was tried, and there is nothing to keep.
        let kept = !caches(support.path()).is_empty();
        (open && kept).then_some(Turn {
            support,
            first,
            second,
        })
    }

    /// The one cache file.
    fn file(&self) -> PathBuf {
        let files = caches(self.support.path());
        assert_eq!(files.len(), 1, "{files:?}");
        files[0].clone()
    }

    /// Asks for the second action, which must be answered with at most one complaint.
    fn answer(&self) -> Run {
        answered(&self.second, self.support.path())
    }
}

/// The files that hold a turn.
fn caches(support: &Path) -> Vec<PathBuf> {
    let Ok(entries) = fs::read_dir(support.join("cache")) else {
        return Vec::new();
    };
    entries
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|e| e == "bin"))
        .collect()
}

/// One legal action, and at most one line about whatever is wrong with the folder.
fn answered(position: &Position, support: &Path) -> Run {
    let run = run(&mut with(support), position.input());
    position.answer(&run);
    assert!(run.complaints().len() <= 1, "{}", run.stderr);
    assert!(!run.stderr.contains("panicked"), "{}", run.stderr);
    run
}

/// Rollouts of all candidates in the table that `--explain` prints.
fn rollouts(run: &Run) -> u64 {
    run.stderr
        .lines()
        .skip_while(|line| !line.contains("rollouts"))
        .skip(1)
        .take_while(|line| !line.is_empty())
        .map(|line| {
            let fields = line.split_whitespace().skip_while(|f| !f.contains('%'));
            fields
                .filter(|f| !f.contains('%'))
                .find_map(|f| f.parse::<u64>().ok())
                .unwrap()
        })
        .sum()
}

/// With a single node to spend, nearly all that is known at the second action is what the first one left.
#[test]
fn the_second_action_goes_on_from_the_first() {
    for seed in 0..6 {
        let turn = Turn::begun(seed);
        let explained = |support: &Path| {
            let mut command = with_nodes(support, "1");
            let run = run(command.arg("--explain"), turn.second.input());
            turn.second.answer(&run);
            run
        };
        let warm = explained(turn.support.path());
        let cold = explained(folder().path());
        let (remembered, fresh) = (rollouts(&warm), rollouts(&cold));
        assert!(remembered > fresh, "{remembered} and {fresh} rollouts");
    }
}

#[test]
fn a_turn_that_is_over_is_forgotten() {
    let mut asked = 0;
    for seed in 10..16 {
        let turn = Turn::begun(seed);
        let mut position = turn.second.clone();
        while position.state().to_move == turn.first.state().to_move
            && position.state().winner().is_none()
            && position.legal().len() > 1
        {
            let last = position.state().actions_left() == 1;
            let run = answered(&position, turn.support.path());
            assert!(quiet(&run), "{run:?}");
            position.take(position.answer(&run));
            asked += usize::from(last);
            assert!(!last || slow(&run) || caches(turn.support.path()).is_empty());
        }
    }
    assert!(asked >= 4, "only {asked} turns came to their end");
}

#[test]
fn a_deleted_cache_is_made_again() {
    let turn = Turn::begun(20);
    fs::remove_dir_all(turn.support.path().join("cache")).unwrap();
    let run = turn.answer();
    assert!(quiet(&run), "{run:?}");
    assert!(slow(&run) || turn.file().is_file());
}

#[test]
fn a_damaged_cache_is_discarded() {
    let turn = Turn::begun(21);
    let file = turn.file();
    let whole = fs::read(&file).unwrap();
    let flip = |at: usize| {
        let mut bytes = whole.clone();
        bytes[at] ^= 0x41;
        bytes
    };
    let mut damaged: Vec<Vec<u8>> = [0, 1, 8, 40, whole.len() / 2, whole.len() - 1]
        .map(|length| whole[..length].to_vec())
        .into();
    damaged.extend([0, 5, 9, 13, 30, whole.len() / 2, whole.len() - 1].map(flip));
    damaged.push(b"something else\n".repeat(1000));
    damaged.push([&whole[..], &whole].concat());
    damaged.push(vec![0xFF; whole.len()]);
    for bytes in damaged {
        // A late run has discarded the file, too, so it is damaged anew for each.
        let run = in_time(|| {
            fs::write(&file, &bytes).unwrap();
            once(&mut with(turn.support.path()), turn.second.input())
        });
        turn.second.answer(&run);
        let line = format!("runme: discarded {}: ", file.display());
        assert!(
            run.stderr.starts_with(&line),
            "{} bytes: {}",
            bytes.len(),
            run.stderr
        );
    }
    fs::write(&file, &whole).unwrap();
    assert!(quiet(&turn.answer()), "the whole file is fine");
}

/// One file serves all turns of a game and seat, so the cache of an earlier turn must not be used.
#[test]
fn a_cache_of_another_turn_does_not_apply() {
    let turn = Turn::begun(22);
    let seat = turn.first.state().to_move;
    let mut later = turn.first.clone();
    loop {
        later.take(later.legal().first().copied().unwrap_or(Action::Pass));
        assert_eq!(later.state().winner(), None);
        let state = later.state();
        if state.to_move == seat && state.taken == 0 && later.legal().len() > 1 {
            break;
        }
    }
    let explained = |support: &Path| {
        let mut command = with_nodes(support, "60");
        run(command.arg("--explain"), later.input())
    };
    turn.file();
    let warm = explained(turn.support.path());
    later.answer(&warm);
    let cold = explained(folder().path());
    assert_eq!(warm.stdout, cold.stdout);
    assert_eq!(table(&warm.stderr), table(&cold.stderr));
}

#[test]
fn places_that_hold_no_files() {
    let turn = Turn::begun(23);
    let elsewhere = folder();
    let at = |name: &str| elsewhere.path().join(name);

    fs::write(at("a file"), "not a folder").unwrap();
    assert_eq!(answered(&turn.second, &at("a file")).complaints().len(), 1);

    fs::create_dir(at("blocked")).unwrap();
    fs::write(at("blocked/cache"), "not a folder").unwrap();
    assert_eq!(answered(&turn.second, &at("blocked")).complaints().len(), 1);

    fs::create_dir_all(at("locked/cache/lock")).unwrap();
    assert_eq!(answered(&turn.second, &at("locked")).complaints().len(), 1);

    // A folder has the cache's own name.
    let name = turn.file().file_name().unwrap().to_owned();
    fs::create_dir_all(at("taken/cache").join(&name)).unwrap();
    assert_eq!(answered(&turn.second, &at("taken")).complaints().len(), 1);
}

/// Places in which not even root can create a file.
#[cfg(target_os = "linux")]
#[test]
fn places_nobody_can_write_to() {
    let turn = Turn::begun(24);
    for folder in ["/proc/self/fd", "/dev/null"] {
        let run = answered(&turn.second, Path::new(folder));
        assert_eq!(run.complaints().len(), 1, "{run:?}");
    }
}

/// A default folder that cannot be written is not reported at every call, only with --explain.
#[cfg(target_os = "linux")]
#[test]
fn the_usual_place_may_be_out_of_reach() {
    let turn = Turn::begun(26);
    let home = folder();
    // Not even root can write there.
    std::os::unix::fs::symlink("/proc/self/fd", home.path().join("support")).unwrap();
    let call = |options: &[&str]| {
        let mut command = program();
        command
            .args(["--threads", "1", "--nodes", NODES])
            .args(options);
        run(command.env("RUNME_HOME", home.path()), turn.second.input())
    };
    let quiet = call(&[]);
    turn.second.answer(&quiet);
    assert_eq!(quiet.stderr, "");
    let told = call(&["--explain"]).stderr;
    assert_eq!(told.matches("runme: cannot ").count(), 1, "{told}");
    // A folder that the caller names is reported at once.
    let named = home.path().join("support");
    assert_eq!(answered(&turn.second, &named).complaints().len(), 1);
}

#[cfg(unix)]
#[test]
fn a_folder_that_may_only_be_read() {
    use std::os::unix::fs::PermissionsExt;
    let turn = Turn::begun(25);
    let cache = turn.support.path().join("cache");
    fs::set_permissions(&cache, fs::Permissions::from_mode(0o555)).unwrap();
    // Root may write there all the same, so a complaint is allowed and not required.
    answered(&turn.second, turn.support.path());
    fs::set_permissions(&cache, fs::Permissions::from_mode(0o755)).unwrap();
    assert!(quiet(&turn.answer()));
}

#[test]
fn many_processes_at_once() {
    let turn = Turn::begun(26);
    let others: Vec<Position> = (300..303).map(|seed| moment(seed, 3, 6)).collect();
    let positions: Vec<&Position> = [&turn.second, &turn.first]
        .into_iter()
        .chain(&others)
        .collect();
    for _ in 0..3 {
        let running: Vec<_> = (0..8)
            .map(|i| {
                let position = positions[i % positions.len()];
                let child = start(&mut with(turn.support.path()), position.input());
                (position, child)
            })
            .collect();
        for (position, child) in running {
            let run: Run = child.wait_with_output().unwrap().into();
            position.answer(&run);
            let is_told = quiet(&run) || run.stderr.contains("another process");
            let is_expected = is_told && run.complaints().len() <= 1;
            assert!(is_expected || is_late(&run), "{}", run.stderr);
        }
    }
    assert!(quiet(&turn.answer()), "nothing is broken afterwards");
}

/// A cache is renamed into place and never synced: a process inside fsync cannot exit before the
/// disk answers.
#[cfg(target_os = "linux")]
#[test]
fn a_cache_is_not_synced() {
    let works = Command::new("strace")
        .args(["-o", "/dev/null", "true"])
        .output()
        .is_ok_and(|output| output.status.success());
    if !works {
        eprintln!("skipped: no strace that may trace");
        return;
    }
    let turn = Turn::begun(28);
    let elsewhere = folder();
    let trace = elsewhere.path().join("trace");
    let support = elsewhere.path().join("support");
    fs::create_dir(&support).unwrap();
    // strace shows the renames and syncs of the program and of all its threads.
    let mut command = Command::new("strace");
    command
        .args([
            "-f",
            "-e",
            "trace=/rename.*,fsync,fdatasync,sync_file_range",
        ])
        .arg("-o")
        .arg(&trace)
        .arg(env!("CARGO_BIN_EXE_runme"))
        .args(["--threads", "1", "--nodes", NODES, "--support"])
        .arg(&support)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let run = run(&mut command, turn.first.input());
    turn.first.answer(&run);
    assert!(slow(&run) || caches(&support).len() == 1, "{run:?}");
    let trace = fs::read_to_string(trace).unwrap();
    assert!(slow(&run) || trace.contains("rename"), "{trace}");
    assert!(!trace.contains("sync"), "{trace}");
}

/// The system kills a process that writes beyond its limit on file sizes and does not handle the signal.
#[cfg(unix)]
#[test]
fn a_limit_on_files_costs_the_cache_and_not_the_process() {
    let turn = Turn::begun(11);
    let before = caches(turn.support.path());
    fs::remove_dir_all(turn.support.path().join("cache")).unwrap();
    let mut shell = with(turn.support.path());
    let limited = {
        let mut command = Command::new("sh");
        command.args(["-c", "ulimit -f 0; exec \"$0\" \"$@\""]);
        command.arg(shell.get_program()).args(shell.get_args());
        command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        run(&mut command, turn.first.input())
    };
    turn.first.answer(&limited);
    assert!(limited.stderr.contains("(ulimit -f)"), "{limited:?}");
    assert_eq!(limited.code, Some(0));
    assert_eq!(caches(turn.support.path()), Vec::<PathBuf>::new());
    // Without the limit it is kept again.
    let free = run(&mut shell, turn.first.input());
    assert!(
        slow(&free) || caches(turn.support.path()) == before,
        "{free:?}"
    );
}

#[test]
fn none_leaves_no_trace() {
    let turn = Turn::begun(27);
    let before = fs::read(turn.file()).unwrap();
    let mut command = program();
    command
        .args(["--nodes", NODES, "--support", "none"])
        .env("RUNME_SUPPORT", turn.support.path());
    turn.second.answer(&run(&mut command, turn.second.input()));
    assert_eq!(fs::read(turn.file()).unwrap(), before);
    // The variable names the folder where the flag does not.
    let elsewhere = folder();
    let mut command = program();
    command
        .args(["--nodes", NODES])
        .env("RUNME_SUPPORT", elsewhere.path());
    let run = run(&mut command, turn.first.input());
    turn.first.answer(&run);
    assert!(slow(&run) || caches(elsewhere.path()).len() == 1);
}
