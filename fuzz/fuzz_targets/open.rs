//! See `laws::open::open`.
#![no_main]

libfuzzer_sys::fuzz_target!(|input: &[u8]| laws::open::open(input));
