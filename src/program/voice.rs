//! Standard error. Nobody may be listening there, and a pipe that nobody reads fills up: lines are
//! written by a thread of their own, so that no answer ever waits for them.

use std::io::{self, Write};
use std::sync::OnceLock;
use std::sync::mpsc::{Sender, channel};
use std::thread;
use std::time::Duration;

/// How long the process waits at its end for what is still unwritten.
const LAST_WORDS: Duration = Duration::from_millis(500);

enum Message {
    Text(String),
    /// Answered when everything before it is written.
    Flush(Sender<()>),
}

fn voice() -> Option<&'static Sender<Message>> {
    static VOICE: OnceLock<Option<Sender<Message>>> = OnceLock::new();
    VOICE
        .get_or_init(|| {
            let (send, receive) = channel();
            let write = move || {
                for message in receive {
                    match message {
                        Message::Text(text) => drop(io::stderr().write_all(text.as_bytes())),
                        Message::Flush(done) => drop(done.send(())),
                    }
                }
            };
            let spawned = thread::Builder::new().name("voice".into()).spawn(write);
            spawned.is_ok().then_some(send)
        })
        .as_ref()
}

/// One line.
pub(super) fn say(line: &str) {
    show(&format!("runme: {line}\n"));
}

/// Text as it is.
pub(super) fn show(text: &str) {
    if let Some(voice) = voice() {
        let _ = voice.send(Message::Text(text.to_owned()));
    }
}

/// Waits until all is written, but not for long.
pub(super) fn finish() {
    let (send, receive) = channel();
    if let Some(voice) = voice()
        && voice.send(Message::Flush(send)).is_ok()
    {
        let _ = receive.recv_timeout(LAST_WORDS);
    }
}
