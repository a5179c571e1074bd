//! The challenge card game at a table in a browser.

mod deals;
mod game;
mod levels;
mod notation;
mod words;

use crate::play::{Kind, Language, TableGame, Unit};
use arena::report::script::{DOM, Script};
use challenge::equilibrium::blueprint::Tables;
use game::Table;
use std::ops::RangeInclusive;

/// The game as a table knows it.
pub struct Challenge {
    tables: Tables,
}

impl Challenge {
    /// The game, whose players play from these tables.
    pub fn new(tables: Tables) -> Challenge {
        Challenge { tables }
    }
}

impl Kind for Challenge {
    fn name(&self) -> &'static str {
        "challenge"
    }

    fn title(&self) -> &'static str {
        "Challenge"
    }

    fn seats(&self) -> RangeInclusive<usize> {
        2..=2
    }

    fn levels(&self) -> usize {
        levels::LEVELS
    }

    fn texts(&self, language: Language) -> Vec<&'static str> {
        vec![match language {
            Language::English => include_str!("../../../texts/en/challenge.ftl"),
            Language::German => include_str!("../../../texts/de/challenge.ftl"),
        }]
    }

    fn unit(&self) -> Unit {
        Unit::Chance
    }

    fn begin(&self, _seats: usize, seed: u64) -> Box<dyn TableGame> {
        Box::new(Table::begin(self.tables.clone(), seed))
    }

    fn scripts(&self) -> &'static [Script] {
        &[
            DOM,
            Script {
                path: "contest/src/challenge/table/assets/position.js",
                text: include_str!("assets/position.js"),
            },
            Script {
                path: "contest/src/challenge/table/assets/table.js",
                text: include_str!("assets/table.js"),
            },
        ]
    }

    fn styles(&self) -> &'static [&'static str] {
        &[
            include_str!("../web/assets/cards.css"),
            include_str!("assets/table.css"),
        ]
    }

    fn definitions(&self) -> &'static str {
        ""
    }

    fn rules(&self, language: Language) -> &'static str {
        match language {
            Language::English => include_str!("../../../texts/en/challenge-rules.html"),
            Language::German => include_str!("../../../texts/de/challenge-rules.html"),
        }
    }
}

#[cfg(test)]
mod tests;
