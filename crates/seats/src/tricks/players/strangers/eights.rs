//! Five strangers for Tricky Eights. All count the cards that are gone; they differ in what they make of it. A *master*
//! is a card that no card in another hand beats.

use super::sight::{Sight, filter, rank};
use tricks::card::EIGHT;
use tricks::{Card, Cards, Round, Suit, best_card};

/// A stranger for Tricky Eights.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EightsStranger {
    /// Takes the highest card of the pool. It leads its masters as soon as it can, first those of suits in which many
    /// cards are left, and then low from its longest suit. It takes every trick that nobody can take from it, as cheaply
    /// as possible, and risks nothing for another. An eight goes to a trick that it takes itself, or is kept.
    CashMasters,
    /// Takes high cards of its longest suit from the pool. It leads low from suits in which others are stronger, so that
    /// they spend their high cards, and keeps its masters for rich tricks and for the end: it leads them when they are as
    /// many as the tricks still to come, or one fewer. Before that it wins a plain trick with cheap cards only. For a
    /// rich trick it risks a card that only one card beats. If it cannot take a trick, an eight goes to it when the player
    /// with the fewest points is winning.
    SaveMasters,
    /// Takes high cards from the pool, and eights of suits in which it has the ace or king. If another hand has the
    /// eight of a suit, it leads its masters there, to draw the eight, and avoids the suit otherwise. For a trick with an
    /// eight it plays its highest card, sure or not. It takes a plain trick, with its cheapest card, only if it is last
    /// or nobody else has an eight. Its own eights stay in the hand until they win or must be played.
    HuntEights,
    /// Plans one suit: the one in which its cards outnumber and outrank those in the other hands. It takes this suit from
    /// the pool and leads it at every turn: a master if the others may run out of the suit, else the card below its
    /// masters, to draw the higher cards out. Masters of other suits are entries: it keeps them until the planned suit
    /// runs, and takes the lead with them then.
    RunSuit,
    /// Values each legal card. The chance to win the trick, counted from the cards in the other hands, is multiplied by
    /// the trick's points and the worth of the next lead. The worth of the card in later tricks is subtracted, and for an
    /// eight its points times the chance to lose it.
    WeighChances,
}

/// The value of a card that breaks a rule, below that of all cards that keep it.
const NEVER: i32 = -1000;

