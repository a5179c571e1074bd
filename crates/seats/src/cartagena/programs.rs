//! Prepares the programs that a command line names: calls each once, so that it can build itself before its time
//! counts.

use super::external::told;
use super::participant::{CallLimits, Called as _, Participant, ParticipantRecord};
use super::positions;
use crate::cli::Usage;
use crate::cli::interrupt::Idle;
use crate::cli::programs::duration;
use arena::process::{Confinement, Limits, Program, Workspace, first_call};
use cartagena::notation;
use std::time::Duration;

/// Time for a program to build itself.
const WARM_UP: Duration = Duration::from_secs(600);

/// Number of actions that each player has taken before the position that programs are called with.
const MIDDLE: usize = 20;

/// The participant for games of `players` players. If it is a program, it is called once first.
pub fn warmed_up(
    record: ParticipantRecord,
    players: usize,
    call: &CallLimits,
) -> anyhow::Result<Participant> {
    let record = record.examined().map_err(Usage::of)?;
    warm_up([&record].into_iter(), players, &call.limits)?;
    // A program that built itself may have changed its files.
    let record = record.examined().map_err(Usage::of)?;
    Ok(record.participant(call).map_err(Usage::of)?)
}

/// Calls a copy of every program once. A program that fails or is late may have to build itself: it is called
/// again, in its own folder and with time for that. Returns whether there was any such program.
pub fn warm_up<'a>(
    participants: impl Iterator<Item = &'a ParticipantRecord>,
    players: usize,
    limits: &Limits,
) -> anyhow::Result<bool> {
    let _idle = Idle::begin();
    // A position of the middle of a game, where a program has something to think about.
    let middle = positions::position(players, MIDDLE * players, 1);
    let input = middle.map_or(String::new(), |record| notation::print(&record));
    let mut any = false;
    for participant in participants.filter(|participant| !participant.is_builtin()) {
        let program = participant.found()?.called(&participant.label);
        let run = Workspace::new(&program).and_then(|copy| copy.run(input.as_bytes(), limits))?;
        if run.status.success() && run.late_by().is_none() {
            continue;
        }
        any = true;
        build(
            participant,
            &program,
            input.as_bytes(),
            limits.confinement.as_ref(),
        )?;
    }
    Ok(any)
}

/// Calls a program in its own folder, with the time to build itself. If confined, it may write to
/// that folder.
fn build(
    participant: &ParticipantRecord,
    program: &Program,
    input: &[u8],
    confinement: Option<&Confinement>,
) -> anyhow::Result<()> {
    let label = &participant.label;
    engine::note!(
        "{label} does not answer yet: it is given {} to build itself in {}",
        duration(WARM_UP.as_secs_f64()),
        program.folder().display()
    );
    let limits = Limits {
        late: WARM_UP,
        kill: WARM_UP,
        confinement: confinement.cloned(),
        ..Limits::default()
    };
    let run = first_call(program, input, &limits)?;
    // The folder has changed, so it is examined again before anything copies it.
    program.examine()?;
    if !run.status.success() {
        let errors = told(&run.stderr_tail);
        engine::note!(
            "warning: the first call of {label}: {}\n{}",
            run.status,
            errors.trim_end()
        );
        if confinement.is_some() {
            engine::note!(
                "it may need files that are out of its reach: name them with --allow, or call {label} once \
                 yourself to build it, in {}",
                program.folder().display()
            );
        }
    }
    Ok(())
}
