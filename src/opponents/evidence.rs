//! What the decisions of one player say of its hand, for each style of hoarder.
//!
//! What a hoarder thinks of an action depends on its hand by the number of cards alone. So where it collects, an
//! action says that it held no card it would rather have played ([`Evidence::cost`]), and that its hand did not
//! suffice to go home; where it goes home, that its hand did ([`Evidence::unlike`]).

use super::history::Decision;
use super::{HOARDERS, Hoarder};
use crate::evaluation::Afterstate;
use crate::rules::{Action, ActionList, Cards, Game, SYMBOLS, Symbol};

/// The latest decisions of each player that are kept: one bit each.
const KEPT: usize = u128::BITS as usize;
/// Actions in a row with which a player may be going home, so that whole hands are asked.
pub(super) const LATEST: usize = 2;

/// The decisions of one player, and what they say.
#[derive(Debug)]
pub(super) struct Evidence {
    pub decisions: Vec<Decision>,
    /// Whether there was a reshuffle in the game.
    pub reshuffled: bool,
    /// What could have been done, for each decision.
    choices: Vec<Choices>,
    /// From this decision on the player may be going home.
    home: usize,
    /// For each style and symbol the decisions at which no card of it was held, as bits.
    absent: [[u128; SYMBOLS]; HOARDERS.len()],
}

/// What could have been done instead of an action.
#[derive(Clone, Copy, Debug)]
struct Choices {
    /// For each hoarder the symbols of which it would rather have played a card, as bits; none if it would not have
    /// acted so with any hand.
    rather: [Option<u8>; HOARDERS.len()],
    /// Retreats, and advances with each symbol.
    retreats: u8,
    advances: [u8; SYMBOLS],
}

impl Evidence {
    /// By the decisions of a seat, in order.
    pub fn new(game: &Game, mut decisions: Vec<Decision>, reshuffled: bool) -> Evidence {
        let forgotten = decisions.len().saturating_sub(KEPT);
        decisions.drain(..forgotten);
        let choices: Vec<Choices> = decisions
            .iter()
            .map(|decision| Choices::of(game, decision))
            .collect();
        let retreat = |decision: &Decision| decision.action.card().is_none();
        let home = decisions.iter().rposition(retreat);
        let home = home.map_or(0, |last| last + 1);
        let mut absent = [[0; SYMBOLS]; HOARDERS.len()];
        for (number, choices) in choices[..home].iter().enumerate() {
            for (absent, rather) in absent.iter_mut().zip(choices.rather) {
                for symbol in Symbol::ALL {
                    if rather.unwrap_or_default() >> symbol.index() & 1 == 1 {
                        absent[symbol.index()] |= 1 << number;
                    }
                }
            }
        }
        Evidence {
            decisions,
            reshuffled,
            choices,
            home,
            absent,
        }
    }

    /// At how many decisions from one on, and before another one, a hoarder would have played a card of this
    /// symbol instead.
    pub fn cost(&self, hoarder: usize, symbol: Symbol, from: u8, until: u8) -> u32 {
        let absent = self.absent[hoarder][symbol.index()];
        (absent & bits(from, until)).count_ones()
    }

    /// How many of the latest decisions are not those of a hoarder with these hands, the last decision's first.
    pub fn unlike(&self, hoarder: usize, game: &Game, hands: &[Cards; LATEST]) -> u32 {
        let mut unlike = 0;
        let latest = self.decisions.iter().enumerate().rev();
        for ((number, decision), &hand) in latest.zip(hands) {
            if decision.action.card().is_none() {
                let before = Afterstate {
                    hand,
                    ..decision.before
                };
                unlike += u32::from(HOARDERS[hoarder].sprint(game, &before).is_some());
                break;
            }
            unlike += u32::from(!self.chooses(hoarder, game, number, hand));
        }
        unlike
    }

    /// Whether a hoarder takes the action of a decision with a hand with which it was possible. A player that
    /// retreats later on is taken not to be going home.
    pub fn chooses(&self, hoarder: usize, game: &Game, number: usize, hand: Cards) -> bool {
        let decision = &self.decisions[number];
        if number < self.home {
            let held = hand
                .symbols()
                .fold(0, |held, symbol| held | 1 << symbol.index());
            return self.choices[number].rather[hoarder].is_some_and(|rather| rather & held == 0);
        }
        let before = Afterstate {
            hand,
            ..decision.before
        };
        let mut legal = ActionList::new();
        game.actions(&before.track, before.seat, hand, &mut legal);
        HOARDERS[hoarder].choose(game, &before, &legal) == decision.action
    }

    /// Legal actions at a decision with a hand.
    pub fn legal(&self, number: usize, hand: Cards) -> u32 {
        let Choices {
            retreats, advances, ..
        } = self.choices[number];
        let advances = hand
            .symbols()
            .map(|symbol| u32::from(advances[symbol.index()]));
        u32::from(retreats) + advances.sum::<u32>()
    }
}

impl Choices {
    fn of(game: &Game, decision: &Decision) -> Choices {
        let hand = Symbol::ALL.into_iter().fold(Cards::NONE, Cards::with);
        let mut before = Afterstate {
            hand,
            ..decision.before
        };
        before.hand_sizes[before.seat] = hand.total();
        let mut legal = ActionList::new();
        game.actions(&before.track, before.seat, hand, &mut legal);
        let mut choices = Choices {
            rather: HOARDERS
                .map(|hoarder| rather(&hoarder, game, &before, &legal, decision.action)),
            retreats: 0,
            advances: [0; SYMBOLS],
        };
        for action in &legal {
            match action.card() {
                Some(symbol) => choices.advances[symbol.index()] += 1,
                None => choices.retreats += 1,
            }
        }
        choices
    }
}

/// The symbols, as bits, of which a collecting hoarder would rather have played a card; none if the action is not
/// its choice with any hand. All that is possible with some hand is legal.
fn rather(
    hoarder: &Hoarder,
    game: &Game,
    before: &Afterstate,
    legal: &ActionList,
    taken: Action,
) -> Option<u8> {
    let place = legal.iter().position(|&action| action == taken)?;
    // What a card is worth in the hand is the same for all of them.
    let worth = |action: Action| hoarder.worth(game, &before.then(action));
    let least = worth(taken);
    let mut better = 0;
    for (other, &action) in legal.iter().enumerate() {
        let worth = worth(action);
        if worth > least || worth == least && other < place {
            let symbol = action.card().filter(|&card| Some(card) != taken.card())?;
            better |= 1 << symbol.index();
        }
    }
    Some(better)
}

/// The bits from one on and before another one.
fn bits(from: u8, until: u8) -> u128 {
    let below = |bit: u8| match u32::from(bit) {
        u128::BITS.. => u128::MAX,
        bit => (1 << bit) - 1,
    };
    below(until) & !below(from)
}
