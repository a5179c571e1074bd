//! Tests that hostile programs can neither read nor change what is not theirs, nor escape their limits.
//!
//! Each program is told where its victim is. So it can try more than an attacker that has to search first.

use super::programs::{CONTEST, Command, Process, command, says, scratch, write_script};
use arena::process::testing::{Mock, impatient, patient, text};
use arena::process::{
    Abilities, Confinement, Excess, Limits, Program, Run, Workspace, hide_this_process,
};
use std::fs;
use std::net::TcpListener;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use tempfile::TempDir;

fn confined(limits: Limits) -> Limits {
    Limits {
        confinement: Some(Confinement {
            readable: Vec::new(),
            port: None,
        }),
        ..limits
    }
}

/// Whether this kernel lacks what confinement needs, so that there is nothing to test; prints a line then.
fn is_impossible() -> bool {
    let abilities = Abilities::of_this_system();
    if !abilities.are_whole() {
        eprintln!("not tested: {abilities}");
    }
    !abilities.are_whole()
}

/// The targets of an attack: another program's copy, files of the organizer, a process, a port.
struct Scene {
    home: TempDir,
    victim: Workspace,
    _original: Mock,
    bystander: Process,
    port: TcpListener,
}

impl Scene {
    fn new() -> Scene {
        let original = Mock::new("echo victim");
        let home = tempfile::tempdir().unwrap();
        fs::write(home.path().join("tournament.json"), "the seed is 7").unwrap();
        Scene {
            victim: Workspace::new(&original.program()).unwrap(),
            _original: original,
            bystander: Command::new("sleep").arg("1000").spawn().unwrap(),
            port: TcpListener::bind("127.0.0.1:0").unwrap(),
            home,
        }
    }

    /// The state of all targets, which an attack must not change.
    fn state(&mut self) -> Vec<String> {
        let mut state = listing(self.victim.folder());
        state.extend(listing(self.home.path()));
        let ended = self.bystander.try_wait().unwrap();
        state.push(format!("bystander ended: {}", ended.is_some()));
        let process = format!("/proc/{}", self.bystander.id());
        state.push(fs::read_to_string(format!("{process}/limits")).unwrap());
        let status = fs::read_to_string(format!("{process}/status")).unwrap();
        let cores = status
            .lines()
            .find(|line| line.starts_with("Cpus_allowed:"));
        state.push(cores.unwrap().to_owned());
        // The priority and the niceness, neither of which changes by itself.
        let stat = fs::read_to_string(format!("{process}/stat")).unwrap();
        state.extend(stat.split(' ').skip(17).take(2).map(str::to_owned));
        self.port.set_nonblocking(true).unwrap();
        state.push(format!("connected: {}", self.port.accept().is_ok()));
        state
    }

    /// Runs a script as a confined program. Its environment says where the targets are.
    fn attack(&self, script: &str, limits: Limits) -> (Run, Workspace) {
        let attacker = tempfile::tempdir().unwrap();
        write_script(&attacker.path().join("runme"), script);
        let mut program = Program::find(attacker.path()).unwrap();
        let port = self.port.local_addr().unwrap().port();
        for (name, value) in [
            ("VICTIM", self.victim.folder().display().to_string()),
            ("ORGANIZER", self.home.path().display().to_string()),
            ("BYSTANDER", self.bystander.id().to_string()),
            ("REFEREE", std::process::id().to_string()),
            ("PORT", port.to_string()),
        ] {
            program = program.with_variable(name, value);
        }
        let workspace = Workspace::new(&program).unwrap();
        let run = workspace.run(b"", &confined(limits)).unwrap();
        (run, workspace)
    }
}

/// Names, modes and contents of all files below a folder.
fn listing(folder: &Path) -> Vec<String> {
    use std::os::unix::fs::PermissionsExt;
    let mut lines = Vec::new();
    let mut waiting: Vec<PathBuf> = vec![folder.into()];
    while let Some(path) = waiting.pop() {
        let metadata = fs::symlink_metadata(&path).unwrap();
        let contents = fs::read(&path).unwrap_or_default();
        let mode = metadata.permissions().mode();
        lines.push(format!("{} {mode:o} {contents:?}", path.display()));
        if metadata.is_dir() {
            waiting.extend(fs::read_dir(&path).unwrap().map(|e| e.unwrap().path()));
        }
    }
    lines.sort();
    lines
}

