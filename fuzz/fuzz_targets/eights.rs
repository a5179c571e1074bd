//! See `laws::players::eights`.
#![no_main]

libfuzzer_sys::fuzz_target!(|input: &[u8]| laws::players::eights(input));
