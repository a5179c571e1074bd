//! What the search asks of a game.

use super::Hands;
use super::card::Card;
use super::cards::Cards;
use engine::rng::Random;

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

/// A round whose value is what is in the bank plus something that depends on the cards to come.
pub trait Ending: Round {
    /// The points that a card brings to who takes it. Cards next to each other in a hand with the
    /// same worth are the same.
    fn worth(card: Card) -> u8;

    /// The cards of the trick on the table.
    fn table(&self) -> Cards;

    /// A seat's value if nothing more were to come.
    fn banked(&self, seat: usize) -> f32;

    /// The least and the most that a seat's value can still change.
    fn reach(&self, seat: usize) -> (f32, f32);

    /// What of the past matters for what is to come, besides the cards that are left and whose turn
    /// it is.
    fn context(&self) -> u64;
}

/// A way to play that looks only at what the player to act knows.
pub trait Policy<R> {
    /// One of the `legal` cards, which are not empty.
    fn choose(&self, round: &R, legal: Cards, random: &mut Random) -> Card;
}