/// Whatever a program tries, nothing that belongs to others changes.
#[test]
fn nobody_elses_files_and_processes_are_touched() {
    if is_impossible() {
        return;
    }
    let mut scene = Scene::new();
    let before = scene.state();
    for script in [
        "echo 'echo stolen' > $VICTIM/runme",
        "rm -f $VICTIM/runme",
        "rm -rf $VICTIM; touch $VICTIM",
        "mv $VICTIM/runme support/",
        "chmod 000 $VICTIM/runme; chmod -R a-x $VICTIM; : > $VICTIM/runme",
        "chmod 000 $VICTIM $ORGANIZER; chown 1:1 $VICTIM/runme",
        "echo x > $VICTIM/support/x; mkdir $VICTIM/support",
        "echo x > $ORGANIZER/new; echo x >> $ORGANIZER/tournament.json",
        "touch -d 1999-01-01 $ORGANIZER/tournament.json; truncate -s 0 $ORGANIZER/tournament.json",
        "ln -s $ORGANIZER support/way && echo x > support/way/new",
        "ln $ORGANIZER/tournament.json support/same && echo x >> support/same",
        "cd support; mkdir a; cd a; echo x > ../../../../../../../../$ORGANIZER/new",
        "kill -9 $BYSTANDER; kill -TERM $BYSTANDER; kill -STOP $BYSTANDER",
        "exec 3<>/dev/tcp/127.0.0.1/$PORT; echo hello >&3",
        "bash -c 'exec 3<>/dev/tcp/127.0.0.1/$PORT; echo hello >&3'",
        "(sleep 0; echo x > $VICTIM/runme) & wait",
        "setsid sh -c 'echo x > $VICTIM/runme; kill -9 $BYSTANDER'",
        "prlimit --pid $BYSTANDER --cpu=1 --nofile=7; taskset -p 1 $BYSTANDER; renice 19 -p $BYSTANDER",
        "renice 19 -u $(id -u); ionice -c3 -p $BYSTANDER",
        "exec 3< runme; python3 -c 'import os; os.fchmod(3, 0)'",
        "echo x > /tmp/contest-hostile-was-here && echo x > $ORGANIZER/new",
    ] {
        let (run, _) = scene.attack(script, patient());
        assert!(!run.timed_out, "{script}");
        assert_eq!(scene.state(), before, "{script}");
    }
    assert!(!Path::new("/tmp/contest-hostile-was-here").exists());
    let run = scene.victim.run(b"", &confined(patient())).unwrap();
    assert_eq!(text(&run.stdout), "victim\n");
}

/// A program can read nothing of the organizer's: neither the seed, nor files that the referee has open, nor
/// the referee's memory.
#[test]
fn nobody_elses_secrets_are_read() {
    if is_impossible() {
        return;
    }
    hide_this_process();
    let scene = Scene::new();
    for script in [
        "cat $ORGANIZER/tournament.json",
        "cp $ORGANIZER/tournament.json support/; cat support/tournament.json",
        "ln -s $ORGANIZER/tournament.json support/l; cat support/l",
        "cat $VICTIM/runme",
        "ls $VICTIM $ORGANIZER $(dirname $VICTIM) $(dirname $(dirname $VICTIM))",
        "cat /proc/$REFEREE/environ; readlink /proc/$REFEREE/fd/* /proc/$REFEREE/exe; cat /proc/$REFEREE/maps; \
         ls /proc/$REFEREE/cwd/",
        "cat /proc/$REFEREE/fd/* < /dev/null",
        "ls -A ~root; ls -A /home; ls -A /root; ls -A /dev/shm",
        "exec 3<> $ORGANIZER/tournament.json && flock -n 3 && echo locked",
        "exec 3< $VICTIM/runme && flock -n 3 && echo locked",
    ] {
        let (run, _) = scene.attack(script, patient());
        assert_eq!(text(&run.stdout), "", "{script}");
    }
}

/// A program can use its own folders, but not change its own code.
#[test]
fn a_program_has_what_is_its_own() {
    if is_impossible() {
        return;
    }
    let scene = Scene::new();
    let script = "set -e; mkdir -p support/cache; echo 1 > support/cache/a; cat support/cache/a; \
         f=$(mktemp); echo 2 > $f; cat $f; rm $f; echo 3 > $HOME/x; cat $HOME/x; \
         tail -n1 runme > /dev/null; echo 4 | awk '{ print }'; ls > /dev/null; ls /proc/self/fd > /dev/null; \
         head -c4 /dev/urandom > /dev/null; (echo 5) | cat; pwd > /dev/null";
    let (run, _) = scene.attack(script, patient());
    assert_eq!(text(&run.stderr_tail), "");
    assert_eq!(text(&run.stdout), "1\n2\n3\n4\n5\n");
    for script in [
        "echo changed >> runme",
        "rm runme",
        "chmod 000 runme",
        "python3 -c 'import os; os.fchmod(os.open(\"runme\", 0), 0)'",
        "d=$PWD; cd /; rm -rf $d; touch $d",
        "mv support old; mv runme other; touch new",
    ] {
        let (_, workspace) = scene.attack(script, patient());
        let files = listing(workspace.folder());
        assert_eq!(files.len(), 3, "{script}: {files:?}");
        assert!(files.iter().any(|file| file.contains("/runme 100755")));
    }
}

/// A program that does not end, writes without end or leaves a process behind is ended.
#[test]
fn nothing_goes_on_for_ever() {
    if is_impossible() {
        return;
    }
    let scene = Scene::new();
    let (run, _) = scene.attack("mkfifo support/f; cat support/f", impatient());
    assert!(run.timed_out);
    let (run, _) = scene.attack("yes", patient());
    assert!(run.stdout_cut);
    let (run, _) = scene.attack("setsid sleep 1000 > /dev/null 2>&1 & echo done", patient());
    assert_eq!((text(&run.stdout), run.leftovers), ("done\n", 1));
    let many = "i=0; while [ $i -lt 40 ]; do sleep 1000 > /dev/null 2>&1 & i=$((i + 1)); done";
    let (run, _) = scene.attack(many, patient());
    assert_eq!(run.leftovers, 40);
    let (run, _) = scene.attack("ulimit -f; ulimit -c; ulimit -n", patient());
    let limits: Vec<u64> = text(&run.stdout)
        .lines()
        .map(|l| l.parse().unwrap())
        .collect();
    assert!(
        limits[0] <= 2 << 20 && limits[1] == 0 && limits[2] <= 1024,
        "{limits:?}"
    );
}

