//! See `laws::texts::challenge`.
#![no_main]

libfuzzer_sys::fuzz_target!(|input: &[u8]| laws::texts::challenge(input));
