//! The setup of a table: game, seats, secrets and start.

use super::game::{Kind, TableGame};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use thiserror::Error;

/// The longest name a person may have, in characters.
const NAME: usize = 40;

/// The setup of a table; the first line of its file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Setup {
    pub game: String,
    /// The seed of all chance.
    pub seed: u64,
    pub seats: Vec<Occupant>,
    /// Whether actions may be taken back after something new was seen.
    pub freely: bool,
    /// The secret in the link of onlookers.
    pub onlookers: String,
    /// Seats of people at one screen, if there are several.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub shared: Vec<usize>,
    /// The table that this game continues, and after how many actions. Anyone who saw how that game ended knows
    /// some cards.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub from: Option<(String, usize)>,
    /// The rules that it has in addition to the contest's, see [`Kind::extra_rules`].
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub rules: Vec<String>,
    /// The position that the game starts at; `None`: it starts with a deal.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub start: Option<Value>,
}

/// The holder of a seat.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Occupant {
    /// Whoever has the link with this secret.
    Person {
        /// The name that others see.
        name: String,
        /// The secret in the link.
        secret: String,
    },
    /// A built-in player of a level, from 0.
    Player(usize),
    /// A participant's program, by its label.
    Program(String),
}

impl Occupant {
    /// The secret in a person's link.
    pub(super) fn secret(&self) -> Option<String> {
        match self {
            Occupant::Person { secret, .. } => Some(secret.clone()),
            _ => None,
        }
    }
}

/// A name from a file, changed to one that a person may have.
pub(super) fn fitting(name: &str, seat: usize) -> String {
    // Control characters could change a terminal that shows the name.
    let shown = name.chars().filter(|c| !c.is_control());
    let name: String = shown.take(NAME).collect();
    match name.trim() {
        "" => format!("Player {}", seat + 1),
        name => name.to_owned(),
    }
}

/// The reasons why a table cannot be set up.
#[derive(Debug, Error)]
pub(super) enum SetupError {
    #[error("{game} is played by {least} to {most}, not by {found}")]
    Seats {
        game: &'static str,
        least: usize,
        most: usize,
        found: usize,
    },
    #[error("{game} has {levels} levels of players, and no level {}", .found + 1)]
    Level {
        game: &'static str,
        levels: usize,
        found: usize,
    },
    #[error("a name has 1 to {NAME} characters, none of them a control character, not {0:?}")]
    Name(String),
    #[error("at least one seat must be taken")]
    Nobody,
}

impl Setup {
    /// The game that it sets up.
    ///
    /// # Errors
    /// The reason why it cannot start like that.
    pub(super) fn game(&self, kind: &dyn Kind) -> Result<Box<dyn TableGame>, String> {
        let varied = match self.rules.as_slice() {
            [] => None,
            rules => Some(kind.with_rules(rules).ok_or_else(|| {
                let (title, known) = (kind.title(), kind.extra_rules());
                let unknown = rules.iter().find(|rule| !known.contains(&rule.as_str()));
                let unknown = unknown.map_or("", String::as_str);
                let known = known.join(" or ");
                match known.is_empty() {
                    true => format!("{title} has no rule {unknown:?}: none can be added to it"),
                    false => format!("{title} has no rule {unknown:?}: expected {known}"),
                }
            })?),
        };
        let kind = varied.as_deref().unwrap_or(kind);
        match &self.start {
            // The seed draws the cards that the start leaves open.
            Some(start) => kind.begin_at(self.seats.len(), self.seed, start),
            None => Ok(kind.begin(self.seats.len(), self.seed)),
        }
    }

    /// Leaves all seats of people but one to the strongest of `levels` players.
    pub(super) fn leave_to_players(&mut self, person: usize, levels: usize) {
        for (seat, occupant) in self.seats.iter_mut().enumerate() {
            if seat != person && matches!(occupant, Occupant::Person { .. }) {
                // Levels count from 0, the strongest is the last.
                *occupant = Occupant::Player(levels.saturating_sub(1));
            }
        }
    }

    /// Checks that a game can be played like this.
    pub(super) fn check(&self, kind: &dyn Kind) -> Result<(), SetupError> {
        // A setup comes from a request or a file, so everything that the game relies on is checked.
        let (seats, levels) = (kind.seats(), kind.levels());
        if self.seats.is_empty() {
            return Err(SetupError::Nobody);
        }
        if !seats.contains(&self.seats.len()) {
            return Err(SetupError::Seats {
                game: kind.title(),
                least: *seats.start(),
                most: *seats.end(),
                found: self.seats.len(),
            });
        }
        for seat in &self.seats {
            match seat {
                Occupant::Player(level) if *level >= levels => {
                    return Err(SetupError::Level {
                        game: kind.title(),
                        levels,
                        found: *level,
                    });
                }
                // Names are shown to others, in browsers and terminals.
                Occupant::Person { name, .. }
                    if name.trim().is_empty()
                        || name.chars().count() > NAME
                        || name.chars().any(char::is_control) =>
                {
                    return Err(SetupError::Name(name.clone()));
                }
                _ => {}
            }
        }
        Ok(())
    }
}
