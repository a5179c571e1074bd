//! The challenge card game at a table in a browser or a terminal: `contest play` offers it by [`Challenge`].

mod deals;
mod game;
mod levels;
mod luck;
mod notation;
mod programs;
mod start;
mod words;

pub use programs::Conditions;

use crate::challenge::pairing::Participant;
use arena::report::script::{DOM, Script};
use challenge::equilibrium::blueprint::Tables;
use game::Table;
use programs::Programs;
use serde_json::Value;
use start::{Begin, Start};
use std::ops::RangeInclusive;
use std::sync::Arc;
use tables::{Kind, Language, Opened, TableGame, Unit};

/// The game as a table knows it.
pub struct Challenge {
    tables: Tables,
    programs: Programs,
}

impl Challenge {
    /// The game; its built-in players and its advice use the strategy in these tables.
    pub fn new(tables: Tables) -> Challenge {
        Challenge {
            tables,
            programs: Programs::default(),
        }
    }

    /// The same, with programs that can take seats.
    #[must_use]
    pub fn with_programs(self, programs: Vec<Participant>, conditions: Conditions) -> Challenge {
        Challenge {
            programs: Programs::new(programs, conditions),
            ..self
        }
    }

    /// A new game, with its own processes of programs.
    fn table(&self, seed: u64, begin: Option<Arc<Begin>>) -> Box<dyn TableGame> {
        let table = Table::begin(self.tables.clone(), seed, begin);
        // Every table starts its own processes, since each process follows one game.
        Box::new(table.with_programs(self.programs.for_a_table()))
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

    fn steps(&self) -> &'static [f64] {
        &levels::STEPS
    }

    fn texts(&self, language: Language) -> Vec<&'static str> {
        vec![match language {
            Language::English => include_str!("../../../../tables/texts/en/challenge.ftl"),
            Language::German => include_str!("../../../../tables/texts/de/challenge.ftl"),
        }]
    }

    fn unit(&self) -> Unit {
        Unit::Chance
    }

    fn begin(&self, _seats: usize, seed: u64) -> Box<dyn TableGame> {
        self.table(seed, None)
    }

    fn begin_at(
        &self,
        seats: usize,
        seed: u64,
        start: &Value,
    ) -> Result<Box<dyn TableGame>, String> {
        if seats != 2 {
            return Err(format!("the start is one for 2, not for {seats}"));
        }
        let start: Start = serde_json::from_value(start.clone()).map_err(|e| e.to_string())?;
        // Unknown cards are drawn from this table's seed.
        let begin = Arc::new(start::begin(&start, seed)?);
        Ok(self.table(seed, Some(begin)))
    }

    fn opens(&self) -> &'static str {
        start::EXAMPLE
    }

    fn open(&self, text: &[u8]) -> Result<Opened, String> {
        let start::Read {
            names,
            start,
            taken,
        } = start::read(text)?;
        // Only the player to act is asked of this game, and no seed changes that.
        let begin = Arc::new(start::begin(&start, 0)?);
        let table = Table::begin(self.tables.clone(), 0, Some(begin));
        Ok(Opened {
            names: names.to_vec(),
            // Nobody is to act in a game that is over, so any seat will do.
            to_move: table.to_move().unwrap_or(0),
            taken: taken.into_iter().map(notation::print).collect(),
            start: serde_json::to_value(start).map_err(|error| error.to_string())?,
        })
    }

    fn programs(&self) -> Vec<String> {
        self.programs.labels()
    }

    fn has_pages(&self) -> bool {
        true
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

    fn editor(&self) -> &'static [Script] {
        &[Script {
            path: "contest/src/challenge/table/assets/editor.js",
            text: include_str!("assets/editor.js"),
        }]
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
            Language::English => include_str!("../../../../tables/texts/en/challenge-rules.html"),
            Language::German => include_str!("../../../../tables/texts/de/challenge-rules.html"),
        }
    }
}

#[cfg(test)]
mod tests;
