//! How programs are found, the fingerprints that say whether a program has changed, and the private copies
//! that programs run in.

use super::super::testing::{Mock, install, patient, text, write_script};
use super::super::{Program, Workspace};
use crate::process::testing::scratch;
use std::fs::{self, File};
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::Path;
use std::time::{Duration, SystemTime};

fn write(path: &Path, contents: &str) {
    fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
    fs::write(path, contents).expect("a file");
}

#[test]
fn programs_are_found() {
    let mock = Mock::new("echo here");
    let folder = mock.path().canonicalize().unwrap();
    let file = folder.join("runme");
    for path in [mock.path(), &mock.path().join("."), &file] {
        let program = Program::find(path).unwrap();
        assert_eq!(program.executable(), file);
        assert_eq!(program.folder(), folder);
        assert!(!program.is_alone());
    }
    write_script(&mock.path().join("bots/bot.sh"), "pwd; ls");
    let alone = Program::find(&mock.path().join("bots/../bots/bot.sh")).unwrap();
    assert!(alone.is_alone());
    assert_eq!(alone.executable(), folder.join("bots/bot.sh"));
    let workspace = Workspace::new(&alone).unwrap();
    let run = workspace.run(b"", &patient()).unwrap();
    let expected = format!("{}\nbot.sh\n", workspace.folder().display());
    assert_eq!(text(&run.stdout), expected);
}

#[test]
fn what_is_no_program_is_told() {
    let folder = tempfile::tempdir().unwrap();
    let told = |path: &Path| {
        let error = Program::find(path).unwrap_err().to_string();
        error.replace(&folder.path().display().to_string(), "…")
    };
    let path = |name| folder.path().join(name);
    fs::write(path("notes"), "").unwrap();
    fs::write(path("runme"), "").unwrap();
    fs::create_dir(path("empty")).unwrap();
    insta::assert_snapshot!(told(&path("nothing")), @"no program at …/nothing: No such file or directory (os error 2) (expected a folder with an executable `runme`, or an executable file)");
    insta::assert_snapshot!(told(&path("empty")), @"no program in …/empty: expected an executable file `runme` in it");
    insta::assert_snapshot!(told(&path("notes")), @"…/notes is not executable: expected a folder with an executable `runme`, or an executable file (`chmod +x …/notes` makes a program executable)");
    insta::assert_snapshot!(told(folder.path()), @"…/runme is not executable: expected a folder with an executable `runme`, or an executable file (`chmod +x …/runme` makes a program executable)");
}

/// The fingerprint depends on names, contents and modes of a program's files, but not on build products,
/// caches or version control.
#[test]
fn a_fingerprint_is_of_what_the_program_is() {
    let make = |extra: &[(&str, &str)]| {
        let mock = Mock::new("echo 1");
        write(&mock.path().join("src/a"), "a");
        write(&mock.path().join("src/b"), "b");
        for (name, contents) in extra {
            write(&mock.path().join(name), contents);
        }
        mock
    };
    let of = |mock: &Mock| mock.program().fingerprint().unwrap();
    let plain = of(&make(&[]));
    assert_eq!(plain.len(), 16);
    let products = [
        ("target/release/x", "x"),
        (".git/HEAD", "x"),
        ("support/cache/x", "x"),
    ];
    let with_support = of(&make(&[("support/x", "x")]));
    assert_eq!(
        of(&make(&[
            products[0],
            products[1],
            products[2],
            ("support/x", "x")
        ])),
        with_support
    );
    let others = [
        with_support,
        of(&make(&[("support/y", "x")])),
        of(&make(&[("support/x", "y")])),
        of(&make(&[("src/a", "ab"), ("src/b", "")])),
        of(&make(&[("src/target/x", "x")])),
    ];
    for (i, other) in others.iter().enumerate() {
        assert_ne!(*other, plain);
        assert!(!others[..i].contains(other), "{i}");
    }
    let mock = make(&[]);
    fs::set_permissions(mock.path().join("src/a"), fs::Permissions::from_mode(0o755)).unwrap();
    assert_ne!(of(&mock), plain);
    // A link that leads in a circle and one that leads nowhere do no harm.
    symlink("..", mock.path().join("src/up")).unwrap();
    symlink("nowhere", mock.path().join("src/dangling")).unwrap();
    of(&mock);
}

