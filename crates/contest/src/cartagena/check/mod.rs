//! Checks whether a program follows the contest's interface, for `contest cartagena check`.
//!
//! The program is called once in its own folder, with time to build itself, and then for different positions in a
//! private copy of the folder. Each position gives a line of the report. Some properties show only over several calls:
//! time, leftover processes, written files, the form of the answers. Their lines come at the end.

mod files;
mod positions;
mod report;
#[cfg(target_os = "linux")]
#[cfg(test)]
mod tests;

pub use self::report::{Call, Cause, Line, Report, Verdict};

use self::files::Listing;
use self::positions::{Position, Worth};
use super::external;
use super::seat::{Fault, FaultKind};
use arena::process::{
    Confinement, Limits, Place, Program, Run, Workspace, first_call, temporary_folder,
    trouble_of_first_line,
};
use std::io;
use std::path::PathBuf;
use std::thread;
use std::time::Duration;

/// After this many calls that had to be killed, no more are made.
const PATIENCE: usize = 2;

/// Paths in the copy that a call may write to.
const FREE_IN_COPY: [&str; 1] = ["support"];
/// Paths in the program's own folder that may change: its build, which the copy only links to, and the caches of calls
/// that somebody else makes meanwhile.
const FREE_AT_HOME: [&str; 3] = ["target", ".git", "support/cache"];

/// How a program is checked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Options {
    /// The contest's time for an action.
    pub time: Duration,
    /// The time limit of the first call, in which the program may build itself.
    pub warm_up: Duration,
    /// The sandbox of the program.
    pub confinement: Option<Confinement>,
    /// Bytes of memory that may be resident in all its processes together.
    pub memory: Option<u64>,
}

/// Follows a check under way.
pub trait Watch {
    /// The program is about to be asked a question, number `number` (from 1) of `of`.
    fn asks(&mut self, number: usize, of: usize, question: &'static str);

    /// A line of the report is known.
    fn tells(&mut self, line: &Line);
}

/// Checks a program while somebody watches.
///
/// # Errors
/// If the machine fails, or the program's folder cannot be read or copied.
pub fn check(program: &Program, options: &Options, watch: &mut dyn Watch) -> io::Result<Report> {
    let mut examiner = Examiner {
        program,
        limits: options.limits(),
        warm_up: options.warm_up,
        lines: Vec::new(),
        causes: Vec::new(),
        copy: PathBuf::new(),
        watch,
        asked: 0,
        questions: 0,
        calls: Vec::new(),
    };
    examiner.examine()?;
    let Examiner { lines, causes, .. } = examiner;
    Ok(Report {
        program: program.executable().display().to_string(),
        fingerprint: program.fingerprint()?,
        time: options.time.as_secs_f64(),
        passed: !lines.iter().any(Line::is_red),
        lines,
        causes,
    })
}

impl Options {
    /// The limits of a call. A program is killed some time after its limit, so that a late answer can be distinguished
    /// from none.
    fn limits(&self) -> Limits {
        Limits {
            late: self.time,
            // A third of the time more, but at least 5 s.
            kill: self.time + (self.time / 3).max(Duration::from_secs(5)),
            memory: self.memory,
            confinement: self.confinement.clone(),
            ..Limits::default()
        }
    }
}

/// A call that could be started, and its position.
struct Made {
    position: Position,
    run: Run,
}

impl Made {
    fn call(&self) -> Call {
        shown(&self.position.input, &self.run)
    }
}

/// A call as the report shows it.
fn shown(input: &str, run: &Run) -> Call {
    Call {
        sent: input.to_owned(),
        received: external::as_written(&run.stdout, external::SHOWN),
        errors: String::from_utf8_lossy(&run.stderr_tail).into_owned(),
        status: run.status.to_string(),
        seconds: run.wall.as_secs_f64(),
        saved: None,
        again: None,
    }
}

/// Whether a crash looks as if files or system calls were out of the program's reach. `call` is none if the program
/// could not be started.
fn may_lack_files(detail: &str, call: Option<&Call>) -> bool {
    const SIGNS: [&str; 5] = [
        "permission",
        "not permitted",
        "no such file",
        "not found",
        "no module named",
    ];
    let (status, errors) = call.map_or(("", detail), |call| (&*call.status, &*call.errors));
    let errors = errors.to_lowercase();
    // A shell ends with 126 or 127 if it cannot start a command. SIGSYS ends a refused system call; the other signals
    // have other reasons.
    ["exit status: 126", "exit status: 127"].contains(&status)
        || status.contains("SIGSYS")
        || (!status.starts_with("signal") && SIGNS.iter().any(|sign| errors.contains(sign)))
}

/// A check under way.
struct Examiner<'a> {
    program: &'a Program,
    limits: Limits,
    warm_up: Duration,
    lines: Vec<Line>,
    causes: Vec<Cause>,
    /// The private copy of the program's folder; empty before it is made.
    copy: PathBuf,
    watch: &'a mut dyn Watch,
    /// The questions that have begun, and how many there are.
    asked: usize,
    questions: usize,
    /// The calls in the copy. The repetition of a failed simultaneous call stands for that call.
    calls: Vec<Made>,
}

