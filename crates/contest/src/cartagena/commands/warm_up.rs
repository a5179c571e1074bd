//! The first call of programs, before a tournament begins.

use crate::Usage;
use crate::cartagena::Participant;
use crate::cartagena::external::told;
use crate::cartagena::tournament::{CallLimits, ParticipantRecord, Sample, Tournament};
use crate::interrupt::Idle;
use anyhow::Context;
use arena::process::{Confinement, Limits, Program, Workspace, first_call};
use std::collections::HashSet;
use std::time::Duration;

/// Time for a program to build itself.
const WARM_UP: Duration = Duration::from_secs(600);

/// Calls every program of a tournament once that has not played yet (see [`warm_up`]).
pub(super) fn warm_up_all(
    tournament: &Tournament,
    confinement: Option<&Confinement>,
) -> anyhow::Result<bool> {
    let settings = tournament.settings();
    let limits = Limits {
        confinement: confinement.cloned(),
        ..settings.limits()
    };
    let played: HashSet<usize> = tournament
        .before()
        .iter()
        .flat_map(|(scheduled, _)| scheduled.seats.iter().copied())
        .collect();
    // Who has played is built.
    let programs = settings.programs.iter().enumerate();
    let fresh = programs.filter(|(i, _)| !played.contains(i));
    warm_up(
        fresh.map(|(_, participant)| participant),
        settings.players[0].into(),
        &limits,
    )
}

/// A player as it is asked in games of so many players, a program having been called once.
pub(super) fn warmed_up(
    record: ParticipantRecord,
    players: usize,
    call: &CallLimits,
) -> anyhow::Result<Participant> {
    let record = record.examined().map_err(Usage::of)?;
    warm_up([&record].into_iter(), players, &call.limits)?;
    // One that built itself may have other files now.
    let record = record.examined().map_err(Usage::of)?;
    Ok(record.participant(call).map_err(Usage::of)?)
}

/// Calls every program once. One that fails or is late may have to build itself: it is called again
/// where it is, with time for that. Says whether there was any; of all others nothing is touched but
/// a copy.
pub(super) fn warm_up<'a>(
    participants: impl Iterator<Item = &'a ParticipantRecord>,
    players: usize,
    limits: &Limits,
) -> anyhow::Result<bool> {
    let _idle = Idle::begin();
    let input = Sample::new(players, 1).input();
    let mut any = false;
    for participant in participants.filter(|participant| !participant.is_builtin()) {
        let program = participant.found()?;
        let run = Workspace::new(&program)
            .and_then(|copy| copy.run(input.as_bytes(), limits))
            .with_context(|| format!("cannot start {}", participant.label))?;
        if run.status.success() && run.late_by(limits).is_none() {
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

/// Calls a program where it is and without a clock; confined, it may write to its folder.
fn build(
    participant: &ParticipantRecord,
    program: &Program,
    input: &[u8],
    confinement: Option<&Confinement>,
) -> anyhow::Result<()> {
    let label = &participant.label;
    eprintln!(
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
    let run =
        first_call(program, input, &limits).with_context(|| format!("cannot start {label}"))?;
    // What it has made of its folder is not yet copied.
    program.examine()?;
    if !run.status.success() {
        let errors = told(&run.stderr_tail);
        eprintln!(
            "warning: {label}, called for a first time: {}\n{}",
            run.status,
            errors.trim_end()
        );
        if confinement.is_some() {
            eprintln!(
                "what it needs may be out of its reach: name that by --allow, or call {label} once yourself to build \
                 it, in {}",
                program.folder().display()
            );
        }
    }
    Ok(())
}

/// A duration for people.
pub(super) fn duration(seconds: f64) -> String {
    let minutes = (seconds / 60.0).round() as u64;
    match minutes {
        0 => format!("{:.0} s", seconds.ceil()),
        1..60 => format!("{minutes} min"),
        _ => format!("{} h {:02} min", minutes / 60, minutes % 60),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_are_round() {
        let told = [0.2, 59.0, 90.0, 3599.0, 3600.0, 90_000.0].map(duration);
        assert_eq!(
            told,
            [
                "1 s",
                "1 min",
                "2 min",
                "1 h 00 min",
                "1 h 00 min",
                "25 h 00 min"
            ]
        );
    }
}
