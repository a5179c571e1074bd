//! A round as one seat sees it.

use super::rules::{FIRST_LEAD, Options, Round, deck, penalties};
use engine::rng::Random;
use tricks::{Card, Cards, Hands, Impossible, Past, Round as _, Seen, Suit};

/// What a seat knows of a round: everything but the others' hands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct View {
    seat: usize,
    round: Round,
    seen: Seen,
    past: Vec<Past<Round>>,
}

impl View {
    /// After the deal.
    pub fn new(seat: usize, players: usize, leader: usize, hand: Cards, options: Options) -> View {
        let mut hands = Hands::default();
        hands[seat] = hand;
        let deck = deck(players);
        let mut view = View {
            seat,
            round: Round::new(players, leader, hands, options),
            seen: Seen::new(seat, players, hand, deck - hand, deck.len() / players),
            past: Vec::new(),
        };
        // Who is to lead the two of clubs holds it.
        for player in (0..players).filter(|&player| player != leader) {
            view.seen.lacks(player, FIRST_LEAD.into());
        }
        view
    }

    /// What a seat sees of a round that has just been dealt.
    pub fn of(round: &Round, seat: usize) -> View {
        View::new(
            seat,
            round.players(),
            round.trick().leader(),
            round.hand(seat),
            round.options(),
        )
    }

    /// What the rules make of a card: cards the player would have had to play instead.
    fn infer(&mut self, player: usize, card: Card) {
        let hearts = Cards::suit(Suit::Hearts);
        let clean = self.round.first() && self.round.options().clean_first_trick;
        match self.round.trick().led() {
            None if card.suit() == Suit::Hearts && !self.round.broken() => {
                self.seen.lacks(player, !hearts);
            }
            Some(led) if clean && led != card.suit() && penalties().contains(card) => {
                self.seen.lacks(player, !penalties());
            }
            _ => {}
        }
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
            took: false,
            round: self.round,
        });
        self.infer(player, card);
        self.seen.played(player, card, self.round.trick().led());
        self.round.act(card);
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
