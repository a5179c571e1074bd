//! The announcement of a tournament on standard error before it begins. A dry run (`--dry-run`) ends after it.

use crate::tournament::settings::an;
use crate::tournament::{Format, Pace, Schedule, Settings, Shard, Tournament, TournamentGame};
use anyhow::Context;
use arena::plain_text::counted;
use arena::rating::{Anchor, expected_margins};
use seats::cli::programs::duration;
use std::collections::HashSet;
use std::path::Path;

/// Prints the plan, the expected time and precision of the ratings, and how to shorten the tournament. Programs
/// without recorded games are asked for an action, to measure their pace.
pub(super) fn announce<C: TournamentGame>(
    folder: &Path,
    tournament: &Tournament<C>,
    cores: usize,
    anchor: &Anchor,
) -> anyhow::Result<()> {
    let (settings, schedule) = (tournament.settings(), tournament.schedule());
    let before = tournament.before();
    let jobs = settings.games_at_a_time(cores);
    engine::note!("{}: {}", folder.display(), plan(settings, schedule));
    if !before.is_empty() {
        engine::note!("played before: {}", counted(before.len(), "game"));
    }
    let blocks = (0..schedule.line_ups().len())
        .map(|i| schedule.games_of(i) / schedule.seatings(i).len().max(1) as u64);
    for warning in settings.rules.warnings(blocks.max().unwrap_or(0)) {
        engine::note!("warning: {warning}");
    }
    // Played games give the pace. Programs without games are asked for an action.
    let mut pace = Pace::of_games(before);
    pace.ask(&settings.rules, tournament.table(), schedule)
        .context("cannot measure the programs' pace")?;
    for (program, players, fault) in &pace.faults {
        let label = &settings.programs[*program].label;
        let decision = an(C::DECISION);
        engine::note!("warning: {label}, asked for {decision} with {players} players: {fault}");
    }
    let played: HashSet<String> = before.iter().map(|(f, _)| schedule.id(f)).collect();
    let programs = settings.programs.len();
    // The estimate is needed for two numbers of games at a time: now, and with --threads 1.
    let estimate = |jobs| {
        let open = schedule.open(&played);
        let estimate = pace.estimate(schedule, open, programs, jobs);
        // The schedule of a Swiss tournament has all possible pairings, so the estimate is scaled to the games that
        // will be played.
        estimate.of_games(tournament.missing(), jobs)
    };
    let now = estimate(jobs);
    engine::note!(
        "{} to play, {jobs} at a time: about {}",
        counted(now.games, "game"),
        duration(now.seconds)
    );
    let outside = settings.programs.iter().filter(|p| !p.is_builtin()).count();
    // Advised only if the user has chosen neither --threads nor --jobs.
    if settings.threads.is_none() && settings.jobs.is_none() && cores > 1 && pace.are_small(outside)
    {
        engine::note!(
            "shorter: no program used more than one core; with --threads 1 {cores} games are played at \
             a time, in about {}",
            duration(estimate(cores).seconds)
        );
    }
    // Advice how to shorten it is for tournaments of more than ten minutes.
    if now.seconds > 600.0 {
        let slowest =
            (0..now.programs.len()).max_by(|&a, &b| now.programs[a].total_cmp(&now.programs[b]));
        if let Some(slowest) = slowest {
            let program = &settings.programs[slowest];
            let advice = match program.is_builtin() {
                true => "",
                false => " (--env can limit it if the program reads a limit from its environment)",
            };
            engine::note!(
                "shorter: {} of it is {}'s thinking{advice}; fewer --games; --shard on several machines",
                duration(now.programs[slowest]),
                program.label
            );
        }
    }
    // A sequential test ends after an unknown number of games, so the precision is unknown too.
    if tournament.sequential().is_none()
        && let Some(margin) = expected_margin(schedule, &settings.labels(), anchor)
    {
        engine::note!(
            "expected precision of the ratings: ± {margin:.0} Elo (95 %) if the programs are equally strong"
        );
    }
    Ok(())
}

/// The plan in words.
fn plan<C: TournamentGame>(settings: &Settings<C>, schedule: &Schedule) -> String {
    let programs = settings.programs.len();
    let players: Vec<String> = settings.players.iter().map(u8::to_string).collect();
    let shard = match settings.shard {
        Shard::WHOLE => String::new(),
        shard => format!(", shard {shard}"),
    };
    match settings.format {
        Format::Swiss { rounds } => format!(
            "{} of {programs} programs, {} a pairing",
            counted(rounds, "Swiss round"),
            counted(
                schedule.all_games() / u64::from(rounds) / (programs as u64 / 2).max(1),
                "game"
            )
        ),
        format => format!(
            "{} of {programs} programs with {} players{}, {} each{shard}",
            counted(schedule.line_ups().len(), "line-up"),
            players.join(" and "),
            match format {
                Format::Gauntlet => ", the first program against all others",
                _ => "",
            },
            counted(settings.games, "game"),
        ),
    }
}

/// The expected margin of the least certain rating after all games, in Elo; none if one cannot be computed.
fn expected_margin(schedule: &Schedule, labels: &[String], anchor: &Anchor) -> Option<f64> {
    let fixed = match anchor {
        Anchor::Mean => None,
        Anchor::Program { label, .. } => labels.iter().position(|known| known == label),
    };
    let line_ups = schedule.line_ups().iter().enumerate();
    let games = line_ups.map(|(i, line_up)| (&line_up.0[..], schedule.games_of(i)));
    let margins = expected_margins(labels.len(), games, fixed).into_iter();
    let margins: Option<Vec<f64>> = margins.collect();
    margins?.into_iter().reduce(f64::max)
}
