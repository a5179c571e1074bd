//! Tricky Eights as a contest of matches and records.

use super::Contest;
use eights::deal;
use eights::player::Baseline;
use eights::rules::{Round, SEATS};
use engine::rng::Random;
use std::time::Duration;
use tricks::{Cards, Hands};

/// The contest Tricky Eights.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Eights;

impl Contest for Eights {
    type Round = Round;
    type Policy = Baseline;

    const NAME: &'static str = "eights";
    const TITLE: &'static str = "Tricky Eights";
    const TIME: Duration = Duration::from_secs(4);
    const COUNTS: std::ops::RangeInclusive<usize> = 4..=4;
    const SEATS: &'static [&'static str] = &["north", "east", "south", "west"];
    const LOW_IS_GOOD: bool = false;

    /// Always for four; the dealer rotates with the number of the deal.
    fn deal(&self, _players: usize, number: u64, rng: &mut Random) -> Round {
        deal::deal((number % SEATS as u64) as usize, rng)
    }

    fn restore(&self, _players: usize, first: usize, hands: &Hands, pool: Cards) -> Round {
        Round::new(first, std::array::from_fn(|seat| hands[seat]), pool)
    }
}
