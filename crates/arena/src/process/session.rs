//! A program that a referee exchanges messages with while it runs: a [`Session`] has its streams ([`Wire`]), keeps its
//! errors, and ends it when a limit is exceeded or the session is over.

use super::command_line::CommandLine;
use super::excess::{CENSUS, Excess, Overseer};
use super::files::Size;
use super::limits::Limits;
use super::place::{Place, temporary_folder};
use super::process_tree;
use super::run::{Call, Process};
use super::stop::{STOP, Stopped};
use super::supervisor::{End, Link, Supervisor};
use super::suspects::Running;
use crate::plain_text::{printable, printable_lines};
use crate::wire::{self, Wire};
use engine::sync::lock;
use rustix::event::{PollFd, PollFlags, poll};
use rustix::io::ioctl_fionbio;
use rustix::process::Pid;
use std::collections::VecDeque;
use std::fs::File;
use std::io::{self, BufRead, BufReader, ErrorKind, Read};
use std::os::fd::OwnedFd;
use std::os::unix::process::ExitStatusExt;
use std::process::ExitStatus;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// The treatment of a program's standard error.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stderr {
    /// It is this process's own standard error.
    Inherit,
    /// The last bytes are kept, this many.
    Tail(usize),
    /// Its lines are written to this process's own, without control characters. After 256 KiB the rest is
    /// dropped.
    Shown,
}

/// Bytes of a program's errors that are shown.
const SHOWN: usize = 256 << 10;
/// The most bytes of a line that are shown as one.
const LONGEST: u64 = 1024;

/// The wait for the end of standard error after a program's end.
const LAST_ERRORS: Duration = Duration::from_millis(100);

/// Whether programs may compute while they are not asked.
static PONDER: AtomicBool = AtomicBool::new(false);

/// Lets all programs compute while they are not asked, from now on.
pub fn let_programs_ponder() {
    PONDER.store(true, Ordering::Relaxed);
}

/// A running program. When it is dropped, it and all it has started are ended.
#[derive(Debug)]
pub struct Session {
    supervisor: Supervisor,
    wire: Wire,
    errors: Arc<Tail>,
    watched: Arc<Watched>,
    /// Lists the program as running until this is dropped.
    _running: Running,
    /// Ends the thread that checks the limits when this is dropped.
    _census: Sender<()>,
    /// Keeps its folder for temporary files.
    _place: Option<Place>,
}

/// Findings of the thread that checks the limits.
#[derive(Debug, Default)]
struct Watched {
    /// The limit that the program exceeded, for which it was ended.
    excess: Mutex<Option<Excess>>,
    /// The most bytes of memory that the program was found to hold.
    resident: AtomicU64,
}

impl Watched {
    fn excess(&self) -> MutexGuard<'_, Option<Excess>> {
        lock(&self.excess)
    }
}

/// The end of what a program writes to standard error.
#[derive(Debug, Default)]
struct Tail {
    kept: Mutex<Kept>,
    ended: Condvar,
}

/// The part of standard error that is kept.
#[derive(Debug, Default)]
struct Kept {
    /// The stream, without blocking, if bytes of it are kept.
    stream: Option<File>,
    /// The number of bytes that are kept.
    limit: usize,
    bytes: VecDeque<u8>,
    /// Whether no more follow.
    ended: bool,
}

impl Kept {
    /// Reads what is in the pipe, at most a mebibyte: whoever writes without end is not followed for ever.
    fn read(&mut self) {
        let mut buffer = [0; 4096];
        for _ in 0..256 {
            let Some(stream) = &mut self.stream else {
                return;
            };
            match stream.read(&mut buffer) {
                Ok(count) if count > 0 => {
                    self.bytes.extend(&buffer[..count]);
                    let spare = self.bytes.len().saturating_sub(self.limit);
                    self.bytes.drain(..spare);
                }
                Err(error) if error.kind() == ErrorKind::WouldBlock => return,
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                _ => {
                    self.stream = None;
                    self.ended = true;
                }
            }
        }
    }
}

