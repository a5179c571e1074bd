//! Hints for the author of a program that crashes: a first line that the system cannot use.

use arena::process::Program;
use std::fs::File;
use std::io::Read;
use std::path::Path;

/// The most bytes of the first line that are read.
const FIRST_LINE: u64 = 256;

/// A hint if the executable is a script and its first line is the likely reason for the crash: it names no interpreter,
/// one that does not exist, or ends as lines do on Windows.
pub(super) fn of_first_line(program: &Program) -> Option<String> {
    let executable = program.executable();
    let mut start = Vec::new();
    let file = File::open(&executable).ok()?;
    file.take(FIRST_LINE).read_to_end(&mut start).ok()?;
    let line = start.split(|&byte| byte == b'\n').next()?;
    let name = executable.display();
    let Some(called) = line.strip_prefix(b"#!") else {
        // A text without `#!` is a script that the system cannot run; anything else is a binary.
        let is_text = std::str::from_utf8(line).is_ok_and(|text| !text.contains('\0'));
        return is_text
            .then(|| format!("the first line of {name} names no interpreter, as in #!/bin/sh"));
    };
    // A file from Windows: the kernel looks for an interpreter whose name ends with CR.
    if called.ends_with(b"\r") {
        return Some(format!(
            "the first line of {name} ends with CR LF, and the CR is taken for a part of the \
             interpreter's name: sed -i 's/\\r$//' {name}"
        ));
    }
    let called = String::from_utf8_lossy(called);
    let interpreter = Path::new(called.split_whitespace().next()?);
    (interpreter.is_absolute() && !interpreter.exists()).then(|| {
        let interpreter = interpreter.display();
        format!("there is no {interpreter}, the interpreter that the first line of {name} names")
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use arena::process::testing::install;

    #[test]
    fn first_lines_are_read() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("runme");
        let hint = |text: &[u8]| {
            install(text, &path);
            of_first_line(&Program::find(folder.path()).unwrap()).unwrap_or_default()
        };
        assert!(hint(b"#!/bin/sh\r\necho 1\r\n").contains("ends with CR LF"));
        assert!(hint(b"#!/usr/bin/env python3\r\n").contains("ends with CR LF"));
        assert!(hint(b"#! /no/where -x\n").starts_with("there is no /no/where, "));
        assert!(hint(b"print(1)\n").contains("names no interpreter"));
        assert_eq!(hint(b"#!/bin/sh\nexit 3\n"), "");
        assert_eq!(hint(b"\x7fELF\x02\x01\x01\0\0"), "");
    }
}
