//! Where all pirates stand, and where a card or a retreat takes one of them.
//!
//! [`Track`] is the part of a state that a search copies and changes most, so its questions are answered by a few
//! operations on bit masks.

use super::board::{Board, CELL, Place};
use super::mask::Mask;
use super::symbol::{Cards, Symbol};

/// The most players a game has.
pub const MAX_PLAYERS: usize = 6;
/// The most pirates a player can have. In the contest's game every player has this many; the exact
/// solver's small games have fewer.
pub const MAX_PIRATES: usize = 6;
/// The most pirates that the rules allow on one space.
const MAX_ON_SPACE: usize = 3;

/// The places of all pirates.
///
/// It holds each player's places, sorted from the rear, and three masks: the spaces with at least one, two and three
/// pirates. The three bits of a space count its pirates in unary: two pirates are 1, 1, 0. So the empty spaces are
/// `!at_least[0]`, and the spaces to retreat to, with one or two pirates, are `at_least[0] & !at_least[2]`. A jump is a
/// mask and a bit scan.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Track {
    places: [[Place; MAX_PIRATES]; MAX_PLAYERS],
    /// Bit `p` of `at_least[k]`: more than `k` pirates stand on space `p`. Never the cell or boat.
    at_least: [u128; MAX_ON_SPACE],
    players: u8,
    pirates: u8,
    boat: Place,
}

impl Track {
    /// The start of a game: every pirate is in the cell.
    ///
    /// # Panics
    /// If there are more than [`MAX_PLAYERS`] players or [`MAX_PIRATES`] pirates, or none.
    pub fn start(board: &Board, players: usize, pirates: usize) -> Track {
        assert!((1..=MAX_PLAYERS).contains(&players), "{players} players");
        assert!((1..=MAX_PIRATES).contains(&pirates), "{pirates} pirates");
        Track {
            places: [[CELL; MAX_PIRATES]; MAX_PLAYERS],
            at_least: [0; MAX_ON_SPACE],
            players: players as u8,
            pirates: pirates as u8,
            boat: board.boat(),
        }
    }

    #[inline]
    pub fn players(&self) -> usize {
        self.players as usize
    }

    /// Number of pirates each player has.
    #[inline]
    pub fn pirates_each(&self) -> usize {
        self.pirates as usize
    }

    #[inline]
    pub fn boat(&self) -> Place {
        self.boat
    }

    /// A player's pirates, sorted from the rear.
    #[inline]
    pub fn pirates(&self, player: usize) -> &[Place] {
        &self.places[player][..self.pirates as usize]
    }

