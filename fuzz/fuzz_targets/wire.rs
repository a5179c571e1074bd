//! The fuzz target `wire`: libFuzzer calls `laws::wire::wire` with inputs of any bytes.
#![no_main]

libfuzzer_sys::fuzz_target!(|input: &[u8]| laws::wire::wire(input));
