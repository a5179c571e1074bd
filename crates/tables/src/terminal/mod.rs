//! A table in a terminal: one person against built-in players and programs, at a table that is kept in the same
//! file as those of browsers.

mod command;
mod output;

pub use output::Output;

use self::command::{COMMANDS, Command};
use super::game::{Advice, Choice, Eyes, Unit, cut, distinct};
use super::house::{self, HouseError};
use super::kind::Kind;
use super::language::{Catalogue, Language, Text};
use super::secrets::{RandomError, make_private, random, secret};
use super::setup::{Occupant, Setup, SetupError};
use super::table::{BeginError, Table, TableError};
use arena::records::RecordError;
use std::fs;
use std::io::{self, BufRead};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::SystemTime;
use thiserror::Error;

/// The person's name at the table.
const PERSON: &str = "You";
/// Characters of a name on the screen, which is 80 wide.
const NAME: usize = 24;
/// The most events of others that are shown at a time.
const SHOWN: usize = 12;

/// The game that a person wants to play.
#[derive(Clone, Debug)]
pub struct Wanted {
    /// The name of the game.
    pub game: String,
    /// The number of players; by default the least that the game and the programs need.
    pub seats: Option<u8>,
    /// The person's seat, from 0.
    pub seat: usize,
    /// The labels of the programs that take the next seats; one may take several.
    pub programs: Vec<String>,
    /// The level of the players on all seats that are left, from 1; by default the middle one.
    pub level: Option<usize>,
    /// The seed of all chance; by default a new one every time.
    pub seed: Option<u64>,
    /// Rules in addition to the contest's.
    pub rules: Vec<String>,
}

/// The reasons why nothing can be played.
#[derive(Debug, Error)]
pub enum TerminalError {
    /// There is no such game.
    #[error("there is no game {found:?}: expected {expected}")]
    Game {
        /// The name that was asked for.
        found: String,
        expected: String,
    },
    /// No game can be played like that.
    #[error("{0}")]
    Setup(String),
    /// There is no game to continue.
    #[error("{0}")]
    NoTable(String),
    /// The system gave no random numbers, or the folder cannot be used.
    #[error("{0}")]
    System(String),
    /// The table's file cannot be written.
    #[error(transparent)]
    File(#[from] RecordError),
    /// The terminal is gone.
    #[error("cannot use the terminal: {0}")]
    Io(#[from] io::Error),
}

/// A person at a table.
struct Sitting<'a, I> {
    table: Table,
    catalogue: Catalogue,
    id: String,
    /// The command that goes on with the table, but for its id.
    again: String,
    seat: usize,
    input: I,
    output: &'a mut Output,
    /// Whether the player that is due has failed, and is not asked again until the person says so.
    is_stuck: bool,
    /// The number of events that have been shown.
    seen: usize,
    /// Lines that are shown once, below the board.
    message: Vec<String>,
}

/// The step after a line that was typed.
enum Next {
    Ask,
    Leave,
}

/// The game of this name.
///
/// # Errors
/// [`TerminalError::Game`], with the names of all games.
pub fn kind<'a>(kinds: &'a [Arc<Kind>], name: &str) -> Result<&'a Arc<Kind>, TerminalError> {
    let kind = kinds.iter().find(|kind| kind.scene.name == name);
    kind.ok_or_else(|| TerminalError::Game {
        found: name.to_owned(),
        expected: names(kinds),
    })
}

