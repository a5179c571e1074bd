//! The fuzz target `hearts`: libFuzzer calls `laws::players::hearts` with inputs of any bytes.
#![no_main]

libfuzzer_sys::fuzz_target!(|input: &[u8]| laws::players::hearts(input));
