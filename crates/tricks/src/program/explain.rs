//! The player's knowledge and its reasons as text on standard error, for the option `--explain`; and warnings.

use crate::belief::{OpponentType, TYPES};
use crate::{Cards, Decision, Ends, Player, PolicySet, Round as _, Suit, View};
use std::fmt::{self, Display, Write as _};
use std::io::{self, Write as _};

/// Writes a line to standard error, after the program's name.
pub fn warn(program: &str, text: impl Display) {
    write_error(format_args!("{program}: {text}\n"));
}

/// Writes to standard error. If it is closed, the program plays on.
fn write_error(text: fmt::Arguments<'_>) {
    let _ = io::stderr().lock().write_fmt(text);
}

/// Shows a decision with the knowledge behind it.
pub(super) fn show<P: PolicySet>(view: &View<P::Round>, player: &Player<P>, decision: &Decision) {
    let mut text = String::new();
    // Writing to a string does not fail.
    let _ = write(&mut text, view, player, decision);
    write_error(format_args!("{text}\n"));
}

/// Writes the knowledge behind a decision, then the results of the search.
fn write<P: PolicySet>(
    text: &mut String,
    view: &View<P::Round>,
    own: &Player<P>,
    decision: &Decision,
) -> fmt::Result {
    let seen = view.seen();
    let players = view.round().players();
    // The viewer's own hand, and the game so far.
    writeln!(text, "own hand: {}", seen.own())?;
    if let Some(standing) = view.round().standing() {
        write!(text, "points before the round:")?;
        for total in &standing.totals[..players] {
            write!(text, " {total}")?;
        }
        match standing.ends {
            Ends::AtPoints(goal) => writeln!(text, ", of {goal}")?,
            Ends::AfterRounds(rounds) => writeln!(text, ", rounds to play {rounds}")?,
        }
    }
    // By opponent: the cards it may hold, its voids, and its likeliest type if that has more than half of the
    // weight.
    for player in (0..players).filter(|&player| player != view.seat()) {
        let may_hold = seen.may_hold(player);
        let void = |suit: &Suit| (may_hold & Cards::suit(*suit)).is_empty();
        let voids: String = Suit::ALL
            .iter()
            .filter(|s| void(s))
            .map(Suit::to_string)
            .collect();
        writeln!(
            text,
            "player {player}: {} of {} unseen cards possible{}{}, points {}",
            may_hold.len(),
            seen.unseen().len(),
            if voids.is_empty() { "" } else { ", void in " },
            voids,
            view.round().points(player)
        )?;
        let belief = &own.beliefs()[player];
        let weights = belief.types.get();
        let likely = (0..TYPES).max_by(|&a, &b| weights[a].total_cmp(&weights[b]));
        if let Some(number) = likely.filter(|&number| weights[number] > 0.5) {
            let likely = OpponentType::<P>::number(number, belief.habit(), P::network());
            writeln!(
                text,
                "  plays like {likely} ({:.0} %)",
                100.0 * weights[number]
            )?;
        }
    }
    // Policies, forced cards and contradictions are decided without a search.
    if decision.candidates.is_empty() {
        return writeln!(text, "{} without a search", decision.card);
    }
    writeln!(text, "  card    value      ±   worlds")?;
    for candidate in &decision.candidates {
        writeln!(
            text,
            "  {:<5} {:>7.3} {:>6.3} {:>8}",
            candidate.card.to_string(),
            candidate.value,
            candidate.error,
            candidate.worlds
        )?;
    }
    Ok(())
}
