//! A player's knowledge of the hidden cards in a trick-taking game, gathered from its own cards and everybody's
//! actions.
//!
//! A view keeps a [`Seen`] up to date. [`Deals`] then counts and samples the deals that fit it.

use super::card::{Card, Suit};
use super::cards::Cards;
use super::deals::{Deals, Hidden, Impossible, MAX_HIDDEN};
use super::{Hands, MAX_PLAYERS};

/// One player's knowledge of where the cards are: its own hand, and for each other hand its size, the cards that are
/// certainly in it, and the cards that cannot be in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Seen {
    seat: usize,
    players: usize,
    own: Cards,
    /// All cards in the other hands.
    unseen: Cards,
    sizes: [usize; MAX_PLAYERS],
    /// By player, all cards except those that its actions exclude from its hand.
    may_hold: Hands,
    /// By player, the cards that are certainly in its hand, because it took them openly or got them from the player whose
    /// knowledge this is. Empty for that player itself.
    known: Hands,
}

impl Seen {
    /// The knowledge after a deal of `size` cards to each player. `own` is the player's own hand, `unseen` the
    /// cards in all other hands.
    pub fn new(seat: usize, players: usize, own: Cards, unseen: Cards, size: usize) -> Seen {
        Seen {
            seat,
            players,
            own,
            unseen,
            sizes: [size; MAX_PLAYERS],
            may_hold: [Cards::ALL; MAX_PLAYERS],
            known: Hands::default(),
        }
    }

    /// The hand of the player whose knowledge this is.
    pub fn own(&self) -> Cards {
        self.own
    }

    /// The cards in all other hands.
    pub fn unseen(&self) -> Cards {
        self.unseen
    }

    /// The cards that a player may hold. For another player these are the unseen cards, less those that its actions
    /// exclude and those that a third player certainly holds.
    pub fn may_hold(&self, player: usize) -> Cards {
        if player == self.seat {
            return self.own;
        }
        let elsewhere = (0..self.players)
            .filter(|&other| other != player)
            .fold(Cards::EMPTY, |all, other| all | self.known[other]);
        // A card that the player took openly is in its hand, even if an earlier discard seemed to exclude it.
        self.known[player] | ((self.unseen & self.may_hold[player]) - elsewhere)
    }

    /// The cards of `player`'s `hand` in some deal, without those that are certainly there.
    #[inline]
    pub fn hidden(&self, player: usize, hand: Cards) -> Cards {
        hand - self.known[player]
    }

    /// Records that a player took a card openly.
    pub fn took(&mut self, player: usize, card: Card) {
        if player == self.seat {
            self.own.insert(card);
        } else {
            self.unseen.insert(card);
            self.known[player].insert(card);
        }
        self.sizes[player] += 1;
    }

    /// Records that a player certainly holds these cards, which it has not taken openly.
    pub fn holds(&mut self, player: usize, cards: Cards) {
        // The own hand is known in any case.
        if player != self.seat {
            self.known[player] = self.known[player] | cards;
        }
    }

    /// Records that a player played a card to a trick in which `led` was led; none if it led the trick itself.
    pub fn played(&mut self, player: usize, card: Card, led: Option<Suit>) {
        // The card has left every hand, also if it was wrongly thought to be in another one.
        self.own.remove(card);
        self.unseen.remove(card);
        for known in &mut self.known {
            known.remove(card);
        }
        // Contradicting reports may take more cards from a hand than it had.
        self.sizes[player] = self.sizes[player].saturating_sub(1);
        // A discard shows a void in the suit led.
        if let Some(led) = led
            && card.suit() != led
        {
            self.lacks(player, Cards::suit(led));
        }
    }

    /// Records that a player holds none of these cards.
    pub fn lacks(&mut self, player: usize, cards: Cards) {
        self.may_hold[player] = self.may_hold[player] - cards;
    }

    /// The deals of the hidden cards that fit this knowledge.
    ///
    /// # Errors
    /// If no deal fits.
    pub fn deals(&self) -> Result<Deals, Impossible> {
        let mut sizes = [0; MAX_HIDDEN];
        let mut may_hold = [Cards::EMPTY; MAX_HIDDEN];
        let others = (0..self.players).filter(|&player| player != self.seat);
        for (place, player) in others.enumerate() {
            sizes[place] = self.sizes[player];
            may_hold[place] = self.may_hold(player);
        }
        let hidden = self.players - 1;
        Deals::new(self.unseen, &sizes[..hidden], &may_hold[..hidden])
    }

    /// All hands of a deal: the player's own hand, and the hidden ones in the order of the other seats.
    #[inline]
    pub fn hands(&self, hidden: &Hidden) -> Hands {
        let mut hands = Hands::default();
        let mut hidden = hidden.iter();
        for (player, hand) in hands.iter_mut().enumerate().take(self.players) {
            *hand = if player == self.seat {
                self.own
            } else {
                hidden.next().copied().unwrap_or_default()
            };
        }
        hands
    }

    /// The same knowledge without any conclusion from actions, for reports that contradict each other: no deal fits all
    /// conclusions from them.
    pub fn without_inference(&self) -> Seen {
        Seen {
            may_hold: [Cards::ALL; MAX_PLAYERS],
            known: Hands::default(),
            ..self.clone()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_discard_shows_a_void_and_a_taken_card_is_known() {
        let deck: Vec<Card> = Cards::ALL.into_iter().collect();
        let own: Cards = deck[..10].iter().copied().collect();
        let unseen: Cards = deck[10..40].iter().copied().collect();
        let mut seen = Seen::new(0, 4, own, unseen, 10);
        assert_eq!(
            seen.deals().unwrap().count(),
            // 30! / 10!³
            5_550_996_791_340
        );
        seen.took(2, deck[45]);
        assert_eq!(seen.deals().unwrap().count(), 5_550_996_791_340);
        assert!(seen.may_hold(2).contains(deck[45]) && !seen.may_hold(1).contains(deck[45]));
        seen.played(1, deck[39], Some(Suit::Clubs));
        assert_eq!(seen.may_hold(1) & Cards::suit(Suit::Clubs), Cards::EMPTY);
        assert_eq!(
            seen.may_hold(3) & Cards::suit(Suit::Clubs),
            unseen & Cards::suit(Suit::Clubs)
        );
    }
}
