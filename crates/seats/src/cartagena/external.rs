//! The seat of a participant's program. For each action the program is called as in the contest, in a private copy of
//! its folder; its answer is read and its faults are found. Whether an action is legal, the referee checks.

use super::seat::{Answer, Fault, FaultKind, Seat, Usage};
use arena::plain_text::printable_lines;
use arena::process::{Limits, Run, Workspace};
use cartagena::notation::{self, ResolveError, parse_action, resolve};
use cartagena::rules::{Action, Game};
use std::io::{self, ErrorKind};

/// Number of characters of standard output that are kept for people to read.
pub const SHOWN: usize = 400;
/// Number of its characters that a message quotes.
const QUOTED: usize = 80;

/// Seats a program in a private copy of its folder, which lasts as long as the seat. `limits` hold for each of its
/// actions.
pub fn in_copy(workspace: Workspace, limits: Limits) -> Seat {
    Box::new(move |question, _| {
        let input = notation::print(question.record);
        Ok(match call(&workspace, input.as_bytes(), &limits)? {
            Ok(run) => Answer {
                reply: judge(&run, question.game, question.view.seat),
                usage: Usage {
                    nanos: run.wall.as_nanos() as u64,
                    processor_nanos: Some(run.cpu.as_nanos() as u64),
                    peak_bytes: Some(run.peak_memory),
                },
                output: beginning(&run.stdout),
                errors: told(&run.stderr_tail),
            },
            Err(fault) => Answer {
                reply: Err(fault),
                usage: Usage::default(),
                output: String::new(),
                errors: String::new(),
            },
        })
    })
}

/// The first `most` characters of an output, as the program wrote them; `…` stands for more. Not for a terminal, which
/// might obey control characters.
pub fn as_written(output: &[u8], most: usize) -> String {
    // A character has at most four bytes.
    let text = String::from_utf8_lossy(&output[..output.len().min(4 * most)]);
    match text.char_indices().nth(most) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.into_owned(),
    }
}

/// The beginning of an output in quotes, with escapes for control characters.
pub fn quoted(output: &[u8]) -> String {
    format!("{:?}", as_written(output, QUOTED))
}

/// The beginning of an output, as printable text.
fn beginning(output: &[u8]) -> String {
    printable_lines(&as_written(output, SHOWN)).into_owned()
}

/// A program's output as printable text: control characters do not reach the terminal.
pub fn told(output: &[u8]) -> String {
    printable_lines(&String::from_utf8_lossy(output)).into_owned()
}

/// Calls a program. If it cannot be started for a reason that it can have caused itself, that is a fault.
///
/// # Errors
/// If the referee's machine fails.
pub fn call(
    workspace: &Workspace,
    input: &[u8],
    limits: &Limits,
) -> io::Result<Result<Run, Fault>> {
    startable(workspace.run(input, limits))
}

/// Separates a program's fault from a failure of the referee's machine.
pub fn startable(called: io::Result<Run>) -> io::Result<Result<Run, Fault>> {
    match called {
        Ok(run) => Ok(Ok(run)),
        // A participant pays for its faults and not for a failing machine, so only errors that a
        // program can cause are faults.
        Err(error) => match error.kind() {
            // The program has removed or replaced itself or its folder, or its interpreter is
            // missing or not executable.
            ErrorKind::NotFound
            | ErrorKind::NotADirectory
            | ErrorKind::PermissionDenied
            | ErrorKind::InvalidData => Ok(Err(Fault::new(FaultKind::Crash, error.to_string()))),
            _ => Err(error),
        },
    }
}

/// The action of a program, or the gravest of its faults. Whether the action is legal is not checked here.
///
/// # Errors
/// The fault.
pub fn judge(run: &Run, game: &Game, seat: usize) -> Result<Action, Fault> {
    // From the gravest fault to the lightest.
    changes(run)?;
    ending(run)?;
    leftovers(run)?;
    lateness(run)?;
    read(&run.stdout, game, seat)
}

