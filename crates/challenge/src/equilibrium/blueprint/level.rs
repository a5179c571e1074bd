//! How finely the situations with so many cards left are told apart, and where their numbers lie.

use super::super::multisets::count;
use crate::rules::HAND_SIZE;

/// The classes of the ranks from 1 to 13, each rank one of its own.
const EXACT: [u8; 13] = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12];
/// Low ranks by twos and threes.
const COARSE: [u8; 13] = [0, 0, 0, 1, 1, 2, 3, 4, 5, 6, 7, 8, 9];

/// The situations with the same number of tricks left. Those of the first trick come first.
#[derive(Clone, Copy, Debug)]
pub(super) struct Level {
    cards: usize,
    start: usize,
    classes: &'static [u8; 13],
    /// Upper ends of the classes of the sum of ranks that the opponent has played.
    ends: &'static [u8],
}

const fn level(cards: usize, classes: &'static [u8; 13], ends: &'static [u8]) -> Level {
    Level {
        cards,
        start: 0,
        classes,
        ends,
    }
}

/// By cards left, from 1.
pub(super) const LEVELS: [Level; HAND_SIZE] = {
    let mut levels = [
        level(1, &EXACT, &[18, 22, 25, 28, 31, 34, 37, 41]),
        level(2, &EXACT, &[11, 15, 18, 20, 22, 24, 27, 30]),
        level(3, &EXACT, &[5, 8, 11, 13, 15, 17, 20]),
        level(4, &COARSE, &[2, 4, 6, 8, 9, 10, 11, 12]),
        level(5, &EXACT, &[]),
    ];
    let (mut cards, mut start) = (HAND_SIZE, 0);
    while cards > 0 {
        levels[cards - 1].start = start;
        start = levels[cards - 1].end();
        cards -= 1;
    }
    levels
};

impl Level {
    #[cfg(test)]
    pub const fn start(&self) -> usize {
        self.start
    }

    /// Behind the last number.
    pub const fn end(&self) -> usize {
        self.waiting_start() + self.contexts() * self.kinds() * self.waiting_hands() * 2
    }

    const fn kinds(&self) -> usize {
        self.classes[12] as usize + 1
    }

    const fn hands(&self) -> usize {
        count(self.kinds(), self.cards)
    }

    /// Sets of cards that a leader holds whose card is on the table. They are counted as sets of
    /// the next level.
    const fn waiting_hands(&self) -> usize {
        match self.cards {
            1 => 1,
            cards => LEVEL_KINDS[cards - 2],
        }
    }

    const fn most_ahead(&self) -> usize {
        let played = HAND_SIZE - self.cards;
        if played < self.cards {
            played
        } else {
            self.cards
        }
    }

    /// Numbers of tricks ahead with the classes of what the opponent has played.
    pub const fn contexts(&self) -> usize {
        (2 * self.most_ahead() + 1) * (self.ends.len() + 1)
    }

    const fn follow_start(&self) -> usize {
        self.start + 3 * self.contexts() * self.hands() * (self.cards + 1)
    }

    const fn answer_start(&self) -> usize {
        self.follow_start() + 3 * self.contexts() * 2 * (self.cards + 1) * self.hands() * 4
    }

    const fn waiting_start(&self) -> usize {
        self.answer_start() + self.contexts() * self.hands() * 2
    }

    pub fn class(&self, rank: u8) -> usize {
        usize::from(self.classes[usize::from(rank) - 1])
    }

    pub fn context(&self, ahead: i8, seen: u8) -> usize {
        let most = self.most_ahead() as i8;
        let ahead = (ahead.clamp(-most, most) + most) as usize;
        let class = self.ends.iter().filter(|&&end| seen > end).count();
        ahead * (self.ends.len() + 1) + class
    }

    /// Where a leader's numbers begin: one for each card, ascending, and one for an offer.
    pub fn lead(&self, context: usize, hand: usize) -> usize {
        self.start + (context * self.hands() + hand) * (self.cards + 1)
    }

    /// Where a follower's numbers begin: lowest, equal, smallest winner, offer.
    pub fn follow(&self, context: usize, relation: usize, hand: usize) -> usize {
        let place = context * 2 * (self.cards + 1) + relation;
        self.follow_start() + (place * self.hands() + hand) * 4
    }

    /// Where the numbers of an answer begin: accept, reject.
    pub fn answer(&self, context: usize, table: u8, hand: usize) -> usize {
        if table == 0 {
            return self.answer_start() + (context * self.hands() + hand) * 2;
        }
        let place = context * self.kinds() + self.class(table);
        self.waiting_start() + (place * self.waiting_hands() + hand) * 2
    }

    /// All situations: where each begins, and how many numbers it has.
    pub fn rows(&self) -> impl Iterator<Item = (usize, usize)> + use<> {
        let part =
            |from: usize, to: usize, len: usize| (from..to).step_by(len).map(move |at| (at, len));
        part(self.start, self.follow_start(), self.cards + 1)
            .chain(part(self.follow_start(), self.answer_start(), 4))
            .chain(part(self.answer_start(), self.end(), 2))
    }
}

/// Sets of each number of cards, from 1.
const LEVEL_KINDS: [usize; HAND_SIZE] = [
    count(13, 1),
    count(13, 2),
    count(13, 3),
    count(10, 4),
    count(13, 5),
];
