//! Programs that tests start. None of them can hold up a test for ever.

use super::super::running::starting;
use engine::signals::is_ignored;
use rustix::process::{Pid, Signal, kill_process};
use std::ffi::{OsStr, OsString};
use std::io::{self, Read, Write};
use std::ops::{Deref, DerefMut};
use std::path::Path;
use std::process::{self, Child, ExitStatus, Output, Stdio};
use std::sync::LazyLock;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::thread;
use std::time::Duration;

/// The time limit of a program that a test starts, and of anything else that a test waits for: far more than
/// the slowest machine needs.
pub const PATIENCE: Duration = Duration::from_secs(15 * 60);

/// The pause between two looks at a condition that sends no notice.
const STEP: Duration = Duration::from_millis(5);

/// Does something that may never end; panics if it does not end within [`PATIENCE`].
///
/// # Panics
/// Then, and if the action does.
#[track_caller]
pub fn within<T: Send + 'static>(what: &str, action: impl FnOnce() -> T + Send + 'static) -> T {
    let (done, outcome) = mpsc::channel();
    thread::spawn(move || done.send(action()));
    match outcome.recv_timeout(PATIENCE) {
        Ok(value) => value,
        Err(RecvTimeoutError::Timeout) => panic!("in vain for {PATIENCE:?}: {what}"),
        Err(RecvTimeoutError::Disconnected) => panic!("it failed: {what}"),
    }
}

/// Waits for a condition that sends no notice, such as another process's change to a file.
///
/// # Panics
/// If that is not so within [`PATIENCE`].
#[track_caller]
pub fn until(what: &str, mut holds: impl FnMut() -> bool) {
    let mut left = PATIENCE;
    while !holds() {
        assert!(!left.is_zero(), "in vain for {PATIENCE:?}: {what}");
        thread::sleep(STEP);
        left = left.saturating_sub(STEP);
    }
}

/// How to start a program, as [`process::Command`] has it.
///
/// It is started while no other thread writes a file that is to be executed, and ended when it has run for
/// [`PATIENCE`]: whoever reads from it or waits for it goes on then, and fails.
#[derive(Debug)]
pub struct Command {
    command: process::Command,
    input: Option<Vec<u8>>,
    has_input: bool,
    has_output: bool,
    has_errors: bool,
}

impl Command {
    /// A program by its path, or by its name in `PATH`.
    ///
    /// It heeds SIGINT even if this process does not, as in a job that a script has put into the background.
    pub fn new(program: impl AsRef<OsStr>) -> Command {
        static IGNORED: LazyLock<bool> = LazyLock::new(|| is_ignored(Signal::INT.as_raw()));
        let mut command = process::Command::new(if *IGNORED {
            "env".as_ref()
        } else {
            program.as_ref()
        });
        if *IGNORED {
            command.arg("--default-signal=INT").arg(program);
        }
        Command {
            command,
            input: None,
            has_input: false,
            has_output: false,
            has_errors: false,
        }
    }

    /// A program that leads a new process group, which it may signal.
    ///
    /// The group's leader is a grandchild of this process. A child outside of this process's group would look like
    /// what a participant has left behind, to a referee that a test runs in this process.
    pub fn in_own_group(program: impl AsRef<OsStr>) -> Command {
        let mut command = Command::new("setsid");
        command.args(["--fork", "--wait"]).arg(program);
        command
    }

    pub fn arg(&mut self, argument: impl AsRef<OsStr>) -> &mut Command {
        self.command.arg(argument);
        self
    }

    pub fn args(&mut self, arguments: impl IntoIterator<Item = impl AsRef<OsStr>>) -> &mut Command {
        self.command.args(arguments);
        self
    }

    /// Arguments that blanks separate.
    pub fn words(&mut self, arguments: &str) -> &mut Command {
        self.args(arguments.split_ascii_whitespace())
    }

    pub fn env(&mut self, name: impl AsRef<OsStr>, value: impl AsRef<OsStr>) -> &mut Command {
        self.command.env(name, value);
        self
    }

    /// Takes a variable away.
    pub fn env_remove(&mut self, name: impl AsRef<OsStr>) -> &mut Command {
        self.command.env_remove(name);
        self
    }

    /// The folder that it is started in.
    pub fn current_dir(&mut self, folder: impl AsRef<Path>) -> &mut Command {
        self.command.current_dir(folder);
        self
    }

