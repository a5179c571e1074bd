//! The Hearts Server player: messages over two named pipes.

use std::process::ExitCode;

fn main() -> ExitCode {
    hearts::program::hearts()
}
