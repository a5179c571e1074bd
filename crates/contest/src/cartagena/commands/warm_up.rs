//! The first call of programs, before a tournament begins.

use crate::cartagena::external::told;
use crate::cartagena::tournament::{ParticipantRecord, Sample, Tournament};
use anyhow::Context;
use arena::process::{Confinement, Limits, Program, Workspace, first_call};
use std::collections::HashSet;
use std::time::Duration;

/// Time for a program to build itself.
const WARM_UP: Duration = Duration::from_secs(600);

/// Calls every program once. One that fails or is late may have to build itself: it is called again
/// where it is, with time for that. Says whether there was any; of all others nothing is touched but
/// a copy.
pub(super) fn warm_up(
    tournament: &Tournament,
    confinement: Option<&Confinement>,
) -> anyhow::Result<bool> {
    let settings = tournament.settings();
    let input = Sample::new(settings.players[0].into(), 1).input();
    let mut any = false;
    let played: HashSet<usize> = tournament
        .before()
        .iter()
        .flat_map(|(scheduled, _)| scheduled.seats.iter().copied())
        .collect();
    for (i, participant) in settings.programs.iter().enumerate() {
        // Who has played is built.
        if participant.is_builtin() || played.contains(&i) {
            continue;
        }
        let program = participant.found()?;
        let limits = Limits {
            confinement: confinement.cloned(),
            ..settings.limits()
        };
        let run = Workspace::new(&program)
            .and_then(|copy| copy.run(input.as_bytes(), &limits))
            .with_context(|| format!("cannot start {}", participant.label))?;
        if run.status.success() && run.late_by(&limits).is_none() {
            continue;
        }
        any = true;
        build(participant, &program, input.as_bytes(), confinement)?;
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
