//! The rules of a round of Hearts for three to six players. The contest passes no cards; [`Round::with_passing`] adds the
//! usual passing of three cards, for tables and matches that want it.

use std::fmt::{self, Display, Formatter};
use tricks::card::QUEEN;
use tricks::{Card, Cards, Ends, Hands, MAX_PLAYERS, Standing, Suit, Trick, Wins};

/// The points of a round, unless a player shoots the moon.
pub const POINTS: u8 = 26;
/// The points of a player at which a game can end.
pub const GOAL: u32 = 100;
/// The points of the queen of spades.
pub const QUEEN_POINTS: u8 = 13;
/// The card that leads a round.
pub const FIRST_LEAD: Card = Card::new(Suit::Clubs, 0);
/// The queen of spades, with 13 points.
pub const BLACK_QUEEN: Card = Card::new(Suit::Spades, QUEEN);

/// The number of cards that each player passes.
pub const PASSED: usize = 3;

const HEARTS: Cards = Cards::suit(Suit::Hearts);

/// The cards with points: hearts and the queen of spades.
pub fn penalties() -> Cards {
    HEARTS | BLACK_QUEEN.into()
}

/// The rules that differ between servers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    /// Whether penalty cards may not be played to the first trick by a player that has another card.
    pub clean_first_trick: bool,
    /// Whether the last trick is played. If not, a round is over when everybody has one card left.
    pub last_trick: bool,
    /// Whether the leader of the first trick may lack the two of clubs. Referees name its holder; a server of others
    /// may name any player.
    pub any_leader: bool,
}

impl Options {
    /// The original server's rules: points may be played on the first trick, and the last trick is left out.
    pub const ORIGINAL: Options = Options {
        clean_first_trick: false,
        last_trick: false,
        any_leader: false,
    };

    /// The strictest rules, under which every legal card is legal on every server: no points on the first trick
    /// from a hand that has another card.
    pub const STRICT: Options = Options {
        clean_first_trick: true,
        last_trick: true,
        any_leader: false,
    };
}

/// The rules of servers, matches and tables unless others are asked for: every trick is played, and points may
/// be played on the first one, as on the original server.
impl Default for Options {
    fn default() -> Options {
        Options {
            clean_first_trick: false,
            last_trick: true,
            any_leader: false,
        }
    }
}

/// The words in which a referee states its rules.
impl Display for Options {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(match self.last_trick {
            true => "every trick is played and scored",
            false => "the last trick is left out",
        })?;
        f.write_str(match self.clean_first_trick {
            true => "; no points on the first trick from a hand that has another card",
            false => "; points may be played on the first trick",
        })
    }
}

/// The cards used by a number of players from 3 to 6: low clubs above the two are left out until the rest
/// divides evenly.
pub fn deck(players: usize) -> Cards {
    // 52 mod players: 1, 0, 2 and 4 cards for 3 to 6 players.
    let out = 52 % players;
    let low = (1..=out as u8).map(|rank| Card::new(Suit::Clubs, rank));
    Cards::ALL - low.collect()
}

/// How many seats further each player's cards go in a round of a game, by the round's number from 0. That alternates: to
/// the next player (left), to the one before (right), across the table if the number of players is even, and in the
/// last round of the cycle not at all (0). Four players: 1, 3, 2, 0, 1, …; three players: 1, 2, 0, 1, …
pub fn passing(round: u64, players: usize) -> usize {
    let across = players.is_multiple_of(2).then_some(players / 2);
    let cycle: Vec<usize> = [Some(1), Some(players - 1), across, Some(0)]
        .into_iter()
        .flatten()
        .collect();
    cycle[(round % cycle.len() as u64) as usize]
}

/// The cards that players have chosen to pass.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct PassedCards {
    /// How many seats further the cards go; 0 if none are passed.
    by: u8,
    /// The seat that chooses first. The order of seats does not matter, since all choose without seeing the others'
    /// choices.
    first: u8,
    /// The number of cards chosen by all seats together.
    chosen: u8,
    /// By seat, its cards; none where they are not chosen yet, or hidden. A card takes two bytes here, where a set takes
    /// eight: playouts copy rounds often.
    cards: [[Option<Card>; PASSED]; MAX_PLAYERS],
}

