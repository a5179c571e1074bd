//! The public state and the history of a hand, put together from the views and events that a player
//! receives.

use crate::deals;
use crate::rules::{
    Cards, Challenge, Decision, Event, HAND_SIZE, PACKS_SIZE, PublicState, Seat, other,
};
use crate::view::{Asked, View};

/// Hands that one deck serves.
const HANDS_OF_DECK: u32 = (PACKS_SIZE / (2 * HAND_SIZE)) as u32;

/// Follows one hand after the other. Whatever was missed (a lost connection, a penalty) only makes
/// it know less: the state is always that of the last view.
#[derive(Clone, Debug)]
pub struct Tracker {
    game_id: u64,
    hand_id: u32,
    seat: Seat,
    public: PublicState,
    /// Every decision of this hand in order; none if some were missed.
    log: Option<Vec<Decision>>,
    /// Cards of the hands before this one from the same deck, as far as they were seen.
    seen: Cards,
    dealt: Cards,
}

impl Default for Tracker {
    fn default() -> Tracker {
        Tracker {
            game_id: 0,
            hand_id: 0,
            seat: 0,
            public: PublicState::new(0),
            log: None,
            seen: Cards::EMPTY,
            dealt: Cards::EMPTY,
        }
    }
}

impl Tracker {
    /// Takes in what a player sees when it is asked.
    pub fn observe(&mut self, view: &View) {
        if (view.game_id, view.hand_id) != (self.game_id, self.hand_id) {
            self.begin(view);
        }
        self.infer(view);
        if !self.fits(view) {
            self.rebuild(view);
        }
    }

    /// Notes the player's own decision.
    pub fn decided(&mut self, decision: Decision) {
        self.note(decision);
    }

    /// Notes an event: the card with which the opponent followed.
    pub fn event(&mut self, event: Event) {
        let waiting = self.public.lead == self.seat && self.public.table.is_some();
        if !waiting || self.public.must_answer() || self.public.is_over() {
            return;
        }
        match event {
            Event::TrickWon {
                card: Some(card), ..
            } => self.note(Decision::Play(card)),
            Event::TrickTied => {
                if let Some(card) = self.public.table {
                    self.note(Decision::Play(card));
                }
            }
            _ => {}
        }
    }

    /// What is public in the current hand.
    pub fn public(&self) -> &PublicState {
        &self.public
    }

    /// Every decision of the current hand, unless some were missed.
    pub fn log(&self) -> Option<&[Decision]> {
        self.log.as_deref()
    }

    /// The deck that both hands were dealt from, without the cards seen in earlier hands.
    pub fn deck(&self) -> Cards {
        deals::unseen(self.seen)
    }

    fn note(&mut self, decision: Decision) {
        self.public = self.public.after(decision);
        if let Some(log) = &mut self.log {
            log.push(decision);
        }
    }

    /// A new hand: the cards of the last one are gone until the deck is shuffled.
    fn begin(&mut self, view: &View) {
        let same_deck =
            (view.hand_id.max(1) - 1) / HANDS_OF_DECK == (self.hand_id.max(1) - 1) / HANDS_OF_DECK;
        if view.game_id == self.game_id && same_deck {
            let theirs = self.public.played[other(self.seat)];
            self.seen = deals::see(deals::see(self.seen, self.dealt), theirs);
        } else {
            self.seen = Cards::EMPTY;
        }
        self.game_id = view.game_id;
        self.hand_id = view.hand_id;
        self.seat = view.player_number;
        self.dealt = view.cards;
        if let Some(card) = view.own_card {
            self.dealt.insert(card);
        }
        let own_lead =
            view.their_card.is_none() && (view.asked == Asked::Card || view.own_card.is_some());
        let opener = if own_lead {
            self.seat
        } else {
            other(self.seat)
        };
        self.public = PublicState::new(opener);
        self.log = Some(Vec::new());
    }

    /// The opponent's decisions since the last view that only the view shows.
    fn infer(&mut self, view: &View) {
        if self.public.is_over() {
            return;
        }
        if view.in_challenge && self.public.challenge == Challenge::Offered(self.seat) {
            self.note(Decision::Accept);
        }
        let theirs = !self.public.is_over() && self.public.to_act() == other(self.seat);
        if view.asked == Asked::Answer && theirs && self.public.can_challenge() {
            self.note(Decision::Offer);
        } else if let (Some(card), true, None) = (view.their_card, theirs, self.public.table) {
            self.note(Decision::Play(card));
        }
    }

