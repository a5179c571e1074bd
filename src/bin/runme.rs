//! The Cartagena player: reads a game on standard input, prints one action.

use std::process::ExitCode;

fn main() -> ExitCode {
    cartagena::program::runme()
}
