//! No bytes make the reader of frames or the player panic; what asks for an answer gets one.
//!
//! `cargo +nightly fuzz run hearts`
#![no_main]

use hearts::player::{Baseline, Client};
use hearts::protocol::{Frames, Message, frame, parse, print};
use engine::budget::Limits;
use tricks::{Agent, Method};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|input: &[u8]| {
    let limits = Limits {
        time: None,
        nodes: Some(1),
    };
    let mut player = Client::new("fuzz", Agent::Search(Baseline::Careful, Method::default(), limits), 1);
    let mut frames = Frames::default();
    frames.push(&frame("34,1,0,67,43,30,51,17,22,33,61,48,27,57,36,19"));
    frames.push(input);
    while let Ok(Some(text)) = frames.next_text() {
        let Ok(message) = parse(&text) else { continue };
        assert_eq!(parse(&print(&message)).as_ref(), Ok(&message));
        let asks = matches!(message, Message::Name | Message::Play);
        assert_eq!(player.receive(message).answer.is_some(), asks);
    }
});
