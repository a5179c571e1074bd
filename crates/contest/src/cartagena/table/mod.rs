//! Cartagena at a table: the game as the crate `tables` needs it, for browsers and terminals.
//!
//! [`Cartagena`] names the game's texts, scripts and levels, and begins or opens games. A game under way is an `AtTable`
//! (`game`).

mod advice;
mod game;
mod levels;
mod log;
mod luck;
mod programs;
mod start;
mod wording;

use super::Participant;
use super::report::{BOARD, RULES};
use arena::report::script::DOM;
use cartagena::evaluation::Evaluators;
use cartagena::rules::Game;
use cartagena::world::World;
use engine::rng;
use game::AtTable;
use games::cartagena::Position;
pub(crate) use levels::LEVELS;
use programs::Programs;
use serde_json::Value;
use std::sync::Arc;
use tables::{Kind, Opened, Scene, UnderWay, Unit, translated};

/// Cards dealt to each player.
const DEAL: usize = 3;

/// The game for tables, with all that its tables share.
#[derive(Clone)]
pub struct Cartagena {
    evaluators: Arc<Evaluators>,
    programs: Programs,
    rules_added: TableRules,
}

/// Rules that a table can have in addition to the contest's.
#[derive(Clone, Copy, Debug, Default)]
struct TableRules {
    /// Whether all hands lie open.
    open_hands: bool,
    /// Whether each player has four pirates, for a shorter game.
    few_pirates: bool,
}

/// The number of pirates in a short game.
const FEW_PIRATES: usize = 4;

impl Cartagena {
    /// The game without programs. The evaluators are for players, advice and reviews.
    pub fn new(evaluators: Arc<Evaluators>) -> Cartagena {
        Cartagena {
            evaluators,
            programs: Programs::default(),
            rules_added: TableRules::default(),
        }
    }

    /// A table at which a game begins. `start` is given if the game does not begin with a deal of the seed.
    fn table(&self, game: Game, world: World, seed: u64, start: Option<Position>) -> UnderWay {
        let (evaluators, programs) = (Arc::clone(&self.evaluators), self.programs.for_a_table());
        let open_hands = self.rules_added.open_hands;
        let table = AtTable::new(game, world, seed, start, evaluators, programs);
        UnderWay::new(table.with_open_hands(open_hands))
    }

    /// The same game with these programs, which can take seats at every table.
    #[must_use]
    pub fn with_programs(mut self, programs: Vec<Participant>) -> Cartagena {
        let named = programs
            .into_iter()
            .map(|program| (program.label.clone(), program));
        self.programs = Programs::new(named.collect());
        self
    }
}

impl Kind for Cartagena {
    fn scene(&self) -> Scene {
        Scene {
            name: "cartagena",
            title: "Cartagena",
            seats: 2..=6,
            levels: levels::LEVELS,
            level_texts: "cartagena",
            steps: &levels::STEPS,
            texts: vec![translated!("cartagena.ftl")],
            rules: translated!("cartagena-rules.html"),
            unit: Unit::Chance,
            extra_rules: &["open-hands", "four-pirates"],
            example: start::EXAMPLE,
            has_pages: true,
            scripts: &[
                DOM,
                RULES,
                BOARD,
                arena::script!("contest/src/cartagena/table/assets/table.js"),
            ],
            editor: &[arena::script!(
                "contest/src/cartagena/table/assets/editor.js"
            )],
            styles: &[
                include_str!("../report/assets/cartagena.css"),
                include_str!("assets/table.css"),
            ],
            definitions: include_str!("../report/assets/icons.html"),
        }
    }

    fn with_rules(&self, rules: &[String]) -> Option<Box<dyn Kind>> {
        let mut rules_added = self.rules_added;
        for rule in rules {
            match rule.as_str() {
                "open-hands" => rules_added.open_hands = true,
                "four-pirates" => rules_added.few_pirates = true,
                _ => return None,
            }
        }
        Some(Box::new(Cartagena {
            rules_added,
            ..self.clone()
        }))
    }

    fn begin(&self, seats: usize, seed: u64) -> UnderWay {
        // The same streams as in matches: 0 for the board, the next for the cards.
        let board = cartagena::boards::standard(&mut rng::stream(seed, 0));
        let mut game = Game::new(board, seats);
        if self.rules_added.few_pirates {
            game.pirates = FEW_PIRATES;
        }
        let world = World::deal(&game, DEAL, rng::stream(seed, start::CARDS));
        self.table(game, world, seed, None)
    }

    fn begin_at(&self, seats: usize, seed: u64, start: &Value) -> Result<UnderWay, String> {
        let start: Position = serde_json::from_value(start.clone()).map_err(|e| e.to_string())?;
        // The seed decides the cards that the start does not give.
        let (game, world) = start.world(rng::stream(seed, start::CARDS))?;
        // The number of seats comes from outside, so it may not fit the start.
        if game.players != seats {
            return Err(format!(
                "the start is one for {}, not for {seats}",
                game.players
            ));
        }
        Ok(self.table(game, world, seed, Some(start)))
    }

    fn open(&self, text: &[u8]) -> Result<Opened, String> {
        let start::Read { names, start } = start::read(text)?;
        Ok(Opened {
            names,
            // Players count from 1 in a start, seats from 0 at a table.
            to_move: start.to_move - 1,
            taken: start
                .script
                .iter()
                .map(|(action, _)| action.clone())
                .collect(),
            start: serde_json::to_value(start).map_err(|error| error.to_string())?,
        })
    }

    fn programs(&self) -> Vec<String> {
        self.programs.labels()
    }
}
