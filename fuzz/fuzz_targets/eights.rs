//! No lines make the player panic; after a deal, every `take` gets a card.
//!
//! `cargo +nightly fuzz run eights fuzz/corpus/eights tests/data/eights`
#![no_main]

use eights::player::{Baseline, Client};
use engine::budget::Limits;
use tricks::{Agent, Method};
use libfuzzer_sys::fuzz_target;

const DEAL: &str =
    "starthand s h9 h2 s8 ca h4 hj c7 sq st dk s2 ct ha c6 sa d5 ck c9 s5 cq h5 hk";

fuzz_target!(|input: &[u8]| {
    let limits = Limits {
        time: None,
        nodes: Some(1),
    };
    let mut player = Client::new(Agent::Search(Baseline::Counter, Method::default(), limits), 1);
    player.receive(DEAL);
    for line in String::from_utf8_lossy(input).lines() {
        let response = player.receive(line);
        let command = line.split_ascii_whitespace().next().unwrap_or("");
        assert!(response.answer.is_some() || !command.eq_ignore_ascii_case("take"));
    }
});
