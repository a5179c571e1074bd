//! See `laws::wire::wire`.
#![no_main]

libfuzzer_sys::fuzz_target!(|input: &[u8]| laws::wire::wire(input));
