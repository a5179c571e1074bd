//! The information that a player has when it must decide. Every [`Player`](crate::player::Player) decides from a
//! [`View`]; a server's request and a game in memory both become one.

use super::rules::{
    Card, Cards, DEFAULT_GOAL, Decision, Game, PublicState, Seat, legal_decisions, other,
};
use std::time::Duration;

/// The kind of decision a player is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Asked {
    /// A card, or an offer where [`View::can_challenge`].
    Card,
    /// To accept or to reject the other's challenge.
    Answer,
}

/// The information that a player has when it must decide. "Own" and "their" are from its side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct View {
    /// The kind of decision it is asked for.
    pub asked: Asked,
    /// The player's cards that can still be played; one on the table is not among them.
    pub cards: Cards,
    /// The player's own card on the table, if it has led and is asked about an offer.
    pub own_card: Option<Card>,
    /// The opponent's card on the table, to be followed.
    pub their_card: Option<Card>,
    /// How many tricks the player has taken in this hand.
    pub own_tricks: u8,
    /// How many tricks the opponent has taken in this hand.
    pub their_tricks: u8,
    /// How many tricks were played in this hand, tied ones included.
    pub total_tricks: u8,
    /// The player's points in this game.
    pub own_points: u8,
    pub their_points: u8,
    /// Whether an offer is allowed now.
    pub can_challenge: bool,
    /// Whether a challenge was accepted, so that this hand decides the game.
    pub in_challenge: bool,
    /// The number of the hand in this game, from 1.
    pub hand_id: u32,
    /// The player's number in this game.
    pub player_number: Seat,
    /// The opponent's number for the whole contest.
    pub opponent_id: u64,
    pub game_id: u64,
    /// The time left on the player's clock for the rest of the game, not counting later increments.
    pub remaining: Duration,
}

/// The parts of a view that are not in the state of the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ViewContext {
    pub game_id: u64,
    /// The opponent's number for the whole contest.
    pub opponent_id: u64,
    /// Clock time left to the player.
    pub remaining: Duration,
}

impl View {
    /// The view of the player to act; none if no player is to act.
    pub fn of(game: &Game, context: &ViewContext) -> Option<View> {
        let hand = game.hand()?;
        let seat = hand.to_act()?;
        Some(View {
            hand_id: game.hand_id(),
            opponent_id: context.opponent_id,
            game_id: context.game_id,
            remaining: context.remaining,
            ..View::of_hand(hand.public(), hand.cards(seat), game.points())
        })
    }

    /// The view of the player to act if it holds these cards (without one on the table), in a game without clock,
    /// opponent or history. `points` is indexed by player.
    pub fn of_hand(public: &PublicState, cards: Cards, points: [u8; 2]) -> View {
        let seat = public.to_act();
        let opponent = other(seat);
        let own_lead = public.lead == seat;
        View {
            asked: if public.must_answer() {
                Asked::Answer
            } else {
                Asked::Card
            },
            cards,
            // The card on the table is the leader's.
            own_card: public.table.filter(|_| own_lead),
            their_card: public.table.filter(|_| !own_lead),
            own_tricks: public.tricks[seat],
            their_tricks: public.tricks[opponent],
            total_tricks: public.total_tricks,
            own_points: points[seat],
            their_points: points[opponent],
            can_challenge: public.can_challenge(),
            in_challenge: public.in_challenge(),
            hand_id: 1,
            player_number: seat,
            opponent_id: 0,
            game_id: 1,
            remaining: Duration::MAX,
        }
    }

    /// The points of both players, by seat.
    pub fn points(&self) -> [u8; 2] {
        let mut points = [self.own_points; 2];
        points[other(self.player_number)] = self.their_points;
        points
    }

    /// All legal decisions: cards ascending, each rank once, then an offer; or the two answers.
    pub fn legal(&self) -> impl Iterator<Item = Decision> + Clone {
        legal_decisions(self.cards, self.asked == Asked::Answer, self.can_challenge)
    }

    /// Whether a decision is legal.
    pub fn allows(&self, decision: Decision) -> bool {
        match (self.asked, decision) {
            (Asked::Card, Decision::Play(card)) => self.cards.contains(card),
            (Asked::Card, Decision::Offer) => self.can_challenge,
            (Asked::Answer, Decision::Accept | Decision::Reject) => true,
            _ => false,
        }
    }

    /// The smallest card that wins the trick to which the opponent has led.
    pub fn cheapest_winner(&self) -> Option<Card> {
        self.cards.lowest_above(self.their_card?)
    }

    /// A legal decision that needs no search, for a player that ran out of time: the smallest winner or the lowest
    /// card. A challenge is accepted only if a rejection would lose the game. `None` if the player was asked for a
    /// card and has none.
    pub fn safe(&self) -> Option<Decision> {
        if self.asked == Asked::Answer {
            // A rejection gives the other a point.
            let lost = self.their_points >= DEFAULT_GOAL - 1;
            return Some(if lost {
                Decision::Accept
            } else {
                Decision::Reject
            });
        }
        // Never an offer: if it is accepted it can lose the game.
        let card = self.cheapest_winner().or_else(|| self.cards.lowest());
        card.map(Decision::Play)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::GameOptions;
    use crate::rules::testing::{card, cards};

    const CONTEXT: ViewContext = ViewContext {
        game_id: 7,
        opponent_id: 3,
        remaining: Duration::from_secs(2),
    };

    fn dealt() -> Game {
        let mut game = Game::new(GameOptions::default());
        game.deal([cards(&[11, 8, 8, 5, 2]), cards(&[12, 9, 8, 6, 1])]);
        game
    }

    fn view(game: &Game) -> View {
        View::of(game, &CONTEXT).unwrap()
    }

    #[test]
    fn a_leader_asked_about_an_offer_sees_its_own_card() {
        let mut game = dealt();
        game.decide(Decision::Play(card(8))).unwrap();
        let following = view(&game);
        assert_eq!(
            (following.own_card, following.their_card),
            (None, Some(card(8)))
        );
        game.decide(Decision::Offer).unwrap();
        let asked = view(&game);
        assert_eq!((asked.own_card, asked.their_card), (Some(card(8)), None));
        assert_eq!(asked.cards, cards(&[11, 8, 5, 2]));
        assert_eq!(asked.asked, Asked::Answer);
        game.decide(Decision::Accept).unwrap();
        assert_eq!(
            view(&game),
            View {
                can_challenge: false,
                in_challenge: true,
                ..following
            }
        );
    }

    #[test]
    fn the_safe_decision_is_cheap_and_legal() {
        let mut game = dealt();
        assert_eq!(view(&game).safe(), Some(Decision::Play(card(2))));
        game.decide(Decision::Play(card(8))).unwrap();
        assert_eq!(view(&game).safe(), Some(Decision::Play(card(9))));
        game.decide(Decision::Offer).unwrap();
        assert_eq!(view(&game).safe(), Some(Decision::Reject));
        let lost = View {
            their_points: 9,
            ..view(&game)
        };
        assert_eq!(lost.safe(), Some(Decision::Accept));
    }

    #[test]
    fn nothing_is_seen_between_hands() {
        assert_eq!(View::of(&Game::new(GameOptions::default()), &CONTEXT), None);
    }
}
