//! Tests of `contest` and the other programs from outside, as people and programs use them: by their
//! commands, ports, pages and files. All are modules of one test binary, so that it is linked once.
// Clippy allows `unwrap` in test functions only, and there are helpers.
#![allow(clippy::unwrap_used)]

mod architecture;
mod browser;
mod cartagena_check;
mod cartagena_formats;
mod cartagena_games;
mod cartagena_match;
mod cartagena_play;
mod cartagena_records;
mod cartagena_report;
mod cartagena_show;
mod cartagena_tournament;
mod challenge_doors;
mod challenge_examples;
mod challenge_kill;
mod challenge_match;
mod challenge_server;
mod challenge_web;
mod chance;
mod chromium;
mod circles;
mod eights_contest;
mod eights_knockout;
mod eights_limits;
mod examples;
mod golden;
mod hearts_server;
#[cfg(target_os = "linux")]
mod hostile;
#[cfg(target_os = "linux")]
mod isolation;
mod moved;
mod oracle;
mod pages;
mod person;
mod play;
mod play_browser;
mod play_browser_review;
mod play_challenge;
mod play_friends;
mod play_german;
mod play_kill;
mod play_leaks;
mod play_open;
mod play_open_cards;
mod play_people;
mod play_practice;
mod play_programs;
mod play_review;
mod play_stored;
mod play_terminal;
mod play_tricks;
mod programs;
mod record_inputs;
mod resume;
mod scripts;
mod sources;
mod starters;
mod stopped;
mod style;
mod tables;
mod tricks_decisions;
mod tricks_faults;
mod tricks_ladder;
mod tricks_match;
mod tricks_tournament;

/// No test of its own: the helper starts this test binary again with this name as its filter, and that
/// process becomes a supervisor.
#[test]
fn a_test_that_supervises() {
    arena::process::testing::supervise();
}
