//! The fuzz target `notation`: libFuzzer calls `laws::texts::notation` with inputs of any bytes.
#![no_main]

libfuzzer_sys::fuzz_target!(|input: &[u8]| laws::texts::notation(input));
