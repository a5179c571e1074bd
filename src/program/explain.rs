//! The position and the search's result as text for a person, for `runme --explain`.

use crate::picture;
use crate::player::call::Call;
use crate::race::{self, Chances};
use crate::rules::{ACTIONS_A_TURN, Action};
use crate::search::{Candidate, End, Followed, Looked, Report, TURNS};
use std::fmt::Write;
use std::time::Duration;

/// The most positions to look at for the shortest way home: a few milliseconds.
const SPRINT_NODES: u32 = 10_000;
/// The most positions to look at for the chances to be home soon: some tenths of a second.
const RACE_NODES: u32 = 100_000;
/// The number of turns for which these chances are shown, the present one included.
const RACE_TURNS: u8 = 4;

/// The track, the view of the player to move, and how far it is from home.
pub(super) fn position(call: &Call) -> String {
    let replay = &call.replay;
    let mut text = picture::track(&replay.game.board, &replay.view.track);
    text.push_str(&picture::view(&replay.view));
    let _ = writeln!(text, "deal: {} cards each", replay.deal);
    text.push_str(&finish(call));
    text.push_str(&race(call));
    text
}

/// The chances to be home within this turn and the next ones, as far as [`RACE_NODES`] go; no text if all are 0.
fn race(call: &Call) -> String {
    let (game, view) = (&call.replay.game, &call.replay.view);
    let pool = call.replay.belief.draw_pool();
    let mut chances = Chances::new(game, view, pool, RACE_NODES);
    let actions = (0..RACE_TURNS).map(|turn| view.actions_left() + turn * ACTIONS_A_TURN);
    // Chances never fall from turn to turn: after a chance of 1 all later ones are 1.
    let mut found = Vec::new();
    for chance in actions.map_while(|n| chances.within(n)) {
        found.push(chance);
        if chance == 1.0 {
            break;
        }
    }
    if found.iter().all(|&chance| chance == 0.0) {
        return String::new();
    }
    let turns: Vec<String> = (1..=found.len()).map(|turn| turn.to_string()).collect();
    let chances: Vec<String> = found.iter().map(|&chance| percent(chance)).collect();
    format!(
        "home within {} turn{}, if nobody else moved: {}\n",
        turns.join(", "),
        plural(turns.len()),
        chances.join(", ")
    )
}

/// How soon the hand alone brings everyone home, and whether that is certain to be the least.
fn finish(call: &Call) -> String {
    let (game, view) = (&call.replay.game, &call.replay.view);
    let sprint = race::sprint(game, &view.track, view.seat, view.hand, SPRINT_NODES);
    let exact = sprint.is_exact(view.hand);
    match (&sprint.line, sprint.turns(view.actions_left())) {
        (Some(line), Some(turns)) => format!(
            "can finish in {}{} action{} with this hand (turns: {turns})\n",
            if exact { "" } else { "at most " },
            line.len(),
            plural(line.len()),
        ),
        _ if exact => "cannot finish with this hand alone\n".into(),
        _ => "no way to finish with this hand alone was found\n".into(),
    }
}

/// A chance in percent. Only an impossible win is 0.0%, and only a certain one 100.0%.
fn percent(chance: f64) -> String {
    match chance {
        c if c > 0.0 && c < 0.001 => "<0.1%".into(),
        c if c > 0.999 && c < 1.0 => ">99.9%".into(),
        c => format!("{:.1}%", 100.0 * c),
    }
}

/// The ending of a noun after a number: none after 1, else an s.
fn plural(count: usize) -> &'static str {
    if count == 1 { "" } else { "s" }
}

/// The values of all actions, and how far the search went.
pub(super) fn decision(report: &Report, elapsed: Duration) -> String {
    let mut text = String::new();
    table(&mut text, report);
    let looked = &report.expectimax;
    let _ = writeln!(
        text,
        "\nexpectimax: {} nodes, {} own action{} ahead, {}",
        looked.nodes,
        looked.depth,
        plural(usize::from(looked.depth)),
        width(looked),
    );
    // All nodes that the expectimax did not spend, those of the inference about the others included.
    let _ = writeln!(
        text,
        "rollouts: {} nodes{}\n{}{:.2} s in all",
        report.nodes - looked.nodes,
        rollouts(report.levels),
        end(report),
        elapsed.as_secs_f64(),
    );
    text
}

/// How many of the actions the expectimax followed, as words.
fn width(looked: &Looked) -> String {
    if looked.is_complete() {
        return "every action followed".into();
    }
    let of = |Followed { followed, all }| format!("{followed} of {all}");
    let root = of(looked.root);
    match looked.inner.all {
        0 => format!("{root} actions followed"),
        _ => format!(
            "{root} actions followed, and {} after them",
            of(looked.inner)
        ),
    }
}

/// The reason why there were no more rollouts, as a line; empty where there was nothing to decide.
fn end(report: &Report) -> String {
    let percent = |gain| format!("{:.2}%", 100.0 * gain);
    match report.end {
        End::NoChoice => String::new(),
        End::Decided => "stopped: no other action can gain anything\n".to_owned(),
        End::Enough(gain) => {
            format!(
                "stopped: all the rest of the time would gain {}\n",
                percent(gain)
            )
        }
        End::Used(Some(gain)) => {
            format!(
                "at the limit: as many rollouts again would gain {}\n",
                percent(gain)
            )
        }
        End::Used(None) => {
            "at the limit, after too few rollouts to tell what more would gain\n".to_owned()
        }
    }
}

/// How far rollouts of this many levels go, as words; empty without rollouts.
fn rollouts(levels: usize) -> String {
    match levels.checked_sub(1) {
        None => String::new(),
        Some(last) => match TURNS.get(last) {
            Some(1) => ", to the end of the next own turn".into(),
            Some(turns) => format!(", through up to {turns} own turns"),
            None => ", to the end of the game".into(),
        },
    }
}

/// A line for each action: its value with the error, its loss against the chosen one, its value by the turn alone, its
/// rollouts and its continuation.
fn table(text: &mut String, report: &Report) {
    let _ = writeln!(
        text,
        "\n  {:<14} {:>8} {:>7} {:>7} {:>8} {:>9}  then",
        "action", "wins", "±", "loses", "turn", "rollouts"
    );
    for candidate in &report.candidates {
        let _ = writeln!(text, "  {}", row(candidate));
    }
}

/// The columns of one action.
fn row(candidate: &Candidate) -> String {
    // Two decimals for every value, as people compare these numbers with each other.
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
        // On common worlds: the two chances may rest on different ones, where luck would look like a gain.
        percent(candidate.behind.max(0.0)),
        percent(f64::from(candidate.expectimax)),
        candidate.visits,
        then.join(", "),
    )
    .trim_end()
    .to_owned()
}
