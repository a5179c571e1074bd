//! The rounds of a Swiss tournament, derived from the games that were played.
//!
//! Each round is paired by the standings before it (`arena::swiss`), so the rounds follow from the results, and
//! nothing but the games is stored. Running a tournament asks for the games that are due, standings ask for the
//! points.
//!
//! The k-th meeting of two programs is played on the k-th range of blocks of their line-up. Example: with 2 blocks a
//! meeting, a pair's first meeting is on blocks 0 and 1, its second on 2 and 3.

use super::format::Format;
use super::results::Results;
use super::{Schedule, Settings, TournamentGame};
use arena::line_up::LineUp;
use arena::rating::Outcome;
use arena::schedule::ScheduledGame;
use arena::swiss::{self, Standing};
use std::cmp::Ordering;
use std::collections::BTreeMap;

/// The size of a Swiss tournament.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Swiss {
    programs: usize,
    rounds: u64,
    /// The number of blocks of a meeting.
    blocks: u64,
    /// The games of a block. The two programs have half of the seats each, and move on by one seat from game to game,
    /// so there are as many as players.
    seatings: u64,
}

/// The rounds as far as the results reach.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Rounds {
    /// By program, after the last complete round. A meeting won and a bye count a point, a drawn meeting half a point;
    /// the number of games won breaks ties.
    pub(super) standings: Vec<Standing>,
    /// The missing games of the first incomplete round; empty if all rounds are complete.
    pub(super) due: Vec<ScheduledGame>,
}

impl Swiss {
    /// The size of the Swiss tournament with these settings; none for other formats.
    pub(super) fn of<C: TournamentGame>(settings: &Settings<C>) -> Option<Swiss> {
        let Format::Swiss { rounds } = settings.format else {
            return None;
        };
        let seatings = settings.players.first().copied().unwrap_or(2).into();
        Some(Swiss {
            programs: settings.programs.len(),
            rounds: rounds.into(),
            blocks: settings.games.div_ceil(seatings),
            seatings,
        })
    }

    /// The most blocks that a line-up can need: its two programs could meet in every round.
    pub(super) fn most_blocks(&self) -> u64 {
        self.rounds * self.blocks
    }

    /// The number of games of all rounds.
    pub(super) fn games(&self) -> u64 {
        // With an odd number of programs one has a bye, so the half is rounded down.
        self.rounds * (self.programs / 2) as u64 * self.blocks * self.seatings
    }

    /// The number of rounds in which `games` games are played, if one line-up has `of_line_up` of them.
    pub(super) fn rounds_of(&self, games: u64, of_line_up: u64) -> u64 {
        let meeting = self.blocks * self.seatings;
        let round = (self.programs / 2) as u64 * meeting;
        // Two programs meet once in a round at most.
        games.div_ceil(round).max(of_line_up.div_ceil(meeting))
    }

    /// The number of games that are missing. Games of later rounds than the first incomplete one count as played: the
    /// missing one may pair them as before.
    pub(super) fn missing(&self, schedule: &Schedule, results: &Results) -> u64 {
        let due = self.rounds(schedule, results).due.len() as u64;
        match due {
            0 => 0,
            due => self.games().saturating_sub(results.count()).max(due),
        }
    }

    /// Pairs round after round, up to and with the first round that is not complete.
    pub(super) fn rounds(&self, schedule: &Schedule, results: &Results) -> Rounds {
        let mut rounds = Rounds {
            standings: vec![Standing::default(); self.programs],
            ..Rounds::default()
        };
        let line_up = |pair: [usize; 2]| {
            let named = |line_up: &LineUp| line_up.programs() == pair;
            schedule.line_ups().iter().position(named)
        };
        // The games that each program has won, in parts.
        let mut parts = vec![0; self.programs];
        let mut met: BTreeMap<[usize; 2], u64> = BTreeMap::new();
        for _ in 0..self.rounds {
            // Pairing is deterministic, so a restarted tournament finds the same rounds.
            let round = swiss::pair(&rounds.standings, |a, b| {
                let times = met.get(&[a.min(b), a.max(b)]).copied().unwrap_or(0);
                u32::try_from(times).unwrap_or(u32::MAX)
            });
            // The points of a round are collected first and count only if it is complete.
            let mut points = Vec::new();
            for &(a, b) in &round.pairs {
                let pair = [a.min(b), a.max(b)];
                let Some(line_up) = line_up(pair) else {
                    continue;
                };
                let meeting = met.entry(pair).or_default();
                // The wins of the two programs in this meeting.
                let mut won = [0; 2];
                for block in *meeting * self.blocks..(*meeting + 1) * self.blocks {
                    let games = schedule.games_of_block(line_up, block);
                    rounds.due.extend(games.filter(|it| !results.has(it)));
                    let wins = results.wins((line_up, block), schedule, pair);
                    // An incomplete block counts nothing; its games are due.
                    for (won, more) in won.iter_mut().zip(wins.unwrap_or_default()) {
                        *won += more;
                    }
                }
                *meeting += 1;
                points.push((pair, won));
            }
            // The next round cannot be paired before this one is complete.
            if !rounds.due.is_empty() {
                break;
            }
            for (pair, won) in points {
                for (own, other) in [(0, 1), (1, 0)] {
                    let standing = &mut rounds.standings[pair[own]];
                    parts[pair[own]] += won[own];
                    // In whole parts: thirds of wins, as floats, would make a drawn meeting a win by a rounding.
                    standing.tie_break = parts[pair[own]] as f64 / Outcome::WHOLE as f64;
                    standing.score += match won[own].cmp(&won[other]) {
                        Ordering::Greater => 1.0,
                        Ordering::Equal => 0.5,
                        Ordering::Less => 0.0,
                    };
                }
            }
            // A bye counts as a meeting won, but wins no games, so it adds nothing to the tie-break.
            if let Some(bye) = round.bye {
                rounds.standings[bye].byes += 1;
                rounds.standings[bye].score += 1.0;
            }
        }
        rounds
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Pairing, Request};
    use super::*;
    use crate::cartagena::tournament::Rules;

