//! A round as one seat sees it.

use super::rules::{DEALT, Round, SEATS};
use engine::rng::Random;
use tricks::{Card, Cards, Hands, Impossible, Past, Round as _, Seen};

/// What a seat knows of a round: everything but the others' dealt cards.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct View {
    seat: usize,
    round: Round,
    seen: Seen,
    past: Vec<Past<Round>>,
}

impl View {
    /// After the deal.
    pub fn new(seat: usize, dealer: usize, hand: Cards, pool: Cards) -> View {
        let mut hands = [Cards::EMPTY; SEATS];
        hands[seat] = hand;
        View {
            seat,
            round: Round::new(dealer, hands, pool),
            seen: Seen::new(seat, SEATS, hand, !(hand | pool), DEALT),
            past: Vec::new(),
        }
    }

    /// The same in a game with these scores before the round.
    #[must_use]
    pub fn after(mut self, scores: [u32; SEATS]) -> View {
        self.round = self.round.after(scores);
        self
    }

    /// What a seat sees of a round that has just been dealt.
    pub fn of(round: &Round, seat: usize) -> View {
        View::new(seat, round.dealer(), round.hand(seat), round.pool())
    }
}

impl tricks::View for View {
    type Round = Round;

    fn seat(&self) -> usize {
        self.seat
    }

    fn round(&self) -> &Round {
        &self.round
    }

    fn seen(&self) -> &Seen {
        &self.seen
    }

    fn past(&self) -> &[Past<Round>] {
        &self.past
    }

    fn act(&mut self, card: Card) {
        let Some(player) = self.round.to_act() else {
            return;
        };
        self.past.push(Past {
            seat: player,
            card,
            took: self.round.taking(),
            round: self.round,
        });
        if self.round.taking() {
            self.seen.took(player, card);
        } else {
            self.seen.played(player, card, self.round.trick().led());
        }
        self.round.act(card);
        // What others took is known to be with them, but their hands are not all there.
        let mut hands = Hands::default();
        hands[self.seat] = self.seen.own();
        self.round = self.round.with_hands(&hands);
    }

    fn worlds(&self) -> Result<impl Fn(&mut Random) -> Round, Impossible> {
        let deals = self
            .seen
            .deals()
            .or_else(|Impossible| self.seen.without_inference().deals())?;
        Ok(move |random: &mut Random| {
            let hands: Hands = self.seen.hands(&deals.sample(random));
            self.round.with_hands(&hands)
        })
    }
}
