//! The fuzz target `records`: libFuzzer calls `laws::records::records` with inputs of any bytes.
#![no_main]

libfuzzer_sys::fuzz_target!(|input: &[u8]| laws::records::records(input));
