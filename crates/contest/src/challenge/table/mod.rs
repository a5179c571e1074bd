//! The challenge card game at a table in a browser or a terminal: `contest play` offers it by [`Challenge`].

mod advice;
mod deals;
mod game;
mod levels;
mod luck;
mod programs;
mod words;

pub use programs::Conditions;

use crate::challenge::pairing::Participant;
use arena::report::script::DOM;
use challenge::equilibrium::blueprint::Tables;
use game::AtTable;
use games::challenge::notation;
use games::challenge::start::{self, Begin, Start};
use programs::Programs;
use serde_json::Value;
use std::sync::Arc;
use tables::{Kind, Opened, Scene, TableGame as _, UnderWay, Unit, translated};

/// A position, as people write it.
const EXAMPLE: &str = concat!(
    "{\n",
    " \"hands\": [\"? ? ?\", \"12 7 4\"],\n",
    " \"points\": [3, 5],\n",
    " \"lead\": 2,\n",
    " \"done\": [\"play_card 9\", \"play_card 11\", \"play_card 2\", \"play_card 8\"]\n",
    "}"
);

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
    fn table(&self, seed: u64, begin: Option<Arc<Begin>>) -> UnderWay {
        let table = AtTable::begin(self.tables.clone(), seed, begin);
        // Every table starts its own processes, since each process follows one game.
        UnderWay::new(table.with_programs(self.programs.for_a_table()))
    }
}

impl Kind for Challenge {
    fn scene(&self) -> Scene {
        Scene {
            name: "challenge",
            title: "Challenge",
            seats: 2..=2,
            levels: levels::LEVELS,
            level_texts: "challenge",
            steps: &levels::STEPS,
            texts: vec![translated!("challenge.ftl")],
            rules: translated!("challenge-rules.html"),
            unit: Unit::Chance,
            extra_rules: &[],
            example: EXAMPLE,
            has_pages: true,
            scripts: &[
                DOM,
                arena::script!("contest/src/challenge/table/assets/position.js"),
                arena::script!("contest/src/challenge/table/assets/table.js"),
            ],
            editor: &[arena::script!(
                "contest/src/challenge/table/assets/editor.js"
            )],
            styles: &[
                challenge_server::web::CARDS,
                include_str!("assets/table.css"),
            ],
            definitions: "",
        }
    }

    fn begin(&self, _seats: usize, seed: u64) -> UnderWay {
        self.table(seed, None)
    }

    fn begin_at(&self, seats: usize, seed: u64, start: &Value) -> Result<UnderWay, String> {
        if seats != 2 {
            return Err(format!("the start is one for 2, not for {seats}"));
        }
        let start: Start = serde_json::from_value(start.clone()).map_err(|e| e.to_string())?;
        // Unknown cards are drawn from this table's seed.
        let begin = Arc::new(start::begin(&start, seed)?);
        Ok(self.table(seed, Some(begin)))
    }

    fn open(&self, text: &[u8]) -> Result<Opened, String> {
        let start::Read {
            names,
            start,
            taken,
        } = start::read(text)?;
        // Only the player to act is asked of this game, and no seed changes that.
        let begin = Arc::new(start::begin(&start, 0)?);
        let table = AtTable::begin(self.tables.clone(), 0, Some(begin));
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
}

#[cfg(test)]
mod tests;