/// How a program ended.
#[derive(Clone, Copy, Debug)]
pub struct Ending {
    pub status: ExitStatus,
    /// Whether it had to be ended.
    pub forced: bool,
    /// The processes that outlived it and were ended.
    pub leftovers: usize,
}

impl Session {
    /// Starts a program under a new supervisor. `memory` limits the bytes that are resident in all of its
    /// processes together, libraries included: each process counts with the most that was resident in it. A
    /// program that is found to hold more is ended. Memory is measured under Linux only.
    ///
    /// # Errors
    /// If the operating system cannot start it; a [`Tampered`](super::Tampered) if somebody else may have
    /// changed its executable, or a file that its arguments name, since it was last started.
    pub fn start(line: &CommandLine, memory: Option<u64>, errors: Stderr) -> io::Result<Session> {
        let mut call = Call {
            program: line.executable.clone(),
            label: line.label.clone(),
            arguments: line.arguments.clone(),
            current: line.current.clone(),
            confined: None,
            own: Vec::new(),
            before: Size::default(),
            variables: &[],
            errors_shown: errors == Stderr::Inherit,
            mute: line.has_pipes(),
        };
        // A confined program gets a folder for temporary files, which nobody else can list.
        let mut place = None;
        let mut variables = line.variables.clone();
        if let Some(confinement) = &line.confinement {
            let new = Place::new(&temporary_folder()?)?;
            let scratch = new.folder()?;
            new.hide()?;
            call.confined = Some(confinement.of(line.own(&scratch)));
            call.own = vec![scratch.clone()];
            variables.extend(["TMPDIR", "HOME"].map(|name| (name.into(), scratch.clone().into())));
            place = Some(new);
        }
        call.variables = &variables;
        let running = line.enter()?;
        let limits = Limits {
            memory: memory.or(line.memory),
            ..Limits::default()
        };
        Session::watched(call, &limits, errors, running, place)
    }

    /// Starts a prepared call.
    pub(super) fn of(
        call: Call,
        limits: &Limits,
        errors: Stderr,
        running: Running,
    ) -> io::Result<Session> {
        Session::watched(call, limits, errors, running, None)
    }

    /// Starts a prepared call as [`Session::start`] does. `place` holds its folder for temporary files.
    fn watched(
        call: Call,
        limits: &Limits,
        errors: Stderr,
        running: Running,
        place: Option<Place>,
    ) -> io::Result<Session> {
        let Process {
            supervisor,
            overseer,
            streams,
        } = Process::start(call, limits, None)?;
        // Of output that is thrown away nothing comes.
        let reader = match streams.stdout {
            Some(reader) => reader.into(),
            None => File::open("/dev/null")?.into(),
        };
        let wire = Wire::new(reader, streams.stdin.into())?;
        let kept: Arc<Tail> = Arc::default();
        // The errors are read on another thread. If nobody reads them here, there is no end to wait for.
        match (errors, streams.stderr) {
            (Stderr::Tail(limit), Some(stream)) => keep_tail(stream.into(), &kept, limit)?,
            (Stderr::Shown, Some(stream)) => show(stream, &kept),
            _ => lock(&kept.kept).ended = true,
        }
        let watched: Arc<Watched> = Arc::default();
        Ok(Session {
            _census: watch(supervisor.link().clone(), overseer, &watched),
            _running: running,
            supervisor,
            wire,
            errors: kept,
            watched,
            _place: place,
        })
    }

    pub fn wire(&mut self) -> &mut Wire {
        &mut self.wire
    }

    /// The last bytes of its standard error, if they are kept, without control characters. Whatever the program has
    /// written by now is among them. Waits a little for the end of the stream, as its children may write more.
    pub fn errors(&self) -> String {
        let mut kept = wait_for_errors(&self.errors);
        let text = String::from_utf8_lossy(kept.bytes.make_contiguous());
        printable_lines(&text).into_owned()
    }

    /// Takes the bytes of its standard error that are kept and were not taken before.
    pub(super) fn errors_so_far(&self) -> Vec<u8> {
        let mut kept = lock(&self.errors.kept);
        kept.read();
        kept.bytes.drain(..).collect()
    }

