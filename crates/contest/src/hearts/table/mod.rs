//! Hearts at a table in a browser: round after round until somebody has 100 points and nobody else
//! has as few as the winner.

use super::matches::Hearts;
use crate::play::Level;
use crate::tricks::table::{Strength, WholeGame};
use hearts::player::Baseline;
use hearts::rules::POINTS;

/// The points at which a game ends.
const GOAL: u32 = 100;

impl WholeGame for Hearts {
    const LEVELS: &'static [Level] = &[
        Level::new("Newcomer", "follows suit, and hopes"),
        Level::new("Guest", "knows what to avoid, and forgets it"),
        Level::new("Regular", "ducks, most of the time"),
        Level::new("Bookkeeper", "counts the cards"),
        Level::new("Host", "weighs how the cards may lie"),
        Level::new("Shark", "reads the others' hands from their play"),
    ];
    const STRENGTHS: &'static [Strength<Baseline>] = &[
        Strength::of_policy(Baseline::Random, 0.0),
        Strength::of_policy(Baseline::Careful, 0.6),
        Strength::of_policy(Baseline::Careful, 0.3),
        Strength::of_policy(Baseline::Careful, 0.0),
        Strength::of_search(Baseline::Careful, 300, 0.5),
        Strength::of_search(Baseline::Careful, 4_000, 0.0),
    ];
    const GOAL: u32 = GOAL;
    const RULES: &'static str = include_str!("assets/rules.html");
    const TELLS_OWN_CARDS: bool = false;
    const OPENS: &'static str = "A line of a match's record, the file of a table with a line for each round, or a \
        position: what everybody holds (? for a card that chance chooses), the cards played since the deal, the \
        points before the round. Players count from 1.";
    const EXAMPLE: &'static str = concat!(
        "{\n",
        " \"first\": 2,\n",
        " \"hands\": [\"c4 c9 cj ck d3 d8 h2 h5 hq s3 s4 s9 sj\", \"? ? ? ? ? ? ? ? ? ? ? ?\",\n",
        "  \"? ? ? ? ? ? ? ? ? ? ? ?\", \"? ? ? ? ? ? ? ? ? ? ? ?\"],\n",
        " \"cards\": \"c2 c7 ca\",\n",
        " \"totals\": [41, 12, 30, 73]\n",
        "}"
    );

    fn winner(&self, totals: &[u32]) -> Option<usize> {
        let least = *totals.iter().min()?;
        let mut leaders = (0..totals.len()).filter(|&seat| totals[seat] == least);
        let leader = leaders.next()?;
        let over = totals.iter().any(|&total| total >= GOAL) && leaders.next().is_none();
        over.then_some(leader)
    }

    /// The search's value is by how many points the others' mean is above the own points. All points
    /// of a round together are 26, so that the own points follow; the moon counts as 13 points for
    /// each of the others.
    fn worth(&self, value: f64, players: usize) -> f64 {
        let others = (players - 1) as f64;
        (value * others - f64::from(POINTS)) / players as f64
    }
}
