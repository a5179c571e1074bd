//! What a player knows and thinks, on standard error.

use crate::belief::{Hypothesis, KINDS, Repertoire};
use crate::{Cards, Decision, Player, Round as _, Suit, View};
use std::fmt::{self, Debug, Write as _};
use std::io::{self, Write as _};

/// Writes to standard error; nobody listening there is no reason not to play.
pub fn say(text: fmt::Arguments<'_>) {
    let _ = io::stderr().lock().write_fmt(text);
}

/// Shows a decision.
pub fn show<V: View, P: Repertoire + Debug>(view: &V, player: &Player<P>, decision: &Decision) {
    let mut text = String::new();
    // Writing to a string does not fail.
    let _ = write(&mut text, view, player, decision);
    say(format_args!("{text}\n"));
}

fn write<V: View, P: Repertoire + Debug>(
    text: &mut String,
    view: &V,
    own: &Player<P>,
    decision: &Decision,
) -> fmt::Result {
    let seen = view.seen();
    let players = view.round().players();
    writeln!(text, "own hand: {}", seen.own())?;
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
        let weights = own.beliefs()[player].weights();
        let likely = (0..KINDS).max_by(|&a, &b| weights[a].total_cmp(&weights[b]));
        if let Some(kind) = likely.filter(|&kind| weights[kind] > 0.5) {
            let way = Hypothesis::<P>::number(kind);
            writeln!(text, "  plays like {way} ({:.0} %)", 100.0 * weights[kind])?;
        }
    }
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
