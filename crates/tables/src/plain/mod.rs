//! A table for any game of [`games`]: the game's own picture, a button for every action, and players that use only
//! the rules.
//!
//! ```
//! use tables::{Kind, Plain};
//! use engine::rng::stream;
//!
//! let game = games::game("hearts", serde_json::json!({"players": 3}))?;
//! let table = Plain::new(game, "Hearts for three", "Take no hearts, and above all not the queen of spades.");
//! let mut game = table.begin(3, 7);
//! while let Some(action) = game.choices().first().cloned() {
//!     game.act(&action.action)?;
//! }
//! assert_eq!((game.to_move(), game.actions()), (None, 51));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod game;

use super::UnderWay;
use super::game::{Kind, Scene, Unit};
use super::language::Translated;
use crate::translated;
use arena::report::script::DOM;
use game::PlainGame;
use games::AnyGame;
use std::sync::Arc;

/// Worlds that the player of each level samples; the first level plays at random.
const LEVELS: [u32; 3] = [0, 20, 300];

/// A game at a plain table.
pub struct Plain {
    game: Arc<AnyGame>,
    title: &'static str,
    /// The only text of the game's own, in Fluent's syntax; the same in every language.
    about: &'static str,
}

impl Plain {
    /// A table for a game with a title and a sentence about it. Both are kept as long as the program runs.
    pub fn new(game: Arc<AnyGame>, title: &'static str, about: &str) -> Plain {
        let about = format!("{}-about = {about}\n", game.name);
        Plain {
            game,
            title,
            // Texts of a table live as long as the program, as most are part of it.
            about: about.leak(),
        }
    }
}

impl Kind for Plain {
    fn scene(&self) -> Scene {
        let in_all = |text| Translated {
            english: text,
            german: text,
        };
        Scene {
            name: self.game.name,
            title: self.title,
            seats: self.game.players..=self.game.players,
            levels: LEVELS.len(),
            // The names of the levels are shared by all plain tables: such a game has only one text.
            level_texts: "plain",
            steps: &[],
            texts: vec![translated!("plain.ftl"), in_all(self.about)],
            rules: in_all(""),
            unit: Unit::Points,
            extra_rules: &[],
            example: "",
            has_pages: false,
            scripts: &[DOM, arena::script!("tables/src/plain/assets/table.js")],
            editor: &[],
            styles: &[include_str!("assets/table.css")],
            definitions: "",
        }
    }

    fn begin(&self, _: usize, seed: u64) -> UnderWay {
        UnderWay::new(PlainGame::new(&self.game, seed))
    }
}