/// A program that starts processes without end is ended with all of them, also if these leave its group.
#[test]
fn processes_without_end_are_ended() {
    for script in [
        "while :; do sleep 1000 & done",
        "while :; do setsid sleep 1000 & done",
        "while :; do (sleep 1000 &) ; done",
    ] {
        for isolate in [true, false] {
            let mock = Mock::new(script);
            let limits = match isolate {
                true => confined(patient()),
                false => patient(),
            };
            let limits = Limits {
                processes: 50,
                ..limits
            };
            let run = mock.run_with(b"", &limits);
            assert_eq!(run.excess, Some(Excess::Processes), "{script}");
        }
    }
    // A program may start a few processes.
    let mock = Mock::new("for i in 1 2 3 4 5; do sleep 0.1 & done; wait; echo done");
    let run = mock.run();
    assert_eq!((run.excess, text(&run.stdout)), (None, "done\n"));
}

/// Processes of one program can share memory and semaphores, as Python's `multiprocessing` does. Other
/// programs cannot reach them.
#[test]
fn shared_memory_is_a_programs_own() {
    let works =
        |command: &mut Command| command.output().is_ok_and(|output| output.status.success());
    let can_mount = works(Command::new("unshare").args(["-Urm", "true"]));
    let is_there = Path::new("/dev/shm").is_dir() && works(Command::new("python3").arg("-V"));
    if is_impossible() || !can_mount || !is_there {
        return eprintln!("not tested: no python3, no /dev/shm, or no mounts of one's own");
    }
    let script = "python3 -c '
import multiprocessing
from multiprocessing.shared_memory import SharedMemory
memory = SharedMemory(\"contest-hostile\", create=True, size=4096)
memory.buf[0] = 7
with multiprocessing.get_context(\"fork\").Pool(2) as pool:
    same = SharedMemory(\"contest-hostile\")
    print(sum(pool.map(abs, [-1, 2])), same.buf[0])
same.close()
memory.unlink()' 2>&1 | tail -n 1 >&2; exit 1";
    let games = played_by_contest(script);
    assert_eq!(games.matches("\"errors\":\"3 7\\n\"").count(), 2, "{games}");
    assert!(!Path::new("/dev/shm/contest-hostile").exists());
}

/// The records of two games by `contest` of a program that is this script. Supervisors inside the tests have several
/// threads, and a process with several threads cannot enter a new user namespace as an ordinary user.
fn played_by_contest(script: &str) -> String {
    let place = tempfile::tempdir().unwrap();
    write_script(&place.path().join("bot/runme"), script);
    let output = Command::new(CONTEST)
        .current_dir(place.path())
        .words("cartagena match bot builtin:random --games 2")
        .args(["--isolate", "require", "--record", "games.jsonl"])
        .output()
        .unwrap();
    let games = fs::read_to_string(place.path().join("games.jsonl"));
    games.unwrap_or_else(|_| panic!("{output:?}"))
}

/// The other tests of this file also pass for an ordinary user, whose referee has fewer rights than root's.
#[test]
fn an_ordinary_users_referee_is_as_safe() {
    use rustix::process::{Gid, Uid, geteuid};
    const NOBODY: u32 = 65_534;
    let place = tempfile::tempdir().unwrap();
    let as_nobody = |program: &Path| {
        let mut command = Command::new("setpriv");
        let ids = ["--reuid", "--regid"].map(|id| format!("{id}={NOBODY}"));
        command
            .args(ids)
            .args(["--clear-groups", "--"])
            .arg(program);
        for name in ["TMPDIR", "HOME"] {
            command.env(name, place.path());
        }
        command
    };
    let own = std::env::current_exe().unwrap();
    let can_start = |program: &Path| as_nobody(program).arg("--help").output();
    let can_start = |program| can_start(program).is_ok_and(|output| output.status.success());
    if !geteuid().is_root() || !can_start(&own) || !can_start(Path::new(CONTEST)) {
        return eprintln!(
            "not tested: only root becomes somebody else, who can start these programs"
        );
    }
    let (user, group) = (Uid::from_raw(NOBODY), Gid::from_raw(NOBODY));
    rustix::fs::chown(place.path(), Some(user), Some(group)).unwrap();
    let output = as_nobody(&own)
        .args(["hostile::", "--skip", "an_ordinary_users_referee"])
        .output()
        .unwrap();
    let told = String::from_utf8_lossy(&output.stdout);
    assert!(
        output.status.success() && told.contains("0 failed"),
        "{told}"
    );
    assert!(!told.contains(" 0 passed"), "{told}");
}

/// A program that fills its folders, with files, bytes or nested folders, is ended before the disk is full.
#[test]
fn full_folders_end_their_program() {
    if is_impossible() {
        return;
    }
    let scene = Scene::new();
    for fill in [
        "cd $TMPDIR; i=0; while :; do : > $i; i=$((i + 1)); done",
        "cd support; truncate -s 900M a b; while :; do :; done",
        "cd $TMPDIR; for i in $(seq 200); do mkdir d && cd -P d; done; while :; do :; done",
        // Removed files take room until they are closed.
        "cd $TMPDIR; exec 3>a 4>b; truncate -s 900M a b; rm a b; while :; do :; done",
        // This is too quick to be noticed while it happens.
        "truncate -s 900M support/a $TMPDIR/b",
    ] {
        let (run, _) = scene.attack(fill, patient());
        assert_eq!(run.excess, Some(Excess::Files), "{fill}: {run:?}");
    }
    // An ordinary user cannot list this folder, so what is in it cannot be counted.
    let hidden =
        "mkdir -m 300 $TMPDIR/d; truncate -s 900M $TMPDIR/d/a $TMPDIR/d/b; while :; do :; done";
    let (run, _) = scene.attack(hidden, patient());
    assert!(
        matches!(run.excess, Some(Excess::Files | Excess::Hidden)),
        "{run:?}"
    );
}

/// Files that are neither open nor in a folder still take room while they are mapped.
#[test]
fn mapped_files_without_a_name_end_their_program() {
    if is_impossible() || Command::new("python3").arg("-V").output().is_err() {
        return eprintln!("not tested");
    }
    let (run, _) = Scene::new().attack(
        "cd $TMPDIR; exec python3 -c '
import ctypes, os, signal
READ, SHARED, SIZE = 1, 1, 900 << 20
for name in [\"a\", \"b\"]:
    with open(name, \"w+b\") as file:
        file.truncate(SIZE)
        ctypes.CDLL(None).mmap(None, ctypes.c_size_t(SIZE), READ, SHARED, file.fileno(), ctypes.c_long(0))
    os.remove(name)
signal.pause()'",
        patient(),
    );
    assert_eq!(run.excess, Some(Excess::Files), "{run:?}");
}

/// The limit on processes counts threads as well.
#[test]
fn threads_without_end_end_their_program() {
    if Command::new("python3").arg("-V").output().is_err() {
        return eprintln!("no python3: not tested");
    }
    let mock = Mock::new(
        "exec python3 -c '
import signal, threading
for _ in range(60):
    threading.Thread(target=threading.Event().wait, daemon=True).start()
signal.pause()'",
    );
    let limits = Limits {
        processes: 10,
        ..patient()
    };
    let run = mock.run_with(b"", &limits);
    assert_eq!(run.excess, Some(Excess::Processes));
}

/// A process goes on as long as one of its threads does. Without its first thread, which looks as if all had ended, it
/// counts with its threads and its memory, and is a process left behind.
#[test]
fn a_process_without_its_first_thread_is_seen() {
    if Command::new("python3").arg("-V").output().is_err() {
        return eprintln!("no python3: not tested");
    }
    // The number of the call exit(2), which ends one thread.
    let exit = if cfg!(target_arch = "x86_64") { 60 } else { 93 };
    let without_first = |deed: &str| {
        format!(
            "exec python3 -c '
import ctypes, os, signal, threading
def deed():
    {deed}
    signal.pause()
def leave():
    for _ in range(2):
        threading.Thread(target=deed).start()
    ctypes.CDLL(None).syscall({exit}, 0)
CALL
'"
        )
    };
    let run = |deed: &str, limits: &Limits| {
        let script = without_first(deed).replace("CALL", "leave()");
        Mock::new(&script).run_with(b"", limits)
    };
    let few = Limits {
        processes: 10,
        ..patient()
    };
    let many = "[threading.Thread(target=threading.Event().wait).start() for _ in range(60)]";
    assert_eq!(run(many, &few).excess, Some(Excess::Processes));
    let small = Limits {
        memory: Some(64 << 20),
        ..patient()
    };
    let held = run("pages = bytearray(80 << 20)", &small);
    assert!(matches!(held.excess, Some(Excess::Memory { .. })));
    // The parent ends when the child has no first thread any more.
    let ended =
        "while open(\"/proc/self/stat\").read().rsplit(\")\", 1)[1].split()[0] != \"Z\": pass
    if first.acquire(blocking=False): os.close(tells)";
    let left = without_first(ended).replace(
        "CALL",
        "first = threading.Lock()
told, tells = os.pipe()
if os.fork() == 0:
    leave()
os.close(tells)
os.read(told, 1)",
    );
    let run = Mock::new(&left).run();
    assert_eq!(run.leftovers, 1, "{run:?}");
}

/// Where an ordinary user can make a namespace, the kernel itself limits a program's threads: one that only starts
/// processes could else fill the system's table of them between two looks.
#[test]
fn the_kernel_limits_an_ordinary_users_programs() {
    let namespace = Command::new("unshare").args(["--user", "true"]).output();
    let is_possible = namespace.is_ok_and(|tried| tried.status.success());
    if is_impossible() || rustix::process::geteuid().is_root() || !is_possible {
        return eprintln!("not tested");
    }
    let games = played_by_contest("grep 'Max processes' /proc/self/limits >&2; exit 3");
    says(&games, "Max processes             1040 ");
}

/// A program inherits no open file and hardly any variable, so it cannot learn anything from them.
#[test]
fn nothing_is_inherited_by_accident() {
    if is_impossible() {
        return;
    }
    let (folder, secret) = scratch("secret");
    fs::write(&secret, "the seed is 7").unwrap();
    let runme = folder.path().join("bot/runme");
    let is_open = "[ -e /proc/$$/fd/5 ] || [ -e /proc/$$/fd/9 ]";
    write_script(
        &runme,
        &format!("if {is_open}; then echo open; else echo closed; fi"),
    );
    let record = folder.path().join("games.jsonl");
    // The shell leaves a secret file open for the match, under two descriptors.
    for isolate in ["require", "none"] {
        let script = "exec 5<\"$1\" 9<\"$1\"; shift; exec \"$@\"";
        let output = Command::new("bash")
            .args(["-c", script, "sh"])
            .arg(&secret)
            .args([CONTEST, "cartagena", "match", "builtin:greedy"])
            .arg(folder.path().join("bot"))
            .args(["--games", "2", "--isolate", isolate, "--record"])
            .arg(&record)
            .output()
            .unwrap();
        let told = fs::read_to_string(&record).unwrap_or_else(|_| panic!("{output:?}"));
        assert!(told.contains("closed") && !told.contains("open"), "{told}");
        fs::remove_file(&record).unwrap();
    }

    let mock = Mock::new("env | cut -d= -f1 | sort; echo $HOME; echo $TMPDIR; echo $MINE");
    let program = mock.program().with_variable("MINE", "given");
    let workspace = Workspace::new(&program).unwrap();
    let run = workspace.run(b"", &confined(patient())).unwrap();
    let lines: Vec<&str> = text(&run.stdout).lines().collect();
    let (names, values) = lines.split_at(lines.len() - 3);
    let expected = [
        "HOME", "LANG", "LANGUAGE", "MINE", "MOCK", "OLDPWD", "PATH", "PWD", "SHLVL", "TMPDIR",
        "TZ", "_",
    ];
    for name in names {
        assert!(expected.contains(name) || name.starts_with("LC_"), "{name}");
    }
    assert!(names.contains(&"PATH"), "{names:?}");
    assert_eq!(values[0], values[1]);
    assert!(Path::new(values[0]).is_absolute() && values[2] == "given");
}

/// If a program cannot be confined, it is not started. This is an error of the organizer's system, and no
/// crash of the program.
#[test]
fn what_cannot_be_confined_is_not_started() {
    if is_impossible() {
        return;
    }
    let mock = Mock::new("touch support/started");
    let workspace = Workspace::new(&mock.program()).unwrap();
    let mut limits = confined(patient());
    // No rule of the confinement can be about a socket, so confining fails.
    let readable = &mut limits.confinement.as_mut().unwrap().readable;
    readable.push("/proc/self/fd/0".into());
    let error = workspace.run(b"", &limits).unwrap_err();
    let told = error.to_string();
    assert!(
        told.starts_with("a program cannot be confined (--isolate): "),
        "{told}"
    );
    assert_eq!(error.kind(), std::io::ErrorKind::Other);
    assert!(!workspace.folder().join("support/started").exists());
    workspace.run(b"", &confined(patient())).unwrap();
    assert!(workspace.folder().join("support/started").exists());
}

/// A process is charged to the program that started it, whatever group it joins and whatever folder it
/// enters, also while another program runs.
#[test]
fn an_orphan_cannot_be_another_programs() {
    if Command::new("python3").arg("-V").output().is_err() {
        return eprintln!("no python3: not tested");
    }
    // The child joins every group that it can, and enters the victim's folder.
    let stray = "
import os
told, tells = os.pipe()
if os.fork() == 0:
    HIDE
    for process in filter(str.isdigit, os.listdir('/proc')):
        try:
            os.setpgid(0, os.getpgid(int(process)))
        except OSError:
            pass
    os.chdir(os.environ['VICTIM'])
    os.execve('/bin/sleep', ['sleep', '1000'], {})
os.close(tells)
# Closed when the other one is loaded.
os.read(told, 1)
";
    for (hide, isolate) in [
        ("pass", false),
        ("os.setsid()", false),
        ("pass", true),
        ("os.setsid()", true),
    ] {
        if isolate && is_impossible() {
            continue;
        }
        let limits = |limits| match isolate {
            true => confined(limits),
            false => limits,
        };
        let scene = tempfile::tempdir().unwrap();
        let victim = Mock::new("while [ ! -e over ]; do :; done; echo victim");
        let victim = Workspace::new(&victim.program()).unwrap();
        let attacker = scene.path().join("runme");
        let body = stray.replace("HIDE", hide);
        write_script(&attacker, &format!("exec python3 - <<'END'\n{body}\nEND"));
        let attacker = Program::find(scene.path()).unwrap();
        let attacker = attacker.with_variable("VICTIM", victim.folder());
        let attacker = Workspace::new(&attacker).unwrap();
        std::thread::scope(|scope| {
            let honest = scope.spawn(|| victim.run(b"", &limits(patient())).unwrap());
            let run = attacker.run(b"", &limits(patient())).unwrap();
            assert_eq!(
                run.leftovers,
                1,
                "{hide} {isolate}: {}",
                text(&run.stderr_tail)
            );
            assert!(run.status.success(), "{}", text(&run.stderr_tail));
            fs::write(victim.folder().join("over"), "").unwrap();
            let honest = honest.join().unwrap();
            assert_eq!((text(&honest.stdout), honest.leftovers), ("victim\n", 0));
        });
    }
}

/// A first process that dies slowly, because it has much memory, does not hide a child that outlives it.
#[test]
fn a_slow_death_hides_nobody() {
    if Command::new("python3").arg("-V").output().is_err() {
        return eprintln!("no python3: not tested");
    }
    let mock = Mock::new(
        "exec python3 -c '
import os, signal
pages = bytearray(400 << 20)
if os.fork() == 0:
    os.setsid()
    signal.pause()
print(len(pages))'",
    );
    let run = mock.run();
    assert_eq!((text(&run.stdout), run.leftovers), ("419430400\n", 1));
}

/// A program that plays as a client reaches its referee's port, and nothing else.
#[test]
fn a_client_reaches_its_referee_alone() {
    if !Abilities::with_a_port().are_whole() {
        eprintln!("not tested: {}", Abilities::with_a_port());
        return;
    }
    let own = TcpListener::bind("127.0.0.1:0").unwrap();
    let other = TcpListener::bind("127.0.0.1:0").unwrap();
    let [own_port, other_port] = [&own, &other].map(|port| port.local_addr().unwrap().port());
    let mock = Mock::new(&format!(
        "cat > support/a.py <<END
import socket
def attempt(name, what):
    try:
        what()
        print(name, 'works', flush=True)
    except OSError as error:
        print(name, 'fails', flush=True)
def to(port, *kind):
    s = socket.socket(*kind)
    s.connect(('127.0.0.1', port))
def listen(*kind):
    s = socket.socket(*kind)
    s.listen()
def bind():
    socket.socket().bind(('127.0.0.1', 0))
def fast():
    socket.socket().sendto(b'x', 0x20000000, ('127.0.0.1', {other_port}))
attempt('own', lambda: to({own_port}))
attempt('other', lambda: to({other_port}))
attempt('udp', lambda: to({own_port}, socket.AF_INET, socket.SOCK_DGRAM))
attempt('unix', lambda: socket.socket(socket.AF_UNIX))
attempt('multi', lambda: to({other_port}, socket.AF_INET, socket.SOCK_STREAM, 262))
attempt('listen', lambda: listen())
attempt('bind', bind)
attempt('fast', fast)
END
python3 support/a.py"
    ));
    let workspace = Workspace::new(&mock.program()).unwrap();
    let mut limits = confined(patient());
    limits.confinement.as_mut().unwrap().port = Some(own_port);
    let run = workspace.run(b"", &limits).unwrap();
    let told = text(&run.stdout);
    let works: Vec<&str> = told
        .lines()
        .filter(|line| line.ends_with("works"))
        .collect();
    assert_eq!(works, ["own works"], "{told}{}", text(&run.stderr_tail));
    assert_eq!(told.lines().count(), 8, "{told}");
    other.set_nonblocking(true).unwrap();
    assert!(other.accept().is_err());
}

/// A confined program reaches nobody by what all processes of a machine or a user share, and keeps the cores that it
/// was given. Pairs of streams, which some languages need to run, work.
#[test]
fn nothing_shared_leads_to_others() {
    if is_impossible() || Command::new("python3").arg("-V").output().is_err() {
        return eprintln!("not tested");
    }
    let mock = Mock::new(
        "cat > support/a.py <<END
import ctypes, errno, fcntl, os, socket
libc = ctypes.CDLL(None, use_errno=True)
def attempt(name, what):
    try:
        what()
        print(name, end=' ')
    except OSError as error:
        assert error.errno == errno.EACCES, error
def shared(name, first=12345):
    ctypes.set_errno(0)
    getattr(libc, name)(first, 0, 0, 0)
    if ctypes.get_errno() == errno.EACCES:
        raise OSError(errno.EACCES, name)
attempt('pair', socket.socketpair)
attempt('datagrams', lambda: socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM))
attempt('raw', lambda: socket.socketpair(socket.AF_UNIX, socket.SOCK_RAW))
attempt('tipc', lambda: socket.socketpair(30, socket.SOCK_STREAM))
for name in ['shmat', 'shmctl', 'semop', 'semctl', 'msgsnd', 'msgrcv', 'msgctl']:
    attempt(name, lambda: shared(name))
PR_SET_DUMPABLE = 4
attempt('hidden', lambda: shared('prctl', PR_SET_DUMPABLE))
attempt('cores', lambda: os.sched_setaffinity(0, os.sched_getaffinity(0)))
attempt('memfd', lambda: os.memfd_create('x'))
attempt('files', lambda: socket.socketpair()[0].sendmsg([b'x']))
attempt('cache', lambda: os.posix_fadvise(0, 0, 0, os.POSIX_FADV_DONTNEED))
def watched(name):
    ctypes.set_errno(0)
    if getattr(libc, name)(0, 0) < 0:
        raise OSError(ctypes.get_errno(), name)
own = os.open('runme', os.O_RDONLY)
F_NOTIFY = 1026
attempt('lease', lambda: fcntl.fcntl(own, fcntl.F_SETLEASE, fcntl.F_RDLCK))
attempt('notices', lambda: fcntl.fcntl(os.open('.', os.O_RDONLY), F_NOTIFY, 1))
attempt('inotify', lambda: watched('inotify_init'))
attempt('inotify1', lambda: watched('inotify_init1'))
attempt('fanotify', lambda: watched('fanotify_init'))
attempt('name', lambda: socket.socketpair()[0].bind(chr(0) + 'my hand'))
attempt('locks', lambda: fcntl.flock(own, fcntl.LOCK_SH))
END
python3 support/a.py",
    );
    let workspace = Workspace::new(&mock.program()).unwrap();
    for (cores, memory, works) in [
        (None, None, "pair cores memfd locks "),
        (Some(vec![0]), Some(1 << 30), "pair locks "),
    ] {
        let limits = Limits {
            cores,
            memory,
            ..confined(patient())
        };
        let run = workspace.run(b"", &limits).unwrap();
        assert_eq!(text(&run.stdout), works, "{}", text(&run.stderr_tail));
    }
}

/// The limit on memory is for all processes of a program together, even if each of them is small.
#[test]
fn a_confined_program_has_little_memory() {
    if is_impossible() {
        return;
    }
    let scene = Scene::new();
    let limits = Limits {
        memory: Some(64 << 20),
        ..patient()
    };
    let fill = "x=$(head -c 10000000 /dev/zero | tr '\\0' x)";
    let (run, _) = scene.attack(
        &format!("{fill}; while :; do :; done"),
        Limits {
            kill: std::time::Duration::from_millis(500),
            ..limits.clone()
        },
    );
    assert!(run.timed_out && run.excess.is_none(), "{run:?}");
    let many = format!("for i in 1 2 3 4 5 6 7 8; do ({fill}; while :; do :; done) & done; wait");
    let (run, _) = scene.attack(&many, limits);
    assert!(matches!(run.excess, Some(Excess::Memory { .. })));
}

/// A tournament of a victim and a thief, run without isolation.
struct Robbery {
    place: TempDir,
}

impl Robbery {
    /// The thief runs `deed` early in a game for each other copy that it finds; `$1` is that copy's folder.
    fn new(deed: &str) -> Robbery {
        let place = tempfile::tempdir().unwrap();
        let player = command("runme", "--nodes 20 --threads 1 --support none --seed 1");
        let path = |name: &str| place.path().join(name).join("runme");
        write_script(&path("victim"), &format!("exec {player}"));
        let thief = format!(
            "history=$(cat)
             steps=$(echo \"$history\" | grep -c '^[0-9]* [0-9]* [0-9]')
             deed() {{ {deed}; }}
             if [ $steps -ge 1 ] && [ $steps -le 5 ]; then
                 chmod u+rwx $TMPDIR/contest-*
                 for copy in $TMPDIR/contest-*/*; do
                     case $copy in $PWD) ;; *) [ -e $copy/runme ] && deed $copy ;; esac
                 done
             fi
             echo \"$history\" | exec {player}"
        );
        write_script(&path("thief"), &thief);
        fs::create_dir(place.path().join("tmp")).unwrap();
        Robbery { place }
    }

    /// Plays two games; returns the exit status, the messages, and the recorded games.
    fn play(&self, first: &str, second: &str) -> (Option<i32>, String, String) {
        let path = |name: &str| self.place.path().join(name);
        let output = Command::new(CONTEST)
            .args(["cartagena", "tournament", "--games", "2", "--time", "100"])
            .args(["--isolate", "none", "--jobs", "1", "--seed", "7", "--out"])
            .args([path("out"), path(first), path(second)])
            .env("TMPDIR", path("tmp"))
            .output()
            .unwrap();
        let told = String::from_utf8(output.stderr).unwrap();
        let games = fs::read_to_string(path("out/games.jsonl")).unwrap_or_default();
        (output.status.code(), told, games)
    }
}

/// Without isolation, a program that changes another one's copy is found before that one plays again. The
/// game counts for nobody, and the programs that may have done it are named.
#[test]
fn a_changed_opponent_is_found() {
    for (deed, change) in [
        ("echo 'echo stolen' > $1/runme", "runme was changed"),
        ("rm $1/runme", "runme is gone"),
        (
            "mv $1/runme $1/old; ln -s old $1/runme",
            "runme was changed",
        ),
        ("chmod a-x $1/runme", "runme was changed"),
        ("echo stolen > $1/new", "new is new"),
        ("rm -r $1; echo > $1", "its folder is gone"),
    ] {
        let robbery = Robbery::new(deed);
        for (first, second) in [("thief", "victim"), ("victim", "thief")] {
            let (status, told, games) = robbery.play(first, second);
            assert_eq!(status, Some(1), "{deed}: {told}");
            let game = "is void, and nothing of it is recorded: somebody has changed the files of victim: ";
            assert!(
                told.contains(game) && told.contains(change),
                "{deed}: {told}"
            );
            assert!(
                told.contains("since they were last correct thief has run"),
                "{deed}: {told}"
            );
            assert_eq!(games, "", "{deed}");
            fs::remove_dir_all(robbery.place.path().join("out")).unwrap();
        }
    }
}

/// A link from an entry to the organizer's files is reported before the first game, even if it appears only
/// during the call in which a program may build itself. The referee follows no such link.
#[test]
fn links_out_of_an_entry_are_refused() {
    let player = command("runme", "--nodes 20 --threads 1 --support none --seed 1");
    let place = tempfile::tempdir().unwrap();
    let path = |name: &str| place.path().join(name);
    write_script(&path("victim/runme"), &format!("exec {player}"));
    fs::write(path("secret"), "the seed is 7").unwrap();
    let secret = path("secret").display().to_string();
    let tournament = |isolate: &str| {
        let output = Command::new(CONTEST)
            .args(["cartagena", "tournament", "--games", "2", "--time", "100"])
            .args(["--isolate", isolate, "--seed", "7", "--out"])
            .args([path("out"), path("thief"), path("victim")])
            .output()
            .unwrap();
        let told = String::from_utf8(output.stderr).unwrap();
        let games = fs::read_to_string(path("out/games.jsonl")).unwrap_or_default();
        let _ = fs::remove_dir_all(path("out"));
        (output.status.code(), told, games)
    };
    let isolations = match is_impossible() {
        true => &["none"][..],
        false => &["require", "best", "none"],
    };
    let delivered = |name: &str, target: &str| {
        write_script(&path("thief/runme"), &format!("exec {player}"));
        fs::create_dir_all(path("thief").join(name).parent().unwrap()).unwrap();
        symlink(target, path("thief").join(name)).unwrap();
    };
    let planted = |name: &str, target: &str| {
        let plant = format!("[ -e ready ] || {{ touch ready; ln -s {target} {name}; exit 1; }}");
        write_script(&path("thief/runme"), &format!("{plant}; exec {player}"));
    };
    type Delivery<'a> = (&'a str, &'a dyn Fn(&str, &str));
    let deliveries: [Delivery; 2] = [("delivered", &delivered), ("planted", &planted)];
    for isolate in isolations {
        for (how, deliver) in deliveries {
            for (name, target) in [
                ("support", "/proc/self/cwd"),
                ("key", &*secret),
                ("data/key", "../../secret"),
                ("participant.toml", &*secret),
                ("target", "/etc"),
            ] {
                if how == "planted" && name.contains('/') {
                    continue;
                }
                deliver(name, target);
                let (status, told, games) = tournament(isolate);
                let what = format!("{name}, {how}, --isolate {isolate}: {told}");
                assert!(matches!(status, Some(1 | 2)), "{what}");
                assert!(told.contains(&format!("thief/{name}")), "{what}");
                assert!(!told.contains("the seed is 7"), "{what}");
                assert_eq!(games, "", "{what}");
                let output = Command::new(CONTEST)
                    .args(["cartagena", "check", "--isolate", isolate])
                    .arg(path("thief"))
                    .output()
                    .unwrap();
                let told = String::from_utf8(output.stderr).unwrap();
                assert!(told.contains(&format!("thief/{name}")), "{what}: {told}");
                fs::remove_dir_all(path("thief")).unwrap();
            }
        }
    }
}

/// A program that changes itself is charged with it. New files beside its own are no change.
#[test]
fn a_program_that_changes_itself_is_at_fault() {
    for deed in [
        "echo >> $PWD/runme",
        "rm $PWD/runme",
        "mv $PWD/runme $PWD/old; ln -s old $PWD/runme",
    ] {
        let (status, told, games) = Robbery::new(deed).play("victim", "thief");
        assert_eq!(status, Some(0), "{deed}: {told}");
        let lines: Vec<&str> = games.lines().collect();
        assert_eq!(lines.len(), 2, "{deed}: {told}");
        for line in lines {
            let fault = "\"kind\":\"crash\",\"detail\":\"changed its own files: runme ";
            assert!(line.contains(fault), "{deed}: {line}");
            let thief = 1 + usize::from(line.contains("\"players\":[\"victim\""));
            says(line, format!("\"winner\":{}", 3 - thief));
        }
    }
    let (status, told, games) =
        Robbery::new("echo >> $PWD/log; mkdir -p $PWD/more; date > $PWD/more/log")
            .play("victim", "thief");
    assert_eq!((status, games.lines().count()), (Some(0), 2), "{told}");
    assert!(!games.contains("\"faults\""), "{games}");
}

/// A program that cannot be started counts as crashed, and the message says why.
#[test]
fn a_program_that_is_none_is_told() {
    let folder = tempfile::tempdir().unwrap();
    write_script(&folder.path().join("runme"), "");
    fs::write(folder.path().join("runme"), "#!/no/such/interpreter\n").unwrap();
    let program = Program::find(folder.path()).unwrap();
    let workspace = Workspace::new(&program).unwrap();
    for limits in [patient(), confined(patient())] {
        let error = workspace.run(b"", &limits).unwrap_err();
        assert_eq!(error.kind(), std::io::ErrorKind::NotFound);
        let told = error.to_string();
        says(&told, "cannot start");
        says(&told, "runme");
    }
}
