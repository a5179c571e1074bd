//! The settings of a tournament, from which all its games follow.
//!
//! They are made from a request ([`Settings::new`]) or read from a tournament's folder ([`Settings::parse`]), and a
//! later request may add to them ([`Settings::adapted`]). All three ways end with the same check of the values.

use super::TournamentGame;
use super::conflict::Conflict;
use super::format::{Format, SWISS};
use super::request::Request;
use super::shard::Shard;
use arena::labels;
use arena::participant::ParticipantRecord;
use arena::penalty::Penalty;
use arena::plain_text::span;
use arena::process::Limits;
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
#[serde(deny_unknown_fields, bound = "")]
pub struct Settings<C: TournamentGame> {
    pub contest: String,
    pub version: u32,
    /// Numbers of players, in ascending order.
    pub players: Vec<u8>,
    #[serde(default, skip_serializing_if = "Format::is_usual")]
    pub format: Format,
    /// Games of each line-up, or of each pairing of a Swiss round, rounded up to whole blocks.
    pub games: u64,
    /// The rules of the games.
    #[serde(flatten)]
    pub rules: C,
    /// The seed of all random numbers.
    pub seed: u64,
    /// The penalty for a fault.
    pub penalty: Penalty,
    /// Seconds a decision of a program may take; built-in players keep their own time.
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

/// The fields of all settings, whatever their contest and version.
#[derive(Deserialize)]
struct SettingsKind {
    contest: String,
    version: u32,
}

impl<C: TournamentGame> Settings<C> {
    /// The settings of a new tournament.
    ///
    /// # Errors
    /// If the request makes no sense.
    pub fn new(request: Request<C::Asked>) -> Result<Settings<C>, Conflict> {
        let seconds = request.seconds.unwrap_or(C::SECONDS);
        let format = Format::new(request.format, request.rounds, request.programs.len())?;
        let players = request.players.unwrap_or_else(|| vec![C::USUAL_PLAYERS]);
        let settings = Settings {
            contest: C::NAME.to_owned(),
            version: VERSION,
            // A Swiss pairing is short: one block, with each program in each seat.
            games: request.games.unwrap_or(match format {
                Format::Swiss { .. } => players.first().copied().unwrap_or(2).into(),
                _ => 100,
            }),
            players,
            format,
            rules: C::new(request.rules)?,
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
    pub fn parse(text: &[u8]) -> Result<Settings<C>, String> {
        // Read first: the fields of another contest or version are others, and an error in them would say less.
        if let Ok(SettingsKind { contest, version }) = serde_json::from_slice(text)
            && (contest.as_str(), version) != (C::NAME, VERSION)
        {
            return Err(format!(
                "expected contest {:?}, version {VERSION}, not {contest:?}, version {version}",
                C::NAME,
            ));
        }
        let settings: Settings<C> =
            serde_json::from_slice(text).map_err(|error| error.to_string())?;
        settings.tidy().map_err(|error| error.to_string())
    }

    /// The settings of a tournament that goes on, with a request added.
    ///
    /// # Errors
    /// If the request cannot be added, or makes no sense.
    pub fn adapted(mut self, request: Request<C::Asked>) -> Result<Settings<C>, Conflict> {
        // Games depend on these settings, so a request may only repeat them.
        self.rules.accepts(&request.rules)?;
        same("seed", self.seed, request.seed)?;
        same("penalty", self.penalty, request.penalty)?;
        same(&seconds::<C>(), self.seconds, request.seconds)?;
        same("patience", self.patience, request.patience)?;
        same("shard", self.shard, request.shard)?;
        if let Some(memory) = request.memory_mb {
            let there = self.memory_mb.map_or("none".to_owned(), |m| m.to_string());
            same("memory in MiB", there, Some(memory.to_string()))?;
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
    pub fn difference(&self, other: &Settings<C>) -> Option<String> {
        // Compared as JSON, so that every field counts and the difference can be named.
        let bare = |settings: &Settings<C>| {
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
        let mut names = own.keys().chain(others.keys());
        let name = names.find(|&name| own.get(name) != others.get(name))?;
        let value = |fields: &serde_json::Map<_, _>| fields.get(name).cloned().unwrap_or_default();
        let (here, there) = (value(&own), value(&others));
        Some(format!("{name} is {here} and {there}"))
    }

    /// Puts the settings into their normal form and checks every value.
    fn tidy(mut self) -> Result<Settings<C>, Conflict> {
        // The order in which the numbers of players were named does not matter.
        self.players.sort_unstable();
        self.players.dedup();
        // Each error names the value and its valid range.
        let wrong = |name: &str, value: String, expected: &str| {
            Err(Conflict::Value {
                name: name.to_owned(),
                value,
                expected: expected.to_owned(),
            })
        };
        let counts = span(&C::PLAYERS);
        if let Some(count) = self.players.iter().find(|p| !C::PLAYERS.contains(*p)) {
            return wrong("players", count.to_string(), &counts);
        }
        if self.players.is_empty() {
            return wrong("players", "none".to_owned(), &counts);
        }
        // A comparison with NaN is false, so these negated conditions refuse NaN too.
        if !(self.seconds > 0.0 && self.seconds < 1e6) {
            return wrong(
                &seconds::<C>(),
                self.seconds.to_string(),
                "more than 0, less than 1000000",
            );
        }
        if !(self.patience >= self.seconds && self.patience < 1e6) {
            let expected = format!(
                "at least the seconds {} may take, less than 1000000",
                an(C::DECISION)
            );
            return wrong("patience", self.patience.to_string(), &expected);
        }
        // The upper limit keeps products of this number from overflowing.
        if !(1..=MOST_GAMES).contains(&self.games) {
            return wrong("games", self.games.to_string(), "1 to 1000000000");
        }
        if let Some(memory) = self.memory_mb.filter(|&mb| mb > MOST_MEMORY) {
            return wrong("memory in MiB", memory.to_string(), "at most 2^40");
        }
        // The times of single programs, too, may come from a file.
        let times = self.programs.iter().filter_map(|one| one.seconds);
        if let Some(time) = times.into_iter().find(|&time| !(time > 0.0 && time < 1e6)) {
            return wrong(
                "seconds of a program",
                time.to_string(),
                "more than 0, less than 1000000",
            );
        }
        self.rules.check()?;
        twins(&self.programs)?;
        if let Format::Swiss { rounds } = self.format {
            let wrong = |reason| {
                Err(Conflict::Format {
                    format: SWISS,
                    reason,
                })
            };
            // A pairing has two programs, and follows from all earlier games, which one shard would not have.
            let [2 | 4 | 6] = self.players[..] else {
                return wrong(
                    "its games have one number of players, and an even one: each program has half of the seats",
                );
            };
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

    /// Limits for a decision of a program.
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

/// The name of the time of a decision, such as `seconds an action`.
fn seconds<C: TournamentGame>() -> String {
    format!("seconds {}", an(C::DECISION))
}

/// A noun with its article.
pub(super) fn an(noun: &str) -> String {
    match noun.starts_with(['a', 'e', 'i', 'o', 'u']) {
        true => format!("an {noun}"),
        false => format!("a {noun}"),
    }
}

/// Refuses a requested value that differs from the tournament's.
pub(crate) fn same<T: PartialEq + fmt::Display>(
    name: &str,
    there: T,
    asked: Option<T>,
) -> Result<(), Conflict> {
    match asked {
        Some(asked) if asked != there => Err(Conflict::Setting {
            name: name.to_owned(),
            there: there.to_string(),
            asked: asked.to_string(),
        }),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cartagena::tournament::{AskedRules, Rules};
    use cartagena::rules::{Board, Symbol};

    type Settings = super::Settings<Rules>;
    type Request = super::Request<AskedRules>;

    fn two() -> Request {
        Request {
            programs: ["a=builtin:random", "b=builtin:greedy"]
                .map(|text| text.parse().unwrap())
                .into(),
            ..Request::default()
        }
    }

    #[test]
    fn additions_are_taken() {
        let settings = Settings::new(two()).unwrap();
        let more = Request {
            programs: vec!["c=builtin:hoarder".parse().unwrap()],
            players: Some(vec![4]),
            games: Some(400),
            rules: AskedRules {
                deal: Some(3),
                ..AskedRules::default()
            },
            ..Request::default()
        };
        let more = settings.adapted(more).unwrap();
        assert_eq!(more.players, [2, 4]);
        assert_eq!((more.programs.len(), more.games), (3, 400));
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
            rules: AskedRules {
                board: Some(Board::new(vec![Symbol::Hat; 7]).unwrap()),
                ..AskedRules::default()
            },
            shard: Some(Shard { index: 2, of: 3 }),
            ..two()
        };
        let settings = Settings::new(request).unwrap();
        let text = serde_json::to_string(&settings).unwrap();
        assert!(text.contains(r#""shard":"2/3""#), "{text}");
        let read: Settings = serde_json::from_str(&text).unwrap();
        assert_eq!(read, settings);
        assert_eq!(Rules::options(&read).board.unwrap().spaces().len(), 7);
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
