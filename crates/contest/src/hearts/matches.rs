//! A program's seat in a match of Hearts: the program is started with two named pipes in a temporary folder, and the
//! messages are frames on these pipes.

pub use seats::tricks::Hearts;

use crate::hearts::pipes::{Pipes, WaitingPipes};
use crate::tricks::external::{Dialect, External, Started};
use arena::fault::{Fault, FaultKind};
use arena::process::{CommandLine, Place, Session, Stderr};
use arena::wire::{self, Wire};
use hearts::protocol::{Frames, Message, Reply, frame, parse_reply, print};
use hearts::rules::Round;
use std::env;
use std::io;
use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};
use tricks::{Card, Round as _, View};

/// Time between two checks whether a program has opened its pipes.
const STEP: Duration = Duration::from_millis(2);

/// The program gets its pipes by `--in PIPE --out PIPE` after its own arguments, or wherever
/// these have `{in}` and `{out}`.
pub(super) fn seat(line: &CommandLine, time: Duration) -> io::Result<Started<Round>> {
    let place = Place::new(&env::temp_dir())?;
    let folder = place.folder()?;
    place.hide()?;
    let pipes = Pipes {
        out: folder.join("in"),
        input: folder.join("out"),
    };
    // Opened before the program starts, so that it finds its pipes.
    let mut waiting = WaitingPipes::open(&pipes).map_err(io::Error::other)?;
    let piped = with_pipes(line, &pipes.out, &pipes.input)
        .with_pipes(vec![pipes.out.clone(), pipes.input.clone()]);
    let mut session = Session::start(&piped, None, Stderr::Tail(crate::tricks::ERRORS_KEPT))?;
    let start = Instant::now();
    let failed = |session: &Session, fault: Fault| Ok(Err((fault, session.errors())));
    // Without blocking: a program may end, or never open its pipes.
    let mut wire = loop {
        if let Some(wire) = waiting.connect().map_err(io::Error::other)? {
            break wire;
        }
        if let Some(how) = session.exit(Duration::ZERO)? {
            let hint = match names_pipes(line) {
                true => "",
                false => "; if it takes them as two arguments, write {in} {out} after its name",
            };
            let detail = format!("ended with {how} and did not open its pipes{hint}");
            return failed(&session, Fault::new(FaultKind::Crash, detail));
        }
        if start.elapsed() >= time {
            let detail = format!("did not open its pipes within {} s", time.as_secs_f64());
            return failed(&session, Fault::new(FaultKind::Timeout, detail));
        }
        thread::sleep(STEP);
    };
    let mut dialect = Messages {
        _place: place,
        frames: Frames::default(),
        seat: 0,
        hand: Vec::new(),
    };
    // The name is asked for before the program has a seat, as in the contest.
    if let Err(fault) = dialect.greet(&mut wire, start + time)? {
        return failed(&session, fault);
    }
    Ok(Ok(External::new(session, Some(wire), dialect, time)))
}

/// Whether a command line says where its pipes go.
fn names_pipes(line: &CommandLine) -> bool {
    let mut texts = line.arguments().iter().filter_map(|one| one.to_str());
    texts.any(|text| text.contains("{in}") || text.contains("{out}"))
}

/// The command line with the paths of both pipes: in place of `{in}` and `{out}`, or as options after the program's
/// own arguments.
fn with_pipes(line: &CommandLine, read: &Path, written: &Path) -> CommandLine {
    // Without placeholders the pipes are added as options.
    if !names_pipes(line) {
        let [input, output] = [read, written].map(|path| path.as_os_str().to_owned());
        let more = ["--in".into(), input, "--out".into(), output];
        return line.clone().with_arguments(more);
    }
    let filled = line
        .arguments()
        .iter()
        .map(|argument| match argument.to_str() {
            Some(text) => text
                .replace("{in}", &read.display().to_string())
                .replace("{out}", &written.display().to_string())
                .into(),
            None => argument.clone(),
        });
    line.clone().told(filled.collect())
}

