//! Positions that are the same to a solver.

use engine::rng::mix;
use tricks::card::EIGHT;
use tricks::{Card, Cards, PolicySet, Round, Suit};

/// A round whose value is what the seats have by now plus something that depends on the cards to come.
pub trait Ending: Round {
    /// A seat's value, once the round is over.
    fn value(&self, seat: usize) -> f32;

    /// The points that a card brings to who takes it. Cards next to each other in a hand with the
    /// same worth are the same.
    fn worth(card: Card) -> u8;

    /// A seat's value if no more points were to come.
    fn banked(&self, seat: usize) -> f32;

    /// The least and the most by which a seat's value can still change.
    fn reach(&self, seat: usize) -> (f32, f32);

    /// What of the past matters for the rest, besides the cards that are left and whose turn it is.
    fn context(&self) -> u64;
}

/// A round before which nobody has scores with which it could end the game.
impl Ending for eights::rules::Round {
    fn value(&self, seat: usize) -> f32 {
        eights::player::Baseline::value(self, seat)
    }

    fn worth(card: Card) -> u8 {
        match card.rank() {
            EIGHT => eights::rules::EIGHT_POINTS,
            _ => 0,
        }
    }

    fn banked(&self, seat: usize) -> f32 {
        f32::from(self.points(seat))
    }

    fn reach(&self, _seat: usize) -> (f32, f32) {
        let taken: u8 = (0..self.players()).map(|seat| self.points(seat)).sum();
        (0.0, f32::from(eights::rules::POINTS - taken))
    }

    /// The number of cards left says which trick it is.
    fn context(&self) -> u64 {
        0
    }
}

fn taken(round: &hearts::rules::Round) -> u8 {
    (0..round.players()).map(|seat| round.points(seat)).sum()
}

/// The one seat that has taken all points so far; none if there are none, or several have.
fn taker(round: &hearts::rules::Round) -> Option<usize> {
    let mut takers = (0..round.players()).filter(|&seat| round.points(seat) > 0);
    takers.next().filter(|_| takers.next().is_none())
}

impl Ending for hearts::rules::Round {
    fn value(&self, seat: usize) -> f32 {
        hearts::player::Baseline::value(self, seat)
    }

    fn worth(card: Card) -> u8 {
        match card {
            hearts::rules::BLACK_QUEEN => hearts::rules::QUEEN_POINTS,
            _ => u8::from(card.suit() == Suit::Hearts),
        }
    }

    /// As if nobody could shoot the moon.
    fn banked(&self, seat: usize) -> f32 {
        let own = f32::from(self.points(seat));
        (f32::from(taken(self)) - own) / (self.players() - 1) as f32 - own
    }

    fn reach(&self, _seat: usize) -> (f32, f32) {
        let left = f32::from(hearts::rules::POINTS - taken(self));
        if taker(self).is_none() && taken(self) > 0 {
            return (-left, left / (self.players() - 1) as f32);
        }
        // A moon is worth 26 either way, and undoes what is banked.
        let most = 2.0 * f32::from(hearts::rules::POINTS);
        (-most, most)
    }

    /// Who can still shoot the moon, and whether hearts are broken.
    fn context(&self) -> u64 {
        let taker = match taker(self) {
            Some(seat) => seat as u64,
            None if taken(self) == 0 => 6,
            None => 7,
        };
        taker << 2 | u64::from(self.broken()) << 1 | u64::from(self.first())
    }
}

/// A number for a position at the beginning of a trick. Ranks count only by their order among the
/// cards that are left.
pub(super) fn key<R: Ending>(round: &R) -> u64 {
    let leader = round.to_act().unwrap_or(0);
    let mut key = mix(round.context() << 4 | leader as u64);
    for suit in Suit::ALL {
        let suit = Cards::suit(suit);
        let hands = round.hands().map(|hand| hand & suit);
        let all = hands.iter().fold(Cards::EMPTY, |all, &hand| all | hand);
        let mut owners = 1;
        let mut worths = 1;
        for card in all {
            let owner = hands.iter().position(|hand| hand.contains(card));
            owners = owners << 3 | owner.unwrap_or(0) as u64;
            worths = worths << 4 | u64::from(R::worth(card));
        }
        key = mix(key ^ owners).wrapping_add(mix(worths));
    }
    key
}

/// The legal cards without those that are the same as a lower one of the same hand: nobody else
/// has a card between them, and their worth is the same.
pub fn distinct<R: Ending>(round: &R) -> Cards {
    let legal = round.legal();
    if legal.len() < 2 {
        return legal;
    }
    let others = round.other_hands() | round.trick().cards();
    let mut distinct = Cards::EMPTY;
    let mut last: Option<Card> = None;
    for card in legal {
        let same = last.is_some_and(|last| {
            last.suit() == card.suit()
                && R::worth(last) == R::worth(card)
                && (others & Cards::above(last) & Cards::below(card)).is_empty()
        });
        if !same {
            distinct.insert(card);
        }
        last = Some(card);
    }
    distinct
}
