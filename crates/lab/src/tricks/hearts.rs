//! Hearts as a contest of matches and records.

use super::{Contest, Moon};
use engine::rng::Random;
use hearts::deal;
use hearts::player::Baseline;
use hearts::rules::{self, Options, Round};
use std::time::Duration;
use tricks::{Cards, Hands};

/// The contest Hearts, by the rules that the server has by default.
#[derive(Clone, Copy, Debug, Default)]
pub struct Hearts;

impl Contest for Hearts {
    type Round = Round;
    type Policy = Baseline;

    const NAME: &'static str = "hearts";
    const TITLE: &'static str = "Hearts";
    const TIME: Duration = Duration::from_secs(5);
    const COUNTS: std::ops::RangeInclusive<usize> = 3..=6;
    const SEATS: &'static [&'static str] = &["0", "1", "2", "3", "4", "5"];
    const LOW_IS_GOOD: bool = true;
    const MOON: Option<Moon> = Some(rules::moon);

    fn default_rules(&self) -> Option<String> {
        Some(Options::default().to_string())
    }

    fn deal(&self, players: usize, _number: u64, rng: &mut Random) -> Round {
        deal::deal(players, Options::default(), rng)
    }

    fn restore(&self, players: usize, first: usize, hands: &Hands, _pool: Cards) -> Round {
        Round::new(players, first, *hands, Options::default())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tricks::Round as _;

    /// Matches and tables, which deal and restore here, play by the rules that the server has by default.
    #[test]
    fn matches_and_tables_play_by_the_servers_default() {
        let round = Hearts.deal(4, 0, &mut engine::rng::stream(1, 0));
        let again = Hearts.restore(4, round.trick().leader(), &round.hands(), Cards::EMPTY);
        let server = Options {
            clean_first_trick: false,
            last_trick: true,
        };
        assert_eq!([round.options(), again.options()], [server; 2]);
        assert_eq!(
            Hearts.default_rules().unwrap(),
            "every trick is played and scored; points may be played on the first trick"
        );
    }
}
