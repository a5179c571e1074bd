//! The referees and tools of the contests.

use std::process::ExitCode;

fn main() -> ExitCode {
    contest::contest()
}
