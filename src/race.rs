//! The race to finish: how soon one player can bring all pirates home with the hand alone, while the
//! others stand still.
//!
//! [`greedy`] plays the hand out at once, as evaluations do. [`sprint`] finds the shortest way by
//! iterative deepening on the number of actions (Korf 1985) with an admissible bound and a table of
//! positions that failed. [`Chances`] counts on draws too.

mod chances;
#[cfg(test)]
mod tests;

pub use chances::Chances;

use super::rules::{Action, ActionList, Cards, Game, Place, Symbol, Track};
use std::collections::HashMap;

/// What is known of the least number of actions to come home with a hand alone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sprint {
    /// No fewer actions do. More than the hand holds if the hand cannot do it.
    pub least: u8,
    /// The shortest way found, advances only.
    pub line: Option<Vec<Action>>,
}

impl Sprint {
    /// Whether the line is proved to be shortest, or none to exist.
    pub fn is_exact(&self, hand: Cards) -> bool {
        match &self.line {
            Some(line) => line.len() == usize::from(self.least),
            None => self.least > hand.total(),
        }
    }

    /// The number of turns the line takes from a turn with `left` actions left, at least 1: this
    /// turn counts as one.
    pub fn turns(&self, left: u8) -> Option<u8> {
        let actions = self.line.as_ref()?.len() as u8;
        Some(
            1 + actions
                .saturating_sub(left)
                .div_ceil(super::rules::ACTIONS_A_TURN),
        )
    }
}

/// Finds the shortest way home with the hand alone, looking at no more than `nodes` positions;
/// beyond that the [`greedy`] way stands.
pub fn sprint(game: &Game, track: &Track, seat: usize, hand: Cards, nodes: u32) -> Sprint {
    let mut finder = Finder {
        game,
        seat,
        others: others(track, seat),
        nodes,
        failed: HashMap::new(),
    };
    let mut way = greedy(game, *track, seat, hand);
    let line: Vec<Action> = way.by_ref().collect();
    let line = way.is_home().then_some(line);
    let most = line.as_ref().map_or(hand.total() + 1, |l| l.len() as u8);
    let mut least = finder.bound(track, hand);
    while least < most {
        let mut found = Vec::new();
        match finder.solve(track, hand, least, &mut found) {
            None => return Sprint { least, line },
            Some(true) => {
                found.reverse();
                let line = Some(found);
                return Sprint { least, line };
            }
            Some(false) => least += 1,
        }
    }
    Sprint { least: most, line }
}

/// The advances of a player who plays the hand out greedily, as if nobody else moved: always the
/// rearmost pirate, with the card that carries it farthest, until all are home or no card is left.
#[derive(Clone, Debug)]
pub struct Greedy<'a, P> {
    game: &'a Game,
    /// Where the pirates are after the advances so far.
    pub track: Track,
    seat: usize,
    hand: Cards,
    prefer: P,
}

/// Plays a hand out greedily; of several symbols that lead onto the boat the one held most is
/// played, the last in their order among equals.
pub fn greedy(
    game: &Game,
    track: Track,
    seat: usize,
    hand: Cards,
) -> Greedy<'_, impl Fn(u8, Symbol) -> (u8, u8)> {
    greedy_with(game, track, seat, hand, |held, symbol| (held, symbol as u8))
}

/// As [`greedy`], but of several symbols that lead onto the boat the one is played for which
/// `prefer` gives the most, from the number of its cards in the hand and the symbol.
pub fn greedy_with<P: Fn(u8, Symbol) -> (u8, u8)>(
    game: &Game,
    track: Track,
    seat: usize,
    hand: Cards,
    prefer: P,
) -> Greedy<'_, P> {
    Greedy {
        game,
        track,
        seat,
        hand,
        prefer,
    }
}

impl<P> Greedy<'_, P> {
    /// Whether the advances so far have brought all pirates home.
    pub fn is_home(&self) -> bool {
        self.track.is_home(self.seat)
    }
}

