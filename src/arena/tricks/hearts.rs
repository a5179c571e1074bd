//! Hearts as a match plays it.

use super::Contest;
use crate::hearts::player::Baseline;
use crate::hearts::rules::{Options, Round};
use crate::hearts::view::View;
use crate::random::Random;
use crate::tricks::MAX_PLAYERS;

/// Hearts.
#[derive(Clone, Copy, Debug)]
pub struct Hearts;

impl Contest for Hearts {
    type View = View;
    type Policy = Baseline;

    fn deal(&self, players: usize, _number: u64, random: &mut Random) -> (Round, Vec<View>) {
        let round = Round::deal(players, Options::default(), random);
        let views = (0..players).map(|seat| View::of(&round, seat)).collect();
        (round, views)
    }

    fn scores(&self, round: &Round) -> [u8; MAX_PLAYERS] {
        round.scores()
    }

    fn policy(&self, name: &str) -> Result<Baseline, String> {
        name.parse().map_err(|error| format!("{error}"))
    }

    fn playout(&self) -> Baseline {
        Baseline::Careful
    }

    fn names(&self) -> &'static str {
        "search, random, duck or careful"
    }
}
