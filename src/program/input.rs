//! Reading the game from standard input.

use crate::notation::parse;
use anyhow::{Context, bail};
use std::io::{self, IsTerminal, Read};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;
use std::time::{Duration, Instant};

/// No game is that long.
const MAX_BYTES: usize = 1 << 20;
/// How long to wait for the end of the input once a whole game is there.
const GAME_WAIT: Duration = Duration::from_secs(6);
/// How long to wait for the end of the input while it is no whole game yet.
const TOTAL_WAIT: Duration = Duration::from_secs(11);

/// All of standard input.
///
/// If the end does not come in a while, what came so far is taken for the whole, as soon as it can
/// be read as one.
///
/// # Errors
/// If it cannot be read, or is longer than any game.
pub(super) fn read(report_line: fn(&str)) -> anyhow::Result<Vec<u8>> {
    if io::stdin().is_terminal() {
        report_line("reading a game from the terminal; end it with Ctrl-D (see --help)");
        let mut text = Vec::new();
        io::stdin()
            .take(MAX_BYTES as u64 + 1)
            .read_to_end(&mut text)?;
        return Ok(text);
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
    thread::Builder::new()
        .name("input".into())
        .spawn(reader)
        .context("no thread to read with")?;
    collect(&receive, report_line)
}

fn collect(
    receive: &Receiver<io::Result<Vec<u8>>>,
    report_line: fn(&str),
) -> anyhow::Result<Vec<u8>> {
    let start = Instant::now();
    let mut text = Vec::new();
    loop {
        let whole = parse(&text).is_ok();
        let wait = if whole { GAME_WAIT } else { TOTAL_WAIT };
        match receive.recv_timeout(wait.saturating_sub(start.elapsed())) {
            Ok(Ok(chunk)) if chunk.is_empty() => return Ok(text),
            Ok(Ok(chunk)) => text.extend(chunk),
            Ok(Err(error)) => return Err(error).context("cannot read standard input"),
            Err(RecvTimeoutError::Timeout) => {
                report_line(
                    "standard input does not end: taking what came so far for the whole game",
                );
                return Ok(text);
            }
            Err(RecvTimeoutError::Disconnected) => return Ok(text),
        }
        if text.len() > MAX_BYTES {
            bail!("the input is longer than any game: more than {MAX_BYTES} bytes");
        }
    }
}
