//! `contest eights serve SEED`: gives the judge standard input and output, a clock for answers, and a log.

use crate::eights::{Event, Judge, SEAT_NAMES};
use anyhow::{Context as _, bail};
use arena::plain_text::counted;
use clap::Args as ClapArgs;
use eights::protocol::read_seat;
use seats::cli::numbers::seconds_above_none;
use seats::cli::output::refuse_inputs;
use std::fs::{self, File, Metadata, TryLockError};
use std::io::{self, BufRead, IsTerminal, Read, Write};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::thread;
use std::time::{Duration, Instant};

/// Judges a game of Tricky Eights on standard input and output.
///
/// Every line, in both directions, begins with a seat's letter and a blank: `n take n`, `n d8`. The
/// result is written to standard error.
#[derive(Debug, ClapArgs)]
pub(crate) struct Args {
    /// Seed of the deals
    seed: u64,
    /// The file for the game, or `none`; an earlier log there becomes FILE.1
    #[arg(long, default_value = "te.log", value_name = "FILE")]
    log: PathBuf,
    /// Time for a card [default: 4; none where standard input is a terminal]
    #[arg(long, value_name = "SECONDS", value_parser = seconds_above_none)]
    time: Option<Duration>,
}

/// The default time for a card.
const TIME: Duration = Duration::from_secs(4);

/// The most bytes of a line that are read; no answer has as many.
const LONGEST: usize = 4096;

impl Args {
    pub(super) fn run(self) -> anyhow::Result<()> {
        let typed = io::stdin().is_terminal();
        let mut table = Table {
            judge: Judge::new(self.seed),
            log: Log::open(&self.log)?,
            input: lines(),
            // A person at a terminal gets no limit.
            time: self.time.or((!typed).then_some(TIME)),
        };
        table.play()?;
        table.report();
        table.log.finish()
    }
}

/// The judge with its log, its input and its clock.
struct Table {
    judge: Judge,
    log: Log,
    input: Receiver<(Instant, io::Result<String>)>,
    time: Option<Duration>,
}

impl Table {
    /// Passes lines between the seats and the judge until the game is over.
    fn play(&mut self) -> anyhow::Result<()> {
        // The time for an answer counts from the last message to any seat.
        let mut asked = Instant::now();
        self.send()?;
        while let Some(seat) = self.judge.asked() {
            let end = self.time.map(|time| asked + time);
            let line = match end {
                // Without a limit this waits for ever; with one, for the rest of the time.
                None => self.input.recv().map_err(RecvTimeoutError::from),
                Some(end) => {
                    let left = end.saturating_duration_since(Instant::now());
                    self.input.recv_timeout(left)
                }
            };
            match line {
                Ok((read, line)) => {
                    // The moment of reading counts: a busy judge costs no answer, and a stream of comments gains no time.
                    if end.is_some_and(|end| read > end) {
                        self.disqualify_late(seat);
                    }
                    self.receive(&line?);
                }
                Err(RecvTimeoutError::Timeout) => self.disqualify_late(seat),
                Err(RecvTimeoutError::Disconnected) => anyhow::bail!(
                    "standard input has ended before the game: {} had been asked",
                    SEAT_NAMES[seat]
                ),
            }
            // A new request may follow from the line, and its time begins now.
            if self.send()? {
                asked = Instant::now();
            }
        }
        Ok(())
    }

    fn disqualify_late(&mut self, seat: usize) {
        let seconds = self.time.unwrap_or_default().as_secs_f64();
        let reason = format!("no answer within {seconds} s");
        self.judge.disqualify(seat, &reason);
    }

    /// Handles a line of the input. A line without a seat is a comment.
    fn receive(&mut self, line: &str) {
        let line = line.trim();
        let (word, text) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let Some(seat) = read_seat(&word.to_ascii_lowercase()) else {
            return;
        };
        // The dispatcher reports faults that only it can see, such as memory.
        match text.trim().split_once(' ') {
            Some(("disqualified", reason)) => self.judge.disqualify(seat, reason),
            _ => self.judge.receive(seat, text),
        }
    }

    /// Writes the events; returns whether a line was sent to a seat.
    fn send(&mut self) -> io::Result<bool> {
        let events = self.judge.events();
        let mut out = io::stdout().lock();
        let mut text = String::new();
        for event in &events {
            let line = event.log_line();
            self.log.write(&line);
            if matches!(event, Event::Sent { .. }) {
                text.push_str(&line);
                text.push('\n');
            }
        }
        out.write_all(text.as_bytes())?;
        out.flush()?;
        Ok(!text.is_empty())
    }

