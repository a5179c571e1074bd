//! The fuzz target `action`: libFuzzer calls `laws::texts::action` with inputs of any bytes.
#![no_main]

libfuzzer_sys::fuzz_target!(|input: &[u8]| laws::texts::action(input));
