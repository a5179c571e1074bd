//! The Cartagena player: reads a game on standard input and prints one action.

use std::process::ExitCode;

fn main() -> ExitCode {
    cartagena::program::runme()
}
