//! The fuzz target `settings`: libFuzzer calls `laws::settings::settings` with inputs of any bytes.
#![no_main]

libfuzzer_sys::fuzz_target!(|input: &[u8]| laws::settings::settings(input));