    /// The program's first process.
    pub(super) fn leader(&self) -> Pid {
        self.supervisor.program()
    }

    /// Stops it with all that it has started until it may [go on](Session::go_on). A program that computes
    /// while others are asked would take their processors.
    ///
    /// Nothing if programs [may ponder](let_programs_ponder).
    pub fn rest(&self) {
        if !PONDER.load(Ordering::Relaxed) {
            self.supervisor.link().rest();
        }
    }

    /// Lets it go on after a [rest](Session::rest).
    pub fn go_on(&self) {
        self.supervisor.link().go_on();
    }

    /// Measures now how much memory the program holds.
    pub fn weigh(&self) {
        let now = process_tree::resident(self.supervisor.own());
        self.watched.resident.fetch_max(now, Ordering::Relaxed);
    }

    /// The most bytes of memory that the program was found to hold. It is measured now and then if its memory is
    /// limited, and by [`Session::weigh`].
    pub fn held(&self) -> u64 {
        self.watched.resident.load(Ordering::Relaxed)
    }

    /// As [`Session::end`], with the rest of its errors, and the limit that it exceeded, if it was ended for
    /// that.
    pub(super) fn finish(
        self,
        patience: Duration,
    ) -> io::Result<(Ending, Vec<u8>, Option<Excess>)> {
        let (errors, watched) = (Arc::clone(&self.errors), Arc::clone(&self.watched));
        let ending = self.end(patience)?;
        let last = lock(&errors.kept).bytes.drain(..).collect();
        let excess = *watched.excess();
        Ok((ending, last, excess))
    }

    /// How it has ended, in words; `None` if it still runs after `patience`. Its output during the wait is
    /// thrown away.
    ///
    /// # Errors
    /// If the operating system cannot wait for it, or it could not be confined; [`Stopped`] if it ended by the
    /// signal that asked this process to stop.
    pub fn exit(&mut self, patience: Duration) -> io::Result<Option<String>> {
        let Some(End { status, .. }) = self.end_within(patience)? else {
            return Ok(None);
        };
        // A program that was ended for a limit died of a signal: the limit is the better reason.
        if let Some(excess) = *self.watched.excess() {
            return Ok(Some(excess.to_string()));
        }
        let (code, signal) = (status.code(), status.signal());
        // A signal to the referee may have reached the program too; that end is not its fault.
        if STOP.explains(code, signal) {
            return Err(Stopped.into());
        }
        Ok(Some(match (code, signal) {
            (Some(code), _) => format!("exit status: {code}"),
            (_, Some(signal)) => format!("signal: {signal}"),
            _ => "an unknown status".to_owned(),
        }))
    }

    /// Closes its input, gives it time to end by itself, and ends it and all it has started.
    ///
    /// # Errors
    /// If the operating system cannot wait for it.
    pub fn end(mut self, patience: Duration) -> io::Result<Ending> {
        self.wire.hang_up();
        // A stopped process cannot see that its input has ended.
        self.go_on();
        let ended = self.end_within(patience)?;
        if ended.is_none() {
            self.supervisor.link().kill();
        }
        // After a kill its end is certain, so it is waited for without a limit.
        let end = match ended {
            Some(end) => Some(end),
            None => self.end_within(Duration::MAX)?,
        };
        let end = end.ok_or(ErrorKind::TimedOut)?;
        let (leftovers, _) = self.supervisor.conclude()?;
        // The last lines of its errors are shown before any message about its end.
        drop(wait_for_errors(&self.errors));
        Ok(Ending {
            status: end.status,
            forced: ended.is_none(),
            leftovers,
        })
    }

    /// Waits for the end of the first process, not longer than `patience`, and throws its output away meanwhile.
    fn end_within(&mut self, patience: Duration) -> io::Result<Option<End>> {
        let start = Instant::now();
        loop {
            let left = patience.saturating_sub(start.elapsed());
            if let Some(end) = self.supervisor.end_within(left.min(CENSUS))? {
                if end.was_restless {
                    self.watched.excess().get_or_insert(Excess::Restless);
                }
                return Ok(Some(end));
            }
            if left.is_zero() {
                return Ok(None);
            }
            // A program that still writes would fill its pipe, wait for a reader, and never end.
            self.wire.received().clear();
            wire::wait(&mut [&mut self.wire], Some(Instant::now()))?;
        }
    }
}

