//! The fuzz target `store`: libFuzzer calls `laws::texts::store` with inputs of any bytes.
#![no_main]

libfuzzer_sys::fuzz_target!(|input: &[u8]| laws::texts::store(input));