    fn schedule(programs: usize, rounds: u32, games: u64) -> Schedule {
        let request = Request {
            format: Some(Pairing::Swiss),
            rounds: Some(rounds),
            games: Some(games),
            ..Request::of_random(programs)
        };
        Schedule::new(&Settings::<Rules>::new(request).unwrap())
    }

    /// Plays at most `at_most` games, won by the program that joined later. Returns their ids in order.
    fn played(schedule: &Schedule, at_most: usize) -> (Vec<String>, Rounds) {
        let swiss = schedule.swiss().unwrap();
        let mut results = Results::default();
        let mut ids = Vec::new();
        loop {
            let rounds = swiss.rounds(schedule, &results);
            let Some(game) = rounds.due.first().filter(|_| ids.len() < at_most) else {
                return (ids, rounds);
            };
            let rank = |&program: &usize| match game.seats.iter().max() == Some(&program) {
                true => 1.0,
                false => 2.0,
            };
            let outcome = Outcome {
                seats: game.seats.clone(),
                ranks: game.seats.iter().map(rank).collect(),
            };
            results.add(game, outcome);
            ids.push(schedule.id(game));
        }
    }

    #[test]
    fn rounds_follow_from_results() {
        let schedule = schedule(4, 3, 2);
        assert_eq!(schedule.games(), 3 * 2 * 2);
        let (ids, rounds) = played(&schedule, usize::MAX);
        assert_eq!(
            ids[..4],
            ["2p1.2-1-1", "2p1.2-1-2", "2p3.4-1-1", "2p3.4-1-2"]
        );
        // Winners meet winners, and even in the last round no two programs meet again.
        assert_eq!(
            ids[4..8],
            ["2p2.4-1-1", "2p2.4-1-2", "2p1.3-1-1", "2p1.3-1-2"]
        );
        assert_eq!(
            ids[8..],
            ["2p1.4-1-1", "2p1.4-1-2", "2p2.3-1-1", "2p2.3-1-2"]
        );
        let scores: Vec<f64> = rounds.standings.iter().map(|s| s.score).collect();
        assert_eq!(scores, [0.0, 1.0, 2.0, 3.0]);
        assert!(rounds.due.is_empty());
        let first = &rounds.standings[3];
        assert_eq!((first.tie_break, first.byes), (6.0, 0));
    }

    #[test]
    fn a_round_waits_for_the_one_before() {
        let schedule = schedule(4, 3, 2);
        let (ids, rounds) = played(&schedule, 3);
        assert_eq!(ids.len(), 3);
        assert_eq!(rounds.due.len(), 1);
        assert!(rounds.standings.iter().all(|s| s.score == 0.0));
    }

    /// Both programs win two games, thirds of wins among them. As floats, 1 and three thirds are not three thirds and 1.
    #[test]
    fn a_drawn_meeting_is_half_a_point_each() {
        let request = Request {
            players: Some(vec![4]),
            format: Some(Pairing::Swiss),
            rounds: Some(1),
            games: Some(4),
            ..Request::of_random(2)
        };
        let schedule = Schedule::new(&Settings::<Rules>::new(request).unwrap());
        let swiss = schedule.swiss().unwrap();
        let mut results = Results::default();
        for game in swiss.rounds(&schedule, &results).due {
            // A seat of this program wins, or alone does not share the win.
            let one = [(0, 1.0, 3.0), (1, 4.0, 2.0), (0, 4.0, 2.0), (1, 1.0, 3.0)];
            let (program, own, others) = one[game.rotation];
            let seats = game.seats.clone();
            let mut ranks = vec![others; 4];
            ranks[seats.iter().position(|&it| it == program).unwrap()] = own;
            results.add(&game, Outcome { seats, ranks });
        }
        let standings = swiss.rounds(&schedule, &results).standings;
        let points: Vec<_> = standings.iter().map(|s| (s.score, s.tie_break)).collect();
        assert_eq!(points, [(0.5, 2.0); 2]);
    }

    /// The first game is gone, and all later ones are there.
    #[test]
    fn a_missing_game_is_one() {
        let schedule = schedule(4, 3, 2);
        let (ids, _) = played(&schedule, usize::MAX);
        let mut results = Results::default();
        for id in &ids[1..] {
            let game = schedule.scheduled(id).unwrap();
            let (seats, ranks) = (game.seats.clone(), vec![1.0, 2.0]);
            results.add(&game, Outcome { seats, ranks });
        }
        let swiss = schedule.swiss().unwrap();
        assert_eq!(swiss.missing(&schedule, &results), 1);
    }

    #[test]
    fn a_rematch_has_other_blocks() {
        let (ids, rounds) = played(&schedule(3, 6, 4), usize::MAX);
        let mut different = ids.clone();
        different.sort_unstable();
        different.dedup();
        assert_eq!(different.len(), ids.len());
        assert_eq!(ids.len(), 6 * 4);
        assert!(rounds.standings.iter().all(|s| s.byes == 2), "{rounds:?}");
        assert!(ids.contains(&"2p1.2-4-1".to_owned()), "{ids:?}");
    }
}
