//! The rules of a round: 12 takes from the open pool, then 13 tricks.

use engine::rng::{Random, shuffle};
use tricks::card::EIGHT;
use tricks::{Card, Cards, Ending, Hands, Trick};

/// Players at the table: north, east, south, west, clockwise.
pub const SEATS: usize = 4;
/// Cards dealt to each.
pub const DEALT: usize = 10;
/// Cards dealt to the pool.
pub const POOL: usize = 12;
/// Tricks of a round.
pub const TRICKS: u8 = 13;
/// Points of a round, all seats together.
pub const POINTS: u8 = 25;
/// The points with which a game can be won.
pub const GAME: u32 = 300;
/// The lead with which a seat is taken to be twice as likely to win a game that nobody has won yet.
const LEAD: f32 = 5.0;
/// For the first and for the last trick.
const OUTER: u8 = 3;
/// For each eight.
const EIGHT_POINTS: u8 = 2;

/// A round under way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Round {
    hands: [Cards; SEATS],
    pool: Cards,
    trick: Trick,
    dealer: u8,
    tricks: u8,
    points: [u8; SEATS],
    /// Points of the game before this round.
    scores: [u16; SEATS],
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
            scores: [0; SEATS],
        }
    }

    /// The same in a game with these scores before the round.
    #[must_use]
    pub fn after(self, scores: [u32; SEATS]) -> Round {
        let scores = scores.map(|score| u16::try_from(score).unwrap_or(u16::MAX));
        Round { scores, ..self }
    }

    /// Whether the game can end with this round.
    fn deciding(&self) -> bool {
        let most = self.scores.iter().max().copied().unwrap_or(0);
        u32::from(most) + u32::from(POINTS) >= GAME
    }

    /// The chance of a seat to win the game with the points of this round.
    fn chance(&self, seat: usize) -> f32 {
        let totals: [u32; SEATS] =
            std::array::from_fn(|seat| u32::from(self.scores[seat]) + u32::from(self.points[seat]));
        if let Some(winner) = winner(&totals) {
            return f32::from(u8::from(winner == seat));
        }
        let weight = |seat: usize| (totals[seat] as f32 / LEAD).exp2();
        weight(seat) / (0..SEATS).map(weight).sum::<f32>()
    }

    /// Deals a shuffled deck.
    pub fn deal(dealer: usize, random: &mut Random) -> Round {
        let mut deck: Vec<Card> = Cards::ALL.into_iter().collect();
        shuffle(random, &mut deck);
        let (pool, dealt) = deck.split_at(POOL);
        let mut hands = [Cards::EMPTY; SEATS];
        for (hand, cards) in hands.iter_mut().zip(dealt.chunks(DEALT)) {
            *hand = cards.iter().copied().collect();
        }
        Round::new(dealer, hands, pool.iter().copied().collect())
    }

    /// Who deals, leads every round of takes, and leads the first trick.
    pub fn dealer(&self) -> usize {
        usize::from(self.dealer)
    }

    /// What lies in the pool; empty when the tricks have begun.
    pub fn pool(&self) -> Cards {
        self.pool
    }

    /// Whether cards are still being taken.
    #[inline]
    pub fn taking(&self) -> bool {
        !self.pool.is_empty()
    }

    /// The trick on the table. While cards are taken, its turns count the takes.
    pub fn trick(&self) -> &Trick {
        &self.trick
    }

    /// Tricks that are complete.
    pub fn tricks(&self) -> u8 {
        self.tricks
    }

    /// What the trick is worth so far: for itself and the eights in it.
    #[inline]
    pub fn stake(&self) -> u8 {
        let trick = if matches!(self.tricks, 0 | 12) {
            OUTER
        } else {
            1
        };
        trick + EIGHT_POINTS * (self.trick.cards() & Cards::rank(EIGHT)).len() as u8
    }

    fn take(&mut self, seat: usize, card: Card) {
        self.pool.remove(card);
        self.hands[seat].insert(card);
        // A round of takes has no winner: the dealer leads the next, and the first trick.
        self.trick.play(SEATS, card);
        if self.trick.len() == SEATS {
            self.trick = Trick::new(self.dealer());
        }
    }

    fn play(&mut self, seat: usize, card: Card) {
        self.hands[seat].remove(card);
        self.trick.play(SEATS, card);
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

    fn hand(&self, seat: usize) -> Cards {
        self.hands[seat]
    }

    fn with_hands(&self, hands: &Hands) -> Round {
        let mut round = *self;
        round.hands.copy_from_slice(&hands[..SEATS]);
        round
    }

    /// Points; in a round that can end the game the chance to win it, as points of a whole round.
    fn value(&self, seat: usize) -> f32 {
        if self.deciding() {
            f32::from(POINTS) * self.chance(seat)
        } else {
            f32::from(self.points[seat])
        }
    }
}

