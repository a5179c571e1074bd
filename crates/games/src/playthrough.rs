//! Writes a whole game as text: for every position the legal actions and what each seat sees, and for every action
//! all that it changes. Tests compare the text with a stored one, so that a change of the rules, of a view or of a
//! random stream shows as a readable difference. After OpenSpiel's playthroughs (Lanctot et al. 2019).

use crate::any::{AnyGame, AnyHistory};
use crate::game::{Eyes, Id, Turn, ids};
use serde_json::Value;
use std::fmt::Write as _;

/// The text of the game that follows from a seed and from the actions that `choose` takes.
///
/// # Panics
/// If `choose` takes an illegal action.
pub fn text(game: &AnyGame, seed: u64, mut choose: impl FnMut(&dyn AnyHistory) -> Id) -> String {
    let mut history = game.start(Some(seed));
    let mut text = format!("{} {}\n", game.name, game.options);
    for (name, value) in facts(&*history) {
        let _ = writeln!(text, "{name}: {value}");
    }
    let mut number = 0;
    while let Turn::Seat(player) = history.turn() {
        number += 1;
        let _ = writeln!(text, "\naction {number}, seat {player}");
        for seat in 0..game.players {
            let _ = writeln!(text, "seat {seat} sees: {}", seen(&*history, seat));
        }
        let legal: Vec<String> = ids(history.legal())
            .map(|id| history.action_text(id))
            .collect();
        let id = choose(&*history);
        let _ = writeln!(text, "legal: {}", legal.join(" | "));
        let _ = writeln!(text, "takes: {}", history.action_text(id));
        let (before, events) = (facts(&*history), history.events().len());
        let applied = history.apply(id);
        assert_eq!(applied, Ok(()));
        // The first new event is the action; outcomes of chance follow, drawn by the seed.
        let drawn: Vec<String> = history.events()[events + 1..]
            .iter()
            .map(|event| history.outcome_text(event.id))
            .collect();
        if !drawn.is_empty() {
            let _ = writeln!(text, "chance: {}", drawn.join(" "));
        }
        changes(&mut text, before, facts(&*history));
    }
    let returns = &history.returns()[..game.players];
    let _ = writeln!(text, "\nreturns: {returns:?}");
    text
}

/// A field of a view: its name and its value, both as text.
type Fact = (String, String);

/// The view that shows all cards, flattened: a fact for each value in an object, and for each list in a list of
/// lists.
fn facts(history: &dyn AnyHistory) -> Vec<Fact> {
    fn add(facts: &mut Vec<Fact>, name: &str, value: &Value) {
        match value {
            Value::Object(fields) => {
                for (key, value) in fields {
                    let name = if name.is_empty() {
                        key.clone()
                    } else {
                        format!("{name}.{key}")
                    };
                    add(facts, &name, value);
                }
            }
            Value::Array(all) if all.iter().any(Value::is_array) => {
                for (place, value) in all.iter().enumerate() {
                    add(facts, &format!("{name}.{place}"), value);
                }
            }
            Value::Array(all) => facts.push((name.to_owned(), list(all))),
            value => facts.push((name.to_owned(), value.to_string())),
        }
    }
    let mut facts = Vec::new();
    add(&mut facts, "", &history.view(Eyes::All));
    facts
}

/// The values of a list. Equal ones in a row are written once, after their number: `[3 0, 5]` for 0, 0, 0, 5.
fn list(all: &[Value]) -> String {
    let runs = all.chunk_by(|one, next| one == next).map(|run| match run {
        [one] => one.to_string(),
        run => format!("{} {}", run.len(), run[0]),
    });
    format!("[{}]", runs.collect::<Vec<_>>().join(", "))
}

/// Writes the facts with changed values, new facts, and facts that are gone.
fn changes(text: &mut String, before: Vec<Fact>, after: Vec<Fact>) {
    let value = |facts: &[Fact], name: &str| {
        facts
            .iter()
            .find(|fact| fact.0 == name)
            .map_or("none".to_owned(), |fact| fact.1.clone())
    };
    // Names that no longer exist are listed too, with `none` as their new value.
    let gone = before
        .iter()
        .filter(|fact| after.iter().all(|other| other.0 != fact.0));
    let names: Vec<&String> = after.iter().chain(gone).map(|fact| &fact.0).collect();
    for name in names {
        let (old, new) = (value(&before, name), value(&after, name));
        // Only the end of a long list that has grown is written, not all of it again.
        let grown = new
            .strip_prefix(old.trim_end_matches(']'))
            .filter(|_| old.len() > 40);
        if let Some(grown) = grown.filter(|grown| *grown != "]") {
            let _ = writeln!(
                text,
                "change: {name}: … {}",
                grown.trim_start_matches([',', ' '])
            );
        } else if old != new {
            let _ = writeln!(text, "change: {name}: {old} -> {new}");
        }
    }
}

/// The part of a seat's view that differs from the view that shows all cards.
fn seen(history: &dyn AnyHistory, seat: usize) -> Value {
    let (own, all) = (history.view(Eyes::Seat(seat)), history.view(Eyes::All));
    match own {
        Value::Object(fields) => fields
            .into_iter()
            .filter(|(key, value)| all[key] != *value && key != "seat")
            .collect(),
        other => other,
    }
}
