//! See `laws::texts::notation`.
#![no_main]

libfuzzer_sys::fuzz_target!(|input: &[u8]| laws::texts::notation(input));
