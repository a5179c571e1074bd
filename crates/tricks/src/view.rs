//! A round as one seat sees it.

use super::deals::Impossible;
use super::{Card, Hands, Round, Seen};
use engine::rng::Random;

/// An action that everybody saw, and the round before it as the viewer saw it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Observation<R> {
    /// The seat that acted.
    pub seat: usize,
    pub card: Card,
    /// Whether the card was taken into the hand; else it was played from it.
    pub took: bool,
    /// The round before it.
    pub round: R,
}

/// What a seat knows of a round: everything but the cards dealt to the others.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct View<R> {
    seat: usize,
    round: R,
    seen: Seen,
    history: Vec<Observation<R>>,
}

impl<R: Round> View<R> {
    /// The view of a seat on a round that has just been dealt. Only the seat's own hand is looked at.
    pub fn new(round: &R, seat: usize) -> View<R> {
        let (players, own) = (round.players(), round.hand(seat));
        let dealt = round.deck() - round.pool();
        let mut seen = Seen::new(seat, players, own, dealt - own, dealt.len() / players);
        for player in 0..players {
            seen.lacks(player, round.not_dealt(player));
        }
        View {
            seat,
            round: round.seen_by(seat),
            seen,
            history: Vec::new(),
        }
    }

    pub fn seat(&self) -> usize {
        self.seat
    }

    /// The round with nothing in the hidden hands.
    pub fn round(&self) -> &R {
        &self.round
    }

    /// What is known of the hidden cards.
    pub fn seen(&self) -> &Seen {
        &self.seen
    }

    /// All actions so far, in order.
    pub fn history(&self) -> &[Observation<R>] {
        &self.history
    }

    /// The player to act takes or plays a card. Nothing happens when the round is over.
    pub fn act(&mut self, card: Card) {
        let Some(player) = self.round.to_act() else {
            return;
        };
        let took = self.round.taking();
        if took {
            self.seen.took(player, card);
        } else {
            self.seen.lacks(player, self.round.lacked(card));
            self.seen.played(player, card, self.round.trick().led());
        }
        let mut next = self.round.clone();
        next.act(card);
        // What others took is known to be with them, but their hands are not complete.
        let mut hands = Hands::default();
        hands[self.seat] = self.seen.own();
        let before = std::mem::replace(&mut self.round, next.with_hands(&hands));
        self.history.push(Observation {
            seat: player,
            card,
            took,
            round: before,
        });
    }

    /// How many cards are still to be taken and played in the round.
    pub fn cards_to_come(&self) -> usize {
        // What is taken is played later.
        self.seen.own().len() + self.seen.unseen().len() + 2 * self.round.pool().len()
    }

    /// A function that draws rounds that look like this one to the seat, each with the same
    /// probability. If what was seen of the others' play contradicts itself, it is left out.
    ///
    /// # Errors
    /// If no deal fits the own hand and the sizes of the others.
    pub fn worlds(&self) -> Result<impl Fn(&mut Random) -> R, Impossible> {
        let deals = self
            .seen
            .deals()
            .or_else(|Impossible| self.seen.without_inference().deals())?;
        Ok(move |rng: &mut Random| {
            let hands = self.seen.hands(&deals.sample(rng));
            self.round.with_hands(&hands)
        })
    }

    /// The round with all unseen cards in one other hand: for a policy, which may count them but does
    /// not know who has them.
    pub fn counted(&self) -> R {
        let mut hands = Hands::default();
        hands[self.seat] = self.seen.own();
        hands[(self.seat + 1) % self.round.players()] = self.seen.unseen();
        self.round.with_hands(&hands)
    }
}