    /// The bytes that [`output`](Command::output) and its like write to the program.
    pub fn write_stdin(&mut self, input: impl Into<Vec<u8>>) -> &mut Command {
        self.input = Some(input.into());
        self
    }

    /// Where standard input comes from.
    pub fn stdin(&mut self, from: impl Into<Stdio>) -> &mut Command {
        self.has_input = true;
        self.command.stdin(from);
        self
    }

    /// Where standard output goes.
    pub fn stdout(&mut self, to: impl Into<Stdio>) -> &mut Command {
        self.has_output = true;
        self.command.stdout(to);
        self
    }

    /// Where standard error goes.
    pub fn stderr(&mut self, to: impl Into<Stdio>) -> &mut Command {
        self.has_errors = true;
        self.command.stderr(to);
        self
    }

    /// Starts it.
    ///
    /// # Errors
    /// If it cannot be started.
    pub fn spawn(&mut self) -> io::Result<Process> {
        let started = {
            // Not while another thread writes a program: the child would have the file open.
            let _starting = starting();
            self.command.spawn()
        };
        started.map(|child| Process::new(child, format!("{:?}", self.command)))
    }

    /// Runs it to its end; what it has written, where that goes nowhere else.
    ///
    /// # Errors
    /// If it cannot be started, or not be read from.
    pub fn output(&mut self) -> io::Result<Output> {
        // Standard input is the given text, or what the caller set, or empty; never that of the tests.
        if self.input.is_some() {
            self.command.stdin(Stdio::piped());
        } else if !self.has_input {
            self.command.stdin(Stdio::null());
        }
        if !self.has_output {
            self.command.stdout(Stdio::piped());
        }
        if !self.has_errors {
            self.command.stderr(Stdio::piped());
        }
        let mut process = self.spawn()?;
        if let Some(input) = &self.input {
            let mut pipe = process.stdin.take().ok_or(io::ErrorKind::BrokenPipe)?;
            let input = input.clone();
            // A program need not read all of it.
            thread::spawn(move || pipe.write_all(&input));
        }
        process.wait_with_output()
    }

    /// Runs it to its end.
    ///
    /// # Errors
    /// If it cannot be started.
    pub fn status(&mut self) -> io::Result<ExitStatus> {
        self.spawn()?.wait()
    }

    /// Runs it to its end with this exit status; what it has written to standard output and to standard error.
    ///
    /// # Panics
    /// If it ends otherwise, or has written what is no text.
    #[track_caller]
    pub fn said(&mut self, status: i32) -> [String; 2] {
        let ended = self.output();
        let ended = ended.unwrap_or_else(|error| panic!("{:?}: {error}", self.command));
        let [said, errors] =
            [ended.stdout, ended.stderr].map(|bytes| String::from_utf8(bytes).unwrap());
        let code = ended.status.code();
        assert!(
            code == Some(status),
            "{:?} ended with {}, not {status}\nIt has written:\n{said}\nand as errors:\n{errors}",
            self.command,
            ended.status,
        );
        [said, errors]
    }

    /// Runs it to its end, which must be a good one; what it has written to standard output.
    ///
    /// # Panics
    /// If it ends otherwise, or has written what is no text.
    #[track_caller]
    pub fn printed(&mut self) -> String {
        let [printed, _] = self.said(0);
        printed
    }

    /// Runs it to its end with this exit status; what it has written to standard error.
    ///
    /// # Panics
    /// If it ends otherwise, or has written what is no text.
    #[track_caller]
    pub fn told(&mut self, status: i32) -> String {
        let [_, told] = self.said(status);
        told
    }
}

/// A program that runs, and is killed when this is dropped.
#[derive(Debug)]
pub struct Process {
    child: Child,
    /// The program's end is not waited for any more when this is dropped.
    over: Option<Sender<()>>,
}

impl Process {
    fn new(child: Child, name: String) -> Process {
        let (over, end) = mpsc::channel();
        let leader = Pid::from_child(&child);
        thread::spawn(move || {
            // The sender is dropped when the process was waited for; only if that does not happen is it killed.
            if end.recv_timeout(PATIENCE) == Err(RecvTimeoutError::Timeout) {
                eprintln!("killed, as it has run for {PATIENCE:?}: {name}");
                let _ = kill_process(leader, Signal::KILL);
            }
        });
        Process {
            child,
            over: Some(over),
        }
    }

