//! Checks the laws of [`games::laws`] along games that are chosen by the bytes.

use crate::bytes::Bytes;
use engine::rng::stream;
use games::game;
use games::laws::check;
use serde_json::{Value, json};

/// Checks the laws along one game. The bytes choose the game, its options, its chance and every action.
///
/// # Panics
/// If a law is broken.
pub fn laws(input: &[u8]) {
    let mut bytes = Bytes::new(input);
    let Some((name, options)) = chosen(&mut bytes) else {
        return;
    };
    let (Some(is_seeded), Some(seed)) = (bytes.below(2), bytes.seed()) else {
        return;
    };
    let game = game(name, options).expect("options that make sense");
    let chance = (is_seeded == 1).then_some(seed);
    let choose = |count| bytes.below(count);
    check(&game, chance, choose, &mut stream(seed, 2));
}

/// A game and its options; none if there are no more bytes.
fn chosen(bytes: &mut Bytes) -> Option<(&'static str, Value)> {
    let which = bytes.below(4)?;
    let mut number = |count| bytes.below(count);
    Some(match which {
        0 => ("eights", json!({"dealer": number(4)?})),
        1 => (
            "hearts",
            json!({
                "players": 3 + number(4)?,
                "clean_first_trick": number(2)? == 1,
                "passing": (["none", "left", "right"][number(3)?]),
            }),
        ),
        2 => (
            "cartagena",
            json!({
                "players": 2 + number(5)?,
                "deal": number(7)?,
                "spaces": 1 + number(126)?,
                "pirates": 1 + number(6)?,
                "boat_retreat": number(2)? == 1,
                "open_hands": number(2)? == 1,
                "early_pass": number(2)? == 1,
                "max_turns": 1 + number(60)?,
            }),
        ),
        _ => {
            let cards = 1 + number(5)?;
            let ranks = 1 + number(13)?;
            // Both must be dealt their cards: 2 × 5 of one rank would need ten copies, and there are eight at most.
            let ranks = ranks.max((2 * cards).div_ceil(8));
            let lead = ["opener", "alternate"][number(2)?];
            let least = (2 * cards).div_ceil(ranks);
            (
                "challenge",
                json!({
                    "cards": cards,
                    "ranks": ranks,
                    "copies": least.max(1 + number(8)?),
                    "goal": 1 + number(10)?,
                    "lead_after_tie": lead,
                    "max_hands": 1 + number(20)?,
                }),
            )
        }
    })
}
