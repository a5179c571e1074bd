//! Tricky Eights as a match plays it.

use super::Contest;
use crate::eights::player::Baseline;
use crate::eights::rules::{Round, SEATS};
use crate::eights::view::View;
use crate::random::Random;
use crate::tricks::{MAX_PLAYERS, Round as _};

/// Tricky Eights.
#[derive(Clone, Copy, Debug)]
pub struct Eights;

impl Contest for Eights {
    type View = View;
    type Policy = Baseline;

    /// Always for four; the dealer rotates with the number of the deal.
    fn deal(&self, _players: usize, number: u64, random: &mut Random) -> (Round, Vec<View>) {
        let round = Round::deal((number % SEATS as u64) as usize, random);
        let views = (0..SEATS).map(|seat| View::of(&round, seat)).collect();
        (round, views)
    }

    fn scores(&self, round: &Round) -> [u8; MAX_PLAYERS] {
        std::array::from_fn(|seat| if seat < SEATS { round.points(seat) } else { 0 })
    }

    fn policy(&self, name: &str) -> Result<Baseline, String> {
        name.parse().map_err(|error| format!("{error}"))
    }

    fn playout(&self) -> Baseline {
        Baseline::Counter
    }

    fn names(&self) -> &'static str {
        "search, random, high or counter"
    }
}
