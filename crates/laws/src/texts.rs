//! Readers of text and files: no bytes make them panic, and a value that was read and written is read again as the
//! same value.

use cartagena::notation::{self, Answer, parse_action, print_move};
use challenge::protocol::{ClientMessage, Incoming, Request, RequestKind, Served, ServerMessage};
use engine::store::{Key, Kind, decode, encode, seal};
use std::collections::BTreeMap;

/// The reader of a game's history.
///
/// # Panics
/// If a law is broken.
pub fn notation(input: &[u8]) {
    match notation::parse(input) {
        Ok(record) => {
            let text = notation::print(&record);
            assert_eq!(notation::parse(text.as_bytes()), Ok(record));
            assert_eq!(text.lines().count(), text.matches('\n').count());
        }
        Err(error) => assert!(!error.to_string().contains('\n')),
    }
}

/// The reader of the one line that a program answers.
///
/// # Panics
/// If a law is broken.
pub fn action(input: &[u8]) {
    match parse_action(input) {
        Ok(Answer::Move(told)) => {
            let line = print_move(&told);
            assert_eq!(parse_action(line.as_bytes()), Ok(Answer::Move(told)));
        }
        Ok(Answer::Pass) => assert!(input.trim_ascii().is_empty()),
        Err(error) => assert!(!error.to_string().contains('\n')),
    }
}

/// The readers of the challenge protocol.
///
/// # Panics
/// If a law is broken.
pub fn challenge(input: &[u8]) {
    let _ = serde_json::from_slice::<Incoming>(input);
    if let Ok(client) = serde_json::from_slice::<ClientMessage>(input) {
        let text = serde_json::to_vec(&client).expect("a message can be written");
        let again = serde_json::from_slice::<ClientMessage>(&text);
        assert_eq!(again.ok(), Some(client));
    }
    let Ok(ServerMessage::Request(request)) = serde_json::from_slice::<ServerMessage>(input) else {
        return;
    };
    let _ = request.guess();
    let Ok(view) = request.view() else {
        return;
    };
    let safe = view.safe();
    assert!(safe.is_none_or(|decision| view.allows(decision)));
    // A hand that cannot be counted is not shown again as it came.
    if request.request == RequestKind::RequestCard {
        let again = Request::of(&view, request.request_id, Served::InHand).view();
        assert_eq!(again, Ok(view));
    }
}

/// Something of every kind that can be stored.
type Anything = (Vec<(u16, bool)>, BTreeMap<u8, String>, Option<Box<[char]>>);

const KEY: Key = Key {
    kind: Kind::new("fuzz", 1),
    fingerprint: 2,
    id: 3,
};

/// The store's files, with and without a header that is right.
///
/// # Panics
/// If a law is broken.
pub fn store(input: &[u8]) {
    let _ = decode::<Anything>(&KEY, input);
    if let Ok(value) = decode::<Anything>(&KEY, &seal(&KEY, input)) {
        let bytes = encode(&KEY, &value).expect("what was decoded can be encoded");
        assert_eq!(decode(&KEY, &bytes), Ok(value));
    }
}
