//! Replays the example hands of the rules page, and compares them entry by entry.

use challenge::rules::{Card, Cards, Decision, GameOptions};
use contest::challenge::record::{Entry, Moved, Recorded};

fn cards(ranks: &[u8]) -> Cards {
    ranks.iter().map(|&rank| Card::new(rank).unwrap()).collect()
}

/// Makes the moves of an example's players; every other entry must follow from the rules.
fn replay(entries: &[Entry]) -> Recorded {
    let mut game = Recorded::new(GameOptions::default());
    for entry in entries {
        match entry {
            Entry::NewHand {
                player0_hand,
                player1_hand,
                ..
            } => {
                game.deal([cards(player0_hand), cards(player1_hand)]);
            }
            Entry::PlayerMove {
                moving_player,
                what,
            } => {
                assert_eq!(game.game().to_act(), Some(*moving_player));
                let decision = match what {
                    Moved::PlayCard { card } => Decision::Play(Card::new(*card).unwrap()),
                    Moved::OfferChallenge => Decision::Offer,
                    Moved::AcceptChallenge => Decision::Accept,
                    Moved::RejectChallenge => Decision::Reject,
                    Moved::IllegalMove { reason } => {
                        game.fault(reason).unwrap();
                        continue;
                    }
                };
                game.decide(decision).unwrap();
            }
            _ => {}
        }
    }
    game
}

fn check(text: &str) -> Recorded {
    let entries: Vec<Entry> = text
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    let game = replay(&entries);
    assert_eq!(game.entries(), entries);
    for (entry, line) in entries.iter().zip(text.lines()) {
        let written: serde_json::Value = serde_json::to_value(entry).unwrap();
        let given: serde_json::Value = serde_json::from_str(line).unwrap();
        assert_eq!(written, given);
    }
    game
}

#[test]
fn a_plain_hand() {
    let game = check(include_str!(
        "../../../../tests/data/challenge/normal.jsonl"
    ));
    assert!(game.game().needs_deal());
}

#[test]
fn a_rejected_challenge() {
    let game = check(include_str!(
        "../../../../tests/data/challenge/rejected.jsonl"
    ));
    assert!(game.game().needs_deal());
}

#[test]
fn an_accepted_challenge() {
    let game = check(include_str!(
        "../../../../tests/data/challenge/accepted.jsonl"
    ));
    assert_eq!(game.game().winner(), Some(0));
}

#[test]
fn faults() {
    let game = check(include_str!(
        "../../../../tests/data/challenge/errors.jsonl"
    ));
    assert_eq!(game.game().winner(), Some(0));
}

#[test]
fn a_tied_challenge() {
    let game = check(include_str!("../../../../tests/data/challenge/ties.jsonl"));
    assert!(game.game().needs_deal());
}
