//! A trick: the cards on the table.

use super::MAX_PLAYERS;
use super::card::{Card, Suit};
use super::cards::Cards;

/// A trick: its leader, and the cards played since, in turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Trick {
    leader: u8,
    winner: u8,
    len: u8,
    cards: [Option<Card>; MAX_PLAYERS],
}

impl Trick {
    /// An empty trick that `leader` is to lead.
    pub const fn new(leader: usize) -> Trick {
        Trick {
            leader: leader as u8,
            winner: leader as u8,
            len: 0,
            cards: [None; MAX_PLAYERS],
        }
    }

    #[inline]
    pub fn leader(&self) -> usize {
        usize::from(self.leader)
    }

    /// The number of cards played so far.
    #[inline]
    pub fn len(&self) -> usize {
        usize::from(self.len)
    }

    /// Whether no card has been led.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The seat to act, at a table of `players`.
    #[inline]
    pub fn to_act(&self, players: usize) -> usize {
        let seat = self.leader() + self.len();
        // A subtraction in place of a division: the sum is below twice the number of players.
        if seat >= players {
            seat - players
        } else {
            seat
        }
    }

    /// The suit that was led; none before the lead.
    #[inline]
    pub fn led(&self) -> Option<Suit> {
        self.cards[0].map(Card::suit)
    }

    /// The seat that has played the highest card of the suit led.
    #[inline]
    pub fn winner(&self) -> usize {
        usize::from(self.winner)
    }

    /// The highest card of the suit led.
    #[inline]
    pub fn best(&self, players: usize) -> Option<Card> {
        // Seats count from 0, places in the trick from the leader on.
        let place = (self.winner() + players - self.leader()) % players;
        self.cards[place]
    }

    /// Adds the next player's card.
    ///
    /// # Panics
    /// If everyone has played already.
    #[inline]
    pub fn play(&mut self, players: usize, card: Card) {
        // Only a higher card of the same suit beats the best card; a lead starts out as the winner.
        if self
            .best(players)
            .is_some_and(|best| Cards::above(best).contains(card))
        {
            self.winner = self.to_act(players) as u8;
        }
        self.cards[self.len()] = Some(card);
        self.len += 1;
    }

    /// The cards in the order in which they were played.
    pub fn in_order(&self) -> impl Iterator<Item = Card> + '_ {
        self.cards[..self.len()].iter().flatten().copied()
    }

    /// The cards as a set.
    #[inline]
    pub fn cards(&self) -> Cards {
        self.in_order().collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use Suit::{Hearts, Spades};

    #[test]
    fn the_highest_of_the_suit_led_wins() {
        let mut trick = Trick::new(2);
        assert_eq!((trick.to_act(3), trick.led()), (2, None));
        trick.play(3, Card::new(Hearts, 4));
        assert_eq!((trick.to_act(3), trick.winner()), (0, 2));
        trick.play(3, Card::new(Hearts, 9));
        trick.play(3, Card::new(Spades, 12));
        assert_eq!((trick.winner(), trick.led()), (0, Some(Hearts)));
        assert_eq!(trick.best(3), Some(Card::new(Hearts, 9)));
        assert_eq!(trick.len(), 3);
    }
}
