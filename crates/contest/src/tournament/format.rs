//! The format of a tournament: which programs meet. [`Format`] stands in the settings, [`Pairing`] in a request.

use super::conflict::Conflict;
use arena::line_up::LineUp;
use arena::plain_text::counted;
use clap::ValueEnum;
use serde::{Deserialize, Serialize};
use std::fmt;

/// The name of the Swiss format in error messages.
pub(super) const SWISS: &str = "--format swiss";

/// The kind of a format, without its parameters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Pairing {
    /// All against all, in every line-up
    RoundRobin,
    /// The first program against all others
    Gauntlet,
    /// In rounds, each program against one with about as many points; games for two
    Swiss,
}

/// The format of a tournament.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Format {
    /// All against all: every line-up with at least two different programs.
    #[default]
    RoundRobin,
    /// The first program against all others: the line-ups that it is in.
    Gauntlet,
    /// Rounds of games between two programs, each on half of the seats. In each round a program meets one with about
    /// as many points (see [`arena::swiss`]).
    Swiss { rounds: u32 },
}

impl Format {
    /// The requested format. By default a Swiss tournament has as many rounds as a knockout: ⌈log₂
    /// programs⌉, such as 4 for 9 to 16 programs.
    pub(super) fn new(
        pairing: Option<Pairing>,
        rounds: Option<u32>,
        programs: usize,
    ) -> Result<Format, Conflict> {
        match (pairing.unwrap_or(Pairing::RoundRobin), rounds) {
            (Pairing::Swiss, rounds) => Ok(Format::Swiss {
                rounds: rounds.unwrap_or_else(|| programs.max(2).next_power_of_two().ilog2()),
            }),
            (_, Some(_)) => Err(Conflict::Format {
                format: "--rounds",
                reason: "only a Swiss tournament has rounds (--format swiss)",
            }),
            (Pairing::RoundRobin, None) => Ok(Format::RoundRobin),
            (Pairing::Gauntlet, None) => Ok(Format::Gauntlet),
        }
    }

    /// The format of a tournament that goes on, with the requested number of rounds if there is one. Its kind cannot
    /// change.
    pub(super) fn adapted(
        self,
        pairing: Option<Pairing>,
        rounds: Option<u32>,
    ) -> Result<Format, Conflict> {
        if let Some(asked) = pairing.filter(|&pairing| pairing != self.pairing()) {
            return Err(Conflict::Setting {
                name: "format".to_owned(),
                there: self.pairing().to_string(),
                asked: asked.to_string(),
            });
        }
        match self {
            // More or fewer rounds are fine as long as no played game falls outside; the folder checks that.
            Format::Swiss { rounds: there } => Ok(Format::Swiss {
                rounds: rounds.unwrap_or(there),
            }),
            // `new` refuses `rounds` for these formats. They ignore the number of programs, so 0 does no harm.
            _ => Format::new(Some(self.pairing()), rounds, 0),
        }
    }

    /// The kind of this format.
    pub fn pairing(self) -> Pairing {
        match self {
            Format::RoundRobin => Pairing::RoundRobin,
            Format::Gauntlet => Pairing::Gauntlet,
            Format::Swiss { .. } => Pairing::Swiss,
        }
    }

    /// Whether this is the default, which is left out of the settings' file.
    pub(super) fn is_usual(&self) -> bool {
        *self == Format::RoundRobin
    }

    /// All line-ups of games with this number of players. A Swiss tournament plays only some of them.
    pub(super) fn line_ups(self, programs: usize, players: usize) -> Vec<LineUp> {
        let mut line_ups = LineUp::all(programs, players);
        match self {
            Format::RoundRobin => {}
            // Only line-ups with the first program.
            Format::Gauntlet => line_ups.retain(|line_up| line_up.0.contains(&0)),
            Format::Swiss { .. } => line_ups.retain(|line_up| {
                let halves = |&program: &usize| 2 * line_up.seats_of(program) == players;
                line_up.programs().iter().all(halves)
            }),
        }
        line_ups
    }
}

impl fmt::Display for Pairing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Pairing::RoundRobin => "round-robin",
            Pairing::Gauntlet => "gauntlet",
            Pairing::Swiss => "swiss",
        })
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Format::RoundRobin => f.write_str("all against all"),
            Format::Gauntlet => f.write_str("the first against all others"),
            Format::Swiss { rounds } => write!(f, "Swiss, {}", counted(rounds, "round")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formats_are_asked_for() {
        let new = |pairing, rounds| Format::new(pairing, rounds, 9);
        assert_eq!(new(None, None), Ok(Format::RoundRobin));
        assert_eq!(
            new(Some(Pairing::Swiss), None),
            Ok(Format::Swiss { rounds: 4 })
        );
        let refused = new(Some(Pairing::Gauntlet), Some(3))
            .unwrap_err()
            .to_string();
        assert!(
            refused.contains("only a Swiss tournament has rounds"),
            "{refused}"
        );
        let swiss = Format::Swiss { rounds: 4 };
        assert_eq!(
            swiss.adapted(None, Some(6)),
            Ok(Format::Swiss { rounds: 6 })
        );
        assert_eq!(swiss.adapted(Some(Pairing::Swiss), None), Ok(swiss));
        let refused = swiss.adapted(Some(Pairing::Gauntlet), None).unwrap_err();
        assert!(
            refused.to_string().contains("format swiss, not gauntlet"),
            "{refused}"
        );
    }

    #[test]
    fn a_gauntlet_is_of_the_first() {
        let line_ups = Format::Gauntlet.line_ups(4, 2);
        assert_eq!(
            line_ups,
            [[0, 1], [0, 2], [0, 3]].map(|seats| LineUp(seats.into()))
        );
        let three = Format::Gauntlet.line_ups(3, 3);
        assert!(three.iter().all(|line_up| line_up.0.contains(&0)));
        assert_eq!(three.len(), 5);
    }
}
