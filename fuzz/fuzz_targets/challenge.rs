//! The fuzz target `challenge`: libFuzzer calls `laws::texts::challenge` with inputs of any bytes.
#![no_main]

libfuzzer_sys::fuzz_target!(|input: &[u8]| laws::texts::challenge(input));
