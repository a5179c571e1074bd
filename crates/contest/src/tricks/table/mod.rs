//! Trick-taking games at a table: whole games, one round after another until one player has won.
//!
//! A game implements [`WholeGame`]; [`OnTable`] makes a [`Kind`] of it. All chance follows from the
//! seed: round k is dealt from its own stream, so that the same actions give the same game.

mod advice;
mod at_table;
mod deal;
mod game;
mod learnt;
mod log;
mod luck;
mod programs;
mod strength;

pub(crate) use game::Game;
pub use strength::Strength;

use super::report::CARDS;
use super::seat::Started;
use super::{Contest, Participant};
use arena::process::CommandLine;
use arena::report::script::DOM;
use at_table::AtTable;
use games::tricks::start::{self, Read, Start};
use programs::Programs;
use serde_json::Value;
use std::io;
use std::sync::Arc;
use std::time::Duration;
use tables::{Kind, Opened, Scene, Translated, UnderWay, Unit, translated};
use tricks::Card;

/// A trick-taking game as people play it.
pub trait WholeGame: Contest {
    /// Starts a program and makes its seat, or gives its fault before it could take it. Each of its answers may
    /// take `time`.
    ///
    /// # Errors
    /// If the operating system cannot start it.
    fn seat(&self, line: &CommandLine, time: Duration) -> io::Result<Started<Self::Round>>;

    /// How a player of each level decides, the weakest first.
    const STRENGTHS: &'static [Strength<Self::Policy>];
    /// For each level but the first, the measured share of games that it wins against the level below.
    const STEPS: &'static [f64];
    /// Whether the protocol reports a program's own cards to it.
    const TELLS_OWN_CARDS: bool;
    /// A position, as people write it.
    const EXAMPLE: &'static str;

    /// Texts of this game alone, see [`Scene::texts`].
    const TEXTS: Translated;
    /// The rules in short, as HTML.
    const RULES: Translated;

    /// Reads the messages that the contest's programs get, or the log of its server.
    ///
    /// # Errors
    /// The mistake in the text, and the expected input.
    fn read_messages(&self, text: &str) -> Result<Read, String> {
        let line = text.lines().next().unwrap_or_default();
        // Enough to recognise the line; a file that is no text may have very long ones.
        let start: String = line.chars().take(40).collect();
        Err(format!(
            "line 1: {start:?} where the {{ of a record or of a position was expected"
        ))
    }

    /// The rules that a table can have in addition to the contest's.
    const EXTRA_RULES: &'static [&'static str] = &[];

    /// The same game with some of these rules; none if it does not have one of them.
    fn with_rules(&self, rules: &[String]) -> Option<Self> {
        rules.is_empty().then_some(*self)
    }
}

/// A trick-taking game as a table knows it.
#[derive(Clone, Default)]
pub struct OnTable<G: WholeGame> {
    contest: G,
    programs: Programs<G>,
}

impl<G: WholeGame> OnTable<G> {
    /// The same, with programs that can take seats; each has this time for a card.
    #[must_use]
    pub fn with_programs(
        self,
        programs: Vec<Participant<G::Policy>>,
        time: Duration,
    ) -> OnTable<G> {
        OnTable {
            programs: Programs::new(programs, time),
            ..self
        }
    }

    fn table(&self, game: Game<G>) -> UnderWay {
        UnderWay::new(AtTable(game, self.programs.for_a_table()))
    }
}

impl<G: WholeGame> Kind for OnTable<G> {
    fn scene(&self) -> Scene {
        Scene {
            name: G::NAME,
            title: G::TITLE,
            seats: G::COUNTS,
            levels: G::STRENGTHS.len(),
            level_texts: G::NAME,
            steps: G::STEPS,
            texts: vec![translated!("tricks.ftl"), G::TEXTS],
            rules: G::RULES,
            unit: match G::LOW_IS_GOOD {
                true => Unit::Penalty,
                false => Unit::Points,
            },
            extra_rules: G::EXTRA_RULES,
            example: G::EXAMPLE,
            has_pages: true,
            scripts: &[
                DOM,
                CARDS,
                arena::script!("contest/src/tricks/table/assets/position.js"),
                arena::script!("contest/src/tricks/table/assets/table.js"),
            ],
            editor: &[arena::script!("contest/src/tricks/table/assets/editor.js")],
            styles: &[include_str!("assets/table.css")],
            definitions: include_str!("assets/suits.html"),
        }
    }

    fn with_rules(&self, rules: &[String]) -> Option<Box<dyn Kind>> {
        Some(Box::new(OnTable {
            contest: self.contest.with_rules(rules)?,
            programs: self.programs.clone(),
        }))
    }

    fn begin(&self, seats: usize, seed: u64) -> UnderWay {
        self.table(Game::new(self.contest, seats, seed))
    }

    fn begin_at(&self, seats: usize, seed: u64, start: &Value) -> Result<UnderWay, String> {
        let start: Start = serde_json::from_value(start.clone()).map_err(|e| e.to_string())?;
        // Unknown cards are drawn from this table's seed.
        let begin = start::begin::<G>(&start, seed)?;
        let players = begin.totals.len();
        // A start has a hand for each player, so it fixes their number.
        if players != seats {
            return Err(format!("the start is one for {players}, not for {seats}"));
        }
        let begin = Some(Arc::new(begin));
        Ok(self.table(Game::beginning(self.contest, seats, seed, begin)))
    }

    fn open(&self, text: &[u8]) -> Result<Opened, String> {
        let Read {
            names,
            start,
            taken,
        } = start::read::<G>(text, |text| G::default().read_messages(text))?;
        // Begun only to see who acts first, which does not depend on the seed.
        let begin = start::begin::<G>(&start, 0)?;
        let game = Game::beginning(self.contest, names.len(), 0, Some(Arc::new(begin)));
        Ok(Opened {
            names,
            to_move: game.to_act().unwrap_or(0),
            taken: taken.into_iter().map(Card::code).collect(),
            start: serde_json::to_value(start).map_err(|error| error.to_string())?,
        })
    }

    fn programs(&self) -> Vec<String> {
        self.programs.labels()
    }
}

#[cfg(test)]
mod tests;
