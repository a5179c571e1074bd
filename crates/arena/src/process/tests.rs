//! Programs that behave and programs that misbehave, each a few lines of shell, and their leftover
//! processes.

mod misbehaving;
mod places;

#[test]
fn a_test_that_supervises() {
    super::testing::supervise();
}
