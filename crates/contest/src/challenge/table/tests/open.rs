//! Tests of opening games and positions of the challenge card game at a table: requests of the contest,
//! positions written by hand, and what is refused.

use super::super::game::AtTable;
use super::*;
use challenge::player::Position;
use std::any::Any;
use tables::Opened;

fn opened(text: &[u8], seed: u64) -> Result<(Opened, UnderWay), String> {
    let opened = kind().open(text)?;
    let game = kind().begin(&Beginning {
        start: Some(&opened.start),
        ..Beginning::deal(2, seed)
    })?;
    assert!(game.to_move().is_some());
    Ok((opened, game))
}

/// The screen and the choices of the seat to move, without the log of the game.
fn counts(game: &dyn TableGame) -> Value {
    let names = ["Ann".to_owned(), "Bob".to_owned()];
    json!([
        game.screen(Eyes::Seat(game.to_move().unwrap()), &names),
        game.choices()
    ])
}

/// Any position can be set up with the opponent's cards unknown. It then looks like the position that the
/// contest's own request opens to.
#[test]
fn any_position_is_set_up() {
    use challenge::protocol::{Request, Served, ServerMessage};
    use challenge::rules::{Cards, Decision, Game, GameOptions};
    use challenge::view::{View, ViewContext};
    let mut rng = stream(9, 0);
    let words = |cards: Cards| -> String {
        let ranks: Vec<String> = cards.iter().map(|card| card.to_string()).collect();
        ranks.join(" ")
    };
    let mut challenged = 0;
    for seed in 0..60 {
        let mut game = Game::new(GameOptions::default());
        let mut log: Vec<Decision> = Vec::new();
        while game.winner().is_none() {
            if game.needs_deal() {
                game.deal(challenge::deals::fresh(&mut rng));
                log.clear();
            }
            let hand = *game.hand().unwrap();
            let seat = hand.to_act().unwrap();
            if below(&mut rng, 6) == 0 {
                let [first, second] = [0, 1].map(|other| match other == seat {
                    true => words(hand.cards(other)),
                    false => vec!["?"; hand.cards(other).len()].join(" "),
                });
                let done: Vec<String> = log.iter().map(|&one| notation::print(one)).collect();
                let position = json!({
                    "hands": [first, second],
                    "points": game.points(),
                    "lead": hand.public().opener + 1,
                    "done": done,
                    "hand": game.hand_id(),
                });
                let (told, mut set_up) = opened(position.to_string().as_bytes(), seed).unwrap();
                assert_eq!((set_up.to_move(), told.taken.len()), (Some(seat), 0));
                let context = ViewContext {
                    game_id: 4,
                    opponent_id: 9,
                    remaining: std::time::Duration::from_secs(1),
                };
                let view = View::of(&game, &context).unwrap();
                let request = ServerMessage::Request(Request::of(&view, 3, Served::default()));
                let request = serde_json::to_vec(&request).unwrap();
                let (_, asked) = opened(&request, seed).unwrap();
                assert_eq!(counts(&*asked), counts(&*set_up));
                challenged += u32::from(hand.public().in_challenge());
                // Both positions can be judged and played to the end, and go back to where they started.
                for game in [&mut set_up, &mut { asked }] {
                    let before = shown(&**game);
                    if below(&mut rng, 20) == 0 {
                        let advice = game.judge("", 1);
                        assert_eq!(advice.candidates.len(), game.choices().len());
                    }
                    while game.to_move().is_some() {
                        let action = any(&**game, &mut rng);
                        game.act(&action).unwrap();
                    }
                    assert!(!game.has_record() || log.is_empty());
                    game.go_back(0);
                    assert_eq!(shown(&**game), before);
                }
            }
            let legal: Vec<Decision> = hand.legal().collect();
            let decision = legal[below(&mut rng, legal.len())];
            game.decide(decision).unwrap();
            log.push(decision);
        }
    }
    assert!(challenged > 5, "{challenged} hands that decide the game");
}

