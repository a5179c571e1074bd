//! Replays the example hands of the rules page, and compares them entry by entry.

use challenge::rules::{Card, Cards, Decision, GameOptions};
use contest::challenge::record::{Entry, Moved, Recorded};

const EXAMPLES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/data/challenge");

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

fn check(name: &str) -> Recorded {
    let text = std::fs::read_to_string(format!("{EXAMPLES}/{name}.jsonl")).unwrap();
    let entries: Vec<Entry> = text
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    let game = replay(&entries);
    assert_eq!(game.entries(), entries, "{name}");
    for (entry, line) in entries.iter().zip(text.lines()) {
        let written: serde_json::Value = serde_json::to_value(entry).unwrap();
        let given: serde_json::Value = serde_json::from_str(line).unwrap();
        assert_eq!(written, given);
    }
    game
}

/// Each example, with the winner of its game; a game without one needs the next hand.
#[test]
fn the_examples_follow_from_the_rules() {
    for (name, winner) in [
        ("normal", None),
        ("rejected", None),
        ("accepted", Some(0)),
        ("errors", Some(0)),
        ("ties", None),
    ] {
        let recorded = check(name);
        let game = recorded.game();
        let found = (game.winner(), game.needs_deal());
        assert_eq!(found, (winner, winner.is_none()), "{name}");
    }
}