impl PassedCards {
    const NONE: PassedCards = PassedCards {
        by: 0,
        first: 0,
        chosen: 0,
        cards: [[None; PASSED]; MAX_PLAYERS],
    };

    /// The seat that chooses next, and how many cards it has chosen; none if no cards are to be chosen.
    #[inline]
    fn next_choice(&self, players: usize) -> Option<(usize, usize)> {
        let chosen = usize::from(self.chosen);
        if self.by == 0 || chosen >= PASSED * players {
            return None;
        }
        // Seats choose one after the other, each all of its cards.
        let seat = (usize::from(self.first) + chosen / PASSED) % players;
        Some((seat, chosen % PASSED))
    }

    /// The cards that a seat has chosen so far, as far as they are known.
    fn of(&self, seat: usize) -> Cards {
        self.cards[seat].iter().copied().flatten().collect()
    }
}

/// A round under way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Round {
    hands: Hands,
    trick: Trick,
    options: Options,
    players: u8,
    /// The number of tricks to come, including the one on the table.
    left: u8,
    /// Whether the first trick is still being played.
    first: bool,
    /// Whether a heart or the queen of spades has been played, so that hearts may be led.
    broken: bool,
    /// The points taken so far, by seat.
    points: [u8; MAX_PLAYERS],
    /// By seat, the suits that were not followed.
    out_of: [Cards; MAX_PLAYERS],
    passing: PassedCards,
    standing: Option<Standing>,
}

impl Round {
    /// A round before the first lead.
    pub fn new(players: usize, leader: usize, hands: Hands, options: Options) -> Round {
        Round {
            hands,
            trick: Trick::new(leader),
            options,
            players: players as u8,
            left: (deck(players).len() / players) as u8 - u8::from(!options.last_trick),
            first: true,
            broken: false,
            points: [0; MAX_PLAYERS],
            out_of: [Cards::EMPTY; MAX_PLAYERS],
            passing: PassedCards::NONE,
            standing: None,
        }
    }

    /// The same round, in which everybody first passes [`PASSED`] cards to the player `by` seats further; 0 passes none.
    /// Then the holder of the two of clubs leads. The round must be before its first lead.
    #[must_use]
    pub fn with_passing(self, by: usize) -> Round {
        let by = by % usize::from(self.players);
        if by == 0 {
            return self;
        }
        Round {
            passing: PassedCards {
                by: by as u8,
                ..PassedCards::NONE
            },
            // Nobody leads before the exchange: the holder of the two of clubs is not known, and may pass it.
            trick: Trick::new(0),
            ..self
        }
    }

    /// The round in which every seat has passed these cards to the player `by` seats further; this one has the hands after
    /// that, and is before its first lead. None if the receivers do not hold the cards, or not [`PASSED`] of each seat.
    pub fn after_passing(self, by: usize, passed: &[Cards]) -> Option<Round> {
        let players = usize::from(self.players);
        if !(1..players).contains(&by) || passed.len() != players {
            return None;
        }
        let mut hands = self.hands;
        for (seat, &cards) in passed.iter().enumerate() {
            let receiver = (seat + by) % players;
            if cards.len() != PASSED || self.hands[receiver] & cards != cards {
                return None;
            }
            hands[receiver] = hands[receiver] - cards;
            hands[seat] = hands[seat] | cards;
        }
        // The exchange is done once more: so there is one way to it.
        let mut round = Round { hands, ..self }.with_passing(by);
        for card in passed.iter().copied().flatten() {
            tricks::Round::act(&mut round, card);
        }
        Some(round)
    }