#[test]
fn what_cannot_be_is_refused() {
    let position = json!({
        "hands": ["12 7 4", "? ? ?"], "points": [3, 5], "lead": 2,
        "done": ["play_card 9", "play 11", "play_card 2", "play_card 8"],
    });
    let (told, game) = opened(position.to_string().as_bytes(), 1).unwrap();
    assert_eq!((game.to_move(), told.taken.len()), (Some(1), 0));
    assert!(game.choices().len() >= 2);
    for (field, with, expected) in [
        (
            "hands",
            json!(["12 7", "? ? ?"]),
            "hand 1: expected 3 cards, not 2",
        ),
        (
            "hands",
            json!(["12 7 x", "? ? ?"]),
            "hand 1: \"x\" is no card",
        ),
        (
            "hands",
            json!(["12 7 14", "? ? ?"]),
            "hand 1: \"14\" is no card",
        ),
        ("hands", json!(["12 7 4"]), "expected 2 players, not 1"),
        ("points", json!([10, 0]), "points: expected 0 to 9, not 10"),
        ("lead", json!(3), "lead: expected 1 or 2, not 3"),
        ("tricks", json!([3, 2]), "tricks: expected 4"),
        ("tied", json!(5), "tricks: expected 4"),
        ("hand", json!(0), "hand: expected 1 to"),
        ("done", json!(["accept"]), "there is no challenge to answer"),
        ("done", json!(["offer", "play 3"]), "expected an answer"),
        ("done", json!(["offer", "reject"]), "the hand is over"),
        (
            "done",
            json!(["offer", "accept", "offer"]),
            "there was a challenge already",
        ),
        (
            "done",
            json!(["fold"]),
            "done: decision 1, \"fold\": expected play_card RANK",
        ),
        ("dome", json!([]), "unknown field"),
    ] {
        let mut other = position.clone();
        other[field] = with;
        let error = opened(other.to_string().as_bytes(), 1).err().unwrap();
        assert!(error.contains(expected), "{other}: {error}");
    }
    let names = ["Ann".to_owned(), "Bob".to_owned()];
    let mut game = begin(3);
    let mut rng = stream(1, 1);
    while game.to_move().is_some() {
        let action = any(&*game, &mut rng);
        game.act(&action).unwrap();
    }
    let record: Value = serde_json::from_slice(&game.record(&names).unwrap()).unwrap();
    let changed = |change: &dyn Fn(&mut Value), expected: &str| {
        let mut record = record.clone();
        change(&mut record);
        let error = opened(record.to_string().as_bytes(), 1).err().unwrap();
        assert!(error.contains(expected), "{error}");
    };
    changed(
        &|record| record["winner"] = json!(1 - record["winner"].as_u64().unwrap()),
        "winner: ",
    );
    changed(
        &|record| record["entries"][0]["player0_hand"] = json!([1, 2]),
        "entry 1: expected 5 cards",
    );
    changed(
        &|record| record["entries"][0]["next_player"] = json!(1),
        "entry 1: player 1 leads",
    );
    changed(
        &|record| record["entries"] = json!([]),
        "the game is not over",
    );
    changed(
        &|record| {
            record["entries"][1]["move"] = json!({ "type": "illegal_move", "reason": "late" })
        },
        "entry 2: player 0 made a fault (late)",
    );
    for (text, expected) in [
        ("", "there is nothing to open"),
        ("{}", "missing field `hands`"),
        ("{\"begun\":3}", "no finished game"),
        ("1 2", "neither a game, a request nor a position"),
        ("{\"type\":\"result\",\"request\":1}", "missing field"),
    ] {
        let error = opened(text.as_bytes(), 1).err().unwrap();
        assert!(error.contains(expected), "{text}: {error}");
    }
}

/// After a hand that was set up the next ones come from a fresh deck: no seat holds what was really dealt to be
/// impossible.
#[test]
fn hands_after_one_that_was_set_up_are_possible() {
    let position = br#"{"hands":["13 13 13 13 1","13 13 13 13 2"]}"#;
    let mut rng = stream(31, 0);
    let mut kings = 0;
    for seed in 0..20 {
        let (_, mut game) = opened(position, seed).unwrap();
        while game.to_move().is_some() {
            let table = (&*game as &dyn Any).downcast_ref::<AtTable>().unwrap();
            let Position { deck, cards, .. } = table.position().unwrap();
            assert!(cards.is_within(deck), "{cards} of {deck}");
            kings += u32::from(game.choices().iter().any(|one| one.action.ends_with(" 13")));
            let action = any(&*game, &mut rng);
            game.act(&action).unwrap();
        }
    }
    assert!(kings > 40, "{kings}");
}
