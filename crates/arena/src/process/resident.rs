//! A program that runs beside the games, such as a client of a server.

use super::limits::Limits;
use super::run::{Call, Process, Run};
use super::supervisor::Link;
use super::suspects::Running;
use std::io;
use std::thread::{self, JoinHandle};
use std::time::Duration;

/// A program that has been started. It is ended, with all that descends from it,
/// when this is dropped.
#[derive(Debug)]
pub struct Resident {
    link: Link,
    watcher: Option<JoinHandle<io::Result<Run>>>,
    _running: Running,
}

impl Resident {
    /// Starts a program; a thread reads its errors and waits for its end.
    pub(super) fn start(call: Call) -> io::Result<Resident> {
        let limits = Limits {
            // It runs for as long as it likes.
            kill: Duration::MAX,
            ..Limits::default()
        };
        let running = Running::new(&call.name());
        let process = Process::start(call, &limits, None)?;
        let link = process.supervisor.link().clone();
        let watch = move || process.finish(&[], &limits).map(|(run, _)| run);
        let watcher = thread::Builder::new()
            .name("watcher".to_owned())
            .spawn(watch)?;
        Ok(Resident {
            link,
            watcher: Some(watcher),
            _running: running,
        })
    }

    /// Whether it runs no more.
    pub fn has_ended(&self) -> bool {
        self.watcher.as_ref().is_none_or(JoinHandle::is_finished)
    }

    /// Ends it if it still runs, and returns the outcome of its call.
    ///
    /// # Errors
    /// If the operating system could not watch it.
    pub fn end(mut self) -> io::Result<Run> {
        self.finish().unwrap_or_else(|| {
            let text = "a program was watched by a thread that failed";
            Err(io::Error::other(text))
        })
    }

    /// Ends it and waits for its thread; none if that was done before, or the thread has panicked.
    fn finish(&mut self) -> Option<io::Result<Run>> {
        self.link.kill();
        self.watcher.take()?.join().ok()
    }
}

impl Drop for Resident {
    fn drop(&mut self) {
        self.finish();
    }
}

#[cfg(target_os = "linux")]
#[cfg(test)]
mod tests {
    use super::super::testing::{Mock, until};
    use super::super::workspace::Workspace;

    #[test]
    fn it_is_ended_with_what_it_has_started() {
        let mock = Mock::new("echo \"$1 and $2\" >&2; sleep 1000 & touch ready; wait");
        let copy = Workspace::new(&mock.program()).unwrap();
        let arguments = ["one".into(), "two words".into()];
        let resident = copy.start(&arguments, None).unwrap();
        let ready = copy.folder().join("ready");
        until("it is ready", || ready.exists());
        assert!(!resident.has_ended());
        let run = resident.end().unwrap();
        assert!(!run.status.success());
        assert_eq!(run.stderr_tail, b"one and two words\n");
        mock.assert_gone();
    }

    #[test]
    fn one_that_ends_by_itself_is_noticed() {
        let mock = Mock::new("echo why >&2; exit 3");
        let copy = Workspace::new(&mock.program()).unwrap();
        let resident = copy.start(&[], None).unwrap();
        until("it has ended", || resident.has_ended());
        let run = resident.end().unwrap();
        assert_eq!(run.status.code(), Some(3));
        assert_eq!(run.stderr_tail, b"why\n");
    }
}
