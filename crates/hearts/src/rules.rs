//! The rules of a round of Hearts for three to six players, without passing.

use engine::rng::{Random, shuffle};
use tricks::card::QUEEN;
use tricks::{Card, Cards, Ending, Hands, MAX_PLAYERS, Suit, Trick};

/// Points of a round, unless someone shoots the moon.
pub const POINTS: u8 = 26;
/// Points of the queen of spades.
const QUEEN_POINTS: u8 = 13;
/// The card that leads.
pub const FIRST_LEAD: Card = Card::new(Suit::Clubs, 0);
/// The queen of spades.
pub const BLACK_QUEEN: Card = Card::new(Suit::Spades, QUEEN);

const HEARTS: Cards = Cards::suit(Suit::Hearts);

/// Hearts and the queen of spades.
pub fn penalties() -> Cards {
    HEARTS | BLACK_QUEEN.into()
}

/// What some tables play differently.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    /// Whether points on the first trick are forbidden to who has another card.
    pub clean_first_trick: bool,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            clean_first_trick: true,
        }
    }
}

/// The cards used by a number of players from 3 to 6: low clubs above the two are left out so that
/// the rest divides.
pub fn deck(players: usize) -> Cards {
    let out = 52 % players;
    let low = (1..=out as u8).map(|rank| Card::new(Suit::Clubs, rank));
    Cards::ALL - low.collect()
}

/// A round under way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Round {
    hands: Hands,
    trick: Trick,
    options: Options,
    players: u8,
    /// Tricks to come, the one on the table included.
    left: u8,
    first: bool,
    broken: bool,
    points: [u8; MAX_PLAYERS],
}

impl Round {
    /// A round before the first lead.
    pub fn new(players: usize, leader: usize, hands: Hands, options: Options) -> Round {
        Round {
            hands,
            trick: Trick::new(leader),
            options,
            players: players as u8,
            left: (deck(players).len() / players) as u8,
            first: true,
            broken: false,
            points: [0; MAX_PLAYERS],
        }
    }

    /// Deals a shuffled deck; the holder of the two of clubs leads.
    pub fn deal(players: usize, options: Options, random: &mut Random) -> Round {
        let mut deck: Vec<Card> = deck(players).into_iter().collect();
        shuffle(random, &mut deck);
        let mut hands = Hands::default();
        let size = deck.len() / players;
        for (hand, cards) in hands.iter_mut().zip(deck.chunks(size)) {
            *hand = cards.iter().copied().collect();
        }
        let leader = hands.iter().position(|hand| hand.contains(FIRST_LEAD));
        Round::new(players, leader.unwrap_or(0), hands, options)
    }

    /// The trick on the table.
    pub fn trick(&self) -> &Trick {
        &self.trick
    }

    /// Whether a heart or the queen of spades has been played.
    pub fn broken(&self) -> bool {
        self.broken
    }

    /// Whether the first trick is not over.
    pub fn first(&self) -> bool {
        self.first
    }

    /// The rules in force.
    pub fn options(&self) -> Options {
        self.options
    }

    /// The scores of the round: points taken, or with all of them 0, and 26 for the others.
    pub fn scores(&self) -> [u8; MAX_PLAYERS] {
        let players = usize::from(self.players);
        let Some(moon) = self.points[..players].iter().position(|&p| p == POINTS) else {
            return self.points;
        };
        let mut scores = [0; MAX_PLAYERS];
        for (seat, score) in scores.iter_mut().enumerate().take(players) {
            *score = if seat == moon { 0 } else { POINTS };
        }
        scores
    }

    /// The points taken so far.
    fn gone(&self) -> u8 {
        self.points.iter().sum()
    }

    /// The one seat that has taken all points so far; none if there are none, or several.
    fn taker(&self) -> Option<usize> {
        let mut takers = (0..usize::from(self.players)).filter(|&seat| self.points[seat] > 0);
        let taker = takers.next();
        if takers.next().is_some() { None } else { taker }
    }

    /// Gives all points taken so far to one seat, to set up a position in which the moon can be shot.
    pub fn give_all(&mut self, seat: usize) {
        let gone = self.gone();
        self.points = [0; MAX_PLAYERS];
        self.points[seat] = gone;
    }

    fn lead(&self, hand: Cards) -> Cards {
        if self.first && hand.contains(FIRST_LEAD) {
            return FIRST_LEAD.into();
        }
        match hand - HEARTS {
            Cards::EMPTY => hand,
            _ if self.broken => hand,
            others => others,
        }
    }

    fn follow(&self, hand: Cards, led: Suit) -> Cards {
        let follow = hand.following(led);
        let discard = (follow & Cards::suit(led)).is_empty();
        if self.first && self.options.clean_first_trick && discard {
            let clean = follow - penalties();
            return if clean.is_empty() { follow } else { clean };
        }
        follow
    }

