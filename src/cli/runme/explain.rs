//! What the player understood and what it thinks, as text for a person.

use crate::cartagena::picture;
use crate::cartagena::player::call::Call;
use crate::cartagena::rules::Action;
use crate::cartagena::search::{Candidate, Report};
use std::fmt::Write;
use std::time::Duration;

/// The position.
pub(super) fn position(call: &Call) -> String {
    let replay = &call.replay;
    let mut text = picture::track(&replay.game.board, &replay.view.track);
    text.push_str(&picture::view(&replay.view));
    let _ = writeln!(text, "deal: {} cards each", replay.deal);
    text
}

/// The decision.
pub(super) fn decision(report: &Report, elapsed: Duration) -> String {
    let mut text = String::new();
    table(&mut text, report);
    let _ = writeln!(
        text,
        "\n{} nodes in {:.2} s, looking {} own actions ahead, then to the end of the next own turn",
        report.nodes,
        elapsed.as_secs_f64(),
        report.depth,
    );
    text
}

fn table(text: &mut String, report: &Report) {
    let best = report.candidates.first().map_or(0.0, |c| c.chance);
    let _ = writeln!(
        text,
        "\n  {:<14} {:>8} {:>7} {:>7} {:>8} {:>9}  then",
        "action", "wins", "±", "loses", "turn", "rollouts"
    );
    for candidate in &report.candidates {
        let _ = writeln!(text, "  {}", row(candidate, best));
    }
}

fn row(candidate: &Candidate, best: f64) -> String {
    let percent = |chance: f64| format!("{:.2}%", 100.0 * chance);
    let error = candidate.error.map_or_else(|| "-".into(), percent);
    let then: Vec<String> = candidate
        .continuation
        .iter()
        .map(Action::to_string)
        .collect();
    format!(
        "{:<14} {:>8} {:>7} {:>7} {:>8} {:>9}  {}",
        candidate.action.to_string(),
        percent(candidate.chance),
        error,
        percent(best - candidate.chance),
        percent(f64::from(candidate.expectimax)),
        candidate.visits,
        then.join(", "),
    )
    .trim_end()
    .to_owned()
}
