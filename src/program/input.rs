//! Reading the game from standard input.

use crate::notation::parse;
use anyhow::{Context, bail};
use std::io::{self, IsTerminal, Read};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;
use std::time::{Duration, Instant};

const UNREADABLE: &str = "cannot read standard input";
/// No game is that long.
const MAX_BYTES: usize = 1 << 20;
/// Time since the start of the process until the end of the input is waited for, once a whole game is
/// there.
const GAME_WAIT: Duration = Duration::from_secs(6);
/// The same while it is no whole game yet.
const TOTAL_WAIT: Duration = Duration::from_secs(11);
/// How long the next part is waited for in any case: a process that was late to begin has not begun to
/// read, and what is whole so far may be the beginning of a longer game.
const GRACE: Duration = Duration::from_millis(300);

/// What was read, and when.
pub(super) struct Input {
    /// All of it.
    pub text: Vec<u8>,
    /// When the contest's clock began; somebody at a terminal has as long as it takes to type.
    pub start: Instant,
}

/// All of standard input, by a process that began at `start`.
///
/// If the end does not come in a while, what came so far is taken for the whole, as soon as it can
/// be read as one.
///
/// # Errors
/// If it cannot be read, or is longer than any game.
pub(super) fn read(start: Instant, report_line: fn(&str)) -> anyhow::Result<Input> {
    if io::stdin().is_terminal() {
        report_line("reading a game from the terminal; end it with Ctrl-D (see --help)");
        return read_here();
    }
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
            if send.send(read.map(|n| chunk[..n].to_vec())).is_err() || over {
                return;
            }
        }
    };
    match thread::Builder::new().name("input".into()).spawn(reader) {
        Ok(_) => Ok(Input {
            text: collect(&receive, start, report_line)?,
            start,
        }),
        // No further thread is granted: this one waits for the end, however long that takes.
        Err(_) => read_here(),
    }
}

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

fn limit(text: &[u8]) -> anyhow::Result<()> {
    if text.len() > MAX_BYTES {
        bail!("the input is longer than any game: more than {MAX_BYTES} bytes");
    }
    Ok(())
}

fn collect(
    receive: &Receiver<io::Result<Vec<u8>>>,
    start: Instant,
    report_line: fn(&str),
) -> anyhow::Result<Vec<u8>> {
    let mut text = Vec::new();
    loop {
        let whole = parse(&text).is_ok();
        let wait = if whole { GAME_WAIT } else { TOTAL_WAIT };
        match receive.recv_timeout(wait.saturating_sub(start.elapsed()).max(GRACE)) {
            Ok(Ok(chunk)) if chunk.is_empty() => return Ok(text),
            Ok(Ok(chunk)) => text.extend(chunk),
            Ok(Err(error)) => return Err(error).context(UNREADABLE),
            Err(RecvTimeoutError::Timeout) => {
                report_line(
                    "standard input does not end: taking what came so far for the whole game",
                );
                return Ok(text);
            }
            Err(RecvTimeoutError::Disconnected) => return Ok(text),
        }
        limit(&text)?;
    }
}
