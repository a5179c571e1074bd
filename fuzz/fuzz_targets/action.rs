//! See `laws::texts::action`.
#![no_main]

libfuzzer_sys::fuzz_target!(|input: &[u8]| laws::texts::action(input));
