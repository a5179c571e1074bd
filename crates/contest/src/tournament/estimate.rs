//! Estimates how long a tournament will take, for its announcement.
//!
//! [`Pace`] has the mean length of games and the mean time of each program's actions. It comes from games that were
//! played ([`Pace::of_games`]); for programs without any, [`Pace::ask`] measures one action. [`Pace::estimate`] turns
//! it into an [`Estimate`] for the missing games.

use super::{Schedule, TournamentGame};
use arena::fault::Fault;
use arena::schedule::{GameResult, ScheduledGame};
use std::collections::{BTreeMap, BTreeSet};
use std::io;

/// Sample games between heuristic players. Their mean length stands for that of the tournament's games.
const SAMPLES: u64 = 8;
/// A program with at most this quotient of processor time and wall time counts as using one core. The limit is above
/// 1, since the two times are not measured at the same moments.
const ONE_CORE: f64 = 1.2;

/// The mean length of actions and of games.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Pace {
    /// Nanoseconds an action, by program and number of players.
    nanos: BTreeMap<(usize, usize), f64>,
    /// Nanoseconds that programs take once a game to start, by program and number of players.
    starts: BTreeMap<(usize, usize), f64>,
    /// Actions of a game, by number of players.
    actions: BTreeMap<usize, f64>,
    /// Cores that external programs used for an action, by program and number of players.
    cores: BTreeMap<(usize, usize), f64>,
    /// Faults of programs that were asked by [`Pace::ask`]: the program, the number of players and the fault.
    pub faults: Vec<(usize, usize, Fault)>,
}

/// How long a tournament will take.
#[derive(Clone, Debug, PartialEq)]
pub struct Estimate {
    /// The number of games still to be played.
    pub games: u64,
    /// Seconds for all of them, with as many games at a time as planned.
    pub seconds: f64,
    /// Each program's part of `seconds`.
    pub programs: Vec<f64>,
}

impl Estimate {
    /// The estimate scaled to `games` games of the same kind. `jobs` are the games at a time, before and after.
    #[must_use]
    pub fn of_games(self, games: u64, jobs: usize) -> Estimate {
        let at_once = |games: u64| (jobs as u64).min(games).max(1) as f64;
        let factor = match self.games {
            0 => 0.0,
            // Time is proportional to the games n divided by the games at a time a = min(jobs, n). So t seconds for n
            // games become t · (n' / n) · (a / a') for n'. With 8 jobs, 10 s for 4 games become
            // 10 · (16 / 4) · (4 / 8) = 20 s for 16 games.
            before => games as f64 / before as f64 * at_once(before) / at_once(games),
        };
        Estimate {
            games,
            seconds: factor * self.seconds,
            programs: self.programs.iter().map(|part| factor * part).collect(),
        }
    }
}

impl Pace {
    /// The pace of games that were played. Programs and numbers of players without games have no entries.
    pub fn of_games(games: &[(ScheduledGame, GameResult)]) -> Pace {
        // Each entry is a sum and a count; they are divided at the end.
        let mut times: BTreeMap<(usize, usize), (f64, f64)> = BTreeMap::new();
        let mut lengths: BTreeMap<usize, (f64, f64)> = BTreeMap::new();
        for (scheduled, played) in games {
            let players = scheduled.seats.len();
            let length = lengths.entry(players).or_default();
            length.1 += 1.0;
            for (&program, seat) in scheduled.seats.iter().zip(&played.seats) {
                let time = times.entry((program, players)).or_default();
                time.0 += seat.nanos.iter().sum::<u64>() as f64;
                time.1 += seat.nanos.len() as f64;
                length.0 += seat.nanos.len() as f64;
            }
        }
        Pace {
            nanos: times
                .into_iter()
                // A program without any action has no mean.
                .filter(|(_, (_, count))| *count > 0.0)
                .map(|(key, (sum, count))| (key, sum / count))
                .collect(),
            actions: lengths
                .into_iter()
                .map(|(n, (sum, games))| (n, sum / games))
                .collect(),
            starts: BTreeMap::new(),
            cores: BTreeMap::new(),
            faults: Vec::new(),
        }
    }

    /// Asks programs for one action each, for every number of players for which a program's pace is still unknown.
    ///
    /// # Errors
    /// If this machine fails.
    pub fn ask<C: TournamentGame>(
        &mut self,
        rules: &C,
        table: &C::Table,
        schedule: &Schedule,
    ) -> io::Result<()> {
        let mut samples: BTreeMap<usize, C::Sample> = BTreeMap::new();
        for line_up in schedule.line_ups() {
            let players = line_up.0.len();
            // The length comes from games between heuristics: whole games with the programs would take too long.
            self.actions.entry(players).or_insert_with(|| {
                let lengths = (1..=SAMPLES).map(|seed| C::decisions(&rules.sample(players, seed)));
                lengths.sum::<usize>() as f64 / SAMPLES as f64
            });
            for program in line_up.programs() {
                if self.nanos.contains_key(&(program, players)) {
                    continue;
                }
                let sample = samples
                    .entry(players)
                    .or_insert_with(|| rules.sample(players, 1));
                let answer = C::ask(table, program, sample)?;
                self.nanos.insert((program, players), answer.nanos as f64);
                let start = answer.start_nanos as f64;
                self.starts.insert((program, players), start);
                // Only external programs report the processor time of their processes.
                if let Some(nanos) = answer.processor_nanos {
                    let cores = nanos as f64 / answer.nanos.max(1) as f64;
                    self.cores.insert((program, players), cores);
                }
                if let Some(fault) = answer.fault {
                    self.faults.push((program, players, fault));
                }
            }
        }
        Ok(())
    }

