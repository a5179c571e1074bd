//! The rules of a round: 12 takes from the open pool, then 13 tricks.

use tricks::card::EIGHT;
use tricks::{Card, Cards, Ends, Hands, Round as _, Standing, Trick, Wins};

/// The number of players at the table: north, east, south, west, clockwise.
pub const SEATS: usize = 4;
/// The number of cards dealt to each.
pub const DEALT: usize = 10;
/// The number of cards in the pool.
pub const POOL: usize = 12;
/// The number of tricks of a round.
pub const TRICKS: u8 = 13;
/// The points of a round, all seats together: 2 × 3 + 11 × 1 for the tricks and 4 × 2 for the eights.
pub const POINTS: u8 = 25;
/// The points with which a game can be won.
pub const GAME: u32 = 300;
/// The points of the first and of the last trick. Each other trick has one.
const OUTER: u8 = 3;
/// The points of each eight.
pub const EIGHT_POINTS: u8 = 2;

/// A round under way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Round {
    hands: [Cards; SEATS],
    pool: Cards,
    /// The trick on the table. While cards are taken, it holds the takes of the current round of takes.
    trick: Trick,
    dealer: u8,
    tricks: u8,
    points: [u8; SEATS],
    /// By seat, the cards taken from the pool and still held.
    shown: [Cards; SEATS],
    /// By seat, the suits that were not followed.
    out_of: [Cards; SEATS],
    /// Points of the game before this round.
    scores: [u16; SEATS],
    /// How the game ends to which the round belongs; none if it is a round alone.
    ends: Option<Ends>,
}

impl Round {
    /// A round before the first take.
    pub fn new(dealer: usize, hands: [Cards; SEATS], pool: Cards) -> Round {
        Round {
            hands,
            pool,
            trick: Trick::new(dealer),
            dealer: dealer as u8,
            tricks: 0,
            points: [0; SEATS],
            shown: [Cards::EMPTY; SEATS],
            out_of: [Cards::EMPTY; SEATS],
            scores: [0; SEATS],
            ends: None,
        }
    }

    /// The same round as part of a game that ends in this way, with these scores before the round.
    #[must_use]
    pub fn after(self, ends: Ends, scores: [u32; SEATS]) -> Round {
        let scores = scores.map(|score| u16::try_from(score).unwrap_or(u16::MAX));
        Round {
            scores,
            ends: Some(ends),
            ..self
        }
    }

    /// The scores of the game before this round.
    pub fn scores_before(&self) -> [u32; SEATS] {
        self.scores.map(u32::from)
    }

    /// The dealer, who leads every round of takes and the first trick.
    pub fn dealer(&self) -> usize {
        usize::from(self.dealer)
    }

    /// The number of tricks that are complete.
    pub fn tricks(&self) -> u8 {
        self.tricks
    }

    /// Moves a card from the pool to the hand of `seat`.
    fn take(&mut self, seat: usize, card: Card) {
        self.pool.remove(card);
        self.hands[seat].insert(card);
        self.shown[seat].insert(card);
        // A round of takes has no winner: the dealer leads the next one, and the first trick.
        self.trick.play(SEATS, card);
        if self.trick.len() == SEATS {
            self.trick = Trick::new(self.dealer());
        }
    }

    /// Plays a card from the hand of `seat`. The fourth card ends the trick.
    fn play(&mut self, seat: usize, card: Card) {
        self.hands[seat].remove(card);
        self.shown[seat].remove(card);
        // A discard shows a void for everybody to see.
        if let Some(led) = self.trick.led().filter(|&led| led != card.suit()) {
            self.out_of[seat] = self.out_of[seat] | Cards::suit(led);
        }
        self.trick.play(SEATS, card);
        // The stake must be read while the trick's cards are there.
        if self.trick.len() == SEATS {
            let winner = self.trick.winner();
            self.points[winner] += self.stake();
            self.tricks += 1;
            self.trick = Trick::new(winner);
        }
    }
}

impl tricks::Round for Round {
    fn players(&self) -> usize {
        SEATS
    }

    #[inline]
    fn to_act(&self) -> Option<usize> {
        (self.tricks < TRICKS).then(|| self.trick.to_act(SEATS))
    }

    #[inline]
    fn legal(&self) -> Cards {
        if self.taking() {
            return self.pool;
        }
        let hand = self.hands[self.trick.to_act(SEATS)];
        match self.trick.led() {
            Some(led) => hand.following(led),
            None => hand,
        }
    }

    #[inline]
    fn act(&mut self, card: Card) {
        match self.to_act() {
            Some(seat) if self.taking() => self.take(seat, card),
            Some(seat) => self.play(seat, card),
            None => {}
        }
    }

    fn points(&self, seat: usize) -> u8 {
        self.points[seat]
    }

    fn standing(&self) -> Option<Standing> {
        let ends = self.ends?;
        Some(Standing::new(Wins::Most, ends, &self.scores_before()))
    }

    fn hand(&self, seat: usize) -> Cards {
        self.hands[seat]
    }

    fn with_hands(&self, hands: &Hands) -> Round {
        let mut round = *self;
        round.hands.copy_from_slice(&hands[..SEATS]);
        round
    }

