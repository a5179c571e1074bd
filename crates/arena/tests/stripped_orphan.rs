//! A process that a program leaves behind without a sign of whose it is, in a test process of its own:
//! only while nothing else runs can it be put down to the one program that does.
#![allow(missing_docs)]
#![cfg(target_os = "linux")]

use arena::process::testing::{Mock, text};

/// It leaves its session, its environment and its folder: it is ended, and counted against the program
/// that was called.
#[test]
fn a_stripped_orphan_is_charged_to_who_started_it() {
    let mock = Mock::new(
        r#"env -i setsid sh -c 'cd /; : > "$0/there"; exec sleep 1000' "$PWD" > /dev/null 2>&1 &
        while [ ! -e there ]; do :; done; echo ok"#,
    );
    let run = mock.run();
    assert_eq!((text(&run.stdout), run.leftovers), ("ok\n", 1));
    // Nothing is charged to the next one.
    let run = Mock::new("echo ok").run();
    assert_eq!((text(&run.stdout), run.leftovers), ("ok\n", 0));
}