    /// The points on the table.
    pub fn stake(&self) -> u8 {
        let cards = self.trick.cards();
        let queen = if cards.contains(BLACK_QUEEN) {
            QUEEN_POINTS
        } else {
            0
        };
        (cards & HEARTS).len() as u8 + queen
    }
}

impl tricks::Round for Round {
    fn players(&self) -> usize {
        usize::from(self.players)
    }

    #[inline]
    fn to_act(&self) -> Option<usize> {
        (self.left > 0).then(|| self.trick.to_act(self.players()))
    }

    #[inline]
    fn legal(&self) -> Cards {
        let hand = self.hands[self.trick.to_act(self.players())];
        match self.trick.led() {
            Some(led) => self.follow(hand, led),
            None => self.lead(hand),
        }
    }

    #[inline]
    fn act(&mut self, card: Card) {
        let Some(seat) = self.to_act() else { return };
        self.hands[seat].remove(card);
        self.trick.play(self.players(), card);
        self.broken |= penalties().contains(card);
        if self.trick.len() == self.players() {
            let winner = self.trick.winner();
            self.points[winner] += self.stake();
            self.trick = Trick::new(winner);
            self.left -= 1;
            self.first = false;
        }
    }

    /// Taken so far; what that comes to is in [`Round::scores`].
    fn points(&self, seat: usize) -> u8 {
        self.points[seat]
    }

    fn hand(&self, seat: usize) -> Cards {
        self.hands[seat]
    }

    fn with_hands(&self, hands: &Hands) -> Round {
        Round {
            hands: *hands,
            ..*self
        }
    }

    /// The mean of the others' scores minus the own one.
    fn value(&self, seat: usize) -> f32 {
        let scores = self.scores();
        let all: f32 = scores.iter().copied().map(f32::from).sum();
        let own = f32::from(scores[seat]);
        (all - own) / f32::from(self.players - 1) - own
    }
}

impl Ending for Round {
    fn worth(card: Card) -> u8 {
        match card {
            BLACK_QUEEN => QUEEN_POINTS,
            _ => u8::from(card.suit() == Suit::Hearts),
        }
    }

    #[inline]
    fn table(&self) -> Cards {
        self.trick.cards()
    }

    /// As if no moon could be shot.
    #[inline]
    fn banked(&self, seat: usize) -> f32 {
        let own = f32::from(self.points[seat]);
        (f32::from(self.gone()) - own) / f32::from(self.players - 1) - own
    }

    #[inline]
    fn reach(&self, _seat: usize) -> (f32, f32) {
        let left = f32::from(POINTS - self.gone());
        if self.taker().is_none() && self.gone() > 0 {
            return (-left, left / f32::from(self.players - 1));
        }
        // A moon is worth 26 either way, and undoes what is banked.
        let most = 2.0 * f32::from(POINTS);
        (-most, most)
    }

    /// Who can still shoot the moon, and whether hearts are broken.
    fn context(&self) -> u64 {
        let taker = match self.taker() {
            Some(seat) => seat as u64,
            None if self.gone() == 0 => 6,
            None => 7,
        };
        taker << 2 | u64::from(self.broken) << 1 | u64::from(self.first)
    }
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
        for seed in 0..60 {
            let mut chance = rng::stream(seed, 0);
            let players = 3 + seed as usize % 4;
            let options = Options {
                clean_first_trick: seed % 3 > 0,
            };
            let start = Round::deal(players, options, &mut chance);
            let views = (0..players).map(|seat| View::of(&start, seat)).collect();
            let end = laws::check::<View>(&start, views, &mut chance);
            let taken: u8 = (0..players).map(|seat| end.points(seat)).sum();
            assert_eq!(taken, POINTS);
        }
    }

    #[test]
    fn decks_divide() {
        for (players, size) in [(3, 17), (4, 13), (5, 10), (6, 8)] {
            assert_eq!(deck(players).len(), size * players);
            assert!(deck(players).contains(FIRST_LEAD));
        }
        assert_eq!((!deck(6)).to_string(), "♣3 ♣4 ♣5 ♣6");
    }

    #[test]
    fn the_moon_turns_the_scores_around() {
        let mut round = Round::deal(4, Options::default(), &mut rng::stream(1, 0));
        round.points = [0, 26, 0, 0, 0, 0];
        assert_eq!(round.scores()[..4], [26, 0, 26, 26]);
        assert_eq!(round.value(1), 26.0);
        round.points = [1, 25, 0, 0, 0, 0];
        assert_eq!(round.scores()[..4], [1, 25, 0, 0]);
    }
}