/// Checks that the program did not change its own files.
///
/// # Errors
/// A fault if not.
pub fn changes(run: &Run) -> Result<(), Fault> {
    match &run.changed {
        None => Ok(()),
        Some(changes) => {
            let detail = format!("changed its own files: {changes}");
            Err(Fault::new(FaultKind::Crash, detail))
        }
    }
}

/// Checks that the program ended by itself and successfully.
///
/// # Errors
/// A fault if not.
pub fn ending(run: &Run) -> Result<(), Fault> {
    if let Some(excess) = run.excess {
        return Err(Fault::new(FaultKind::Crash, excess.to_string()));
    }
    if run.timed_out {
        let said = match run.stdout.is_empty() {
            true => "without an answer",
            false => "though it had answered",
        };
        let detail = format!("did not end and was ended after {}, {said}", seconds(run));
        return Err(Fault::new(FaultKind::Timeout, detail));
    }
    if run.stdout_cut {
        let detail = format!("wrote more than {} bytes and was ended", run.stdout.len());
        return Err(Fault::new(FaultKind::Malformed, detail));
    }
    if !run.status.success() {
        let errors = String::from_utf8_lossy(&run.stderr_tail);
        let last = errors.lines().rev().find(|line| !line.trim().is_empty());
        let told = last.map_or(String::new(), |line| format!(": {}", line.trim()));
        let detail = format!("ended with {}{told}", run.status);
        return Err(Fault::new(FaultKind::Crash, detail));
    }
    if run.unanswered {
        return Err(Fault::new(FaultKind::Crash, "ended before it answered"));
    }
    Ok(())
}

/// Reads the action of an answer; an empty answer ends the turn.
///
/// # Errors
/// A fault if the answer is something else, or an action that no rule of any position allows.
pub fn read(stdout: &[u8], game: &Game, seat: usize) -> Result<Action, Fault> {
    let malformed = |detail: String| Fault::new(FaultKind::Malformed, detail);
    let told = match parse_action(stdout) {
        Ok(notation::Answer::Pass) => return Ok(Action::Pass),
        Ok(notation::Answer::Move(told)) => told,
        Err(error) => {
            let detail = format!("{error}; it wrote {}", quoted(stdout));
            return Err(malformed(detail));
        }
    };
    let answered = notation::print_move(&told);
    let illegal = |detail: String| {
        let detail = format!("answered \"{answered}\": {detail}");
        Fault::new(FaultKind::Illegal, detail)
    };
    let action = resolve(game, told).map_err(|error| match error {
        ResolveError::NoCard | ResolveError::CardOnRetreat { .. } => {
            malformed(format!("answered \"{answered}\": {error}"))
        }
        _ => illegal(error.to_string()),
    })?;
    if told.player != seat {
        return Err(illegal(format!("it is player {}'s turn", seat + 1)));
    }
    Ok(action)
}

/// Checks that the program left no process behind.
///
/// # Errors
/// A fault if not.
pub fn leftovers(run: &Run) -> Result<(), Fault> {
    let detail = match run.leftovers {
        0 => return Ok(()),
        1 => "left a process behind".to_owned(),
        n => format!("left {n} processes behind"),
    };
    Err(Fault::new(FaultKind::Leftover, detail))
}

/// Checks that the program was in time.
///
/// # Errors
/// A fault if not.
pub fn lateness(run: &Run) -> Result<(), Fault> {
    let Some(late) = run.late_by() else {
        return Ok(());
    };
    let late = late.as_secs_f64();
    let detail = format!("took {}, {late:.3} s too long", seconds(run));
    Err(Fault::new(FaultKind::Late, detail))
}

/// The wall-clock time of a call, for messages.
fn seconds(run: &Run) -> String {
    format!("{:.3} s", run.wall.as_secs_f64())
}

#[cfg(target_os = "linux")]
#[cfg(test)]
mod tests;
