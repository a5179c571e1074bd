//! The rules of one hand: tricks, challenges, illegal decisions, and faults.

use super::super::card::testing::{card, cards};
use super::*;
use crate::rules::HAND_SIZE;
use proptest::prelude::*;

fn hand() -> Hand {
    Hand::new([cards(&[11, 8, 8, 5, 2]), cards(&[12, 9, 8, 6, 1])], 0)
}

/// Plays a trick, which must be legal. Returns its winner, if it was not tied.
fn trick(hand: &mut Hand, led: u8, followed: u8) -> Option<Seat> {
    assert_eq!(
        hand.decide(Decision::Play(card(led))),
        Ok(Outcome::Continues)
    );
    match hand.decide(Decision::Play(card(followed))) {
        Ok(Outcome::Trick { by, card: last }) => {
            assert_eq!(last, Some(card(followed)));
            by
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn the_worked_example() {
    let mut hand = hand();
    assert_eq!(trick(&mut hand, 8, 8), None);
    assert_eq!(hand.to_act(), Some(0), "a tied trick leaves the lead");
    assert_eq!(trick(&mut hand, 11, 1), Some(0));
    hand.decide(Decision::Play(card(5))).unwrap();
    hand.decide(Decision::Offer).unwrap();
    assert_eq!(hand.to_act(), Some(0));
    hand.decide(Decision::Accept).unwrap();
    assert_eq!(hand.to_act(), Some(1), "the challenger still has to follow");
    hand.decide(Decision::Play(card(6))).unwrap();
    assert_eq!(trick(&mut hand, 12, 2), Some(1));
    assert_eq!(trick(&mut hand, 9, 8), Some(1));
    assert!(hand.is_over() && hand.public().in_challenge());
    assert_eq!((hand.winner(), hand.public().tricks), (Some(1), [1, 3]));
}

#[test]
fn a_rejection_ends_the_hand() {
    let mut hand = hand();
    hand.decide(Decision::Offer).unwrap();
    assert_eq!(hand.decide(Decision::Reject), Ok(Outcome::Rejected));
    assert!(hand.is_over());
    assert_eq!((hand.to_act(), hand.winner()), (None, Some(0)));
    assert_eq!(hand.legal().count(), 0);
}

#[test]
fn illegal_decisions_change_nothing() {
    let mut hand = hand();
    let mut check = |decision, expected| {
        let before = hand;
        assert_eq!(hand.decide(decision), Err(expected));
        assert_eq!(hand, before);
    };
    check(Decision::Play(card(7)), Illegal::NotInHand(card(7)));
    check(Decision::Accept, Illegal::NothingOffered);
    hand.decide(Decision::Offer).unwrap();
    let mut check = |decision, expected| assert_eq!(hand.decide(decision), Err(expected));
    check(Decision::Play(card(12)), Illegal::AnswerExpected);
    check(Decision::Offer, Illegal::AnswerExpected);
    hand.decide(Decision::Accept).unwrap();
    assert_eq!(hand.decide(Decision::Offer), Err(Illegal::SecondOffer));
}

#[test]
fn a_fault_of_the_leader_costs_its_highest_card() {
    let mut hand = Hand::new([cards(&[11, 8, 2]), cards(&[9, 6, 1])], 0);
    assert_eq!(
        hand.fault(),
        Ok(Outcome::Trick {
            by: Some(1),
            card: None
        })
    );
    assert_eq!(hand.cards(0), cards(&[8, 2]));
    assert_eq!(hand.cards(1), cards(&[9, 6]));
    assert_eq!(
        (
            hand.to_act(),
            hand.public().tricks,
            hand.public().total_tricks
        ),
        (Some(1), [0, 1], 1)
    );
}

#[test]
fn a_fault_of_the_follower_gives_the_table_card_back_first() {
    let mut hand = Hand::new([cards(&[11, 8, 2]), cards(&[9, 6, 1])], 0);
    hand.decide(Decision::Play(card(2))).unwrap();
    hand.fault().unwrap();
    assert_eq!(
        hand.cards(0),
        cards(&[11, 8]),
        "the 2 went back and was the lowest"
    );
    assert_eq!(hand.cards(1), cards(&[6, 1]));
    assert_eq!((hand.public().lead, hand.public().table), (0, None));
}

#[test]
fn a_fault_at_an_offer_is_a_rejection() {
    let mut hand = hand();
    hand.decide(Decision::Offer).unwrap();
    assert_eq!(hand.fault(), Ok(Outcome::Rejected));
    assert_eq!(hand.winner(), Some(0));
    assert_eq!(hand.fault(), Err(Illegal::Over));
}

#[test]
fn a_fault_takes_the_last_cards_too() {
    let mut hand = Hand::new([cards(&[5]), cards(&[5])], 0);
    hand.decide(Decision::Play(card(5))).unwrap();
    hand.fault().unwrap();
    assert!(hand.is_over());
    assert_eq!(hand.winner(), Some(0));
}

fn five() -> impl Strategy<Value = Cards> {
    prop::collection::vec(1u8..=13, HAND_SIZE).prop_map(|ranks| cards(&ranks))
}

proptest! {
    /// Any mixture of legal decisions and faults ends the hand, and both players hold the same number of cards.
    #[test]
    fn any_hand_ends(a in five(), b in five(), choices in prop::collection::vec(any::<u8>(), 24)) {
        let mut hand = Hand::new([a, b], 1);
        for choice in choices {
            if hand.is_over() {
                break;
            }
            let legal: Vec<Decision> = hand.legal().collect();
            prop_assert!(!legal.is_empty());
            let place = usize::from(choice) % (legal.len() + 1);
            match legal.get(place) {
                Some(&decision) => hand.decide(decision).map(drop).unwrap(),
                None => hand.fault().map(drop).unwrap(),
            }
            let held: Vec<usize> = (0..2).map(|seat| hand.cards(seat).len()).collect();
            let on_table = usize::from(hand.public().table.is_some());
            prop_assert_eq!(held[hand.public().lead] + on_table, held[other(hand.public().lead)]);
            prop_assert_eq!(held[other(hand.public().lead)] + usize::from(hand.public().total_tricks), HAND_SIZE);
        }
        prop_assert!(hand.is_over());
    }
}