    /// Everybody has chosen: the cards change hands, and the holder of the two of clubs will lead.
    fn exchange(&mut self) {
        let players = tricks::Round::players(self);
        let before = self.hands;
        for (seat, &hand) in before.iter().enumerate().take(players) {
            let receiver = (seat + usize::from(self.passing.by)) % players;
            for card in hand & self.passing.of(seat) {
                self.hands[seat].remove(card);
                self.hands[receiver].insert(card);
            }
        }
        let holder = self.hands[..players]
            .iter()
            .position(|hand| hand.contains(FIRST_LEAD));
        self.trick = Trick::new(holder.unwrap_or(self.trick.leader()));
    }

    /// The same round as part of a game that ends in this way, with these points before the round.
    #[must_use]
    pub fn after(self, ends: Ends, totals: &[u32]) -> Round {
        let standing = Some(Standing::new(Wins::Fewest, ends, totals));
        Round { standing, ..self }
    }

    /// The cards that the player to act may play under other options.
    pub fn legal_under(&self, options: Options) -> Cards {
        tricks::Round::legal(&Round { options, ..*self })
    }

    /// The same round under other options. It must be before its first lead.
    #[must_use]
    pub fn under(self, options: Options) -> Round {
        let again = Round::new(
            usize::from(self.players),
            self.trick.leader(),
            self.hands,
            options,
        );
        Round {
            standing: self.standing,
            passing: self.passing,
            ..again
        }
    }

    /// Whether a heart or the queen of spades has been played.
    pub fn broken(&self) -> bool {
        self.broken
    }

    /// Whether the first trick is still being played.
    pub fn first(&self) -> bool {
        self.first
    }

    /// The rules in force.
    pub fn options(&self) -> Options {
        self.options
    }

    /// Whether penalty cards may not be thrown on this trick.
    fn clean(&self) -> bool {
        self.first && self.options.clean_first_trick
    }

    /// The cards of a hand that may be led.
    fn lead(&self, hand: Cards) -> Cards {
        // A server may name a leader without the two of clubs: it leads another card.
        if self.first && hand.contains(FIRST_LEAD) {
            return FIRST_LEAD.into();
        }
        // Hearts wait until they are broken, except in a hand of nothing else.
        match hand - HEARTS {
            Cards::EMPTY => hand,
            _ if self.broken => hand,
            others => others,
        }
    }

    /// The cards of a hand that may be played to a lead.
    fn follow(&self, hand: Cards, led: Suit) -> Cards {
        let follow = hand.following(led);
        let discard = (follow & Cards::suit(led)).is_empty();
        // A clean first trick forbids penalty cards to a player that is void, unless it has nothing else.
        if self.clean() && discard {
            let clean = follow - penalties();
            return if clean.is_empty() { follow } else { clean };
        }
        follow
    }
}

impl tricks::Round for Round {
    fn players(&self) -> usize {
        usize::from(self.players)
    }

    #[inline]
    fn to_act(&self) -> Option<usize> {
        if let Some((seat, _)) = self.passing.next_choice(self.players()) {
            return Some(seat);
        }
        (self.left > 0).then(|| self.trick.to_act(self.players()))
    }

    #[inline]
    fn legal(&self) -> Cards {
        // Any three cards may be passed, one after the other.
        if let Some((seat, _)) = self.passing.next_choice(self.players()) {
            return self.hands[seat] - self.passed(seat);
        }
        let hand = self.hands[self.trick.to_act(self.players())];
        match self.trick.led() {
            Some(led) => self.follow(hand, led),
            None => self.lead(hand),
        }
    }

    #[inline]
    fn act(&mut self, card: Card) {
        let players = self.players();
        if let Some((seat, place)) = self.passing.next_choice(players) {
            self.passing.cards[seat][place] = Some(card);
            self.passing.chosen += 1;
            // That was the last card to choose.
            if !self.passing() {
                self.exchange();
            }
            return;
        }
        let Some(seat) = self.to_act() else { return };
        self.hands[seat].remove(card);
        // A discard shows a void for everybody to see.
        if let Some(led) = self.trick.led().filter(|&led| led != card.suit()) {
            self.out_of[seat] = self.out_of[seat] | Cards::suit(led);
        }
        self.trick.play(self.players(), card);
        self.broken |= penalties().contains(card);
        // The stake must be read while the trick's cards are there.
        if self.trick.len() == self.players() {
            let winner = self.trick.winner();
            self.points[winner] += self.stake();
            self.trick = Trick::new(winner);
            self.left -= 1;
            self.first = false;
        }
    }

