//! Hearts at a table in a browser: round after round until somebody has 100 points and nobody else
//! has as few as the winner.

use super::matches::Hearts;
use crate::play::Level;
use crate::tricks::table::{Strength, WholeGame};
use engine::budget::Limits;
use hearts::player::Baseline;
use hearts::rules::POINTS;
use std::time::Duration;
use tricks::{Agent, Method};

/// The points at which a game ends.
const GOAL: u32 = 100;
/// The longest that a decision may take, whatever the machine.
const TIME: Duration = Duration::from_secs(2);

impl WholeGame for Hearts {
    const LEVELS: &'static [Level] = &[
        level("Newcomer", "follows suit, and hopes"),
        level("Guest", "knows what to avoid, and forgets it"),
        level("Regular", "ducks, most of the time"),
        level("Bookkeeper", "counts the cards"),
        level("Host", "weighs how the cards may lie"),
        level("Shark", "reads the others' hands from their play"),
    ];
    const STRENGTHS: &'static [Strength<Baseline>] = &[
        policy(Baseline::Random, 0.0),
        policy(Baseline::Careful, 0.6),
        policy(Baseline::Careful, 0.3),
        policy(Baseline::Careful, 0.0),
        search(300, 0.5),
        search(4_000, 0.0),
    ];
    const GOAL: u32 = GOAL;
    const RULES: &'static str = include_str!("assets/rules.html");

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

const fn level(name: &'static str, summary: &'static str) -> Level {
    Level { name, summary }
}

const fn policy(policy: Baseline, slips: f64) -> Strength<Baseline> {
    Strength {
        agent: Agent::Policy(policy),
        slips,
        noise: 0.0,
    }
}

const fn search(nodes: u64, noise: f64) -> Strength<Baseline> {
    let limits = Limits {
        time: Some(TIME),
        nodes: Some(nodes),
    };
    Strength {
        agent: Agent::Search(Baseline::Careful, Method::Inference, limits),
        slips: 0.0,
        noise,
    }
}
