//! The public state and the decisions of a hand, reconstructed from the views and events that a player receives. A
//! view does not show all of this, and the players that infer the opponent's hand need it.

use crate::deals;
use crate::rules::{
    Cards, Challenge, Decision, Event, HAND_SIZE, PACKS, PACKS_SIZE, PublicState, Seat, other,
};
use crate::view::{Asked, View};

/// How many hands are dealt from one deck: ten.
const HANDS_OF_DECK: u32 = (PACKS_SIZE / (2 * HAND_SIZE)) as u32;

/// Follows one hand after the other. If something was missed (a lost connection, a penalty) the log is given up;
/// the public state is always that of the last view.
#[derive(Clone, Debug)]
pub struct Tracker {
    game_id: u64,
    hand_id: u32,
    seat: Seat,
    public: PublicState,
    /// All decisions of this hand, in order; none if some were missed.
    log: Option<Vec<Decision>>,
    /// The cards seen in earlier hands from the same deck.
    seen: Cards,
    /// The player's cards at the start of this hand.
    dealt: Cards,
    /// The winner of this hand, who opens the next one; none while it goes on, and after a tie.
    winner: Option<Seat>,
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
            winner: None,
        }
    }
}

impl Tracker {
    /// Updates the state by the view of a player that is asked to decide.
    pub fn observe(&mut self, view: &View) {
        let is_same = (view.game_id, view.hand_id, view.player_number)
            == (self.game_id, self.hand_id, self.seat);
        if !is_same {
            self.begin(view);
        }
        // First the decisions that the view implies; if the result still differs, something was missed.
        self.infer(view);
        if !self.fits(view) {
            self.rebuild(view);
        }
    }

    /// Records the player's own decision.
    pub fn decided(&mut self, decision: Decision) {
        self.note(decision);
    }

    /// Records an event. It shows the card that the opponent has followed with, or the winner of the hand.
    pub fn event(&mut self, event: Event) {
        if let Event::HandDone { by } = event {
            self.winner = by;
        }
        // The card with which the opponent follows is in no view. The event at the end of a trick that this player
        // led shows it.
        let waiting = self.public.lead == self.seat && self.public.table.is_some();
        if !waiting || self.public.must_answer() || self.public.is_over() {
            return;
        }
        match event {
            Event::TrickWon {
                card: Some(card), ..
            } => self.note(Decision::Play(card)),
            // A tied trick names no card: it was equal to the one led.
            Event::TrickTied => {
                if let Some(card) = self.public.table {
                    self.note(Decision::Play(card));
                }
            }
            _ => {}
        }
    }

    /// The public state of the current hand.
    pub fn public(&self) -> &PublicState {
        &self.public
    }

    /// All decisions of the current hand, unless some were missed.
    pub fn log(&self) -> Option<&[Decision]> {
        self.log.as_deref()
    }

    /// The deck that both hands were dealt from, without the cards seen in earlier hands.
    pub fn deck(&self) -> Cards {
        deals::deck(
            self.seen,
            self.dealt.plus(self.public.shown(other(self.seat))),
        )
    }

    /// Adds a decision to the public state and to the log.
    fn note(&mut self, decision: Decision) {
        self.public = self.public.after(decision);
        if let Some(log) = &mut self.log {
            log.push(decision);
        }
    }

    /// Begins a new hand. The cards of the last one stay out of the deck until it is shuffled.
    fn begin(&mut self, view: &View) {
        // Hands 1 to 10 share a deck, 11 to 20 the next one.
        let same_deck =
            (view.hand_id.max(1) - 1) / HANDS_OF_DECK == (self.hand_id.max(1) - 1) / HANDS_OF_DECK;
        let same_game = view.game_id == self.game_id && view.player_number == self.seat;
        // The winner of a hand opens the next one. Hands that were missed may lie between.
        let is_next = same_game && view.hand_id == self.hand_id.wrapping_add(1);
        let winner = self.winner.take().filter(|_| is_next);
        // The cards seen at another seat are not known at this one.
        if same_game && same_deck {
            // A server may shuffle at another time. Then nothing of the new deck has been seen before.
            let seen = PACKS.minus(self.deck());
            self.seen = deals::see(
                deals::see(seen, self.dealt),
                self.public.shown(other(self.seat)),
            );
        } else {
            self.seen = Cards::EMPTY;
        }
        self.game_id = view.game_id;
        self.hand_id = view.hand_id;
        self.seat = view.player_number;
        self.dealt = in_hand(view);
        // Without a card of the other on the table the player leads, unless it is offered a challenge before any
        // card: then the other does.
        let own_lead =
            view.their_card.is_none() && (view.asked == Asked::Card || view.own_card.is_some());
        let leader = if own_lead {
            self.seat
        } else {
            other(self.seat)
        };
        // The first trick's leader is the opener. In mid-hand, after a lost connection, the opener is known in the
        // first hand and after a hand that was won; otherwise the leader of the present trick is only a guess.
        let opener = match (view.total_tricks, view.hand_id) {
            (0, _) => leader,
            (_, 1) => 0,
            _ => winner.unwrap_or(leader),
        };
        self.public = PublicState::new(opener);
        self.log = Some(Vec::new());
    }

    /// Records the opponent's decisions since the last view that only this view shows.
    fn infer(&mut self, view: &View) {
        if self.public.is_over() {
            return;
        }
        // An acceptance has no event.
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

    /// Whether the state agrees with everything that the view shows.
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
            // The client answers itself if the player takes too long: then another card may have been played.
            && in_hand(view).plus(public.played[seat]) == self.dealt
    }