    fn deck(&self) -> Cards {
        Cards::ALL
    }

    #[inline]
    fn pool(&self) -> Cards {
        self.pool
    }

    /// While cards are taken, it holds the takes of the current round of takes.
    fn trick(&self) -> &Trick {
        &self.trick
    }

    /// The points that the trick is worth so far: its own, and those of the eights in it.
    #[inline]
    fn stake(&self) -> u8 {
        // The number of tricks already complete: none before the first, 12 before the last.
        let trick = if matches!(self.tricks, 0 | 12) {
            OUTER
        } else {
            1
        };
        trick + EIGHT_POINTS * (self.trick.cards() & Cards::rank(EIGHT)).len() as u8
    }

    fn out_of(&self, seat: usize) -> Cards {
        self.out_of[seat]
    }

    fn shown(&self, seat: usize) -> Cards {
        self.shown[seat]
    }
}

/// The winner of a game with these scores: the player with the most points, if these are at least [`GAME`] and no
/// other player has as many.
pub fn winner(scores: &[u32; SEATS]) -> Option<usize> {
    let most = *scores.iter().max()?;
    let mut leaders = (0..SEATS).filter(|&seat| scores[seat] == most);
    let leader = leaders.next()?;
    (most >= GAME && leaders.next().is_none()).then_some(leader)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::deal;
    use engine::rng::stream;
    use tricks::random_card;

    #[test]
    fn a_round_knows_the_game_before_it() {
        let round = deal::deal(2, &mut stream(1, 0));
        assert_eq!((round.dealer(), round.scores_before()), (2, [0; SEATS]));
        let later = round.after(Ends::AtPoints(300), [7, 280, 13, 70_000]);
        assert_eq!(later.scores_before(), [7, 280, 13, 65_535]);
        assert_eq!(later.hands(), round.hands());
    }

    /// Random rounds, counted here in the plainest way.
    #[test]
    fn takes_and_tricks_are_counted_by_the_rules() {
        for game in 0..40 {
            let mut rng = stream(2, game);
            let dealer = game as usize % SEATS;
            let mut round = deal::deal(dealer, &mut rng);
            assert_eq!((round.deck(), round.players()), (Cards::ALL, SEATS));
            for taken in 0..POOL {
                // Three rounds of takes, each led by the dealer.
                let seat = (dealer + taken) % SEATS;
                assert!(round.taking());
                assert_eq!(round.to_act(), Some(seat));
                assert_eq!(round.legal(), round.pool());
                let (pool, hand) = (round.pool(), round.hand(seat));
                let card = random_card(round.legal(), &mut rng);
                round.act(card);
                assert_eq!(round.pool(), pool - card.into());
                assert_eq!(round.hand(seat), hand | card.into());
                assert!(round.shown(seat).contains(card));
            }
            let (mut leader, mut points) = (dealer, [0; SEATS]);
            for trick in 0..TRICKS {
                assert!(!round.taking());
                assert_eq!(round.tricks(), trick);
                let mut cards = Vec::new();
                let worth = |cards: &[Card]| {
                    let outer = trick == 0 || trick == TRICKS - 1;
                    let eights = cards.iter().filter(|card| card.rank() == EIGHT).count();
                    let trick = if outer { 3 } else { 1 };
                    trick + 2 * eights as u8
                };
                for place in 0..SEATS {
                    let seat = (leader + place) % SEATS;
                    assert_eq!(round.to_act(), Some(seat));
                    assert_eq!(round.stake(), worth(&cards));
                    let hand = round.hand(seat);
                    let suit: Cards = match cards.first() {
                        Some(led) => hand & Cards::suit(led.suit()),
                        None => hand,
                    };
                    let legal = if suit.is_empty() { hand } else { suit };
                    assert_eq!(round.legal(), legal);
                    let card = random_card(legal, &mut rng);
                    round.act(card);
                    assert!((round.hand(seat) & round.out_of(seat)).is_empty());
                    assert!((round.shown(seat) - round.hand(seat)).is_empty());
                    assert_eq!(round.hand(seat), hand - card.into());
                    cards.push(card);
                }
                let follows = |place: &usize| cards[*place].suit() == cards[0].suit();
                let places = (0..SEATS).filter(follows);
                let best = places.max_by_key(|&place| cards[place].rank());
                leader = (leader + best.unwrap()) % SEATS;
                points[leader] += worth(&cards);
                assert_eq!([0, 1, 2, 3].map(|seat| round.points(seat)), points);
            }
            assert_eq!(points.iter().sum::<u8>(), POINTS);
            assert_eq!((round.to_act(), round.tricks()), (None, TRICKS));
            let end = round;
            round.act(Card::new(tricks::Suit::Clubs, 0));
            assert_eq!(round, end, "nothing is played to a round that is over");
        }
    }

    #[test]
    fn a_game_ends_with_a_single_leader() {
        assert_eq!(winner(&[299, 0, 0, 0]), None);
        assert_eq!(winner(&[300, 301, 2, 3]), Some(1));
        assert_eq!(winner(&[310, 310, 2, 305]), None);
        assert_eq!(winner(&[300, 299, 2, 3]), Some(0), "300 are enough");
    }
}
