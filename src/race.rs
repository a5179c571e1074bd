//! The race to finish: how soon one player can bring everyone home while the others stand still.
//!
//! Without draws that is a puzzle with one solver, answered exactly by iterative deepening on the
//! number of actions (Korf 1985) with an admissible bound and a table of positions that failed.
//! With draws it is a chance: exact for the rest of the turn, and estimated from below, by a
//! policy that fetches cards, for the rest of the turn and the next.

use super::rules::{Action, ActionList, Cards, Game, Place, Track};
use super::search::OwnTurn;
use engine::rng::{self, Random};
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
/// beyond that the greedy way (the rearmost pirate first, as far as a card carries it) stands.
pub fn sprint(game: &Game, track: &Track, seat: usize, hand: Cards, nodes: u32) -> Sprint {
    let mut finder = Finder {
        game,
        seat,
        others: others(track, seat),
        nodes,
        failed: HashMap::new(),
    };
    let line = greedy(game, *track, seat, hand);
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

/// The rearmost pirate first, each time with the card that carries it farthest.
fn greedy(game: &Game, mut track: Track, seat: usize, mut hand: Cards) -> Option<Vec<Action>> {
    let mut line = Vec::new();
    while !track.is_home(seat) {
        let from = track.pirates(seat)[0];
        let (to, _, symbol) = hand
            .symbols()
            .map(|s| (track.advance(&game.board, from, s), hand.count(s), s))
            .max()?;
        line.push(Action::Advance { from, to, symbol });
        hand = hand.without(symbol);
        track.step(seat, from, to);
    }
    Some(line)
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

/// The chance to bring everyone home within the turn, played for nothing else: exact, every draw
/// counted, as far as the pool's chances are.
pub fn within_turn(game: &Game, own: &OwnTurn) -> f64 {
    let view = &own.view;
    let (track, seat) = (&view.track, view.seat);
    if track.is_home(seat) {
        return 1.0;
    }
    let out = track.pirates_each() - track.home(seat);
    let left = usize::from(super::rules::ACTIONS_A_TURN.saturating_sub(view.taken));
    if out > left {
        return 0.0;
    }
    let mut list = ActionList::new();
    game.actions(track, seat, view.hand, &mut list);
    let mut best = 0.0;
    for action in list {
        let home = action.places().is_some_and(|(_, to)| to == track.boat());
        if out == left && !home {
            continue;
        }
        let count = match action {
            Action::Retreat { to, .. } => view.draws(to),
            _ => 0,
        };
        let outcomes = own.pool.outcomes(view.discards, count);
        let value = outcomes
            .iter()
            .map(|&(drawn, chance)| chance * within_turn(game, &own.after(action, drawn)))
            .sum();
        best = f64::max(best, value);
        if best >= 1.0 {
            break;
        }
    }
    best
}

/// An estimate of a chance.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Estimate {
    /// The mean.
    pub chance: f64,
    /// Its standard error; 0 where the chance is certain.
    pub error: f64,
}

/// The chance to bring everyone home within this turn and the next own one, the others standing
/// still in between, estimated from below: a policy fetches cards until the hand suffices, and
/// what is left in the last turn is counted exactly.
pub fn within_two_turns(game: &Game, own: &OwnTurn, samples: u32, random: &mut Random) -> Estimate {
    let view = &own.view;
    let out = view.track.pirates_each() - view.track.home(view.seat);
    let left = view.actions_left() + super::rules::ACTIONS_A_TURN;
    if out > usize::from(left) {
        return Estimate {
            chance: 0.0,
            error: 0.0,
        };
    }
    let (mut sum, mut squares) = (0.0, 0.0);
    let n = f64::from(samples.max(1));
    for _ in 0..samples.max(1) {
        let chance = fetch_then_finish(game, *own, random);
        sum += chance;
        squares += chance * chance;
    }
    let chance = sum / n;
    Estimate {
        chance,
        error: ((squares / n - chance * chance).max(0.0) / n).sqrt(),
    }
}

/// One sample: draws until the own next turn, then the exact chance.
fn fetch_then_finish(game: &Game, mut own: OwnTurn, random: &mut Random) -> f64 {
    loop {
        let (view, left) = (&own.view, own.view.actions_left());
        let line = greedy(game, view.track, view.seat, view.hand);
        if line.is_some_and(|line| line.len() as u8 <= left + super::rules::ACTIONS_A_TURN) {
            return 1.0;
        }
        let mut list = ActionList::new();
        game.actions(&view.track, view.seat, view.hand, &mut list);
        let Some(&action) = list.iter().max_by_key(|action| promise(&own, **action)) else {
            own.view.taken = 0;
            return within_turn(game, &own);
        };
        let count = match action {
            Action::Retreat { to, .. } => view.draws(to),
            _ => 0,
        };
        let mut at = rng::unit(random);
        let outcomes = own.pool.outcomes(view.discards, count);
        let drawn = outcomes.iter().find(|(_, chance)| {
            at -= chance;
            at < 0.0
        });
        let drawn = drawn.or(outcomes.last()).map_or(Cards::NONE, |o| o.0);
        own = own.after(action, drawn);
        if left == 1 {
            own.view.taken = 0;
            return within_turn(game, &own);
        }
    }
}

/// How much nearer home an action seems to bring, in places: a card is worth as much as it may
/// carry, a pirate that comes home needs none any more.
fn promise(own: &OwnTurn, action: Action) -> i32 {
    const CARD: i32 = 9;
    let view = &own.view;
    match action {
        Action::Advance { from, to, .. } => {
            let home = i32::from(to == view.track.boat());
            i32::from(to - from) - CARD + home * CARD / 2
        }
        Action::Retreat { from, to } => CARD * i32::from(view.draws(to)) - i32::from(from - to),
        Action::Pass => 0,
    }
}

#[cfg(test)]
mod tests;
