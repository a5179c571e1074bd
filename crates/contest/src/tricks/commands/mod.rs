//! The commands that `contest eights` and `contest hearts` share.

mod games;
mod ladder;
mod matches;
mod replay;
mod report;
mod tournament;

pub(crate) use games::Args as GamesArgs;
pub(crate) use ladder::Args as LadderArgs;
pub(crate) use matches::Args as MatchArgs;
pub(crate) use replay::Args as ReplayArgs;
pub(crate) use report::Args as ReportArgs;
pub(crate) use tournament::Args as RulesArgs;

use super::{Contest, Participant, participant};
use crate::Usage;
use crate::isolation::IsolationArgs;
use crate::records::begins;
use arena::labels;
use arena::participant::Kind;
use arena::plain_text::span;
use std::io;
use std::path::Path;
use std::thread;

/// The participants with these names; programs among them run in a sandbox.
///
/// # Errors
/// Wrong usage if there is no such participant.
pub(crate) fn participants<C: Contest>(
    contest: &C,
    names: &[String],
    isolation: &IsolationArgs,
    secrets: &[Option<&Path>],
) -> anyhow::Result<Vec<Participant<C::Policy>>> {
    let read = |text: &String| participant::<C>(text).map_err(Usage::of);
    let mut participants: Vec<Participant<C::Policy>> =
        names.iter().map(read).collect::<Result<_, _>>()?;
    labels::check(participants.iter().map(|one| &*one.label)).map_err(Usage::of)?;
    // Records know participants by their labels, and reports would take two for one.
    for (place, one) in participants.iter().enumerate() {
        let mut before = participants[..place].iter();
        if before.any(|other| other.label == one.label && other.kind != one.kind) {
            let label = &one.label;
            refuse!(
                "two different players have the label {label}: give one another label, as in LABEL=PLAYER"
            );
        }
    }
    let mut programs = participants.iter().filter(|one| one.builtin().is_none());
    if let (true, Some(program)) = (contest.passes(), programs.next()) {
        let (label, title) = (&program.label, C::TITLE);
        refuse!(
            "--passing is for built-in players: {label} is a program, and {title} has no message for passing"
        );
    }
    // The sandbox is only set up if a program takes part.
    let any = participants.iter().any(|one| one.builtin().is_none());
    let confinement = isolation.confinement(any, secrets)?;
    for one in &mut participants {
        if let Kind::Program(line) = &mut one.kind {
            let known = line.clone().called(&one.label);
            *line = known.confined(confinement.clone());
        }
    }
    Ok(participants)
}

/// The number of tables at a time: the given one, or one a core.
pub(crate) fn at_a_time(jobs: Option<u16>) -> usize {
    jobs.map_or_else(
        || thread::available_parallelism().map_or(1, usize::from),
        usize::from,
    )
}

/// Whether a torn line is the beginning of a record of this contest; anything else must not be removed.
pub(crate) fn is_ours<C: Contest>(tail: &[u8]) -> bool {
    begins(C::NAME, tail)
}

/// An error if the game is not for `count` players.
fn check_count<C: Contest>(count: usize, what: &str) -> Result<(), Usage> {
    if C::COUNTS.contains(&count) {
        return Ok(());
    }
    refuse!("expected {} {what}, not {count}", span(&C::COUNTS));
}

/// Prints the rules that were played, if servers differ in them.
fn print_rules<C: Contest>(contest: &C) -> io::Result<()> {
    match contest.default_rules() {
        Some(rules) => line!("rules: {rules}"),
        None => Ok(()),
    }
}

/// All ways to give the first of two participants a number of seats in this range. Each way says by seat whether
/// it is the first's.
fn arrangements(seats: usize, firsts: std::ops::RangeInclusive<usize>) -> Vec<Vec<bool>> {
    // Each number from 0 to 2^seats − 1 is a set of seats, one bit for each.
    let all = (0..1_u32 << seats).filter(|bits| firsts.contains(&(bits.count_ones() as usize)));
    all.map(|bits| (0..seats).map(|seat| bits >> seat & 1 == 1).collect())
        .collect()
}
