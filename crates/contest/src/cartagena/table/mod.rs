//! Cartagena at a table: the game as the crate `tables` needs it, for browsers and terminals.
//!
//! [`kind`] names the game's texts, scripts and levels, and begins or opens games. A game under way is an `AtTable`
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
use super::game::Forfeits;
use super::record::Opening;
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
use std::sync::Arc;
use tables::{Beginning, Kind, Opened, Scene, Unit, translated};

/// Cards dealt to each player.
const DEAL: usize = 3;

/// The number of pirates of each player by the rule of four pirates, for a shorter game.
const FEW_PIRATES: usize = 4;

/// The game for tables, with programs that can take seats at each of them. The evaluators are for players, advice and
/// reviews.
pub fn kind(evaluators: Arc<Evaluators>, programs: Vec<Participant>) -> Kind {
    let named = programs
        .into_iter()
        .map(|program| (program.label.clone(), program));
    let programs = Programs::new(named.collect());
    let labels = programs.labels();
    let begin = move |beginning: &Beginning| begin(beginning, &evaluators, &programs);
    Kind::new(scene(), labels, begin, open)
}

fn scene() -> Scene {
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

fn begin(
    beginning: &Beginning,
    evaluators: &Arc<Evaluators>,
    programs: &Programs,
) -> Result<AtTable, String> {
    let seed = beginning.seed;
    let start: Option<Position> = beginning.start()?;
    // The same streams as in matches: 0 for the board, the next for the cards that no start gives.
    let cards = rng::stream(seed, start::CARDS);
    let (game, world) = match &start {
        Some(start) => start.world(cards)?,
        None => {
            let board = cartagena::boards::standard(&mut rng::stream(seed, 0));
            let mut game = Game::new(board, beginning.seats);
            if beginning.has("four-pirates") {
                game.pirates = FEW_PIRATES;
            }
            let world = World::deal(&game, DEAL, cards);
            (game, world)
        }
    };
    beginning.check(game.players)?;
    Ok(AtTable {
        opening: Opening::of(&world),
        game,
        world,
        before: None,
        steps: Vec::new(),
        turns: 0,
        seed,
        start: start.map(Arc::new),
        open_hands: beginning.has("open-hands"),
        followed: 0,
        evaluators: Arc::clone(evaluators),
        programs: programs.for_a_table(),
        forfeits: Forfeits::default(),
    })
}

fn open(text: &[u8]) -> Result<Opened, String> {
    let (names, start) = start::read(text)?;
    let taken = start.script.iter().map(|(action, _)| action.clone());
    Opened::new(names, &start, taken.collect())
}
