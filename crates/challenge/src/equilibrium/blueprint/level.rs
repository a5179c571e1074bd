//! How finely the information sets with the same number of cards left are distinguished, and where their
//! slots lie in a strategy.
//!
//! A level's slots are four ranges, one after the other: leads, follows, answers of a player whose card
//! is not on the table, and answers of a leader whose card waits there. The starts are sums of the sizes
//! before them, so that levels and ranges never overlap; a change of any size changes the format of the
//! tables ([`KIND`](super::KIND)).

use super::super::multisets::count;
use crate::rules::HAND_SIZE;

/// The classes of the ranks from 1 to 13, each rank one of its own.
const EXACT: [u8; 13] = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12];
/// Low ranks by twos and threes.
const COARSE: [u8; 13] = [0, 0, 0, 1, 1, 2, 3, 4, 5, 6, 7, 8, 9];

/// The information sets with the same number of tricks left. Those of the first trick come first.
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

    /// The end of its slots.
    pub const fn end(&self) -> usize {
        self.waiting_start() + self.buckets() * self.kinds() * self.waiting_hands() * 2
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

    /// Differences in tricks times classes of the ranks the opponent has played.
    pub const fn buckets(&self) -> usize {
        (2 * self.most_ahead() + 1) * (self.ends.len() + 1)
    }

    const fn follow_start(&self) -> usize {
        self.start + 3 * self.buckets() * self.hands() * (self.cards + 1)
    }

    const fn answer_start(&self) -> usize {
        self.follow_start() + 3 * self.buckets() * 2 * (self.cards + 1) * self.hands() * 4
    }

    const fn waiting_start(&self) -> usize {
        self.answer_start() + self.buckets() * self.hands() * 2
    }

    pub fn class(&self, rank: u8) -> usize {
        usize::from(self.classes[usize::from(rank) - 1])
    }

    pub fn bucket(&self, ahead: i8, their_ranks: u8) -> usize {
        let most = self.most_ahead() as i8;
        let ahead = (ahead.clamp(-most, most) + most) as usize;
        let class = self.ends.iter().filter(|&&end| their_ranks > end).count();
        ahead * (self.ends.len() + 1) + class
    }

    /// The offset of a leader: one for each card, ascending, and one for an offer.
    pub fn lead(&self, bucket: usize, hand: usize) -> usize {
        self.start + (bucket * self.hands() + hand) * (self.cards + 1)
    }

    /// The offset of a follower: lowest, equal, smallest winner, offer.
    pub fn follow(&self, bucket: usize, relation: usize, hand: usize) -> usize {
        let place = bucket * 2 * (self.cards + 1) + relation;
        self.follow_start() + (place * self.hands() + hand) * 4
    }

    /// The offset of an answer: accept, reject.
    pub fn answer(&self, bucket: usize, table: u8, hand: usize) -> usize {
        if table == 0 {
            return self.answer_start() + (bucket * self.hands() + hand) * 2;
        }
        let place = bucket * self.kinds() + self.class(table);
        self.waiting_start() + (place * self.waiting_hands() + hand) * 2
    }

    /// All information sets: the offset of each, and how many slots it has.
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
