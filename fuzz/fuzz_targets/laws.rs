//! See `laws::games::laws`.
#![no_main]

libfuzzer_sys::fuzz_target!(|input: &[u8]| laws::games::laws(input));
