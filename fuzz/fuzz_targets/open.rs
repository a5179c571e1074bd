//! The fuzz target `open`: libFuzzer calls `laws::open::open` with inputs of any bytes.
#![no_main]

libfuzzer_sys::fuzz_target!(|input: &[u8]| laws::open::open(input));
