//! The fuzz target `referees`: libFuzzer calls `laws::referees::referees` with inputs of any bytes.
#![no_main]

libfuzzer_sys::fuzz_target!(|input: &[u8]| laws::referees::referees(input));
