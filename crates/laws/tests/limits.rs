//! Inputs at the limits of their readers and beyond are refused without taking memory out of proportion. The tests
//! have a process of their own, as they measure its memory.
#![allow(clippy::unwrap_used)]
#![cfg(target_os = "linux")]

use cartagena::notation;
use challenge::protocol::{Incoming, MAX_FRAME, ProtocolError, connection, receive};
use challenge_server::teams::read_teams;
use contest::cartagena::record::Record;
use contest::cartagena::tournament::Settings;
use engine::store::{Key, Kind, Mismatch, decode, seal};
use hearts::protocol::Frames;
use std::collections::BTreeMap;
use std::fs;
use std::io::Cursor;

/// The largest address space that this process has had, in bytes. Memory that was reserved and never touched
/// counts.
fn peak() -> usize {
    let status = fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("VmPeak:"));
    let kib = line.unwrap().trim().trim_end_matches(" kB");
    1024 * kib.parse::<usize>().unwrap()
}

const MIB: usize = 1 << 20;

/// Asserts that a call takes at most `most` bytes.
#[track_caller]
fn within(most: usize, act: impl FnOnce()) {
    let before = peak();
    act();
    let taken = peak() - before;
    assert!(taken <= most, "{taken} bytes, where {most} were expected");
}

const KEY: Key = Key {
    kind: Kind::new("limits", 1),
    fingerprint: 2,
    id: 3,
};

/// A cache that claims to hold `count` entries, with 64 bytes behind the claim.
fn claim(count: u64) -> Vec<u8> {
    let mut payload = count.to_le_bytes().to_vec();
    payload.extend([7; 64]);
    seal(&KEY, &payload)
}

/// Reads a frame from a client that announces `length` bytes and sends `sent`.
fn frame(length: usize, sent: &[u8]) -> Result<Incoming, ProtocolError> {
    let mut bytes = u32::try_from(length).unwrap().to_be_bytes().to_vec();
    bytes.extend(sent);
    let runtime = tokio::runtime::Builder::new_current_thread().build();
    let mut stream = connection(Cursor::new(bytes));
    runtime.unwrap().block_on(receive(&mut stream)).unwrap()
}

/// All cases are in one test, so that no other thread changes the peak. Those that claim the most and may take the
/// least come first: a larger peak would hide them.
#[test]
fn nothing_takes_more_than_it_was_given() {
    // Lengths without the bytes that they announce.
    for count in [1 << 24, 1 << 40, u64::MAX] {
        within(4 * MIB, || {
            let refused = |error: Option<Mismatch>| {
                assert!(matches!(error, Some(Mismatch::Contents(_))), "{error:?}");
            };
            refused(decode::<Vec<u64>>(&KEY, &claim(count)).err());
            refused(decode::<String>(&KEY, &claim(count)).err());
            refused(decode::<BTreeMap<u64, Vec<u8>>>(&KEY, &claim(count)).err());
        });
    }
    within(4 * MIB, || {
        for length in [MAX_FRAME + 1, u32::MAX as usize] {
            let refused = frame(length, b"{}").unwrap_err();
            assert!(matches!(refused, ProtocolError::TooLong), "{refused}");
        }
        let cut = frame(MAX_FRAME, b"{}").unwrap_err();
        assert!(matches!(cut, ProtocolError::Io(_)), "{cut}");
        let mut frames = Frames::default();
        frames.push(&[0xff, 0xff, 0xff, 0x7f]);
        assert!(frames.next_text().is_err());
    });

    // Senseless depth and length. A reader that calls itself for each bracket would need a stack a thousand times
    // larger than the limit.
    let deep = "[".repeat(MIB);
    within(16 * MIB, || {
        assert!(Settings::parse(deep.as_bytes()).is_err());
        assert!(read_teams(&deep).is_err());
        assert!(read_teams(&format!("a = {deep}")).is_err());
        assert!(serde_json::from_str::<Record>(&deep).is_err());
        assert!(serde_json::from_str::<Incoming>(&deep).is_err());
        let nested = format!(r#"{{"type":"move","request_id":1,"response":{deep}"#);
        assert!(serde_json::from_str::<Incoming>(&nested).is_err());
    });
    within(16 * MIB, || {
        for line in ["cell ", "1 0 4 hat\n", "9", "\n", "\u{fc}"] {
            let text = format!("3\n{}", line.repeat(MIB / line.len()));
            assert!(notation::parse(text.as_bytes()).is_err(), "{line:?}");
        }
    });

    // Frames of the greatest length.
    within(16 * MIB, || {
        let most = format!("\"{}\"", "a".repeat(MAX_FRAME - 2));
        let refused = frame(MAX_FRAME, most.as_bytes()).unwrap_err();
        assert!(
            matches!(refused, ProtocolError::NotAMessage { .. }),
            "{refused}"
        );
        let mut frames = Frames::default();
        let text = vec![b'a'; hearts::protocol::MAX_FRAME];
        frames.push(&[0x80, 0x80, 0x04]);
        frames.push(&text);
        assert_eq!(frames.next_text().unwrap().unwrap().len(), text.len());
    });

    // A record with fields longer than any game's is read, and then found to be no game.
    let record = |board: &str, pile: &str, hands: &[&str]| -> Record {
        let text = serde_json::json!({
            "contest": "cartagena", "version": 2, "id": "1-1-1", "seed": 1,
            "players": vec!["a"; hands.len()], "board": board, "pirates": 6,
            "boat_retreat": true, "hands": hands, "pile": pile, "actions": [],
            "result": { "winner": null, "ranks": [], "turns": 0, "actions": 0 },
        });
        serde_json::from_value(text).unwrap()
    };
    let long = "b".repeat(MIB);
    within(48 * MIB, || {
        for wrong in [
            record(&long, "b", &["b", "d"]),
            record("bdghks", &long, &["b", "d"]),
            record("bdghks", "b", &[&long, "d"]),
            record("bdghks", "b", &vec!["b"; 100_000]),
        ] {
            let error = wrong.replay(|_, _, _, _| ()).unwrap_err().to_string();
            assert!(error.len() < 200, "{error}");
        }
    });
}