    /// Sets the public state to what the view shows, and gives up the log.
    fn rebuild(&mut self, view: &View) {
        let (seat, them) = (self.seat, other(self.seat));
        let answer = view.asked == Asked::Answer;
        let own_lead = view.their_card.is_none() && (!answer || view.own_card.is_some());
        // The cards at the start of the current trick: as many as tricks are left.
        let held = view.cards.len() + usize::from(view.own_card.is_some());
        let public = &mut self.public;
        public.played[seat] = self.dealt.minus(in_hand(view));
        public.lead = if own_lead { seat } else { them };
        public.table = view.own_card.or(view.their_card);
        public.tricks[seat] = view.own_tricks;
        public.tricks[them] = view.their_tricks;
        // From the cards held, not from the view's count: what matters is the number of tricks left.
        public.total_tricks = (HAND_SIZE as u8).saturating_sub(held as u8);
        // The view does not show who offered an accepted challenge. If it shows no accepted challenge and
        // yet forbids offers, the state is set to an accepted one: no other state forbids them.
        public.challenge = match (answer, view.in_challenge, view.can_challenge) {
            (true, ..) => Challenge::Offered(them),
            (_, true, _) => Challenge::Accepted(them),
            (.., true) => Challenge::None,
            (.., false) => Challenge::Accepted(seat),
        };
        self.log = None;
    }
}

/// The player's cards, with the one that it has on the table.
fn in_hand(view: &View) -> Cards {
    view.own_card.into_iter().fold(view.cards, Cards::with)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::testing::{card, cards};
    use crate::tests::{Table, any, next};
    use engine::rng::stream;
    use std::time::Duration;

    /// In whole games between random players both trackers know everything public.
    #[test]
    fn follows_whole_games() {
        let mut rng = stream(11, 0);
        for game_id in 1..60 {
            let mut table = Table::new(game_id, 0, Duration::from_secs(2));
            let mut trackers = [Tracker::default(), Tracker::default()];
            let (mut public, mut log, mut hand_id) = (PublicState::new(0), Vec::new(), 0);
            let mut deck = deals::shuffled(&mut rng);
            while let Some(view) = table.view(|| next(&mut deck, &mut rng)) {
                if view.hand_id != hand_id {
                    hand_id = view.hand_id;
                    public = *table.game.hand().unwrap().public();
                    log.clear();
                }
                let seat = view.player_number;
                trackers[seat].observe(&view);
                assert_eq!(*trackers[seat].public(), public, "{view:?}");
                assert_eq!(trackers[seat].log(), Some(&log[..]));
                let decision = any(view.legal(), &mut rng);
                trackers[seat].decided(decision);
                public = public.after(decision);
                log.push(decision);
                for (receiver, event) in table.decide(decision) {
                    trackers[receiver].event(event);
                }
            }
        }
    }

    /// A server may deal on from the deck of the game before. Then no hand is held to be impossible, and once the deck is
    /// shuffled nothing of the old one counts.
    #[test]
    fn a_deck_that_is_shuffled_at_another_time_is_noticed() {
        let mut rng = stream(12, 0);
        let mut deck = deals::shuffled(&mut rng);
        let (mut misjudged, mut rejected) = (0, 0);
        for game_id in 1..200 {
            let mut table = Table::new(game_id, 0, Duration::from_secs(2));
            let mut tracker = Tracker::default();
            while let Some(view) = table.view(|| next(&mut deck, &mut rng)) {
                if view.player_number == 0 {
                    tracker.observe(&view);
                    let known = tracker.dealt.plus(tracker.public.shown(1));
                    assert!(known.is_within(tracker.deck()), "{view:?}");
                    misjudged += u32::from(!known.is_within(deals::unseen(tracker.seen)));
                }
                let decision = any(view.legal(), &mut rng);
                rejected += u32::from(decision == Decision::Reject);
                if view.player_number == 0 {
                    tracker.decided(decision);
                }
                for (_, event) in table
                    .decide(decision)
                    .into_iter()
                    .filter(|heard| heard.0 == 0)
                {
                    tracker.event(event);
                }
            }
        }
        assert!(misjudged > 10 && rejected > 10, "{misjudged} {rejected}");
    }

    /// Player 1 is asked about an offer in the fourth trick of hand 3, which it leads.
    fn in_mid_hand() -> View {
        View {
            asked: Asked::Answer,
            cards: cards(&[3]),
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
        }
    }

    /// After a lost connection the opener is that of the first hand, or the winner of the hand before.
    #[test]
    fn the_opener_is_known_in_mid_hand() {
        let opener = |tracker: &mut Tracker, hand_id| {
            tracker.observe(&View {
                hand_id,
                ..in_mid_hand()
            });
            assert_eq!((tracker.public().lead, tracker.log()), (1, None));
            tracker.public().opener
        };
        let mut tracker = Tracker::default();
        assert_eq!(opener(&mut tracker, 1), 0);
        tracker.event(Event::HandDone { by: Some(0) });
        assert_eq!(opener(&mut tracker, 2), 0);
        tracker.event(Event::HandDone { by: Some(1) });
        assert_eq!(opener(&mut tracker, 3), 1);
        // Servers differ after a tied hand, and hand 5 was missed: the leader of the trick is the guess.
        tracker.event(Event::HandDone { by: None });
        assert_eq!(opener(&mut tracker, 4), 1);
        tracker.event(Event::HandDone { by: Some(0) });
        assert_eq!(opener(&mut tracker, 6), 1);
    }

    #[test]
    fn a_view_out_of_nowhere_is_enough() {
        let mut tracker = Tracker::default();
        tracker.observe(&in_mid_hand());
        assert_eq!(tracker.log(), None);
        assert_eq!(tracker.public().tricks_left(), 2);
        assert_eq!(tracker.public().to_act(), 1);
        assert!(tracker.public().must_answer());
    }
}
