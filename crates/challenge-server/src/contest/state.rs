//! The state of a contest as a checkpoint stores it: plain lists, separate from the types used in memory.

use super::super::bracket::Bracket;
use super::super::glicko::Rating;
use super::super::teams::Pair;
use super::{Contest, Standing};
use challenge::rules::Round;
use serde::{Deserialize, Serialize};

/// A [`Contest`] as it is stored.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct ContestState {
    standings: Vec<StandingState>,
    rounds: Vec<(Pair, [u32; 2])>,
    wins: Vec<(Pair, [u64; 2])>,
    games: u64,
    stages: Vec<StageState>,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
struct StandingState {
    team: u64,
    rating: f64,
    deviation: f64,
    games: [u64; 2],
    rounds: [u64; 2],
}

#[derive(Clone, Debug, Serialize, Deserialize)]
struct StageState {
    seeds: Vec<u64>,
    scores: Vec<(Pair, [u32; 2], Option<u64>)>,
}

impl Contest {
    /// The part of it that is stored. Teams without games are left out: a fresh contest has them anyway.
    pub fn state(&self) -> ContestState {
        let played = self.standings.iter().filter(|(_, one)| one.has_played());
        let standing = |(&team, one): (&u64, &Standing)| StandingState {
            team,
            rating: one.rating.value,
            deviation: one.rating.deviation,
            games: [one.won, one.lost],
            rounds: [one.rounds_won, one.rounds_lost],
        };
        let stage = |stage: &Bracket| StageState {
            seeds: stage.seeds().to_vec(),
            scores: stage
                .matches()
                .iter()
                .map(|one| (one.teams, one.games, one.winner))
                .collect(),
        };
        ContestState {
            standings: played.map(standing).collect(),
            // Lists in the order of the maps' keys: equal contests are stored as equal bytes.
            rounds: self.rounds.iter().map(|(&t, one)| (t, one.games)).collect(),
            wins: self.head_to_head().collect(),
            games: self.games,
            stages: self.stages.iter().map(stage).collect(),
        }
    }

    /// Replaces the state by a stored one. Teams that it does not name keep their standings.
    pub fn restore(&mut self, state: ContestState) {
        for one in state.standings {
            let standing = Standing {
                rating: Rating {
                    value: one.rating,
                    deviation: one.deviation,
                },
                won: one.games[0],
                lost: one.games[1],
                rounds_won: one.rounds[0],
                rounds_lost: one.rounds[1],
            };
            // Also a team that is unknown here: its games were counted against the others.
            self.standings.insert(one.team, standing);
        }
        let rounds = state.rounds.into_iter();
        self.rounds = rounds.map(|(t, games)| (t, Round { games })).collect();
        self.wins = state.wins.into_iter().collect();
        self.games = state.games;
        // A bracket follows from its seeds; the stored scores only fill in results.
        let stages = state.stages.into_iter().map(|stage| {
            let mut bracket = Bracket::new(stage.seeds);
            for (teams, games, winner) in stage.scores {
                bracket.score(teams, games, winner);
            }
            bracket
        });
        self.stages = stages.collect();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_contest_comes_back() {
        let mut contest = Contest::new([1, 2, 3, 4]);
        for game in 0..20 {
            contest.count([1, 2], usize::from(game % 3 == 0), false);
            contest.count([3, 2], 0, false);
        }
        contest.begin_stage(vec![3, 1, 2]);
        for _ in 0..5 {
            contest.count([2, 1], 1, true);
        }
        contest.begin_stage(vec![3, 1]);
        contest.count([1, 3], 0, true);
        let mut again = Contest::new([4]);
        again.restore(contest.state());
        assert_eq!(again, contest);
        assert_eq!(again.stages()[0].matches()[0].winner, Some(1));
    }
}