/// Checks a program's limits again and again on a thread, and ends the program if it exceeds one. The thread
/// ends when the sender that is returned is dropped.
fn watch(link: Link, mut overseer: Overseer, watched: &Arc<Watched>) -> Sender<()> {
    let (census, ended) = channel();
    let watched = Arc::clone(watched);
    thread::spawn(move || {
        // The channel carries nothing: it is a sleep that ends at once when the sender is dropped.
        while ended.recv_timeout(CENSUS) == Err(RecvTimeoutError::Timeout) {
            let excess = overseer.look();
            watched.resident.fetch_max(overseer.held, Ordering::Relaxed);
            if excess.is_some() {
                *watched.excess() = excess;
                link.kill();
                break;
            }
        }
    });
    census
}

/// The errors, after waiting for their end, at most [`LAST_ERRORS`].
fn wait_for_errors(errors: &Tail) -> MutexGuard<'_, Kept> {
    let mut kept = lock(&errors.kept);
    // The thread that reads them may not have had a processor since the program wrote.
    kept.read();
    let waited = errors
        .ended
        .wait_timeout_while(kept, LAST_ERRORS, |kept| !kept.ended);
    waited.unwrap_or_else(PoisonError::into_inner).0
}

/// Writes the lines of a stream to standard error, on another thread.
fn show(stream: impl Read + Send + 'static, kept: &Arc<Tail>) {
    let kept = Arc::clone(kept);
    thread::spawn(move || {
        let mut stream = BufReader::new(stream);
        let (mut line, mut shown) = (Vec::new(), 0);
        loop {
            line.clear();
            let read = (&mut stream).take(LONGEST).read_until(b'\n', &mut line);
            if !read.is_ok_and(|count| count > 0) {
                break;
            }
            // The rest is read too and dropped, so that the program never waits for a reader.
            if shown < SHOWN {
                shown += line.len();
                let text = String::from_utf8_lossy(&line);
                engine::note!("{}", printable(text.trim_end_matches('\n')));
                if shown >= SHOWN {
                    engine::note!(
                        "(it writes more than {SHOWN} bytes of errors; the rest is left out)"
                    );
                }
            }
        }
        lock(&kept.kept).ended = true;
        kept.ended.notify_all();
    });
}

