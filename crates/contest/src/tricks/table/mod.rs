//! Trick-taking games at a table: whole games, one round after another until one player has won.
//!
//! A game implements [`WholeGame`]; [`kind`] makes a [`Kind`] of it. All chance follows from the
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

use super::external::Started;
use super::report::CARDS;
use super::{Contest, Participant};
use arena::process::CommandLine;
use arena::report::script::DOM;
use at_table::AtTable;
use games::tricks::start::{self, Read, Start};
use programs::Programs;
use std::io;
use std::sync::Arc;
use std::time::Duration;
use tables::{Beginning, Kind, Opened, Scene, Translated, Unit, translated};
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

    /// The game in which those of these rules hold that `has` names.
    fn by_rules(has: impl Fn(&str) -> bool) -> Self {
        let _ = has;
        Self::default()
    }
}

/// The game for tables, with programs that can take seats; each has this time for a card.
pub fn kind<G: WholeGame>(programs: Vec<Participant<G::Policy>>, time: Duration) -> Kind {
    let named = programs
        .into_iter()
        .map(|one| (one.label.clone(), (one, time)));
    let programs: Programs<G> = Programs::<G>::new(named.collect());
    let labels = programs.labels();
    let begin = move |beginning: &Beginning| {
        let game = begin::<G>(beginning)?;
        Ok(AtTable(game, programs.for_a_table()))
    };
    Kind::new(scene::<G>(), labels, begin, open::<G>)
}

fn scene<G: WholeGame>() -> Scene {
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

fn begin<G: WholeGame>(beginning: &Beginning) -> Result<Game<G>, String> {
    let &Beginning { seats, seed, .. } = beginning;
    let start: Option<Start> = beginning.start()?;
    // Unknown cards are drawn from this table's seed.
    let start = start.map(|start| start::begin::<G>(&start, seed));
    let start = start.transpose()?;
    // A start has a hand for each player, so it fixes their number.
    beginning.check(start.as_ref().map_or(seats, |start| start.totals.len()))?;
    let contest = G::by_rules(|rule| beginning.has(rule));
    Ok(Game::beginning(contest, seats, seed, start.map(Arc::new)))
}

fn open<G: WholeGame>(text: &[u8]) -> Result<Opened, String> {
    let Read {
        names,
        start,
        taken,
    } = start::read::<G>(text, |text| G::default().read_messages(text))?;
    let taken = taken.into_iter().map(Card::code);
    Opened::new(names, &start, taken.collect())
}

#[cfg(test)]
mod tests;
