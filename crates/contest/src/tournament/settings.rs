//! The settings of a tournament, from which all its games follow.
//!
//! They are made from a request ([`Settings::new`]) or read from a tournament's folder ([`Settings::parse`]), and a
//! later request may add to them ([`Settings::adapted`]). All three ways end with the same check of the values.

use super::ParticipantRecord;
use super::conflict::Conflict;
use super::format::{Format, SWISS};
use super::request::Request;
use super::shard::Shard;
use crate::cartagena::Options;
use crate::cartagena::deals::FixedDeal;
use crate::cartagena::game::{Conduct, MAX_TURNS, Penalty};
use arena::labels;
use arena::process::Limits;
use cartagena::rules::{Board, Symbol};
use serde::{Deserialize, Serialize};
use std::fmt;
use std::ops::Not;
use std::time::Duration;

/// The version of the settings' format.
pub const VERSION: u32 = 1;

/// The most rounds of a Swiss tournament. A larger number is certainly a mistake.
const MOST_ROUNDS: u32 = 10_000;
/// The most games of a line-up: more than any tournament plays, and few enough that no number computed from it
/// overflows.
const MOST_GAMES: u64 = 1_000_000_000;

/// The highest limit of memory, in MiB: more than any machine has, and in bytes still a `u64`.
const MOST_MEMORY: u64 = 1 << 40;

/// A tournament's settings, as they are stored in its folder. Values that are left out there have their defaults.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Settings {
    pub contest: String,
    pub version: u32,
    /// Numbers of players, in ascending order.
    pub players: Vec<u8>,
    #[serde(default, skip_serializing_if = "Format::is_usual")]
    pub format: Format,
    /// Games of each line-up, or of each pairing of a Swiss round, rounded up to whole blocks.
    pub games: u64,
    /// Cards dealt to each player.
    pub deal: u8,
    /// Whether a pirate may leave the boat again by a retreat.
    pub boat_retreat: bool,
    /// The spaces of the board, a letter each. If there is none every block has a random board.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub board: Option<String>,
    /// Boards and decks from a file, which the blocks use in turn. If there are none all are random.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub positions: Vec<FixedDeal>,
    /// Turns after which a game is stopped and drawn.
    pub max_turns: u32,
    /// The seed of all random numbers.
    pub seed: u64,
    /// The penalty for a fault.
    pub penalty: Penalty,
    /// Seconds an action of a program may take; built-in players keep their own time.
    pub seconds: f64,
    /// Seconds after which a program is killed: at least `seconds`. In between an answer is late, but still seen.
    pub patience: f64,
    /// Memory a program may have, in MiB.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub memory_mb: Option<u64>,
    /// The part of the tournament that is played here.
    #[serde(default, skip_serializing_if = "Shard::is_whole")]
    pub shard: Shard,
    /// Threads that a program uses, if specified. It determines how many games are played at a time,
    /// and with `pin` the cores of each game. The games' results do not depend on it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub threads: Option<u16>,
    /// Games at a time, if specified.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub jobs: Option<u16>,
    /// Whether the programs of each game get cores that no other game uses.
    #[serde(default, skip_serializing_if = "Not::not")]
    pub pin: bool,
    /// The programs, in the order in which they joined.
    pub programs: Vec<ParticipantRecord>,
}

impl Settings {
    /// The settings of a new tournament.
    ///
    /// # Errors
    /// If the request makes no sense.
    pub fn new(request: Request) -> Result<Settings, Conflict> {
        let board = request.board.as_ref().map(board_letters);
        let seconds = request.seconds.unwrap_or(15.0);
        let format = Format::new(request.format, request.rounds, request.programs.len())?;
        if request.board.is_some() && !request.positions.is_empty() {
            let reason = "the file of --positions has the boards: leave --board out";
            return Err(Conflict::Format {
                format: "--positions",
                reason,
            });
        }
        let settings = Settings {
            contest: "cartagena".to_owned(),
            version: VERSION,
            players: request.players.unwrap_or_else(|| vec![2]),
            format,
            // A Swiss pairing is short: its two games are one block, with each program in each seat.
            games: request.games.unwrap_or(match format {
                Format::Swiss { .. } => 2,
                _ => 100,
            }),
            deal: request.deal.unwrap_or(3),
            boat_retreat: request.boat_retreat.unwrap_or(true),
            board,
            positions: request.positions,
            max_turns: request.max_turns.unwrap_or(MAX_TURNS),
            seed: request.seed.unwrap_or(1),
            penalty: request.penalty.unwrap_or_default(),
            seconds,
            // Two seconds more than the limit, so that a late answer is seen as late rather than missing.
            patience: request.patience.unwrap_or(seconds + 2.0),
            memory_mb: request.memory_mb,
            shard: request.shard.unwrap_or_default(),
            threads: request.threads,
            jobs: request.jobs,
            pin: request.pin.unwrap_or(false),
            programs: request.programs,
        };
        settings.tidy()
    }

