//! The program that makes and measures players.

use std::process::ExitCode;

fn main() -> ExitCode {
    lab::lab()
}
