//! See `laws::referees::referees`.
#![no_main]

libfuzzer_sys::fuzz_target!(|input: &[u8]| laws::referees::referees(input));
