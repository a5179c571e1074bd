//! The fuzz target `eights`: libFuzzer calls `laws::players::eights` with inputs of any bytes.
#![no_main]

libfuzzer_sys::fuzz_target!(|input: &[u8]| laws::players::eights(input));
