//! Finds the mistake in the first line of a script that does not start or crashes. The system's own words ("Exec format
//! error", "No such file or directory") do not say it.

use std::env;
use std::fs::File;
use std::io::Read;
use std::path::Path;

/// The most bytes of the first line that are read.
const FIRST_LINE: u64 = 256;

/// A byte order mark: some editors begin a file in UTF-8 by these bytes.
const MARK: &[u8] = b"\xef\xbb\xbf";

/// The mistake in the first line of this executable and its remedy, in words: the line names no interpreter, one that
/// does not exist, or ends as lines do on Windows. None if the line is right, or the executable is no script.
pub fn trouble_of(executable: &Path) -> Option<String> {
    let mut start = Vec::new();
    let file = File::open(executable).ok()?;
    file.take(FIRST_LINE).read_to_end(&mut start).ok()?;
    let line = start.split(|&byte| byte == b'\n').next()?;
    let name = executable.file_name()?.display();
    let Some(called) = line.strip_prefix(b"#!") else {
        if line.starts_with(MARK) {
            return Some(format!(
                "{name} begins with a byte order mark, and must begin with #!: sed -i '1s/^\\xef\\xbb\\xbf//' {name}"
            ));
        }
        // A text without `#!` is a script that the system cannot run; anything else is a binary.
        let is_text = std::str::from_utf8(line).is_ok_and(|text| !text.contains('\0'));
        return is_text.then(|| {
            format!(
                "the first line of {name} names no interpreter: put one above it, such as #!/bin/sh or \
                 #!/usr/bin/env python3"
            )
        });
    };
    // A file from Windows: the kernel looks for an interpreter whose name ends with CR.
    if called.ends_with(b"\r") {
        return Some(format!(
            "the first line of {name} ends with CR LF, and the CR is taken for a part of the interpreter's name: \
             sed -i 's/\\r$//' {name}"
        ));
    }
    let called = String::from_utf8_lossy(called);
    let mut words = called.split_whitespace();
    let interpreter = words.next()?;
    let names = |what: String| Some(format!("the first line of {name} names {what}"));
    let missing =
        |what: &str, why: &str| names(format!("{what}, which {why}: install it, or name another"));
    match Path::new(interpreter) {
        path if !path.is_absolute() => names(format!(
            "{interpreter} without its whole path, as in #!/usr/bin/env {interpreter}"
        )),
        path if !path.exists() => missing(interpreter, "does not exist"),
        // `env` looks for the interpreter in the folders of PATH.
        path if path.ends_with("env") => {
            let wanted = words.find(|word| !word.starts_with('-') && !word.contains('='))?;
            let folders = env::var_os("PATH")?;
            let is_there = wanted.contains('/')
                || env::split_paths(&folders).any(|folder| folder.join(wanted).exists());
            match is_there {
                true => None,
                false => missing(wanted, "is in no folder of PATH"),
            }
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::process::testing::install;
    use crate::process::testing::scratch;

    #[test]
    fn first_lines_are_read() {
        let (_folder, path) = scratch("runme");
        let trouble = |text: &[u8]| {
            install(text, &path);
            trouble_of(&path).unwrap_or_default()
        };
        assert!(trouble(b"#!/bin/sh\r\necho 1\r\n").contains("ends with CR LF"));
        assert!(trouble(b"#!/usr/bin/env python3\r\n").contains("ends with CR LF"));
        insta::assert_snapshot!(trouble(b"#! /no/where -x\n"), @"the first line of runme names /no/where, which does not exist: install it, or name another");
        insta::assert_snapshot!(trouble(b"#!/usr/bin/env -S no-such-program -u\n"), @"the first line of runme names no-such-program, which is in no folder of PATH: install it, or name another");
        insta::assert_snapshot!(trouble(b"#!sh\n"), @"the first line of runme names sh without its whole path, as in #!/usr/bin/env sh");
        insta::assert_snapshot!(trouble(b"print(1)\n"), @"the first line of runme names no interpreter: put one above it, such as #!/bin/sh or #!/usr/bin/env python3");
        assert!(trouble(b"\xef\xbb\xbf#!/bin/sh\n").contains("byte order mark"));
        assert_eq!(trouble(b"#!/bin/sh\nexit 3\n"), "");
        assert_eq!(trouble(b"#!/usr/bin/env sh\n"), "");
        assert_eq!(trouble(b"\x7fELF\x02\x01\x01\0\0"), "");
    }
}