/// Sits a person down at a new table. With `again`, a command that names its programs, people can go on with it later.
///
/// # Errors
/// If there is no such game, or the terminal or the table's file cannot be used.
pub fn begin(
    kinds: &[Arc<Kind>],
    folder: &Path,
    wanted: &Wanted,
    again: String,
    input: impl BufRead,
    output: &mut Output,
) -> Result<(), TerminalError> {
    let kind = kind(kinds, &wanted.game)?;
    let levels = kind.scene.levels;
    // Levels count from 1 for people, from 0 in the program.
    let level = match wanted.level {
        Some(level) if (1..=levels).contains(&level) => level - 1,
        Some(level) => {
            let catalogue = english(kind)?;
            let name = |level| format!("{} {}", level + 1, catalogue.say(&kind.scene.level(level)));
            let known: Vec<String> = (0..levels).map(name).collect();
            let text = format!("there is no level {level}: expected {}", known.join(", "));
            return Err(TerminalError::Setup(text));
        }
        None => levels / 2,
    };
    let needed = wanted.programs.len() + 1;
    let least = needed.max(*kind.scene.seats.start());
    let seats = wanted.seats.map_or(least, usize::from);
    if !wanted.programs.is_empty() && !wanted.rules.is_empty() {
        let text = "programs play by the contest's rules alone: name no rules, or no programs";
        return Err(TerminalError::Setup(text.to_owned()));
    }
    if seats < needed {
        let text = format!(
            "you and {} need {needed} seats, not {seats}",
            wanted.programs.join(", ")
        );
        return Err(TerminalError::Setup(text));
    }
    let person = Occupant::Person {
        name: PERSON.to_owned(),
        secret: secret().map_err(system)?,
    };
    let programs = wanted.programs.iter().cloned().map(Occupant::Program);
    let players = std::iter::repeat_n(Occupant::Player(level), seats - needed);
    let mut seats: Vec<Occupant> = programs.chain(players).collect();
    let seat = wanted.seat.min(seats.len());
    seats.insert(seat, person);
    let seed = match wanted.seed {
        Some(seed) => seed,
        None => random().map_err(system)?,
    };
    let setup = Setup {
        rules: wanted.rules.clone(),
        ..Setup::new(kind.scene.name, seed, seats, secret().map_err(system)?)
    };
    let (table, id) = set_up(kind, folder, setup, &[])?;
    sit(table, (id, again), seat, input, output)
}

/// Sits a person down at a game or a position that is read from a text, on the seat that acts next; the strongest players
/// have the others. `again` is as for [`begin`].
///
/// # Errors
/// If the text is no game or position of this kind, the game is over, or the table's file cannot be used.
pub fn open(
    kinds: &[Arc<Kind>],
    kind: &Arc<Kind>,
    folder: &Path,
    text: &[u8],
    again: String,
    input: impl BufRead,
    output: &mut Output,
) -> Result<(), TerminalError> {
    let wrong = |error: HouseError| TerminalError::Setup(error.to_string());
    let (mut setup, taken) = house::read(kinds, kind, text).map_err(wrong)?;
    let seat = setup.only_person().ok_or_else(|| {
        TerminalError::Setup("the game is over: open it in a browser to go through it".to_owned())
    })?;
    if let Occupant::Person { name, .. } = &mut setup.seats[seat] {
        PERSON.clone_into(name);
    }
    let (table, id) = set_up(kind, folder, setup, &taken)?;
    sit(table, (id, again), seat, input, output)
}

/// Sets up a table at which these actions have been taken already; returns its id, too.
fn set_up(
    kind: &Arc<Kind>,
    folder: &Path,
    setup: Setup,
    taken: &[String],
) -> Result<(Table, String), TerminalError> {
    let wrong = |error: SetupError| TerminalError::Setup(error.to_string());
    setup.check(kind).map_err(wrong)?;
    // Random ids keep files of several programs in one folder apart.
    let id = format!("{:016x}", random().map_err(system)?);
    unusable(folder, make_private(folder))?;
    let path = folder.join(format!("{id}.jsonl"));
    let game = setup.game(kind).map_err(TerminalError::Setup)?;
    let table = Table::begin(Arc::clone(kind), setup, game, &path, taken);
    let table = table.map_err(|error| match error {
        BeginError::File(error) => error.into(),
        BeginError::Action(reason) => TerminalError::Setup(reason),
    })?;
    Ok((table, id))
}

/// The system gave no random numbers.
fn system(error: RandomError) -> TerminalError {
    TerminalError::System(error.to_string())
}

