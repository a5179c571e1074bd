//! Reads the game from standard input, also from a pipe that is never closed. The result says when the whole game was
//! there, as the contest's clock runs from that moment.

use crate::notation::{Found, ParseError, parse};
use anyhow::{Context, bail};
use std::io::{self, IsTerminal, Read};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;
use std::time::{Duration, Instant};

/// Bytes that the reading thread passes on, and when they came; none mean the end of the input.
type Chunk = io::Result<(Vec<u8>, Instant)>;

/// The beginning of a message if the system reports an error.
const UNREADABLE: &str = "cannot read standard input";
/// The most bytes that are accepted: some two million moves.
const MAX_BYTES: usize = 16 << 20;
/// How long to wait for the end of the input once it holds a whole game, or text that no continuation can make a
/// game.
const END_WAIT: Duration = Duration::from_secs(6);

/// The text that was read, and when it was complete.
pub(super) struct Input {
    pub text: Vec<u8>,
    /// The moment from which on there was a whole game: the contest's clock began.
    pub start: Instant,
}

/// Reads all of standard input.
///
/// Without a whole game the program waits however long it takes, as the contest's clock does not run yet. With one it
/// waits at most [`END_WAIT`] for the end: a harness may leave the pipe open.
///
/// # Errors
/// If standard input cannot be read, or is longer than [`MAX_BYTES`].
pub(super) fn read(report_line: fn(&str)) -> anyhow::Result<Input> {
    if io::stdin().is_terminal() {
        report_line("reading a game from the terminal; end it with Ctrl-D (see --help)");
        return read_here();
    }
    // A read cannot be given a deadline, but waiting for a message can: another thread reads.
    let (send, receive) = channel();
    let reader = move || {
        let mut input = io::stdin().lock();
        let mut chunk = vec![0; 1 << 16];
        loop {
            let read = match input.read(&mut chunk) {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                read => read,
            };
            let over = !matches!(read, Ok(n) if n > 0);
            let read = read.map(|n| (chunk[..n].to_vec(), Instant::now()));
            if send.send(read).is_err() || over {
                return;
            }
        }
    };
    match thread::Builder::new().name("input".into()).spawn(reader) {
        Ok(_) => collect(&receive, END_WAIT, report_line),
        // Without a thread this one reads, and waits for the end however long it takes.
        Err(_) => read_here(),
    }
}

/// Reads to the end of the input, on this thread.
fn read_here() -> anyhow::Result<Input> {
    let mut text = Vec::new();
    io::stdin()
        .take(MAX_BYTES as u64 + 1)
        .read_to_end(&mut text)
        .context(UNREADABLE)?;
    limit(&text)?;
    Ok(Input {
        text,
        start: Instant::now(),
    })
}

/// Refuses a text that is too long.
fn limit(text: &[u8]) -> anyhow::Result<()> {
    if text.len() > MAX_BYTES {
        bail!("the input is longer than {MAX_BYTES} bytes, the most that is read");
    }
    Ok(())
}

/// The text so far.
#[derive(Default)]
struct Received {
    text: Vec<u8>,
    /// When the last bytes came that are not blanks alone.
    changed: Option<Instant>,
    /// Whether the text is complete, if that was asked since the last bytes.
    is_complete: Option<bool>,
}

impl Received {
    /// Adds a chunk that came at some time.
    fn add(&mut self, chunk: &[u8], at: Instant) {
        self.text.extend_from_slice(chunk);
        self.is_complete = None;
        // An empty line after the game does not move the beginning of the clock.
        if !chunk.trim_ascii().is_empty() {
            self.changed = Some(at);
        }
    }

    /// The time at which the text became a whole game, or one that no continuation can make a game. None before that.
    ///
    /// A beginning may look like a whole game: after the board, the first digit of a move also is a player to move. So
    /// the answer may change with every chunk. It takes time in proportion to the whole text: two million moves came in
    /// 256 chunks, and asking after each of them took half a minute.
    fn complete(&mut self) -> Option<Instant> {
        let is_complete = *self
            .is_complete
            .get_or_insert_with(|| parse(&self.text).is_ok() || is_hopeless(&self.text));
        self.changed.filter(|_| is_complete)
    }
}

