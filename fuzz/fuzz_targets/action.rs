//! No bytes make the reader of answers panic, and what it reads it reads again as printed.
//!
//! `cargo +nightly fuzz run action`
#![no_main]

use cartagena::notation::{Answer, parse_action, print_move};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|input: &[u8]| {
    match parse_action(input) {
        Ok(Answer::Move(told)) => {
            let line = print_move(&told);
            assert_eq!(parse_action(line.as_bytes()), Ok(Answer::Move(told)));
        }
        Ok(Answer::Pass) => assert!(input.trim_ascii().is_empty()),
        Err(error) => assert!(!error.to_string().contains('\n')),
    }
});