    /// Reads settings as they stand in a tournament's folder.
    ///
    /// # Errors
    /// The reason as a sentence, if they are not of this contest and version, or make no sense. Anybody may have
    /// written the file, so no content may crash the program.
    pub fn parse(text: &[u8]) -> Result<Settings, String> {
        let settings: Settings = serde_json::from_slice(text).map_err(|error| error.to_string())?;
        if (settings.contest.as_str(), settings.version) != ("cartagena", VERSION) {
            return Err(format!(
                "expected contest \"cartagena\", version {VERSION}, not {:?}, version {}",
                settings.contest, settings.version
            ));
        }
        settings.tidy().map_err(|error| error.to_string())
    }

    /// The settings of a tournament that goes on, with a request added.
    ///
    /// # Errors
    /// If the request cannot be added, or makes no sense.
    pub fn adapted(mut self, request: Request) -> Result<Settings, Conflict> {
        // Games depend on these settings, so a request may only repeat them.
        same("deal", self.deal, request.deal)?;
        same("boat retreat", self.boat_retreat, request.boat_retreat)?;
        same("turns at most", self.max_turns, request.max_turns)?;
        same("seed", self.seed, request.seed)?;
        same("penalty", self.penalty, request.penalty)?;
        same("seconds an action", self.seconds, request.seconds)?;
        same("patience", self.patience, request.patience)?;
        same("shard", self.shard, request.shard)?;
        if let Some(board) = request.board.as_ref().map(board_letters) {
            let there = self.board.clone().unwrap_or_else(|| "random".to_owned());
            same("board", there, Some(board))?;
        }
        if let Some(memory) = request.memory_mb {
            let there = self.memory_mb.map_or("none".to_owned(), |m| m.to_string());
            same("memory in MiB", there, Some(memory.to_string()))?;
        }
        if !request.positions.is_empty() && request.positions != self.positions {
            let there = match self.positions.len() {
                0 => "boards and decks by chance".to_owned(),
                n => format!("{n} other boards and decks"),
            };
            return Err(Conflict::Positions { there });
        }
        self.format = self.format.adapted(request.format, request.rounds)?;
        if let Format::Swiss { .. } = self.format {
            // Later pairings of a Swiss tournament depend on earlier results. More games a pairing, or more programs,
            // would change rounds that have been played.
            same("games a pairing", self.games, request.games)?;
            let is_known = |new: &ParticipantRecord| {
                self.programs.iter().any(|known| known.label == new.label)
            };
            if !request.programs.iter().all(is_known) {
                let reason = "no program can join once it has begun; use another folder";
                return Err(Conflict::Format {
                    format: SWISS,
                    reason,
                });
            }
        }
        // These three affect only the speed, so they may change at any time.
        self.threads = request.threads.or(self.threads);
        self.jobs = request.jobs.or(self.jobs);
        self.pin = request.pin.unwrap_or(self.pin);
        self.players.extend(request.players.unwrap_or_default());
        // Fewer games are fine here; the folder refuses fewer than were played.
        self.games = request.games.unwrap_or(self.games);
        twins(&request.programs)?;
        for participant in request.programs {
            match self
                .programs
                .iter_mut()
                .find(|e| e.label == participant.label)
            {
                None => self.programs.push(participant),
                // The same program may have moved to another path.
                Some(known) if known.is_same(&participant) => known.program = participant.program,
                Some(known) => {
                    return Err(Conflict::Program {
                        label: participant.label.clone(),
                        there: known.describe(),
                        asked: participant.describe(),
                    });
                }
            }
        }
        self.tidy()
    }

    /// Describes the first difference between two tournaments' settings; none if they agree. Shards, settings of speed
    /// and the paths of programs may differ.
    pub fn difference(&self, other: &Settings) -> Option<String> {
        // Compared as JSON, so that every field counts and the difference can be named.
        let bare = |settings: &Settings| {
            let mut settings = settings.clone();
            settings.shard = Shard::WHOLE;
            (settings.threads, settings.jobs, settings.pin) = (None, None, false);
            for participant in &mut settings.programs {
                participant.forget_place();
            }
            match serde_json::to_value(settings) {
                Ok(serde_json::Value::Object(fields)) => fields,
                _ => serde_json::Map::new(),
            }
        };
        let (own, others) = (bare(self), bare(other));
        // A field with its default value is missing in JSON, so both sides are searched for fields that the other one
        // lacks.
        let differing = own
            .iter()
            .find(|&(name, value)| others.get(name) != Some(value));
        match differing {
            Some((name, value)) => {
                let there = others.get(name).unwrap_or(&serde_json::Value::Null);
                Some(format!("{name} is {value} and {there}"))
            }
            None => others
                .keys()
                .find(|&name| !own.contains_key(name))
                .map(|name| format!("{name} is null and {}", others[name])),
        }
    }

