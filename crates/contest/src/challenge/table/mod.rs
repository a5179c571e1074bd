//! The challenge card game at a table in a browser or a terminal: `contest play` offers it by [`kind`].

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
use games::challenge::start::{self, Start};
use tables::{Beginning, Kind, Opened, Scene, Unit, translated};

/// A position, as people write it.
const EXAMPLE: &str = concat!(
    "{\n",
    " \"hands\": [\"? ? ?\", \"12 7 4\"],\n",
    " \"points\": [3, 5],\n",
    " \"lead\": 2,\n",
    " \"done\": [\"play_card 9\", \"play_card 11\", \"play_card 2\", \"play_card 8\"]\n",
    "}"
);

/// The game for tables, with programs that can take seats. Its built-in players and its advice use the strategy in
/// `tables`.
pub fn kind(tables: Tables, programs: Vec<Participant>, conditions: Conditions) -> Kind {
    let programs = programs::known(programs, conditions);
    let labels = programs.labels();
    let begin = move |beginning: &Beginning| {
        beginning.check(2)?;
        let seed = beginning.seed;
        let start: Option<Start> = beginning.start()?;
        // Unknown cards are drawn from this table's seed.
        let start = start.map(|start| start::begin(&start, seed)).transpose()?;
        // Every table starts its own processes, since each process follows one game.
        let programs = programs.for_a_table();
        Ok(AtTable::begin(tables.clone(), programs, seed, start))
    };
    Kind::new(scene(), labels, begin, open)
}

fn scene() -> Scene {
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

fn open(text: &[u8]) -> Result<Opened, String> {
    let start::Read {
        names,
        start,
        taken,
    } = start::read(text)?;
    let taken = taken.into_iter().map(notation::print);
    Opened::new(names.to_vec(), &start, taken.collect())
}

#[cfg(test)]
mod tests;