/// Goes on with a table, by its id; with the latest one that is not over if there is none. `again` is as for [`begin`].
///
/// # Errors
/// If there is no such table, it is in use, or one of its programs is not there.
pub fn resume(
    kinds: &[Arc<Kind>],
    folder: &Path,
    id: Option<&str>,
    again: String,
    input: impl BufRead,
    output: &mut Output,
) -> Result<(), TerminalError> {
    let (table, id) = match id {
        Some(id) => {
            let path = folder.join(format!("{id}.jsonl"));
            let wrong = |reason: String| match reason.starts_with(&*path.to_string_lossy()) {
                true => TerminalError::NoTable(reason),
                false => TerminalError::NoTable(format!("{}: {reason}", path.display())),
            };
            if !path.is_file() {
                return Err(wrong("there is no such game".to_owned()));
            }
            (house::resumed(kinds, &path).map_err(wrong)?, id.to_owned())
        }
        None => latest(kinds, folder)?.ok_or_else(|| {
            let text = format!("no game is under way in {}", folder.display());
            TerminalError::NoTable(text)
        })?,
    };
    // A terminal is for one person: with several, each would see the cards of the others.
    let seat = table.setup.only_person().ok_or_else(|| {
        let text = format!("{id} is not the table of one person: open it in a browser");
        TerminalError::NoTable(text)
    })?;
    if table.setup.limit.is_some() {
        let text = format!("{id} is a table with a clock: open it in a browser");
        return Err(TerminalError::NoTable(text));
    }
    let known = &table.kind.programs;
    let missing = table.setup.seats.iter().find_map(|seat| match seat {
        Occupant::Program(label) if !known.contains(label) => Some(label),
        _ => None,
    });
    if let Some(label) = missing {
        let text = format!("the program {label} plays in {id}, too: name it again by --program");
        return Err(TerminalError::NoTable(text));
    }
    sit(table, (id, again), seat, input, output)
}

/// The latest table of one person that is not over.
fn latest(kinds: &[Arc<Kind>], folder: &Path) -> Result<Option<(Table, String)>, TerminalError> {
    let mut files: Vec<(SystemTime, PathBuf)> = Vec::new();
    // No table has been kept yet, which is no error.
    if !folder.exists() {
        return Ok(None);
    }
    for entry in unusable(folder, fs::read_dir(folder))? {
        let path = unusable(folder, entry)?.path();
        if path.extension().is_some_and(|ending| ending == "jsonl")
            && let Ok(changed) = path.metadata().and_then(|data| data.modified())
        {
            files.push((changed, path));
        }
    }
    // The latest file is tried first; one that is over or needs a browser is passed over.
    files.sort_unstable();
    for (_, path) in files.into_iter().rev() {
        let Some(id) = path.file_stem().and_then(|stem| stem.to_str()) else {
            continue;
        };
        let table = match house::resumed(kinds, &path) {
            Ok(table) => table,
            // Its contents cannot be read, and an older game was not asked for.
            Err(_) if house::is_in_use(&path) => {
                let text = format!(
                    "another process uses {}; --resume ID names another game",
                    path.display()
                );
                return Err(TerminalError::NoTable(text));
            }
            // A file that is not a table is left alone.
            Err(_) => continue,
        };
        let has_clock = table.setup.limit.is_some();
        let is_alone = table.setup.only_person().is_some();
        if table.to_move().is_some() && is_alone && !has_clock {
            return Ok(Some((table, id.to_owned())));
        }
    }
    Ok(None)
}

/// Adds the folder's name to an error.
fn unusable<T>(folder: &Path, result: io::Result<T>) -> Result<T, TerminalError> {
    result
        .map_err(|error| TerminalError::System(format!("cannot use {}: {error}", folder.display())))
}

/// The texts of a terminal, which are English.
fn english(kind: &Kind) -> Result<Catalogue, TerminalError> {
    let texts = kind.scene.texts.iter();
    let texts: Vec<&str> = texts.map(|text| text.english).collect();
    let catalogue = Catalogue::new(Language::English, &texts);
    catalogue.map_err(|error| TerminalError::System(error.to_string()))
}

/// The names of all games, for a message.
fn names(kinds: &[Arc<Kind>]) -> String {
    let names: Vec<&str> = kinds.iter().map(|kind| kind.scene.name).collect();
    names.join(", ")
}

/// Plays at a table until the person leaves.
fn sit(
    table: Table,
    (id, again): (String, String),
    seat: usize,
    input: impl BufRead,
    output: &mut Output,
) -> Result<(), TerminalError> {
    let sitting = Sitting {
        catalogue: english(&table.kind)?,
        // Earlier events of others are in the log, and not shown again.
        seen: table.game.told(Eyes::Seat(seat)).len(),
        table,
        id,
        again,
        seat,
        input,
        output,
        is_stuck: false,
        message: Vec::new(),
    };
    sitting.play()
}

