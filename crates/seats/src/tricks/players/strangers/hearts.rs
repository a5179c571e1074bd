//! Five strangers for Hearts. A *penalty* is a heart or the queen of spades. While the queen of spades is in another
//! hand, the ace and king of spades are *catchers*: they may take it.

use super::sight::{Sight, filter, rank};
use hearts::rules::{BLACK_QUEEN, penalties};
use tricks::card::QUEEN;
use tricks::{Card, Cards, Round, Suit, best_card};

/// A stranger for Hearts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HeartsStranger {
    /// Ducks, and keeps its low cards for the end. While nobody has played a suit yet everybody can probably follow, so
    /// it leads and plays its highest clubs and diamonds then. Afterwards it plays the highest card that loses, and leads
    /// its lowest. It passes and throws by rank, with the high spades first.
    StayLow,
    /// Ducks, and keeps an exit in every suit: a card so low that somebody will have to beat it. It gets rid of catchers
    /// on spade tricks that already passed the queen by, and throws them before hearts. Without spades from the queen up
    /// it leads spades, to drive the queen out. It throws the high cards of suits in which it has no exit.
    KeepExits,
    /// Counts for each suit how many cards are left and who has shown a void. It plays high where no player after it can
    /// be expected to be void, and low where one is. It prefers short suits for leads and when it throws, to be void
    /// itself.
    CountVoids,
    /// Tries to shoot the moon while nobody else has a point and almost all of its cards win: it then takes every trick
    /// and throws its losers. Otherwise it ducks. If one other player has all points so far, at least four, it takes
    /// a trick of one to four points itself, and throws no penalties on that player's tricks.
    TryMoon,
    /// Values each legal card by the points that it costs: the chance to take the trick, counted from the cards in the
    /// other hands, times the points in it and those to be expected. The danger of the card in later tricks is
    /// subtracted, since that danger is gone.
    WeighRisks,
}

