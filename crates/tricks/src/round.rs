//! The trait by which views and the search use the rules of a game. The crates `eights` and `hearts` implement it.

use super::{Card, Cards, Hands, MAX_PLAYERS, Standing, Trick};

/// A round in which every action is a card: taken from an open pool, or played to a trick.
///
/// Rules are pure: they draw no random numbers. A round is made from hands that were dealt elsewhere.
pub trait Round: Clone + Send + Sync {
    /// The number of players at the table.
    fn players(&self) -> usize;

    /// The player to act; none if the round is over.
    fn to_act(&self) -> Option<usize>;

    /// The cards that the player to act may take or play. There is at least one while the round goes on and the
    /// hands are complete.
    fn legal(&self) -> Cards;

    /// Takes or plays a card for the player to act. Legality is not checked, so that a round with hidden hands
    /// can be followed. Nothing happens if the round is over.
    fn act(&mut self, card: Card);

    /// The points that a seat has taken so far.
    fn points(&self, seat: usize) -> u8;

    /// By seat, the points that a finished round adds to the score.
    fn scores(&self) -> [u8; MAX_PLAYERS] {
        std::array::from_fn(|seat| match seat < self.players() {
            true => self.points(seat),
            false => 0,
        })
    }

    /// The standing of the game before the round; none if the round belongs to no game, or nothing is known of
    /// the game.
    fn standing(&self) -> Option<Standing> {
        None
    }

    /// The cards in a seat's hand.
    fn hand(&self, seat: usize) -> Cards;

    /// The same round with other cards in the hands.
    #[must_use]
    fn with_hands(&self, hands: &Hands) -> Self;

    /// All cards of the game: those dealt to hands and those of the pool.
    fn deck(&self) -> Cards;

    /// The open cards that are still to be taken. While there are any, actions take cards.
    fn pool(&self) -> Cards {
        Cards::EMPTY
    }

    /// The trick on the table.
    fn trick(&self) -> &Trick;

    /// The points that the trick on the table is worth so far.
    fn stake(&self) -> u8;

    /// The suits that a seat has shown to lack, by not following them.
    fn out_of(&self, seat: usize) -> Cards;

    /// The cards that a seat has taken openly and still holds.
    fn shown(&self, seat: usize) -> Cards {
        // Games without a pool show no cards.
        let _ = seat;
        Cards::EMPTY
    }

    /// Before the first action, the cards that a seat cannot have been dealt, because an open fact shows that another
    /// seat holds them. For example, the first lead may belong to the holder of a certain card.
    fn not_dealt(&self, seat: usize) -> Cards {
        let _ = seat;
        Cards::EMPTY
    }

    /// The cards that the player to act cannot hold if it plays this card. The suit led is left out: `Seen::played`
    /// concludes from any discard that the player has none of it.
    fn lacked(&self, card: Card) -> Cards {
        let _ = card;
        Cards::EMPTY
    }

    /// Whether the next action chooses a card to be passed to another player. While cards are passed, a choice is
    /// seen by its seat alone.
    #[inline]
    fn passing(&self) -> bool {
        false
    }

    /// The cards that a seat has chosen to pass. They stay in its hand until everybody has chosen.
    fn passed(&self, seat: usize) -> Cards {
        // Most games have no passing.
        let _ = seat;
        Cards::EMPTY
    }

    /// The seat that gets the cards that this seat passes; the same seat if none are passed.
    fn receiver(&self, seat: usize) -> usize {
        seat
    }

    /// The seat whose passed cards this seat gets; the same seat if none are passed.
    fn giver(&self, seat: usize) -> usize {
        let mut others = 0..self.players();
        others
            .find(|&other| self.receiver(other) == seat)
            .unwrap_or(seat)
    }

    /// Whether the next action takes a card from the pool.
    #[inline]
    fn taking(&self) -> bool {
        !self.pool().is_empty()
    }

    /// The cards in all hands, by seat.
    fn hands(&self) -> Hands {
        // Entries beyond the last player stay empty.
        std::array::from_fn(|seat| match seat < self.players() {
            true => self.hand(seat),
            false => Cards::EMPTY,
        })
    }

    /// The round with one seat's hand alone: all that this seat sees of it.
    #[must_use]
    fn seen_by(&self, seat: usize) -> Self {
        let mut hands = Hands::default();
        hands[seat] = self.hand(seat);
        self.with_hands(&hands)
    }

    /// The cards in all hands but that of the player to act. A player that counts knows them.
    #[inline]
    fn other_hands(&self) -> Cards {
        let own = self.to_act().unwrap_or(0);
        (0..self.players())
            .filter(|&seat| seat != own)
            .fold(Cards::EMPTY, |all, seat| all | self.hand(seat))
    }
}