/// Reads a stream to its end on a thread, and keeps the last bytes: a program must never wait for its errors to
/// be read.
fn keep_tail(stream: OwnedFd, tail: &Arc<Tail>, limit: usize) -> io::Result<()> {
    ioctl_fionbio(&stream, true)?;
    let to_wait_for = stream.try_clone()?;
    *lock(&tail.kept) = Kept {
        stream: Some(stream.into()),
        limit,
        ..Kept::default()
    };
    let tail = Arc::clone(tail);
    thread::spawn(move || {
        loop {
            // An error of the wait shows at the read.
            let _ = poll(&mut [PollFd::new(&to_wait_for, PollFlags::IN)], None);
            let mut kept = lock(&tail.kept);
            kept.read();
            if kept.ended {
                tail.ended.notify_all();
                return;
            }
        }
    });
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wire::wait;

    fn start(script: &str) -> Session {
        let line: CommandLine = "/bin/sh".parse().unwrap();
        let line = line.with_arguments(["-c".into(), script.into()]);
        Session::start(&line, None, Stderr::Tail(10)).unwrap()
    }

    fn line(session: &mut Session) -> Option<String> {
        loop {
            if let Some(line) = session.wire().next_line() {
                return Some(line);
            }
            if session.wire().is_closed() {
                return None;
            }
            wait(&mut [session.wire()], None).unwrap();
        }
    }

    #[test]
    fn a_program_answers_line_by_line() {
        let mut session = start("while read x; do echo \"<$x>\"; done; echo end >&2; exit 3");
        for word in ["a", "b"] {
            session.wire().send(format!("{word}\n").as_bytes());
            assert_eq!(line(&mut session), Some(format!("<{word}>")));
        }
        let ending = session.end(Duration::from_secs(1000)).unwrap();
        assert_eq!((ending.status.code(), ending.forced), (Some(3), false));
    }

    /// A program that does not end by itself is killed together with its children.
    #[test]
    fn what_does_not_end_is_ended_with_all_it_started() {
        let mut session = start("echo 0123456789abc >&2; sleep 1000 & echo $!; exec sleep 1000");
        let child = line(&mut session).unwrap();
        let ending = session.end(Duration::ZERO).unwrap();
        assert!(ending.forced && ending.status.code().is_none());
        let there = std::fs::read_to_string(format!("/proc/{child}/stat"));
        assert!(
            !there.is_ok_and(|stat| !stat.contains(") Z ")),
            "still there"
        );
    }

    /// A program that goes on while it is to rest is ended. Here another process lets it go on.
    #[test]
    #[cfg(target_os = "linux")]
    fn what_does_not_rest_is_ended() {
        use super::super::testing::until;
        use rustix::process::{Signal, kill_process};
        let mut session = start("echo; exec sleep 1000");
        assert_eq!(line(&mut session).as_deref(), Some(""));
        let stat = format!("/proc/{}/stat", session.leader().as_raw_pid());
        let state = || std::fs::read_to_string(&stat).unwrap_or_default();
        session.rest();
        loop {
            let is = |letters: &[&str]| letters.iter().any(|letter| state().contains(letter));
            until("it is stopped or gone", || {
                is(&[") T", ") Z"]) || state().is_empty()
            });
            if !state().contains(") T") {
                break;
            }
            // Before all of it was found at rest this only stops it once more.
            let _ = kill_process(session.leader(), Signal::CONT);
        }
        let ending = session.exit(Duration::from_secs(1000)).unwrap();
        assert_eq!(
            ending.as_deref(),
            Some("went on while it was to rest and was ended")
        );
    }

    /// Memory is measured when the caller asks for it and, if there is a limit, now and then by itself.
    #[test]
    #[cfg(target_os = "linux")]
    fn memory_is_looked_at_when_asked_and_now_and_then() {
        let script = "x=$(head -c 3000000 /dev/zero | tr '\\0' x); echo; read y";
        let mut session = start(script);
        assert_eq!(line(&mut session).as_deref(), Some(""));
        assert_eq!(session.held(), 0);
        session.weigh();
        assert!(session.held() > 3_000_000, "{}", session.held());
        let shell: CommandLine = "/bin/sh".parse().unwrap();
        let shell = shell.with_arguments(["-c".into(), script.into()]);
        let mut session = Session::start(&shell, Some(2_500_000), Stderr::Tail(10)).unwrap();
        while line(&mut session).is_some() {}
        let ending = session.exit(Duration::from_secs(1000)).unwrap();
        let held = session.held();
        assert!(held > 2_500_000, "{held}");
        let told = format!(
            "held {} KiB of resident memory, more than 2441, and was ended",
            held >> 10
        );
        assert_eq!(ending, Some(told));
    }

    #[test]
    fn the_end_of_its_errors_is_kept() {
        let mut session = start("echo 0123456789abc >&2; exec 2>&-; echo");
        assert_eq!(line(&mut session).as_deref(), Some(""));
        assert_eq!(session.errors(), "456789abc\n");
    }

    /// The last words of a program that has ended are there at once, whether or not the thread that reads them had a
    /// processor.
    #[test]
    fn errors_of_a_program_that_has_ended_are_there() {
        let tail: Arc<Tail> = Arc::default();
        let (reader, mut writer) = std::io::pipe().unwrap();
        ioctl_fionbio(&reader, true).unwrap();
        lock(&tail.kept).stream = Some(OwnedFd::from(reader).into());
        lock(&tail.kept).limit = 5;
        std::io::Write::write_all(&mut writer, b"went wrong\n").unwrap();
        // A child of the program may hold the stream open; nobody else reads it here.
        assert_eq!(wait_for_errors(&tail).bytes, b"rong\n");
        drop(writer);
        assert!(wait_for_errors(&tail).ended);
    }
}
