//! See `laws::players::hearts`.
#![no_main]

libfuzzer_sys::fuzz_target!(|input: &[u8]| laws::players::hearts(input));
