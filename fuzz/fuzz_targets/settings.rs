//! See `laws::settings::settings`.
#![no_main]

libfuzzer_sys::fuzz_target!(|input: &[u8]| laws::settings::settings(input));