/// A program includes all that its fingerprint depends on, also where there is nothing yet, or through a link.
#[test]
fn a_program_includes_what_its_fingerprint_is_of() {
    let mock = Mock::new("echo 1");
    let program = mock.program();
    let above = mock.path().parent().unwrap();
    symlink(mock.path(), mock.path().join("link")).unwrap();
    symlink("nowhere", mock.path().join("dangling")).unwrap();
    for inner in ["runme", "new/er", "link/new", "support/new", "dangling"] {
        assert!(program.includes(&mock.path().join(inner)), "{inner}");
    }
    let others = ["target/cup", ".git", "support/cache/x"].map(|inner| mock.path().join(inner));
    for path in others.iter().map(|path| &**path).chain([above]) {
        assert!(!program.includes(path), "{}", path.display());
    }
}

/// Tournaments keep fingerprints in their folders, so later versions must compute the same ones.
#[test]
fn the_fingerprint_never_changes() {
    let (folder, path) = scratch("bot");
    write_script(&path, "echo hello");
    let alone = Program::find(&path).unwrap().fingerprint().unwrap();
    write_script(&folder.path().join("runme"), "echo hello");
    let both = Program::find(folder.path()).unwrap().fingerprint().unwrap();
    insta::assert_snapshot!(format!("{alone} {both}"), @"e0181720aeec84b1 a99c505a18dcbe05");
}

/// Large files and folders of a copy are links to the original. A link to one of them is no way out, also in a copy of the
/// copy.
#[test]
fn links_to_large_files_are_copied_again() {
    let mock = Mock::new("cat lib.so latest/part | wc -c");
    let large = mock.path().join("lib.so.1.2");
    fs::write(&large, vec![0; 2 << 20]).unwrap();
    fs::create_dir(mock.path().join("v1")).unwrap();
    fs::write(mock.path().join("v1/part"), vec![0; 9 << 20]).unwrap();
    symlink("lib.so.1.2", mock.path().join("lib.so")).unwrap();
    symlink("v1", mock.path().join("latest")).unwrap();
    symlink(&large, mock.path().join("by-its-whole-path")).unwrap();
    let copy = Workspace::new(&mock.program()).unwrap();
    let again = copy.again().unwrap();
    for copy in [copy, again] {
        let run = copy.run(b"", &patient()).unwrap();
        assert_eq!(text(&run.stdout).trim(), (11 << 20).to_string());
    }
}

#[test]
fn what_says_how_a_program_starts_is_short() {
    let mock = Mock::new("");
    let file = fs::File::create(mock.path().join("participant.toml")).unwrap();
    file.set_len(1 << 30).unwrap();
    let told = Program::find(mock.path()).unwrap_err().to_string();
    assert!(told.contains("more than 64 KiB"), "{told}");
}

#[test]
fn a_copy_is_private() {
    let mock = Mock::new(
        "echo new >> support/state; echo new >> src/log; echo new > notes; cat support/state",
    );
    let path = |name: &str| mock.path().join(name);
    write(&path("support/state"), "old\n");
    write(&path("support/cache/x"), "of an earlier game");
    write(&path("support/deep/er/x"), "x");
    write(&path("src/main"), "main");
    write(&path("target/program"), "program");
    let program = mock.program();
    let before = program.fingerprint().unwrap();
    let (one, other) = (
        Workspace::new(&program).unwrap(),
        Workspace::new(&program).unwrap(),
    );
    let answer = |workspace: &Workspace| {
        let run = workspace.run(b"", &patient()).unwrap();
        assert!(run.status.success(), "{}", text(&run.stderr_tail));
        text(&run.stdout).to_string()
    };
    assert_eq!(answer(&one), "old\nnew\n");
    assert_eq!(answer(&one), "old\nnew\nnew\n", "within a game it stays");
    assert_eq!(answer(&other), "old\nnew\n");
    assert_eq!(program.fingerprint().unwrap(), before);
    assert!(one.folder().join("support/deep/er/x").exists());
    assert!(!one.folder().join("support/cache").exists());
    assert_eq!(
        fs::read_link(one.folder().join("target")).unwrap(),
        program.folder().join("target")
    );
    let gone = one.folder().to_path_buf();
    drop(one);
    assert!(!gone.exists());
    assert!(path("target/program").exists() && path("support/state").exists());
}

