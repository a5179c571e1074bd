//! The facts of a trick that a card counter goes by.

use tricks::{Card, Cards, Round, Suit};

/// The table as the player to act sees it. The cards in the other hands are known only all together, except those that
/// were taken openly.
pub(super) struct Sight<'a, R> {
    pub round: &'a R,
    pub legal: Cards,
    /// The hand of the player to act.
    pub own: Cards,
    /// The cards in all other hands together, and those of the pool.
    pub out: Cards,
    seat: usize,
}

impl<'a, R: Round> Sight<'a, R> {
    /// The sight of the player to act.
    pub fn new(round: &'a R, legal: Cards) -> Sight<'a, R> {
        let seat = round.to_act().unwrap_or(0);
        Sight {
            round,
            legal,
            own: round.hand(seat),
            // Three quarters of the pool will be in other hands.
            out: round.other_hands() | round.pool(),
            seat,
        }
    }

    /// The number of own cards of a suit.
    pub fn length(&self, suit: Suit) -> i32 {
        (self.own & Cards::suit(suit)).len() as i32
    }

    /// The number of cards of a suit in the other hands.
    pub fn left(&self, suit: Suit) -> i32 {
        (self.out & Cards::suit(suit)).len() as i32
    }

    /// The number of cards in the other hands that beat a card.
    pub fn higher(&self, card: Card) -> i32 {
        (self.out & Cards::above(card)).len() as i32
    }

    /// The number of cards in the other hands that a card beats.
    pub fn lower(&self, card: Card) -> i32 {
        (self.out & Cards::below(card)).len() as i32
    }

    /// Whether no card in another hand beats a card, so that it wins if it is led.
    pub fn is_master(&self, card: Card) -> bool {
        self.higher(card) == 0
    }

    /// The own cards that are masters.
    pub fn masters(&self) -> Cards {
        filter(self.own, |card| self.is_master(card))
    }

    /// Whether the player leads the trick.
    pub fn leads(&self) -> bool {
        self.round.trick().is_empty()
    }

    /// Whether the player cannot follow suit.
    pub fn throws(&self) -> bool {
        let led = self.round.trick().led();
        led.is_some_and(|led| self.own.first_of(led).is_none())
    }

    /// All seats except that of the player to act.
    pub fn others(&self) -> impl Iterator<Item = usize> {
        let own = self.seat;
        (0..self.round.players()).filter(move |&seat| seat != own)
    }

    /// The seats that play to the trick after this one.
    pub fn later(&self) -> impl Iterator<Item = usize> {
        let (trick, players) = (self.round.trick(), self.round.players());
        let leader = trick.leader();
        (trick.len() + 1..players).map(move |place| (leader + place) % players)
    }

    /// Whether nobody plays to the trick after this player.
    pub fn is_last(&self) -> bool {
        self.later().next().is_none()
    }

    /// Whether a legal card would be the highest of the trick so far.
    pub fn wins(&self, card: Card) -> bool {
        let best = self.round.trick().best(self.round.players());
        best.is_none_or(|best| Cards::above(best).contains(card))
    }

    /// Whether a legal card wins the trick whatever the players after this one hold.
    pub fn takes(&self, card: Card) -> bool {
        let mut later = self.later();
        self.wins(card) && !later.any(|seat| self.beats(seat, card) > 0.0)
    }

    /// The chance that a legal card wins the trick if everybody after this player beats it where possible.
    pub fn chance(&self, card: Card) -> f64 {
        if !self.wins(card) {
            return 0.0;
        }
        let missed = self.later().map(|seat| 1.0 - self.beats(seat, card));
        missed.product()
    }

    /// The chance that a seat holds a card that beats this one.
    fn beats(&self, seat: usize, card: Card) -> f64 {
        self.holds(seat, Cards::above(card))
    }

    /// The chance that another seat holds at least one of these cards. All hidden cards are equally likely to be in each
    /// hand, except suits that the seat did not follow.
    pub fn holds(&self, seat: usize, cards: Cards) -> f64 {
        let shown = self.round.shown(seat);
        if !(shown & cards).is_empty() {
            return 1.0;
        }
        let others = self.others();
        let all_shown = others.fold(Cards::EMPTY, |all, other| all | self.round.shown(other));
        let hidden = self.out - all_shown;
        let wanted = ((hidden & cards) - self.round.out_of(seat)).len();
        // A player who acts later in this trick has as many cards as this one.
        let size = self.own.len().saturating_sub(shown.len());
        // The hand gets its hidden cards one by one: the chance that none of them is wanted.
        let total = hidden.len();
        let missed = (0..size.min(total)).map(|drawn| {
            let free = total.saturating_sub(wanted + drawn);
            free as f64 / (total - drawn) as f64
        });
        1.0 - missed.product::<f64>()
    }
}

/// The cards with a property.
pub(super) fn filter(cards: Cards, is_wanted: impl Fn(Card) -> bool) -> Cards {
    cards.into_iter().filter(|&card| is_wanted(card)).collect()
}

/// The rank of a card, for weighted sums.
pub(super) fn rank(card: Card) -> i32 {
    i32::from(card.rank())
}