    /// Puts the settings into their normal form and checks every value.
    fn tidy(mut self) -> Result<Settings, Conflict> {
        // The order in which the numbers of players were named does not matter.
        self.players.sort_unstable();
        self.players.dedup();
        // Each error names the value and its valid range.
        let wrong = |name, value: String, expected| {
            Err(Conflict::Value {
                name,
                value,
                expected,
            })
        };
        if let Some(count) = self.players.iter().find(|p| !(2..=6).contains(*p)) {
            return wrong("players", count.to_string(), "2 to 6");
        }
        if self.players.is_empty() {
            return wrong("players", "none".to_owned(), "2 to 6");
        }
        // A comparison with NaN is false, so these negated conditions refuse NaN too.
        if !(self.seconds > 0.0 && self.seconds < 1e6) {
            return wrong("seconds an action", self.seconds.to_string(), "more than 0");
        }
        if !(self.patience >= self.seconds && self.patience < 1e6) {
            let expected = "at least the seconds an action may take";
            return wrong("patience", self.patience.to_string(), expected);
        }
        // The upper limit keeps products of this number from overflowing.
        if !(1..=MOST_GAMES).contains(&self.games) {
            return wrong("games", self.games.to_string(), "1 to 1000000000");
        }
        if let Some(memory) = self.memory_mb.filter(|&mb| mb > MOST_MEMORY) {
            return wrong("memory in MiB", memory.to_string(), "at most 2^40");
        }
        // `fixed_board` gives none for letters that make no board.
        if let Some(board) = self.board.as_ref().filter(|_| self.fixed_board().is_none()) {
            let expected = "a letter for each space: b d g h k s";
            return wrong("board", format!("{board:?}"), expected);
        }
        twins(&self.programs)?;
        if let Format::Swiss { rounds } = self.format {
            let wrong = |reason| {
                Err(Conflict::Format {
                    format: SWISS,
                    reason,
                })
            };
            // A pairing has two programs, and follows from all earlier games, which one shard would not have.
            if self.players != [2] {
                return wrong("its games have two players");
            }
            if !self.shard.is_whole() {
                return wrong(
                    "it cannot be played in shards: each round follows from the one before",
                );
            }
            if !(1..=MOST_ROUNDS).contains(&rounds) {
                return wrong("expected 1 to 10000 rounds");
            }
        }
        // Checked last, since messages about other mistakes say more.
        match self.programs.len() {
            0 | 1 => Err(Conflict::Programs(self.programs.len())),
            _ => Ok(self),
        }
    }

    /// The options of its games, for `Match`.
    pub fn options(&self) -> Options {
        Options {
            deal: self.deal,
            boat_retreat: self.boat_retreat,
            board: self.fixed_board(),
            positions: self.positions.clone(),
            seed: self.seed,
            own_deals: true,
            conduct: Conduct {
                max_turns: self.max_turns,
                penalty: self.penalty,
            },
            faultless: false,
            record: true,
        }
    }

    /// The board of all games; none if boards are random, or the letters make no board.
    fn fixed_board(&self) -> Option<Board> {
        let spaces: Option<Vec<_>> = self
            .board
            .as_ref()?
            .chars()
            .map(Symbol::of_letter)
            .collect();
        Board::new(spaces?).ok()
    }

    /// Limits for an action of a program.
    pub fn limits(&self) -> Limits {
        Limits {
            late: Duration::from_secs_f64(self.seconds),
            kill: Duration::from_secs_f64(self.patience),
            memory: self.memory_mb.map(|mb| mb << 20),
            ..Limits::default()
        }
    }

    /// The number of threads that a program is taken to use: the specified one; otherwise 1 if all programs are built
    /// in, and all `cores` if not.
    pub fn threads_of_a_program(&self, cores: usize) -> usize {
        let inside = self.programs.iter().all(ParticipantRecord::is_builtin);
        match self.threads {
            Some(threads) => threads.into(),
            None if inside => 1,
            None => cores,
        }
    }

    /// The number of games at a time: the specified one; otherwise the cores divided by the threads of a program.
    pub fn games_at_a_time(&self, cores: usize) -> usize {
        let fitting = (cores / self.threads_of_a_program(cores)).max(1);
        self.jobs.map_or(fitting, usize::from)
    }

    /// The labels of the programs.
    pub fn labels(&self) -> Vec<String> {
        self.programs.iter().map(|p| p.label.clone()).collect()
    }
}