impl<P: Fn(u8, Symbol) -> (u8, u8)> Iterator for Greedy<'_, P> {
    type Item = Action;

    fn next(&mut self) -> Option<Action> {
        if self.is_home() {
            return None;
        }
        let from = self.track.pirates(self.seat)[0];
        let target = |symbol| self.track.advance(&self.game.board, from, symbol);
        let rank = |symbol| (self.prefer)(self.hand.count(symbol), symbol);
        let symbols = self.hand.symbols();
        let choices = symbols.map(|symbol| (target(symbol), rank(symbol), symbol));
        let (to, _, symbol) = choices.max_by_key(|&(to, rank, _)| (to, rank))?;
        self.hand = self.hand.without(symbol);
        self.track.step(self.seat, from, to);
        Some(Action::Advance { from, to, symbol })
    }
}

/// The spaces on which other players' pirates stand, as a mask.
fn others(track: &Track, seat: usize) -> u128 {
    let places = |player| track.pirates(player).iter();
    (0..track.players())
        .filter(|&player| player != seat)
        .flat_map(places)
        .fold(0, |mask, &place| mask | 1 << place)
}

struct Finder<'a> {
    game: &'a Game,
    seat: usize,
    others: u128,
    nodes: u32,
    /// By position: so many actions do not suffice.
    failed: HashMap<u128, u8>,
}

impl Finder<'_> {
    /// No fewer actions bring everyone home.
    ///
    /// A pirate needs one card, and two unless a card can carry it over all spaces ahead with its
    /// symbol: those must be taken then, by others, who stand still, or by own pirates, of which
    /// each takes one.
    fn bound(&self, track: &Track, hand: Cards) -> u8 {
        let boat = track.boat();
        let out = track.pirates_each() - track.home(self.seat);
        let direct = |from: Place| {
            let ahead = !(u128::MAX >> (127 - from)) & !(1 << boat);
            hand.symbols().any(|symbol| {
                let open = self.game.board.reach(symbol) & ahead & !self.others;
                (open.count_ones() as usize) < out
            })
        };
        let pirates = track.pirates(self.seat).iter().filter(|&&p| p != boat);
        let cards = pirates.map(|&p| if direct(p) { 1 } else { 2 }).sum();
        if cards > hand.total() {
            hand.total() + 1
        } else {
            cards
        }
    }

    /// Whether `left` actions suffice, and the actions from the last to the first; none once the
    /// nodes are used up.
    fn solve(
        &mut self,
        track: &Track,
        hand: Cards,
        left: u8,
        line: &mut Vec<Action>,
    ) -> Option<bool> {
        if track.is_home(self.seat) {
            return Some(true);
        }
        if self.bound(track, hand) > left.min(hand.total()) {
            return Some(false);
        }
        let key = self.key(track, hand);
        if self.failed.get(&key).is_some_and(|&failed| failed >= left) {
            return Some(false);
        }
        self.nodes = self.nodes.checked_sub(1)?;
        let mut list = ActionList::new();
        self.game.actions(track, self.seat, hand, &mut list);
        list.retain(|action| action.card().is_some());
        // Long jumps first: they leave least to do.
        list.sort_by_key(|action| {
            let (from, to) = action.places().unwrap_or_default();
            std::cmp::Reverse(to.saturating_sub(from))
        });
        for action in list {
            if let Action::Advance { from, to, symbol } = action {
                let mut next = *track;
                next.step(self.seat, from, to);
                if self.solve(&next, hand.without(symbol), left - 1, line)? {
                    line.push(action);
                    return Some(true);
                }
            }
        }
        self.failed.insert(key, left);
        Some(false)
    }

    fn key(&self, track: &Track, hand: Cards) -> u128 {
        let places = track.pirates(self.seat).iter();
        let key = places.fold(0, |key, &place| key << 7 | u128::from(place));
        let counts = hand.counts();
        counts.iter().fold(key, |key, &n| key << 7 | u128::from(n))
    }
}
