//! The setup of a table: game, seats, secrets and start.

use super::UnderWay;
use super::kind::{Beginning, Kind, Scene};
use arena::plain_text::span;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::ops::RangeInclusive;
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
    /// The rules that it has in addition to the contest's, see [`Scene::extra_rules`](crate::Scene::extra_rules).
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub rules: Vec<String>,
    /// The position that the game starts at; `None`: it starts with a deal.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub start: Option<Value>,
    /// Whether people may ask for hints.
    #[serde(default = "yes", skip_serializing_if = "is_yes")]
    pub hints: bool,
    /// The limit on the time of people.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub limit: Option<TimeLimit>,
    /// Whether people can write to each other.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub chat: bool,
    /// The seat of the person who set up the table.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub host: Option<usize>,
}

/// A limit on the time that each person has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TimeLimit {
    /// Seconds for each action. When they are over, a built-in player takes this one action.
    Action(u32),
    /// Seconds for all actions of the game together. When they are over, the seat resigns.
    Game(u32),
}

/// The longest time limit, in seconds: a day.
const LONGEST: u32 = 24 * 60 * 60;

pub(super) fn yes() -> bool {
    true
}

/// Whether a field stays out of the file; serde needs a function of a reference.
fn is_yes(value: &bool) -> bool {
    *value
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
    pub(super) fn is_person(&self) -> bool {
        matches!(self, Occupant::Person { .. })
    }

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
    #[error("{game} is played by {}, not by {found}", span(seats))]
    Seats {
        game: &'static str,
        seats: RangeInclusive<usize>,
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
    #[error("a time limit is 1 to {LONGEST} seconds, not {0}")]
    Time(u32),
    #[error("seat {} is not that of a person", .0 + 1)]
    Host(usize),
}

impl Setup {
    /// A table with these links, at which everything is allowed.
    pub(super) fn new(game: &str, seed: u64, seats: Vec<Occupant>, onlookers: String) -> Setup {
        Setup {
            game: game.to_owned(),
            seed,
            seats,
            freely: true,
            onlookers,
            shared: Vec::new(),
            from: None,
            rules: Vec::new(),
            start: None,
            hints: true,
            limit: None,
            chat: false,
            host: None,
        }
    }

    /// The seats of people.
    pub(super) fn people(&self) -> impl Iterator<Item = usize> {
        let seats = self.seats.iter().enumerate();
        seats.filter_map(|(seat, occupant)| occupant.is_person().then_some(seat))
    }

    /// The seat of the one person at the table.
    pub(super) fn only_person(&self) -> Option<usize> {
        let mut people = self.people();
        people.next().filter(|_| people.next().is_none())
    }

    /// The seat of the host: that of the person who set up the table, or of the only person.
    pub(super) fn own_seat(&self) -> Option<usize> {
        self.host.or_else(|| self.only_person())
    }

    /// The game that it sets up.
    ///
    /// # Errors
    /// The reason why it cannot start like that.
    pub(super) fn game(&self, kind: &Kind) -> Result<UnderWay, String> {
        kind.begin(&Beginning {
            seats: self.seats.len(),
            // It also draws the cards that the start leaves open.
            seed: self.seed,
            rules: &self.rules,
            start: self.start.as_ref(),
        })
    }

    /// Leaves all seats of people but one to the strongest of `levels` players.
    pub(super) fn leave_to_players(&mut self, person: usize, levels: usize) {
        for (seat, occupant) in self.seats.iter_mut().enumerate() {
            if seat != person && occupant.is_person() {
                self.host = self.host.filter(|&host| host != seat);
                // Levels count from 0, the strongest is the last.
                *occupant = Occupant::Player(levels.saturating_sub(1));
            }
        }
    }

    /// Checks that a game can be played like this.
    pub(super) fn check(&self, kind: &Kind) -> Result<(), SetupError> {
        // A setup comes from a request or a file, so everything that the game relies on is checked.
        let Scene {
            title,
            ref seats,
            levels,
            ..
        } = kind.scene;
        if self.seats.is_empty() {
            return Err(SetupError::Nobody);
        }
        if !seats.contains(&self.seats.len()) {
            return Err(SetupError::Seats {
                game: title,
                seats: seats.clone(),
                found: self.seats.len(),
            });
        }
        for seat in &self.seats {
            match seat {
                Occupant::Player(level) if *level >= levels => {
                    return Err(SetupError::Level {
                        game: title,
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
        if let Some(TimeLimit::Action(time) | TimeLimit::Game(time)) = self.limit
            && !(1..=LONGEST).contains(&time)
        {
            return Err(SetupError::Time(time));
        }
        match self
            .host
            .filter(|&host| self.people().all(|seat| seat != host))
        {
            Some(host) => Err(SetupError::Host(host)),
            None => Ok(()),
        }
    }
}
