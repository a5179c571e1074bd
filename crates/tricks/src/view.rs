//! A round as one seat sees it.

use super::Hands;
use super::card::Card;
use super::deals::Impossible;
use super::round::{Ending, Round as _};
use super::seen::Seen;
use engine::rng::Random;

/// A card that was taken or played, and the round before it as the viewer saw it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Past<R> {
    /// Whose it was.
    pub seat: usize,
    /// The card.
    pub card: Card,
    /// Whether it was taken into the hand; else it was played from it.
    pub took: bool,
    /// The round before it.
    pub round: R,
}

/// A round as one seat sees it.
pub trait View: Clone {
    /// The round with all hands open.
    type Round: Ending;

    /// The seat.
    fn seat(&self) -> usize;

    /// The round with nothing in the hidden hands.
    fn round(&self) -> &Self::Round;

    /// What is known of the hidden cards.
    fn seen(&self) -> &Seen;

    /// What was taken and played so far, in order.
    fn past(&self) -> &[Past<Self::Round>];

    /// What the player to act takes or plays.
    fn act(&mut self, card: Card);

    /// A way to draw rounds that look like this to the seat, each as likely as any other.
    ///
    /// # Errors
    /// If there is none: what was told contradicts itself.
    fn worlds(&self) -> Result<impl Fn(&mut Random) -> Self::Round, Impossible>;

    /// The round with all unseen cards in one other hand: for a policy, which may count them but not
    /// know who has them.
    fn counted(&self) -> Self::Round {
        let mut hands = Hands::default();
        hands[self.seat()] = self.seen().own();
        hands[(self.seat() + 1) % self.round().players()] = self.seen().unseen();
        self.round().with_hands(&hands)
    }
}
