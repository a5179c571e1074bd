//! The Tricky Eights player: lines on standard input, cards on standard output.

use std::process::ExitCode;

fn main() -> ExitCode {
    eights::program::eights()
}