impl Ending for Round {
    fn worth(card: Card) -> u8 {
        if card.rank() == EIGHT {
            EIGHT_POINTS
        } else {
            0
        }
    }

    #[inline]
    fn table(&self) -> Cards {
        self.trick.cards()
    }

    #[inline]
    fn banked(&self, seat: usize) -> f32 {
        f32::from(self.points[seat])
    }

    #[inline]
    fn reach(&self, _seat: usize) -> (f32, f32) {
        if self.deciding() {
            return (-f32::from(POINTS), f32::from(POINTS));
        }
        let gone: u8 = self.points.iter().sum();
        (0.0, f32::from(POINTS - gone))
    }

    /// The number of cards left says which trick it is; points matter where they win the game.
    fn context(&self) -> u64 {
        if self.deciding() {
            u64::from(u32::from_le_bytes(self.points))
        } else {
            0
        }
    }
}

/// The winner of a game with these scores: who has the most, if that is enough and nobody else
/// has as many.
pub fn winner(scores: &[u32; SEATS]) -> Option<usize> {
    let most = *scores.iter().max()?;
    let mut leaders = (0..SEATS).filter(|&seat| scores[seat] == most);
    let leader = leaders.next()?;
    (most >= GAME && leaders.next().is_none()).then_some(leader)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::view::View;
    use engine::rng;
    use tricks::Round as _;
    use tricks::laws;

    #[test]
    fn laws_hold_in_random_rounds() {
        for seed in 0..40 {
            let mut chance = rng::stream(seed, 0);
            let start = Round::deal(seed as usize % SEATS, &mut chance);
            let views = (0..SEATS).map(|seat| View::of(&start, seat)).collect();
            let end = laws::check::<View>(&start, views, &mut chance);
            let points: u8 = (0..SEATS).map(|seat| end.points(seat)).sum();
            assert_eq!((points, end.tricks()), (POINTS, TRICKS));
        }
    }

    #[test]
    fn a_deciding_round_is_worth_the_game() {
        let ended = |scores, points| {
            let mut round = Round::new(0, [Cards::EMPTY; SEATS], Cards::EMPTY).after(scores);
            round.points = points;
            [0, 1, 2].map(|seat| round.value(seat))
        };
        assert_eq!(ended([200, 270, 0, 0], [3, 20, 2, 0]), [3.0, 20.0, 2.0]);
        assert_eq!(ended([290, 280, 0, 0], [5, 20, 0, 0]), [0.0, 25.0, 0.0]);
        let [first, second, third] = ended([290, 280, 280, 0], [9, 15, 1, 0]);
        assert!(first > second && second > third && third > 0.0 && first < 25.0);
    }

    #[test]
    fn a_game_ends_with_a_single_leader() {
        assert_eq!(winner(&[299, 0, 0, 0]), None);
        assert_eq!(winner(&[300, 301, 2, 3]), Some(1));
        assert_eq!(winner(&[310, 310, 2, 305]), None);
    }
}
