//! The race to finish: how soon one player can bring all pirates home with the hand alone, while the
//! others stand still. A *way home* is a sequence of advances that puts all of the player's pirates on the boat.
//!
//! [`greedy`] gives one way at once, not always the shortest; evaluations use it. [`sprint`] finds the shortest way
//! by iterative deepening on the number of actions (IDA*; Korf 1985, "Depth-first iterative-deepening"): a
//! depth-first search with a limit of n actions, where n begins at a lower bound and grows by one. The first n that succeeds
//! is the least. A branch is cut off where the bound of the actions still needed exceeds those left; it is
//! admissible (never too high), so that no way is lost. A table holds positions that failed. [`Chances`] counts on
//! draws as well.

mod chances;
#[cfg(test)]
pub(crate) mod tests;

pub use chances::Chances;

use super::rules::{Action, ActionList, Cards, Game, Place, Symbol, Track};
use std::collections::HashMap;

/// The least number of actions to come home with a hand alone, or the bounds that were found for it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sprint {
    /// A lower bound on the number of actions; one more than the cards of the hand if it is proved that the hand
    /// does not suffice.
    pub least: u8,
    /// The shortest way that was found, of advances only.
    pub line: Option<Vec<Action>>,
}

impl Sprint {
    /// Whether the line is proved to be the shortest, or it is proved that there is none.
    pub fn is_exact(&self, hand: Cards) -> bool {
        match &self.line {
            Some(line) => line.len() == usize::from(self.least),
            None => self.least > hand.total(),
        }
    }

    /// The number of turns that the line takes from a turn with `left` actions left. This turn counts as one: 5
    /// actions with 1 left take 3 turns (1, 3 and 1 actions). None without a line.
    pub fn turns(&self, left: u8) -> Option<u8> {
        let actions = self.line.as_ref()?.len() as u8;
        Some(
            1 + actions
                .saturating_sub(left)
                .div_ceil(super::rules::ACTIONS_A_TURN),
        )
    }
}

/// Finds the shortest way home with the hand alone, looking at no more than `nodes` positions. If these do not
/// suffice the line is that of [`greedy`], if that comes home, and `least` only a bound.
pub fn sprint(game: &Game, track: &Track, seat: usize, hand: Cards, nodes: u32) -> Sprint {
    let mut finder = Finder {
        game,
        seat,
        others: others(track, seat),
        nodes,
        failed: HashMap::new(),
    };
    // The greedy way is an upper bound: only shorter ways are searched for.
    let mut way = greedy(game, *track, seat, hand);
    let line: Vec<Action> = way.by_ref().collect();
    let line = way.is_home().then_some(line);
    let most = line.as_ref().map_or(hand.total() + 1, |l| l.len() as u8);
    let mut least = finder.bound(track, hand);
    while least < most {
        let mut found = Vec::new();
        match finder.solve(track, hand, least, &mut found) {
            // The nodes are used up. It is proved that fewer than `least` actions do not suffice, and nothing more.
            None => return Sprint { least, line },
            Some(true) => {
                // The recursion adds the actions on its way back, the last one first.
                found.reverse();
                let line = Some(found);
                return Sprint { least, line };
            }
            Some(false) => least += 1,
        }
    }
    // Nothing shorter than the greedy way, or no way at all.
    Sprint { least: most, line }
}

/// An iterator over the advances of a player who plays the hand out greedily, as if nobody else moved: always the
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

/// Plays a hand out greedily. If several symbols lead onto the boat, the one with the most cards is played, and the
/// last in their order among equals.
pub fn greedy(
    game: &Game,
    track: Track,
    seat: usize,
    hand: Cards,
) -> Greedy<'_, impl Fn(u8, Symbol) -> (u8, u8)> {
    greedy_with(game, track, seat, hand, |held, symbol| (held, symbol as u8))
}

/// As [`greedy`], but if several symbols lead onto the boat, the one is played for which `prefer` gives the largest
/// value. Its arguments are the number of the symbol's cards in the hand, and the symbol.
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
        // Pirates are sorted from the rear. Different symbols can lead to the same place only on the boat, so that
        // `rank` decides there and nowhere else.
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

/// Searches for ways home of one player while the others stand still.
struct Finder<'a> {
    game: &'a Game,
    seat: usize,
    /// The spaces on which other players' pirates stand, as a mask.
    others: u128,
    /// The number of positions that may still be looked at.
    nodes: u32,
    /// For each position the largest number of actions that is known not to suffice.
    failed: HashMap<u128, u8>,
}

impl Finder<'_> {
    /// A lower bound on the number of actions that bring everyone home; one more than the cards of the hand if they
    /// cannot be enough.
    ///
    /// A pirate that is *out*, not yet on the boat, needs one card if a single card can carry it to the boat, else at
    /// least two. A card carries it there if all spaces ahead with the card's symbol are occupied. Other players stand
    /// still, so the spaces that they leave free must be occupied by own pirates that are out, one for each space.
    /// With n pirates out there are n − 1 besides the moving one. So a single card can be enough only if at most
    /// n − 1 such spaces are free. For example, with two pirates out a hat can carry one of them home past one free hat
    /// space, on which the other may stand by then, but not past two.
    fn bound(&self, track: &Track, hand: Cards) -> u8 {
        let boat = track.boat();
        let out = track.pirates_each() - track.home(self.seat);
        let direct = |from: Place| {
            // The places after `from`, without the boat. The shift leaves ones on bits 0 to `from`; `!` inverts
            // them, which leaves ones on the bits after `from`.
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

    /// Whether `left` actions suffice; none once the nodes are used up. If they do, `line` receives the actions, the
    /// last one first.
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
        // A position that failed with as many actions or more fails again. Orders of the same cards meet here.
        let key = self.key(track, hand);
        if self.failed.get(&key).is_some_and(|&failed| failed >= left) {
            return Some(false);
        }
        self.nodes = self.nodes.checked_sub(1)?;
        let mut list = ActionList::new();
        self.game.actions(track, self.seat, hand, &mut list);
        list.retain(|action| action.card().is_some());
        // Long jumps first: they leave least to do, so that a way is found sooner if there is one.
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

    /// The own pirates and the hand, exactly: 12 numbers of 7 bits. Nothing else changes in this race.
    fn key(&self, track: &Track, hand: Cards) -> u128 {
        let places = track.pirates(self.seat).iter();
        let key = places.fold(0, |key, &place| key << 7 | u128::from(place));
        let counts = hand.counts();
        counts.iter().fold(key, |key, &n| key << 7 | u128::from(n))
    }
}