#[test]
fn what_is_large_is_linked() {
    let mock = Mock::new("echo hello");
    let large = |name: &str| {
        let path = mock.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        File::create(path).unwrap().set_len(9 << 20).unwrap();
    };
    large("weights");
    large("data/one");
    large("support/net");
    for i in 0..1001 {
        write(&mock.path().join(format!("many/{i}")), "");
    }
    let workspace = Workspace::new(&mock.program()).unwrap();
    let is_link = |name| workspace.folder().join(name).is_symlink();
    assert!(["weights", "data", "many"].into_iter().all(is_link));
    assert!(!["runme", "support", "support/net"].into_iter().any(is_link));

    // The executable itself is copied even if it is large: it must find the copy's folder by its own path.
    let program = ["/usr/bin/true", "/bin/true"]
        .into_iter()
        .find(|p| Path::new(p).exists());
    let mut bytes = fs::read(program.unwrap()).unwrap();
    bytes.resize(2 << 20, 0);
    install(bytes, &mock.path().join("runme"));
    let workspace = Workspace::new(&mock.program()).unwrap();
    assert!(!workspace.folder().join("runme").is_symlink());
    assert!(workspace.run(b"", &patient()).unwrap().status.success());
}

/// In a copy, links still lead to what they led to in the original. A broken link stays broken and does no
/// harm.
#[test]
fn links_lead_where_they_led() {
    let mock = Mock::new("cat support/inner support/outer linked/x broken/x");
    let path = |name: &str| mock.path().join(name);
    write(&path("support/real"), "inner\n");
    write(&path("data/x"), "data\n");
    symlink("real", path("support/inner")).unwrap();
    symlink("../data/x", path("support/outer")).unwrap();
    symlink("data", path("linked")).unwrap();
    symlink("nowhere", path("broken")).unwrap();
    let run = mock.run();
    assert_eq!(text(&run.stdout), "inner\ndata\ndata\n");
}

#[test]
fn what_cannot_be_copied_is_named() {
    let mock = Mock::new("");
    symlink("nowhere", mock.path().join("support")).unwrap();
    let error = Workspace::new(&mock.program()).unwrap_err().to_string();
    assert!(
        error.contains(&format!("{}/support", mock.path().display())),
        "{error}"
    );
}

/// The repository's `runme`, with a player that records which folder it is told to write to.
#[test]
fn our_own_driver_finds_its_copy_and_builds_nothing() {
    let mock = Mock::new("");
    let path = |name: &str| mock.path().join(name);
    let driver = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../runme");
    install(fs::read(driver).unwrap(), &path("runme"));
    for name in ["Cargo.toml", "Cargo.lock", "src/lib.rs", "src/deep/er.rs"] {
        write(&path(name), "");
    }
    write(&path("support/cache/old"), "");
    write_script(
        &path("target/release/runme"),
        r#"mkdir -p "$RUNME_HOME/support/cache" && : > "$RUNME_HOME/support/cache/new" && echo "$RUNME_HOME""#,
    );
    let age = |name: &str, seconds| {
        let time = SystemTime::now() - Duration::from_secs(seconds);
        File::open(path(name)).unwrap().set_modified(time).unwrap();
    };
    for name in [
        "src/lib.rs",
        "src/deep/er.rs",
        "src/deep",
        "src",
        "Cargo.toml",
        "Cargo.lock",
    ] {
        age(name, 120);
    }
    age("target/release/runme", 60);
    let program = mock.program().with_variable("PATH", "/usr/bin:/bin");
    let program = program.with_variable("CARGO_HOME", "/nowhere");
    let workspace = Workspace::new(&program).unwrap();
    let run = workspace.run(b"", &patient()).unwrap();
    assert_eq!(text(&run.stderr_tail), "", "it took itself for stale");
    assert_eq!(
        text(&run.stdout),
        format!("{}\n", workspace.folder().display())
    );
    let names = |folder: &Path| {
        let entries = fs::read_dir(folder.join("support/cache")).unwrap();
        entries
            .map(|entry| entry.unwrap().file_name())
            .collect::<Vec<_>>()
    };
    assert_eq!(names(workspace.folder()), ["new"]);
    assert_eq!(names(mock.path()), ["old"]);
}