impl EightsStranger {
    /// The strangers by name.
    pub const NAMED: [(&'static str, EightsStranger); 5] = [
        ("cash-masters", EightsStranger::CashMasters),
        ("save-masters", EightsStranger::SaveMasters),
        ("hunt-eights", EightsStranger::HuntEights),
        ("run-suit", EightsStranger::RunSuit),
        ("weigh-chances", EightsStranger::WeighChances),
    ];

    /// The card that the player to act takes or plays; at least one card must be legal. The cards in the other hands
    /// count only all together.
    pub fn choose(self, round: &impl Round, legal: Cards) -> Card {
        let sight = &Sight::new(round, legal);
        match self {
            EightsStranger::CashMasters => cash_masters(sight),
            EightsStranger::SaveMasters => save_masters(sight),
            EightsStranger::HuntEights => hunt_eights(sight),
            EightsStranger::RunSuit => run_suit(sight),
            EightsStranger::WeighChances => weigh_chances(sight),
        }
    }
}

/// 1 for an eight, else 0.
fn eight(card: Card) -> i32 {
    i32::from(card.rank() == EIGHT)
}

/// The number of eights of a suit in the other hands: 1 or 0.
fn eights_out<R: Round>(sight: &Sight<R>, suit: Suit) -> i32 {
    i32::from(sight.out.contains(Card::new(suit, EIGHT)))
}

/// The cheapest of the cards that win, an eight before all others because its points are won with it. None if `winners`
/// is empty.
fn cheapest(winners: Cards) -> Option<Card> {
    winners.first()?;
    Some(best_card(winners, |card| 20 * eight(card) - rank(card)))
}

/// The card that is missed least: no eight, no master, low.
fn useless<R: Round>(sight: &Sight<R>) -> Card {
    let is_master = |card| i32::from(sight.is_master(card));
    best_card(sight.legal, |card| {
        -rank(card) - 40 * eight(card) - 20 * is_master(card)
    })
}

fn cash_masters<R: Round>(sight: &Sight<R>) -> Card {
    let Sight { round, legal, .. } = *sight;
    if round.taking() {
        return best_card(legal, |card| 15 * rank(card) + sight.length(card.suit()));
    }
    if sight.leads() {
        return best_card(legal, |card| match sight.is_master(card) {
            true => 100 + 10 * eights_out(sight, card.suit()) + sight.left(card.suit()),
            false => 4 * sight.length(card.suit()) - rank(card) - 40 * eight(card),
        });
    }
    cheapest(filter(legal, |card| sight.takes(card))).unwrap_or_else(|| useless(sight))
}

fn save_masters<R: Round>(sight: &Sight<R>) -> Card {
    let Sight { round, legal, .. } = *sight;
    if round.taking() {
        return best_card(legal, |card| rank(card) + 2 * sight.length(card.suit()));
    }
    let masters = sight.masters();
    let runs = masters.len() + 1 >= sight.own.len();
    // A plain middle trick has one point: an eight in it, or the first or last trick, make it rich.
    let is_rich = round.stake() > 1;
    if sight.leads() {
        return best_card(legal, |card| {
            let suit = Cards::suit(card.suit());
            match masters.contains(card) {
                true if runs || is_rich => 100 + sight.left(card.suit()),
                true => -50 - rank(card),
                false if (masters & suit).is_empty() => -rank(card) - 40 * eight(card),
                false => -20 - rank(card) - 40 * eight(card),
            }
        });
    }
    let is_cheap = |card: Card| rank(card) < 9 || is_rich || runs;
    let sure = filter(legal, |card| sight.takes(card) && is_cheap(card));
    if let Some(card) = cheapest(sure) {
        return card;
    }
    let risked = filter(legal, |card| {
        is_rich && sight.wins(card) && sight.higher(card) == 1
    });
    if let Some(card) = risked.last() {
        return card;
    }
    let fewest = (0..round.players()).map(|seat| round.points(seat)).min();
    let is_harmless = Some(round.points(round.trick().winner())) == fewest;
    let lost = filter(legal, |card| eight(card) == 1 && !sight.wins(card));
    match lost.first() {
        Some(given) if is_harmless && sight.higher(given) > 0 => given,
        _ => useless(sight),
    }
}

fn hunt_eights<R: Round>(sight: &Sight<R>) -> Card {
    let Sight { round, legal, .. } = *sight;
    if round.taking() {
        // An eight is safe beside a high card of its suit.
        return best_card(legal, |card| {
            let is_covered = sight
                .own
                .last_of(card.suit())
                .is_some_and(|top| rank(top) > 10);
            2 * rank(card) + 9 * eight(card) * i32::from(is_covered)
        });
    }
    let masters = sight.masters();
    if sight.leads() {
        let is_end = masters.len() + 1 >= sight.own.len();
        return best_card(legal, |card| {
            let hunted = eights_out(sight, card.suit());
            match masters.contains(card) {
                true if hunted == 1 || is_end => 200 - sight.left(card.suit()),
                true => 20,
                false => sight.length(card.suit()) - rank(card) - 40 * hunted - 60 * eight(card),
            }
        });
    }
    let sure = filter(legal, |card| sight.takes(card));
    let winners = filter(legal, |card| sight.wins(card));
    let led = round.trick().led();
    let may_come = led.is_some_and(|suit| eights_out(sight, suit) == 1);
    let is_rich = round.stake() > 1;
    let is_over = (sight.out & Cards::rank(EIGHT)).is_empty();
    if is_rich || sight.is_last() || may_come || is_over {
        if let Some(card) = cheapest(sure) {
            return card;
        }
        // The highest card has the best chance, and is worth it for three points.
        if let (true, Some(card)) = (is_rich, winners.last()) {
            return card;
        }
    }
    // An eight that wins for certain brings its own points.
    cheapest(filter(sure, |card| eight(card) == 1)).unwrap_or_else(|| useless(sight))
}

/// The suit in which the own cards outnumber and outrank the others' most.
fn planned<R: Round>(sight: &Sight<R>) -> Suit {
    let value = |suit: Suit| {
        let own = sight.own & Cards::suit(suit);
        let beaten: i32 = own.into_iter().map(|card| sight.higher(card).min(3)).sum();
        6 * own.len() as i32 - sight.left(suit) - beaten
    };
    // The first of equal suits, so that the plan stays the same.
    let better = |best, suit| {
        if value(suit) > value(best) {
            suit
        } else {
            best
        }
    };
    Suit::ALL.into_iter().fold(Suit::Clubs, better)
}

fn run_suit<R: Round>(sight: &Sight<R>) -> Card {
    let Sight { round, legal, .. } = *sight;
    let plan = planned(sight);
    if round.taking() {
        return best_card(legal, |card| {
            2 * rank(card) + 8 * i32::from(card.suit() == plan)
        });
    }
    let masters = sight.masters();
    let suit = sight.own & Cards::suit(plan);
    // The suit runs once all of its cards win, one after the other.
    let top = (suit & masters).len() as i32;
    let runs = top > 0 && top >= sight.left(plan).div_euclid(2).min(suit.len() as i32);
    if sight.leads() {
        let entry = (legal & masters) - suit;
        return match (suit & masters).last().filter(|_| runs) {
            Some(card) => card,
            None if !suit.is_empty() => {
                // Eights stay back, since the higher cards that are drawn would take them.
                best_card(suit, |card| match masters.contains(card) {
                    true => NEVER,
                    false => rank(card) - 40 * eight(card),
                })
            }
            None => entry.last().unwrap_or_else(|| useless(sight)),
        };
    }
    let sure = filter(legal, |card| sight.takes(card));
    // Entries outside the planned suit are kept until they lead to something.
    let is_entry = |card: Card| masters.contains(card) && card.suit() != plan;
    let wanted = filter(sure, |card| {
        runs || !is_entry(card) || round.stake() > 1 || sight.is_last()
    });
    cheapest(wanted).unwrap_or_else(|| {
        // Cards of the planned suit are the last to be thrown away.
        let planned = |card: Card| 15 * i32::from(card.suit() == plan && sight.throws());
        let is_master = |card| 20 * i32::from(masters.contains(card));
        best_card(legal, |card| {
            -rank(card) - 40 * eight(card) - planned(card) - is_master(card)
        })
    })
}

/// The worth of a card in the hand, in points: its chance to win a trick of its suit sooner or later. Each higher card
/// in another hand halves this chance, but the longer the own suit and the shorter the others' suit, the more of these
/// cards fall before.
fn worth_kept<R: Round>(sight: &Sight<R>, card: Card) -> f64 {
    let own_above = (sight.own & Cards::above(card)).len() as i32;
    let fall = own_above.min(sight.left(card.suit()));
    let beaten = (sight.higher(card) - fall).max(0);
    let wins = (0..beaten).fold(1.0, |chance, _| chance / 2.0);
    // A master has this worth in any later trick of its suit; an eight brings its own points too.
    wins * (1.0 + 2.0 * f64::from(eight(card)))
}

fn weigh_chances<R: Round>(sight: &Sight<R>) -> Card {
    /// The worth of the next lead for each own master, in points.
    const LEAD: f64 = 0.05;
    let Sight { round, legal, .. } = *sight;
    let thousandths = |points: f64| (1000.0 * points) as i32;
    if round.taking() {
        return best_card(legal, |card| {
            let long = 0.1 * f64::from(sight.length(card.suit()));
            // A point less for an eight, as it may be lost.
            thousandths(worth_kept(sight, card) + long - f64::from(eight(card)))
        });
    }
    let led = round.trick().led();
    let masters = sight.masters();
    best_card(legal, |card| {
        let own_eight = 2.0 * f64::from(eight(card));
        let suit = led.unwrap_or(card.suit());
        let eight_of_suit = Cards::from(Card::new(suit, EIGHT));
        let come: f64 = sight
            .later()
            .map(|seat| sight.holds(seat, eight_of_suit))
            .sum();
        // Others keep the eight if they can.
        let trick = f64::from(round.stake()) + own_eight + come.min(1.0) * 0.6;
        let next = LEAD * (masters - card.into()).len() as f64;
        let chance = sight.chance(card);
        let lost_eight = own_eight * (1.0 - chance);
        thousandths(chance * (trick + next) - lost_eight - worth_kept(sight, card))
    })
}
