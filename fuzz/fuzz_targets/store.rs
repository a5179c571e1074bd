//! See `laws::texts::store`.
#![no_main]

libfuzzer_sys::fuzz_target!(|input: &[u8]| laws::texts::store(input));
