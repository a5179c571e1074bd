//! Writes a whole game as text: for every position the legal actions and what each seat sees, and for every action
//! all that it changes. Tests compare the text with a stored one, so that a change of the rules, of a view or of a
//! random stream shows as a readable difference. After OpenSpiel's playthroughs (Lanctot et al. 2019).
//!
//! Texts, pictures, information sets and observations would fill a page at each position. All of them have a checksum
//! at every position, and some are written out at every hundredth. The game's record is the last line.

use crate::any::{AnyGame, AnyHistory};
use crate::game::{Eyes, Id, Observation, Turn, ids};
use engine::rng::mix;
use serde_json::Value;
use std::fmt::Write as _;

/// At the first action, and whenever as many more have been taken, texts and observations are written out.
const WHOLE: usize = 100;

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
        forms(&mut text, game, &*history);
        if number % WHOLE == 1 {
            for seat in 0..game.players {
                written_out(&mut text, game, &*history, seat);
            }
        }
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
    text.push('\n');
    forms(&mut text, game, &*history);
    let numbers = [
        ("returns", history.returns()),
        ("standing", history.standing()),
        ("scores", history.scores()),
    ];
    for (name, numbers) in numbers {
        let _ = writeln!(text, "{name}: {:?}", &numbers[..game.players]);
    }
    let _ = writeln!(text, "stopped: {}", history.stopped());
    let names: Vec<String> = (1..=game.players).map(|n| format!("player {n}")).collect();
    let record = history.record(&names);
    let record = record.map_or_else(|error| error.to_string(), |record| record.to_string());
    let _ = writeln!(text, "record: {record}");
    text
}

/// Writes a checksum of each form in which the game shows the position: to all seats, to an onlooker, and to who may
/// see everything.
fn forms(text: &mut String, game: &AnyGame, history: &dyn AnyHistory) {
    let seats = 0..game.players;
    let eyes = || {
        let rest = [Eyes::Onlooker, Eyes::All];
        seats.clone().map(Eyes::Seat).chain(rest)
    };
    let joined =
        |texts: &mut dyn Iterator<Item = String>| sum(texts.collect::<String>().as_bytes());
    let mut bytes = Vec::new();
    for seat in seats.clone() {
        bytes.extend(observation(game, history, seat));
    }
    let mut forms = vec![
        (
            "views",
            joined(&mut eyes().map(|eyes| history.view(eyes).to_string())),
        ),
        ("texts", joined(&mut eyes().map(|eyes| history.text(eyes)))),
        (
            "pictures",
            joined(&mut eyes().map(|eyes| history.picture(eyes, None))),
        ),
        (
            "information",
            joined(&mut seats.clone().map(|seat| history.information(seat))),
        ),
        (
            "witnessed",
            joined(&mut seats.map(|seat| format!("{:?}", history.seen(seat)))),
        ),
        ("observations", sum(&bytes)),
    ];
    // Actions can be marked, and lead to afterstates, only where a player is to act.
    if let Turn::Seat(_) = history.turn() {
        let marked = |id| history.picture(Eyes::All, Some(id));
        forms.push(("actions", joined(&mut ids(history.legal()).map(marked))));
        if let Some(size) = game.features {
            let mut features = vec![0; size];
            history.observe_features(&mut features);
            forms.push(("features", sum(&features)));
        }
        let mut after = Vec::new();
        for id in ids(history.legal()) {
            for observation in [Observation::Plain, Observation::Network] {
                let mut out = vec![0; game.size_of(observation).unwrap_or(0)];
                let outcome = history.observe_after(id, observation, &mut out);
                after.extend(out);
                after.extend(format!("{outcome:?}").bytes());
            }
        }
        forms.push(("afterstates", sum(&after)));
    }
    let forms = forms.iter().map(|(name, sum)| format!("{name} {sum:08x}"));
    let _ = writeln!(text, "shows: {}", forms.collect::<Vec<_>>().join(", "));
}

/// A checksum of bytes.
fn sum(bytes: &[u8]) -> u32 {
    bytes
        .iter()
        .fold(0, |sum, &byte| mix(sum ^ u64::from(byte))) as u32
}

/// The plain observation of a seat.
fn observation(game: &AnyGame, history: &dyn AnyHistory, seat: usize) -> Vec<u8> {
    let mut out = vec![0; game.observation];
    history.observe(seat, &mut out);
    out
}

/// Writes what a seat reads, and its plain observation, field by field.
fn written_out(text: &mut String, game: &AnyGame, history: &dyn AnyHistory, seat: usize) {
    let texts = [
        ("reads", history.text(Eyes::Seat(seat))),
        ("knows", history.information(seat)),
    ];
    for (verb, words) in texts {
        for line in words.lines() {
            let line = format!("seat {seat} {verb}: {line}");
            let _ = writeln!(text, "{}", line.trim_end());
        }
    }
    let observation = observation(game, history, seat);
    let mut rest = &observation[..];
    for field in &game.fields {
        let (bytes, after) = rest.split_at(field.size);
        rest = after;
        let bytes: Vec<Value> = bytes.iter().map(|&byte| byte.into()).collect();
        let _ = writeln!(
            text,
            "seat {seat} observes {}: {}",
            field.name,
            list(&bytes)
        );
    }
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