    /// The different places of a player's pirates, from the rear.
    #[inline]
    pub fn places(&self, player: usize) -> impl Iterator<Item = Place> + '_ {
        let pirates = self.pirates(player);
        pirates
            .iter()
            .enumerate()
            .filter(|&(i, place)| i == 0 || pirates[i - 1] != *place)
            .map(|(_, &place)| place)
    }

    /// How many of a player's pirates are on the boat.
    #[inline]
    pub fn home(&self, player: usize) -> usize {
        let boat = self.boat;
        self.pirates(player).iter().filter(|&&p| p == boat).count()
    }

    /// Whether all of a player's pirates are on the boat.
    #[inline]
    pub fn is_home(&self, player: usize) -> bool {
        // The places are sorted, so the first one is that of the rearmost pirate.
        self.places[player][0] == self.boat
    }

    /// The sum, over a player's pirates, of the places that they still have to go to the boat.
    #[inline]
    pub fn pips(&self, player: usize) -> u32 {
        let boat = u32::from(self.boat);
        self.pirates(player)
            .iter()
            .map(|&p| boat - u32::from(p))
            .sum()
    }

    /// Spaces with at least one, two and three pirates, as masks; the cell and boat are in none.
    #[inline]
    pub fn occupancy(&self) -> [u128; MAX_ON_SPACE] {
        self.at_least
    }

    /// How many pirates, anyone's, stand on a space (at most 3; 0 for the cell and the boat).
    #[inline]
    pub fn pirates_on(&self, place: Place) -> u8 {
        self.at_least
            .iter()
            .map(|mask| (mask >> place) as u8 & 1)
            .sum()
    }

    /// The number of cards that a retreat to `to` draws: one for each pirate there, or fewer if pile and
    /// discards together have fewer.
    #[inline]
    pub fn draws(&self, to: Place, pile: u8, discards: Cards) -> u8 {
        self.pirates_on(to)
            .min(pile.saturating_add(discards.total()))
    }

    /// Where a card of `symbol` takes a pirate from `from`: the first empty space ahead with that
    /// symbol, else the boat. `from` must not be the boat.
    #[inline]
    pub fn advance(&self, board: &Board, from: Place, symbol: Symbol) -> Place {
        // The empty spaces with the symbol, and the boat, which the masks never count. So there always is a next place.
        let open = board.reach(symbol) & !self.at_least[0];
        // If the boat's bit is below 64, one machine word holds all places, with half the work.
        if self.boat < 64 {
            u64::narrow(open).next(from)
        } else {
            open.next(from)
        }
    }

    /// The places a retreat can lead to, as a mask: spaces that hold one or two pirates.
    #[inline]
    pub fn retreats(&self) -> u128 {
        self.at_least[0] & !self.at_least[2]
    }

    /// Where a pirate retreats to from `from`: the nearest space behind with one or two pirates.
    #[inline]
    pub fn retreat(&self, from: Place) -> Option<Place> {
        if self.boat < 64 {
            u64::narrow(self.retreats()).last_before(from)
        } else {
            self.retreats().last_before(from)
        }
    }

    /// Moves one of a player's pirates to any place, even against the rules: for records of games with mistakes.
    ///
    /// # Panics
    /// If the player has no pirate on `from` or `to` lies beyond the boat.
    pub fn relocate(&mut self, player: usize, from: Place, to: Place) {
        assert!(to <= self.boat, "place {to} lies beyond the boat");
        self.resort(player, from, to);
        // Such a record may put a fourth pirate on a space. The masks cannot count it, and would show two pirates after
        // one of the four has left. So they are counted again from the places.
        self.rebuild();
    }

    /// Moves a pirate as the rules do: forward to an empty space or the boat, or back to a space
    /// that holds one or two. Cheaper than [`Track::relocate`], and wrong for any other move.
    ///
    /// # Panics
    /// If the player has no pirate on `from`.
    #[inline]
    pub fn step(&mut self, player: usize, from: Place, to: Place) {
        self.resort(player, from, to);
        self.leave(from);
        self.enter(to);
    }

    /// Replaces `from` by `to` among a player's places and keeps them sorted.
    #[inline]
    fn resort(&mut self, player: usize, from: Place, to: Place) {
        let pirates = &mut self.places[player][..self.pirates as usize];
        let mut i = pirates
            .iter()
            .position(|&p| p == from)
            .expect("the player has a pirate there");
        // One step of an insertion sort: the places between old and new move over by one.
        while i + 1 < pirates.len() && pirates[i + 1] < to {
            pirates[i] = pirates[i + 1];
            i += 1;
        }
        while i > 0 && pirates[i - 1] > to {
            pirates[i] = pirates[i - 1];
            i -= 1;
        }
        pirates[i] = to;
    }

    /// Takes one pirate of a place out of the masks.
    #[inline]
    fn leave(&mut self, place: Place) {
        let bit = 1u128 << place;
        let [one, two, three] = self.at_least;
        // The highest mask that has the bit loses it: 1, 1, 0 becomes 1, 0, 0. The cell and the boat have no bits.
        self.at_least = [one & !(bit & !two), two & !(bit & !three), three & !bit];
    }

    /// Adds one pirate on a place to the masks; a fourth changes nothing.
    #[inline]
    fn enter(&mut self, place: Place) {
        if place == CELL || place == self.boat {
            return;
        }
        let bit = 1u128 << place;
        // The lowest mask without the bit gets it: 1, 0, 0 becomes 1, 1, 0.
        let [one, two, three] = self.at_least;
        self.at_least = [one | bit, two | (one & bit), three | (two & bit)];
    }

    /// Counts all masks anew from the places.
    fn rebuild(&mut self) {
        self.at_least = [0; MAX_ON_SPACE];
        for player in 0..self.players() {
            for i in 0..self.pirates_each() {
                self.enter(self.places[player][i]);
            }
        }
    }
}
