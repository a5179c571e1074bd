//! See `laws::players::call`.
#![no_main]

libfuzzer_sys::fuzz_target!(|input: &[u8]| laws::players::call(input));
