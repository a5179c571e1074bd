//! Positions that are the same to a solver.

use super::super::{Card, Cards, Ending, Suit};
use engine::rng::mix;

/// A number for a position at the beginning of a trick. Ranks count only by their order among the
/// cards that are left.
pub(super) fn key<R: Ending>(round: &R) -> u64 {
    let players = round.players();
    let leader = round.to_act().unwrap_or(0);
    let mut key = mix(round.context() << 4 | leader as u64);
    for suit in Suit::ALL {
        let suit = Cards::suit(suit);
        let hands: [Cards; super::super::MAX_PLAYERS] = std::array::from_fn(|player| {
            if player < players {
                round.hand(player) & suit
            } else {
                Cards::EMPTY
            }
        });
        let all = hands.iter().fold(Cards::EMPTY, |all, &hand| all | hand);
        let mut owners = 1;
        let mut worths = 1;
        for card in all {
            let owner = hands.iter().position(|hand| hand.contains(card));
            owners = owners << 3 | owner.unwrap_or(0) as u64;
            worths = worths << 4 | u64::from(R::worth(card));
        }
        key = mix(key ^ owners).wrapping_add(mix(worths));
    }
    key
}

/// The legal cards without those that are the same as a lower one of the same hand: nobody else
/// has a card between them, and their worth is the same.
pub fn distinct<R: Ending>(round: &R) -> Cards {
    let legal = round.legal();
    if legal.len() < 2 {
        return legal;
    }
    let Some(seat) = round.to_act() else {
        return legal;
    };
    let others = (0..round.players())
        .filter(|&player| player != seat)
        .fold(round.table(), |all, player| all | round.hand(player));
    let mut distinct = Cards::EMPTY;
    let mut last: Option<Card> = None;
    for card in legal {
        let same = last.is_some_and(|last| {
            last.suit() == card.suit()
                && R::worth(last) == R::worth(card)
                && (others & Cards::above(last) & Cards::below(card)).is_empty()
        });
        if !same {
            distinct.insert(card);
        }
        last = Some(card);
    }
    distinct
}
