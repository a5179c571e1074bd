//! Hearts, as matches and records have it.

use super::{Contest, Moon};
use engine::rng::Random;
use hearts::deal;
use hearts::player::Baseline;
use hearts::rules::{Options, POINTS, Round};
use std::time::Duration;
use tricks::{Cards, Hands};

/// Hearts.
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
    const MOON: Option<Moon> = Some(moon);

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

/// The seat with nothing where all others have all points. Without a moon all of them together have that.
fn moon(points: &[u8]) -> Option<usize> {
    let shooter = points.iter().position(|&points| points == 0)?;
    let mut others = points.iter().enumerate();
    others
        .all(|(seat, &points)| seat == shooter || points == POINTS)
        .then_some(shooter)
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

    #[test]
    fn moons_are_seen_in_the_points() {
        assert_eq!(moon(&[26, 0, 26, 26]), Some(1));
        assert_eq!(moon(&[26, 26, 0]), Some(2));
        assert_eq!(moon(&[26, 0, 0]), None);
        assert_eq!(moon(&[5, 0, 0, 21]), None);
        assert_eq!(moon(&[1, 4, 8, 13]), None);
    }
}
