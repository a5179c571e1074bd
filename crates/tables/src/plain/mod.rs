//! A table for any game of [`games`]: the game's own picture, a button for every action, and players that use only
//! the rules.
//!
//! ```
//! use tables::{Beginning, plain};
//!
//! let game = games::game("hearts", serde_json::json!({"players": 3}))?;
//! let table = plain(game, "Hearts for three", "Take no hearts, and above all not the queen of spades.");
//! let mut game = table.begin(&Beginning::deal(3, 7))?;
//! while let Some(action) = game.choices().first().cloned() {
//!     game.act(&action.action)?;
//! }
//! assert_eq!((game.to_move(), game.actions()), (None, 51));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod game;

use super::game::Unit;
use super::kind::{Kind, Scene};
use super::language::Translated;
use crate::translated;
use arena::report::script::DOM;
use game::PlainGame;
use games::AnyGame;
use std::sync::Arc;

/// Worlds that the player of each level samples; the first level plays at random.
const LEVELS: [u32; 3] = [0, 20, 300];

/// A table for a game with a title and a sentence about it. Both are kept as long as the program runs.
pub fn plain(game: Arc<AnyGame>, title: &'static str, about: &str) -> Kind {
    // The only text of the game's own, in Fluent's syntax; the same in every language. Texts of a table live as long as
    // the program, as most are part of it.
    let about: &'static str = format!("{}-about = {about}\n", game.name).leak();
    let in_all = |text| Translated {
        english: text,
        german: text,
    };
    let scene = Scene {
        name: game.name,
        title,
        seats: game.players..=game.players,
        levels: LEVELS.len(),
        // The names of the levels are shared by all plain tables: such a game has only one text.
        level_texts: "plain",
        steps: &[],
        texts: vec![translated!("plain.ftl"), in_all(about)],
        rules: in_all(""),
        unit: Unit::Points,
        extra_rules: &[],
        example: "",
        has_pages: false,
        scripts: &[DOM, arena::script!("tables/src/plain/assets/table.js")],
        editor: &[],
        styles: &[include_str!("assets/table.css")],
        definitions: "",
    };
    Kind::new(
        scene,
        Vec::new(),
        move |beginning| match beginning.start {
            None => Ok(PlainGame::new(&game, beginning.seed)),
            Some(_) => Err(format!("{title} starts with a deal")),
        },
        move |_| Err(format!("files of {title} cannot be opened here")),
    )
}