    /// Waits for its end, after its standard input has been closed.
    ///
    /// # Errors
    /// If it cannot be waited for.
    pub fn wait(&mut self) -> io::Result<ExitStatus> {
        let status = self.child.wait();
        self.over = None;
        status
    }

    /// How it has ended; none if it runs.
    ///
    /// # Errors
    /// If that cannot be said.
    pub fn try_wait(&mut self) -> io::Result<Option<ExitStatus>> {
        let status = self.child.try_wait();
        if matches!(status, Ok(Some(_))) {
            self.over = None;
        }
        status
    }

    /// Waits for its end; all that it has written to pipes.
    ///
    /// # Errors
    /// If it cannot be read from.
    pub fn wait_with_output(mut self) -> io::Result<Output> {
        // Both are read at the same time, each on a thread: a program that fills one pipe would otherwise wait
        // for ever.
        let stdout = self.stdout.take().map(all);
        let stderr = self.stderr.take().map(all);
        Ok(Output {
            status: self.wait()?,
            stdout: stdout.map_or(Ok(Vec::new()), received)?,
            stderr: stderr.map_or(Ok(Vec::new()), received)?,
        })
    }
}

impl Deref for Process {
    type Target = Child;

    fn deref(&self) -> &Child {
        &self.child
    }
}

impl DerefMut for Process {
    fn deref_mut(&mut self) -> &mut Child {
        &mut self.child
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.wait();
    }
}

/// Reads all that comes out of a pipe.
fn all(mut pipe: impl Read + Send + 'static) -> Receiver<io::Result<Vec<u8>>> {
    let (sender, read) = mpsc::channel();
    thread::spawn(move || {
        let mut bytes = Vec::new();
        sender.send(pipe.read_to_end(&mut bytes).map(|_| bytes))
    });
    read
}

/// The bytes of a pipe, which others can hold open when its program has ended.
fn received(read: Receiver<io::Result<Vec<u8>>>) -> io::Result<Vec<u8>> {
    // A process that the program left behind can hold the pipe open, so this wait has a limit too.
    let nothing = |error| io::Error::new(io::ErrorKind::TimedOut, error);
    read.recv_timeout(PATIENCE).map_err(nothing)?
}

/// Writes a file that can be executed at once.
///
/// A child writes it: while this process has it open, a child that another thread is starting has it open too,
/// and until that runs its program the file cannot be executed ("text file busy").
///
/// # Panics
/// If it cannot be written.
#[track_caller]
pub fn install(text: impl AsRef<[u8]>, path: &Path) {
    let folder = path.parent().unwrap();
    std::fs::create_dir_all(folder).unwrap();
    let script = r#"cat > "$1" && chmod +x "$1""#;
    let arguments: [OsString; 4] = ["-c".into(), script.into(), "sh".into(), path.into()];
    let mut sh = Command::new("sh");
    sh.args(arguments).write_stdin(text.as_ref()).said(0);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read_to_its_end() {
        let output = Command::new("cat").write_stdin("text").output().unwrap();
        assert!(output.status.success());
        assert_eq!(output.stdout, b"text");
        let output = Command::new("sh")
            .args(["-c", "cat; echo why >&2; exit 3"])
            .output();
        let output = output.unwrap();
        assert_eq!(output.status.code(), Some(3));
        assert_eq!(
            (&*output.stdout, &*output.stderr),
            (&b""[..], &b"why\n"[..])
        );
    }

    #[test]
    fn nothing_outlives_the_test() {
        let process = Command::new("sleep").arg("1000").spawn().unwrap();
        let path = format!("/proc/{}", process.id());
        drop(process);
        assert!(!Path::new(&path).exists());
    }

    /// A program that was just written can be started, even while other threads start programs all the time.
    #[test]
    fn what_was_just_written_can_be_started() {
        let folder = tempfile::tempdir().unwrap();
        thread::scope(|scope| {
            for thread in 0..4 {
                let path = folder.path().join(thread.to_string());
                scope.spawn(move || {
                    for round in 0..25 {
                        let file = path.join(round.to_string());
                        install(format!("#!/bin/sh\necho {round}\n"), &file);
                        let output = Command::new(&file).output().unwrap();
                        assert_eq!(output.stdout, format!("{round}\n").as_bytes());
                    }
                });
            }
        });
    }

    #[test]
    #[should_panic(expected = "it failed: a panic")]
    fn a_failure_is_not_waited_for() {
        within("a panic", || panic!("inside"));
    }
}
