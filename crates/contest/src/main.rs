//! The program `contest`. The library of the same name does all the work.

use std::process::ExitCode;

fn main() -> ExitCode {
    contest::contest()
}
