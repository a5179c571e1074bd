//! What a player knows when it has to decide.

use super::rules::{Card, Cards, DEFAULT_GOAL, Decision, Game, Seat};
use std::time::Duration;

/// What a player is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Asked {
    /// A card, or an offer where [`View::can_challenge`].
    Card,
    /// To accept or to reject the other's challenge.
    Answer,
}

/// What a player knows when it has to decide. "Own" and "their" are from its side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct View {
    /// What it is asked for.
    pub asked: Asked,
    /// The own cards that can still be played: without an own card on the table.
    pub cards: Cards,
    /// The own card on the table: the player leads, and its card waits while it is asked about an
    /// offer.
    pub own_card: Option<Card>,
    /// The opponent's card on the table, to be followed.
    pub their_card: Option<Card>,
    /// Own tricks in this hand.
    pub own_tricks: u8,
    /// The opponent's tricks in this hand.
    pub their_tricks: u8,
    /// Tricks played in this hand, tied ones included.
    pub total_tricks: u8,
    /// Own points in this game.
    pub own_points: u8,
    /// The opponent's points.
    pub their_points: u8,
    /// Whether an offer is allowed now.
    pub can_challenge: bool,
    /// Whether an accepted challenge rides on this hand.
    pub in_challenge: bool,
    /// The number of the hand in this game, from 1.
    pub hand_id: u32,
    /// The own number in this game.
    pub player_number: Seat,
    /// The opponent's name for the whole contest.
    pub opponent_id: u64,
    /// The game's name.
    pub game_id: u64,
    /// Clock time left for the rest of the game, roughly.
    pub remaining: Duration,
}

/// What a game does not know of itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Table {
    /// The game's name.
    pub game_id: u64,
    /// The opponent's name for the whole contest.
    pub opponent_id: u64,
    /// Clock time left to the player.
    pub remaining: Duration,
}

impl View {
    /// What the player to act sees of a game; none if nobody is to act.
    pub fn of(game: &Game, table: &Table) -> Option<View> {
        let hand = game.hand()?;
        let seat = hand.to_act()?;
        let other = super::rules::other(seat);
        let own_lead = hand.lead() == seat;
        Some(View {
            asked: if hand.must_answer() {
                Asked::Answer
            } else {
                Asked::Card
            },
            cards: hand.cards(seat),
            own_card: hand.table().filter(|_| own_lead),
            their_card: hand.table().filter(|_| !own_lead),
            own_tricks: hand.tricks()[seat],
            their_tricks: hand.tricks()[other],
            total_tricks: hand.total_tricks(),
            own_points: game.points()[seat],
            their_points: game.points()[other],
            can_challenge: hand.can_challenge(),
            in_challenge: hand.in_challenge(),
            hand_id: game.hand_id(),
            player_number: seat,
            opponent_id: table.opponent_id,
            game_id: table.game_id,
            remaining: table.remaining,
        })
    }

    /// Everything the player may decide: cards ascending, each rank once, then an offer; or the two
    /// answers.
    pub fn legal(&self) -> impl Iterator<Item = Decision> + Clone {
        let answer = self.asked == Asked::Answer;
        let cards = if answer { Cards::EMPTY } else { self.cards };
        let answers = [Decision::Accept, Decision::Reject];
        cards
            .ranks()
            .map(Decision::Play)
            .chain((!answer && self.can_challenge).then_some(Decision::Offer))
            .chain(answers.into_iter().filter(move |_| answer))
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

    /// A legal decision that needs no thought, for when time has run out: the smallest winner or
    /// the lowest card, and no challenge but one whose rejection would lose the game. `None` only if
    /// the player was asked for a card and has none.
    pub fn safe(&self) -> Option<Decision> {
        if self.asked == Asked::Answer {
            let lost = self.their_points + 1 >= DEFAULT_GOAL;
            return Some(if lost {
                Decision::Accept
            } else {
                Decision::Reject
            });
        }
        let winner = self
            .their_card
            .and_then(|led| self.cards.ranks().find(|&card| card > led));
        winner.or_else(|| self.cards.lowest()).map(Decision::Play)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::Options;
    use crate::rules::testing::{card, cards};

    const TABLE: Table = Table {
        game_id: 7,
        opponent_id: 3,
        remaining: Duration::from_secs(2),
    };

    fn dealt() -> Game {
        let mut game = Game::new(Options::default());
        game.deal([cards(&[11, 8, 8, 5, 2]), cards(&[12, 9, 8, 6, 1])]);
        game
    }

    fn view(game: &Game) -> View {
        View::of(game, &TABLE).unwrap()
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
        assert_eq!(View::of(&Game::new(Options::default()), &TABLE), None);
    }
}