    fn points(&self, seat: usize) -> u8 {
        self.points[seat]
    }

    /// The points taken. If one player has taken all of them, it has 0 and everybody else 26. If the last
    /// trick is left out, "all" means the points of the tricks that are played.
    fn scores(&self) -> [u8; MAX_PLAYERS] {
        let players = self.players();
        // At least 1, so that a round without any points has no moon.
        let all = match self.options.last_trick {
            true => POINTS,
            false => self.points[..players].iter().sum::<u8>().max(1),
        };
        let Some(moon) = self.points[..players].iter().position(|&p| p == all) else {
            return self.points;
        };
        let mut scores = [0; MAX_PLAYERS];
        for (seat, score) in scores.iter_mut().enumerate().take(players) {
            *score = if seat == moon { 0 } else { POINTS };
        }
        scores
    }

    fn standing(&self) -> Option<Standing> {
        self.standing
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

    fn deck(&self) -> Cards {
        deck(self.players())
    }

    fn trick(&self) -> &Trick {
        &self.trick
    }

    /// Hearts count one point each, the queen of spades 13.
    fn stake(&self) -> u8 {
        let cards = self.trick.cards();
        let queen = if cards.contains(BLACK_QUEEN) {
            QUEEN_POINTS
        } else {
            0
        };
        (cards & HEARTS).len() as u8 + queen
    }

    fn out_of(&self, seat: usize) -> Cards {
        self.out_of[seat]
    }

    #[inline]
    fn passing(&self) -> bool {
        self.passing.next_choice(self.players()).is_some()
    }

    fn passed(&self, seat: usize) -> Cards {
        self.passing.of(seat)
    }

    fn receiver(&self, seat: usize) -> usize {
        (seat + usize::from(self.passing.by)) % self.players()
    }

    /// The round with one seat's hand alone. While cards are passed, the others' choices are hidden, and all choose at the
    /// same time: the seat sees a round in which it chooses first and nobody else has chosen yet.
    fn seen_by(&self, seat: usize) -> Round {
        let mut hands = Hands::default();
        hands[seat] = self.hands[seat];
        let mut passing = PassedCards {
            first: seat as u8,
            chosen: match self.passing() {
                true => self.passed(seat).len() as u8,
                false => self.passing.chosen,
            },
            ..PassedCards::NONE
        };
        passing.by = self.passing.by;
        passing.cards[seat] = self.passing.cards[seat];
        Round {
            hands,
            passing,
            ..*self
        }
    }

    /// The leader of the first trick holds the two of clubs, unless a server names any leader.
    fn not_dealt(&self, seat: usize) -> Cards {
        match seat == self.trick.leader() || self.options.any_leader {
            true => Cards::EMPTY,
            false => FIRST_LEAD.into(),
        }
    }

    /// A leader of the first trick that plays another card does not hold the two of clubs. A heart that is led before
    /// hearts are broken shows a hand of hearts. A penalty card thrown on a clean first trick shows a hand of penalty
    /// cards.
    fn lacked(&self, card: Card) -> Cards {
        match self.trick.led() {
            None => {
                let mut lacked = Cards::EMPTY;
                if self.first && card != FIRST_LEAD {
                    lacked.insert(FIRST_LEAD);
                }
                if card.suit() == Suit::Hearts && !self.broken {
                    lacked = lacked | !HEARTS;
                }
                lacked
            }
            Some(led) if led != card.suit() && self.clean() && penalties().contains(card) => {
                !penalties()
            }
            _ => Cards::EMPTY,
        }
    }
}

/// The winner of a game with these points: the player with the fewest, if any player has [`GOAL`] points or more and
/// no other player has as few.
///
/// ```
/// use hearts::rules::winner;
/// assert_eq!(winner(&[101, 40, 62, 57]), Some(1));
/// assert_eq!(winner(&[101, 40, 62, 40]), None);
/// ```
pub fn winner(totals: &[u32]) -> Option<usize> {
    let least = *totals.iter().min()?;
    let mut leaders = (0..totals.len()).filter(|&seat| totals[seat] == least);
    let leader = leaders.next()?;
    let over = totals.iter().any(|&total| total >= GOAL) && leaders.next().is_none();
    over.then_some(leader)
}

/// The seat that shot the moon in a round with these points: it has 0, and everybody else has 26. In any other
/// round all points together are at most 26.
pub fn moon(points: &[u8]) -> Option<usize> {
    let shooter = points.iter().position(|&points| points == 0)?;
    let mut others = points.iter().enumerate();
    others
        .all(|(seat, &points)| seat == shooter || points == POINTS)
        .then_some(shooter)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::deal;
    use engine::rng::stream;
    use tricks::{Round as _, random_card};

    fn cards(codes: &str) -> Cards {
        let code = |code| Card::from_code(code).unwrap();
        codes.split(' ').map(code).collect()
    }

    /// Gives one seat penalty cards until its hand has nothing else or it has them all; their holders get its
    /// cards.
    fn with_penalties(hands: &Hands, seat: usize) -> Hands {
        let mut hands = *hands;
        for card in penalties() {
            let gone = hands[seat] - penalties();
            let (Some(gone), false) = (gone.first(), hands[seat].contains(card)) else {
                continue;
            };
            for hand in hands.iter_mut().filter(|hand| hand.contains(card)) {
                hand.remove(card);
                hand.insert(gone);
            }
            hands[seat].remove(gone);
            hands[seat].insert(card);
        }
        hands
    }

    /// The cards that a hand may play, in the plainest way: every card that no rule forbids.
    fn allowed(hand: Cards, led: Option<Suit>, first: bool, broken: bool, clean: bool) -> Cards {
        let is_penalty = |card: Card| card.suit() == Suit::Hearts || card == BLACK_QUEEN;
        let all = |law: &dyn Fn(Card) -> bool| hand.into_iter().all(law);
        let may = |card: &Card| match led {
            None if first => *card == FIRST_LEAD,
            None => card.suit() != Suit::Hearts || broken || all(&|c| c.suit() == Suit::Hearts),
            Some(led) if all(&|c| c.suit() != led) => {
                !(first && clean && is_penalty(*card)) || all(&is_penalty)
            }
            Some(led) => card.suit() == led,
        };
        hand.into_iter().filter(may).collect()
    }

    #[test]
    fn the_direction_alternates() {
        let of = |players| {
            (0..5)
                .map(|round| passing(round, players))
                .collect::<Vec<_>>()
        };
        assert_eq!(of(4), [1, 3, 2, 0, 1]);
        assert_eq!(of(3), [1, 2, 0, 1, 2]);
        assert_eq!(of(6), [1, 5, 3, 0, 1]);
    }

    /// Random choices of every number of players in every direction: exactly the chosen cards change hands, nobody sees
    /// more than its own and those it gets, and the two of clubs leads.
    #[test]
    fn passed_cards_change_hands_at_the_end() {
        for game in 0..200 {
            let mut rng = stream(5, game);
            let players = 3 + game as usize % 4;
            let by = 1 + game as usize / 4 % (players - 1);
            let dealt = deal::deal(players, Options::default(), &mut rng);
            let before = dealt.hands();
            let mut round = dealt.with_passing(by);
            let mut chosen = [Cards::EMPTY; MAX_PLAYERS];
            for number in 0..PASSED * players {
                let seat = number / PASSED;
                assert!(round.passing());
                assert_eq!(round.to_act(), Some(seat));
                assert_eq!(
                    round.hands(),
                    before,
                    "nothing moves before all have chosen"
                );
                assert_eq!(round.legal(), before[seat] - chosen[seat]);
                for (viewer, &own) in chosen.iter().enumerate().take(players) {
                    let seen = round.seen_by(viewer);
                    assert_eq!(seen.passed(viewer), own);
                    let hidden = (0..players).filter(|&other| other != viewer);
                    for other in hidden {
                        assert!((seen.hand(other) | seen.passed(other)).is_empty());
                    }
                    // The viewer chooses until it has chosen all its cards, even if others have chosen before it.
                    let turn = if own.len() < PASSED {
                        viewer
                    } else {
                        (viewer + 1) % players
                    };
                    assert_eq!(seen.to_act(), Some(turn));
                }
                let card = random_card(round.legal(), &mut rng);
                chosen[seat].insert(card);
                round.act(card);
            }
            assert!(!round.passing());
            for (seat, &given) in chosen.iter().enumerate().take(players) {
                let got = chosen[(seat + players - by) % players];
                assert_eq!(round.hand(seat), (before[seat] - given) | got);
                assert_eq!(round.giver(round.receiver(seat)), seat);
                let view = tricks::View::new(&round, seat);
                assert_eq!(view.seen().own(), round.hand(seat));
                for other in (0..players).filter(|&other| other != seat) {
                    let may = view.seen().may_hold(other);
                    let known = if other == round.receiver(seat) {
                        given
                    } else {
                        Cards::EMPTY
                    };
                    assert_eq!(
                        may & given,
                        known,
                        "the passed cards are with their receiver"
                    );
                }
                let world = view.worlds().unwrap()(&mut rng);
                let receiver = world.hand(round.receiver(seat));
                assert_eq!(receiver & given, given);
            }
            let leader = round.to_act().unwrap();
            assert!(round.hand(leader).contains(FIRST_LEAD));
            assert_eq!(round.legal(), FIRST_LEAD.into());
        }
    }

    #[test]
    fn moons_are_seen_in_the_points() {
        assert_eq!(moon(&[26, 0, 26, 26]), Some(1));
        assert_eq!(moon(&[26, 26, 0]), Some(2));
        assert_eq!(moon(&[26, 0, 0]), None);
        assert_eq!(moon(&[5, 0, 0, 21]), None);
        assert_eq!(moon(&[1, 4, 8, 13]), None);
    }

    /// Random rounds of every number of players, with the rules written a second time in the simplest way.
    #[test]
    fn rounds_go_by_the_rules() {
        let mut forced = 0;
        for game in 0..160 {
            let mut rng = stream(3, game);
            let players = 3 + game as usize % 4;
            let options = Options {
                clean_first_trick: game / 4 % 2 == 0,
                ..Options::default()
            };
            let mut round = deal::deal(players, options, &mut rng);
            let mut leader = round.trick().leader();
            if game / 8 % 2 == 0 {
                let seat = (leader + 1) % players;
                round = round.with_hands(&with_penalties(&round.hands(), seat));
            }
            assert!(round.hand(leader).contains(FIRST_LEAD));
            assert_eq!((round.players(), round.options()), (players, options));
            assert_eq!(round.deck(), deck(players));
            for seat in 0..players {
                let others = (seat != leader).then_some(FIRST_LEAD);
                assert_eq!(round.not_dealt(seat), others.into_iter().collect());
            }
            let tricks = round.hand(0).len();
            let (mut points, mut broken) = ([0; MAX_PLAYERS], false);
            for trick in 0..tricks {
                let first = trick == 0;
                let mut played: Vec<Card> = Vec::new();
                let worth = |played: &[Card]| -> u8 {
                    let price = |card: &Card| match card.suit() {
                        Suit::Hearts => 1,
                        _ if *card == BLACK_QUEEN => 13,
                        _ => 0,
                    };
                    played.iter().map(price).sum()
                };
                for place in 0..players {
                    let seat = (leader + place) % players;
                    assert_eq!(round.to_act(), Some(seat));
                    assert_eq!((round.first(), round.broken()), (first, broken));
                    assert_eq!(round.stake(), worth(&played));
                    let (hand, led) = (round.hand(seat), played.first().map(|led| led.suit()));
                    let clean = options.clean_first_trick;
                    let legal = allowed(hand, led, first, broken, clean);
                    assert_eq!(round.legal(), legal);
                    let card = random_card(legal, &mut rng);
                    let lacked = round.lacked(card);
                    assert!((hand & lacked).is_empty(), "{card} shows no such hand");
                    // A card shows a lack of those cards with which it could not have been played.
                    for other in !hand & !led.map_or(Cards::EMPTY, Cards::suit) {
                        let with = allowed(hand | other.into(), led, first, broken, clean);
                        let is_shown = !with.contains(card);
                        let is_first_lead = led.is_none() && first;
                        assert!(
                            is_first_lead || lacked.contains(other) == is_shown,
                            "{other}"
                        );
                    }
                    forced += u32::from(first && penalties().contains(card) && clean);
                    round.act(card);
                    let shows = led.filter(|&led| led != card.suit()).map(Cards::suit);
                    let out_of = round.out_of(seat);
                    assert!((shows.unwrap_or_default() - out_of).is_empty());
                    assert!((round.hand(seat) & out_of).is_empty(), "{out_of}");
                    assert_eq!(round.hand(seat), hand - card.into());
                    broken |= penalties().contains(card);
                    played.push(card);
                }
                let follows = |place: &usize| played[*place].suit() == played[0].suit();
                let places = (0..players).filter(follows);
                let best = places.max_by_key(|&place| played[place].rank());
                leader = (leader + best.unwrap()) % players;
                points[leader] += worth(&played);
                assert_eq!(std::array::from_fn(|seat| round.points(seat)), points);
            }
            assert_eq!(points.iter().sum::<u8>(), POINTS);
            assert_eq!(round.to_act(), None);
        }
        assert!(forced > 10, "only {forced} hands of penalty cards alone");
    }

    /// A server may name a leader that does not hold the two of clubs: it leads another card.
    #[test]
    fn who_does_not_hold_the_two_of_clubs_leads_another_card() {
        let mut hands = Hands::default();
        hands[0] = cards("c5 s3 h3");
        let round = Round::new(3, 0, hands, Options::default());
        assert!(round.first());
        assert_eq!(round.legal(), cards("c5 s3"));
        let [club, heart] = ["c5", "h3"].map(|code| Card::from_code(code).unwrap());
        assert_eq!(round.lacked(club), FIRST_LEAD.into());
        assert_eq!(round.lacked(heart), !Cards::suit(Suit::Hearts));
        assert_eq!(round.lacked(FIRST_LEAD), Cards::EMPTY);
    }

    /// A player that wins a first trick without penalty cards, and has only hearts, leads one.
    #[test]
    fn who_has_only_hearts_leads_one_and_shows_it() {
        let mut hands = Hands::default();
        hands[0] = cards("c2 h3");
        hands[1] = cards("d3 s3");
        hands[2] = cards("d4 s4");
        let mut round = Round::new(3, 0, hands, Options::default());
        for card in ["c2", "d3", "d4"] {
            round.act(Card::from_code(card).unwrap());
        }
        assert_eq!((round.to_act(), round.broken()), (Some(0), false));
        let heart = Card::from_code("h3").unwrap();
        assert_eq!(round.legal(), heart.into());
        assert_eq!(round.lacked(heart), !Cards::suit(Suit::Hearts));
        round.act(heart);
        assert!(round.broken());
    }

    #[test]
    fn decks_divide() {
        for (players, size) in [(3, 17), (4, 13), (5, 10), (6, 8)] {
            assert_eq!(deck(players).len(), size * players);
            assert!(deck(players).contains(FIRST_LEAD));
        }
        assert_eq!((!deck(6)).to_string(), "♣3 ♣4 ♣5 ♣6");
    }

    /// The original server's rounds: everybody keeps a card, and a player that alone has points has shot the
    /// moon.
    #[test]
    fn the_last_trick_may_be_left_out() {
        for players in 3..=6 {
            for number in 0..40 {
                let mut rng = stream(8, number);
                let mut round = deal::deal(players, Options::ORIGINAL, &mut rng);
                let mut cards = 0;
                while round.to_act().is_some() {
                    round.act(random_card(round.legal(), &mut rng));
                    cards += 1;
                }
                assert_eq!(cards, deck(players).len() - players);
                let left = round.hands()[..players]
                    .iter()
                    .fold(Cards::EMPTY, |all, &hand| {
                        assert_eq!(hand.len(), 1);
                        all | hand
                    });
                let price = |card: Card| match card {
                    BLACK_QUEEN => QUEEN_POINTS,
                    _ => u8::from(HEARTS.contains(card)),
                };
                let unplayed: u8 = left.into_iter().map(price).sum();
                let taken: u8 = (0..players).map(|seat| round.points(seat)).sum();
                assert_eq!(taken + unplayed, POINTS);
                let sum: usize = round.scores().iter().copied().map(usize::from).sum();
                let takers = (0..players).filter(|&seat| round.points(seat) > 0);
                match takers.count() {
                    1 => assert_eq!(sum, 26 * (players - 1)),
                    _ => assert_eq!(sum, usize::from(taken)),
                }
            }
        }
        let mut round = Round::new(4, 0, Hands::default(), Options::ORIGINAL);
        round.points = [0, 13, 0, 0, 0, 0];
        assert_eq!(round.scores()[..4], [26, 0, 26, 26]);
        round.points = [1, 13, 0, 0, 0, 0];
        assert_eq!(round.scores()[..4], [1, 13, 0, 0]);
    }

    #[test]
    fn the_moon_turns_the_scores_around() {
        let mut round = Round::new(4, 0, Hands::default(), Options::default());
        round.points = [0, 26, 0, 0, 0, 0];
        assert_eq!(round.scores()[..4], [26, 0, 26, 26]);
        round.points = [1, 25, 0, 0, 0, 0];
        assert_eq!(round.scores()[..4], [1, 25, 0, 0]);
    }

    /// The queen of spades breaks hearts: the winner of her trick may lead one.
    #[test]
    fn the_black_queen_breaks_hearts() {
        let mut hands = Hands::default();
        hands[0] = cards("c2 sa h3 d4");
        hands[1] = cards("c5 sq h4 d5");
        hands[2] = cards("ca s3 h5 d6");
        hands[3] = cards("c7 s4 h6 d7");
        let play = |round: &mut Round, codes: &str| {
            for code in codes.split(' ') {
                let card = Card::from_code(code).unwrap();
                assert!(round.legal().contains(card), "{code}");
                round.act(card);
            }
        };
        let mut round = Round::new(4, 0, hands, Options::default());
        play(&mut round, "c2 c5 ca c7 s3 s4 sa");
        assert!(!round.broken());
        let mut kept = round;
        // The queen follows suit: it breaks hearts however it is played.
        play(&mut round, "sq");
        assert!(round.broken());
        assert_eq!((round.to_act(), round.points(0)), (Some(0), QUEEN_POINTS));
        assert_eq!(round.legal(), cards("h3 d4"));
        // With another card in her place only a heart would have broken them.
        kept.hands[1] = cards("s5 h4 d5");
        play(&mut kept, "s5");
        assert!(!kept.broken());
        assert_eq!(kept.legal(), cards("d4"));
        play(&mut kept, "d4 d5 d6 d7");
        assert!(!kept.broken());
        assert_eq!(
            kept.legal(),
            cards("h6"),
            "who has nothing else may lead one"
        );
        play(&mut kept, "h6");
        assert!(kept.broken());
    }
}
