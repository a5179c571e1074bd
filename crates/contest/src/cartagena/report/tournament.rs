//! The facts about a tournament that a report shows: its settings, progress and ratings.

use super::{Facts, Progress};
use crate::cartagena::game::Penalty;
use crate::cartagena::tournament::{Format, ParticipantRecord, Schedule, Settings, Standings};

/// The digits of a fingerprint that are shown: enough to distinguish versions.
const FINGERPRINT: usize = 12;

impl Facts {
    /// The facts about a tournament in which `played` games were played.
    pub fn of_tournament(
        title: String,
        settings: &Settings,
        standings: Standings,
        played: u64,
    ) -> Facts {
        let planned = Schedule::new(settings).games();
        // The time limit holds only for external programs.
        let timed = settings.programs.iter().any(|p| !p.is_builtin());
        let mut ratings = vec![standings.overall];
        ratings.extend(standings.by_players);
        Facts {
            title,
            settings: told(settings),
            progress: if played < planned {
                Progress::Unfinished { planned }
            } else {
                Progress::Complete
            },
            limit_ms: timed.then_some(1000.0 * settings.seconds),
            ratings,
        }
    }
}

/// The settings as names and values, without those that the games themselves show.
pub(super) fn told(settings: &Settings) -> Vec<(String, String)> {
    let mut told = Vec::new();
    let mut add = |name: &str, value: String| told.push((name.to_owned(), value));
    let programs: Vec<String> = settings.programs.iter().map(program).collect();
    add("programs", programs.join(", "));
    add("games a line-up", settings.games.to_string());
    add("deal", format!("{} cards", settings.deal));
    if settings.format != Format::RoundRobin {
        add("format", settings.format.to_string());
    }
    add("seed", settings.seed.to_string());
    // Limits of time and memory concern only external programs.
    if settings.programs.iter().any(|p| !p.is_builtin()) {
        add("time an action", format!("{} s", settings.seconds));
        let memory = settings.memory_mb.map(|mb| format!("{mb} MiB"));
        add("memory", memory.unwrap_or_else(|| "no limit".to_owned()));
    }
    add(
        "a fault costs",
        match settings.penalty {
            Penalty::Forfeit => "the game",
            Penalty::RandomAction => "the choice: a random action stands in",
        }
        .to_owned(),
    );
    add("stopped after", format!("{} turns", settings.max_turns));
    if settings.board.is_some() {
        add("board", "fixed".to_owned());
    }
    if !settings.positions.is_empty() {
        let count = settings.positions.len();
        add("boards and decks", format!("{count} from a file"));
    }
    if !settings.shard.is_whole() {
        add("shard", settings.shard.to_string());
    }
    told
}

/// A program's label, with its built-in player or the beginning of its fingerprint. Paths stay private.
fn program(participant: &ParticipantRecord) -> String {
    let what = if participant.is_builtin() {
        participant.program.as_str()
    } else {
        let digits = participant.fingerprint.char_indices().nth(FINGERPRINT);
        &participant.fingerprint[..digits.map_or(participant.fingerprint.len(), |(at, _)| at)]
    };
    let label = &participant.label;
    // A built-in player under its own name is shown once, not as `greedy (builtin:greedy)`.
    match what.strip_prefix("builtin:") {
        Some(name) if name == label => what.to_owned(),
        _ if what == label || what.is_empty() => label.clone(),
        _ if participant.stays => format!("{label} ({what}, stays)"),
        _ => format!("{label} ({what})"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn programs_are_told_without_their_places() {
        let participant =
            |label: &str, program: &str, fingerprint: &str| program_of(label, program, fingerprint);
        assert_eq!(
            participant("a", "/home/me/a", "0123456789abcdef"),
            "a (0123456789ab)"
        );
        assert_eq!(
            participant("hoarder", "builtin:hoarder", ""),
            "builtin:hoarder"
        );
        assert_eq!(
            participant("builtin:hoarder", "builtin:hoarder", ""),
            "builtin:hoarder"
        );
        assert_eq!(participant("x", "builtin:random", ""), "x (builtin:random)");
        let mut stays: ParticipantRecord = "a=/home/me/a".parse().unwrap();
        (stays.fingerprint, stays.stays) = ("0123".to_owned(), true);
        assert_eq!(program(&stays), "a (0123, stays)");
    }

    fn program_of(label: &str, path: &str, fingerprint: &str) -> String {
        program(&ParticipantRecord {
            label: label.to_owned(),
            program: path.to_owned(),
            fingerprint: fingerprint.to_owned(),
            variables: Default::default(),
            stays: false,
        })
    }
}
