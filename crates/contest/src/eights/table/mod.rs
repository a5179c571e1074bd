//! Tricky Eights at a table in a browser: round after round until somebody alone has the most points,
//! 300 at least.

use super::matches::Eights;
use crate::play::Level;
use crate::tricks::Contest as _;
use crate::tricks::table::{Strength, WholeGame};
use eights::player::Baseline;
use eights::rules::{self, GAME, Round, SEATS};
use engine::budget::Limits;
use engine::rng::Random;
use std::time::Duration;
use tricks::{Agent, Method};

/// The longest that a decision may take, whatever the machine.
const TIME: Duration = Duration::from_secs(2);

impl WholeGame for Eights {
    const LEVELS: &'static [Level] = &[
        level("Newcomer", "follows suit, and hopes"),
        level("Guest", "knows what wins, and forgets it"),
        level("Neighbour", "takes tricks when they are cheap"),
        level("Regular", "loses sight of a card now and then"),
        level("Bookkeeper", "counts the cards"),
        level("Host", "weighs how the cards may lie"),
        level("Fox", "weighs it longer"),
        level("Old hand", "makes few mistakes"),
        level("Expert", "makes hardly any"),
        level("Master", "plays as the strongest, in a hurry"),
        level("Shark", "reads the others' hands from their play"),
    ];
    const STRENGTHS: &'static [Strength<Baseline>] = &[
        policy(Baseline::Counter, 0.5),
        policy(Baseline::Counter, 0.37),
        policy(Baseline::Counter, 0.25),
        policy(Baseline::Counter, 0.12),
        policy(Baseline::Counter, 0.0),
        search(100, 0.65),
        search(300, 0.6),
        search(300, 0.4),
        search(1_000, 0.38),
        search(1_000, 0.25),
        search(3_000, 0.0),
    ];
    const GOAL: u32 = GAME;
    const RULES: &'static str = include_str!("assets/rules.html");

    fn deal_at(&self, players: usize, number: u64, totals: &[u32], rng: &mut Random) -> Round {
        self.deal(players, number, rng).after(by_seat(totals))
    }

    fn winner(&self, totals: &[u32]) -> Option<usize> {
        rules::winner(&by_seat(totals))
    }

    fn worth(&self, value: f64, _players: usize) -> f64 {
        value
    }
}

fn by_seat(totals: &[u32]) -> [u32; SEATS] {
    std::array::from_fn(|seat| totals.get(seat).copied().unwrap_or(0))
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
        agent: Agent::Search(Baseline::Counter, Method::Inference, limits),
        slips: 0.0,
        noise,
    }
}
