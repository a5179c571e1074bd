//! The rules of a game, as views and the search use them.

use super::{Card, Cards, Hands, MAX_PLAYERS, Standing, Trick};

/// A round in which every action is a card: taken from an open pool, or played to a trick.
///
/// Rules are pure: nothing here draws random numbers. A round is made from dealt hands.
pub trait Round: Clone + Send + Sync {
    fn players(&self) -> usize;

    /// The player to act; none when the round is over.
    fn to_act(&self) -> Option<usize>;

    /// The cards that the player to act may take or play; not empty while the round goes on and
    /// hands are complete.
    fn legal(&self) -> Cards;

    /// Takes or plays a card for the player to act. Legality is not checked, so that a round with
    /// hidden hands can be followed. Nothing happens when the round is over.
    fn act(&mut self, card: Card);

    /// The points that a seat has taken so far.
    fn points(&self, seat: usize) -> u8;

    /// What the round adds to each seat's score, once it is over.
    fn scores(&self) -> [u8; MAX_PLAYERS] {
        std::array::from_fn(|seat| match seat < self.players() {
            true => self.points(seat),
            false => 0,
        })
    }

    /// The game that the round belongs to, as it stood before it; none if the round is all that is played, or nothing is known
    /// of the game.
    fn standing(&self) -> Option<Standing> {
        None
    }

    /// The cards in a seat's hand.
    fn hand(&self, seat: usize) -> Cards;

    /// The same with other cards in the hands.
    #[must_use]
    fn with_hands(&self, hands: &Hands) -> Self;

    /// All cards of the game: those dealt to hands, and those of the pool.
    fn deck(&self) -> Cards;

    /// The open cards that are still to be taken. While there are any, cards are taken.
    fn pool(&self) -> Cards {
        Cards::EMPTY
    }

    /// The trick on the table.
    fn trick(&self) -> &Trick;

    /// The points that the cards on the table bring.
    fn stake(&self) -> u8;

    /// The suits of which a seat has shown to have none, by playing another.
    fn out_of(&self, seat: usize) -> Cards;

    /// The cards that a seat has taken for all to see and still holds.
    fn shown(&self, seat: usize) -> Cards {
        let _ = seat;
        Cards::EMPTY
    }

    /// Before the first action: the cards that a seat cannot have been dealt, because the turn or
    /// another open fact says who holds them.
    fn not_dealt(&self, seat: usize) -> Cards {
        let _ = seat;
        Cards::EMPTY
    }

    /// The cards that the player to act cannot hold if it plays this card, besides the suit led
    /// when it does not follow.
    fn lacked(&self, card: Card) -> Cards {
        let _ = card;
        Cards::EMPTY
    }

    /// Whether the next action takes a card from the pool.
    #[inline]
    fn taking(&self) -> bool {
        !self.pool().is_empty()
    }

    fn hands(&self) -> Hands {
        std::array::from_fn(|seat| match seat < self.players() {
            true => self.hand(seat),
            false => Cards::EMPTY,
        })
    }

    /// The round with one seat's hand only: all that this seat sees of it.
    #[must_use]
    fn seen_by(&self, seat: usize) -> Self {
        let mut hands = Hands::default();
        hands[seat] = self.hand(seat);
        self.with_hands(&hands)
    }

    /// The cards in the hands of all but the player to act. Everybody who counts knows them.
    #[inline]
    fn other_hands(&self) -> Cards {
        let own = self.to_act().unwrap_or(0);
        (0..self.players())
            .filter(|&seat| seat != own)
            .fold(Cards::EMPTY, |all, seat| all | self.hand(seat))
    }
}
