//! A round as one seat sees it. Clients keep a view up to date, and every agent decides from one.

use super::deals::Impossible;
use super::{Card, Hands, Round, Seen};
use engine::rng::Random;

/// An action that everybody saw, with the round before it as the viewer saw it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Observation<R> {
    /// The seat that took the action.
    pub seat: usize,
    pub card: Card,
    /// Whether the card was taken into the hand; if not, it was played from it.
    pub took: bool,
    /// The round before the action.
    pub round: R,
}

/// A seat's knowledge of a round: everything but the cards dealt to the others.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct View<R> {
    seat: usize,
    round: R,
    seen: Seen,
    history: Vec<Observation<R>>,
}

impl<R: Round> View<R> {
    /// The view of a seat on a round in which nothing has been taken or played yet. It looks at that seat's hand alone,
    /// and at the cards that it has passed.
    pub fn new(round: &R, seat: usize) -> View<R> {
        let (players, own) = (round.players(), round.hand(seat));
        let dealt = round.deck() - round.pool();
        let mut seen = Seen::new(seat, players, own, dealt - own, dealt.len() / players);
        if !round.passing() {
            // An open fact, such as the lead of the first trick, may say who holds a card.
            for player in 0..players {
                seen.lacks(player, round.not_dealt(player));
            }
            // The cards that the seat has passed are now in the hand of their receiver.
            seen.holds(round.receiver(seat), round.passed(seat));
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

    /// The round with empty hidden hands.
    pub fn round(&self) -> &R {
        &self.round
    }

    /// The knowledge of the hidden cards.
    pub fn seen(&self) -> &Seen {
        &self.seen
    }

    /// All actions so far, in order.
    pub fn history(&self) -> &[Observation<R>] {
        &self.history
    }

    /// Follows any action; `after` is the round that it led to, with all hands.
    pub fn follow(&mut self, card: Card, after: &R) {
        // The others' choices of cards to pass are hidden, so nothing can be followed. The view is made anew instead,
        // and the last choice shows all that the seat has given and got.
        match self.round.passing() {
            true => *self = View::new(after, self.seat),
            false => self.act(card),
        }
    }

    /// Follows a card that the player to act takes or plays. Nothing happens if the round is over.
    pub fn act(&mut self, card: Card) {
        let Some(player) = self.round.to_act() else {
            return;
        };
        let took = self.round.taking();
        if took {
            self.seen.took(player, card);
        } else {
            // The conclusions from a card follow from the rules as they were before it was played.
            self.seen.lacks(player, self.round.lacked(card));
            self.seen.played(player, card, self.round.trick().led());
        }
        let mut next = self.round.clone();
        next.act(card);
        // Cards that others took are known to be with them, but their hands are not complete, so they stay
        // empty here.
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

    /// The number of actions still to come in the round, takes and plays.
    pub fn cards_to_come(&self) -> usize {
        // A card of the pool is taken and played later: two actions.
        self.seen.own().len() + self.seen.unseen().len() + 2 * self.round.pool().len()
    }

    /// A function that draws rounds that look like this one to the seat, all equally likely. If the others'
    /// actions contradict each other, nothing is inferred from them.
    ///
    /// # Errors
    /// If no deal fits the viewer's hand and the sizes of the others.
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

    /// The round with all unseen cards in one other hand, for a policy: it may count them, but must not know which
    /// player has which.
    pub fn counted(&self) -> R {
        let mut hands = Hands::default();
        hands[self.seat] = self.seen.own();
        hands[(self.seat + 1) % self.round.players()] = self.seen.unseen();
        self.round.with_hands(&hands)
    }
}
