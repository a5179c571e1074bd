//! The cards that a rule of thumb passes, where the rules of the table have passing: cards that will probably take
//! points later, and the rest of a short suit.

use super::ranks::rank;
use crate::rules::BLACK_QUEEN;
use tricks::{Card, Cards, Suit, best_card};

/// With this many spades below her, her *guards*, a hand can hold the queen, or a spade above her: she can only be forced
/// out once they are gone.
const GUARDS: i32 = 4;

/// The card that a player should rather give away than any other. `legal` are the cards of its hand that it has not
/// chosen yet, at least one.
pub(super) fn choose(legal: Cards) -> Card {
    let guards = (legal & Cards::below(BLACK_QUEEN)).len() as i32;
    let unguarded = (GUARDS - guards).max(0);
    best_card(legal, |card| {
        let held = (legal & Cards::suit(card.suit())).len() as i32;
        match card.suit() {
            // The queen costs 13 points. Without guards she goes first of all; with three she counts 30, as much as the
            // queen of a suit of four. The king and the ace may have to take her.
            Suit::Spades if card == BLACK_QUEEN => 30 * unguarded,
            Suit::Spades if card > BLACK_QUEEN => 20 * unguarded,
            // Guards stay: each protects from one lead of spades.
            Suit::Spades => -10,
            // High hearts take hearts; low ones let others take them.
            Suit::Hearts => 3 * rank(card) - 4 * (held - 1).min(3),
            // The last cards of a short suit make the hand void, so that it can throw points on others. A suit of one
            // counts 18 for it, of two 12, of three 6.
            Suit::Clubs | Suit::Diamonds => 3 * rank(card) + 6 * (4 - held).max(0),
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::player::Baseline;
    use crate::rules::{Options, Round};
    use tricks::{Hands, Policy, Round as _};

    /// The three cards that a policy passes of this hand.
    fn passes(policy: Baseline, hand: &str) -> String {
        let code = |code| Card::from_code(code).unwrap();
        let mut hands = Hands::default();
        hands[0] = hand.split(' ').map(code).collect();
        let mut round = Round::new(4, 1, hands, Options::default()).with_passing(1);
        let mut rng = engine::rng::stream(1, 0);
        for _ in 0..crate::rules::PASSED {
            let card = policy.choose(&round, round.legal(), &mut rng);
            round.act(card);
        }
        let codes: Vec<String> = round.passed(0).into_iter().map(Card::code).collect();
        codes.join(" ")
    }

    #[test]
    fn a_bare_queen_goes_and_a_guarded_one_stays() {
        let bare = "c3 c7 c9 d2 d5 d6 d8 h2 h3 h4 h6 s4 sq";
        assert!(passes(Baseline::Careful, bare).contains("sq"));
        let guarded = "c3 c7 cj d2 d5 dq d8 h2 s2 s4 s6 s8 sq";
        assert!(!passes(Baseline::Careful, guarded).contains("sq"));
    }

    #[test]
    fn a_short_suit_goes_before_a_long_one() {
        let hand = "c9 d2 d3 d5 d6 d8 d9 h2 h3 h4 h6 s4 s5";
        assert!(passes(Baseline::Careful, hand).starts_with("c9"));
    }

    #[test]
    fn duck_passes_what_it_would_throw() {
        let hand = "c9 ca d2 d3 d5 d6 d8 h2 h3 hk ha s4 sq";
        assert_eq!(passes(Baseline::Duck, hand), "hk ha sq");
    }
}
