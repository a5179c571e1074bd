//! What the search asks of a game.

use super::Hands;
use super::card::Card;
use super::cards::Cards;
use super::deals::Impossible;
use crate::random::Random;

/// A round in which every action is a card: taken, or played to a trick.
pub trait Round: Clone {
    /// Number of players.
    fn players(&self) -> usize;

    /// Whose turn it is; none when the round is over.
    fn to_act(&self) -> Option<usize>;

    /// The cards that the player to act may take or play; not empty while the round goes on and
    /// hands are complete.
    fn legal(&self) -> Cards;

    /// Takes or plays a card for the player to act. Whether it is legal is the caller's business,
    /// so that a round can be told in which hands are hidden. Nothing happens when it is over.
    fn act(&mut self, card: Card);

    /// The points of a seat, final when the round is over.
    fn points(&self, seat: usize) -> u8;

    /// The cards in a seat's hand.
    fn hand(&self, seat: usize) -> Cards;

    /// The same with other cards in the hands.
    fn with_hands(&self, hands: &Hands) -> Self;

    /// What a seat wants, as a number to maximise, once the round is over.
    fn value(&self, seat: usize) -> f32;
}

/// A round as one seat sees it.
pub trait View: Clone {
    /// The round with all hands open.
    type Round: Round;

    /// The seat.
    fn seat(&self) -> usize;

    /// The round with nothing in the hidden hands.
    fn round(&self) -> &Self::Round;

    /// What the player to act takes or plays.
    fn act(&mut self, card: Card);

    /// A way to draw rounds that look like this to the seat, each as likely as any other.
    ///
    /// # Errors
    /// If there is none: what was told contradicts itself.
    fn worlds(&self) -> Result<impl Fn(&mut Random) -> Self::Round, Impossible>;
}

/// A way to play that looks only at what the player to act knows.
pub trait Policy<R> {
    /// One of the `legal` cards, which are not empty.
    fn choose(&self, round: &R, legal: Cards, random: &mut Random) -> Card;
}
