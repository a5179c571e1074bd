//! The laws of a game at a table. Tables of each game, with every number of players and each of its own rules, are put
//! through all of them along games of random actions.

use super::*;
use engine::rng::{Random, below, stream};
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use tables::{Beginning, Eyes, Opened, UnderWay};

/// Names as long as a terminal lets them be.
fn names(seats: usize) -> Vec<String> {
    (0..seats).map(|seat| format!("{seat:N<24}")).collect()
}

/// Everything that each seat and an onlooker are shown. Screens fit a terminal.
fn shown(game: &UnderWay, seats: usize) -> Vec<Value> {
    let eyes = (0..seats).map(Eyes::Seat).chain([Eyes::Onlooker]);
    let seen = |eyes: Eyes| {
        let screen = game.screen(eyes, &names(seats));
        let is_narrow = screen.iter().all(|line| line.chars().count() <= 80);
        assert!(is_narrow, "{screen:#?}");
        let view = game.view(eyes);
        let is_due = game.to_move().is_some_and(|seat| eyes == Eyes::Seat(seat));
        assert!(is_due || view["legal"] == json!([]), "{eyes:?}: {view}");
        // The page and the terminal are told of the same events, although the page gets only the last ones.
        let (told, earlier) = (game.told(eyes), view["earlier"].as_u64().unwrap_or(0));
        let sent = told.iter().skip(earlier as usize).map(|told| &told.entry);
        assert!(sent.eq(view["log"].as_array().unwrap()), "{eyes:?}");
        json!({ "view": view, "told": told, "screen": screen, "choices": game.choices() })
    };
    eyes.map(seen).collect()
}

/// A random one of the actions that may be taken; the end of the turn if there is none.
fn any(game: &UnderWay, rng: &mut Random) -> String {
    let choices = game.choices();
    match choices.len() {
        0 => String::new(),
        count => choices[below(rng, count)].action.clone(),
    }
}

/// A text that is opened, and the game that it begins.
fn opened(kind: &Kind, text: &[u8], seed: u64) -> (Opened, UnderWay) {
    let opened = kind.open(text).unwrap();
    let beginning = Beginning {
        start: Some(&opened.start),
        ..Beginning::deal(opened.names.len(), seed)
    };
    let game = kind.begin(&beginning).unwrap();
    assert!(game.to_move().is_some());
    (opened, game)
}

/// An action that is no choice is refused and changes nothing; the actions alone make a game, whatever is taken back
/// or tried on the way; a record opens to the game that it was written from.
fn keeps_the_laws(kind: &Kind, beginning: &Beginning) {
    let &Beginning { seats, seed, .. } = beginning;
    // Games of two have fewer actions. These positions are looked at as a whole.
    let step = if seats == 2 { 11 } else { 141 };
    let mut rng = stream(seed, 99);
    let mut game = kind.begin(beginning).unwrap();
    let mut positions = BTreeMap::new();
    let mut known = BTreeSet::from(["x9".to_owned(), "hello".to_owned()]);
    while game.to_move().is_some() {
        let choices: BTreeSet<String> = game.choices().into_iter().map(|one| one.action).collect();
        if game.actions().is_multiple_of(step) {
            let now = shown(&game, seats);
            // Actions of other positions, among others.
            for action in known.difference(&choices) {
                assert!(game.act(action).is_err(), "{action} is none of {choices:?}");
            }
            assert_eq!(shown(&game, seats), now);
            positions.insert(game.actions(), now);
        }
        known.extend(choices);
        let number = game.actions();
        game.act(&any(&game, &mut rng)).unwrap();
        assert_eq!(game.actions(), number + 1);
    }
    let end = shown(&game, seats);
    for action in &known {
        assert_eq!(game.act(action), Err("the game is over".to_owned()));
    }
    assert!(game.choices().is_empty() && game.places().is_some());
    let taken: Vec<String> = game
        .taken()
        .iter()
        .map(|(_, action)| action.clone())
        .collect();
    let goes_on_as_before = |mut other: UnderWay| {
        for (number, action) in taken.iter().enumerate().skip(other.actions()) {
            if let Some(now) = positions.get(&number) {
                assert_eq!(shown(&other, seats), *now, "after {number} actions");
            }
            other.act(action).unwrap();
        }
        assert_eq!(shown(&other, seats), end);
        other
    };
    let again = goes_on_as_before(kind.begin(beginning).unwrap());
    goes_on_as_before(again.at(taken.len() / 2));
    // A record says nothing of rules that a table has added.
    if !beginning.rules.is_empty() {
        return;
    }
    // Whatever seed the table has.
    let record = game.record(&names(seats)).unwrap();
    let (told, other) = opened(kind, &record, seed + 70);
    assert_eq!((told.names, &told.taken), (names(seats), &taken));
    let other = goes_on_as_before(other);
    // Another line of play can leave the recorded game, and reaches an end of its own.
    let mut other = other.at(taken.len() / 2);
    while other.to_move().is_some() {
        other.act(&any(&other, &mut rng)).unwrap();
    }
    assert!(other.places().is_some());
}

#[test]
fn every_game_keeps_the_laws() {
    for kind in kinds(Programs::default()) {
        let scene = &kind.scene;
        for seats in scene.seats.clone() {
            for seed in 0..if seats == 2 { 3 } else { 1 } {
                keeps_the_laws(&kind, &Beginning::deal(seats, seed));
            }
        }
        for rule in scene.extra_rules {
            let beginning = Beginning {
                rules: &[(*rule).to_owned()],
                ..Beginning::deal(*scene.seats.start(), 8)
            };
            keeps_the_laws(&kind, &beginning);
        }
        let (example, _) = opened(&kind, scene.example.as_bytes(), 1);
        assert!(example.taken.is_empty(), "{}", scene.name);
    }
}