    /// Prints the result, for people.
    fn report(&self) {
        let mut text = String::new();
        for (name, standing) in SEAT_NAMES.iter().zip(self.judge.standings()) {
            text.push_str(&format!("{name:<6} {:>4}", standing.points));
            if let Some(reason) = &standing.disqualified {
                text.push_str(&format!("  disqualified: {reason}"));
            }
            text.push('\n');
        }
        let rounds = counted(self.judge.rounds(), "round");
        text.push_str(&match self.judge.winner() {
            Some(seat) => format!("{} has won after {rounds}", SEAT_NAMES[seat]),
            None => format!("nobody has won: all are disqualified after {rounds}"),
        });
        // A closed standard error must not turn a finished game into a failure.
        let _ = writeln!(io::stderr(), "{text}");
    }
}

/// The lines of standard input, each with the moment at which it was read. They are read on a separate thread: reading
/// has no time limit, but waiting for a queue has.
fn lines() -> Receiver<(Instant, io::Result<String>)> {
    // A full queue stops the reading, so a flood takes no memory.
    let (sender, receiver) = sync_channel(64);
    thread::spawn(move || {
        let mut input = io::stdin().lock();
        loop {
            let line = match next_line(&mut input) {
                Ok(Some(line)) => Ok(line),
                Ok(None) => return,
                Err(error) => Err(error),
            };
            let failed = line.is_err();
            if sender.send((Instant::now(), line)).is_err() || failed {
                return;
            }
        }
    });
    receiver
}

/// The next line, cut to `LONGEST` bytes.
fn next_line(input: &mut impl BufRead) -> io::Result<Option<String>> {
    let mut bytes = Vec::new();
    loop {
        let buffer = input.fill_buf()?;
        if buffer.is_empty() {
            // The end of the input also ends the last line.
            let line = String::from_utf8_lossy(&bytes).into_owned();
            return Ok((!bytes.is_empty()).then_some(line));
        }
        let end = buffer.iter().position(|&byte| byte == b'\n');
        let part = &buffer[..end.unwrap_or(buffer.len())];
        // The rest of a long line is read and dropped.
        let room = LONGEST - bytes.len();
        bytes.extend_from_slice(&part[..part.len().min(room)]);
        let used = end.map_or(buffer.len(), |end| end + 1);
        input.consume(used);
        if end.is_some() {
            return Ok(Some(String::from_utf8_lossy(&bytes).into_owned()));
        }
    }
}

/// The beginning of a log.
const BEGINNING: &[u8] = b"# game ";

/// Opens a file for a game that no other process writes meanwhile. An earlier game's log is kept under another name, such
/// as `te.log.1`, and any other file is refused. A device or a pipe can be shared.
fn own(path: &Path) -> anyhow::Result<File> {
    let mut options = File::options();
    options.create(true).write(true).truncate(false);
    let shared = options.open(path)?;
    if !shared.metadata()?.is_file() {
        return Ok(shared);
    }
    let mut file = options.read(true).open(path)?;
    match file.try_lock() {
        Err(TryLockError::WouldBlock) => bail!("another process uses this file"),
        // Some file systems have no locks.
        Err(TryLockError::Error(_)) | Ok(()) => {}
    }
    // Another server may have given this file its later name since it was opened.
    let identity = |of: Metadata| (of.dev(), of.ino());
    let held = file.metadata()?;
    let length = held.len();
    if fs::metadata(path).ok().map(identity) != Some(identity(held)) {
        return own(path);
    }
    if length == 0 {
        return Ok(file);
    }
    let mut begins = [0; BEGINNING.len()];
    let read = file.read(&mut begins)?;
    if begins[..read] != *BEGINNING {
        bail!("it is not the log of a game: name another file, or remove it");
    }
    let named = |number: u32| {
        let mut name = path.as_os_str().to_owned();
        name.push(format!(".{number}"));
        PathBuf::from(name)
    };
    let is_free = |earlier: &PathBuf| earlier.symlink_metadata().is_err();
    let free = (1..u32::MAX).map(named).find(is_free);
    fs::rename(
        path,
        free.context("there is no free name for the earlier log")?,
    )?;
    own(path)
}

/// The log. A full disk must not stop a game; the error is shown at the end.
struct Log {
    file: Option<File>,
    name: String,
    failed: Option<io::Error>,
}

impl Log {
    fn open(path: &Path) -> anyhow::Result<Log> {
        let name = path.display().to_string();
        let file = match path.as_os_str() == "none" {
            true => None,
            false => {
                refuse_inputs("--log", path, &[Path::new("-")])?;
                let file = own(path).with_context(|| format!("cannot write {name}"))?;
                Some(file)
            }
        };
        Ok(Log {
            file,
            name,
            failed: None,
        })
    }

    fn write(&mut self, line: &str) {
        let Some(file) = &mut self.file else { return };
        // Without a buffer, so that an interrupted game is there up to its last line.
        if let Err(error) = file.write_all(format!("{line}\n").as_bytes()) {
            self.file = None;
            self.failed = Some(error);
        }
    }

    /// Reports an error of any write.
    fn finish(self) -> anyhow::Result<()> {
        match self.failed {
            None => Ok(()),
            Some(error) => Err(anyhow::anyhow!(
                "the game was played, but cannot be written to {}: {error}",
                self.name
            )),
        }
    }
}