/// Puts the chunks together until the input ends, or is complete and nothing more comes within `end_wait`.
fn collect(
    receive: &Receiver<Chunk>,
    end_wait: Duration,
    report_line: fn(&str),
) -> anyhow::Result<Input> {
    let mut received = Received::default();
    loop {
        // Whether this is all is asked only once nothing more is there.
        let next = receive.try_recv().or_else(|_| match received.complete() {
            None => receive.recv().map_err(|_| RecvTimeoutError::Disconnected),
            Some(since) => receive.recv_timeout(end_wait.saturating_sub(since.elapsed())),
        });
        match next {
            Ok(Ok((chunk, _))) if chunk.is_empty() => break,
            Ok(Ok((chunk, at))) => received.add(&chunk, at),
            Ok(Err(error)) => return Err(error).context(UNREADABLE),
            Err(RecvTimeoutError::Timeout) => {
                report_line(
                    "standard input does not end: the text received so far is taken as the whole game",
                );
                break;
            }
            Err(RecvTimeoutError::Disconnected) => break,
        }
        limit(&received.text)?;
    }
    Ok(Input {
        text: received.text,
        start: received.changed.unwrap_or_else(Instant::now),
    })
}

/// Whether no continuation makes this text a game: its complete lines have an error besides the missing end.
fn is_hopeless(text: &[u8]) -> bool {
    // The last line may still grow.
    let end = text
        .iter()
        .rposition(|&b| b == b'\n')
        .map_or(0, |at| at + 1);
    let found = |error: ParseError| error.found != Found::EndOfInput;
    parse(&text[..end]).err().is_some_and(found)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::mpsc::Sender;

    const EXAMPLE: &[u8] = include_bytes!("../../tests/data/cartagena/interface-example.txt");

    fn feed(parts: &[&[u8]]) -> (Sender<Chunk>, Receiver<Chunk>) {
        let (send, receive) = channel();
        for part in parts {
            send.send(Ok((part.to_vec(), Instant::now()))).unwrap();
        }
        (send, receive)
    }

    /// A game that comes in two parts is read whole, wherever it is cut, and without waiting for the end.
    #[test]
    fn an_open_pipe_is_read_until_a_game_is_there() {
        for cut in 1..EXAMPLE.len() {
            let (head, tail) = EXAMPLE.split_at(cut);
            let (_open, receive) = feed(&[head, tail]);
            let input = collect(&receive, Duration::ZERO, |_| ()).unwrap();
            assert_eq!(input.text, EXAMPLE, "cut at {cut}");
        }
    }

    /// The first digit of a move looks like the player to move, until the rest of the move comes.
    #[test]
    fn a_beginning_that_looks_whole_is_no_game() {
        let (first, now) = (Instant::now(), Instant::now() + Duration::from_secs(5));
        let mut received = Received::default();
        received.add(b"2\ncell\nhat\nboat\n1", first);
        assert_eq!(received.complete(), Some(first));
        received.add(b" 0", now);
        assert_eq!(received.complete(), None);
        received.add(b" 1 hat\n2\nha", first);
        assert_eq!(received.complete(), None);
        received.add(b"t", now);
        assert_eq!(received.complete(), Some(now));
        // An empty line after the game does not move the beginning of the clock.
        received.add(b"\n\n", first);
        assert_eq!(received.complete(), Some(now));
    }

    #[test]
    fn a_game_that_goes_on_in_time_is_read_to_its_end() {
        let whole = EXAMPLE.trim_ascii_end();
        let (head, tail) = whole.split_at(whole.len() - 5);
        let (open, receive) = feed(&[head, tail]);
        drop(open);
        let input = collect(&receive, Duration::from_secs(3600), |_| ()).unwrap();
        assert_eq!(input.text, whole);
    }

    /// The wait for the end of a text that cannot become a game is limited.
    #[test]
    fn what_is_no_game_is_given_up() {
        for rubbish in [
            &b"3\nsell\n"[..],
            b"7 players\n",
            b"3\ncell\nboat\n",
            b"\xFF\n",
        ] {
            let (_open, receive) = feed(&[rubbish]);
            let input = collect(&receive, Duration::ZERO, |_| ()).unwrap();
            assert_eq!(input.text, rubbish);
        }
        for beginning in [&b""[..], b"3", b"3\nce", b"3\ncell\nhat\n", b"3\r\n\r\n"] {
            assert!(!is_hopeless(beginning));
        }
    }
}