    fn fits(&self, view: &View) -> bool {
        let (public, seat) = (&self.public, self.seat);
        let table = view.own_card.or(view.their_card);
        let tricks = [public.tricks[seat], public.tricks[other(seat)]];
        public.total_tricks == view.total_tricks
            && tricks == [view.own_tricks, view.their_tricks]
            && public.table == table
            && (table.is_none() || (public.lead == seat) == view.own_card.is_some())
            && !public.is_over()
            && public.to_act() == seat
            && public.must_answer() == (view.asked == Asked::Answer)
            && public.in_challenge() == view.in_challenge
            && (public.must_answer() || public.can_challenge() == view.can_challenge)
            && public.cards_held(seat) == view.cards.len()
    }

    /// The public state as far as the view shows it.
    fn rebuild(&mut self, view: &View) {
        let (seat, them) = (self.seat, other(self.seat));
        let answer = view.asked == Asked::Answer;
        let own_lead = view.their_card.is_none() && (!answer || view.own_card.is_some());
        let held = view.cards.len() + usize::from(view.own_card.is_some());
        let public = &mut self.public;
        public.lead = if own_lead { seat } else { them };
        public.table = view.own_card.or(view.their_card);
        public.tricks[seat] = view.own_tricks;
        public.tricks[them] = view.their_tricks;
        // Only the number of tricks left matters.
        public.total_tricks = (HAND_SIZE as u8).saturating_sub(held as u8);
        public.challenge = match (answer, view.in_challenge, view.can_challenge) {
            (true, ..) => Challenge::Offered(them),
            (_, true, _) => Challenge::Accepted(them),
            (.., true) => Challenge::None,
            (.., false) => Challenge::Accepted(seat),
        };
        self.log = None;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::{Game, GameOptions};
    use crate::view::ViewContext;
    use engine::rng::{below, stream};
    use std::time::Duration;

    /// In whole games between random players both trackers know all that is public.
    #[test]
    fn follows_whole_games() {
        let mut rng = stream(11, 0);
        for game_id in 1..60 {
            let mut game = Game::new(GameOptions::default());
            let mut trackers = [Tracker::default(), Tracker::default()];
            let (mut public, mut log) = (PublicState::new(0), Vec::new());
            let mut deck = deals::shuffled(&mut rng);
            while game.winner().is_none() {
                if game.needs_deal() {
                    let hands = deck.deal().unwrap_or_else(|| {
                        deck = deals::shuffled(&mut rng);
                        deck.deal().unwrap()
                    });
                    game.deal(hands);
                    public = *game.hand().unwrap().public();
                    log.clear();
                }
                let context = ViewContext {
                    game_id,
                    opponent_id: 0,
                    remaining: Duration::from_secs(2),
                };
                let view = View::of(&game, &context).unwrap();
                let seat = view.player_number;
                trackers[seat].observe(&view);
                assert_eq!(*trackers[seat].public(), public, "{view:?}");
                assert_eq!(trackers[seat].log(), Some(&log[..]));
                let legal: Vec<Decision> = view.legal().collect();
                let decision = legal[below(&mut rng, legal.len())];
                trackers[seat].decided(decision);
                public = public.after(decision);
                log.push(decision);
                for event in game.decide(decision).unwrap() {
                    for (receiver, tracker) in trackers.iter_mut().enumerate() {
                        if receiver == seat || !event.is_private() {
                            tracker.event(event);
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn a_view_out_of_nowhere_is_enough() {
        let mut tracker = Tracker::default();
        let card = |rank| crate::rules::Card::new(rank).unwrap();
        let view = View {
            asked: Asked::Answer,
            cards: [card(3)].into_iter().collect(),
            own_card: Some(card(9)),
            their_card: None,
            own_tricks: 1,
            their_tricks: 1,
            total_tricks: 3,
            own_points: 4,
            their_points: 5,
            can_challenge: false,
            in_challenge: false,
            hand_id: 3,
            player_number: 1,
            opponent_id: 0,
            game_id: 8,
            remaining: Duration::from_secs(1),
        };
        tracker.observe(&view);
        assert_eq!(tracker.log(), None);
        assert_eq!(tracker.public().tricks_left(), 2);
        assert_eq!(tracker.public().to_act(), 1);
        assert!(tracker.public().must_answer());
    }
}
