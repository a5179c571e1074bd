//! The challenge card game's player: connects to a contest server and plays until stopped.

use std::process::ExitCode;

fn main() -> ExitCode {
    challenge::program::challenge()
}