    /// Whether all external programs (`outside` of them) were asked, and none used more than one core.
    pub fn are_small(&self, outside: usize) -> bool {
        let asked: BTreeSet<usize> = self.cores.keys().map(|&(program, _)| program).collect();
        let one_core = |&cores: &f64| cores <= ONE_CORE;
        outside > 0 && asked.len() == outside && self.cores.values().all(one_core)
    }

    /// The time for the games `open` of a schedule, with `jobs` at a time, in a tournament of `programs` programs.
    pub fn estimate(
        &self,
        schedule: &Schedule,
        open: impl Iterator<Item = ScheduledGame>,
        programs: usize,
        jobs: usize,
    ) -> Estimate {
        let mut counts = vec![0u64; schedule.line_ups().len()];
        for scheduled in open {
            counts[scheduled.line_up] += 1;
        }
        let mut parts = vec![0.0; programs];
        for (line_up, &games) in schedule.line_ups().iter().zip(&counts) {
            let players = line_up.0.len();
            let actions = self.actions.get(&players).copied().unwrap_or(0.0);
            for &program in &line_up.0 {
                let nanos = self.nanos.get(&(program, players)).copied().unwrap_or(0.0);
                let start = self.starts.get(&(program, players));
                // Each player starts once a game, and takes its share of the game's actions:
                // games · (start + actions / players · time an action).
                let game = start.unwrap_or(&0.0) + actions / players as f64 * nanos;
                parts[program] += games as f64 * game / 1e9;
            }
        }
        // No more games are played at a time than are missing.
        let games = counts.iter().sum();
        let at_once = (jobs as u64).min(games).max(1) as f64;
        for part in &mut parts {
            *part /= at_once;
        }
        Estimate {
            games,
            seconds: parts.iter().sum(),
            programs: parts,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Request, Settings};
    use super::*;
    use crate::cartagena::tournament::Rules;
    use crate::tricks::tournament::RoundRules;
    use arena::schedule::SeatResult;
    use games::tricks::Eights;
    use std::collections::HashSet;

    #[test]
    fn games_are_measured_and_counted() {
        let request = Request {
            players: Some(vec![2]),
            games: Some(10),
            ..Request::of_random(2)
        };
        let schedule = Schedule::new(&Settings::<Rules>::new(request).unwrap());
        let seat = |nanos: Vec<u64>| SeatResult {
            share: 0.5,
            rank: 1.5,
            nanos,
            faults: Vec::new(),
        };
        let first = schedule.scheduled_games().next().unwrap();
        let played = GameResult {
            seats: vec![
                seat(vec![1_000_000_000, 3_000_000_000]),
                seat(vec![500_000_000; 2]),
            ],
            stopped: true,
            line: Vec::new(),
        };
        let pace = Pace::of_games(&[(first.clone(), played)]);
        let done: HashSet<String> = [schedule.id(&first)].into();
        let estimate = pace.estimate(&schedule, schedule.open(&done), 2, 3);
        // Nine games, three at a time. Each has two actions of 2 s and two of 0.5 s.
        assert_eq!(estimate.games, 9);
        assert!((estimate.seconds - 15.0).abs() < 1e-9, "{estimate:?}");
        assert!((estimate.programs[0] - 12.0).abs() < 1e-9, "{estimate:?}");
        // Only two games can run at once if there are two.
        let two = estimate.of_games(2, 3);
        assert!((two.seconds - 5.0).abs() < 1e-9, "{two:?}");
    }

    /// A program that fails is not asked again in its game, so its time counts once a game and not for every card.
    #[test]
    fn the_time_of_a_fault_counts_once_a_game() {
        let entered = |text| RoundRules::<Eights>::entered(text).unwrap();
        let settings = Settings::<RoundRules<Eights>>::new(Request {
            programs: vec![entered("gone=false"), entered("high")],
            games: Some(6),
            ..Request::default()
        })
        .unwrap();
        let schedule = Schedule::new(&settings);
        let names = schedule.names().to_vec();
        let table = RoundRules::<Eights>::table(&settings, names, settings.limits(), None).unwrap();
        let mut pace = Pace::default();
        pace.ask(&settings.rules, &table, &schedule).unwrap();
        let [(0, 4, fault)] = &pace.faults[..] else {
            panic!("{pace:?}");
        };
        assert_eq!(fault.kind.name(), "crash", "{fault}");
        assert_eq!(pace.nanos[&(0, 4)], 0.0);
        // A start that takes two seconds, on two of the four seats.
        pace.starts.insert((0, 4), 2e9);
        let games = schedule.scheduled_games();
        let estimate = pace.estimate(&schedule, games, 2, 1);
        let seconds = estimate.games as f64 * 2.0 * 2.0;
        assert!(
            (estimate.programs[0] - seconds).abs() < 1e-9,
            "{estimate:?}"
        );
    }
}
