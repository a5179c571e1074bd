//! The rules of a round: 12 takes from the open pool, then 13 tricks.

use tricks::card::EIGHT;
use tricks::{Card, Cards, Hands, Trick};

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
/// Points of the first and of the last trick; the others have one.
const OUTER: u8 = 3;
/// Points of each eight.
pub const EIGHT_POINTS: u8 = 2;

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

    /// The points that the trick is worth so far: for itself and for the eights in it.
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

    fn deck(&self) -> Cards {
        Cards::ALL
    }

    #[inline]
    fn pool(&self) -> Cards {
        self.pool
    }

    /// While cards are taken, its turns count the takes.
    fn trick(&self) -> &Trick {
        &self.trick
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

    #[test]
    fn a_game_ends_with_a_single_leader() {
        assert_eq!(winner(&[299, 0, 0, 0]), None);
        assert_eq!(winner(&[300, 301, 2, 3]), Some(1));
        assert_eq!(winner(&[310, 310, 2, 305]), None);
    }
}
