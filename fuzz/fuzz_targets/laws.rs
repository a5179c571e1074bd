//! The fuzz target `laws`: libFuzzer calls `laws::games::laws` with inputs of any bytes.
#![no_main]

libfuzzer_sys::fuzz_target!(|input: &[u8]| laws::games::laws(input));