/// Refuses programs with the same label, or with labels that are easily confused.
fn twins(programs: &[ParticipantRecord]) -> Result<(), Conflict> {
    for (i, second) in programs.iter().enumerate() {
        let twin = |first: &&ParticipantRecord| first.label == second.label;
        if let Some(first) = programs[..i].iter().find(twin) {
            return Err(Conflict::Twins {
                label: second.label.clone(),
                first: first.program.clone(),
                second: second.program.clone(),
            });
        }
    }
    Ok(labels::check(
        programs.iter().map(|program| &*program.label),
    )?)
}

/// The letters of a board's spaces, from the cell to the boat.
fn board_letters(board: &Board) -> String {
    board.spaces().iter().copied().map(Symbol::letter).collect()
}

/// Refuses a requested value that differs from the tournament's.
fn same<T: PartialEq + fmt::Display>(
    name: &'static str,
    there: T,
    asked: Option<T>,
) -> Result<(), Conflict> {
    match asked {
        Some(asked) if asked != there => Err(Conflict::Setting {
            name,
            there: there.to_string(),
            asked: asked.to_string(),
        }),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn two() -> Request {
        Request {
            programs: ["a=builtin:random", "b=builtin:greedy"]
                .map(|text| text.parse().unwrap())
                .into(),
            ..Request::default()
        }
    }

    #[test]
    fn additions_are_taken_and_changes_refused() {
        let settings = Settings::new(two()).unwrap();
        let more = Request {
            programs: vec!["c=builtin:hoarder".parse().unwrap()],
            players: Some(vec![4]),
            games: Some(400),
            deal: Some(3),
            ..Request::default()
        };
        let more = settings.clone().adapted(more).unwrap();
        assert_eq!(more.players, [2, 4]);
        assert_eq!((more.programs.len(), more.games), (3, 400));
        let other = Request {
            deal: Some(6),
            ..Request::default()
        };
        let refused = settings.clone().adapted(other).unwrap_err().to_string();
        assert!(refused.contains("deal 3, not 6"), "{refused}");
        let other = Request {
            programs: vec!["a=builtin:greedy".parse().unwrap()],
            ..Request::default()
        };
        let refused = settings.adapted(other).unwrap_err().to_string();
        assert!(
            refused.starts_with("a is builtin:random, not builtin:greedy"),
            "{refused}"
        );
    }

    #[test]
    fn what_makes_no_sense_is_refused() {
        let refused = |request: Request| Settings::new(request).unwrap_err().to_string();
        assert!(refused(Request::default()).contains("at least two programs"));
        let players = Request {
            players: Some(vec![2, 7]),
            ..two()
        };
        assert!(refused(players).contains("expected 2 to 6"));
        let hasty = Request {
            seconds: Some(4.0),
            patience: Some(1.0),
            ..two()
        };
        assert!(refused(hasty).contains("patience 1"));
    }

    /// A file whose settings make no sense is refused with a reason.
    #[test]
    fn files_that_make_no_sense_are_refused() {
        let text = serde_json::to_string(&Settings::new(two()).unwrap()).unwrap();
        assert!(Settings::parse(text.as_bytes()).is_ok());
        for (there, instead, reason) in [
            (
                "\"seconds\":15.0",
                "\"seconds\":-1.0",
                "seconds an action -1",
            ),
            ("\"patience\":17.0", "\"patience\":1e300", "patience 1"),
            (
                "\"games\":100",
                "\"games\":18446744073709551615",
                "games 18446744073709551615",
            ),
            (
                "\"seed\":1",
                "\"seed\":1,\"memory_mb\":18446744073709551615",
                "memory in MiB",
            ),
            (
                "\"seed\":1",
                "\"seed\":1,\"board\":\"bxb\"",
                "board \"bxb\"",
            ),
            ("\"version\":1", "\"version\":9", "version 9"),
            ("\"cartagena\"", "\"eights\"", "\"eights\""),
        ] {
            let wrong = text.replacen(there, instead, 1);
            assert_ne!(wrong, text, "{there}");
            let refused = Settings::parse(wrong.as_bytes()).unwrap_err();
            assert!(refused.contains(reason), "{refused}");
        }
    }

    #[test]
    fn settings_are_written_and_read() {
        let request = Request {
            board: Some(Board::new(vec![Symbol::Hat; 7]).unwrap()),
            shard: Some(Shard { index: 2, of: 3 }),
            ..two()
        };
        let settings = Settings::new(request).unwrap();
        let text = serde_json::to_string(&settings).unwrap();
        assert!(text.contains(r#""shard":"2/3""#), "{text}");
        let read: Settings = serde_json::from_str(&text).unwrap();
        assert_eq!(read, settings);
        assert_eq!(read.options().board.unwrap().spaces().len(), 7);
        let whole = Settings {
            shard: Shard::WHOLE,
            ..settings.clone()
        };
        assert_eq!(settings.difference(&whole), None);
        let other = Settings { seed: 2, ..whole };
        assert_eq!(
            settings.difference(&other),
            Some("seed is 1 and 2".to_owned())
        );
    }
}
