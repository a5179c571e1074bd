//! The fuzz target `call`: libFuzzer calls `laws::players::call` with inputs of any bytes.
#![no_main]

libfuzzer_sys::fuzz_target!(|input: &[u8]| laws::players::call(input));
