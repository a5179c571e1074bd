//! Hearts as a contest of matches and records.

use super::{Contest, Moon};
use engine::rng::Random;
use hearts::deal;
use hearts::player::Baseline;
use hearts::rules::{self, Options, Round};
use std::time::Duration;
use tricks::{Cards, Hands};

/// The contest Hearts, by the rules that the server has by default.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Hearts {
    /// Whether three cards of each hand are passed before a round, in a direction that alternates from round to round. The
    /// contest passes none.
    pub passing: bool,
}

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
        let passing = if self.passing {
            "; three cards are passed, left, right, across, not at all"
        } else {
            ""
        };
        Some(Options::default().to_string() + passing)
    }

    fn deal(&self, players: usize, number: u64, rng: &mut Random) -> Round {
        let round = deal::deal(players, Options::default(), rng);
        match self.passing {
            true => round.with_passing(rules::passing(number, players)),
            false => round,
        }
    }

    fn after_passing(&self, round: Round, by: usize, passed: &[Cards]) -> Option<Round> {
        round.after_passing(by, passed)
    }

    fn passes(&self) -> bool {
        self.passing
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
        let round = Hearts::default().deal(4, 0, &mut engine::rng::stream(1, 0));
        let again =
            Hearts::default().restore(4, round.trick().leader(), &round.hands(), Cards::EMPTY);
        let server = Options {
            clean_first_trick: false,
            last_trick: true,
        };
        assert_eq!([round.options(), again.options()], [server; 2]);
        assert_eq!(
            Hearts::default().default_rules().unwrap(),
            "every trick is played and scored; points may be played on the first trick"
        );
    }
}
