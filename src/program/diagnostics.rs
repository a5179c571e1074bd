//! Diagnostics on standard error: everything that the program prints except its answer. A pipe that nobody reads fills
//! up and blocks its writer. So a separate thread writes the lines, and no answer waits for them.

use std::io::{self, Write};
use std::sync::OnceLock;
use std::sync::mpsc::{Sender, channel};
use std::thread;
use std::time::{Duration, Instant};

/// How long the process waits at its end for lines that are not written yet. On a machine at its end the thread that
/// writes may wait for a processor for half a second and more.
const FLUSH_TIME: Duration = Duration::from_secs(2);

/// A request to the thread that writes.
enum Message {
    /// Text to be written as it is.
    Text(String),
    /// Asks for an answer as soon as everything before it is written.
    Flush(Sender<()>),
}

/// The way to the thread that writes, which the first call starts; none if the system grants no thread.
fn writer() -> Option<&'static Sender<Message>> {
    static WRITER: OnceLock<Option<Sender<Message>>> = OnceLock::new();
    WRITER
        .get_or_init(|| {
            let (send, receive) = channel();
            let write = move || {
                // Errors are ignored: nobody listens, and that is no reason not to answer.
                for message in receive {
                    match message {
                        Message::Text(text) => drop(io::stderr().write_all(text.as_bytes())),
                        Message::Flush(done) => drop(done.send(())),
                    }
                }
            };
            let spawned = thread::Builder::new()
                .name("diagnostics".into())
                .spawn(write);
            spawned.is_ok().then_some(send)
        })
        .as_ref()
}

/// Writes one line, after the program's name.
pub(super) fn report_line(line: &str) {
    print(&format!("runme: {line}\n"));
}

/// Writes text as it is.
pub(super) fn print(text: &str) {
    match writer() {
        Some(writer) => drop(writer.send(Message::Text(text.to_owned()))),
        // Without a thread this one writes, and may have to wait.
        None => drop(io::stderr().write_all(text.as_bytes())),
    }
}

/// Waits until all is written, but no longer than [`FLUSH_TIME`], and not beyond `last`.
pub(super) fn flush(last: Instant) {
    let (send, receive) = channel();
    if let Some(writer) = writer()
        && writer.send(Message::Flush(send)).is_ok()
    {
        let left = last.saturating_duration_since(Instant::now());
        let _ = receive.recv_timeout(FLUSH_TIME.min(left));
    }
}
