//! Tests of the calls of programs, well-behaved and misbehaving. Each program is a few lines of shell in a
//! temporary folder, run by `testing::Mock`, which can check that none of its processes is left.

mod misbehaving;
mod places;

/// No test of its own: the helper starts this test binary again with this name as its filter, and that
/// process becomes a supervisor.
#[test]
fn a_test_that_supervises() {
    super::testing::supervise();
}