impl HeartsStranger {
    /// The strangers by name.
    pub const NAMED: [(&'static str, HeartsStranger); 5] = [
        ("stay-low", HeartsStranger::StayLow),
        ("keep-exits", HeartsStranger::KeepExits),
        ("count-voids", HeartsStranger::CountVoids),
        ("try-moon", HeartsStranger::TryMoon),
        ("weigh-risks", HeartsStranger::WeighRisks),
    ];

    /// The card that the player to act passes or plays; at least one card must be legal. The cards in the other hands
    /// count only all together.
    pub fn choose(self, round: &impl Round, legal: Cards) -> Card {
        let sight = &Sight::new(round, legal);
        match self {
            HeartsStranger::StayLow => stay_low(sight),
            HeartsStranger::KeepExits => keep_exits(sight),
            HeartsStranger::CountVoids => count_voids(sight),
            HeartsStranger::TryMoon => try_moon(sight),
            HeartsStranger::WeighRisks => weigh_risks(sight),
        }
    }
}

/// 1 if a statement is true, else 0.
fn one(is_so: bool) -> i32 {
    i32::from(is_so)
}

/// Whether a card is the ace or king of spades while the queen is in another hand.
fn catches<R: Round>(sight: &Sight<R>, card: Card) -> bool {
    sight.out.contains(BLACK_QUEEN) && Cards::above(BLACK_QUEEN).contains(card)
}

/// The points of a penalty.
fn points(card: Card) -> i32 {
    13 * one(card == BLACK_QUEEN) + one(card.suit() == Suit::Hearts)
}

/// The highest card that loses the trick, the queen of spades before all others. If every card wins it so far, the
/// highest for the last player, who takes the trick anyway, and the lowest for the others.
fn duck<R: Round>(sight: &Sight<R>) -> Card {
    let losers = filter(sight.legal, |card| !sight.wins(card));
    if !losers.is_empty() {
        return best_card(losers, |card| rank(card) + 20 * one(card == BLACK_QUEEN));
    }
    let sign = if sight.is_last() { 1 } else { -1 };
    best_card(sight.legal, |card| sign * rank(card) - 20 * points(card))
}

fn stay_low<R: Round>(sight: &Sight<R>) -> Card {
    let Sight { round, legal, .. } = *sight;
    let high_spade = |card: Card| one(card.suit() == Suit::Spades && card.rank() >= QUEEN);
    if round.passing() {
        return best_card(legal, |card| rank(card) + 5 * high_spade(card));
    }
    let is_fresh = |suit: Suit| {
        let is_clean = matches!(suit, Suit::Clubs | Suit::Diamonds);
        let all = sight.length(suit) + sight.left(suit);
        let dealt = round.deck() & Cards::suit(suit);
        let on_table = round.trick().cards() & Cards::suit(suit);
        is_clean && all as usize + on_table.len() == dealt.len()
    };
    if sight.leads() {
        return best_card(legal, |card| match is_fresh(card.suit()) {
            true => 50 + rank(card),
            false => -rank(card) - 20 * points(card).min(2),
        });
    }
    if sight.throws() {
        return best_card(legal, |card| {
            let catcher = one(catches(sight, card));
            rank(card) + 50 * one(card == BLACK_QUEEN) + 20 * catcher + 3 * points(card).min(1)
        });
    }
    let is_clean = (round.trick().cards() & penalties()).is_empty();
    let led = round.trick().led().unwrap_or(Suit::Hearts);
    match is_clean && is_fresh(led) {
        true => best_card(legal, rank),
        false if is_clean && sight.is_last() => best_card(legal, |card| {
            rank(card) - 50 * one(card == BLACK_QUEEN && sight.wins(card))
        }),
        false => duck(sight),
    }
}

/// Whether the own hand has a card of the suit that hardly anything in the other hands loses to.
fn has_exit<R: Round>(sight: &Sight<R>, suit: Suit) -> bool {
    let lowest = sight.own.first_of(suit);
    lowest.is_none_or(|card| sight.lower(card) <= 1 && sight.higher(card) > 0)
}

fn keep_exits<R: Round>(sight: &Sight<R>) -> Card {
    let Sight {
        round, legal, own, ..
    } = *sight;
    let spades = own & Cards::suit(Suit::Spades);
    let guards = (spades & Cards::below(BLACK_QUEEN)).len() as i32;
    // The danger of a card in the hand: high cards, more so without a low card below them.
    let danger = |card: Card| {
        let spade = one(card.suit() == Suit::Spades && card.rank() >= QUEEN);
        let lonely = 5 * one(!has_exit(sight, card.suit()));
        rank(card) + lonely + 2 * one(points(card) == 1) + spade * (12 - 3 * guards)
    };
    if round.passing() {
        return best_card(legal, danger);
    }
    if sight.leads() {
        let drives =
            sight.out.contains(BLACK_QUEEN) && Cards::above(BLACK_QUEEN) & own == Cards::EMPTY;
        return best_card(legal, |card| {
            let is_spade = card.suit() == Suit::Spades;
            let is_driving = one(drives && is_spade);
            // An exit is led only if others can beat it.
            let beaten = sight.higher(card).min(4) - 3 * sight.lower(card);
            30 * is_driving + beaten + rank(card) * is_driving
                - 30 * one(card == BLACK_QUEEN)
                - 10 * one(catches(sight, card))
        });
    }
    if sight.throws() {
        let catcher = |card| 20 * one(catches(sight, card));
        return best_card(legal, |card| {
            danger(card) + 50 * one(card == BLACK_QUEEN) + catcher(card)
        });
    }
    let cards = round.trick().cards();
    let is_clean = (cards & penalties()).is_empty();
    let passed_by = is_clean && sight.is_last();
    match passed_by {
        // The last player spends a catcher, or any high card, on a trick without points.
        true => best_card(legal, |card| {
            rank(card) - 50 * one(card == BLACK_QUEEN && sight.wins(card))
        }),
        false => duck(sight),
    }
}

/// The number of players after this one who may be expected to throw a card on a suit: those who have shown a void, and
/// one more if so few cards of the suit are left that somebody is probably void.
fn void_later<R: Round>(sight: &Sight<R>, suit: Suit) -> i32 {
    let cards = Cards::suit(suit);
    let shown = |seat: &usize| !(sight.round.out_of(*seat) & cards).is_empty();
    let known = sight.later().filter(shown).count() as i32;
    let following = sight.others().filter(|seat| !shown(seat)).count() as i32;
    // With one card for each on average somebody is void; with two that is unlikely.
    let short = 2 * following - sight.left(suit);
    known + one(short > 0 && following > 0)
}

fn count_voids<R: Round>(sight: &Sight<R>) -> Card {
    let Sight { round, legal, .. } = *sight;
    let short = |card: Card| sight.length(card.suit());
    let queen = |card| one(card == BLACK_QUEEN);
    if round.passing() {
        return best_card(legal, |card| {
            let spade = one(card.suit() == Suit::Spades);
            let high_spade = spade * one(card.rank() >= QUEEN);
            rank(card) - 2 * short(card) - 12 * (spade - high_spade) + 8 * high_spade
        });
    }
    if sight.leads() {
        return best_card(legal, |card| {
            let risk = void_later(sight, card.suit());
            let catcher = 30 * one(catches(sight, card)) + 60 * queen(card);
            match risk {
                0 if card.suit() != Suit::Hearts => 40 + rank(card) - 3 * short(card) - catcher,
                _ => sight.higher(card).min(3) - rank(card) - 5 * risk - catcher,
            }
        });
    }
    if sight.throws() {
        return best_card(legal, |card| {
            let catcher = 40 * one(catches(sight, card));
            // The last card of a suit makes a void, two cards nearly do.
            let voids = 3 * (3 - short(card)).max(0);
            rank(card) + 80 * queen(card) + catcher + voids + 3 * points(card).min(1)
        });
    }
    let led = round.trick().led().unwrap_or(Suit::Hearts);
    let is_clean = (round.trick().cards() & penalties()).is_empty() && led != Suit::Hearts;
    let is_safe = is_clean && (sight.is_last() || void_later(sight, led) == 0);
    match is_safe {
        true => best_card(legal, |card| {
            let caught = one(!sight.is_last() && catches(sight, card));
            rank(card) - 20 * caught - 40 * queen(card) * one(sight.wins(card))
        }),
        false => duck(sight),
    }
}

/// The number of own cards that will probably lose a trick: those that a higher card beats, unless the others have
/// probably run out of the suit by then.
fn losing_cards<R: Round>(sight: &Sight<R>) -> usize {
    let others = sight.round.players() as i32 - 1;
    let loses = |card: Card| {
        let before = (sight.own & Cards::above(card)).len() as i32;
        // The longest other hand has about one card of the suit more than the average.
        let needed = (sight.left(card.suit()) + others - 1).div_euclid(others) + 1;
        !sight.is_master(card) && before < needed
    };
    filter(sight.own, loses).len()
}

/// The seat that has taken all points so far, if it is another one and they are at least four.
fn shooter<R: Round>(sight: &Sight<R>) -> Option<usize> {
    let round = sight.round;
    let taken: u8 = (0..round.players()).map(|seat| round.points(seat)).sum();
    let is_shooter = |seat: &usize| taken >= 4 && round.points(*seat) == taken;
    sight.others().find(is_shooter)
}

/// The card of a player on the way to the moon: it wins the trick, at best for certain, or throws what would lose.
fn shoot<R: Round>(sight: &Sight<R>) -> Card {
    if sight.throws() {
        return best_card(sight.legal, |card| {
            sight.higher(card) - rank(card) - 30 * points(card)
        });
    }
    best_card(sight.legal, |card| {
        let rank = rank(card);
        match (sight.takes(card), sight.wins(card)) {
            // The longest suit first, so that the others run out of it; hearts after the other suits.
            (takes, _) if sight.leads() => {
                50 * one(takes) + sight.length(card.suit()) + rank - 5 * points(card).min(1)
            }
            // A sure card as cheaply as possible, else the best chance.
            (true, _) => 100 - rank,
            (false, true) => 50 + rank,
            (false, false) => -rank,
        }
    })
}

fn try_moon<R: Round>(sight: &Sight<R>) -> Card {
    let Sight {
        round, legal, own, ..
    } = *sight;
    let is_strong = losing_cards(sight) <= 3;
    if round.passing() {
        // With most of a moon in the hand the low cards go.
        let sign = if is_strong { -1 } else { 1 };
        return best_card(legal, |card| sign * (rank(card) + 3 * points(card).min(4)));
    }
    let is_mine = sight.others().all(|seat| round.points(seat) == 0);
    // A heart that loses ends it, so losers may only be of other suits.
    let hearts = own & Cards::suit(Suit::Hearts);
    let is_held = hearts.into_iter().all(|card| sight.higher(card) <= 1);
    if is_mine && is_held && is_strong {
        return shoot(sight);
    }
    let threat = shooter(sight);
    if sight.throws() {
        let is_theirs = threat == Some(round.trick().winner());
        return best_card(legal, |card| {
            let penalty = if is_theirs { -30 } else { 4 };
            let queen = 40 * one(card == BLACK_QUEEN && !is_theirs);
            rank(card) + queen + penalty * points(card).min(1) + 20 * one(catches(sight, card))
        });
    }
    if threat.is_some() && (1..=4).contains(&round.stake()) {
        let stops = filter(legal, |card| sight.wins(card) && card != BLACK_QUEEN);
        // The highest card stops the moon most surely.
        if let Some(card) = stops.last() {
            return card;
        }
    }
    if sight.leads() {
        return best_card(legal, |card| {
            let catcher = 20 * one(catches(sight, card)) + 40 * one(card == BLACK_QUEEN);
            sight.higher(card).min(5) - 2 * sight.lower(card) - catcher
        });
    }
    duck(sight)
}

/// The points to be expected from a player after this one on a trick of a suit.
fn expected<R: Round>(sight: &Sight<R>, seat: usize, suit: Suit) -> f64 {
    let follows = sight.holds(seat, Cards::suit(suit));
    let queen = 13.0 * sight.holds(seat, BLACK_QUEEN.into());
    let heart = sight.holds(seat, Cards::suit(Suit::Hearts));
    let thrown = (1.0 - follows) * (queen + heart).min(13.0);
    thrown
        + match suit {
            Suit::Hearts => follows,
            // The queen comes to a higher spade, or if its owner has no other spade.
            Suit::Spades => 0.6 * queen,
            _ => 0.0,
        }
}

/// The points that a card will probably cost if it is kept: the share of the other hands' cards of its suit that it
/// beats, times what such a trick brings.
fn danger<R: Round>(sight: &Sight<R>, card: Card) -> f64 {
    let (lower, higher) = (sight.lower(card), sight.higher(card));
    let low = Cards::below(card) & sight.own;
    // Each lower card of the suit in the own hand puts the danger off.
    let share = f64::from(lower) / f64::from((lower + higher).max(1)) / (1 + low.len()) as f64;
    let brings = match card.suit() {
        _ if card == BLACK_QUEEN => return 8.0 / (1 + low.len()) as f64,
        Suit::Spades if catches(sight, card) => 8.0,
        Suit::Hearts => 2.0,
        _ => 1.0,
    };
    share * brings
}

/// The chance that a legal card takes the trick if everybody after this player goes below it where possible.
fn stays<R: Round>(sight: &Sight<R>, card: Card) -> f64 {
    if !sight.wins(card) {
        return 0.0;
    }
    let (above, below) = (Cards::above(card), Cards::below(card));
    let forced = |seat| sight.holds(seat, above) * (1.0 - sight.holds(seat, below));
    sight.later().map(|seat| 1.0 - forced(seat)).product()
}

fn weigh_risks<R: Round>(sight: &Sight<R>) -> Card {
    let Sight { round, legal, .. } = *sight;
    let thousandths = |points: f64| (1000.0 * points) as i32;
    if round.passing() {
        return best_card(legal, |card| thousandths(danger(sight, card)));
    }
    let led = round.trick().led();
    let stake = f64::from(round.stake());
    best_card(legal, |card| {
        let suit = led.unwrap_or(card.suit());
        let come: f64 = sight.later().map(|seat| expected(sight, seat, suit)).sum();
        let cost = stays(sight, card) * (stake + f64::from(points(card)) + come);
        thousandths(danger(sight, card) - cost)
    })
}
