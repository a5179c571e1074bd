//! No bytes make the readers of the challenge protocol panic, and what they read they read again as
//! written.
//!
//! `cargo +nightly fuzz run challenge`
#![no_main]

use challenge::protocol::{ClientMessage, Incoming, RequestKind, Request, Served, ServerMessage};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|input: &[u8]| {
    let _ = serde_json::from_slice::<Incoming>(input);
    if let Ok(client) = serde_json::from_slice::<ClientMessage>(input) {
        let text = serde_json::to_vec(&client).expect("a message can be written");
        assert_eq!(serde_json::from_slice::<ClientMessage>(&text).ok(), Some(client));
    }
    let Ok(ServerMessage::Request(request)) = serde_json::from_slice::<ServerMessage>(input) else {
        return;
    };
    let _ = request.guess();
    let Ok(view) = request.view() else {
        return;
    };
    assert!(view.safe().is_none_or(|decision| view.allows(decision)));
    // A hand that cannot be counted is not shown again as it came.
    if request.request == RequestKind::RequestCard {
        let again = Request::of(&view, request.request_id, Served::InHand).view();
        assert_eq!(again, Ok(view));
    }
});
