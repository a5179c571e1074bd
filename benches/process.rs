//! What running a program costs beyond starting the process: the same shell script through a plain
//! `Command` and through a workspace.

use arena::process::{Limits, Program, Workspace, launch_by, supervise};
use criterion::{Criterion, criterion_group};
use std::env;
use std::fs;
use std::io::Write;
use std::os::unix::fs::PermissionsExt;
use std::process::{Command, Stdio};

const INPUT: &[u8] = include_bytes!("../tests/data/cartagena/interface-example.txt");

fn calls(criterion: &mut Criterion) {
    let folder = tempfile::tempdir().expect("a folder");
    let script = folder.path().join("runme");
    fs::write(&script, "#!/bin/sh\necho 1 0 1\n").expect("a script");
    fs::set_permissions(&script, fs::Permissions::from_mode(0o755)).expect("permissions");
    let program = Program::find(folder.path()).expect("a program");
    let workspace = Workspace::new(&program).expect("a workspace");
    let script = workspace.folder().join("runme");

    let mut group = criterion.benchmark_group("process");
    group.bench_function("plain", |bench| {
        bench.iter(|| {
            let mut child = Command::new(&script)
                .stdin(Stdio::piped())
                .stdout(Stdio::piped())
                .stderr(Stdio::piped())
                .spawn()
                .expect("a process");
            // The script does not read.
            let _ = child.stdin.take().map(|mut stdin| stdin.write_all(INPUT));
            child.wait_with_output().expect("an end")
        })
    });
    let limits = Limits::default();
    group.bench_function("workspace", |bench| {
        bench.iter(|| workspace.run(INPUT, &limits).expect("a run"))
    });
    let limited = Limits {
        memory: Some(1 << 30),
        cores: Some(vec![0]),
        ..Limits::default()
    };
    group.bench_function("limited", |bench| {
        bench.iter(|| workspace.run(INPUT, &limited).expect("a run"))
    });
    group.bench_function("new workspace", |bench| {
        bench.iter(|| Workspace::new(&program).expect("a workspace"))
    });
    group.finish();
}

criterion_group!(benches, calls);

/// With this word as its first argument the program is a supervisor.
const SUPERVISE: &str = "supervise";

fn main() {
    if env::args().nth(1).as_deref() == Some(SUPERVISE) {
        return supervise().expect("a supervisor");
    }
    launch_by(&[SUPERVISE]).expect("this program");
    benches();
    Criterion::default().configure_from_args().final_summary();
}
