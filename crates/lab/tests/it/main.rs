//! The program `lab` as people and scripts meet it, and the networks that come with the package.
// Helpers outside the test functions may unwrap too.
#![allow(clippy::unwrap_used)]

mod cartagena_bench;
mod cartagena_strangers;
mod cartagena_training;
mod challenge_exploit;
mod networks;
mod programs;

#[test]
fn a_test_that_supervises() {
    arena::process::testing::supervise();
}
