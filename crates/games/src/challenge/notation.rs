//! Decisions as tables write them, by the names of the contest's protocol: `play_card 9`, `offer_challenge`.

use ::challenge::rules::{Card, Decision};

/// The expected input, for texts that are no decision.
const EXPECTED: &str = "expected play_card RANK with a rank from 1 to 13, such as play_card 9, or \
                        offer_challenge, accept_challenge or reject_challenge";

/// A decision as it is written.
pub fn print(decision: Decision) -> String {
    match decision {
        Decision::Play(card) => format!("play_card {card}"),
        Decision::Offer => "offer_challenge".to_owned(),
        Decision::Accept => "accept_challenge".to_owned(),
        Decision::Reject => "reject_challenge".to_owned(),
    }
}

/// Reads a decision. The words may be cut short: `play 9`, `offer`, `accept`, `reject`.
///
/// # Errors
/// The expected input, and the text that was found.
pub fn parse(text: &str) -> Result<Decision, String> {
    let wrong = || format!("{EXPECTED}, not {text:?}");
    let words: Vec<&str> = text.split_whitespace().collect();
    match words[..] {
        ["play_card" | "play", rank] => {
            let card = rank.parse().ok().and_then(Card::new);
            card.map(Decision::Play).ok_or_else(wrong)
        }
        ["offer_challenge" | "offer"] => Ok(Decision::Offer),
        ["accept_challenge" | "accept"] => Ok(Decision::Accept),
        ["reject_challenge" | "reject"] => Ok(Decision::Reject),
        _ => Err(wrong()),
    }
}