/// Frames over named pipes.
#[derive(Debug)]
struct Messages {
    /// The folder of the pipes, which is removed when this is dropped.
    _place: Place,
    frames: Frames,
    seat: usize,
    /// The hand as it was dealt; an answer is an index into it.
    hand: Vec<Card>,
}

impl Messages {
    /// Asks for the name and waits until `deadline`.
    fn greet(&mut self, wire: &mut Wire, deadline: Instant) -> io::Result<Result<(), Fault>> {
        wire.send(&frame(&print(&Message::Name)));
        loop {
            let fault = match self.text(wire) {
                Some(Ok(name)) => match parse_reply(&Message::Name, &name) {
                    Ok(_) => return Ok(Ok(())),
                    Err(error) => Fault::new(FaultKind::Malformed, error.to_string()),
                },
                Some(Err(error)) => Fault::new(FaultKind::Malformed, error),
                None if wire.is_closed() => {
                    Fault::new(FaultKind::Crash, "closed its pipe before it sent its name")
                }
                None if Instant::now() >= deadline => {
                    Fault::new(FaultKind::Timeout, "did not send its name in time")
                }
                None => {
                    wire::wait(&mut [&mut *wire], Some(deadline))?;
                    continue;
                }
            };
            return Ok(Err(fault));
        }
    }

    /// The next complete text.
    fn text(&mut self, wire: &mut Wire) -> Option<Result<String, String>> {
        self.frames.push(wire.received());
        wire.received().clear();
        let text = self.frames.next_text().map_err(|error| error.to_string());
        match text.transpose()? {
            // One answer a request: more bytes are a fault.
            Ok(_) if !self.frames.is_empty() => {
                Some(Err("sent more than it was asked for".to_owned()))
            }
            text => Some(text),
        }
    }

    fn write(message: &Message, out: &mut Vec<u8>) {
        out.extend(frame(&print(message)));
    }
}

impl Dialect<Round> for Messages {
    fn deal(&mut self, view: &View<Round>, out: &mut Vec<u8>) {
        self.seat = view.seat();
        self.hand = view.round().hand(self.seat).into_iter().collect();
        let message = Message::Round {
            players: view.round().players(),
            id: self.seat,
            leader: view.round().trick().leader(),
            hand: self.hand.clone(),
        };
        Self::write(&message, out);
    }

    fn ask(&mut self, _view: &View<Round>, out: &mut Vec<u8>) {
        Self::write(&Message::Play, out);
    }

    fn acted(&mut self, before: &Round, card: Card, out: &mut Vec<u8>) {
        // The protocol does not report a player's own card to it.
        if let Some(player) = before.to_act().filter(|&player| player != self.seat) {
            Self::write(&Message::Played { player, card }, out);
        }
    }

    fn over(&mut self, _out: &mut Vec<u8>) {}

    fn end(&mut self, out: &mut Vec<u8>) {
        Self::write(&Message::Stop, out);
    }

    fn answer(&mut self, _view: &View<Round>, wire: &mut Wire) -> Option<Result<Card, String>> {
        let text = match self.text(wire)? {
            Ok(text) => text,
            Err(error) => return Some(Err(error)),
        };
        let count = self.hand.len();
        let expected = format!("expected 0 to {}", count.saturating_sub(1));
        let place = match parse_reply(&Message::Play, &text) {
            Ok(Reply::Play(place)) => place,
            _ => {
                return Some(Err(format!("{text:?} is no place in the hand, {expected}")));
            }
        };
        // A place in the hand as it was dealt.
        let card = self.hand.get(place).copied();
        Some(card.ok_or_else(|| format!("place {place} in a hand of {count} cards, {expected}")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pipes_are_arguments_at_the_end_or_where_they_are_wanted() {
        let arguments = |text: &str| {
            let line: CommandLine = text.parse().unwrap();
            let line = with_pipes(&line, Path::new("/r"), Path::new("/w"));
            line.arguments().join(std::ffi::OsStr::new(" "))
        };
        assert_eq!(arguments("sh -x"), "-x --in /r --out /w");
        assert_eq!(arguments("sh bot.sh {out} in={in}"), "bot.sh /w in=/r");
    }
}
