//! Evidence about the hand of one player from its decisions, for each kind of hoarder. `inference` weighs styles by
//! it, and `hands` samples hands that fit it.
//!
//! A collecting hoarder values an action by the *number* of its cards, not by their symbols. So its
//! ranking of all actions is known without its hand, and the action it took says two things: it held no
//! card of an action that it ranks higher ([`Evidence::cost`]), and its hand did not suffice to go home. If
//! it goes home, the action says that its hand did suffice ([`Evidence::unlike`]).
//!
//! For example, a hoarder that ranks `0 7 hat`, `5 2` and `0 3 gun` in this order, and takes `5 2`, held no
//! hat; whether it held a gun stays open. If it takes `0 3 gun`, no hand explains that: the retreat is legal
//! with every hand and better.
//!
//! To find out whether a hand suffices takes a simulation with the whole hand, so this is done for the latest
//! decisions only. The decisions up to the last retreat become bit masks, one bit for each decision, and a card's
//! cost is a count of bits.

use super::history::Decision;
use super::{HOARDERS, Hoarder};
use crate::evaluation::Afterstate;
use crate::rules::{Action, ActionList, Cards, Game, SYMBOLS, Symbol};

/// How many of the latest decisions of each player are kept: one bit each.
const KEPT: usize = u128::BITS as usize;
/// How many of the latest decisions are checked with whole hands, as the player may be going home.
pub(super) const LATEST: usize = 2;

/// The decisions of one player, and their evidence about its hands.
#[derive(Debug)]
pub(super) struct Evidence {
    pub decisions: Vec<Decision>,
    /// Whether there was a reshuffle in the game.
    pub reshuffled: bool,
    /// The alternatives at each decision.
    choices: Vec<Choices>,
    /// From this decision on the player may be going home: all later ones are advances.
    home: usize,
    /// For each hoarder and symbol the decisions at which it cannot have held such a card, as bits.
    absent: [[u128; SYMBOLS]; HOARDERS.len()],
}

/// The alternatives to an action.
#[derive(Clone, Copy, Debug)]
struct Choices {
    /// For each hoarder the symbols that it would rather have played, as bits; `None` if it would not have taken
    /// the action with any hand.
    rather: [Option<u8>; HOARDERS.len()],
    /// The number of legal retreats, and of advances that a card of each symbol allows.
    retreats: u8,
    advances: [u8; SYMBOLS],
}

impl Evidence {
    /// The evidence of a seat's decisions, given in order. `reshuffled` says whether the game had a reshuffle.
    pub fn new(game: &Game, mut decisions: Vec<Decision>, reshuffled: bool) -> Evidence {
        let forgotten = decisions.len().saturating_sub(KEPT);
        decisions.drain(..forgotten);
        let choices: Vec<Choices> = decisions
            .iter()
            .map(|decision| Choices::of(game, decision))
            .collect();
        // On the way home a hoarder only advances. So the decisions up to the last retreat are supposed to be
        // collecting ones, and only the advances since then may be the way home.
        let retreat = |decision: &Decision| decision.action.card().is_none();
        let home = decisions.iter().rposition(retreat);
        let home = home.map_or(0, |last| last + 1);
        let mut absent = [[0; SYMBOLS]; HOARDERS.len()];
        for (number, choices) in choices[..home].iter().enumerate() {
            for (absent, rather) in absent.iter_mut().zip(choices.rather) {
                for symbol in Symbol::ALL {
                    // An action that no hand explains says nothing about the hand: there the player did not act as a
                    // hoarder does.
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

    /// The number of decisions from `from` on and before `until` at which a hoarder with a card of this symbol
    /// would have played it instead.
    pub fn cost(&self, hoarder: usize, symbol: Symbol, from: u8, until: u8) -> u32 {
        let absent = self.absent[hoarder][symbol.index()];
        (absent & bits(from, until)).count_ones()
    }

    /// How many of the latest decisions a hoarder would not have taken with these hands. `hands` begins with the hand
    /// at the last decision, then comes the one before.
    pub fn unlike(&self, hoarder: usize, game: &Game, hands: &[Cards; LATEST]) -> u32 {
        let mut unlike = 0;
        let latest = self.decisions.iter().enumerate().rev();
        for ((number, decision), &hand) in latest.zip(hands) {
            // A retreat shows that the hand did not suffice to go home. Its choice among the other actions, and all
            // earlier decisions, are counted by `cost`.
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

    /// Whether a hoarder with this hand takes the action of the decision. The hand must allow the action. A
    /// player that retreats later on is supposed to be collecting.
    pub fn chooses(&self, hoarder: usize, game: &Game, number: usize, hand: Cards) -> bool {
        let decision = &self.decisions[number];
        if number < self.home {
            // While collecting, the masks answer for any hand.
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

    /// The number of legal actions at a decision with this hand.
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
    /// The alternatives at a decision, for any hand.
    fn of(game: &Game, decision: &Decision) -> Choices {
        // One card of each symbol makes every action legal that is legal with some hand.
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

/// The symbols, as bits, that a collecting hoarder would rather have played; `None` if it would not take the
/// action with any hand. `legal` must have every action that is legal with some hand.
fn rather(
    hoarder: &Hoarder,
    game: &Game,
    before: &Afterstate,
    legal: &ActionList,
    taken: Action,
) -> Option<u8> {
    let place = legal.iter().position(|&action| action == taken)?;
    // The worth has a fixed amount for each card in the hand, so another hand size shifts all actions alike
    // and leaves their order.
    let worth = |action: Action| hoarder.worth(game, &before.then(action));
    let least = worth(taken);
    let mut better = 0;
    for (other, &action) in legal.iter().enumerate() {
        let worth = worth(action);
        // A hoarder takes the first of the best in the list.
        if worth > least || worth == least && other < place {
            // A better retreat needs no card, and a better advance with the played symbol could use that very card:
            // either was possible, so no hand explains the action.
            let symbol = action.card().filter(|&card| Some(card) != taken.card())?;
            better |= 1 << symbol.index();
        }
    }
    Some(better)
}

/// The bits from bit `from` on and before bit `until`.
fn bits(from: u8, until: u8) -> u128 {
    let below = |bit: u8| match u32::from(bit) {
        u128::BITS.. => u128::MAX,
        bit => (1 << bit) - 1,
    };
    below(until) & !below(from)
}
