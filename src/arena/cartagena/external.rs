//! The seat of a contestant's program: asked as the contest asks, in a folder of its own.

use super::seat::{Answer, Fault, FaultKind, Seat, Usage};
use crate::arena::process::{Limits, Program, Run, Workspace};
use crate::cartagena::notation::{self, Answer as Said};
use crate::cartagena::player::Question;
use crate::cartagena::record::Move;
use crate::cartagena::rules::{Action, Game};
use std::io;

/// Characters of standard output that are kept for people.
const SHOWN: usize = 400;

/// A program on a seat. Its folder is a private copy, which lasts as long as the seat.
#[derive(Debug)]
pub struct External {
    workspace: Workspace,
    limits: Limits,
}

impl External {
    /// Seats a program; each of its actions may take what `limits` says.
    ///
    /// # Errors
    /// If its folder cannot be copied.
    pub fn new(program: &Program, limits: Limits) -> io::Result<External> {
        Ok(External {
            workspace: Workspace::new(program)?,
            limits,
        })
    }
}

impl Seat for External {
    fn ask(&mut self, question: &Question) -> io::Result<Answer> {
        let input = notation::print(question.record);
        let run = self.workspace.run(input.as_bytes(), &self.limits)?;
        Ok(Answer {
            reply: judge(&run, &self.limits, question.game, question.view.seat),
            usage: Usage {
                nanos: run.wall.as_nanos() as u64,
                processor_nanos: Some(run.cpu.as_nanos() as u64),
                peak_bytes: Some(run.peak_memory),
            },
            output: beginning(&run.stdout),
            errors: String::from_utf8_lossy(&run.stderr_tail).into_owned(),
        })
    }
}

/// What a program said, or what it did wrong; of several faults the gravest. Whether the action is
/// legal is left to the referee.
///
/// # Errors
/// The fault.
pub fn judge(run: &Run, limits: &Limits, game: &Game, seat: usize) -> Result<Action, Fault> {
    let fault = |kind, detail: String| Err(Fault::new(kind, detail));
    let seconds = run.wall.as_secs_f64();
    if run.timed_out {
        let detail = format!("no end after {seconds:.2} s, and was ended");
        return fault(FaultKind::Timeout, detail);
    }
    if run.stdout_cut {
        let detail = format!("wrote more than {} bytes", limits.stdout_limit);
        return fault(FaultKind::Malformed, detail);
    }
    if !run.status.success() {
        return fault(FaultKind::Crash, format!("ended with {}", run.status));
    }
    if run.lingering > 0 {
        let detail = format!("left {} running behind", processes(run.lingering));
        return fault(FaultKind::Lingering, detail);
    }
    if let Some(late) = run.late_by(limits) {
        let (late, allowed) = (late.as_secs_f64(), limits.late.as_secs_f64());
        let detail = format!("answered after {seconds:.3} s, {late:.3} s more than {allowed} s");
        return fault(FaultKind::Late, detail);
    }
    understood(&run.stdout, game, seat)
}

fn understood(output: &[u8], game: &Game, seat: usize) -> Result<Action, Fault> {
    let malformed = |detail: String| Fault::new(FaultKind::Malformed, detail);
    let said = notation::parse_action(output)
        .map_err(|error| malformed(format!("{error}; it wrote {:?}", beginning(output))))?;
    let step: Move = match said {
        Said::Pass => return Ok(Action::Pass),
        Said::Move(step) => step,
    };
    if step.player != seat {
        let (told, own) = (step.player + 1, seat + 1);
        let detail = format!("answered for player {told}, but is player {own}");
        return Err(Fault::new(FaultKind::Illegal, detail));
    }
    notation::resolve(game, step).map_err(|error| {
        let detail = format!("answered {:?}: {error}", beginning(output).trim_end());
        Fault::new(FaultKind::Illegal, detail)
    })
}

fn processes(count: usize) -> String {
    match count {
        1 => "a process".to_owned(),
        n => format!("{n} processes"),
    }
}

fn beginning(output: &[u8]) -> String {
    let text = String::from_utf8_lossy(&output[..output.len().min(4 * SHOWN)]);
    match text.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.into_owned(),
    }
}
