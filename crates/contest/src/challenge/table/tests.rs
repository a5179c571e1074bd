//! Tests of the challenge card game at a table: refusals, advice, taking back, and that nobody is
//! shown a card that is hidden from them. The laws of a game at a table are in `play_command`.

use super::*;
use engine::rng::{Random, below, stream};
use serde_json::{Value, json};
use tables::{Eyes, TableGame, UnderWay};

mod open;

fn kind() -> Kind {
    let silent = |text: &str| panic!("{text}");
    let tables = Tables::new("no such folder".into(), silent);
    super::kind(tables, Vec::new(), Conditions::default())
}

/// A game that begins with a deal.
fn begin(seed: u64) -> UnderWay {
    kind().begin(&Beginning::deal(2, seed)).unwrap()
}

/// A random one of the legal actions.
fn any(game: &dyn TableGame, rng: &mut Random) -> String {
    let choices = game.choices();
    choices[below(rng, choices.len())].action.clone()
}

/// Everything that each seat and an onlooker are shown.
fn shown(game: &dyn TableGame) -> Vec<Value> {
    let names = ["Ann".to_owned(), "Bob".to_owned()];
    let eyes = [Eyes::Seat(0), Eyes::Seat(1), Eyes::Onlooker];
    eyes.map(|eyes| {
        json!({
            "view": game.view(eyes),
            "told": game.told(eyes),
            "screen": game.screen(eyes, &names),
            "choices": game.choices(),
            "to_move": game.to_move(),
        })
    })
    .to_vec()
}

/// The error for an action that is refused says what was expected.
#[test]
fn what_is_refused_is_told_what_was_expected() {
    let mut game = begin(7);
    for text in ["", "hello", "play_card", "play 99", "9", "offer it"] {
        let error = game.act(text).unwrap_err();
        assert!(
            error.starts_with("expected play_card RANK") && error.ends_with(&format!("{text:?}")),
            "{error}"
        );
    }
    let error = game.act("accept").unwrap_err();
    assert!(
        error.contains("expected a card or an offer"),
        "no offer: {error}"
    );
    game.act("offer").unwrap();
    let error = game.act("play 3").unwrap_err();
    assert!(error.contains("accepted or rejected"), "{error}");
}

/// The view, the words and the screen do not depend on cards that the viewer does not see: two games that
/// differ in these cards alone look the same.
#[test]
fn what_is_told_does_not_depend_on_hidden_cards() {
    let own = |game: &dyn TableGame| game.view(Eyes::Seat(0))["log"][0]["hands"][0].clone();
    let names = ["Ann".to_owned(), "Bob".to_owned()];
    for seed in 0..5 {
        let mut game = begin(seed);
        let mut others = (1..100_000).map(|next| begin(seed + 10 * next));
        // Seeds are tried until another deal gives player 1 the same five cards.
        let mut other = others.find(|other| own(&**other) == own(&*game)).unwrap();
        for action in ["offer_challenge", "accept_challenge"] {
            for eyes in [Eyes::Seat(0), Eyes::Onlooker] {
                assert_eq!(game.view(eyes), other.view(eyes));
                assert_eq!(game.told(eyes), other.told(eyes));
                assert_eq!(game.screen(eyes, &names), other.screen(eyes, &names));
            }
            game.act(action).unwrap();
            other.act(action).unwrap();
        }
    }
}

#[test]
fn what_was_done_can_be_taken_back_until_something_was_seen() {
    let mut game = begin(5);
    assert_eq!((game.back(0, false), game.back(0, true)), (None, None));
    game.act("offer").unwrap();
    assert_eq!(game.back(0, false), Some(0));
    assert_eq!(game.back(1, true), None);
    game.act("reject").unwrap();
    // A new hand has been dealt and seen, so only free taking back is possible.
    assert_eq!((game.back(1, false), game.back(1, true)), (None, Some(1)));
    assert_eq!((game.back(0, false), game.back(0, true)), (None, Some(0)));
}

#[test]
fn every_level_decides_what_is_legal() {
    for level in 0..kind().scene.levels {
        let mut game = begin(level as u64);
        while game.to_move().is_some() {
            let decision = game.think(level).unwrap();
            assert_eq!(
                decision,
                game.think(level).unwrap(),
                "the same seed, the same one"
            );
            game.act(&decision).unwrap();
        }
    }
}

/// Advice lists every legal choice once, the best first, with values that follow from what the seat may know.
#[test]
fn advice_values_every_choice() {
    let mut rng = stream(6, 0);
    let mut game = begin(6);
    for _ in 0..8 {
        let advice = game.advise();
        let mut told: Vec<&str> = advice
            .candidates
            .iter()
            .map(|c| &*c.choice.action)
            .collect();
        let choices = game.choices();
        let mut legal: Vec<&str> = choices.iter().map(|choice| &*choice.action).collect();
        told.sort_unstable();
        legal.sort_unstable();
        assert_eq!(told, legal);
        let best = advice.candidates[0].value;
        for candidate in &advice.candidates {
            assert!((0.0..=1.0).contains(&candidate.value));
            assert!((best - candidate.value - candidate.behind).abs() < 1e-12);
            assert!(candidate.behind >= 0.0 && !candidate.then.is_empty());
        }
        game.act(&any(&*game, &mut rng)).unwrap();
    }
}