impl Examiner<'_> {
    /// Makes all checks, in the order of the report's lines.
    fn examine(&mut self) -> io::Result<()> {
        // The positions are part of `contest`, so an error in one is its own fault, not that of the checked program.
        let unreadable = |error| io::Error::new(io::ErrorKind::InvalidData, error);
        self.program.examine()?;
        // A folder that cannot be used would look like a fault of the program.
        drop(Place::new(&temporary_folder()?)?);
        let one_by_one = positions::one_by_one().map_err(unreadable)?;
        let at_once = positions::at_once().map_err(unreadable)?;
        self.questions = 1 + one_by_one.len() + at_once.len();
        // The first call comes before the copy is made, so that the copy has what the program builds.
        self.warm_up(&positions::example().map_err(unreadable)?)?;
        let home = self.at_home()?;
        let workspace = Workspace::new(self.program)?;
        self.copy = workspace.folder().to_owned();
        // The listings before the calls are compared with those after them, to find what the calls wrote.
        let copy = Listing::of(workspace.folder(), &FREE_IN_COPY)?;
        for position in one_by_one {
            self.ask(&workspace, position)?;
        }
        self.ask_at_once(&workspace, at_once)?;
        // From here on the lines are about all calls together.
        self.form();
        self.time();
        self.processes();
        let mut changes = copy.changes(&Listing::of(workspace.folder(), &FREE_IN_COPY)?);
        let at_home = home.changes(&self.at_home()?).into_iter();
        changes.extend(at_home.map(|change| format!("{change} where the program is")));
        self.files(&changes);
        self.support();
        Ok(())
    }

    /// Adds a line to the report. A failed one gets the number of its cause.
    fn line(
        &mut self,
        name: &'static str,
        verdict: Verdict,
        detail: impl Into<String>,
        call: Option<Call>,
    ) {
        let detail = detail.into();
        let cause = (verdict == Verdict::Failed).then(|| {
            // The same failure in the copy and in the program's own folder is one cause. So the copy's path is replaced
            // before causes are compared.
            let hint = self.hint(&detail, call.as_ref());
            let copy = self.copy.display().to_string();
            let home = self.program.folder().display().to_string();
            let at_home = match copy.is_empty() {
                true => detail.clone(),
                false => detail.replace(&copy, &home),
            };
            report::cause_of(&mut self.causes, name, &detail, &at_home, hint)
        });
        let line = Line {
            name,
            verdict,
            detail,
            cause,
            call,
        };
        self.watch.tells(&line);
        self.lines.push(line);
    }

    /// Says that the program is about to be asked the next question.
    fn begin(&mut self, question: &'static str) {
        self.asked += 1;
        self.watch.asks(self.asked, self.questions, question);
    }

    /// A hint for a failure, from its words and its call; none if there is nothing to advise.
    fn hint(&self, detail: &str, call: Option<&Call>) -> Option<String> {
        if !detail.starts_with(FaultKind::Crash.name()) {
            return None;
        }
        // A bad first line explains a crash best; otherwise the sandbox may be the reason.
        // If the program could not be started, the words of the failure say so already.
        if let Some(trouble) = trouble_of_first_line(&self.program.executable()) {
            return Some(trouble).filter(|trouble| !detail.contains(&**trouble));
        }
        let is_confined = self.limits.confinement.is_some();
        (is_confined && may_lack_files(detail, call)).then(|| {
            "it may need files that are out of its reach: name them with --allow, build the program \
             yourself, or try --isolate none"
                .to_owned()
        })
    }

    /// The files of the program's folder. None for a single executable: its folder may contain anything.
    fn at_home(&self) -> io::Result<Listing> {
        match self.program.is_alone() {
            true => Ok(Listing::default()),
            false => Listing::of(self.program.folder(), &FREE_AT_HOME),
        }
    }

    /// Makes the first call, in the program's own folder and with a longer time limit.
    fn warm_up(&mut self, position: &Position) -> io::Result<()> {
        const NAME: &str = "a first call, in which it may build itself";
        let limits = Limits {
            // A late build is of no interest, so the program is killed at the limit.
            late: self.warm_up,
            kill: self.warm_up,
            ..self.limits.clone()
        };
        self.begin(NAME);
        let called = first_call(self.program, position.input.as_bytes(), &limits);
        let run = match external::startable(called)? {
            Ok(run) => run,
            Err(fault) => {
                self.line(NAME, Verdict::Failed, fault.to_string(), None);
                return Ok(());
            }
        };
        // The input of this call ends, and with it a program that stays: nobody looks for its processes later.
        let left = match self.program.stays() {
            true => external::leftovers(&run),
            false => Ok(()),
        };
        match external::ending(&run).and(left) {
            Ok(()) => {
                let detail = format!("took {:.2} s", run.wall.as_secs_f64());
                self.line(NAME, Verdict::Passed, detail, None);
            }
            Err(fault) => {
                let call = shown(&position.input, &run);
                self.line(NAME, Verdict::Failed, fault.to_string(), Some(call));
            }
        }
        Ok(())
    }

    /// Whether further calls are made: fewer than [`PATIENCE`] had to be killed.
    fn is_patient(&self) -> bool {
        let ended = self.calls.iter().filter(|made| made.run.timed_out);
        ended.count() < PATIENCE
    }

    /// Calls the program for a position, and writes the line of the position.
    fn ask(&mut self, workspace: &Workspace, position: Position) -> io::Result<()> {
        self.begin(position.name);
        // A program that hangs would take its whole limit at every position.
        if !self.is_patient() {
            let detail = format!("not tried: {PATIENCE} calls had to be ended");
            self.line(position.name, Verdict::Skipped, detail, None);
            return Ok(());
        }
        let called = external::call(workspace, position.input.as_bytes(), &self.limits)?;
        self.judge(position, called);
        Ok(())
    }

    /// Writes the line of a position, after its call. Returns whether it did not fail.
    fn judge(&mut self, position: Position, called: Result<Run, Fault>) -> bool {
        let run = match called {
            Ok(run) => run,
            Err(fault) => {
                self.line(position.name, Verdict::Failed, fault.to_string(), None);
                return false;
            }
        };
        let made = Made { position, run };
        let (verdict, detail, call) = match made.position.judge(&made.run) {
            Worth::Good(text) => {
                let text = format!("{text} in {:.2} s", made.run.wall.as_secs_f64());
                (Verdict::Passed, text, None)
            }
            Worth::Pity(text) => (Verdict::Warned, text, Some(made.call())),
            Worth::Bad(fault) => (Verdict::Failed, fault.to_string(), Some(made.call())),
        };
        self.line(made.position.name, verdict, detail, call);
        self.calls.push(made);
        verdict != Verdict::Failed
    }

    /// Makes two calls at the same time, in the same folder. If one fails, its position is asked again alone. If that
    /// succeeds, the program cannot cope with simultaneous calls.
    fn ask_at_once(&mut self, workspace: &Workspace, pair: [Position; 2]) -> io::Result<()> {
        const NAME: &str = "two calls at once";
        if !self.is_patient() {
            for position in pair {
                self.ask(workspace, position)?;
            }
            let detail = format!("not tried: {PATIENCE} calls had to be ended");
            self.line(NAME, Verdict::Skipped, detail, None);
            return Ok(());
        }
        for _ in &pair {
            self.begin(NAME);
        }
        let limits = &self.limits;
        let call =
            |position: &Position| external::call(workspace, position.input.as_bytes(), limits);
        let (first, second) = thread::scope(|scope| {
            let other = scope.spawn(|| call(&pair[1]));
            let first = call(&pair[0]);
            // A panic is an error of `contest`, not of the checked program.
            let second = other.join().unwrap_or_else(|_| {
                Err(io::Error::other("the thread of the second call panicked"))
            });
            (first, second)
        });
        // `trouble`: the first failure of the simultaneous calls; `broken`: whether a repeated call failed too.
        let mut trouble = None;
        let mut broken = false;
        for (position, called) in pair.into_iter().zip([first?, second?]) {
            let fault = match &called {
                Ok(run) => match position.judge(run) {
                    Worth::Bad(fault) => Some((fault, Some(shown(&position.input, run)))),
                    _ => None,
                },
                Err(fault) => Some((fault.clone(), None)),
            };
            match fault {
                None => {
                    self.judge(position, called);
                }
                Some(fault) => {
                    let again = external::call(workspace, position.input.as_bytes(), &self.limits)?;
                    // The line of the position shows the repeated call: the failure before may be due to the other
                    // call.
                    broken |= !self.judge(position, again);
                    trouble = trouble.or(Some(fault));
                }
            }
        }
        match trouble {
            None => self.line(NAME, Verdict::Passed, "both answered", None),
            // If a position fails alone too, the simultaneous calls need not be the reason.
            Some(_) if broken => {
                let detail = "not known: single calls fail, too";
                self.line(NAME, Verdict::Warned, detail, None);
            }
            Some((fault, call)) => self.line(NAME, Verdict::Failed, fault.to_string(), call),
        }
        Ok(())
    }

    /// Writes the line about the form of the answers: whether they are exactly what the contest writes.
    fn form(&mut self) {
        const NAME: &str = "prints the action and nothing else";
        // A malformed answer is a failure. An answer that is understood, but written in another way, is a warning.
        let malformed = self
            .calls
            .iter()
            .find_map(|made| match made.position.judge(&made.run) {
                Worth::Bad(fault) if fault.kind == FaultKind::Malformed => {
                    Some((made, fault.to_string()))
                }
                _ => None,
            });
        let inexact = || {
            let mut calls = self
                .calls
                .iter()
                .filter(|made| external::ending(&made.run).is_ok());
            let made = calls.find(|made| !made.position.is_exact(&made.run))?;
            let detail = format!(
                "understood, but written differently from the contest: {}",
                external::quoted(&made.run.stdout)
            );
            Some((made, detail))
        };
        let (verdict, detail, call) = match (malformed, inexact()) {
            (Some((made, detail)), _) => (Verdict::Failed, detail, Some(made.call())),
            (None, Some((made, detail))) => (Verdict::Warned, detail, Some(made.call())),
            (None, None) => (Verdict::Passed, "nothing else was seen".to_owned(), None),
        };
        self.line(NAME, verdict, detail, call);
    }

    /// Writes the line about the time: whether all calls were within the limit.
    fn time(&mut self) {
        const NAME: &str = "ends in time";
        // The slowest call decides: one late answer is a fault.
        let slowest = self.calls.iter().max_by_key(|made| made.run.wall);
        let Some(made) = slowest else {
            return self.line(NAME, Verdict::Skipped, "nothing was answered", None);
        };
        // The program's own limit, if it is lower than the referee's.
        let allowed = made.run.late_after.as_secs_f64();
        let took = made.run.wall.as_secs_f64();
        let mut detail = format!("{took:.2} s at most, of {allowed} s");
        let (verdict, call) = match made.run.timed_out || made.run.late_by().is_some() {
            true => (Verdict::Failed, Some(made.call())),
            false => (Verdict::Passed, None),
        };
        // If the program had to be killed, an earlier line has that failure. With the same words this line gets the
        // same cause.
        if made.run.timed_out
            && let Err(fault) = external::ending(&made.run)
        {
            detail = fault.to_string();
        }
        self.line(NAME, verdict, detail, call);
    }

    /// Writes the line about processes that outlived a call.
    fn processes(&mut self) {
        const NAME: &str = "leaves no process behind";
        let worst = self.calls.iter().max_by_key(|made| made.run.leftovers);
        let fault = worst.and_then(|made| {
            let fault = external::leftovers(&made.run).err()?;
            Some((fault.detail, made.call()))
        });
        match fault {
            Some((detail, call)) => self.line(NAME, Verdict::Failed, detail, Some(call)),
            None => self.line(NAME, Verdict::Passed, "none", None),
        }
    }

    /// Writes the line about files that a program must not write. `changes` are such files, in words.
    fn files(&mut self, changes: &[String]) {
        const NAME: &str = "writes only under its support/";
        // More than five paths would hide the rest of the report.
        const NAMED: usize = 5;
        if changes.is_empty() {
            return self.line(NAME, Verdict::Passed, "nothing else has changed", None);
        }
        let mut detail = changes[..changes.len().min(NAMED)].join(", ");
        if changes.len() > NAMED {
            detail += &format!(", and {} more", changes.len() - NAMED);
        }
        self.line(NAME, Verdict::Failed, detail, None);
    }

    /// Writes the line about `support/` in the program's own folder: whether the program can keep files there.
    fn support(&mut self) {
        const NAME: &str = "may write to its support/ where it is";
        let support = self.program.folder().join("support");
        let (verdict, detail) = match files::trouble_writing(&support) {
            // A program without this folder keeps nothing between calls, so nothing is wrong.
            _ if self.program.is_alone() || !support.is_dir() => {
                (Verdict::Passed, "it has none".to_owned())
            }
            None => (Verdict::Passed, "it can".to_owned()),
            Some(error) => {
                let name = support.display();
                let detail = format!(
                    "{name}: {error}: a program called there can keep nothing between calls"
                );
                (Verdict::Warned, detail)
            }
        };
        self.line(NAME, verdict, detail, None);
    }
}
