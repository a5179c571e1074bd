//! Programs that mean harm, kept away from whatever is not theirs.
//!
//! Each gets to know where the victim is: what is tried is more than an attacker could do that has to
//! search first.

use arena::process::testing::{Mock, impatient, patient, text, write_script};
use arena::process::{Abilities, Confinement, Limits, Program, Run, Workspace, hide_this_process};
use std::fs;
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Child, Command};
use tempfile::TempDir;

fn confined(limits: Limits) -> Limits {
    Limits {
        confinement: Some(Confinement {
            launcher: env!("CARGO_BIN_EXE_contest").into(),
            mode: vec!["confined".into()],
            readable: Vec::new(),
        }),
        ..limits
    }
}

/// Says so, and true, where a kernel cannot do what is to be tested.
fn is_impossible() -> bool {
    let abilities = Abilities::of_this_system();
    if !abilities.are_whole() {
        eprintln!("not tested: {abilities}");
    }
    !abilities.are_whole()
}

/// What attackers are after: another's copy, files of the organizer, a process.
struct Scene {
    home: TempDir,
    victim: Workspace,
    _original: Mock,
    bystander: Child,
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

    /// Everything that must not change or be touched.
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
        // The priority and the niceness, of which nothing changes by itself.
        let stat = fs::read_to_string(format!("{process}/stat")).unwrap();
        state.extend(stat.split(' ').skip(17).take(2).map(str::to_owned));
        self.port.set_nonblocking(true).unwrap();
        state.push(format!("connected: {}", self.port.accept().is_ok()));
        state
    }

    /// Lets a script try, with what it needs to know in its environment.
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

impl Drop for Scene {
    fn drop(&mut self) {
        let _ = self.bystander.kill();
        let _ = self.bystander.wait();
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

/// Nothing of anybody else's changes, whatever is tried.
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

/// Nothing of the organizer's is read: not the seed, not what the referee has open or holds in memory.
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
        "ls -A ~root; ls -A /home; ls -A /root",
    ] {
        let (run, _) = scene.attack(script, patient());
        assert_eq!(text(&run.stdout), "", "{script}");
    }
}

/// What is its own it has, and its own files stay what they were.
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

/// What does not end, writes for ever or leaves something running is ended.
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

/// A limit on memory is the program's own.
#[test]
fn a_confined_program_has_little_memory() {
    if is_impossible() {
        return;
    }
    let scene = Scene::new();
    let limits = Limits {
        memory: Some(16 << 20),
        ..patient()
    };
    let (run, _) = scene.attack("ulimit -v", limits);
    assert_eq!(text(&run.stdout), "16384\n", "{}", text(&run.stderr_tail));
}

/// What cannot be started says so, and is a program that crashed.
#[test]
fn a_program_that_is_none_is_told() {
    let folder = tempfile::tempdir().unwrap();
    write_script(&folder.path().join("runme"), "");
    let program = Program::find(folder.path()).unwrap();
    let workspace = Workspace::new(&program).unwrap();
    fs::write(workspace.folder().join("runme"), "#!/no/such/interpreter\n").unwrap();
    let run = workspace.run(b"", &confined(patient())).unwrap();
    assert!(!run.status.success());
    let told = text(&run.stderr_tail);
    assert!(
        told.contains("cannot start") && told.contains("runme"),
        "{told}"
    );
}
