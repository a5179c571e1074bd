//! The rules of a whole game: points, leads, challenges, and the penalties for faults.

use super::super::card::Card;
use super::super::card::testing::{card, cards};
use super::*;

/// Hands in which player 0 takes every trick.
const STRONG: [u8; 5] = [13, 13, 12, 12, 11];
const WEAK: [u8; 5] = [5, 4, 3, 2, 1];

fn deal(game: &mut Game, first: &[u8], second: &[u8]) {
    game.deal([cards(first), cards(second)]);
}

/// Both players play their lowest card until the hand ends. Returns the last events.
fn play_out(game: &mut Game) -> Events {
    loop {
        let card = lowest(game);
        let events = game.decide(Decision::Play(card)).unwrap();
        if game.hand().is_none() {
            return events;
        }
    }
}

fn lowest(game: &Game) -> Card {
    let hand = game.hand().unwrap();
    hand.cards(hand.to_act().unwrap()).lowest().unwrap()
}

#[test]
fn ten_points_win() {
    let mut game = Game::new(GameOptions::default());
    for point in 1..=10 {
        assert!(game.needs_deal());
        deal(&mut game, &WEAK, &STRONG);
        let events = play_out(&mut game);
        assert_eq!(game.points(), [0, point]);
        assert_eq!(game.hand_id(), u32::from(point));
        let mut expected = vec![
            Event::TrickWon {
                by: 1,
                card: Some(card(5)),
            },
            Event::HandDone { by: Some(1) },
        ];
        if point == 1 {
            assert_eq!(
                events[1..],
                expected[1..],
                "player 0 led, and 1 played last"
            );
            continue;
        }
        if point == 10 {
            expected.push(Event::GameWon { by: 1 });
        }
        assert_eq!(events.as_slice(), expected);
    }
    assert_eq!((game.winner(), game.to_act()), (Some(1), None));
    assert!(!game.needs_deal());
    assert_eq!(game.decide(Decision::Offer), Err(Illegal::Over));
    assert_eq!(game.fault(), Err(Illegal::Over));
}

#[test]
fn an_accepted_challenge_decides_the_game() {
    let mut game = Game::new(GameOptions::default());
    deal(&mut game, &STRONG, &WEAK);
    assert_eq!(
        game.decide(Decision::Offer).unwrap().as_slice(),
        [Event::Accepted]
    );
    assert_eq!(
        game.decide(Decision::Accept).unwrap().as_slice(),
        [Event::Accepted]
    );
    let events = play_out(&mut game);
    assert_eq!(
        events[1..],
        [Event::HandDone { by: Some(0) }, Event::GameWon { by: 0 }]
    );
    assert_eq!(game.points(), [1, 0]);
}

#[test]
fn a_tied_challenge_counts_for_nothing() {
    for (rule, lead) in [(LeadAfterTie::Opener, 0), (LeadAfterTie::Alternate, 1)] {
        let mut game = Game::new(GameOptions {
            lead_after_tie: rule,
            ..GameOptions::default()
        });
        deal(&mut game, &WEAK, &WEAK);
        game.decide(Decision::Offer).unwrap();
        game.decide(Decision::Accept).unwrap();
        let events = play_out(&mut game);
        assert_eq!(
            events.as_slice(),
            [Event::TrickTied, Event::HandDone { by: None }]
        );
        assert!(game.needs_deal());
        deal(&mut game, &WEAK, &WEAK);
        assert_eq!(
            (game.to_act(), game.points(), game.hand_id()),
            (Some(lead), [0, 0], 2)
        );
        assert!(
            game.hand().unwrap().public().can_challenge(),
            "every hand may have its challenge"
        );
    }
}

#[test]
fn a_rejection_gives_the_challenger_point_and_lead() {
    let mut game = Game::new(GameOptions::default());
    deal(&mut game, &WEAK, &STRONG);
    game.decide(Decision::Play(card(1))).unwrap();
    game.decide(Decision::Offer).unwrap();
    let events = game.decide(Decision::Reject).unwrap();
    assert_eq!(events.as_slice(), [Event::HandDone { by: Some(1) }]);
    assert_eq!(game.points(), [0, 1]);
    deal(&mut game, &WEAK, &STRONG);
    assert_eq!(game.to_act(), Some(1));
}

#[test]
fn a_fault_can_end_trick_hand_and_game() {
    let mut game = Game::new(GameOptions {
        goal: 1,
        ..GameOptions::default()
    });
    deal(&mut game, &STRONG, &WEAK);
    let mut expected = vec![Event::Error, Event::TrickWon { by: 1, card: None }];
    for _ in 0..4 {
        assert_eq!(game.fault().unwrap().as_slice(), expected);
        let card = lowest(&game);
        assert_eq!(game.to_act(), Some(1), "the other has the lead");
        game.decide(Decision::Play(card)).unwrap();
    }
    expected.extend([Event::HandDone { by: Some(1) }, Event::GameWon { by: 1 }]);
    assert_eq!(game.fault().unwrap().as_slice(), expected);
}

#[test]
fn a_fault_at_an_offer_tells_of_the_hand() {
    let mut game = Game::new(GameOptions::default());
    deal(&mut game, &STRONG, &WEAK);
    game.decide(Decision::Offer).unwrap();
    let events = game.fault().unwrap();
    assert_eq!(
        events.as_slice(),
        [Event::Error, Event::HandDone { by: Some(0) }]
    );
}