impl<I: BufRead> Sitting<'_, I> {
    /// Shows the position and obeys lines, until the person leaves or the input ends.
    fn play(mut self) -> Result<(), TerminalError> {
        loop {
            self.others_decide();
            self.show()?;
            let mut line = Vec::new();
            // The input has ended: the game stays in its file.
            if self.input.read_until(b'\n', &mut line)? == 0 {
                self.output.line("")?;
                return self.leave();
            }
            match self.answer(String::from_utf8_lossy(&line).trim())? {
                Next::Ask => {}
                Next::Leave => return self.leave(),
            }
        }
    }

    /// Lets the others decide until it is the person's turn, or one of them fails.
    fn others_decide(&mut self) {
        while !self.is_stuck
            && let Some((seat, thought)) = self.table.thought()
        {
            // On this thread: the person is the only one who could wait for it.
            let version = self.table.version();
            let done = thought().and_then(|decision| {
                let done = self.table.act(seat, version, &decision);
                done.map_err(|error| format!("{decision:?}: {error}"))
            });
            if let Err(reason) = done {
                // The person has named the program and is told all, as the host of a table in a browser is.
                self.message
                    .push(format!("{}: {reason}", self.names()[seat]));
                self.is_stuck = true;
            }
        }
    }

    fn eyes(&self) -> Eyes {
        Eyes::Seat(self.seat)
    }

    /// The names of all seats, as they fit on the screen.
    fn names(&self) -> Vec<String> {
        let names = self.table.names_in(&self.catalogue);
        distinct(&names)
            .iter()
            .map(|name| cut(name, NAME))
            .collect()
    }

    /// The result in a line, once the game is over.
    fn result(&self) -> Option<String> {
        let text = match self.table.winner() {
            Some(winner) if winner == self.seat => Text::of("won-you"),
            Some(winner) => Text::of("won-other").with("name", self.names()[winner].as_str()),
            None if self.table.to_move().is_none() => self.table.game.undecided()?,
            None => return None,
        };
        Some(self.catalogue.say(&text))
    }

    /// The events from number `from` on, a line each; without the person's own if `others`.
    fn happened(&self, from: usize, others: bool) -> Vec<String> {
        let names = self.names();
        let told = self.table.game.told(self.eyes()).into_iter().skip(from);
        let told = told.filter(|told| !(others && told.seat == Some(self.seat)));
        told.map(|told| match told.seat {
            Some(seat) => format!("{}: {}", names[seat], told.words),
            None => told.words,
        })
        .collect()
    }

    /// Shows the board, the new events of others, and the legal actions.
    fn show(&mut self) -> Result<(), TerminalError> {
        // The events since the last screen, which the person has not seen.
        let new = self.happened(self.seen, true);
        self.seen = self.table.game.told(self.eyes()).len();
        let names = self.names();
        let (choices, result) = (self.choices(), self.result());
        let output = &mut *self.output;
        output.clear()?;
        // A line ends between two names, not within one.
        let whole = names.iter().map(|name| name.replace(' ', "\u{a0}"));
        output.heading(&format!(
            "{}: {}",
            self.table.kind.scene.title,
            whole.collect::<Vec<_>>().join(", ")
        ))?;
        for line in self.table.game.screen(Eyes::Seat(self.seat), &names) {
            output.line(&line)?;
        }
        if new.len() > SHOWN {
            output.quiet("… (`log` has all)")?;
        }
        for line in &new[new.len().saturating_sub(SHOWN)..] {
            output.news(line)?;
        }
        let numbered = choices.iter().zip(1..);
        let numbered: Vec<String> = numbered
            .map(|(choice, number)| format!("{number:>2} {}", self.catalogue.say(&choice.words)))
            .collect();
        output.columns(&numbered)?;
        for line in std::mem::take(&mut self.message) {
            output.notice(&line)?;
        }
        if let Some(line) = result {
            output.heading(&line)?;
        }
        match self.table.to_move() {
            None => output.heading("The game is over: undo, log or quit."),
            Some(_) if self.is_stuck => output.heading("Return asks again; or undo, log or quit."),
            Some(_) => output.heading(&format!("Your turn: 1 to {}, or help.", choices.len())),
        }?;
        Ok(output.prompt()?)
    }

    /// Obeys a line that was typed.
    fn answer(&mut self, typed: &str) -> Result<Next, TerminalError> {
        match Command::read(typed) {
            Command::Nothing => self.is_stuck = false,
            Command::Help => self.message = COMMANDS.map(str::to_owned).to_vec(),
            Command::Rules => {
                self.message =
                    output::plain(self.table.kind.scene.rules.in_language(Language::English))
            }
            Command::Log => self.message = self.happened(0, false),
            Command::Hint => self.message = self.hint(),
            Command::Undo => self.undo(),
            Command::Quit => return Ok(Next::Leave),
            Command::Number(number) => self.number(number),
            Command::Action => self.act(typed),
        }
        Ok(Next::Ask)
    }

    /// The legal actions of the person.
    fn choices(&self) -> Vec<Choice> {
        match self.table.to_move() == Some(self.seat) {
            true => self.table.game.choices(),
            false => Vec::new(),
        }
    }

    /// Takes the action with this number in the list, from 1.
    fn number(&mut self, number: usize) {
        let choices = self.choices();
        match number.checked_sub(1).and_then(|place| choices.get(place)) {
            Some(choice) => self.act(&choice.action),
            None if choices.is_empty() => {
                self.message = vec!["There is nothing to decide.".to_owned()];
            }
            None => {
                let text = format!("{number}: expected a number from 1 to {}", choices.len());
                self.message = vec![text];
            }
        }
    }

    fn act(&mut self, action: &str) {
        let version = self.table.version();
        if let Err(error) = self.table.act(self.seat, version, action) {
            self.message = vec![format!("{error}; `help` lists what can be typed")];
        }
    }

    fn undo(&mut self) {
        let version = self.table.version();
        self.message = match self.table.take_back(self.seat, version) {
            Ok(()) => {
                self.is_stuck = false;
                vec!["Taken back.".to_owned()]
            }
            Err(error) => vec![error.to_string()],
        };
        // Events that were taken back are gone; those that come in their place are new.
        self.seen = self.seen.min(self.table.game.told(self.eyes()).len());
    }

    /// The built-in player's advice as lines: action, value, continuation.
    fn hint(&mut self) -> Vec<String> {
        if self.table.to_move() != Some(self.seat) {
            return vec!["There is nothing to decide.".to_owned()];
        }
        if !self.table.setup.hints {
            return vec![TableError::NoHints.to_string()];
        }
        if let Err(error) = self.table.note_hint(self.seat) {
            return vec![error.to_string()];
        }
        let Advice { candidates } = self.table.game.advise();
        let unit = self.table.kind.scene.unit;
        let worth = |value: f64| match unit {
            Unit::Chance => format!("{:5.1} %", 100.0 * value),
            Unit::Points => format!("{value:7.2}"),
            // Rounded, and 0 added, so that no "-0.00" comes out.
            Unit::Penalty => format!("{:7.2}", (-100.0 * value).round() / 100.0 + 0.0),
        };
        let say = |text| self.catalogue.say(text);
        // Words are padded to the longest, so that the values stand in a column; a line is cut at 80 columns.
        let wide = candidates.iter().take(SHOWN);
        let wide = wide.map(|one| say(&one.choice.words).chars().count()).max();
        let wide = wide.unwrap_or(0);
        let shown = candidates.iter().take(SHOWN).map(|one| {
            let words = say(&one.choice.words);
            let then: Vec<String> = one.then.iter().map(say).collect();
            let line = format!("{words:wide$}  {}  {}", worth(one.value), then.join("; "));
            line.chars()
                .take(80)
                .collect::<String>()
                .trim_end()
                .to_owned()
        });
        let value = match unit {
            Unit::Chance => "your chance to win the game after each, the best first:",
            Unit::Penalty => "penalty points to expect after each, the best first:",
            Unit::Points => "points to expect after each, the best first:",
        };
        std::iter::once(value.to_owned()).chain(shown).collect()
    }

    /// Prints how to continue the game, or, if it is over, its seed.
    fn leave(self) -> Result<(), TerminalError> {
        let seed = self.table.setup.seed;
        // During the game the seed would give away the hidden cards.
        if self.table.to_move().is_none() {
            self.output.line(&format!("The seed was {seed}."))?;
            return Ok(());
        }
        self.output.line(&format!(
            "The game is kept: {} --resume {}",
            self.again, self.id
        ))?;
        Ok(())
    }
}
