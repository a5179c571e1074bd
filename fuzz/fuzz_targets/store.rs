//! No bytes in a cache's file make the store panic, with or without a header that is right.
//!
//! `cargo +nightly fuzz run store`
#![no_main]

use engine::store::{Key, Kind, decode, encode, seal};
use libfuzzer_sys::fuzz_target;
use std::collections::BTreeMap;

type Anything = (Vec<(u16, bool)>, BTreeMap<u8, String>, Option<Box<[char]>>);

const KEY: Key = Key {
    kind: Kind::new("fuzz", 1),
    fingerprint: 2,
    id: 3,
};

fuzz_target!(|input: &[u8]| {
    let _ = decode::<Anything>(&KEY, input);
    if let Ok(value) = decode::<Anything>(&KEY, &seal(&KEY, input)) {
        let bytes = encode(&KEY, &value).expect("what was decoded can be encoded");
        assert_eq!(decode(&KEY, &bytes), Ok(value));
    }
});
