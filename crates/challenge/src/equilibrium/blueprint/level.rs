//! The levels of the abstraction. A level holds the information sets with the same number of cards left: it says how
//! finely they are distinguished, and computes the offsets of their slots in a strategy for `abstraction`.
//!
//! A level's slots are four ranges, one after the other: leads, follows, answers of a player whose card is not on
//! the table, and answers of a leader whose card waits there. Each start is the sum of all sizes before it, so
//! levels and ranges never overlap. A change of any size changes the format of the tables ([`KIND`](super::KIND)).

use super::super::multisets::count;
use crate::rules::HAND_SIZE;

/// The class of each rank from 1 to 13: every rank is a class.
const EXACT: [u8; 13] = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12];
/// The class of each rank where low ranks are put together: 1 to 3 are one class, 4 and 5 another; ten classes in
/// all.
const COARSE: [u8; 13] = [0, 0, 0, 1, 1, 2, 3, 4, 5, 6, 7, 8, 9];

/// The information sets with the same number of tricks left. A strategy begins with those of the first trick.
#[derive(Clone, Copy, Debug)]
pub(super) struct Level {
    cards: usize,
    start: usize,
    classes: &'static [u8; 13],
    /// The sums of the ranks that the opponent has played fall into classes. This is the highest sum of each class
    /// except the last, which has no bound.
    ends: &'static [u8],
}

/// A level whose start is still to be computed.
const fn level(cards: usize, classes: &'static [u8; 13], ends: &'static [u8]) -> Level {
    Level {
        cards,
        start: 0,
        classes,
        ends,
    }
}

/// The levels by the number of cards left, from 1.
pub(super) const LEVELS: [Level; HAND_SIZE] = {
    // The sums begin with the second trick. With 4 cards left the opponent has played one card: ranks 1 and 2 are class
    // 0, 3 and 4 class 1, …, 13 alone is class 8. With 3 cards left it has played two, and sums up to 5 are class 0,
    // 6 to 8 class 1, …, above 20 class 7.
    let mut levels = [
        level(1, &EXACT, &[18, 22, 25, 28, 31, 34, 37, 41]),
        level(2, &EXACT, &[11, 15, 18, 20, 22, 24, 27, 30]),
        level(3, &EXACT, &[5, 8, 11, 13, 15, 17, 20]),
        level(4, &COARSE, &[2, 4, 6, 8, 9, 10, 11, 12]),
        level(5, &EXACT, &[]),
    ];
    // Each level starts where the one with a card more ends.
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

    /// The end of the level's slots.
    pub const fn end(&self) -> usize {
        // The answers of a leader whose card waits: by bucket, the class of that card and the rest of the hand.
        // Accept and reject take two slots.
        self.waiting_start() + self.buckets() * self.kinds() * self.waiting_hands() * 2
    }

    /// How many classes of ranks there are.
    const fn kinds(&self) -> usize {
        self.classes[12] as usize + 1
    }

    /// How many hands are distinguished.
    const fn hands(&self) -> usize {
        count(self.kinds(), self.cards)
    }

    /// How many hands are distinguished for a leader with a card on the table. It holds one card less, so its hands
    /// are those of the next level.
    const fn waiting_hands(&self) -> usize {
        match self.cards {
            1 => 1,
            cards => LEVEL_KINDS[cards - 2],
        }
    }

    /// The largest lead in tricks that matters. A player cannot be ahead by more tricks than were played, and a hand
    /// is settled if it is ahead by more than are left.
    const fn most_ahead(&self) -> usize {
        // With 4 cards left one trick was played: at most 1 ahead. With 2 left three were played, and 3 ahead would be
        // more than is left: at most 2.
        let played = HAND_SIZE - self.cards;
        if played < self.cards {
            played
        } else {
            self.cards
        }
    }

    /// How many buckets there are: differences in tricks times classes of the ranks that the opponent has played.
    pub const fn buckets(&self) -> usize {
        // With 3 cards left: 5 differences, from −2 to 2, times 8 classes are 40.
        (2 * self.most_ahead() + 1) * (self.ends.len() + 1)
    }

    /// The start of the follows, behind the leads.
    const fn follow_start(&self) -> usize {
        // Three states of the challenge: none accepted, the mover's, the other's. For each hand a slot for every
        // card and one for an offer.
        self.start + 3 * self.buckets() * self.hands() * (self.cards + 1)
    }

    /// The start of the answers without a card on the table, behind the follows.
    const fn answer_start(&self) -> usize {
        // From 0 to all cards can beat the one led, and one may equal it: `2 · (cards + 1)` relations.
        self.follow_start() + 3 * self.buckets() * 2 * (self.cards + 1) * self.hands() * 4
    }

    /// The start of the answers of a leader whose card waits, behind the other answers.
    const fn waiting_start(&self) -> usize {
        // Answers occur in one state of the challenge only, an open offer. So the state is no factor here.
        self.answer_start() + self.buckets() * self.hands() * 2
    }

    /// The class of a rank from 1 to 13.
    pub fn class(&self, rank: u8) -> usize {
        usize::from(self.classes[usize::from(rank) - 1])
    }

    /// The bucket of a mover that is this many tricks ahead of an opponent whose played ranks have this sum.
    pub fn bucket(&self, ahead: i8, their_ranks: u8) -> usize {
        let most = self.most_ahead() as i8;
        // From −most … most to 0 … 2 · most.
        let ahead = (ahead.clamp(-most, most) + most) as usize;
        // The class is the number of ends below the sum.
        let class = self.ends.iter().filter(|&&end| their_ranks > end).count();
        ahead * (self.ends.len() + 1) + class
    }

    /// The offset of a leader's slots: one for each card, ascending, and one for an offer.
    pub fn lead(&self, bucket: usize, hand: usize) -> usize {
        self.start + (bucket * self.hands() + hand) * (self.cards + 1)
    }

    /// The offset of a follower's slots: the lowest card, an equal one, the smallest winner, an offer.
    pub fn follow(&self, bucket: usize, relation: usize, hand: usize) -> usize {
        // Each bucket has a row for every relation, and each relation one for every hand.
        let place = bucket * 2 * (self.cards + 1) + relation;
        self.follow_start() + (place * self.hands() + hand) * 4
    }

    /// The offset of an answer's slots: accept, reject. `table` is the rank of the answering player's card on the
    /// table, or 0.
    pub fn answer(&self, bucket: usize, table: u8, hand: usize) -> usize {
        // Without a card on the table the hand is whole.
        if table == 0 {
            return self.answer_start() + (bucket * self.hands() + hand) * 2;
        }
        // With one, the hand is a card short, and its number is that of the next level. The waiting card counts by its
        // class.
        let place = bucket * self.kinds() + self.class(table);
        self.waiting_start() + (place * self.waiting_hands() + hand) * 2
    }

    /// All information sets of the level, each as its offset and its number of slots.
    pub fn rows(&self) -> impl Iterator<Item = (usize, usize)> + use<> {
        // Within a range all information sets have the same number of slots, so they start at equal distances.
        let part =
            |from: usize, to: usize, len: usize| (from..to).step_by(len).map(move |at| (at, len));
        part(self.start, self.follow_start(), self.cards + 1)
            .chain(part(self.follow_start(), self.answer_start(), 4))
            .chain(part(self.answer_start(), self.end(), 2))
    }
}

/// How many hands of each number of cards are distinguished, from one card on. They are written out here because
/// `LEVELS` is built with these numbers.
const LEVEL_KINDS: [usize; HAND_SIZE] = [
    count(13, 1),
    count(13, 2),
    count(13, 3),
    count(10, 4),
    count(13, 5),
];
