//! No bytes make the reader of histories panic, and what it reads it reads again as printed.
//!
//! `cargo +nightly fuzz run notation fuzz/corpus/notation tests/data/cartagena`: the example
//! inputs are the seeds.
#![no_main]

use cartagena::notation::{parse, print};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|input: &[u8]| {
    match parse(input) {
        Ok(record) => {
            let text = print(&record);
            assert_eq!(parse(text.as_bytes()), Ok(record));
            assert_eq!(text.lines().count(), text.matches('\n').count());
        }
        Err(error) => assert!(!error.to_string().contains('\n')),
    }
});
