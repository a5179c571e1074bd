//! Tests of the challenge card game at a table: choices, advice, taking back, and that nobody is
//! shown a card that is hidden from them.

use super::*;
use challenge::rules::HAND_SIZE;
use engine::rng::{Random, below, stream};
use serde_json::{Value, json};
use tables::{Eyes, TableGame};

mod open;

fn kind() -> Challenge {
    let silent = |text: &str| panic!("{text}");
    Challenge::new(Tables::new("no such folder".into(), silent))
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

#[test]
fn the_same_actions_give_the_same_game() {
    let mut rng = stream(1, 0);
    for seed in 0..30 {
        let mut game = kind().begin(2, seed);
        let mut actions = Vec::new();
        let mut positions = vec![shown(&*game)];
        while game.to_move().is_some() {
            let action = any(&*game, &mut rng);
            game.act(&action).unwrap();
            actions.push(action);
            assert_eq!(game.actions(), actions.len());
            positions.push(shown(&*game));
        }
        let mut again = kind().begin(2, seed);
        for (n, action) in actions.iter().enumerate() {
            assert_eq!(shown(&*again), positions[n], "seed {seed}, action {n}");
            assert_eq!(shown(&*game.at(n)), positions[n]);
            again.act(action).unwrap();
        }
        let half = actions.len() / 2;
        game.go_back(half);
        assert_eq!(shown(&*game), positions[half]);
        for action in &actions[half..] {
            game.act(action).unwrap();
        }
        assert_eq!(shown(&*game), *positions.last().unwrap());
    }
}

/// Legal actions are accepted. All others are refused, and change nothing.
#[test]
fn only_what_is_legal_is_accepted() {
    let mut rng = stream(2, 0);
    let cards = (0..=14).map(|rank| format!("play_card {rank}"));
    let others = ["offer_challenge", "accept_challenge", "reject_challenge"];
    let all: Vec<String> = cards.chain(others.map(str::to_owned)).collect();
    for seed in 0..10 {
        let mut game = kind().begin(2, seed);
        while game.to_move().is_some() {
            let before = shown(&*game);
            let legal: Vec<String> = game.choices().into_iter().map(|one| one.action).collect();
            for action in &all {
                let mut tried = game.at(game.actions());
                assert_eq!(
                    tried.act(action).is_ok(),
                    legal.contains(action),
                    "{action}"
                );
                if !legal.contains(action) {
                    assert_eq!(shown(&*tried), before, "{action}");
                }
            }
            game.act(&any(&*game, &mut rng)).unwrap();
        }
        for action in &all {
            assert_eq!(game.act(action).unwrap_err(), "the game is over");
        }
    }
}

/// The error for an action that is refused says what was expected.
#[test]
fn what_is_refused_is_told_what_was_expected() {
    let mut game = kind().begin(2, 7);
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

/// How many cards of each hand a view shows, deal by deal; `None` for a hidden hand.
fn hands(view: &Value) -> Vec<[Option<usize>; 2]> {
    let log = view["log"].as_array().unwrap();
    let deals = log.iter().filter(|entry| entry["what"] == "deal");
    deals
        .map(|deal| [0, 1].map(|seat| deal["hands"][seat].as_array().map(Vec::len)))
        .collect()
}

/// Only its holder sees a hand. At the end everybody sees all hands, also the cards that were not played.
#[test]
fn nobody_sees_a_hand_that_is_not_theirs() {
    let mut rng = stream(3, 0);
    for seed in 0..20 {
        let mut game = kind().begin(2, seed);
        while game.to_move().is_some() {
            let own = Some(HAND_SIZE);
            for (eyes, seen) in [
                (Eyes::Seat(0), [own, None]),
                (Eyes::Seat(1), [None, own]),
                (Eyes::Onlooker, [None, None]),
            ] {
                let view = game.view(eyes);
                assert!(hands(&view).iter().all(|hands| *hands == seen), "{view}");
                let is_due = eyes == Eyes::Seat(game.to_move().unwrap());
                assert_eq!(view["legal"].as_array().unwrap().is_empty(), !is_due);
            }
            game.act(&any(&*game, &mut rng)).unwrap();
        }
        let view = game.view(Eyes::Onlooker);
        let all = [Some(HAND_SIZE); 2];
        assert!(hands(&view).iter().all(|hands| *hands == all), "{view}");
    }
}

/// The view, the words and the screen do not depend on cards that the viewer does not see: two games that
/// differ in these cards alone look the same.
#[test]
fn what_is_told_does_not_depend_on_hidden_cards() {
    let own = |game: &dyn TableGame| game.view(Eyes::Seat(0))["log"][0]["hands"][0].clone();
    let names = ["Ann".to_owned(), "Bob".to_owned()];
    for seed in 0..5 {
        let mut game = kind().begin(2, seed);
        let mut others = (1..100_000).map(|next| kind().begin(2, seed + 10 * next));
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
    let mut game = kind().begin(2, 5);
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
    let kind = kind();
    for level in 0..kind.scene().levels {
        let mut game = kind.begin(2, level as u64);
        while game.to_move().is_some() {
            let decision = game.think(level)().unwrap();
            assert_eq!(
                decision,
                game.think(level)().unwrap(),
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
    let mut game = kind().begin(2, 6);
    for _ in 0..8 {
        let advice = game.advise()();
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

#[test]
fn a_screen_fits_a_terminal() {
    let names = ["N".repeat(40), "M".repeat(40)];
    let mut rng = stream(8, 0);
    for seed in 0..20 {
        let mut game = kind().begin(2, seed);
        loop {
            for eyes in [Eyes::Seat(0), Eyes::Seat(1), Eyes::Onlooker] {
                for line in game.screen(eyes, &names) {
                    assert!(line.chars().count() <= 80, "{line}");
                }
            }
            if game.to_move().is_none() {
                break;
            }
            game.act(&any(&*game, &mut rng)).unwrap();
        }
    }
}
